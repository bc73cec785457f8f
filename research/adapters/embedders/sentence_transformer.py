"""Embedders of sentence-transformers, on a GPU or a CPU, from a folder: Qwen3-Embedding-0.6B, bge-m3 and their like.

Questions and passages may have prompts of their own, which the model's configuration names. PyTorch and the weights are
loaded when the first text is embedded; identity, size and lengths are read from the files, so that a process that only
asks what is configured stays small.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from tokenizers import Tokenizer

from research.adapters.model_folder import ModelFolder
from research.adapters.model_refusals import ModelRefused, TextTooLong
from research.adapters.torch_place import library, torch_for

BATCH = 16
MOST_TOKENS = 2048  # enough for any chunk and question; a batch of texts as long as the models could read fills a GPU
_LENGTHS = (  # file and key of the most tokens that are read
    ("sentence_bert_config.json", "max_seq_length"),
    ("tokenizer_config.json", "model_max_length"),
    ("config.json", "max_position_embeddings"),
)


class SentenceTransformerEmbedder:
    """`research.ports.Embedder`. device: cpu, cuda or auto; threads: of PyTorch, on a CPU."""

    def __init__(self, folder: ModelFolder, device: str = "cpu", threads: int = 1, batch: int = BATCH) -> None:
        self._folder, self._device, self._threads, self._batch = folder, device, threads, batch
        self.identity = folder.identity
        self.dimensions = _dimensions_of(folder)
        self.max_tokens = _max_tokens_of(folder)
        prompts = folder.read("config_sentence_transformers.json").get("prompts") or {}
        self._for_question = str(prompts.get("query") or "")
        self._for_passage = str(prompts.get("document") or prompts.get("passage") or "")
        self._tokenizer = Tokenizer.from_file(str(folder.tokenizer))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def count_tokens(self, text: str) -> int:
        """Tokens that `embed` would see, the passage's prompt and special tokens included."""
        return len(self._tokenizer.encode(self._for_passage + text))

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A unit vector for each text as a passage, in order. Raises TextTooLong, or ModelRefused on first use."""
        return self._vectors(texts, self._for_passage)

    def embed_question(self, question: str) -> list[float]:
        """The unit vector that passages are compared with. Raises as `embed` does."""
        return self._vectors([question], self._for_question)[0]

    def _vectors(self, texts: Sequence[str], prompt: str) -> list[list[float]]:
        for text in texts:
            tokens = len(self._tokenizer.encode(prompt + text))
            if tokens > self.max_tokens:
                raise TextTooLong(text, tokens, self.max_tokens)
        if not texts:
            return []
        vectors = self._model.encode(
            list(texts),
            prompt=prompt,  # "" and not None, which would take the prompt that the model calls its default
            batch_size=self._batch,
            normalize_embeddings=True,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return [vector.tolist() for vector in vectors]

    @functools.cached_property
    def _model(self) -> Any:
        _, device = torch_for(self._device, self._threads)
        transformer = library("sentence_transformers").SentenceTransformer
        try:
            model = transformer(str(self._folder.path), device=device, trust_remote_code=False, local_files_only=True)
        except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
            raise ModelRefused(f"{self._folder.path} cannot be loaded as {self._folder.name}: {error}") from error
        model.max_seq_length = self.max_tokens
        made = model.get_embedding_dimension()
        if made != self.dimensions:
            raise ModelRefused(
                f"{self._folder.path} makes {made} numbers a vector, and its files say {self.dimensions}; "
                "fetch it again."
            )
        return model.eval()


def _dimensions_of(folder: ModelFolder) -> int:
    """Of the last layer that changes the size, else the model's own."""
    size = folder.read("config.json").get("hidden_size")
    for module in folder.modules():
        size = folder.read(f"{module}/config.json").get("out_features", size) if module else size
    if not isinstance(size, int) or size < 1:
        raise ModelRefused(f"{folder.path}/config.json says nothing of hidden_size; it is no encoder of texts.")
    return size


def _max_tokens_of(folder: ModelFolder) -> int:
    """The least that any of its files says, and MOST_TOKENS at most."""
    said = [folder.read(file).get(key) for file, key in _LENGTHS]
    positions = folder.read("config.json")
    if "roberta" in str(positions.get("model_type")) and isinstance(said[-1], int):
        said[-1] -= int(positions.get("pad_token_id", 1)) + 1  # its positions begin after the padding's
    return int(min([MOST_TOKENS, *(number for number in said if isinstance(number, (int, float)) and number > 0)]))
