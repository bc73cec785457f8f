"""Every number that decides, with where it was measured; one set per reranker, for each has a scale of its own.

The learned scales were measured on the tune half of gold_set/pit_suite.yaml (docs/retrieval.md), the plain ones on
gold_set/first_questions.yaml (65 answerable, 20 unanswerable questions), all of them with the default embedder: those
that build on its cosines are another scale with another one. What an installation measured for itself
(`manage.py calibrate … --thresholds FILE`) is put beside them once, when the program starts, under the whole identity.
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


@dataclass(frozen=True, slots=True)
class Grounded:
    """bar: at or above it a scorer of groundedness lets prose pass, 0 to 1; measured: where and when, in words."""

    bar: float
    measured: str


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
EMBEDDER = "minilm-l6-v2-int8"  # whose cosines these are
_BY_PREFIX = {
    "learned-hybrid": LEARNED_HYBRID,
    "learned-lexical": LEARNED_LEXICAL,
    "cosine": COSINE,
    "overlap": OVERLAP,
}
WORD_OVERLAP = Grounded(
    bar=0.44,
    measured=(
        "30 November 2026, gold_set/groundedness.yaml: 0.62 is reached by 95 % of fair sentences, 0.25 by the best on "
        "another subject (0.40 over all 1,560 pairs of sentence and foreign quote); at 0.44 pass 40 of 40 fair "
        "sentences, 0 of 80 on another subject and 20 of 20 on the same subject that say something else: it tells a "
        "changed subject, not a changed meaning"
    ),
)
_GROUNDED = {"word-overlap:1": WORD_OVERLAP}
_MEASURED_HERE: dict[str, Thresholds] = {}
_GROUNDED_HERE: dict[str, Grounded] = {}


def put(identity: str, bars: Thresholds) -> None:
    """Keep what was measured of this very reranker here. One that ships with bars of its own gets these instead."""
    _MEASURED_HERE[identity] = bars


def for_reranker(identity: str) -> Thresholds:
    """The set for a reranker's identity ("cosine:minilm…"). Raises LookupError for a scale nobody measured."""
    if identity in _MEASURED_HERE:
        return _MEASURED_HERE[identity]
    prefix, _, of = identity.partition(":")
    is_of_another = not of.startswith(f"{EMBEDDER}@") if prefix == "cosine" else ":" in of
    if prefix not in _BY_PREFIX or is_of_another:
        known = ", ".join(sorted({*_BY_PREFIX, *_MEASURED_HERE}))
        raise LookupError(f"No thresholds were measured for the reranker {identity!r}; measured scales: {known}.")
    return _BY_PREFIX[prefix]


def put_grounded(identity: str, grounded: Grounded) -> None:
    """Keep what was measured of this very scorer here."""
    _GROUNDED_HERE[identity] = grounded


def for_groundedness(identity: str) -> Grounded:
    """The bar on a scorer's scale ("word-overlap:1"). Raises LookupError for a scale nobody measured."""
    found = _GROUNDED_HERE.get(identity) or _GROUNDED.get(identity)
    if found is None:
        known = ", ".join(sorted({*_GROUNDED, *_GROUNDED_HERE}))
        raise LookupError(f"No bar was measured for the scorer {identity!r}; measured scales: {known}.")
    return found
