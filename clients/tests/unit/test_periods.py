"""Income years by their balance day: where they begin and end, which one a day falls in, and what they are called."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.rules.periods import ends_in, year_of, year_words


@pytest.mark.parametrize(
    ("year", "month", "first", "last"),
    [
        (2026, 6, date(2025, 7, 1), date(2026, 6, 30)),
        (2026, 12, date(2026, 1, 1), date(2026, 12, 31)),
        (2024, 2, date(2023, 3, 1), date(2024, 2, 29)),
        (2025, 2, date(2024, 3, 1), date(2025, 2, 28)),
        (1901, 6, date(1900, 7, 1), date(1901, 6, 30)),
    ],
)
def test_a_year_goes_from_the_day_after_one_balance_day_to_the_next(
    year: int, month: int, first: date, last: date
) -> None:
    assert year_of(year, month) == (first, last)
    assert ends_in(first, month) == ends_in(last, month) == year


def test_years_before_1901_are_none() -> None:
    with pytest.raises(ValueError, match="from 1901"):
        year_of(1900)


@given(st.dates(date(1902, 1, 1), date(2200, 1, 1)), st.integers(1, 12))
def test_every_day_is_in_one_year(day: date, month: int) -> None:
    first, last = year_of(ends_in(day, month), month)
    assert first <= day <= last and (last - first).days in (364, 365)
    assert year_of(ends_in(day, month) + 1, month)[0] == last + timedelta(days=1)


def test_years_are_called_by_their_last_day() -> None:
    assert year_words(2026) == "FY2026"
    assert year_words(2026, 12) == "Year to 31 December 2026"
