"""Rerankers behind the port: the learned scorer, and the plain ones it is measured against: cosine and word overlap.

Each scale is its own: `identity` names it, and thresholds are kept per identity.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from research.adapters.corpus_store import PostgresCorpusStore
from research.decision.thresholds import EMBEDDER
from research.logistic import shares_of
from research.retrieval import features, weights
from research.terms import Fit, Passage, Sought
from research.verification.overlap import content_stems, question_stems


class LearnedReranker:
    """How likely each passage's provision answers the question: the learned scorer over what the store measures.

    mode: of search, "hybrid" or "lexical"; each has weights of its own, for a word index tells right from wrong less
    well, and others for where the subject index knows nothing of what was found: of law that it does not cover, or when
    it is switched off. Closeness is the cosine, or the share of the best BM25 where there are no vectors.
    """

    def __init__(self, store: PostgresCorpusStore, mode: str) -> None:
        self._store = store
        self._indexed = weights.HYBRID if mode == "hybrid" else weights.LEXICAL
        self._plain = weights.HYBRID_PLAIN if mode == "hybrid" else weights.LEXICAL_PLAIN
        self.identity = f"learned-{mode}:{self._indexed.digest}+{self._plain.digest}{_of_another(store)}"

    def score(self, sought: Sought, passages: Sequence[Passage]) -> list[Fit]:
        judged = self.judge(sought, passages)
        return [judged[passage.chunk_id] for passage in passages]

    def judge(self, sought: Sought, passages: Sequence[Passage]) -> dict[int, Fit]:
        """The fit of each passage, by chunk id."""
        found: dict[int, Fit] = {}
        candidates = self.candidates(sought, passages)
        is_indexed = any(candidate.evidence != features.NO_EVIDENCE for candidate, _ in candidates)
        fitted = self._indexed if is_indexed else self._plain
        totals = [fitted.total(numbers) for _, numbers in candidates]
        for (candidate, numbers), total, relevance in zip(candidates, totals, shares_of(totals), strict=True):
            numbers = {**numbers, "total": total}
            for passage, measured in zip(candidate.passages, candidate.measured, strict=True):
                near = measured.cosine if measured.cosine is not None else measured.lexical / (1 + measured.lexical)
                found[passage.chunk_id] = Fit(relevance, near, numbers)
        return found

    def candidates(
        self, sought: Sought, passages: Sequence[Passage]
    ) -> list[tuple[features.Candidate, dict[str, float]]]:
        """The provisions of `passages` with their features: what the scorer sees, and what it is fitted on."""
        measured = self._store.measure(sought.question, [passage.chunk_id for passage in passages], sought.window)
        found = features.candidates_of(passages, measured, sought.subjects.evidence)
        return list(zip(found, features.features_of(sought, found), strict=True))


class CosineReranker:
    """Cosine between the question and each passage, from the vectors that search uses: nothing is computed twice."""

    def __init__(self, store: PostgresCorpusStore) -> None:
        if store.embedder is None:
            raise ValueError("The cosine reranker needs an embedder; set ASAT_EMBEDDER, or ASAT_RERANKER=overlap.")
        self._store = store
        self.identity = f"cosine:{store.embedder.identity}"

    def score(self, sought: Sought, passages: Sequence[Passage]) -> list[Fit]:
        known = self._store.similarities(sought.question, [passage.chunk_id for passage in passages])
        return [Fit(near, near) for near in (known.get(passage.chunk_id, 0.0) for passage in passages)]


class OverlapReranker:
    """How much of the question's content a passage holds, and how far its heading says the same, 0 to 1.

    A word counts by how few of the passages offered hold it, so that what they all share tells none apart; one
    that none holds counts most, for what is missed. Half of the score is coverage, lowered where the passage holds
    much besides; half is the agreement of question and heading (F1), for a general rule is headed by little else.
    """

    identity = "overlap:3"

    def score(self, sought: Sought, passages: Sequence[Passage]) -> list[Fit]:
        asked = question_stems(sought.question)
        if not asked or not passages:
            return [Fit(0.0, 0.0)] * len(passages)
        headings = [content_stems(passage.heading) for passage in passages]
        texts = [content_stems(p.text) | heading for p, heading in zip(passages, headings, strict=True)]
        held_by = Counter(stem for text in texts for stem in asked & text)
        rare = {stem: math.log(1 + len(passages) / (0.5 + held_by[stem])) for stem in asked}
        scores = [
            0.5 * _coverage(asked, text, rare) + 0.5 * _agreement(asked, heading, rare)
            for text, heading in zip(texts, headings, strict=True)
        ]
        return [Fit(score, score) for score in scores]


def _of_another(store: PostgresCorpusStore) -> str:
    """ ":" and the embedder, where it is not the one whose cosines the numbers were fitted on: a scale of its own."""
    embedder = store.embedder
    return "" if embedder is None or embedder.identity.startswith(f"{EMBEDDER}@") else f":{embedder.identity}"


def _weight(stems: frozenset[str], weights: Mapping[str, float]) -> float:
    """The sum of the stems' weights, added in a fixed order; a word that was not asked for weighs 1."""
    return sum(weights.get(stem, 1.0) for stem in sorted(stems))


def _coverage(asked: frozenset[str], text: frozenset[str], weights: Mapping[str, float]) -> float:
    shared = asked & text
    density = min(1.0, len(shared) / math.sqrt(max(1, len(text))))
    return _weight(shared, weights) / _weight(asked, weights) * (0.7 + 0.3 * density)


def _agreement(asked: frozenset[str], heading: frozenset[str], weights: Mapping[str, float]) -> float:
    return 2 * _weight(asked & heading, weights) / (_weight(asked, weights) + _weight(heading, weights))
