"""Where a value stands in the text of the provision that sets it: the words to be quoted, before any check.

Only a value in one of its normal written forms counts ("9.5%", "9.5 per cent", "$75,000", "$2 million"). A whole number
bare is none: "10" stands in many places and means something else in most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from research.figures.ledger import THIRD, Row, kind_of
from research.terms import Passage, Role

LEAST_CHARS, LEAST_WORDS = 25, 4  # what a quote needs (design rule 2); shorter words take in the line before
MOST_CHARS = 600
_NO_RULE = re.compile(r"(?:Note|Example)\b")
_QUOTABLE = (Role.OPERATIVE, Role.DEFINITION)


def words_with(row: Row, beside: Sequence[str], passages: Iterable[Passage]) -> tuple[Passage, str, str] | None:
    """(passage, words to quote, the value as written there); None where the value stands in no passage.

    beside: of these, one must stand in the words as well, where there are any.
    """
    form = written(row)
    if form is None:
        return None
    for passage in passages:
        if passage.role not in _QUOTABLE:
            continue
        for match in form.finditer(passage.text):
            quote = _around(passage.text, match.start(), match.end(), beside)
            if quote is not None:
                return passage, quote, match.group()
    return None


def written(row: Row) -> re.Pattern[str] | None:
    """How the value may be written in an Act; None for words."""
    kind, number = kind_of(row.unit), row.number
    if row.value == THIRD:
        return re.compile(r"(?<![\w.])33 ?1 ?/ ?3 ?(?:%|per cent)")
    if not kind or number is None:
        return None
    digits = rf"(?:{re.escape(f'{number:,}')}|{re.escape(str(number))})"
    if kind == "percent":
        bare = "?" if number != number.to_integral_value() else ""
        return re.compile(rf"(?<![\w.,$]){digits}(?:\.0+)?(?: ?(?:%|per cent)){bare}(?![\w]|[.,][0-9])")
    if kind == "money":
        millions = number / 1_000_000
        scaled = rf"|\$ ?{re.escape(_plain(millions))} ?million" if number >= 1_000_000 else ""
        return re.compile(rf"\$ ?(?:{digits}(?![\w]|[.,][0-9])(?! million)){scaled}")
    unit = {"years": r" years", "months_least": r" months", "km": r" (?:business )?kilomet"}.get(row.unit)
    if unit is None and number == number.to_integral_value():
        return None
    return re.compile(rf"(?<![\w.,$]){digits}{unit or ''}(?![0-9]|[.,][0-9])")


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


def _around(text: str, start: int, end: int, beside: Sequence[str]) -> str | None:
    """The line that holds text[start:end], with lines before it until it can be quoted and says what it must."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    if _NO_RULE.match(text, first):
        return None
    while True:
        quote = text[first:last].strip()
        if len(quote) > MOST_CHARS:
            return None
        if _can_be_quoted(quote) and (not beside or any(words in quote for words in beside)):
            return quote.rstrip(";").removesuffix("; or").removesuffix("; and")
        if first == 0:
            return None
        first = text.rfind("\n", 0, first - 1) + 1


def _can_be_quoted(quote: str) -> bool:
    return len(quote) >= LEAST_CHARS and len(re.findall(r"\w+", quote)) >= LEAST_WORDS
