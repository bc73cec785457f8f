"""How far a value without an end is answered for: to the end of the year in which it was known, and no further."""

from __future__ import annotations

from datetime import date

import pytest

from research.figures.ledger import KNOWN_TO, Row, SetBy
from research.law.income_year import IncomeYear
from research.terms import Window

pytestmark = pytest.mark.unit


def row(starts: date, ends: date | None = None) -> Row:
    return Row("2", "percent", starts, ends, SetBy(text="An Act"), "a source", "high")


def test_an_open_end_is_no_promise_for_later_years() -> None:
    levy = row(date(2014, 7, 1))
    assert date(2027, 6, 30) == KNOWN_TO
    assert [levy.meets(Window.of_year(IncomeYear(year))) for year in (2014, 2015, 2027, 2028, 2040)] == [
        False,
        True,
        True,
        False,
        False,
    ]


def test_a_value_enacted_ahead_is_known_for_its_first_year() -> None:
    ahead = row(date(2027, 7, 1))
    assert [ahead.meets(Window.of_year(IncomeYear(year))) for year in (2027, 2028, 2029)] == [False, True, False]


def test_a_known_end_holds_whenever_it_is() -> None:
    assert row(date(2027, 7, 1), date(2030, 6, 30)).meets(Window.of_year(IncomeYear(2030)))
