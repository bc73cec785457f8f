"""The Status page's picture of the law held, and its lines about the law's sources."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest

from research.corpus.coverage import Coverage, ImportLine
from research.corpus.ingest.fetch.check import Checked
from research.corpus.register_check import RegisterLine
from research.law.income_year import IncomeYear
from research.presentation.coverage_picture import HEIGHT, WAYS, WIDEST, coverage_picture
from research.presentation.sources_read import file_line, register_line, register_lines
from research.presentation.status_page import register_in_one

pytestmark = pytest.mark.unit

YEARS = [IncomeYear(year) for year in range(2015, 2025)]
HELD = Coverage(
    "HLA01",
    "Harbour Levies Act 2001",
    {
        2014: {"unknown": 4},
        2015: {"register": 3, "unknown": 1},
        2016: {"register": 3, "unknown": 1},
        2017: {"endnote": 2},
    },
)
STEP = WIDEST  # ten years leave each as much room as it may have
RECT = re.compile(r"M(\d+) ([\d.]+)v-([\d.]+)h(\d+)v([\d.]+)z")


def test_years_that_are_alike_are_one_row_of_the_table() -> None:
    (row,) = coverage_picture([HELD], YEARS, {}).rows
    assert [(line.years, line.counts, line.total) for line in row.table] == [
        ("FY2015 – FY2016", ("3", "", "", "", "1"), "4"),
        ("FY2017", ("", "2", "", "", ""), "2"),
        ("FY2018 – FY2024", ("", "", "", "", ""), "0"),
    ]


def test_earlier_years_are_shown_where_something_is_dated_in_them_and_not_where_nothing_is() -> None:
    dated = Coverage("OLD", "Old Act", {1999: {"commencement": 1}, 1998: {"unknown": 1}})
    assert coverage_picture([HELD, dated], YEARS, {}).rows[0].table[0].years == "FY1999 – FY2013"
    assert coverage_picture([HELD], YEARS, {}).rows[0].table[0].years == "FY2015 – FY2016"


def test_the_bars_of_a_year_stand_on_one_another_and_none_is_drawn_outside() -> None:
    picture = coverage_picture([HELD], YEARS, {})
    (row,) = picture.rows
    drawn: dict[int, list[tuple[float, float]]] = {}
    for shape in row.shapes:
        assert RECT.sub("", shape.path) == "" and shape.way in WAYS
        for x, ground, tall, wide, again in RECT.findall(shape.path):
            assert tall == again and int(x) >= 0 and int(x) + int(wide) <= picture.width
            for year in range(int(x) // STEP, (int(x) + int(wide) + 1) // STEP):
                drawn.setdefault(year, []).append((float(ground), float(tall)))
    assert sorted(drawn) == [0, 1, 2]
    for bars in drawn.values():
        ground = float(HEIGHT)
        for start, tall in bars:
            assert start == ground
            ground -= tall
        assert ground >= 0


def test_one_provision_in_doubt_among_thousands_is_still_drawn() -> None:
    held = Coverage("HLA01", "Harbour Levies Act 2001", {2015: {"register": 4000, "unknown": 1}})
    assert [shape.way for shape in coverage_picture([held], YEARS, {}).rows[0].shapes] == ["register", "unknown"]


def test_who_does_not_see_the_picture_is_told_its_best_and_worst_year() -> None:
    (row,) = coverage_picture([HELD], YEARS, {}).rows
    assert row.says == "HLA01: 2 of 2 provisions dated in FY2017, the best year; 3 of 4 in FY2015, the least known"


def test_an_instrument_without_a_short_code_goes_by_its_title() -> None:
    unnamed = Coverage("harbour-rates-act-1999", "Harbour Rates Act 1999", {2015: {"register": 1}})
    assert coverage_picture([unnamed], YEARS, {}).rows[0].code == "Harbour Rates Act 1999"


def test_nothing_held_is_an_empty_picture() -> None:
    assert coverage_picture([], [], {}).rows == ()


def test_fifteen_acts_over_thirty_years_stay_light() -> None:
    full = {year: {way: 100 + year - 1990 + n for n, way in enumerate(WAYS)} for year in range(1998, 2028)}
    held = [Coverage(f"ACT{n}", "Act", full) for n in range(15)]
    picture = coverage_picture(held, [IncomeYear(2027)], {})
    assert sum(len(shape.path) for row in picture.rows for shape in row.shapes) < 40_000


ASKED = datetime(2026, 11, 29, 22, 5, tzinfo=UTC)  # 9:05 the next morning in Sydney


def check(**changed: Any) -> RegisterLine:
    values: dict[str, Any] = {
        "instrument": "HLA01",
        "title": "Harbour Levies Act 2001",
        "title_id": "C2004A00001",
        "outcome": Checked.FOUND,
        "message": "",
        "tried_at": ASKED,
        "found_at": ASKED,
        "newest_register_id": "H2026C12",
        "newest_number": "12",
        "newest_start": date(2026, 7, 1),
        "is_newer": False,
    }
    return RegisterLine(**(values | changed))


@pytest.mark.parametrize(
    ("changed", "state", "says"),
    [
        ({"outcome": Checked.NOT_CHECKED, "tried_at": None}, "unknown", "Not checked."),
        ({}, "ok", "the newest compilation is loaded."),
        (
            {"is_newer": True},
            "degraded",
            "a newer compilation, No 12 (H2026C12) from 1 July 2026, is published and not loaded.",
        ),
        (
            {"text_not_current_from": date(2026, 10, 1)},
            "degraded",
            "An amendment commenced on 1 October 2026, and the text that it makes is not published.",
        ),
        ({"outcome": Checked.ABSENT, "found_at": None}, "degraded", "not in the Register."),
        (
            {"outcome": Checked.NOT_CHECKED, "message": "the Register did not answer", "found_at": None},
            "unknown",
            "Could not be checked when tried 30 November 2026, 9:05 a.m.: the Register did not answer.",
        ),
        (
            {"outcome": Checked.NOT_CHECKED, "message": "the Register did not answer"},
            "unknown",
            "Last checked 30 November 2026, 9:05 a.m.: the newest compilation is loaded.",
        ),
    ],
)
def test_what_the_register_said_is_said_and_trouble_is_never_absence(
    changed: dict[str, Any], state: str, says: str
) -> None:
    line = register_line(check(**changed))
    assert line.state == state and line.says.endswith(says)


def test_instruments_never_asked_about_share_one_line() -> None:
    never = [check(instrument=code, outcome=Checked.NOT_CHECKED, tried_at=None) for code in ("A", "B")]
    assert [line.says for line in register_lines(never)] == [
        "The Register has not been asked about any instrument yet."
    ]
    assert [line.says for line in register_lines([check(), *never])][1] == "Not checked: A, B."


def test_an_instrument_whose_code_is_only_its_title_made_small_is_named_by_its_title() -> None:
    line = register_line(check(instrument="harbour-levies-act-2001"))
    assert line.code == "Harbour Levies Act 2001"


@pytest.mark.parametrize(
    ("outcome", "state", "word"),
    [("loaded", "ok", "Loaded"), ("unchanged", "ok", "Unchanged"), ("refused", "degraded", "Refused")],
)
def test_a_refused_file_keeps_its_reason(outcome: str, state: str, word: str) -> None:
    line = file_line(ImportLine(ASKED, "a.epub", outcome, "it is cut short", 1.0))
    assert (line.state, line.word, line.says) == (state, word, "it is cut short")


def test_an_instrument_that_the_register_does_not_have_is_not_called_newer() -> None:
    lines = register_lines([check(outcome=Checked.ABSENT, found_at=None), check(instrument="B", is_newer=True)])
    newer, absent = "Newer text, or text that is not current: B.", "Not in the Register under the number held: HLA01."
    assert register_in_one(lines).says == f"{newer} {absent}"
