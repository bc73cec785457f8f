"""Bands of confidence and the expected calibration error, against sums done by hand."""

from __future__ import annotations

import pytest

from research.evaluation.calibration import calibrations

pytestmark = pytest.mark.unit


def test_the_error_is_weighted_by_the_cases_of_each_band() -> None:
    # Ten cases in ten bands of equal mass: each is its own band.
    stated = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95]
    by_mass, by_width = calibrations(stated, [at >= 5 for at in range(10)])
    gaps = [0.05, 0.15, 0.25, 0.35, 0.45, 0.45, 0.35, 0.25, 0.15, 0.05]
    assert by_mass.error.value == by_width.error.value == pytest.approx(sum(gaps) / 10)
    assert [band.gap for band in by_mass.bands] == pytest.approx(gaps)


def test_a_mean_can_hide_a_band_that_the_worst_one_shows() -> None:
    stated, true = [0.5] * 98 + [0.99] * 2, [True, False] * 49 + [False] * 2
    _, by_width = calibrations(stated, true)
    assert by_width.error.value == pytest.approx(0.02 * 0.99)
    assert (by_width.worst.n, by_width.worst.stated, by_width.worst.true) == (2, 0.99, 0.0)


def test_equal_width_puts_a_border_into_the_upper_band_and_one_into_the_last() -> None:
    _, by_width = calibrations([0.0, 0.1, 0.3, 1.0], [False, False, False, True])
    assert [(band.low, band.n) for band in by_width.bands] == [(0.0, 1), (0.1, 1), (0.3, 1), (0.9, 1)]


def test_equal_mass_puts_as_many_cases_into_each_band() -> None:
    by_mass, _ = calibrations([at / 100 for at in range(25)], [False] * 25)
    assert sorted(band.n for band in by_mass.bands) == [2] * 5 + [3] * 5


def test_what_always_comes_true_as_stated_has_no_error() -> None:
    by_mass, by_width = calibrations([1.0] * 20 + [0.0] * 20, [True] * 20 + [False] * 20)
    assert by_mass.error.value == by_width.error.value == by_width.error.high == 0.0


def test_there_is_nothing_to_say_of_no_cases() -> None:
    assert calibrations([], []) == []
