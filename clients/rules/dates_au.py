"""Dates as Australian documents write them: a closed list of forms, and every reading of a date that has two.

03/02/2021 is 3 February by custom and 2 March on many a foreign invoice: both are given, and whoever asks decides by
what else is on the page. ISO dates have one reading. A form that is not in the list is no date.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<{}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?P<{}>(?:19|20)\d{{2}}|\d{{2}})"
_FORMS = (
    r"(?P<y1>(?:19|20)\d{2})-(?P<m1>\d{2})-(?P<d1>\d{2})",  # 2021-02-03
    rf"(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?[\s.\-/]*(?:of\s+)?{_MONTH.format('w2')}[\s.,\-/]*{_YEAR.format('y2')}",
    rf"{_MONTH.format('w3')}\s*(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<y3>(?:19|20)\d{{2}})",  # Feb 3, 2021
    rf"(?P<a4>\d{{1,2}})(?P<by>[/.\-])(?P<b4>\d{{1,2}})(?P=by){_YEAR.format('y4')}",  # 3/2/2021, 3.2.21, 3-2-2021
)
DATE = re.compile(rf"(?<![\w/.\-])(?:{'|'.join(_FORMS)})(?:(?=\d?\d:\d\d)|(?![\w/\-]|\.\d))", re.IGNORECASE)
DAY_AND_MONTH = re.compile(rf"(?<![\w/.\-])(?P<d>\d{{1,2}})[\s\-/]*{_MONTH.format('w')}(?![\w])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DateReading:
    """What a date may mean: day_first and month_first, the same where only one is possible. raw: as written."""

    raw: str
    day_first: date | None
    month_first: date | None

    @property
    def days(self) -> tuple[date, ...]:
        """Each possible day once, the Australian reading first."""
        both = [day for day in (self.day_first, self.month_first) if day is not None]
        return tuple(dict.fromkeys(both))


def find_dates(text: str) -> list[tuple[int, int, DateReading]]:
    """Every date in the text with the offsets it stands at, in order."""
    found = []
    for match in DATE.finditer(text):
        reading = _reading(match)
        if reading.days:
            found.append((match.start(), match.end(), reading))
    return found


def read_date(text: str) -> DateReading | None:
    """The reading of a text that is a date and nothing else, a weekday before it allowed; None if it is none."""
    bare = re.sub(r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]?\s+", "", text.strip(), flags=re.IGNORECASE)
    match = DATE.fullmatch(bare)
    reading = _reading(match) if match else None
    return reading if reading and reading.days else None


def read_day_and_month(text: str, starts: date, ends: date) -> date | None:
    """ "3 Feb" as the day within a period that has exactly one such day; None otherwise."""
    match = DAY_AND_MONTH.fullmatch(text.strip())
    if match is None:
        return None
    month = _MONTHS.index(match["w"][:3].lower()) + 1
    days = [_day(year, month, int(match["d"])) for year in range(starts.year, ends.year + 1)]
    within = [day for day in days if day and starts <= day <= ends]
    return within[0] if len(within) == 1 else None


def _reading(match: re.Match[str]) -> DateReading:
    raw = match[0]
    if match["y1"]:
        only = _day(int(match["y1"]), int(match["m1"]), int(match["d1"]))
    elif match["w2"]:
        only = _day(_year(match["y2"]), _MONTHS.index(match["w2"][:3].lower()) + 1, int(match["d2"]))
    elif match["w3"]:
        only = _day(int(match["y3"]), _MONTHS.index(match["w3"][:3].lower()) + 1, int(match["d3"]))
    else:
        first, second, year = int(match["a4"]), int(match["b4"]), _year(match["y4"])
        return DateReading(raw, _day(year, second, first), _day(year, first, second))
    return DateReading(raw, only, only)


def _year(text: str) -> int:
    """Two digits are of this century: a document that a practice is sent now is no older."""
    return int(text) if len(text) == 4 else 2000 + int(text)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
