"""A substituted accounting period: its days, and the year that a question for such a client is asked in."""

from __future__ import annotations

from datetime import date

import pytest

from research.law.income_year import IncomeYear, accounting_period, income_year_of
from research.question.resolve import describe_reading, resolve
from research.question.year_because import year_because
from research.terms import ResolvedTime, Window

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("month", "first", "last"),
    [
        (6, date(2018, 7, 1), date(2019, 6, 30)),
        (9, date(2018, 10, 1), date(2019, 9, 30)),  # a late balancer, in lieu of the 30 June before
        (11, date(2018, 12, 1), date(2019, 11, 30)),
        (12, date(2018, 1, 1), date(2018, 12, 31)),  # an early one, in lieu of the 30 June after
        (2, date(2018, 3, 1), date(2019, 2, 28)),
        (5, date(2018, 6, 1), date(2019, 5, 31)),
    ],
)
def test_the_period_that_stands_for_a_year(month: int, first: date, last: date) -> None:
    assert accounting_period(IncomeYear(2019), month) == (first, last)


@pytest.mark.parametrize("month", range(1, 13))
def test_each_of_its_days_falls_in_that_year_and_the_days_beside_it_do_not(month: int) -> None:
    first, last = accounting_period(IncomeYear(2020), month)
    assert income_year_of(first, month) == income_year_of(last, month) == IncomeYear(2020)
    assert (last - first).days == (365 if first <= date(2020, 2, 29) <= last else 364)
    assert income_year_of(date.fromordinal(last.toordinal() + 1), month) == IncomeYear(2021)


@pytest.mark.parametrize("month", [0, 13])
def test_no_month_is_refused(month: int) -> None:
    with pytest.raises(ValueError, match="balance_month"):
        accounting_period(IncomeYear(2020), month)


def resolved(question: str, year: int | None, month: int) -> ResolvedTime:
    found = resolve(question, IncomeYear(year) if year else None, TODAY, balance_month=month)
    assert isinstance(found, ResolvedTime)
    return found


def test_the_year_field_is_read_as_the_clients_own_year() -> None:
    time = resolved("Can it deduct travel?", 2019, 9)
    assert time == ResolvedTime(Window(date(2018, 10, 1), date(2019, 9, 30)), IncomeYear(2019), "field")
    assert year_because(time) == (
        "FY2019, ending 30 September 2019: the year field names it, and the client’s income year ends then. "
        "The question names no time."
    )
    assert describe_reading(time) == "FY2019 (1 October 2018 – 30 September 2019), from the year field"


def test_words_are_read_as_they_stand_and_today_falls_in_the_clients_year() -> None:
    assert resolved("Travel in FY2019?", 2020, 9).window == Window.of_year(IncomeYear(2019))
    assert resolved("Travel?", None, 9).year == IncomeYear(2027)
    assert resolved("Travel?", None, 12).year == IncomeYear(2027)
    assert resolved("Travel?", None, 11).year == IncomeYear(2026)
    assert resolved("Travel?", 2019, 6).window == Window.of_year(IncomeYear(2019))
