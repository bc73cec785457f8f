"""The risk–coverage curve and its areas, against sums done by hand."""

from __future__ import annotations

import pytest

from research.evaluation.selective import answered_points, curve

pytestmark = pytest.mark.unit


def test_aurc_is_the_mean_of_the_selective_risks() -> None:
    # Surest first: right, wrong, right, wrong. Selective risks 0, 1/2, 1/3, 2/4.
    found = curve([1, 0, 1, 0], [0.2, 0.9, 0.7, 0.4])
    assert found is not None
    assert [risk for _, risk, _ in found.points] == pytest.approx([0, 1 / 2, 1 / 3, 1 / 2])
    assert found.aurc.value == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 2) / 4)


def test_augrc_is_the_area_under_what_is_accepted_and_wrong() -> None:
    # Generalised risks 0, 1/4, 1/4, 2/4 at coverage 1/4 … 1; trapezoids of width 1/4 from (0, 0):
    # (0 + 0)/2 + (0 + 1/4)/2 + (1/4 + 1/4)/2 + (1/4 + 2/4)/2 = 3/4, times 1/4.
    found = curve([1, 0, 1, 0], [0.2, 0.9, 0.7, 0.4])
    assert found is not None and found.augrc.value == pytest.approx(3 / 16)


@pytest.mark.parametrize("losses", [[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1], [1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 1, 1]])
def test_augrc_agrees_with_its_form_in_accuracy_and_auroc(losses: list[int]) -> None:
    right = [at for at, loss in enumerate(losses) if not loss]
    wrong = [at for at, loss in enumerate(losses) if loss]
    pairs = len(right) * len(wrong)
    auroc = sum(r < w for r in right for w in wrong) / pairs if pairs else 1.0
    accuracy = len(right) / len(losses)
    expected = (1 - auroc) * accuracy * (1 - accuracy) + (1 - accuracy) ** 2 / 2
    found = curve(losses, [0.9, 0.8, 0.7, 0.6])
    assert found is not None and found.augrc.value == pytest.approx(expected)


def test_cases_as_sure_as_each_other_share_their_loss_whatever_their_order() -> None:
    one, other = curve([1, 0, 0], [0.5, 0.5, 0.1]), curve([0, 1, 0], [0.5, 0.5, 0.1])
    assert one is not None and other is not None
    assert one.points == other.points
    assert [risk for _, risk, _ in one.points] == pytest.approx([1 / 2, 1 / 2, 1 / 3])
    assert one.aurc.value == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)


def test_a_case_without_a_confidence_comes_last() -> None:
    found = curve([1, 0], [None, 0.0])
    assert found is not None and [risk for _, risk, _ in found.points] == [0.0, 0.5]


def test_coverage_at_a_risk_is_the_largest_that_keeps_to_it() -> None:
    found = curve([0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])
    assert found is not None
    assert found.coverage_at(0.0) == 0.5 and found.coverage_at(0.25) == 1.0
    nothing = curve([1], [0.9])
    assert nothing is not None and nothing.coverage_at(0.5) == 0.0


def test_there_is_no_curve_of_nothing() -> None:
    assert curve([], []) is None


def test_answers_given_are_counted_against_all_that_were_wanted() -> None:
    assert answered_points([False, True], 4) == ((0.25, 0.0, 0.0), (0.5, 0.5, 0.25))
