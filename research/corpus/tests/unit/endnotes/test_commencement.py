"""Dates and commencement cells, as they are published."""

from __future__ import annotations

from datetime import date

import pytest

from research.corpus.ingest.endnotes.commencement import Rule, read_commencement
from research.corpus.ingest.endnotes.dates import day_of, days_in

D = date
ASSENT = D(2012, 6, 28)

DATES = [
    ("14 Dec 1988", D(1988, 12, 14)),
    ("1 July 2012", D(2012, 7, 1)),
    ("1\u00a0July\u00a02012", D(2012, 7, 1)),
    ("9 Sept 2011.", D(2011, 9, 9)),
    ("29 February 2012", D(2012, 2, 29)),
    ("31 February 2025", None),  # 69
    ("July 2012", None),
    ("the day after 1 July 2012", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "wanted"), DATES)
def test_a_date_is_a_day_that_exists_and_nothing_else(text: str, wanted: date | None) -> None:
    assert day_of(text) == wanted


def test_dates_are_found_among_words() -> None:
    assert days_in("28 June 2012 (F2012L01234), 31 June 2012, 1 Jul 2013") == [D(2012, 6, 28), D(2013, 7, 1)]


CELLS: list[tuple[str, list[Rule]]] = [
    ("14 Dec 1988", [Rule("", D(1988, 12, 14))]),
    ("Royal Assent", [Rule("", ASSENT)]),
    ("Sch 1 (items 1–12): 1 July 2012 (s 2(1) item 3)", [Rule("Sch 1 (items 1–12)", D(2012, 7, 1))]),
    ("Sch 1: 1 July 2012\nSch 2: 1 Jan 2013", [Rule("Sch 1", D(2012, 7, 1)), Rule("Sch 2", D(2013, 1, 1))]),
    ("Sch 1: 1 July 2012; Remainder: Royal Assent", [Rule("Sch 1", D(2012, 7, 1)), Rule("Remainder", ASSENT)]),
    ("Sch 1 (items 1–4):\n1 July 2012\n(s 2(1) item 3)", [Rule("Sch 1 (items 1–4)", D(2012, 7, 1))]),
    ("Sch 1 (s 2(1) item 2; item 3): 1 July 2012", [Rule("Sch 1 (s 2(1) item 2; item 3)", D(2012, 7, 1))]),
    ("Sch 1: 1 July 2012 (s 2(1) item 2) Sch 2: 1 Jan 2013",
     [Rule("Sch 1", D(2012, 7, 1)), Rule("Sch 2", D(2013, 1, 1))]),
    ("ss 1, 2: Royal Assent Remainder: 1 July 1997", [Rule("ss 1, 2", ASSENT), Rule("Remainder", D(1997, 7, 1))]),
    ("1 Aug 2007 (see F2007L01114)", [Rule("", D(2007, 8, 1))]),
    ("(see F2007L01114)", [Rule("", None, "(see F2007L01114)")]),
    ("immediately after the commencement of Schedule 1 to the Ferries Act 2011",  # 59
     [Rule("", None, "immediately after the commencement of Schedule 1 to the Ferries Act 2011")]),
    ("the day after the end of 6 months from 1 July 2012",
     [Rule("", None, "the day after the end of 6 months from 1 July 2012")]),
    ("1 July 2012 and 1 July 2013", [Rule("", None, "1 July 2012 and 1 July 2013")]),
    ("7.30 pm, by legal time in the Australian Capital Territory, on 12 May 2015", [Rule("", D(2015, 5, 12))]),
    ("Sch 3: awaiting commencement", [Rule("Sch 3", None, "awaiting commencement", is_void=True)]),
    ("Sch 3: never commenced (s 2(1) item 9)",
     [Rule("Sch 3", None, "never commenced (s 2(1) item 9)", is_void=True)]),
    ("(a)", [Rule("", None, "(a)")]),
    ("Royal Assent (a)", [Rule("", None, "Royal Assent (a)")]),  # the note may except some sections
    ("14 Dec 1988 (b)", [Rule("", None, "14 Dec 1988 (b)")]),
    ("1 July 2012 (s 2(1)(a))", [Rule("", D(2012, 7, 1))]),
    ("31 February 2025", [Rule("", None, "31 February 2025")]),
    ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "wanted"), CELLS)
def test_a_commencement_cell(cell: str, wanted: list[Rule]) -> None:
    assert list(read_commencement(cell, ASSENT)) == wanted


def test_royal_assent_without_its_day_is_not_resolved() -> None:
    assert read_commencement("Sch 1: Royal Assent", None) == (Rule("Sch 1", None, "Royal Assent"),)
