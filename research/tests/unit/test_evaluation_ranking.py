"""The ranking measures, against sums done by hand."""

from __future__ import annotations

from math import log2

import pytest

from research.evaluation.ranking import NAMES, scores

pytestmark = pytest.mark.unit


def measured(ranked: list[str], gold: list[str], also: list[str] | None = None) -> dict[str, float]:
    return dict(zip(NAMES, scores(ranked, gold, also or []), strict=True))


def test_a_hit_is_any_acceptable_provision_and_recall_is_of_the_gold() -> None:
    found = measured(["x", "b", "y", "a"], gold=["a", "c"], also=["b"])
    assert (found["hit@1"], found["hit@3"]) == (0.0, 1.0)
    assert (found["recall@3"], found["recall@5"], found["recall@50"]) == (0.0, 0.5, 0.5)
    assert found["MRR@10"] == 1 / 2


def test_the_gain_of_gold_is_twice_that_of_an_alternative() -> None:
    found = measured(["b", "x", "a"], gold=["a"], also=["b"])
    best = 2 / log2(2) + 1 / log2(3)
    assert found["nDCG@10"] == pytest.approx((1 / log2(2) + 2 / log2(4)) / best)
    assert measured(["a", "b"], gold=["a"], also=["b"])["nDCG@10"] == 1.0


def test_a_provision_that_comes_again_takes_no_second_place() -> None:
    assert measured(["x", "x", "x", "a"], gold=["a"])["MRR@10"] == 1 / 2


def test_beyond_the_tenth_place_only_the_wide_measures_see_it() -> None:
    found = measured([f"x{at}" for at in range(10)] + ["a"], gold=["a"])
    assert (found["MRR@10"], found["nDCG@10"], found["hit@10"], found["hit@20"]) == (0.0, 0.0, 0.0, 1.0)


def test_nothing_ranked_is_a_miss_by_every_measure() -> None:
    assert set(scores([], ["a"])) == {0.0}
