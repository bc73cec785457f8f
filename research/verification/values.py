"""The values that a text states: numbers, amounts, percentages, dates and legal citations, each in one form.

"$75,000", "$75 000" and "75,000 dollars" are one amount; "10%" and "10 per cent" one rate. What is compared is
the value together with its kind, so that a rate of 10 is not borne out by a period of 10 days.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from research.law.citation import CitationKind, act_mentions, find_citations, fold

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
_SCALES = {"thousand": 10**3, "k": 10**3, "million": 10**6, "m": 10**6, "billion": 10**9, "bn": 10**9}
_UNITS_TEXT = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
_TENS_TEXT = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS, _TENS = _UNITS_TEXT.split(), _TENS_TEXT.split()
_SMALL = {word: value for value, word in enumerate(_UNITS)} | {word: 10 * ten for ten, word in enumerate(_TENS, 2)}
_ONE_WORD = "|".join(sorted([*_SMALL, "hundred", "thousand", "million", "billion"], key=lambda word: -len(word)))

_DIGITS = (
    r"(?P<whole>[0-9]{1,3}(?:[, ][0-9]{3})+(?![0-9])|[0-9]+)(?P<decimals>\.[0-9]+)?"
    r"(?P<vulgar>\s?[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]|\s[1-9]/[2-9](?![0-9/]))?"
)
_SCALE = r"(?:\s?(?P<scale>thousand|million|billion|bn|[mk](?!\w)))?"
_IN_WORDS = rf"(?P<words>(?:{_ONE_WORD})(?:(?:\s+and\s+|[\s-]+)(?:{_ONE_WORD}))*)"


@dataclass(frozen=True, slots=True)
class Value:
    """One value stated: its kind, its one form, and the words that stated it."""

    kind: str
    form: str
    words: str


def _number(match: re.Match[str]) -> str:
    groups = match.groupdict()
    if groups.get("words"):
        return str(_from_words(groups["words"]))
    value = Fraction(re.sub(r"[, ]", "", groups["whole"]) + (groups["decimals"] or ""))
    if groups["vulgar"]:
        vulgar = groups["vulgar"].strip()
        value += _VULGAR[vulgar] if vulgar in _VULGAR else Fraction(vulgar)
    scale = (groups.get("scale") or "").lower()
    return str(value * _SCALES.get(scale, 1))


def _from_words(words: str) -> int:
    total = current = 0
    for word in re.split(r"[\s-]+", words.lower()):
        if word == "hundred":
            current = max(current, 1) * 100
        elif word in _SCALES:
            total, current = total + max(current, 1) * _SCALES[word], 0
        elif word != "and":
            current += _SMALL[word]
    return total + current


def _month(match: re.Match[str]) -> int:
    return _MONTHS.index(match["month"].lower()[:3]) + 1


def _year_span(match: re.Match[str]) -> str:
    first, second = int(match["a"]), match["b"]
    end = int(second) if len(second) == 4 else first - first % 100 + int(second) + (100 if first % 100 == 99 else 0)
    return f"{first}-{end}"


def _label(match: re.Match[str]) -> str:
    return match["label"]


# Shares and multiples in words, each with the one form for all its spellings.
_SHARES = {"hal": "half", "thi": "third", "qua": "quarter", "twi": "double", "dou": "double", "tri": "triple"}
_SHARE = r"(?P<share>half|halves|halved|halving|thirds?|quarters?|twice|doubl(?:es?|ed|ing)|tripl(?:es?|ed|ing))"


def _share(match: re.Match[str]) -> str:
    return _SHARES[match["share"].lower()[:3]]


_Form = tuple[str, re.Pattern[str], Callable[[re.Match[str]], str]]


def _form(kind: str, pattern: str, read: Callable[[re.Match[str]], str]) -> _Form:
    return kind, re.compile(pattern, re.IGNORECASE), read


# In this order; what one form has read, the next do not see.
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
        r"(?<![\w/])(?P<d>[0-9]{1,2})/(?P<m>[0-9]{1,2})/(?P<y>[0-9]{4})(?![\w/])",
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
    _form("percent", rf"(?<![\w.]){_DIGITS}\s?(?:%|per\s?cent\b|percentage\s+points?\b)", _number),
    _form("percent", rf"(?<!\w){_IN_WORDS}\s+(?:%|per\s?cent\b)", _number),
    _form("money", rf"(?:A(?:U|UD)?\s?)?\$\s?{_DIGITS}{_SCALE}(?![\w%])", _number),
    _form("money", rf"(?<![\w.]){_DIGITS}{_SCALE}\s+dollars?\b", _number),
    _form("money", rf"(?<!\w){_IN_WORDS}\s+dollars?\b", _number),
    _form("label", r"\((?P<label>[0-9]{1,3}[A-Z]{0,3}|[a-z]{1,2}|[ivx]{1,5})\)", _label),
    _form("year", r"(?<![\w.,$])(?P<y>(?:19|20)[0-9]{2})(?![\w%]|[.,][0-9])", lambda m: m["y"]),
    _form("number", rf"(?<![\w.]){_DIGITS}{_SCALE}(?!\w)", _number),
    _form("number", r"(?<![\w])(?P<code>[0-9]+[A-Za-z]\w*|[A-Za-z]+[0-9][\w-]*)", lambda m: m["code"].upper()),
    _form("share", rf"(?<!\w){_SHARE}(?!\w)", _share),
    _form("number", r"(?<![\w-])(?:nil|nought)(?![\w-])", lambda m: "0"),
    _form("number", rf"(?<![\w-]){_IN_WORDS}(?![\w-])", _number),
)
_PRONOUN = {"one", "One", "ONE"}  # "if one of them …" counts nothing


def values_in(text: str) -> tuple[Value, ...]:
    """Every value that `text` states, citations first, then in the order of their kinds."""
    found: list[Value] = []
    letters = list(fold(text))
    for cited in find_citations(text):
        citation = cited.citation
        form = str(citation) if citation.kind is CitationKind.RULING else f"{citation.kind} {citation.section}"
        found.append(Value("citation", form.strip(), text[cited.start : cited.end]))
        for label in re.findall(r"\(([^)]*)\)", citation.pinpoint):
            found.append(Value("label", label, text[cited.start : cited.end]))
        if citation.schedule and not cited.assumed:
            found.append(Value("schedule", citation.schedule, text[cited.start : cited.end]))
        letters[cited.start : cited.end] = " " * (cited.end - cited.start)
    for act in act_mentions(text):
        found.append(Value("act", act.instrument, text[act.start : act.end]))
        letters[act.start : act.end] = " " * (act.end - act.start)
    left = "".join(letters)
    for kind, written, read in _FORMS:
        for match in written.finditer(left):
            if match.group() not in _PRONOUN:
                found.append(Value(kind, read(match), text[match.start() : match.end()].strip()))
        left = written.sub(lambda match: " " * len(match.group()), left)
    return tuple(found)
