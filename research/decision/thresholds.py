"""The numbers that a decision turns on, one set per reranker, each with where it was measured.

A reranker's scale is its own, so no number here means anything for another. Nothing falls back: a reranker that
has no entry is an error, because its scores cannot be judged.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What relevance must reach, on the scale of one reranker.

    reranker: the identity it is for, or the part before its last ":" when the rest names files.
    floor: below it nothing was found. bar: from it an answer may rest on search alone.
    coverage: share of the question's content words that corroborates. lead: how far the best provision must stand
    above the next for that to corroborate. hits: passages of one provision that corroborate together.
    signs: how many signs of corroboration an answer needs (see `decide`). measured: where the numbers come from.
    """

    reranker: str
    floor: float
    bar: float
    coverage: float
    lead: float
    hits: int
    signs: int
    measured: str

    def __post_init__(self) -> None:
        if not 0 <= self.floor <= self.bar:
            raise ValueError(f"{self.reranker}: floor {self.floor} and bar {self.bar}; give 0 ≤ floor ≤ bar")


_NOT_MEASURED = "Provisional: not measured yet on this corpus."

THRESHOLDS = (
    Thresholds("cosine", 0.25, 0.40, 0.5, 0.05, 2, 1, _NOT_MEASURED),
    Thresholds("overlap", 0.25, 0.50, 0.5, 0.15, 2, 1, _NOT_MEASURED),
)


def for_reranker(identity: str) -> Thresholds:
    """The thresholds for a reranker by its identity ("overlap:1"), the most exact entry first.

    Raises LookupError for a reranker without measured numbers.
    """
    name = identity
    while True:
        for thresholds in THRESHOLDS:
            if thresholds.reranker == name:
                return thresholds
        if ":" not in name:
            known = ", ".join(sorted(thresholds.reranker for thresholds in THRESHOLDS))
            raise LookupError(f"no thresholds for the reranker {identity!r}; there are some for: {known}")
        name = name.rpartition(":")[0]
