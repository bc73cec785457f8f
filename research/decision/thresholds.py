"""Every number that decides, with where it was measured; one set per reranker, for each has a scale of its own.

Measured by `manage.py calibrate gold_set/first_questions.yaml` (65 answerable, 20 unanswerable questions).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Bars on one reranker's scale.

    floor: below it nothing retrieved counts as a basis. bar: at or above it the best provision may be answered from.
    clear: at or above it no corroboration is asked for. gap_margin: by how much an undated wording must beat the best
    dated one for the question to be refused as undatable. coverage: the least share of the question's content words
    that the quoted provision must hold. measured: where and when the numbers were read off.
    """

    floor: float
    bar: float
    clear: float
    gap_margin: float
    coverage: float
    measured: str


COSINE = Thresholds(
    floor=0.30,
    bar=0.45,
    clear=0.60,
    gap_margin=0.05,
    coverage=0.34,
    measured="to be replaced by the first measurement",
)
OVERLAP = Thresholds(
    floor=0.34,
    bar=0.5,
    clear=0.75,
    gap_margin=0.15,
    coverage=0.34,
    measured="to be replaced by the first measurement",
)
_BY_PREFIX = {"cosine": COSINE, "overlap": OVERLAP}


def for_reranker(identity: str) -> Thresholds:
    """The set for a reranker's identity ("cosine:minilm…"). Raises LookupError for a scale nobody measured."""
    prefix = identity.split(":", 1)[0]
    if prefix not in _BY_PREFIX:
        known = ", ".join(sorted(_BY_PREFIX))
        raise LookupError(f"No thresholds were measured for the reranker {identity!r}; measured scales: {known}.")
    return _BY_PREFIX[prefix]
