"""Rerankers behind the port: cosine of the default embedder, and word overlap where there are no vectors.

Each scale is its own: `identity` names it, and thresholds are kept per identity.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from research.adapters.corpus_store import PostgresCorpusStore
from research.terms import Passage
from research.verification.overlap import content_stems


class CosineReranker:
    """Cosine between the question and each passage, from the vectors that search uses: nothing is computed twice."""

    def __init__(self, store: PostgresCorpusStore) -> None:
        if store.embedder is None:
            raise ValueError("The cosine reranker needs an embedder; set ASAT_EMBEDDER, or ASAT_RERANKER=overlap.")
        self._store = store
        self.identity = f"cosine:{store.embedder.identity}"

    def score(self, question: str, passages: Sequence[Passage]) -> list[float]:
        known = self._store.similarities(question, [passage.chunk_id for passage in passages])
        return [known.get(passage.chunk_id, 0.0) for passage in passages]


class OverlapReranker:
    """How much of the question's content a passage and its heading hold, 0 to 1.

    A word counts by how few of the passages offered hold it, so that what they all share tells none apart; one
    that none holds counts most, for what is missed. Half of the score is how much of the passage is about it.
    """

    identity = "overlap:2"

    def score(self, question: str, passages: Sequence[Passage]) -> list[float]:
        asked = content_stems(question)
        if not asked or not passages:
            return [0.0] * len(passages)
        texts = [content_stems(f"{passage.heading} {passage.text}") for passage in passages]
        held_by = Counter(stem for text in texts for stem in asked & text)
        weight = {stem: math.log(1 + len(passages) / (0.5 + held_by[stem])) for stem in asked}
        whole = sum(weight.values())
        return [self._score(asked & text, weight, whole, len(text)) for text in texts]

    @staticmethod
    def _score(shared: frozenset[str], weight: dict[str, float], whole: float, length: int) -> float:
        """Coverage of the question, lowered for passages that hold much besides; sums in a fixed order."""
        coverage = sum(weight[stem] for stem in sorted(shared)) / whole
        density = len(shared) / math.sqrt(max(1, length))
        return coverage * (0.5 + 0.5 * min(1.0, density))
