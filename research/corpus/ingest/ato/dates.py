"""Days and income years as the ATO's pages print them.

Pure. "31 February 2025" is no day; a month's name alone is none either.
"""

from __future__ import annotations

import re
from datetime import date

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october")
MONTHS = {name: number for number, name in enumerate((*_MONTHS, "november", "december"), start=1)}
_NAMES = "|".join(rf"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in MONTHS)
DATE = rf"\d{{1,2}}\s+(?:{_NAMES}|sept)\.?,?\s+\d{{4}}"
_PARTS = re.compile(rf"(\d{{1,2}})\s+({_NAMES}|sept)\.?,?\s+(\d{{4}})(?!\d)", re.IGNORECASE)


def days_in(text: str) -> list[date]:
    """The days that `text` names, in order; a date that no calendar has is none."""
    found = (_day(*match.groups()) for match in _PARTS.finditer(text))
    return [day for day in found if day is not None]


def first_day_in(text: str) -> date | None:
    return next(iter(days_in(text)), None)


def _day(day: str, month: str, year: str) -> date | None:
    number = next(number for name, number in MONTHS.items() if name.startswith(month.lower()[:3]))
    try:
        return date(int(year), number, int(day))
    except ValueError:
        return None
