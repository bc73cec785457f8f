"""How provisions are named and in-force ranges are said."""

from __future__ import annotations

from datetime import date

import pytest

from research.law.provision import DATING_WORDS, authority_of, describe_range, place_of
from research.terms import Dating

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("section", "schedule", "wanted"),
    [("8-1", "", "s 8-1"), ("12-35", "1", "sch 1 s 12-35"), ("Sch 7 Pt I", "7", "Sch 7 Pt I")],
)
def test_a_provision_is_named_with_its_schedule(section: str, schedule: str, wanted: str) -> None:
    assert place_of(section, schedule) == wanted


@pytest.mark.parametrize(
    ("certain_from", "certain_to", "dating", "words"),
    [
        (
            date(2015, 6, 22),
            date(2024, 1, 2),
            "inferred",
            "in force at least 22 June 2015 – 1 January 2024 · same words in both compilations",
        ),
        (date(2015, 6, 22), date(2015, 6, 23), "unknown", "in force on 22 June 2015, the date of its compilation"),
        (date(1901, 1, 1), None, "register", "applies at any time · dated by its publisher"),
        (
            date(1901, 1, 1),
            date(2019, 7, 1),
            "register",
            "applies at any time up to 30 June 2019 · dated by its publisher",
        ),
        (date(2015, 7, 1), None, "register", "in force since at least 1 July 2015 · dated by its publisher"),
        (
            date(2015, 7, 1),
            date(2016, 7, 1),
            "endnote",
            "in force at least 1 July 2015 – 30 June 2016 · dated by an endnote",
        ),
    ],
)
def test_a_range_is_described_by_its_last_certain_day(
    certain_from: date, certain_to: date | None, dating: str, words: str
) -> None:
    assert describe_range(certain_from, certain_to, dating) == words


def test_every_way_of_dating_has_words() -> None:
    assert set(DATING_WORDS) == {dating.value for dating in Dating}


@pytest.mark.parametrize(
    ("code", "section", "schedule", "title", "cited"),
    [
        ("ITAA97", "8-1", "", "Income Tax Assessment Act 1997", "ITAA97 s 8-1"),
        ("TAA53", "12-35", "1", "", "TAA53 sch 1 s 12-35"),
        ("harbour-dues-act-1999", "5-1", "", "Harbour Dues Act 1999", "Harbour Dues Act 1999 s 5-1"),
        ("harbour-dues-act-1999", "5-1", "", "", "harbour-dues-act-1999 s 5-1"),
        ("TR 2008/1", "12", "", "Income tax: berths", "TR 2008/1 at [12]"),
        ("PS LA 2001/8", "Summary", "", "", "PS LA 2001/8, Summary"),
        ("IT 2650", "3", "", "", "IT 2650 at [3]"),
        ("KB-7@0f3a9c21b7de", "Who signs", "", "Letters", "KB-7, Who signs"),
    ],
)
def test_a_provision_is_cited_as_its_kind_is(code: str, section: str, schedule: str, title: str, cited: str) -> None:
    assert authority_of(code, section, schedule, title) == cited
