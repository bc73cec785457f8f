"""The days that a reader asks for: an income year or one day, as it is typed, as it stands in an address, in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from research.law.income_year import IncomeYear
from research.law.provision import in_words
from research.terms import Window


@dataclass(frozen=True, slots=True)
class AsAt:
    """The days a provision is read at: an income year, or one day."""

    window: Window
    year: IncomeYear | None

    @property
    def value(self) -> str:
        """As it stands in an address: "FY2015" or "2015-06-22"."""
        return self.year.label if self.year else self.window.first.isoformat()

    @property
    def label(self) -> str:
        return self.year.label if self.year else in_words(self.window.first)

    @property
    def within(self) -> str:
        """ "in FY2015", "on 22 June 2015"."""
        return f"in {self.label}" if self.year else f"on {self.label}"


def as_at_of(text: str, default: IncomeYear | AsAt, asked_for: str = "as at") -> AsAt:
    """The days that `text` names: "FY2015", "2015" or "2015-06-22"; the default when empty.

    Raises ValueError, in words for the reader, for anything else; asked_for: what the field is called there.
    """
    text = text.strip()
    if not text:
        return default if isinstance(default, AsAt) else AsAt(Window.of_year(default), default)
    if match := re.fullmatch(r"(?:FY)?\s?(\d{4,6})", text, re.IGNORECASE):
        year = IncomeYear(int(match.group(1)))
        return AsAt(Window.of_year(year), year)
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise ValueError(
            f"{asked_for} is “{text[:40]}”; give an income year such as FY2015, or a day such as 2015-06-22"
        ) from error
    return AsAt(Window(day, day), None)
