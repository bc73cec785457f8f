"""Dates as endnotes write them: "14 Dec 1988", "1 July 2012", "9 Sept 2011", with any kind of space. Pure."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMES = (
    r"Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?"
)
DATE = rf"\d{{1,2}}\s+(?:{_NAMES})\.?,?\s+\d{{4}}"

_PARTS = re.compile(rf"(?<!\d)(\d{{1,2}})\s+({_NAMES})\.?,?\s+(\d{{4}})(?!\d)", re.IGNORECASE)


def day_of(text: str) -> date | None:
    """The date that `text` is, None if it is anything else or names a day that does not exist ("31 February 2025")."""
    found = _PARTS.fullmatch(text.strip().rstrip("."))
    return _date(found) if found else None


def days_in(text: str) -> list[date]:
    """Every date in `text`, in its order; days that do not exist are left out."""
    return [day for found in _PARTS.finditer(text) if (day := _date(found))]


def _date(found: re.Match[str]) -> date | None:
    day, month, year = int(found[1]), _MONTHS.index(found[2][:3].lower()) + 1, int(found[3])
    try:
        return date(year, month, day)
    except ValueError:
        return None
