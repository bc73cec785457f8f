"""Every number that decides, with where it was measured; one set per reranker, for each has a scale of its own.

The learned scales were measured on the tune half of gold_set/pit_suite.yaml (docs/retrieval.md), the plain ones on
gold_set/first_questions.yaml (65 answerable, 20 unanswerable questions).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from research.decision import weights
from research.logistic import Weights


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Bars on one reranker's scale.

    floor: below it nothing retrieved counts as a basis. bar: at or above it the best provision may be answered from.
    clear: at or above it no corroboration is asked for. lead: how far ahead of the best provision not quoted the
    best quoted one must be. gap_margin: by how much an undated wording must beat the best dated one for the question
    to be refused as undatable; 0 by reasoning, not measured: words that may not have been the law break no tie.
    coverage: the least share of the question's content words that the quoted provision must hold. measured: where and
    when the numbers were read off.

    A scale of probabilities has a confidence of its own: the regression that tells from the signs of the evidence how
    likely the answer is right, and `sure`, the least at which it is given; bar and clear are then not asked.
    """

    floor: float
    bar: float
    clear: float
    lead: float
    gap_margin: float
    coverage: float
    measured: str
    confidence: Weights | None = None
    sure: float = 1.0


COSINE = Thresholds(
    floor=0.40,
    bar=0.56,
    clear=0.60,
    lead=0.0,
    gap_margin=0.0,
    coverage=0.34,
    measured=(
        "30 November 2026, gold_set/first_questions.yaml on fifteen Acts of 2015 and ITAA97 of 2024, hybrid search: "
        "best relevance of 65 answerable questions from 0.58 (5th percentile 0.60), of 10 unanswerable ones up to "
        "0.58 (median 0.49); of 55 right answers 46 had a lead of 0 or more, of 11 wrong ones 4"
    ),
)
OVERLAP = Thresholds(
    floor=0.30,
    bar=0.60,
    clear=0.75,
    lead=0.10,
    gap_margin=0.0,
    coverage=0.34,
    measured=(
        "30 November 2026, the same questions searched by words only: with a bar of 0.6, a lead of 0.05 gave 30 right "
        "answers and 8 wrong ones, 0.08 gave 25 and 6, 0.1 gave 24 and 3; no unanswerable question was answered"
    ),
)
LEARNED_HYBRID = Thresholds(
    floor=0.02,
    bar=0.10,
    clear=1.0,
    lead=0.0,
    gap_margin=0.0,
    coverage=0.2,
    measured=(
        "30 November 2026, the tune half of gold_set/pit_suite.yaml (374 answerable, 145 others), hybrid search: from "
        "a confidence of 0.943 on, 150 right answers and 3 wrong ones; from 0.888, 220 and 11; from 0.65, 302 and 31"
    ),
    confidence=weights.HYBRID,
    sure=0.945,
)
LEARNED_LEXICAL = replace(
    LEARNED_HYBRID,
    measured=(
        "30 November 2026, the tune half of gold_set/pit_suite.yaml searched by words only: from a confidence of 0.9 "
        "on, 107 right answers and 3 wrong ones; from 0.866, 141 and 9"
    ),
    confidence=weights.LEXICAL,
    sure=0.90,
)
_BY_PREFIX = {
    "learned-hybrid": LEARNED_HYBRID,
    "learned-lexical": LEARNED_LEXICAL,
    "cosine": COSINE,
    "overlap": OVERLAP,
}


def for_reranker(identity: str) -> Thresholds:
    """The set for a reranker's identity ("cosine:minilm…"). Raises LookupError for a scale nobody measured."""
    prefix = identity.split(":", 1)[0]
    if prefix not in _BY_PREFIX:
        known = ", ".join(sorted(_BY_PREFIX))
        raise LookupError(f"No thresholds were measured for the reranker {identity!r}; measured scales: {known}.")
    return _BY_PREFIX[prefix]
