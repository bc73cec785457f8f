"""What the cover of a compilation says: title, number and year, compilation, date, and up to which Act it goes.

Pure. Takes the paragraphs in front of the law; what is not there is "" or 0, and no date is None.
"""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from research.corpus.ingest.epub.blocks import Block

MONTHS = tuple(month_name)[1:]
_DAY = r"(?P<day>\d{1,2})\s+(?P<month>[A-Z][a-z]+),?\s+(?P<year>\d{4})"
_DATED = tuple(
    re.compile(pattern + _DAY)
    for pattern in (
        r"Compilation\s+date:?\s*",
        r"\bas\s+amended\s+and\s+in\s+force\s+on\s+",
        r"\bin\s+force\s+on\s+",
        r"Start\s+date:?\s*",
        r"[Cc]ompilation\s+was\s+prepared\s+on\s+",
        r"\b[Rr]eprinted\s+as\s+at\s+",
    )
)
_ASSENTED = re.compile(r"\[?Assented to\s+" + _DAY)
_ACT_NUMBER = re.compile(r"\bNo\.?\s*(\d{1,4}),?\s+(?:of\s+)?((?:18|19|20)\d\d)\b")
_COMPILATION = re.compile(r"Compilation\s+No\.?\s*([0-9A-Z]{1,6})\b")
_INCLUDES = re.compile(
    r"(?:Includes\s+amendments(?:\s+up\s+to)?:?|amendments\s+up\s+to)\s*(?:Act\s+)?(?P<rest>.*)", re.DOTALL
)
_INSTRUMENT_ID = re.compile(r"\b([CF]\d{4}[A-Z]\d{5})\b")
_REGISTER_ID = re.compile(r"([CF]\d{4}C\d{5})")
_NOT_COMMENCED = re.compile(r"\b(?:not\s+(?:yet\s+)?commenced|uncommenced)\b")
_NUMBERS = re.compile(r"\bNos?\.?\s*((?:\d{1,4}(?:,\s*|\s+and\s+|\s*&\s*)?)+?),?\s+(?:of\s+)?((?:19|20)\d\d)\b")
_VOLUMES = re.compile(r"This\s+compilation\s+is\s+in\s+(\w+)\s+volumes", re.IGNORECASE)
_WORDS_FOR_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TITLE = re.compile(
    r"[A-Z][^\n]{3,250}\b(?:Act|Regulation|Rule|Determination|Instrument|Ordinance|Code|Order)s?\b[^\n]{0,80}"
    r"\b(?:18|19|20)\d\d\b.{0,20}"
)


@dataclass(frozen=True, slots=True)
class Cover:
    """volumes: how many it says there are, 0 where it does not. is_as_made: dated by the assent, no compilation."""

    title: str
    act_number: int
    act_year: int
    compilation_number: str
    register_id: str
    dated: date | None
    includes_to: str
    not_commenced: tuple[tuple[int, int], ...]
    volumes: int
    is_as_made: bool = False


def read_cover(blocks: Sequence[Block], identity: Iterable[str], file_name: str) -> Cover:
    """What the paragraphs in front of the law say. identity: title and identifiers out of the OPF; both stand back."""
    lines = [block.text.replace("\u00a0", " ").replace("\n", " ") for block in blocks if block.text]
    identity = list(identity)
    whole = "\n".join(lines)
    dated = next((day for pattern in _DATED if (day := _first_day(pattern, whole))), None)
    assented = _first_day(_ASSENTED, whole) if dated is None else None
    number, year = _act_number(blocks, lines)
    compilation = _COMPILATION.search(whole)
    volumes = _VOLUMES.search(whole)
    return Cover(
        _title(blocks, lines, identity),
        number,
        year,
        compilation.group(1) if compilation else "",
        next((f.group(1) for text in [whole, *identity, file_name] if (f := _REGISTER_ID.search(text))), ""),
        dated or assented,
        _includes(lines),
        tuple(dict.fromkeys(_not_commenced(whole))),
        _count(volumes.group(1)) if volumes else 0,
        dated is None and assented is not None,
    )


def day_of(day: str, month: str, year: str) -> date | None:
    """The date, None for one that is none ("31 February 2025") or a month that is none."""
    try:
        return date(int(year), MONTHS.index(month) + 1, int(day))
    except ValueError:
        return None


def _first_day(pattern: re.Pattern[str], text: str) -> date | None:
    days = (day_of(found["day"], found["month"], found["year"]) for found in pattern.finditer(text))
    return next((day for day in days if day), None)


def _title(blocks: Sequence[Block], lines: Sequence[str], identity: Sequence[str]) -> str:
    styled = [block.text for block in blocks if block.style in ("ShortT", "LI-Title") and block.text]
    found = styled or [line for line in lines if _TITLE.fullmatch(line)] or [t for t in identity if _TITLE.fullmatch(t)]
    return " ".join(found[0].replace("\u00a0", " ").split()) if found else ""


def _act_number(blocks: Sequence[Block], lines: Sequence[str]) -> tuple[int, int]:
    """Of the Act itself: the styled line, else the first line that is a number and a year and nothing else."""
    styled = [block.text.replace("\u00a0", " ") for block in blocks if block.style in ("CompiledActNo", "ActNo")]
    for line in [*styled, *(line for line in lines if len(line) < 80 and not line.startswith(("Compil", "Includes")))]:
        if found := _ACT_NUMBER.search(line):
            return int(found.group(1)), int(found.group(2))
    return 0, 0


def _includes(lines: Sequence[str]) -> str:
    """ "38, 2024"; an instrument's amendments are named by their own id ("F2024L00417")."""
    for at, line in enumerate(lines):
        if found := _INCLUDES.search(line):
            rest = found["rest"] or (lines[at + 1] if at + 1 < len(lines) else "")
            if acts := [(int(year), int(number)) for number, year in _ACT_NUMBER.findall(rest)]:
                return f"{max(acts)[1]}, {max(acts)[0]}"
            if instrument := _INSTRUMENT_ID.search(rest):
                return instrument.group(1)
    return ""


def _not_commenced(whole: str) -> Iterable[tuple[int, int]]:
    for line in whole.split("\n"):
        for sentence in re.sub(r"\b(Nos?)\.", r"\1", line).split(". "):
            for numbers, year in _NUMBERS.findall(sentence) if _NOT_COMMENCED.search(sentence) else ():
                yield from ((int(number), int(year)) for number in re.findall(r"\d+", numbers))


def _count(word: str) -> int:
    if word.isdigit():
        return int(word)
    return _WORDS_FOR_NUMBERS.index(word.lower()) + 1 if word.lower() in _WORDS_FOR_NUMBERS else 0
