"""Texts without a style for headings: old scans and classless instruments, by numbered lines, or by their tables.

Pure. A pass is accepted only where its numbers begin at 1 and go up one by one: better "cannot be read" than a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from research.corpus.ingest.epub.blocks import Block
from research.corpus.ingest.epub.cover import MONTHS
from research.corpus.ingest.epub.furniture import furniture_of
from research.corpus.ingest.epub.headings import Heading, Rank, Recogniser

Line = tuple[str, bool]
"""(text, whether it is a table) of a block."""

MIN_HEADINGS = 2
MAX_HEADING_CHARS = 160

_NUMBERED = re.compile(r"(?P<number>\d{1,3}[A-Z]{0,3})\s+(?P<title>[A-Z][^\n]*)", re.DOTALL)
_SCAN = re.compile(
    r"(?P<number>\d{1,3}[A-Z]{0,3})\.\s*(?P<dash>[—–-]+\s*\(1\.?\)\.?)?(?P<rest>.*)", re.DOTALL
)  # "3.—(1.) The Commissioner may …"
_DAY = re.compile(rf"\d{{1,2}}\s(?:{'|'.join(MONTHS)})\b")
_SENTENCE_END = re.compile(r"[.;:,]$|\.\s+[A-Z]")


def lines_of(blocks: Sequence[Block]) -> list[Line]:
    """The lines of a volume, its contents and running heads left out: they have the numbers too."""
    return [(block.text, block.table is not None) for block in blocks if not furniture_of(block)]


def numbered_lines(volumes: Sequence[Sequence[Line]]) -> Recogniser | None:
    """Tells headings by their numbers, None if the lines do not bear it out."""
    lines = [text for volume in volumes for text, is_table in volume if not is_table]
    for candidate in (_scan_heading, _short_heading):
        found = [heading for text in lines if (heading := candidate(text))]
        if candidate is _scan_heading and not any((m := _SCAN.match(text)) and m["dash"] for text in lines):
            continue
        if len(found) >= MIN_HEADINGS and ascends([heading.number for heading in found]):
            return _recogniser(candidate)
    return None


def _recogniser(candidate: Callable[[str], Heading | None]) -> Recogniser:
    return lambda block: None if block.table else candidate(block.text)


def ascends(numbers: Sequence[str]) -> bool:
    """Whether numbers begin at 1 and go up one by one, letters between: 1, 2, 2A, 3."""
    whole = [int(re.match(r"\d+", number).group()) for number in numbers]  # type: ignore[union-attr]
    if whole[:1] != [1]:
        return False
    pairs = zip(pairwise(whole), pairwise(numbers), strict=True)
    return all(after - before == 1 or (after == before and new != old) for (before, after), (old, new) in pairs)


def _short_heading(text: str) -> Heading | None:
    """ "5 Prescribed courses": a number, a title, no sentence; it may end in a digit ("… of Division 75")."""
    found = _NUMBERED.fullmatch(text)
    if not found or len(text) > MAX_HEADING_CHARS or _DAY.match(text) or _SENTENCE_END.search(text):
        return None
    return Heading(Rank.SECTION, "", found["number"], found["title"].strip())


def _scan_heading(text: str) -> Heading | None:
    """ "3.—(1.) The Commissioner may …": the number of a section in a scan, its words in the same line."""
    found = _SCAN.fullmatch(text)
    if not found or not found["rest"].strip() or re.match(r"\s*No\b", found["rest"]):
        return None
    return Heading(Rank.SECTION, "", found["number"], "", is_run_in=True)


def tables_alone(volumes: Sequence[Sequence[Line]]) -> bool:
    """Whether a text without headings is a set of tables: at least one, and more of them than of other lines."""
    tables = prose = 0
    for volume in volumes:
        kinds = [is_table for text, is_table in volume if text or is_table]
        captions = sum(not kind and follows for kind, follows in pairwise(kinds))
        tables += sum(kinds)
        prose += len(kinds) - sum(kinds) - captions
    return tables > prose
