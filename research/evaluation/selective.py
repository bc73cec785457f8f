"""What silence buys: the risk–coverage curve and the two areas under it. Pure.

Cases are put in the order of their confidence, surest first; those without one come last, and those with the same
count as one group in which each place carries the group's mean loss, so that no chance order of a file matters.

At coverage k/n the *selective risk* is the share wrong among the k surest, and the *generalised risk* the share of all
n that is both accepted and wrong.
 - AURC (Geifman and others, 2019): the mean of the selective risk over k = 1 … n. Weighs the surest cases most.
 - AUGRC (Traub and others, 2024): the area under generalised risk over coverage 0 to 1, by trapezoids. It is the
   probability that of two cases drawn, one is wrong and accepted no later than the other; at most 1/2. With a share
   right `a` and an AUROC `r` of right over wrong it equals (1 − r)·a·(1 − a) + (1 − a)²/2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from research.evaluation.intervals import Counts, Estimate, Numbers, statistic


@dataclass(frozen=True, slots=True)
class Curve:
    """One point for each case accepted: (coverage, selective risk, generalised risk). n: all that could be accepted."""

    points: tuple[tuple[float, float, float], ...]
    n: int
    aurc: Estimate
    augrc: Estimate

    def coverage_at(self, risk: float) -> float:
        """The largest coverage whose selective risk is at most `risk`; 0 where there is none."""
        return max((coverage for coverage, at, _ in self.points if at <= risk), default=0.0)


def curve(losses: Sequence[float], confidences: Sequence[float | None]) -> Curve | None:
    """The curve of all cases; None of none. losses: 1 for a case that would be wrong, else 0."""
    if not losses:
        return None
    sure = np.asarray([-np.inf if one is None else one for one in confidences], dtype=float)
    order = np.argsort(-sure, kind="stable")
    lost, ranked = np.asarray(losses, dtype=float)[order], sure[order]
    starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]])

    def expected(counts: Counts) -> Numbers:
        """The loss to expect at each place, the surest first."""
        many = np.add.reduceat(counts, starts)
        wrong = np.add.reduceat(counts * lost, starts)
        kept = many > 0
        return np.repeat(wrong[kept] / many[kept], many[kept])

    n = len(lost)
    places = np.arange(1, n + 1)
    wrong = np.cumsum(expected(np.ones(n, dtype=np.int64)))
    points = tuple(
        (float(k / n), float(lost_by_then / k), float(lost_by_then / n))
        for k, lost_by_then in zip(places, wrong, strict=True)
    )
    return Curve(
        points,
        n,
        statistic(n, lambda counts: float(np.mean(np.cumsum(expected(counts)) / places))),
        statistic(n, lambda counts: _area(np.cumsum(expected(counts)) / n)),
    )


def _area(generalised: Numbers) -> float:
    """Under the generalised risk at coverage 1/n, 2/n … 1, from (0, 0) on."""
    return float((generalised.sum() - generalised[-1] / 2) / len(generalised))


def answered_points(wrong_by_confidence: Sequence[bool], n: int) -> tuple[tuple[float, float, float], ...]:
    """The same three numbers for answers that were really given, surest first, out of n that were wanted."""
    lost, points = 0, []
    for k, is_wrong in enumerate(wrong_by_confidence, 1):
        lost += is_wrong
        points.append((k / n, lost / k, lost / n))
    return tuple(points)
