"""Income years as a list is narrowed by them: from the day after one balance day to the next. Named by their last day.

balance_month: the month the accounting period ends in, 1 to 12; 6 is the ordinary 30 June.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from clients.rules.entity import year_ends

JUNE = 6


def year_of(ends_in: int, balance_month: int = JUNE) -> tuple[date, date]:
    """The first and last day of the year that ends in this calendar year. Raises ValueError outside 1901 to 9999."""
    if ends_in < 1901:
        raise ValueError("Income years are counted from 1901.")
    return _last_day(ends_in - 1, balance_month) + timedelta(days=1), _last_day(ends_in, balance_month)


def ends_in(day: date, balance_month: int = JUNE) -> int:
    """The calendar year in which the year that this day falls in ends."""
    return day.year + (day.month > balance_month)


def year_words(ends_in: int, balance_month: int = JUNE) -> str:
    """ "FY2026"; with another balance day than 30 June, "Year to 31 December 2026"."""
    return f"FY{ends_in}" if balance_month == JUNE else f"Year to {year_ends(balance_month)} {ends_in}"


def _last_day(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])
