"""Rerankers behind the port: cosine of the default embedder, and word overlap where there are no vectors.

Each scale is its own: `identity` names it, and thresholds are kept per identity.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from research.adapters.corpus_store import PostgresCorpusStore
from research.terms import Passage
from research.verification.overlap import content_stems, question_stems


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
    """How much of the question's content a passage holds, and how far its heading says the same, 0 to 1.

    A word counts by how few of the passages offered hold it, so that what they all share tells none apart; one
    that none holds counts most, for what is missed. Half of the score is coverage, lowered where the passage holds
    much besides; half is the agreement of question and heading (F1), for a general rule is headed by little else.
    """

    identity = "overlap:3"

    def score(self, question: str, passages: Sequence[Passage]) -> list[float]:
        asked = question_stems(question)
        if not asked or not passages:
            return [0.0] * len(passages)
        headings = [content_stems(passage.heading) for passage in passages]
        texts = [content_stems(p.text) | heading for p, heading in zip(passages, headings, strict=True)]
        held_by = Counter(stem for text in texts for stem in asked & text)
        weights = {stem: math.log(1 + len(passages) / (0.5 + held_by[stem])) for stem in asked}
        return [
            0.5 * _coverage(asked, text, weights) + 0.5 * _agreement(asked, heading, weights)
            for text, heading in zip(texts, headings, strict=True)
        ]


def _weight(stems: frozenset[str], weights: Mapping[str, float]) -> float:
    """The sum of the stems' weights, added in a fixed order; a word that was not asked for weighs 1."""
    return sum(weights.get(stem, 1.0) for stem in sorted(stems))


def _coverage(asked: frozenset[str], text: frozenset[str], weights: Mapping[str, float]) -> float:
    shared = asked & text
    density = min(1.0, len(shared) / math.sqrt(max(1, len(text))))
    return _weight(shared, weights) / _weight(asked, weights) * (0.7 + 0.3 * density)


def _agreement(asked: frozenset[str], heading: frozenset[str], weights: Mapping[str, float]) -> float:
    return 2 * _weight(asked & heading, weights) / (_weight(asked, weights) + _weight(heading, weights))
