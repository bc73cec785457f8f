"""The amendment history of a provision in words."""

from __future__ import annotations

from datetime import date

import pytest

from research.corpus.queries import AmendmentLine
from research.presentation.history import history_of

pytestmark = pytest.mark.unit


def event(effect: str = "am", days: tuple[date, ...] = (), unresolved: str = "", **changed: object) -> AmendmentLine:
    values = {"act": "No 66, 2003", "assent": None, "is_applied": True, **changed}
    return AmendmentLine(effect=effect, days=days, unresolved=unresolved, **values)  # type: ignore[arg-type]


JULY_2003, JULY_2015 = date(2003, 7, 1), date(2015, 7, 1)


@pytest.mark.parametrize(
    ("amendment", "says"),
    [
        (event(days=(JULY_2003,)), "Amended by No 66, 2003, commenced 1 July 2003"),
        (event("ad", (JULY_2003,)), "Added by No 66, 2003, commenced 1 July 2003"),
        (event("rs", (JULY_2003,)), "Repealed and substituted by No 66, 2003, commenced 1 July 2003"),
        (event("rep", (JULY_2003,)), "Repealed by No 66, 2003, commenced 1 July 2003"),
        (event("began", (JULY_2003,)), "Began with the Act as made, commenced 1 July 2003"),
        (event("ed", (JULY_2003,), act="C95"), "Changed editorially by C95, commenced 1 July 2003"),
        (
            event(days=(JULY_2003, JULY_2015)),
            "Amended by No 66, 2003, commenced 1 July 2003 or 1 July 2015",
        ),
        (event(), "Amended by No 66, 2003, commencement not settled"),
        (
            event(days=(JULY_2015,), assent=date(2015, 8, 20)),
            "Amended by No 66, 2003, commenced 1 July 2015, before its assent on 20 August 2015",
        ),
        (event(days=(JULY_2015,), assent=JULY_2015), "Amended by No 66, 2003, commenced 1 July 2015"),
        (event("xyz", (JULY_2003,)), "xyz by No 66, 2003, commenced 1 July 2003"),
    ],
)
def test_an_event_is_one_sentence(amendment: AmendmentLine, says: str) -> None:
    assert [line.says for line in history_of((amendment,))] == [says]


def test_what_is_open_keeps_its_words_as_published() -> None:
    (line,) = history_of((event(unresolved="a day to be fixed by Proclamation."),))
    assert (line.is_open, line.note) == (True, "What is known of its commencement: a day to be fixed by Proclamation.")


def test_what_has_not_commenced_is_said_not_to_be_in_the_text() -> None:
    (line,) = history_of((event(days=(JULY_2015,), is_applied=False),))
    assert not line.is_applied and line.note.startswith("Not in this text")


def test_the_order_is_the_endnotes_own() -> None:
    later, earlier = event(days=(JULY_2015,)), event(days=(JULY_2003,))
    assert [line.says[-4:] for line in history_of((later, earlier))] == ["2015", "2003"]


def test_where_the_amending_act_says_from_when_it_applies_is_shown_as_not_read() -> None:
    amendment = AmendmentLine("am", "No 12, 2016", (date(2016, 7, 1),), "", None, True, "Sch 1 (item 9)")
    (line,) = history_of((amendment,))
    assert line.note == (
        "From when it applies is said in Sch 1 (item 9) of that Act, which is not read here: "
        "what has commenced may not yet apply."
    )
