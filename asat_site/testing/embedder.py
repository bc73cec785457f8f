"""An embedder for tests: no model, no file, the same vector for the same words on every machine."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence

_WORD = re.compile(r"\w+")


class WordHashEmbedder:
    """`research.ports.Embedder`: each word lights up a few dimensions, so that texts that share words are near.

    embedded: every text it was asked for, so that a test can see that nothing is computed twice.
    """

    max_tokens = 256

    def __init__(self, dimensions: int = 384, name: str = "word-hash") -> None:
        self.dimensions = dimensions
        self.identity = f"{name}-{dimensions}@test"
        self.embedded: list[str] = []

    def count_tokens(self, text: str) -> int:
        return len(_WORD.findall(text)) + 2

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.embedded += texts
        return [self._vector(text) for text in texts]

    def embed_question(self, question: str) -> list[float]:
        return self.embed([question])[0]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word in _WORD.findall(text.lower()) or [text]:
            digest = hashlib.sha256(word.encode()).digest()
            for at in range(0, 8, 2):
                place = int.from_bytes(digest[at : at + 2]) % self.dimensions
                vector[place] += 1.0 if digest[at + 8] & 1 else -1.0
        length = math.sqrt(sum(x * x for x in vector))
        return [x / length for x in vector] if length else [1.0, *vector[1:]]
