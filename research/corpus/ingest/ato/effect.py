"""To which days a ruling applies, by its own words on its date of effect.

Pure. Date of issue and date of effect are two facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from research.corpus.ingest.ato.dates import DATE, first_day_in
from research.law.provision import ALWAYS

_KIND = r"(?:taxation |class |product |law companion |practical compliance |goods and services tax )?" + (
    r"(?:ruling|determination|document|guideline|publication|practice statement)"
)
THIS = rf"this {_KIND}"  # in a ruling's own text, "the Ruling" and "it" may be another one

_SENTENCE = re.compile(r"(?<=[.;?!])\s+(?=[A-Z(\[‘“'\"])|\n")
_SAYS_SO = re.compile(rf"\b(?:(?:this|the) {_KIND}|it)\b.{{0,60}}?\bappl(?:ies|y|ied)\b|^applies\b", re.I | re.DOTALL)
_SAYS_SO_ANYWHERE = re.compile(
    rf"\b{THIS}\b.{{0,20}}?\bapplies"
    r" (?:both|from|on|for the period|to (?:the )?(?:years? of income|income years?|\d{4}))",
    re.IGNORECASE,
)
_DOES_NOT = re.compile(r"\b(?:does|do|did|will) not apply\b", re.IGNORECASE)
_BOTH = re.compile(r"\bbefore and after (?:its|the) date of (?:its )?(?:issue|publication)", re.IGNORECASE)
_WINDOW = re.compile(
    rf"(?:from|between|period)\s+(?:and including\s+)?({DATE})\s+(?:to|until|and|[-–—])\s+({DATE})", re.I
)
_FROM = re.compile(
    rf"(?:on (?:and|or) (?:from|after)|from|since|after|beginning on|commencing on|starting on)\s+({DATE})",
    re.I,
)
_YEAR = r"((?:19|20)\d{2})[-–‑—](\d{2}|\d{4})"
_YEARS = re.compile(
    rf"{_YEAR}\s*(?:to|until|[-–—])\s*(?:the\s+)?{_YEAR}\s+(?:income|financial)?\s*years?"
    rf"|(?:income|financial) years?\s+(?:from\s+)?{_YEAR}\s+to\s+{_YEAR}",
    re.I,
)
_YEAR_ON = re.compile(
    rf"{_YEAR}\s+(?:and (?:later|subsequent)\s+)?(?:income|financial) years?(.{{0,60}})", re.IGNORECASE
)
_LATER = re.compile(r"\b(?:later|subsequent|onwards?)\b", re.IGNORECASE)
_AT_ISSUE = re.compile(
    r"\b(?:from|after|on and from|on or after) (?:its|the) date of (?:its )?(?:issue|publication)", re.I
)


@dataclass(frozen=True, slots=True)
class Effect:
    """To what days a ruling applies by its own words, half-open; ends is None for no end. by: how that is known."""

    starts: date
    ends: date | None
    by: str


def sentences_in(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(text):
        folded = " ".join(sentence.split())
        if folded:
            yield folded


def effect_of(on_effect: Iterable[str], others: Iterable[str], issued: date | None) -> Effect | None:
    """To what days a ruling applies by its own words, None where they do not say.

    on_effect: its paragraphs on date of effect, where any sentence on what applies is meant. others: all others, where
    only one that says outright when "this Ruling applies" is: "This Ruling applies to ferries built after 1 July 1999"
    says nothing of the ruling's time. issued: its date of issue, None if not known.
    """
    for texts, says_so in ((on_effect, _SAYS_SO), (others, _SAYS_SO_ANYWHERE)):
        for sentence in (sentence for text in texts for sentence in sentences_in(text)):
            if says_so.search(sentence) and not _DOES_NOT.search(sentence):
                found = _effect_in(sentence, issued)
                if found is not None:
                    return found
    return None


def _effect_in(sentence: str, issued: date | None) -> Effect | None:
    by = "its date of effect"
    if _BOTH.search(sentence):
        return Effect(ALWAYS, None, by)
    if window := _WINDOW.search(sentence):
        first, last = first_day_in(window.group(1)), first_day_in(window.group(2))
        return Effect(first, last + timedelta(days=1), by) if first and last and first <= last else None
    if years := _YEARS.search(sentence):
        parts = [part for part in years.groups() if part]
        return Effect(date(int(parts[0]), 7, 1), date(int(parts[2]) + 1, 7, 1), by)
    if starts := _FROM.search(sentence):
        first = first_day_in(starts.group(1))
        return Effect(first, None, by) if first else None
    if year := _YEAR_ON.search(sentence):
        first = date(int(year.group(1)), 7, 1)
        return Effect(first, None if _LATER.search(year.group()) else date(first.year + 1, 7, 1), by)
    if issued is not None and _AT_ISSUE.search(sentence):
        return Effect(issued, None, by)
    return None
