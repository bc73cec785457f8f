"""A replay in words, as the law is known now and as it was known then."""

from __future__ import annotations

import pytest

from research.audit.replay import DIVERGED, NOT_REPLAYED, REPRODUCED, SUPERSEDED, Replay
from research.presentation.replayed import replayed_view
from research.tests.unit.test_answer_view import outcome
from research.tests.unit.test_sides import CHANGED

pytestmark = pytest.mark.unit

DAY = "30 November 2026"


@pytest.mark.parametrize("verdict", [REPRODUCED, SUPERSEDED, DIVERGED, NOT_REPLAYED])
def test_a_replay_as_known_then_says_so_whatever_comes_of_it(verdict: str) -> None:
    now, then = (replayed_view(outcome(), outcome(), Replay(verdict), known_at) for known_at in ("", DAY))
    assert then.title == f"{now.title}, as known on {DAY}" and then.tone == now.tone


def test_the_same_answer_out_of_the_law_as_it_was_known_is_told_from_that_of_today() -> None:
    assert replayed_view(outcome(), outcome(), Replay(REPRODUCED), DAY).says == (
        "The law as it was known when this was recorded gives the same answer."
    )
    assert "same law, index and settings" in replayed_view(outcome(), outcome(), Replay(REPRODUCED)).says


def test_two_results_that_differ_are_shown_side_by_side_each_named() -> None:
    moved = Replay(SUPERSEDED, ("Compilation added: HLA01 2024-01-01.",), ("The decision was answer.",))
    view = replayed_view(CHANGED, outcome(), moved, DAY)
    assert [side.title for side in view.sides] == ["As recorded", f"As known on {DAY}"]
    assert [len(side.answer.sides) for side in view.sides] == [2, 0]
    assert view.says.endswith("The result differs.")
