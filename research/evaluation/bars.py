"""Reads the bars of a reranker off what it was measured on: each tune question, and whether its answer was right. Pure.

They are those that the learned scale has: a floor and a bar on relevance, and the least confidence to answer from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from research.decision.thresholds import Thresholds
from research.logistic import Weights

RIGHT_SHARE = 0.97  # of the answers given from `sure` on, at least
LEAST_ANSWERS = 30  # fewer say too little of that share
TO_MEASURE = Thresholds(
    floor=0.0, bar=0.0, clear=0.0, lead=-1.0, gap_margin=0.0, coverage=0.0, measured="being measured: refuses nothing"
)


class NoBars(ValueError):
    """What was measured parts right answers from wrong ones nowhere; the message says how far it got."""


def bars_of(
    fitted: Weights, signs: Sequence[Mapping[str, float]], is_right: Sequence[bool], unseen: Sequence[float], on: str
) -> Thresholds:
    """The bars that rows of signs tell, with their label and the confidence of the folds that did not see them.

    on: what was measured on, in words. Raises NoBars.
    """
    relevance = sorted(_share(row["odds"]) for row, right in zip(signs, is_right, strict=True) if right)
    if not relevance:
        raise NoBars("no answer was right")
    sure, right, given = _sure(is_right, unseen)
    return Thresholds(
        floor=_part(relevance, 0.01),
        bar=_part(relevance, 0.10),
        clear=1.0,
        lead=0.0,
        gap_margin=0.0,
        coverage=0.2,
        measured=f"{on}: from a confidence of {sure} on, {right} right answers and {given - right} wrong ones",
        confidence=fitted,
        sure=sure,
    )


def _sure(is_right: Sequence[bool], unseen: Sequence[float]) -> tuple[float, int, int]:
    """(the least confidence from which on enough answers are right, right ones, all of them)."""
    best: tuple[float, int, int] | None = None
    right = 0
    ordered = sorted(zip(unseen, is_right, strict=True), key=lambda pair: -pair[0])
    for given, (confidence, label) in enumerate(ordered, 1):
        right += label
        ends_here = given == len(ordered) or ordered[given][0] < confidence  # equal ones are answered together
        if ends_here and given >= LEAST_ANSWERS and right / given >= RIGHT_SHARE:
            best = (math.floor(confidence * 1000) / 1000, right, given)
    if best is None:
        raise NoBars(
            f"no confidence has {LEAST_ANSWERS} answers or more of which {RIGHT_SHARE:.0%} are right; of all "
            f"{len(ordered)} answers {right} are"
        )
    return best


def _share(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))


def _part(ordered: Sequence[float], share: float) -> float:
    """The value that all but `share` of them reach, in thousandths."""
    return math.floor(ordered[int(share * len(ordered))] * 1000) / 1000
