"""Whether a stated probability means what it says: bands of confidence, and the expected calibration error. Pure.

Two ways to cut the cases into BANDS bands: of equal mass (as many cases in each), which no empty band can flatter, and
of equal width (0–0.1 …), which a reader expects. The error is the mean distance between what was stated and what
came true, weighted by cases; the worst band stands beside it, because a mean can hide one that lies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from research.evaluation.intervals import Counts, Estimate, Numbers, statistic

BANDS = 10


@dataclass(frozen=True, slots=True)
class Band:
    """n cases between two confidences: the mean confidence stated and the share that came true."""

    low: float
    high: float
    n: int
    stated: float
    true: float

    @property
    def gap(self) -> float:
        return abs(self.stated - self.true)


@dataclass(frozen=True, slots=True)
class Calibration:
    """cut: "equal mass" or "equal width". A bootstrap interval of an error is shifted upwards: read its upper end."""

    cut: str
    bands: tuple[Band, ...]
    error: Estimate

    @property
    def worst(self) -> Band:
        return max(self.bands, key=lambda band: band.gap)


def calibrations(confidences: Sequence[float], came_true: Sequence[bool]) -> list[Calibration]:
    """By equal mass and by equal width; nothing of no cases."""
    if not confidences:
        return []
    order = np.argsort(np.asarray(confidences, dtype=float), kind="stable")
    stated = np.asarray(confidences, dtype=float)[order]
    true = np.asarray(came_true, dtype=float)[order]
    return [_calibration(cut, of, stated, true) for cut, of in (("equal mass", _by_mass), ("equal width", _by_width))]


def _by_mass(stated: Numbers) -> Counts:
    return np.arange(len(stated)) * BANDS // len(stated)


def _by_width(stated: Numbers) -> Counts:
    # Rounded first: 0.3 × 10 is a hair under 3.
    return np.minimum(np.round(stated * BANDS, 9).astype(np.int64), BANDS - 1)


def _calibration(cut: str, band_of: Callable[[Numbers], Counts], stated: Numbers, true: Numbers) -> Calibration:
    def error(counts: Counts) -> float:
        drawn_stated, drawn_true = np.repeat(stated, counts), np.repeat(true, counts)
        apart = np.bincount(band_of(drawn_stated), weights=drawn_stated - drawn_true, minlength=BANDS)
        return float(np.abs(apart).sum() / len(drawn_stated))

    band = band_of(stated)
    bands = tuple(
        Band(
            float(stated[inside].min()) if cut == "equal mass" else number / BANDS,
            float(stated[inside].max()) if cut == "equal mass" else (number + 1) / BANDS,
            int(inside.sum()),
            float(stated[inside].mean()),
            float(true[inside].mean()),
        )
        for number in range(BANDS)
        if (inside := band == number).any()
    )
    return Calibration(cut, bands, statistic(len(stated), error))
