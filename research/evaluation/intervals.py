"""How far a measured number can be trusted: exact binomial bounds, and percentile bootstrap intervals. Pure, seeded.

The bootstrap draws cases with replacement, RESAMPLES times, always with the same SEED: two measurings of one results
file give the same interval. A draw is a row of counts, how often each case was drawn, so that every measure over the
same cases is taken over the same draws.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log

import numpy as np
from numpy.typing import NDArray

SEED = 20150630
RESAMPLES = 2_000
Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value with its 95 % interval; n: the cases that it was measured on."""

    value: float
    low: float
    high: float
    n: int


def upper_bound(count: int, n: int, confidence: float = 0.95) -> float:
    """The exact one-sided upper bound (Clopper–Pearson) of a share; 1.0 when nothing was counted."""
    if n == 0 or count >= n:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(count, n, middle) > 1 - confidence else (low, middle)
    return high


def exact_interval(count: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact two-sided interval (Clopper–Pearson) of a share; all of 0 to 1 when nothing was counted."""
    if n == 0:
        return 0.0, 1.0
    one_side = (1 + confidence) / 2
    return (0.0 if count == 0 else 1 - upper_bound(n - count, n, one_side)), upper_bound(count, n, one_side)


def _at_most(count: int, n: int, share: float) -> float:
    """The probability of at most `count` of `n`, each with probability `share`."""
    if not 0 < share < 1:
        return 1.0 if share <= 0 else 0.0
    whole = lgamma(n + 1)
    return sum(
        exp(whole - lgamma(k + 1) - lgamma(n - k + 1) + k * log(share) + (n - k) * log(1 - share))
        for k in range(count + 1)
    )


@functools.lru_cache(maxsize=16)
def draws(n: int) -> Counts:
    """(RESAMPLES, n): how often each of n cases was drawn; every row adds up to n."""
    drawn: Counts = np.random.default_rng(SEED).multinomial(n, np.full(n, 1 / n), size=RESAMPLES).astype(np.int64)
    drawn.setflags(write=False)
    return drawn


def means(values: Sequence[Sequence[float]] | Numbers) -> list[Estimate]:
    """The mean of each column of (cases, measures), with its interval."""
    table = np.asarray(values, dtype=float)
    n = len(table)
    resampled = draws(n) @ table / n
    low, high = np.percentile(resampled, [2.5, 97.5], axis=0)
    at = table.mean(axis=0)
    return [Estimate(float(at[i]), float(low[i]), float(high[i]), n) for i in range(table.shape[1])]


def mean(values: Sequence[float]) -> Estimate | None:
    """The mean of `values` with its interval; None of nothing."""
    return means([[value] for value in values])[0] if len(values) else None


def statistic(n: int, of: Callable[[Counts], float]) -> Estimate:
    """Any statistic of n cases. of: takes how often each case counts, and gives the number."""
    resampled = [of(drawn) for drawn in draws(n)]
    low, high = np.percentile(resampled, [2.5, 97.5])
    return Estimate(of(np.ones(n, dtype=np.int64)), float(low), float(high), n)


def quantile(values: Sequence[float], share: float) -> Estimate:
    """A quantile of `values`, linear between two, with its interval. Raises ValueError of nothing."""
    ordered = np.sort(np.asarray(values, dtype=float))
    return statistic(len(ordered), lambda counts: float(np.quantile(np.repeat(ordered, counts), share)))
