from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asat_site.testing.passages import section
from research.law.income_year import IncomeYear
from research.retrieval.time_filter import (
    NO_END_DAY,
    DayBounds,
    OutOfPeriod,
    assert_in_window,
    day_bounds,
    day_number,
    is_certain,
    meets,
)
from research.terms import Window

FY2016 = Window.of_year(IncomeYear(2016))
DAYS = st.dates(date(1990, 1, 1), date(2030, 12, 31))


def test_days_are_counted_from_1970() -> None:
    assert [day_number(day) for day in (date(1970, 1, 1), date(1970, 1, 2), date(1969, 12, 31))] == [0, 1, -1]


def test_an_income_year_gives_its_first_and_its_last_day() -> None:
    assert day_bounds(FY2016) == DayBounds(day_number(date(2015, 7, 1)), day_number(date(2016, 6, 30)))


def test_a_window_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValueError, match="give a last day on or after the first"):
        day_bounds(Window(date(2016, 7, 1), date(2016, 6, 30)))


@pytest.mark.parametrize(
    ("starts", "ends", "expected"),
    [
        (date(2015, 7, 1), date(2016, 7, 1), True),
        (date(2010, 1, 1), None, True),
        (date(2010, 1, 1), date(2015, 7, 1), False),  # ended the day before the year
        (date(2010, 1, 1), date(2015, 7, 2), True),  # its last day is the year's first
        (date(2016, 6, 30), None, True),  # began on the year's last day
        (date(2016, 7, 1), None, False),
        (date(2016, 1, 1), date(2016, 1, 1), False),  # in force on no day at all
        (date(2016, 1, 1), date(2016, 1, 2), True),
    ],
)
def test_a_passage_is_certain_when_one_day_of_the_year_is(starts: date, ends: date | None, expected: bool) -> None:
    (passage,) = section("1-1", "Heading", "Words of the law.", certain=(starts, ends))
    assert is_certain(passage, FY2016) is expected


@given(DAYS, st.none() | DAYS, DAYS, st.integers(0, 800))
def test_it_is_certain_exactly_when_some_day_of_the_window_lies_in_its_range(
    starts: date, ends: date | None, first: date, length: int
) -> None:
    (passage,) = section("1-1", "Heading", "Words of the law.", certain=(starts, ends))
    window = Window(first, first + timedelta(days=length))
    days = (first + timedelta(days=n) for n in range(length + 1))
    assert is_certain(passage, window) is any(starts <= day and (ends is None or day < ends) for day in days)


def test_no_end_known_lies_beyond_every_day_that_can_be_asked_about() -> None:
    assert day_number(date.max) < NO_END_DAY
    assert meets(0, NO_END_DAY, DayBounds(day_number(date.max), day_number(date.max)))


def test_a_passage_outside_the_window_is_a_defect_that_names_it() -> None:
    inside = section("1-1", "Heading", "Words of the law.")
    outside = section("1-2", "Heading", "Later words.", certain=(date(2016, 7, 1), None))
    assert_in_window(inside, FY2016)
    with pytest.raises(
        OutOfPeriod, match=r"OLA20 s 1-2 .* certain from 2016-07-01 to no end known, outside 2015-07-01"
    ):
        assert_in_window([*inside, *outside], FY2016)
