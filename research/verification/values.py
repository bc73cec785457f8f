"""The values that a text states: numbers, amounts, rates, periods, dates and legal citations, each in one form.

"$75,000", "$75 000", "75 thousand dollars" and "$75k" are one amount; "10%" and "10 per cent" one rate. What is
compared is the value together with its kind, so that a rate of 10 is not borne out by a period of 10 days, nor 28 days
by 28 months. Only what is plainly the same is one: 12 months are no year, 14 days no fortnight, 10 percentage points
not 10 per cent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from research.law.citation import CitationKind, act_mentions, find_citations, fold
from research.law.numbers import MAGNITUDES, ORDINALS, SMALL

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_VULGAR = {
    "½": Fraction(1, 2),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
    "⅕": Fraction(1, 5),
    "⅖": Fraction(2, 5),
    "⅗": Fraction(3, 5),
    "⅘": Fraction(4, 5),
    "⅙": Fraction(1, 6),
    "⅚": Fraction(5, 6),
    "⅛": Fraction(1, 8),
    "⅜": Fraction(3, 8),
    "⅝": Fraction(5, 8),
    "⅞": Fraction(7, 8),
}
_ONE_WORD = "|".join(sorted([*SMALL, "hundred", "thousand", "million", "billion"], key=lambda word: -len(word)))

_DIGITS = (
    r"(?P<whole>[0-9]{1,3}(?:[, ][0-9]{3})+(?![0-9])|[0-9]+)(?P<decimals>\.[0-9]+)?"
    r"(?P<vulgar>\s?[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]|\s[1-9]/[2-9](?![0-9/]))?"
)
_SCALE = r"(?:\s?(?P<scale>thousand|million|billion|bn|[mk](?!\w)))?"
_IN_WORDS = rf"(?P<words>(?:{_ONE_WORD})(?:(?:\s+and\s+|[\s-]+)(?:{_ONE_WORD}))*)"
# "10 to 12 per cent", "28 or 30 days": the first number has the unit of the second.
_NEXT = r"(?=\s?(?:-|to|and|or)\s?[0-9][0-9,]*(?:\.[0-9]+)?"
_NEXT_IN_WORDS = rf"(?=\s(?:to|or)\s(?:{_ONE_WORD})"
_PERCENT = r"(?:%|per\s?cent\b)(?!\s?(?:age\s+)?points?\b)"
_POINTS = r"(?:(?:%|per\s?cent(?:age)?)\s?points?)\b"
_MEASURE = (
    r"(?:(?P<of>business|working|calendar|income|financial|tax|consecutive|full|whole|complete|clear)[\s-]+)?"
    r"(?P<unit>days?|weeks?|fortnights?|months?|years?|hours?|minutes?|decades?|metres?|met(?:er|re)s?"
    r"|kilomet(?:er|re)s?|km|hectares?|acres?|lit(?:er|re)s?|kilolit(?:er|re)s?|kilograms?|kg|tonnes?|grams?)\b"
)


@dataclass(frozen=True, slots=True)
class Value:
    """One value stated: its kind, its one form, and the words that stated it. start: where they stand."""

    kind: str
    form: str
    words: str
    start: int = 0


def _fraction(match: re.Match[str]) -> Fraction:
    groups = match.groupdict()
    if groups.get("words"):
        return Fraction(_from_words(groups["words"]))
    value = Fraction(re.sub(r"[, ]", "", groups["whole"]) + (groups["decimals"] or ""))
    if groups["vulgar"]:
        vulgar = groups["vulgar"].strip()
        value += _VULGAR[vulgar] if vulgar in _VULGAR else Fraction(vulgar)
    scale = (groups.get("scale") or "").lower()
    return value * MAGNITUDES.get(scale, 1)


def _number(match: re.Match[str]) -> str:
    return str(_fraction(match))


def _from_words(words: str) -> int:
    total = current = 0
    for word in re.split(r"[\s-]+", words.lower()):
        if word == "hundred":
            current = max(current, 1) * 100
        elif word in MAGNITUDES:
            total, current = total + max(current, 1) * MAGNITUDES[word], 0
        elif word != "and":
            current += SMALL[word]
    return total + current


def _month(match: re.Match[str]) -> int:
    return _MONTHS.index(match["month"].lower()[:3]) + 1


def _year_span(match: re.Match[str]) -> str:
    first, second = int(match["a"]), match["b"]
    end = int(second) if len(second) == 4 else first - first % 100 + int(second) + (100 if first % 100 == 99 else 0)
    return f"{first}-{end}"


def _label(match: re.Match[str]) -> str:
    return match["label"]


_OF = {"working": "business ", "business": "business ", "calendar": "calendar ", "tax": "tax "}
_OF |= {"income": "income ", "financial": "income "}


def _measured(match: re.Match[str]) -> str:
    """ "12 month", "28 business day", "2 income year". "Consecutive", "full" and "whole" say no other length."""
    unit = match["unit"].lower().replace("meter", "metre").replace("liter", "litre")
    unit = {"km": "kilometre", "kg": "kilogram"}.get(unit, unit.removesuffix("s"))
    return f"{_fraction(match)} {_OF.get((match['of'] or '').lower(), '')}{unit}"


# Shares and multiples in words, each with the one form for all its spellings.
_SHARES = {"hal": "1/2", "thi": "1/3", "qua": "1/4"}
_MULTIPLES = {"twi": "2", "dou": "2", "tri": "3", "thr": "3"}
_MULTIPLE = r"(?P<multiple>twice|doubl(?:es?|ed|ing)|tripl(?:es?|ed|ing)|thrice)"
_PART_WORD = "|".join(word for word in ORDINALS if word not in ("first", "second"))
_PART = (
    rf"(?P<count>an?|{'|'.join(word for word, value in SMALL.items() if 1 <= value <= 9)})[\s-]+"
    rf"(?P<part>hal(?:f|ves)|quarters?|(?:{_PART_WORD})s?)(?!\s+(?:day|week|month|year|party|person|time)s?\b)"
)


def _part(match: re.Match[str]) -> str:
    """ "1/2" of "one half", "2/5" of "two-fifths"."""
    count = match["count"].lower()
    part = match["part"].lower()
    of = {"hal": 2, "qua": 4}.get(part[:3]) or ORDINALS[part.removesuffix("s")]
    return str(Fraction(1 if count in ("a", "an") else SMALL[count], of))


def _ordinal(match: re.Match[str]) -> str:
    place = match.groupdict().get("place")
    return str(int(place) if place else ORDINALS[match["ordinal"].lower()])


_RATES = {"annum": "year", "annual": "year", "dai": "day", "week": "week", "month": "month", "quarter": "quarter"}


def _rate(match: re.Match[str]) -> str:
    word = (match["every"] or match["how_often"]).lower()
    return next((unit for start, unit in _RATES.items() if word.startswith(start)), word.removesuffix("ly"))


_Form = tuple[str, re.Pattern[str], Callable[[re.Match[str]], str]]


def _form(kind: str, pattern: str, read: Callable[[re.Match[str]], str]) -> _Form:
    return kind, re.compile(pattern, re.IGNORECASE), read


# In order; what one form has read, the next do not see.
_FORMS: tuple[_Form, ...] = (
    _form(
        "date",
        r"(?<![\w-])(?P<y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})(?![\w-])",
        lambda m: f"{m['y']}-{m['m']}-{m['d']}",
    ),
    _form(
        "date",
        rf"(?<!\w)(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+(?P<y>[0-9]{{4}})(?!\w)",
        lambda m: f"{m['y']}-{_month(m):02d}-{int(m['d']):02d}",
    ),
    _form(
        "date",
        rf"(?<!\w){_MONTH}\s+(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>[0-9]{{4}})(?!\w)",
        lambda m: f"{m['y']}-{_month(m):02d}-{int(m['d']):02d}",
    ),
    _form(
        "date",
        r"(?<![\w/.])(?P<d>[0-9]{1,2})(?P<by>[/.])(?P<m>[0-9]{1,2})(?P=by)(?P<y>[0-9]{4})(?![\w/])",
        lambda m: f"{m['y']}-{int(m['m']):02d}-{int(m['d']):02d}",
    ),
    _form(
        "year_span", r"(?<![\w-])(?:FY\s?)?(?P<a>(?:19|20)[0-9]{2})[-/](?P<b>[0-9]{4}|[0-9]{2})(?![\w-])", _year_span
    ),
    _form("year_span", r"(?<!\w)FY\s?(?P<y>(?:19|20)[0-9]{2})(?!\w)", lambda m: f"{int(m['y']) - 1}-{int(m['y'])}"),
    _form("month", rf"(?<!\w){_MONTH},?\s+(?P<y>[0-9]{{4}})(?!\w)", lambda m: f"{m['y']}-{_month(m):02d}"),
    _form(
        "day",  # "30 may be" is no day of May
        rf"(?<![\w.,$])(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?-i:(?!may)){_MONTH}(?!\w)",
        lambda m: f"{_month(m):02d}-{int(m['d']):02d}",
    ),
    _form("points", rf"(?<![\w.]){_DIGITS}\s?{_POINTS}", _number),
    _form("points", rf"(?<!\w){_IN_WORDS}\s+{_POINTS}", _number),
    _form("percent", rf"(?<![\w.$]){_DIGITS}{_NEXT}\s?{_PERCENT})", _number),
    _form("percent", rf"(?<![\w.]){_DIGITS}\s?{_PERCENT}", _number),
    _form("percent", rf"(?<!\w){_IN_WORDS}(?:\s+%|\s+per\s?cent\b)(?!\s?points?\b)", _number),
    _form(
        "foreign_money",
        rf"(?<!\w)(?P<of>US|USD|NZ|NZD|CAD|SGD|HK|GBP|EUR)\s?\$?\s?{_DIGITS}{_SCALE}(?![\w%])",
        lambda m: f"{m['of'].upper()[:2]} {_number(m)}",
    ),
    _form("foreign_money", rf"(?P<of>[€£¥])\s?{_DIGITS}{_SCALE}(?![\w%])", lambda m: f"{m['of']} {_number(m)}"),
    _form("money", rf"(?:A(?:U|UD)?\s?)?\$\s?{_DIGITS}{_SCALE}(?![\w%])", _number),
    _form("money", rf"(?<!\w)AUD\s?{_DIGITS}{_SCALE}(?![\w%])", _number),
    _form("money", rf"(?<![\w.]){_DIGITS}{_SCALE}\s+dollars?\b", _number),
    _form("money", rf"(?<!\w){_IN_WORDS}\s+dollars?\b", _number),
    _form("money", rf"(?<![\w.]){_DIGITS}\s?(?:cents?\b|c(?!\w))", lambda m: str(_fraction(m) / 100)),
    _form("money", rf"(?<!\w){_IN_WORDS}\s+cents?\b", lambda m: str(_fraction(m) / 100)),
    _form("age", rf"(?<!\w)(?:aged|age\s+of|age)\s+{_DIGITS}(?!\w)(?:\s+years?\b)?", _number),
    _form("age", rf"(?<!\w)(?:aged|age\s+of|age)\s+{_IN_WORDS}(?!\w)(?:\s+years?\b)?", _number),
    _form("age", rf"(?<![\w.]){_DIGITS}[\s-]+years?(?:[\s-]+old|\s+of\s+age)\b", _number),
    _form("age", rf"(?<!\w){_IN_WORDS}[\s-]+years?(?:[\s-]+old|\s+of\s+age)\b", _number),
    _form("period", rf"(?<![\w.$]){_DIGITS}{_SCALE}{_NEXT}[\s-]+{_MEASURE})", _measured),
    _form("period", rf"(?<![\w.$]){_DIGITS}{_SCALE}[\s-]?{_MEASURE}", _measured),
    _form("period", rf"(?<![\w-]){_IN_WORDS}{_NEXT_IN_WORDS}[\s-]+{_MEASURE})", _measured),
    _form("period", rf"(?<![\w-]){_IN_WORDS}[\s-]+{_MEASURE}", _measured),
    _form(
        "item",
        r"(?<!\w)(?P<what>item|chapter|clause|regulation|rule|step|column|article|row)s?\s+"
        r"(?P<code>[0-9]+[A-Za-z]{0,3}(?:[.-][0-9]+)*)(?!\w)",
        lambda m: f"{m['what'].lower()} {m['code'].upper()}",
    ),
    _form("label", r"\((?P<label>[0-9]{1,3}[A-Z]{0,3}|[a-z]{1,2}|[ivx]{1,5})\)", _label),
    _form("year", r"(?<![\w.,$])(?P<y>(?:19|20)[0-9]{2})(?![\w%]|[.,][0-9])", lambda m: m["y"]),
    _form("ordinal", r"(?<![\w.,])(?P<place>[0-9]{1,3})(?:st|nd|rd|th)(?!\w)", _ordinal),
    _form("multiple", rf"(?<![\w.,]){_DIGITS}\s+times\b", _number),
    _form("multiple", rf"(?<!\w){_IN_WORDS}\s+times\b", _number),
    _form("number", rf"(?<![\w.]){_DIGITS}{_SCALE}(?!\w)", _number),
    _form("number", r"(?<![\w])(?P<code>[0-9]+[A-Za-z]\w*|[A-Za-z]+[0-9][\w-]*)", lambda m: m["code"].upper()),
    _form("share", rf"(?<![\w-]){_PART}(?!\w)", _part),
    _form(
        "share",
        r"(?<!\w)(?P<share>half|halves|halved|halving|thirds|quarters?)(?!\w)",
        lambda m: _SHARES[m["share"].lower()[:3]],
    ),
    _form("multiple", rf"(?<!\w){_MULTIPLE}(?!\w)", lambda m: _MULTIPLES[m["multiple"].lower()[:3]]),
    _form("ordinal", rf"(?<![\w-])(?P<ordinal>{'|'.join(ORDINALS)})(?![\w-])", _ordinal),
    _form("number", r"(?<![\w-])(?:nil|nought)(?![\w-])", lambda m: "0"),
    _form("number", rf"(?<![\w-]){_IN_WORDS}(?![\w-])", _number),
    _form("number", r"(?<![\w-])(?P<many>dozen|hundreds|thousands|millions|billions)(?![\w-])", lambda m: m["many"]),
    _form(
        "rate",
        r"(?<!\w)(?:(?:per|each|every)\s+(?P<every>annum|day|week|fortnight|month|quarter|year|hour)"
        r"|(?P<how_often>daily|weekly|fortnightly|monthly|quarterly|yearly|annual(?:ly)?|hourly))(?!\w)",
        _rate,
    ),
)
_NUMBER_WORD = re.compile(rf"(?<!\w)(?:{_ONE_WORD})", re.IGNORECASE)
_NEEDS = {
    "percent": ("%", "cent"),
    "points": ("point",),
    "age": ("age", "old"),
    "multiple": ("time", "ice", "oubl", "ripl"),
}
_PRONOUN = {"one", "One", "ONE"}  # "if one of them …" counts nothing


@lru_cache(maxsize=512)  # a quote is read for several checks
def values_in(text: str) -> tuple[Value, ...]:
    """Every value that `text` states, citations first, then in the order of their kinds."""
    found: list[Value] = []
    letters = list(fold(text))
    for cited in find_citations(text):
        citation = cited.citation
        form = str(citation) if citation.kind is CitationKind.RULING else f"{citation.kind} {citation.section}"
        found.append(Value("citation", form.strip(), text[cited.start : cited.end], cited.start))
        for label in re.findall(r"\(([^)]*)\)", citation.pinpoint):
            found.append(Value("label", label, text[cited.start : cited.end], cited.start))
        if citation.schedule and not cited.assumed:
            found.append(Value("schedule", citation.schedule, text[cited.start : cited.end], cited.start))
        letters[cited.start : cited.end] = " " * (cited.end - cited.start)
    for act in act_mentions(text):
        found.append(Value("act", act.instrument, text[act.start : act.end], act.start))
        letters[act.start : act.end] = " " * (act.end - act.start)
    left = "".join(letters)
    for kind, written, read in _possible_forms(left):
        blanked = False
        for match in written.finditer(left):
            blanked = True
            if match.group() not in _PRONOUN:
                found.append(Value(kind, read(match), text[match.start() : match.end()].strip(), match.start()))
        if blanked:
            left = written.sub(lambda match: " " * len(match.group()), left)
    return tuple(found)


def _possible_forms(text: str) -> Iterator[_Form]:
    """The forms that could stand in `text`, by signs that cost less to look for than the forms themselves."""
    lowered = text.lower()
    has_digit, has_word = re.search(r"\d", text) is not None, _NUMBER_WORD.search(text) is not None
    for form in _FORMS:
        kind, pattern = form[0], form[1].pattern
        counts = has_digit if "(?P<whole>" in pattern else has_word if "(?P<words>" in pattern else True
        if counts and (kind not in _NEEDS or any(sign in lowered for sign in _NEEDS[kind])):
            yield form
