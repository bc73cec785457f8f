"""Rerankers behind the port: cosine of the default embedder, and word overlap where there are no vectors.

Each scale is its own: `identity` names it, and thresholds are kept per identity.
"""

from __future__ import annotations

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
    """The share of the question's content words that stand in the passage or its heading, 0 to 1."""

    identity = "overlap:1"

    def score(self, question: str, passages: Sequence[Passage]) -> list[float]:
        asked = content_stems(question)
        if not asked:
            return [0.0] * len(passages)
        return [len(asked & content_stems(f"{p.heading} {p.text}")) / len(asked) for p in passages]
