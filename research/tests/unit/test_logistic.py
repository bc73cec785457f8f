"""A fitted regression: its probability by hand, and the name that its numbers have."""

from __future__ import annotations

import math

import pytest

from research.logistic import Weights

pytestmark = pytest.mark.unit

WEIGHTS = Weights(-1.0, {"near": 2.0, "far": -0.5}, "by hand")


def test_the_probability_is_that_of_the_weighted_sum() -> None:
    assert WEIGHTS.probability({"near": 1.0, "far": 2.0, "unused": 9.0}) == pytest.approx(0.5)
    assert WEIGHTS.probability({"near": 1.0, "far": 0.0}) == pytest.approx(1 / (1 + math.exp(-1)))


def test_extremes_are_numbers_still() -> None:
    assert 0.0 < WEIGHTS.probability({"near": -1e9, "far": 0.0}) < 1e-9
    assert 1 - 1e-9 < WEIGHTS.probability({"near": 1e9, "far": 0.0}) <= 1.0


def test_a_feature_that_is_missing_is_an_error_and_never_nought() -> None:
    with pytest.raises(KeyError, match="far"):
        WEIGHTS.probability({"near": 1.0})


def test_the_digest_names_the_numbers_and_not_their_story() -> None:
    assert WEIGHTS.digest == Weights(-1.0, {"far": -0.5, "near": 2.0}, "elsewhere").digest
    assert WEIGHTS.digest != Weights(-1.0, {"near": 2.0, "far": -0.6}, "by hand").digest
    assert len(WEIGHTS.digest) == 12
