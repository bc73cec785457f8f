"""What fixed the time that an answer is for, in one sentence."""

from __future__ import annotations

import re
from datetime import date, timedelta

from research.law.income_year import IncomeYear
from research.law.provision import in_words
from research.terms import ResolvedTime, Window

_CALENDAR_YEAR = re.compile(r"(?:\w+\s+){0,3}[0-9]{4}", re.IGNORECASE)
_NAMES_A_YEAR = re.compile(r"year|return|fy|fbt|tax\s+time", re.IGNORECASE)
_SEVERAL = " … "


def year_because(time: ResolvedTime) -> str:
    """Why this time: what was read, or what stood in for it, and how an unusual form was taken."""
    window, year = time.window, time.year
    if time.source == "field" and window != Window.of_year(year):
        ends = in_words(window.last)
        return (
            f"{year.label}, ending {ends}: the year field names it, and the client’s income year ends then. "
            "The question names no time."
        )
    if time.source == "field":
        return f"{year.label}, because the year field says so and the question names no time."
    if time.source == "today":
        return f"{year.label}, today’s year, because the question names none."
    said = f"“{time.read_from}”"
    if window == Window.of_year(year):
        if _SEVERAL in time.read_from:
            return f"{year.label}, the one year that holds all the days named: {said}."
        if _CALENDAR_YEAR.fullmatch(time.read_from) and not _NAMES_A_YEAR.search(time.read_from):
            return f"{year.label}, the income year that ends in the calendar year named: {said}."
        return f"{year.label}, read from the words {said}."
    if window.is_one_day:
        return f"{in_words(window.first)}, the day named: {said}. It falls in {year.label}."
    return _of_other_days(window, year, said)


def _of_other_days(window: Window, year: IncomeYear, said: str) -> str:
    days = f"{in_words(window.first)} – {in_words(window.last)}"
    is_twelve_months = _a_year_before(window.last + timedelta(days=1)) == window.first
    if is_twelve_months and (window.last.month, window.last.day) == (3, 31) and "fbt" in said.lower():
        return f"{days}, the FBT year read from {said}."
    if is_twelve_months:
        return f"{days}, a substituted accounting period read from {said}: it stands for {year.label}."
    return f"{days}, the days named: {said}. They fall in {year.label}."


def _a_year_before(day: date) -> date:
    return day.replace(year=day.year - 1, day=28 if (day.month, day.day) == (2, 29) else day.day)
