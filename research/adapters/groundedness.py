"""HHEM-2.1-open behind the `GroundednessScorer` port: how likely the quotes support the prose.

The published checkpoint is the encoder of flan-t5-base with a linear layer over its first token, wrapped in code of its
own. That code is not run: the weights are put into transformers' own class, whose sizes are read off the weights, and
the pair is laid out in the published form. Expected in the folder: config.json and model.safetensors of the checkpoint,
tokenizer.json of flan-t5-base.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tokenizers import Tokenizer

from research.adapters.model_folder import ModelFolder
from research.adapters.model_refusals import ModelRefused, TextTooLong
from research.adapters.torch_place import library, torch_for

# The form on which the checkpoint was trained, from its published configuration; the token that is read out is the
# padding at its head, which is written as text.
FORM = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {premise}\n\nHypothesis: {prose}"
SUPPORTED = 1  # the label; 0 is "not supported"
MAX_TOKENS = 4096  # its positions are relative and have no end; memory grows with the square
WRAPPER = "t5."  # what the checkpoint's own class puts before each name


class HhemScorer:
    """`research.ports.GroundednessScorer`. A text too long is refused: half of the quotes would be another premise."""

    def __init__(self, folder: ModelFolder, device: str = "cpu", threads: int = 1) -> None:
        self._folder, self._device, self._threads = folder, device, threads
        self.identity = folder.identity
        self._tokenizer = Tokenizer.from_file(str(folder.tokenizer))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def score(self, prose: str, quotes: Sequence[str]) -> float:
        """The probability that the prose follows from the quotes together, 0 to 1; 0 without quotes.

        Raises TextTooLong above MAX_TOKENS, and ModelRefused on first use.
        """
        if not quotes:
            return 0.0
        text = FORM.format(premise="\n".join(quotes), prose=prose)
        ids = self._tokenizer.encode(text).ids
        if len(ids) > MAX_TOKENS:
            raise TextTooLong(prose, len(ids), MAX_TOKENS)
        torch, device, model = self._loaded
        with torch.inference_mode():
            logits = model(input_ids=torch.tensor([ids], device=device)).logits[0, 0].float()
            return float(torch.softmax(logits, dim=-1)[SUPPORTED])

    @functools.cached_property
    def _loaded(self) -> tuple[Any, str, Any]:
        torch, device = torch_for(self._device, self._threads)
        transformers = library("transformers")
        path = self._folder.path / "model.safetensors"
        try:
            tensors = library("safetensors.torch").load_file(str(path))
        except (OSError, ValueError, RuntimeError) as error:
            raise ModelRefused(f"{path} cannot be read: {error}") from error
        weights = {name.removeprefix(WRAPPER): tensor for name, tensor in tensors.items()}
        model = transformers.T5ForTokenClassification(transformers.T5Config(**sizes_of(weights, str(path))))
        absent, unknown = model.load_state_dict(weights, strict=False)
        absent = [
            name for name in absent if not name.endswith("embed_tokens.weight")
        ]  # the shared one, by another name
        if absent or unknown:
            raise ModelRefused(f"{path} is another model: {[*absent, *unknown][:3]} … do not belong together.")
        model.tie_weights()
        return torch, device, model.to(device).eval()


def sizes_of(weights: Mapping[str, Any], path: str) -> dict[str, Any]:
    """The configuration of the encoder that the weights' shapes say. Raises ModelRefused for those of another model."""
    block = "transformer.encoder.block.0.layer"
    try:
        words, width = weights["transformer.shared.weight"].shape
        buckets, heads = weights[f"{block}.0.SelfAttention.relative_attention_bias.weight"].shape
        inner = weights[f"{block}.0.SelfAttention.q.weight"].shape[0]
        forward = weights[f"{block}.1.DenseReluDense.wi_0.weight"].shape[0]
        labels = weights["classifier.weight"].shape[0]
    except KeyError as error:
        raise ModelRefused(f"{path} has no {error.args[0]}; it is not HHEM-2.1-open.") from error
    if labels != 2:
        raise ModelRefused(f"{path} tells {labels} labels apart; HHEM-2.1-open tells 2.")
    layers = {found[1] for name in weights if (found := re.match(r"transformer\.encoder\.block\.(\d+)\.", name))}
    return {
        "vocab_size": words,
        "d_model": width,
        "d_kv": inner // heads,
        "d_ff": forward,
        "num_layers": len(layers),
        "num_heads": heads,
        "relative_attention_num_buckets": buckets,
        "feed_forward_proj": "gated-gelu",
        "num_labels": labels,
    }
