"""The lines of a ruling as units that can be cited: numbered paragraphs, else what stands under one heading.

Pure. A paragraph is cited by its number only where the page prints one. What is not the ruling's own text (notes of the
database, the box on protection, contents, signature, copyright) is set apart here, counted under the names of
`page.DROPPED`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from research.corpus.ingest.ato.lines import Line
from research.corpus.ingest.visible import solid

_NUMBERED = re.compile(r"(?P<number>\d{1,4})(?P<letter>[A-Z]{0,2})\.\s+(?=\S)")
_FOOTNOTE = re.compile(r"\[(\d{1,3})\]\s*(?=\S)")
_FOOTNOTE_MARK = re.compile(r"\[(\d{1,3})\]")
_APPENDIX = re.compile(r"(?:appendix\b|non[- ]binding section|compendium\b)", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:appendix \d+\s*[-–—:]?\s*)?(?:detailed )?(?:table of )?contents(?: list)?", re.IGNORECASE)
_PROTECTION = re.compile(
    r"this (?:publication|ruling|determination|(?:practical compliance )?guideline) provides you with the following"
    r"|^preamble$|^relying on this (?:ruling|determination|guideline)$",
    re.IGNORECASE,
)
_COPYRIGHT = re.compile(r"©\s*(?:australian taxation office|commonwealth of australia)", re.IGNORECASE)
_SIGNATURE = re.compile(r"(?:(?:acting |deputy )?commissioner of taxation)", re.IGNORECASE)
_DATE_ALONE = re.compile(r"\d{1,2}\s+[A-Z][a-z]+\s+\d{4}\.?")
_NOTE = re.compile(
    r"please note that the pdf version|this document has (?:changed over time|been)|^foi (?:status|number)\b"
    r"|^[\[(]?\s*note: this is a consolidated version|^view (?:its|the) history|^(?:[IL] ?\d+|may be released)$"
    r"|this version is no longer current|follow this link to view|^\S.{0,30}\d history$",
    re.IGNORECASE,
)
_NOT_IN_A_HEADING = re.compile(r"[.;:,]$")
MAX_GAP = 60  # paragraphs that an addendum took out in one place


@dataclass(slots=True)
class Unit:
    """A paragraph (number), or the text under a heading that has none (""). appendix: 1, 2 … where the numbers began
    again, 0 before. is_binding: stands in the part that rules. path: the headings above the nearest.
    """

    number: str
    heading: str
    path: tuple[str, ...]
    is_binding: bool
    appendix: int = 0
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@dataclass(slots=True)
class Body:
    """A ruling's body, taken apart. signed: the line under the Commissioner's name, where the day of issue stands.

    headings: characters in headings, each counted once. protection, notes: text that is about the document.
    """

    units: list[Unit] = field(default_factory=list)
    signed: str = ""
    protection: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    headings: int = 0
    dropped: Counter[str] = field(default_factory=Counter)


def front_of(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """The head of a page that marks none, and the rest: its first lines as far as they are headings of level 1 to 3."""
    at = 0
    while at < len(lines) and (1 <= lines[at].level <= 3) and at < 3:
        at += 1
    return lines[:at], lines[at:]


def body_of(lines: Iterable[Line]) -> Body:
    """The body that `lines` make."""
    reader = _Reader()
    for line in lines:
        reader.take(line)
    reader.place_footnotes()
    body = reader.body
    body.units = [unit for unit in body.units if unit.lines]
    return body


class _Reader:
    def __init__(self) -> None:
        self.body = Body()
        self.above: list[tuple[int, str]] = []
        self.unit = Unit("", "", (), True)
        self.body.units.append(self.unit)
        self.skipping = ""  # the name under which lines are left out at present
        self.skips_numbers = False
        self.is_binding = True
        self.appendix = 0
        self.last = 0  # the number of the last paragraph
        self.footnotes: list[tuple[str, str]] = []

    def take(self, line: Line) -> None:
        number = self._number(line)
        if self._is_left_out(line, bool(number)):
            return
        if number:
            self._paragraph(line, number)
        elif line.level and not (line.level > 6 and _NOT_IN_A_HEADING.search(line.text)):
            self._heading(line)
        elif (found := _FOOTNOTE.match(line.text)) and not line.is_row:
            self.footnotes.append((found.group(1), line.text))
        else:
            self.unit.lines.append(line.text)

    # -- what is left out

    def _is_left_out(self, line: Line, is_numbered: bool) -> bool:
        body = self.body
        if _NOTE.search(line.text) and not is_numbered:
            body.notes.append(line.text)
            return self._drop(line, "notes of the database")
        if _SIGNATURE.fullmatch(line.text):
            self.skipping = "signature"
            return self._drop(line, "signature")
        if self.skipping == "signature":
            self.skipping = ""
            if _DATE_ALONE.fullmatch(line.text):
                body.signed = line.text
                return self._drop(line, "signature")
        if "COPYRIGHT" in line.anchors or _COPYRIGHT.match(line.text):
            self.skipping = "copyright"
        elif _PROTECTION.search(line.text) and not is_numbered:
            self.skipping = "level of protection"
        elif line.level and _CONTENTS.fullmatch(line.text):
            self.skipping = "contents"
            self.skips_numbers = "list" in line.text.lower()  # an appendix of contents has a numbered paragraph
        elif self._goes_on(line, is_numbered):
            self.skipping = ""
        if self.skipping == "level of protection":
            body.protection.append(line.text)
        return self._drop(line, self.skipping) if self.skipping else False

    def _goes_on(self, line: Line, is_numbered: bool) -> bool:
        """Whether the document's own text goes on with this line."""
        if self.skipping == "copyright":
            return bool(line.level and line.level <= 6) or bool(_FOOTNOTE.match(line.text))
        is_heading = bool(line.level) and not _NOT_IN_A_HEADING.search(line.text)
        return is_heading or (is_numbered and not (self.skipping == "contents" and self.skips_numbers))

    def _drop(self, line: Line, name: str) -> bool:
        self.body.dropped[name] += solid(line.text)
        return True

    # -- what is kept

    def _heading(self, line: Line) -> None:
        self.body.headings += solid(line.text)
        if _APPENDIX.match(line.text):
            self.is_binding = False
            self.above.clear()
        self.above = [(level, text) for level, text in self.above if level < line.level]
        path = tuple(text for _, text in self.above)
        self.above.append((line.level, line.text))
        self._open(Unit("", line.text, path, self.is_binding, self.appendix))

    def _number(self, line: Line) -> str:
        """The number of the paragraph that begins with this line, "" where it only looks so."""
        found = _NUMBERED.match(line.text)
        if found is None or line.is_row:
            return ""
        number, label = int(found["number"]), found["number"] + found["letter"]
        if f"P{label}" in line.anchors:
            return label
        if line.is_item:
            return ""
        if number == 1 and not found["letter"]:
            begins_again = self.last == 0 or (not self.is_binding and self.unit.number == "")
            return label if begins_again else ""
        goes_on = number == self.last if found["letter"] else self.last < number <= self.last + MAX_GAP
        return label if goes_on else ""

    def _paragraph(self, line: Line, label: str) -> None:
        number = int(label.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        if number < self.last:
            self.appendix += 1
        self.last = number
        path = tuple(text for _, text in self.above[:-1])
        heading = self.above[-1][1] if self.above else ""
        self._open(Unit(label, heading, path, self.is_binding, self.appendix))
        text = line.text[line.text.index(".") + 1 :].lstrip()
        self.body.headings += solid(f"{label}.")
        self.unit.lines.append(text)

    def _open(self, unit: Unit) -> None:
        self.unit = unit
        self.body.units.append(unit)

    def place_footnotes(self) -> None:
        """Each footnote goes to the first unit that points to it; one that none does is kept in a unit of its own."""
        left = Unit("", "Footnotes", (), False)
        first: dict[str, Unit] = {}
        for unit in self.body.units:
            for mark in _FOOTNOTE_MARK.findall(unit.text):
                first.setdefault(mark, unit)
        for mark, text in self.footnotes:
            first.get(mark, left).lines.append(text)
        if left.lines:
            self.body.units.append(left)
