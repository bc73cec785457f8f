"""How a provision is named, and how the days on which its words were in force are said.

How those days are worked out from the compilations held is the import's business.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from research.law.identity import shown_code

# How the days of a wording are known, as it is said on the page; keys are the design's `dating` values.
DATING_WORDS = {
    "register": "dated by its publisher",
    "endnote": "dated by an endnote",
    "commencement": "dated by its commencement",
    "inferred": "same words in both compilations",
    "unknown": "read from one compilation",
}


def place_of(section: str, schedule: str) -> str:
    """ "s 8-1", "sch 1 s 12-35"; a part of a schedule that has no sections is named as it is: "Sch 7 Pt I"."""
    if section.startswith("Sch "):
        return section
    return f"sch {schedule} s {section}" if schedule else f"s {section}"


ALWAYS = date(1901, 1, 1)  # a start that stands for none: the first day of the Commonwealth

_RULING = re.compile(r"[A-Z]{1,6}(?: [A-Z]{2})? (?:\d{2,4}/)?[D]?\d{1,5}[A-Z0-9]{0,3}")


def authority_of(code: str, section: str, schedule: str, title: str = "") -> str:
    """How a provision is cited: "ITAA97 s 8-1", "TR 2008/1 at [12]", "KB-7, Who signs", "Harbour Dues Act 1999 s 5-1".

    A paragraph of a ruling is cited by its printed number. What is no number of a section or a paragraph names itself.
    title: stands for a code that is only a title made small ("harbour-dues-act-1999").
    """
    shown = shown_code(code)
    if title and shown == code and code.islower():
        return f"{title} {place_of(section, schedule)}"
    if _RULING.fullmatch(shown):
        return f"{shown} at [{section}]" if section.isdecimal() else f"{shown}, {section}"
    return f"{shown}, {section}" if shown != code else f"{shown} {place_of(section, schedule)}"


def in_words(day: date) -> str:
    """ "22 June 2015", as dates are written on every page."""
    return f"{day.day} {day:%B} {day.year}"


def describe_range(certain_from: date, certain_to: date | None, dating: str) -> str:
    """ "in force at least 22 June 2015 – 1 January 2024 · same words in both compilations".

    certain_to: half-open, as everywhere; the last day that is certain is the one shown. None: no end known.
    """
    days = describe_days(certain_from, certain_to)
    is_one_day = certain_to is not None and certain_to - certain_from == timedelta(days=1)
    return days if is_one_day else f"{days} · {DATING_WORDS.get(dating, dating)}"


def describe_days(certain_from: date, certain_to: date | None) -> str:
    """The same without how it is known, where there is no room for that."""
    if certain_from == ALWAYS:
        return "applies at any time" + (f" up to {in_words(certain_to - timedelta(days=1))}" if certain_to else "")
    if certain_to is None:
        return f"in force since at least {in_words(certain_from)}"
    last = certain_to - timedelta(days=1)
    if last <= certain_from:
        return f"in force on {in_words(certain_from)}, the date of its compilation"
    return f"in force at least {in_words(certain_from)} – {in_words(last)}"
