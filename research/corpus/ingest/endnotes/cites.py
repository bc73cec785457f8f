"""Acts and instruments as endnotes cite them: "No 66, 2003", "Nos 17, 65 and 80, 1940", "SLI No 78, 2015".

Pure. Number and year alone do not name a law: Acts, Statutory Rules and Select Legislative Instruments count apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SERIES = r"(?:(?P<{0}>Act|SR|SLI|Statutory\s+Rules?|Select\s+Legislative\s+Instruments?)\b\.?,?\s*)?"
_NUMBERS = r"(?P<{0}>\d{{1,3}}(?!\d)(?:\s*(?:,|and|&)\s*(?:Nos?\.?\s*)?\d{{1,3}}(?!\d))*)"
_YEAR = r"(?P<{0}>(?:18|19|20)\d\d)(?!\d)"
_FIRST = (
    rf"{_SERIES.format('series')}(?:\bNos?\.?\s*|(?<![\w.(-])){_NUMBERS.format('numbers')}\s*,\s*{_YEAR.format('year')}"
)
_YEAR_FIRST = (
    rf"{_SERIES.format('series2')}(?<!\d){_YEAR.format('year2')},?\s*\bNos?\.?\s*{_NUMBERS.format('numbers2')}"
)
CITE = re.compile(rf"{_FIRST}|{_YEAR_FIRST}|(?P<register_id>\b[FC]\d{{4}}[A-Z]\d{{5}}\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cite:
    """One law as cited. series: "" (an Act, or not stated), "SR" or "SLI". register_id: alone, if that is the cite."""

    number: int = 0
    year: int = 0
    series: str = ""
    register_id: str = ""

    def __str__(self) -> str:
        return self.register_id or f"{self.series} No {self.number}, {self.year}".strip()


def cites_of(found: re.Match[str]) -> list[Cite]:
    """The laws that a match of `CITE` names: several for "Nos 83 and 172, 1999"."""
    if found["register_id"]:
        return [Cite(register_id=found["register_id"].upper())]
    series = _series(found["series"] or found["series2"] or "")
    year = int(found["year"] or found["year2"])
    return [Cite(int(n), year, series) for n in re.findall(r"\d+", found["numbers"] or found["numbers2"])]


def cites_in(text: str) -> Iterator[Cite]:
    for found in CITE.finditer(text):
        yield from cites_of(found)


def _series(words: str) -> str:
    first = words.lower()[:2]
    return {"sr": "SR", "st": "SR", "sl": "SLI", "se": "SLI"}.get(first, "")
