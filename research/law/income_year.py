"""Income years: the calendar that a question about the law is asked in."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import date, timedelta

FIRST_YEAR, LAST_YEAR = 1916, 2100  # the first Commonwealth income year; a bound that catches typing slips


@functools.total_ordering
@dataclass(frozen=True, slots=True)
class IncomeYear:
    """The year of income that ends on 30 June of `year`: IncomeYear(2020) is 1 July 2019 to 30 June 2020.

    Raises ValueError outside 1916 to 2100.
    Source: ITAA97 s 4-10(2).
    """

    year: int

    def __post_init__(self) -> None:
        if not FIRST_YEAR <= self.year <= LAST_YEAR:
            raise ValueError(
                f"income year is {self.year}; give a year from {FIRST_YEAR} to {LAST_YEAR}, the one it ends in"
            )

    @property
    def starts(self) -> date:
        return date(self.year - 1, 7, 1)

    @property
    def ends(self) -> date:
        """Its last day, itself included."""
        return date(self.year, 6, 30)

    @property
    def label(self) -> str:
        return f"FY{self.year}"

    @property
    def span(self) -> str:
        """Both years, "2019–20", as the Acts and the Commissioner write them."""
        return f"{self.year - 1}–{self.year % 100:02d}"

    def __lt__(self, other: IncomeYear) -> bool:
        return self.year < other.year

    def __str__(self) -> str:
        return self.label


def accounting_period(year: IncomeYear, balance_month: int = 6) -> tuple[date, date]:
    """The first and the last day of the accounting period that stands for `year`: that of income_year_of, read back.

    balance_month: month the period ends in, 1–12; 9 gives FY2019 as 1 October 2018 to 30 September 2019.
    Raises ValueError outside 1–12.
    Source: ITAA36 s 18 (substituted accounting periods).
    """
    if not 1 <= balance_month <= 12:
        raise ValueError(f"balance_month is {balance_month}; give a month from 1 to 12")
    ends_in = year.year - 1 if balance_month == 12 else year.year
    return _month_after(ends_in - 1, balance_month), _month_after(ends_in, balance_month) - timedelta(days=1)


def _month_after(year: int, month: int) -> date:
    return date(year + 1, 1, 1) if month == 12 else date(year, month + 1, 1)


def income_year_of(day: date, balance_month: int = 6) -> IncomeYear:
    """The income year that `day` falls in.

    balance_month: month the accounting period ends in, 1–12; 6 is the ordinary 30 June.
    A late balancer (July to November) takes the place of the 30 June before, an early balancer
    (December to May) that of the 30 June after.
    Raises ValueError outside 1–12.
    Source: ITAA97 s 4-10(2); ITAA36 s 18 (substituted accounting periods).
    """
    if not 1 <= balance_month <= 12:
        raise ValueError(f"balance_month is {balance_month}; give a month from 1 to 12")
    ends_in = day.year if day.month <= balance_month else day.year + 1
    return IncomeYear(ends_in + 1 if balance_month == 12 else ends_in)
