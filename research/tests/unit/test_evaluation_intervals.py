"""Bounds and bootstrap intervals: checked against closed forms, and the same whenever they are asked for."""

from __future__ import annotations

import pytest

from research.evaluation.intervals import RESAMPLES, draws, exact_interval, mean, means, quantile, upper_bound

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [
        (0, 10, 0.0, 1 - 0.025 ** (1 / 10)),  # the closed form at nothing …
        (10, 10, 0.025 ** (1 / 10), 1.0),  # … and at everything
        (5, 10, 0.187086, 0.812914),
        (1, 50, 0.000506, 0.106470),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_exact_interval_is_clopper_and_pearsons(count: int, n: int, low: float, high: float) -> None:
    assert exact_interval(count, n) == pytest.approx((low, high), abs=1e-5)


def test_the_one_sided_bound_of_nothing_wrong_has_its_closed_form_also_for_many() -> None:
    assert upper_bound(0, 149) == pytest.approx(1 - 0.05 ** (1 / 149), abs=1e-9)
    assert upper_bound(0, 5_000) == pytest.approx(1 - 0.05 ** (1 / 5_000), abs=1e-9)
    assert upper_bound(3, 3) == 1.0


def test_every_draw_counts_as_many_cases_as_there_are() -> None:
    drawn = draws(7)
    assert drawn.shape == (RESAMPLES, 7) and set(drawn.sum(axis=1)) == {7}


def test_a_mean_lies_within_its_interval_which_is_the_same_each_time() -> None:
    values = [0, 1, 1, 1, 0, 1, 0, 1, 1, 1] * 10
    first, again = mean(values), mean(list(values))
    assert first == again and first is not None
    assert first.value == 0.7 and first.n == 100
    # The normal approximation gives 0.61 to 0.79.
    assert first.low == pytest.approx(0.61, abs=0.015) and first.high == pytest.approx(0.79, abs=0.015)


def test_there_is_no_mean_of_nothing_and_no_width_to_what_never_varies() -> None:
    assert mean([]) is None
    (constant,) = means([[2.0]] * 5)
    assert (constant.value, constant.low, constant.high) == (2.0, 2.0, 2.0)


def test_a_quantile_is_linear_between_two_values() -> None:
    assert quantile([10, 20, 30, 40], 0.5).value == 25.0
    assert quantile([7.0], 0.95).high == 7.0
