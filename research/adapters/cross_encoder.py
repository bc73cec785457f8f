"""A cross-encoder behind the `Reranker` port: question and passage are read together, such as by bge-reranker-v2-m3.

PyTorch and the weights are loaded when the first question is ranked; no code out of the model's folder is run.
"""

from __future__ import annotations

import functools
import logging
import math
from collections.abc import Sequence
from typing import Any

from tokenizers import Tokenizer

from research.adapters.model_folder import ModelFolder
from research.adapters.model_refusals import ModelRefused
from research.adapters.torch_place import library, torch_for
from research.terms import Fit, Passage, Sought

BATCH = 8
MOST_TOKENS = 1024  # of question and passage together: a chunk has about 300
CUT = "tokens_not_read"  # the sign of a passage that was longer than the model reads
UNREAD = "not_scored"  # the sign of one that came after the most that are scored

log = logging.getLogger(__name__)


class CrossEncoderReranker:
    """How well each passage answers the question, 0 to 1: the logistic function of the model's one number.

    A provision is as relevant as its best passage; closeness is the passage's own. most: passages that are scored, in
    the order given; those after them get 0 and the sign `not_scored`. A passage too long to be read whole is judged by
    its beginning, and has the sign `tokens_not_read` with their number.
    """

    def __init__(
        self, folder: ModelFolder, device: str = "cpu", threads: int = 1, most: int = 50, batch: int = BATCH
    ) -> None:
        self._folder, self._device, self._threads = folder, device, threads
        self._most, self._batch = most, batch
        self.identity = f"cross-encoder:{folder.identity}"
        self.max_tokens = _max_tokens_of(folder)
        self._tokenizer = Tokenizer.from_file(str(folder.tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def score(self, sought: Sought, passages: Sequence[Passage]) -> list[Fit]:
        """A fit for each passage, in order. Raises ModelRefused on first use."""
        read = passages[: self._most]
        encodings = [self._ids(sought.question, passage) for passage in read]
        near = self._probabilities([ids for ids, _, _ in encodings], [kinds for _, kinds, _ in encodings])
        best: dict[int, float] = {}
        for passage, score in zip(read, near, strict=True):
            best[passage.provision_id] = max(score, best.get(passage.provision_id, 0.0))
        fits = [
            Fit(best[passage.provision_id], score, {CUT: float(cut)} if cut else {})
            for passage, score, (_, _, cut) in zip(read, near, encodings, strict=True)
        ]
        cut = sum(bool(fit.signs) for fit in fits)
        if cut:
            log.warning(
                "%s read %d of %d passages in part: they are longer than its window", self.identity, cut, len(fits)
            )
        unread = passages[self._most :]
        return fits + [Fit(best.get(passage.provision_id, 0.0), 0.0, {UNREAD: 1.0}) for passage in unread]

    def _ids(self, question: str, passage: Passage) -> tuple[list[int], list[int], int]:
        """The ids and kinds of question and passage together, and how many tokens had to be left off the passage.

        Raises ValueError for a question that leaves no room for a passage.
        """
        text = f"{passage.authority} {passage.heading}\n{passage.text}"
        whole = self._tokenizer.encode(question, text)
        over = len(whole.ids) - self.max_tokens
        if over <= 0:
            return whole.ids, whole.type_ids, 0
        own = self._tokenizer.encode(text, add_special_tokens=False)
        if over >= len(own.ids):
            raise ValueError(
                f"The question fills the {self.max_tokens} tokens that {self.identity} reads; ask a shorter one."
            )
        kept = text[: own.offsets[len(own.ids) - over - 1][1]]
        cut = self._tokenizer.encode(question, kept)
        while len(cut.ids) > self.max_tokens:  # a text cut within a word may fall into more pieces
            kept = kept[:-1]
            cut = self._tokenizer.encode(question, kept)
        return cut.ids, cut.type_ids, len(whole.ids) - len(cut.ids)

    def _probabilities(self, ids: Sequence[Sequence[int]], kinds: Sequence[Sequence[int]]) -> list[float]:
        """Of each pair, batched by length so that padding is little."""
        scores = [0.0] * len(ids)
        order = sorted(range(len(ids)), key=lambda row: (len(ids[row]), row))
        for at in range(0, len(order), self._batch):
            rows = order[at : at + self._batch]
            for row, logit in zip(rows, self._logits([ids[r] for r in rows], [kinds[r] for r in rows]), strict=True):
                scores[row] = 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, logit))))
        return scores

    def _logits(self, ids: Sequence[Sequence[int]], kinds: Sequence[Sequence[int]]) -> list[float]:
        torch, device, model = self._loaded
        longest = max(len(row) for row in ids)
        padding = model.config.pad_token_id or 0
        asked: dict[str, Any] = {
            "input_ids": torch.tensor([[*row, *[padding] * (longest - len(row))] for row in ids], device=device),
            "attention_mask": torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in ids], device=device),
        }
        if getattr(model.config, "type_vocab_size", 0) > 1:
            rows = [[*row, *[0] * (longest - len(row))] for row in kinds]
            asked["token_type_ids"] = torch.tensor(rows, device=device)
        with torch.inference_mode():
            found: list[float] = model(**asked).logits[:, 0].float().cpu().tolist()
        return found

    @functools.cached_property
    def _loaded(self) -> tuple[Any, str, Any]:
        """PyTorch, the device and the model, in float32: a device's half precision would order near ties otherwise."""
        torch, device = torch_for(self._device, self._threads)
        auto = library("transformers").AutoModelForSequenceClassification
        try:
            model = auto.from_pretrained(
                str(self._folder.path), trust_remote_code=False, local_files_only=True, dtype=torch.float32
            )
        except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
            raise ModelRefused(f"{self._folder.path} cannot be loaded as {self._folder.name}: {error}") from error
        if model.config.num_labels != 1:
            raise ModelRefused(
                f"{self._folder.path} gives {model.config.num_labels} numbers for a pair; a reranker gives one."
            )
        return torch, device, model.to(device).eval()


def _max_tokens_of(folder: ModelFolder) -> int:
    """What the model's positions allow, and MOST_TOKENS at most."""
    config = folder.read("config.json")
    positions = config.get("max_position_embeddings", MOST_TOKENS)
    if "roberta" in str(config.get("model_type")):
        positions -= int(config.get("pad_token_id", 1)) + 1  # they begin after the padding's
    said = folder.read("tokenizer_config.json").get("model_max_length", MOST_TOKENS)
    return int(min(MOST_TOKENS, positions, said))
