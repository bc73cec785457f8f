"""What is told of a change: what changed and when, from which words to which, and nobody that they were wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from research.changes import Kind, LawChange, Touched
from research.presentation.law_changes import change_view, notice_of, summary_line

JULY = date(2025, 7, 1)
CHANGE = LawChange(
    kind=Kind.SUPERSEDED, provision_id=1, instrument="BELL01", instrument_title="Bell Keepers (Fictional) Act 2001",
    pin="sch1/1-2", schedule="1", section="1-2", heading="Ringing", cited_version=10, now_version=20,
    changed_from=JULY, changed_to=JULY, known_since=datetime(2025, 8, 1, tzinfo=UTC), as_at=JULY, same_version=11,
    answers=3, answer_ids=(),
)  # fmt: skip


@pytest.mark.parametrize(
    ("told", "notice", "summary"),
    [
        (Touched(0), "", "0 answers rest on words that have changed"),
        (
            Touched(3, 3, JULY),
            "3 of your answers rest on words that changed on 1 July 2025.",
            "3 answers rest on words that changed on 1 July 2025",
        ),
        (
            Touched(1, 1, JULY),
            "1 of your answers rests on words that changed on 1 July 2025.",
            "1 answer rests on words that changed on 1 July 2025",
        ),
        (
            Touched(1200, 1200),
            "1,200 of your answers rest on words that have changed.",
            "1,200 answers rest on words that have changed",
        ),
        (
            Touched(3, 2),
            "3 of your answers rest on words of which more is known now.",
            "3 answers rest on words of which more is known now",
        ),
    ],
)
def test_how_many_are_touched_is_one_line(told: Touched, notice: str, summary: str) -> None:
    assert notice_of(told) == notice
    assert summary_line(told) == summary


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (CHANGE, "The words changed on 1 July 2025, after the days asked about."),
        (
            replace(CHANGE, changed_from=date(2015, 6, 23)),
            "The words changed between 23 June 2015 and 1 July 2025, after the days asked about.",
        ),
        (replace(CHANGE, changed_from=None), "The words changed by 1 July 2025, after the days asked about."),
        (
            replace(CHANGE, kind=Kind.CEASED, now_version=None),
            "The words ceased to be law on 1 July 2025, and none took their place.",
        ),
    ],
)
def test_when_words_changed_is_a_day_or_between_two(change: LawChange, says: str) -> None:
    assert change_view(change, {}).says == says


@pytest.mark.parametrize("kind", Kind)
def test_nobody_is_told_that_an_answer_is_wrong(kind: Kind) -> None:
    view = change_view(replace(CHANGE, kind=kind), {})
    assert view.badge and view.says.endswith(".")
    for word in ("wrong", "error", "mistake", "incorrect", "invalid", "must", "should"):
        assert word not in (view.says + view.badge).lower()


@pytest.mark.parametrize(
    ("change", "address"),
    [
        (CHANGE, "as_at=2025-07-01&version=20&compare=11"),
        (replace(CHANGE, same_version=None), "as_at=2025-07-01&version=10&compare=20"),
        (replace(CHANGE, now_version=None), "as_at=2025-07-01&version=10"),
    ],
    ids=["from the words quoted to those that followed", "words that were never law", "no other words"],
)
def test_the_link_leads_from_which_words_to_which(change: LawChange, address: str) -> None:
    assert change_view(change, {}).compare == address


def test_answers_that_are_not_listed_are_counted() -> None:
    view = change_view(CHANGE, {})
    assert (view.count, view.more, view.authority) == ("3 answers", 3, "BELL01 sch 1 s 1-2")
