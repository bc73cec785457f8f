"""The time a question asks about, read from its words; else from the year field; else from today.

Closed list of forms, Australian order for dates. What is not in the list is not guessed: it stays unread.
Decisions that the forms alone do not settle:

- Words win over the year field. The field is pre-filled by the page, the words were written for this question;
  the answer says which was read.
- A bare calendar year ("in 2015") is read as the income year that ends in it, and `describe_reading` says so.
- "before", "after", "since", "until", "pre-" and the like give a fact of the case ("an asset acquired before
  20 September 1985"), not the time asked about: such a date is left alone. "from" and "by" count only when nothing
  else names a time; the day something was bought or built, or somebody was born, came or died, only when the year
  field is empty as well.
- Two dates in one income year ask about that year. Two years are a question back to the user.
- Numbers in citations, titles of Acts, amounts and quantities are never years.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from research.law.citation import mask_citations
from research.law.income_year import FIRST_YEAR, LAST_YEAR, IncomeYear, accounting_period, income_year_of
from research.law.provision import in_words
from research.terms import ResolvedTime, Window


@dataclass(frozen=True, slots=True)
class YearConflict:
    """The question names more than one time; candidates in the order they were read, none picked."""

    candidates: tuple[ResolvedTime, ...]
    message: str


@dataclass(frozen=True, slots=True)
class YearRefused:
    """The question names a time that is none, or that no income year covers. read_from: the words meant."""

    message: str
    read_from: str


@dataclass(frozen=True, slots=True)
class _Mention:
    """One time named. rank: 2 plain, 1 counts only where nothing plain does, 0 where no field is filled in either."""

    start: int
    end: int
    window: Window
    year: IncomeYear
    rank: int = 2


class _Refusal(Exception):
    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message, self.start, self.end = message, start, end


_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_Y4 = r"(?P<y4>[0-9]{4,6})"
_YEAR_WORD = r"(?:(?:income|financial|tax|fiscal|fin)\s*-?\s*years?|years?\s+of\s+income|fys?)"
_ENDED = r"(?:(?:income|financial|tax|fiscal)\s+)?(?:year\s+(?:ended|ending|end|to)|y/?e|fye|fy\s+(?:ended|ending|end))"
_SPAN = r"(?P<a>[0-9]{4})\s?[-/]\s?(?P<b>[0-9]{4}|[0-9]{2})"
_SPAN_AFTER = _SPAN.replace("<a>", "<c>").replace("<b>", "<d>")  # a form that reads it in either of two places
_SHORT_SPAN = r"(?P<a>[0-9]{2})\s?[-/]\s?(?P<b>[0-9]{2})"
_SHORT_SPAN_AFTER = _SHORT_SPAN.replace("<a>", "<c>").replace("<b>", "<d>")
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?(?:\s+(?:day\s+)?of)?"
_BARE, _BARE_A, _BARE_B = (rf"(?P<{name}>(?:19|20)[0-9]{{2}})" for name in ("y4", "a", "b"))
_SMALL_WORD = (
    "is|was|were|are|be|did|do|does|can|could|may|must|the|an?|what|how|which|who|and|or|to|if|when|under|in|on|my|i|we"
    "|our|with|as|at|it|this|that|should|would|has|have|had|only"
)
_NOT_AFTER = r"(?![\w$])(?![-/.][0-9])"
_NOT_BEFORE = r"(?<![\w$/.-])(?<![0-9],)"


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(_NOT_BEFORE + pattern + _NOT_AFTER, re.IGNORECASE)


# In this order: what an earlier form has read, a later one does not read again.
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("fbt_ended", _form(rf"(?:the\s+)?FBT\s+{_ENDED}\s+(?:31(?:st)?\s+)?mar(?:ch)?,?\s+{_Y4}")),
    (
        "fbt_span",
        _form(rf"(?:FBT\s+(?:tax\s+)?years?\s+{_SPAN}|{_SPAN_AFTER}\s+FBT\s+years?)"),
    ),
    (
        "fbt_year",
        _form(rf"(?:FBT\s+(?:tax\s+)?(?:years?\s+)?(?:of\s+)?{_Y4}|(?P<y4b>[0-9]{{4,6}})\s+FBT(?:\s+tax)?\s+years?)"),
    ),
    ("ended_words", _form(rf"{_ENDED}\s+(?:on\s+)?(?:{_DAY}\s+)?{_MONTH}\s*,?\s+{_Y4}")),
    (
        "ended_numbers",
        _form(
            rf"{_ENDED}\s+(?:on\s+)?(?P<day>[0-9]{{1,2}})[/.](?P<monthn>[0-9]{{1,2}})[/.](?P<y>[0-9]{{4}}|[0-9]{{2}})"
        ),
    ),
    ("iso", _form(r"(?P<iso_y>[0-9]{4})-(?P<iso_m>[0-9]{1,2})-(?P<iso_d>[0-9]{1,2})")),
    ("numbers", _form(r"(?P<day>[0-9]{1,2})(?P<sep>[/.-])(?P<monthn>[0-9]{1,2})(?P=sep)(?P<y>[0-9]{4}|[0-9]{2})")),
    ("day_words", _form(rf"{_DAY}\s+{_MONTH}\s*,?\s+{_Y4}")),
    ("words_day", _form(rf"{_MONTH}\s+(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y4>[0-9]{{4}})")),
    ("span", _form(rf"(?:FY\s?)?{_SPAN}")),
    (
        "short_span",
        _form(rf"(?:FY\s?'?{_SHORT_SPAN}|{_SHORT_SPAN_AFTER}(?=\s+(?:{_YEAR_WORD}|tax\s+return|year)))"),
    ),
    ("short_span", _form(rf"(?:{_YEAR_WORD}|years?)\s+{_SHORT_SPAN}")),
    ("fy", _form(r"FYE?\s?(?:ended\s+|ending\s+)?[-']?(?P<fy>[0-9]{2,6})")),
    ("month", _form(rf"{_MONTH}\s*,?\s+(?:of\s+)?(?P<y4>[0-9]{{4}})")),
    (
        "two_years",
        _form(
            rf"{_BARE_A}\s*(?:to|and|or|versus|vs\.?|/)\s*(?:the\s+|in\s+|for\s+)*{_BARE_B}\s+(?:{_YEAR_WORD}|years?)"
        ),
    ),
    ("named_year", _form(rf"the\s+{_BARE}\s+(?:one|figures?|rules?|law)")),
    (
        "named_year",
        _form(
            rf"(?:{_YEAR_WORD}\s+(?:of\s+|ended\s+|ending\s+|in\s+)?|years?\s+|(?:tax\s+)?returns?\s+(?:for"
            rf"|of)\s+(?:the\s+)?){_Y4}"
        ),
    ),
    ("named_year", _form(rf"{_Y4}\s*(?:{_YEAR_WORD}|years?|(?:income\s+)?(?:tax\s+)?returns?|tax\s+time)")),
    (
        "two_years",
        _form(
            rf"(?:(?:between|from|in|during|for|both)\s+)?{_BARE_A}\s+(?:to|and|or|until|through|versus"
            rf"|vs\.?)\s+{_BARE_B}"
        ),
    ),
    ("bare_year", _form(rf"(?:in|during|throughout|within|as\s+(?:at|of)|circa|back\s+in)\s+(?:the\s+)?{_BARE}")),
    ("bare_year", _form(r"(?:in|during|as\s+(?:at|of)|back\s+in)\s+(?P<y4>[1-9][0-9]{3,5})(?=\s*(?:[?.!,;]|$))")),
    ("bare_year", _form(rf"(?:for|of|from|by)\s+(?:the\s+)?{_BARE}(?=\s*(?:[?.!,;:]|$|\s(?:{_SMALL_WORD})\b))")),
    ("bare_year", _form(rf"(?:could|might|may)\s+(?:be|have\s+been)\s+(?:in\s+)?{_BARE}(?=\s*(?:[?.!,;:]|$))")),
    ("bare_year", re.compile(r"(?<![\w$/.,-])(?P<y4>(?:19|20)[0-9]{2})(?=\s*[?.!]*\s*$)")),
    ("bare_year", re.compile(r"^\s*(?P<y4>(?:19|20)[0-9]{2})(?=\s*[:,-])")),
)

_QUANTITY_AFTER = re.compile(
    r"\s*(?:%|per\s?cent|km|kms|kilomet|dollars?|cents?|units?|shares?|hours?|days?|weeks?|months?|litres?|kg|tonnes?"
    r"|employees?|people|members?|times|square|sqm|hectares?|acres?|items?)",
    re.IGNORECASE,
)
_FACT_BEFORE = re.compile(
    r"(?:\b(?:before|after|since|until|till|prior\s+to|on\s+or\s+before|on\s+or\s+after|earlier\s+than|later\s+than"
    r"|up\s+to)\s+(?:the\s+)?|\b(?:pre|post)[-\s]\s*)$",
    re.IGNORECASE,
)
_WEAK_BEFORE = re.compile(
    r"\b(?:from|by|commencing|starting|beginning)\s+(?:on\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)
_PAST_BEFORE = re.compile(
    r"\b(?:acquired|bought|purchased|got|born|built|constructed|erected|put\s+up|opened|established|incorporated"
    r"|settled"
    r"|formed|made|signed|entered\s+into|inherited|set\s+up|moved|came|arrived|migrated|died|passed\s+away|retired"
    r"|owned|married|divorced|separated|planted|written)\s+(?:[\w'-]+\s+){0,4}(?:on|in|during"
    r"|back\s+in)\s+(?:the\s+)?$|\b(?:acquired|bought|purchased|born|built|constructed|established)\s+$",
    re.IGNORECASE,
)
_WEAK_WITHIN = re.compile(r"(?:from|by)\s", re.IGNORECASE)
_ANY_DAY = date(2000, 1, 1)  # decides centuries alone, and so no place
_EITHER = re.compile(
    r"[\s,]*(?:or|and|versus|vs\.?)\s+(?:(?:maybe|perhaps|possibly|it\s+(?:could|might|may)\s+(?:be|have\s+been)"
    r"|in|for|was\s+it|is\s+it|it\s+was|on|the|else)\s+)*",
    re.IGNORECASE,
)
_RANGE_JOIN = re.compile(r"\s*(?:-|to|until|and|through)\s*(?:the\s+)?", re.IGNORECASE)


def resolve(
    question: str,
    year_field: IncomeYear | None,
    today: date,
    titles: Mapping[str, str] | None = None,
    balance_month: int = 6,
) -> ResolvedTime | YearConflict | YearRefused:
    """The time asked about, or the two that conflict, or why it is none.

    today: from the caller's clock; also decides the century of "FY98" (the nearest not over ten years ahead).
    titles: further titles of Acts → codes, whose years are not the question's. balance_month: in which the accounting
    period of whom it is asked for ends; it decides the days of the year where the question names no time itself.
    """
    masked = mask_citations(question, titles)
    try:
        mentions = _that_count(_mentions(masked, today), year_field is not None)
    except _Refusal as refusal:
        return YearRefused(refusal.message, question[refusal.start : refusal.end].strip())
    if not mentions:
        if year_field is not None:
            return ResolvedTime(Window(*accounting_period(year_field, balance_month)), year_field, "field")
        return ResolvedTime(Window(today, today), income_year_of(today, balance_month), "today")
    times = _distinct([_resolved(mention, question) for mention in mentions])
    if len(times) == 1:
        return times[0]
    one = _as_one_time(times)
    return one if one is not None else YearConflict(tuple(times), _conflict_message(times))


def time_words(question: str) -> tuple[tuple[int, int], ...]:
    """Where the question names the time it asks about: spans of its text, in reading order; none where it names none.

    What is only a fact of the case ("bought before 1985") is not among them, nor is a time that cannot be read.
    """
    try:
        mentions = _mentions(mask_citations(question), _ANY_DAY)
    except _Refusal:
        return ()
    counted = _that_count(mentions, is_field_filled=True)
    return tuple(dict.fromkeys((mention.start, mention.end) for mention in counted))


def _resolved(mention: _Mention, question: str) -> ResolvedTime:
    words = " ".join(question[mention.start : mention.end].split())
    return ResolvedTime(mention.window, mention.year, "question", words)


def _distinct(times: list[ResolvedTime]) -> list[ResolvedTime]:
    kept: dict[tuple[Window, IncomeYear], ResolvedTime] = {}
    for time in times:
        kept.setdefault((time.window, time.year), time)
    return list(kept.values())


def _as_one_time(times: list[ResolvedTime]) -> ResolvedTime | None:
    """One time that all the mentions agree with, or None.

    A day or month inside the one year (or FBT year) named narrows it. Several days in one income year ask
    about the whole of it.
    """
    narrowest = min(times, key=lambda time: time.window.last - time.window.first)
    if all(_holds(time.window, narrowest.window) for time in times):
        return narrowest
    years = {time.year for time in times}
    if len(years) == 1 and all(_holds(Window.of_year(time.year), time.window) for time in times):
        year = times[0].year
        return ResolvedTime(Window.of_year(year), year, "question", " … ".join(time.read_from for time in times))
    return None


def _holds(outer: Window, inner: Window) -> bool:
    return outer.first <= inner.first and inner.last <= outer.last


def _conflict_message(times: list[ResolvedTime]) -> str:
    labels: dict[str, list[str]] = {}
    for time in times:
        labels.setdefault(time.read_from, []).append(time.year.label)
    named = ", ".join(f"“{words}” ({', '.join(years)})" for words, years in labels.items())
    return f"The question names more than one time: {named}. Ask about one of them, or once for each."


# -------------------------------------------------------------------------------------------- mentions


def _mentions(masked: str, today: date) -> list[_Mention]:
    """All times named that count, in reading order; what is only a fact of the case is left out."""
    taken: list[tuple[int, int]] = []
    found: list[_Mention] = []
    for name, form in _FORMS:
        for match in form.finditer(masked):
            start, end = match.span()
            if any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            if name in {"bare_year", "named_year", "two_years"} and _QUANTITY_AFTER.match(masked, end):
                continue
            taken.append((start, end))
            if _FACT_BEFORE.search(masked[:start]):
                continue
            rank = _rank(name, masked, start)
            for window, year in _READERS[name](match, today):
                found.append(_Mention(start, end, window, year, rank))
    found.sort(key=lambda mention: mention.start)
    return _alike(_ranges(found, masked), masked)


def _that_count(found: list[_Mention], is_field_filled: bool) -> list[_Mention]:
    """Those of the highest rank that there is; what only tells of the past gives way to a year field."""
    highest = max((mention.rank for mention in found), default=0)
    return [mention for mention in found if mention.rank == highest] if highest or not is_field_filled else []


def _rank(name: str, masked: str, start: int) -> int:
    if name == "bare_year" and _WEAK_WITHIN.match(masked, start):
        return 1
    lead = masked[start : start + 12] if name == "bare_year" else ""
    preposition = re.match(r"(?:back\s+in|in|during|on)\s+(?:the\s+)?", lead, re.IGNORECASE)
    before = masked[: start + (preposition.end() if preposition else 0)]
    if _PAST_BEFORE.search(before):
        return 0
    return 1 if _WEAK_BEFORE.search(before) else 2


def _ranges(found: list[_Mention], masked: str) -> list[_Mention]:
    """ "1 July 2019 to 30 June 2020" as one mention when it lies in one income year; else both ends, plain."""
    joined: list[_Mention] = []
    for mention in found:
        before = joined[-1] if joined else None
        if before and before.end <= mention.start and _RANGE_JOIN.fullmatch(masked[before.end : mention.start]):
            if before.year == mention.year and before.window.first <= mention.window.last:
                window = Window(before.window.first, mention.window.last)
                joined[-1] = _Mention(before.start, mention.end, window, mention.year)
                continue
            joined[-1] = _Mention(before.start, before.end, before.window, before.year)
        joined.append(mention)
    return joined


def _alike(found: list[_Mention], masked: str) -> list[_Mention]:
    """ "Bought in 2014-15 or 2023-24": what is joined by "or" counts as much as the other."""
    for place in range(1, len(found)):
        before, mention = found[place - 1], found[place]
        if before.end <= mention.start and _EITHER.fullmatch(masked[before.end : mention.start]):
            rank = max(before.rank, mention.rank)
            found[place - 1 : place + 1] = [replace(before, rank=rank), replace(mention, rank=rank)]
    return found


_Read = list[tuple[Window, IncomeYear]]


def _income_year(number: int, match: re.Match[str]) -> IncomeYear:
    if not FIRST_YEAR <= number <= LAST_YEAR:
        raise _Refusal(
            f"{number} is not an income year AsAt can read; name one from {FIRST_YEAR} to {LAST_YEAR}.", *match.span()
        )
    return IncomeYear(number)


def _full_year(digits: str, match: re.Match[str], today: date) -> int:
    """The year that two to six digits name. Raises a refusal for three digits."""
    if len(digits) == 2:
        year = today.year - today.year % 100 + int(digits)
        return year if year <= today.year + 10 else year - 100
    if len(digits) == 3:
        raise _Refusal(f"“{digits}” is not a year; write it with four digits, such as FY2020.", *match.span())
    return int(digits)


def _day(day: str | None, month: int, year: int, match: re.Match[str]) -> date:
    _income_year(year, match)
    try:
        return date(year, month, int(day or 1))
    except ValueError:
        raise _Refusal(
            f"“{match.group().strip()}” is not a day in the calendar; dates are read as day, month, year.",
            *match.span(),
        ) from None


def _month_number(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, 1) if month.startswith(name.lower()[:3]))


def _last_of_month(year: int, month: int) -> date:
    following = date(year + 1, 1, 1) if month == 12 else date(year, month + 1, 1)
    return following - timedelta(days=1)


def _of_day(day: date, match: re.Match[str]) -> _Read:
    return [(Window(day, day), _income_year(income_year_of_number(day), match))]


def income_year_of_number(day: date) -> int:
    """The number of the ordinary income year that `day` falls in, even where no IncomeYear exists for it."""
    return day.year if day.month <= 6 else day.year + 1


def _of_fbt_year(number: int, match: re.Match[str]) -> _Read:
    """The FBT year that ends on 31 March of `number`. Source: FBTAA86 s 136(1), "year of tax"."""
    year = _income_year(number, match)
    return [(Window(date(number - 1, 4, 1), date(number, 3, 31)), year)]


def _of_year_ended(last: date, match: re.Match[str]) -> _Read:
    """The twelve months to `last`: an income year, or a substituted accounting period."""
    after = last + timedelta(days=1)
    is_leap_day = (after.month, after.day) == (2, 29)  # the year before has none
    first = date(after.year - 1, 3, 1) if is_leap_day else date(after.year - 1, after.month, after.day)
    try:
        year = income_year_of(last, last.month)
    except ValueError:
        year = _income_year(last.year + 1, match)
    return [(Window(first, last), year)]


def _read_ended_words(match: re.Match[str], today: date) -> _Read:
    number, month = int(match["y4"]), _month_number(match["month"])
    last = _day(match["day"], month, number, match) if match["day"] else None
    return _of_year_ended(last or _last_of_month(_income_year(number, match).year, month), match)


def _read_ended_numbers(match: re.Match[str], today: date) -> _Read:
    number = _full_year(match["y"], match, today)
    return _of_year_ended(_numeric_day(match["day"], match["monthn"], number, match), match)


def _numeric_day(day: str, month: str, year: int, match: re.Match[str]) -> date:
    if not 1 <= int(month) <= 12:
        raise _Refusal(
            f"“{match.group().strip()}” is not a day in Australian order (day, month, year); write the month in words.",
            *match.span(),
        )
    return _day(day, int(month), year, match)


def _read_span(match: re.Match[str], today: date) -> _Read:
    """ "2019-20"; a longer span names every year in it, the first and last standing for all beyond ten."""
    groups = match.groupdict()
    first, second = groups["a"] or groups.get("c") or "", groups["b"] or groups.get("d") or ""
    start = _full_year(first, match, today)
    end = int(second) if len(second) == 4 else start - start % 100 + int(second)
    if end < start and len(second) == 2 and start % 100 == 99:
        end += 100
    if end <= start:
        raise _Refusal(f"“{match.group().strip()}” is not an income year; write it as in 2019–20.", *match.span())
    years = range(start + 1, end + 1)
    chosen = list(years) if len(years) <= 10 else [years[0], years[-1]]
    return [(Window.of_year(year), year) for year in (_income_year(number, match) for number in chosen)]


def _read_fbt_span(match: re.Match[str], today: date) -> _Read:
    return [read for _, year in _read_span(match, today) for read in _of_fbt_year(year.year, match)]


def _read_fbt_year(match: re.Match[str], today: date) -> _Read:
    return _of_fbt_year(int(match["y4"] or match["y4b"]), match)


def _read_fbt_ended(match: re.Match[str], today: date) -> _Read:
    return _of_fbt_year(int(match["y4"]), match)


def _read_iso(match: re.Match[str], today: date) -> _Read:
    return _of_day(_numeric_day(match["iso_d"], match["iso_m"], int(match["iso_y"]), match), match)


def _read_numbers(match: re.Match[str], today: date) -> _Read:
    year = _full_year(match["y"], match, today)
    return _of_day(_numeric_day(match["day"], match["monthn"], year, match), match)


def _read_day_words(match: re.Match[str], today: date) -> _Read:
    return _of_day(_day(match["day"], _month_number(match["month"]), int(match["y4"]), match), match)


def _read_month(match: re.Match[str], today: date) -> _Read:
    number, month = int(match["y4"]), _month_number(match["month"])
    first = _day(None, month, number, match)
    return [(Window(first, _last_of_month(number, month)), _income_year(income_year_of_number(first), match))]


def _read_fy(match: re.Match[str], today: date) -> _Read:
    year = _income_year(_full_year(match["fy"], match, today), match)
    return [(Window.of_year(year), year)]


def _read_two_years(match: re.Match[str], today: date) -> _Read:
    years = [_income_year(int(match[name]), match) for name in ("a", "b")]
    return [(Window.of_year(year), year) for year in years]


def _read_year(match: re.Match[str], today: date) -> _Read:
    year = _income_year(int(match["y4"]), match)
    return [(Window.of_year(year), year)]


_READERS = {
    "fbt_ended": _read_fbt_ended,
    "fbt_span": _read_fbt_span,
    "fbt_year": _read_fbt_year,
    "ended_words": _read_ended_words,
    "ended_numbers": _read_ended_numbers,
    "iso": _read_iso,
    "numbers": _read_numbers,
    "day_words": _read_day_words,
    "words_day": _read_day_words,
    "span": _read_span,
    "short_span": _read_span,
    "fy": _read_fy,
    "month": _read_month,
    "named_year": _read_year,
    "two_years": _read_two_years,
    "bare_year": _read_year,
}

_BARE_READ = re.compile(r"(?:\w+\s+){0,3}(?P<y4>[0-9]{4})", re.IGNORECASE)
_NAMES_A_YEAR = re.compile(r"year|return|fy|fbt|tax\s+time", re.IGNORECASE)


def describe_reading(time: ResolvedTime) -> str:
    """How the time was read, in a sentence for the answer: "“in 2015” read as the income year FY2015 (…)"."""
    window = time.window
    days = in_words(window.first) if window.is_one_day else f"{in_words(window.first)} – {in_words(window.last)}"
    if time.source == "field":
        return f"{time.year.label} ({days}), from the year field"
    if time.source == "today":
        return f"{days}, because neither the question nor the year field names a time"
    words = f"“{time.read_from}”"
    if window == Window.of_year(time.year):
        if _BARE_READ.fullmatch(time.read_from) and not _NAMES_A_YEAR.search(time.read_from):
            return f"{words} read as the income year that ends in it, {time.year.label} ({days})"
        return f"{words} read as {time.year.label} ({days})"
    return f"{words} read as {days}, in {time.year.label}"
