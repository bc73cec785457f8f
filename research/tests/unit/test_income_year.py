"""The calendar: income years, their days, and substituted accounting periods."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.law.income_year import FIRST_YEAR, LAST_YEAR, IncomeYear, income_year_of

pytestmark = pytest.mark.unit

DAYS = st.dates(date(1917, 1, 1), date(2099, 12, 31))


def test_an_income_year_is_named_for_the_year_it_ends_in() -> None:
    year = IncomeYear(2020)
    assert (year.starts, year.ends) == (date(2019, 7, 1), date(2020, 6, 30))
    assert (year.label, year.span, str(year)) == ("FY2020", "2019–20", "FY2020")


@pytest.mark.parametrize(("year", "span"), [(2000, "1999–00"), (2001, "2000–01"), (2010, "2009–10"), (1916, "1915–16")])
def test_the_span_has_two_digits_at_the_end(year: int, span: str) -> None:
    assert IncomeYear(year).span == span


@pytest.mark.parametrize("year", [FIRST_YEAR - 1, LAST_YEAR + 1, 0, -1, 20, 99999])
def test_a_year_outside_the_calendar_is_refused_by_name(year: int) -> None:
    with pytest.raises(ValueError, match=str(year)):
        IncomeYear(year)


def test_income_years_are_ordered() -> None:
    assert IncomeYear(2019) < IncomeYear(2020) <= IncomeYear(2020)
    assert max(IncomeYear(2015), IncomeYear(2009)) == IncomeYear(2015)


@pytest.mark.parametrize(
    ("day", "balance_month", "year"),
    [
        (date(2019, 6, 30), 6, 2019),
        (date(2019, 7, 1), 6, 2020),
        (date(2020, 2, 29), 6, 2020),  # a leap day
        (date(2020, 6, 30), 6, 2020),
        (date(2019, 12, 31), 12, 2020),  # December balancer, in lieu of the following 30 June
        (date(2020, 1, 1), 12, 2021),
        (date(2020, 3, 31), 3, 2020),
        (date(2020, 4, 1), 3, 2021),
        (date(2020, 5, 31), 5, 2020),
        (date(2020, 9, 30), 9, 2020),  # late balancer, in lieu of the 30 June before
        (date(2020, 10, 1), 9, 2021),
        (date(2020, 7, 31), 7, 2020),
        (date(2020, 11, 30), 11, 2020),
        (date(2020, 12, 1), 11, 2021),
    ],
)
def test_a_substituted_accounting_period_takes_the_place_of_an_income_year(
    day: date, balance_month: int, year: int
) -> None:
    assert income_year_of(day, balance_month) == IncomeYear(year)


@pytest.mark.parametrize("month", [0, 13, -6])
def test_a_month_that_is_none_is_refused(month: int) -> None:
    with pytest.raises(ValueError, match="balance_month"):
        income_year_of(date(2020, 1, 1), month)


@given(DAYS)
def test_every_day_lies_in_its_own_income_year_and_in_no_other(day: date) -> None:
    year = income_year_of(day)
    assert year.starts <= day <= year.ends
    assert year.starts == IncomeYear(year.year - 1).ends + timedelta(days=1)
    assert (year.ends - year.starts).days + 1 in (365, 366)


@given(DAYS, st.integers(1, 12))
def test_the_year_never_steps_back_as_days_go_by_and_is_within_a_year_of_the_ordinary_one(
    day: date, month: int
) -> None:
    today, tomorrow = income_year_of(day, month), income_year_of(day + timedelta(days=1), month)
    assert tomorrow.year - today.year in (0, 1)
    assert abs(today.year - income_year_of(day).year) <= 1
