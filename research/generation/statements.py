"""Reads passages into statements: a rule with the list that completes it, as one that can be quoted.

An Act puts a sentence on many lines: a lead-in that ends in a colon, lettered paragraphs, a conclusion set flush
left. Here the lines find each other again. What to quote of them is for `extractive` to choose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from research.terms import Passage, Role

_MARK = re.compile(r"^\(([0-9]{1,4}[A-Z]{0,4}|[a-z]{1,4}|[A-Z]{1,3})\)\s")
_NOTE = re.compile(r"^Notes?(?: \d+[A-Z]*)?\b[:\s.]")
_EXAMPLE = re.compile(r"^Examples?(?: \d+[A-Z]*)?\s*[:.]")
_ROMAN = re.compile(r"^(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})[a-h]?$")
_SENTENCE_END = (".", ";", ":", ",", "—", "-", "!")
_OPEN_END = (":", ";", ",", "—", "; and", "; or", " and", " or")
_MAX_HEADING_CHARS = 140


class LineKind(StrEnum):
    SUBSECTION = "subsection"  # "(1) …", or a sentence that stands without a number
    ITEM = "item"  # "(a) …", "(i) …"
    CONCLUSION = "conclusion"  # set flush left after a list, finishing its sentence
    HEADING = "heading"  # "Exceptions"
    NOTE = "note"
    EXAMPLE = "example"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a passage: passage.text[start:end]. level: 0 subsection, 1 (a), 2 (i), 3 (A)."""

    passage: Passage
    start: int
    end: int
    kind: LineKind
    level: int
    label: str

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]


@dataclass(slots=True)
class Statement:
    """The lines of one sentence of law in reading order; the first is its lead-in unless `is_orphan`.

    subheading: the heading set above it inside the section, "" for none. is_orphan: its lead-in is not among
    the passages, so that it cannot be understood, or quoted, alone.
    """

    kind: LineKind
    position: int
    subheading: str = ""
    is_orphan: bool = False
    lines: list[Line] = field(default_factory=list)

    @property
    def passage(self) -> Passage:
        return self.lines[0].passage

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @property
    def lead_in(self) -> str:
        """Its first line without the number."""
        first = self.lines[0].text
        mark = _MARK.match(first)
        return first[mark.end() :] if mark else first


def read_statements(passages: Iterable[Passage]) -> list[Statement]:
    """The statements of one version's passages, in reading order; omitted tables and bare headings give none."""
    reader = _Reader()
    for passage in sorted(passages, key=lambda passage: (passage.ordinal, passage.chunk_id)):
        if passage.role is Role.OMITTED:
            reader.close()
            continue
        reader.read(passage)
    return reader.statements


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Where each sentence of `text` begins and ends; a stop ends one when a capital or a bracket follows it."""
    spans, start = [], 0
    for match in re.finditer(r"(?<=[a-z0-9)%][.?!])\s+(?=[A-Z(])", text):
        if text[start : match.start()].rsplit(" ", 1)[-1] in _ABBREVIATIONS:
            continue
        spans.append((start, match.start()))
        start = match.end()
    spans.append((start, len(text)))
    return spans


_ABBREVIATIONS = frozenset(("No.", "Nos.", "s.", "ss.", "e.g.", "i.e.", "etc.", "Pt.", "Div.", "Ltd.", "Pty.", "cf."))


class _Reader:
    """Holds the statement that is open while lines are read."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []
        self._open: Statement | None = None
        self._heading = ""
        self._previous: Passage | None = None
        self._after_gap = False

    def close(self) -> None:
        self._open = None
        self._heading = ""

    def read(self, passage: Passage) -> None:
        self._mind_the_gap(passage)
        if passage.is_dictionary_entry and passage.role is Role.DEFINITION:
            self._read_definition(passage)
            return
        for start, end in _line_spans(passage.text):
            self._read_line(passage, start, end)

    def _mind_the_gap(self, passage: Passage) -> None:
        """Passages may be missing between two: within one subsection its lettered list goes on, else nothing does."""
        previous, self._previous = self._previous, passage
        if previous is None or passage.ordinal == previous.ordinal + 1:
            return
        self._after_gap = passage.parent == previous.parent and self._is_open(LineKind.SUBSECTION)
        if not self._after_gap:
            self.close()

    def _read_definition(self, passage: Passage) -> None:
        """A definition is one statement, whatever its lines look like; its pieces join."""
        previous = self._open.passage if self._open else None
        joins = previous is not None and (previous.version_id, previous.defined_term) == (
            passage.version_id,
            passage.defined_term,
        )
        if not joins:
            self._start(LineKind.SUBSECTION)
        for start, end in _line_spans(passage.text):
            text = passage.text[start:end]
            level = self._level(text)
            if _NOTE.match(text) or _EXAMPLE.match(text):
                continue
            kind = LineKind.SUBSECTION if not self._lines() else LineKind.ITEM if level else LineKind.CONCLUSION
            self._add(passage, start, end, kind, level or (0 if kind is LineKind.SUBSECTION else 1))

    def _read_line(self, passage: Passage, start: int, end: int) -> None:
        text = passage.text[start:end]
        aside = _aside_kind(passage, text)
        if aside is not None and (_starts_aside(text) or not self._is_open(aside)):
            self._start(aside)
            self._add(passage, start, end, aside, 0)
            return
        level = self._level(text)
        if self._after_gap and level not in (0, 1):
            return  # what it belongs to is among the missing passages
        self._after_gap = False
        if self._is_open(LineKind.NOTE) or self._is_open(LineKind.EXAMPLE):
            if self._continues_aside(passage, text, level):
                self._add(passage, start, end, self._kind(), level or 0)
                return
            self._resume_rule(text, level)
        self._read_rule_line(passage, start, end, text, level)

    def _read_rule_line(self, passage: Passage, start: int, end: int, text: str, level: int | None) -> None:
        if level == 0:
            self._start(LineKind.SUBSECTION)
            self._add(passage, start, end, LineKind.SUBSECTION, 0)
        elif level is not None:
            if self._open is None:
                self._start(LineKind.SUBSECTION, is_orphan=True)
            self._add(passage, start, end, LineKind.ITEM, level)
        elif self._open is not None and _continues(text, self._lines()):
            self._add(passage, start, end, LineKind.CONCLUSION, 1)
        elif _is_heading(text):
            self.close()
            self._heading = text
        else:
            orphan = self._open is None and text[:1].islower()
            self._start(LineKind.SUBSECTION, is_orphan=orphan)
            self._add(passage, start, end, LineKind.SUBSECTION, 0)

    def _resume_rule(self, text: str, level: int | None) -> None:
        """After a note inside a list, "(b) …" goes on with the list, not with the note."""
        rule = next((found for found in reversed(self.statements) if found.kind is LineKind.SUBSECTION), None)
        goes_on = rule is not None and not rule.is_orphan and (level or _continues(text, rule.lines))
        self._open = rule if goes_on else None

    def _continues_aside(self, passage: Passage, text: str, level: int | None) -> bool:
        """Whether the line belongs to the note or example that is open."""
        if passage.role in (Role.NOTE, Role.EXAMPLE):
            return True
        if level == 0:
            return False
        if self._is_open(LineKind.EXAMPLE):
            return level is None and not _is_heading(text)
        return self._lines()[-1].text.endswith(_OPEN_END)

    def _level(self, text: str) -> int | None:
        return _level_of(text, self._lines())

    def _lines(self) -> list[Line]:
        return self._open.lines if self._open else []

    def _kind(self) -> LineKind:
        return self._open.kind if self._open else LineKind.SUBSECTION

    def _is_open(self, kind: LineKind) -> bool:
        return self._open is not None and self._open.kind is kind

    def _start(self, kind: LineKind, is_orphan: bool = False) -> None:
        self._open = Statement(kind, len(self.statements), self._heading, is_orphan)
        if kind is LineKind.SUBSECTION:
            self._heading = ""
        self.statements.append(self._open)

    def _add(self, passage: Passage, start: int, end: int, kind: LineKind, level: int) -> None:
        mark = _MARK.match(passage.text[start:end] + " ")
        self._lines().append(Line(passage, start, end, kind, level, mark.group(1) if mark else ""))


def _line_spans(text: str) -> list[tuple[int, int]]:
    spans = []
    for match in re.finditer(r"[^\n]+", text):
        line = match.group()
        stripped = line.strip()
        if stripped:
            start = match.start() + line.index(stripped)
            spans.append((start, start + len(stripped)))
    return spans


def _starts_aside(text: str) -> bool:
    return bool(_NOTE.match(text) or _EXAMPLE.match(text))


def _aside_kind(passage: Passage, text: str) -> LineKind | None:
    if _NOTE.match(text) or (passage.role is Role.NOTE and not _EXAMPLE.match(text)):
        return LineKind.NOTE
    if _EXAMPLE.match(text) or passage.role is Role.EXAMPLE:
        return LineKind.EXAMPLE
    return None


def _level_of(text: str, lines: Sequence[Line]) -> int | None:
    """0 for "(1)", 1 for "(a)", 2 for "(i)", 3 for "(A)", None without a mark.

    "(i)" and "(v)" are letters after "(h)" and "(u)", and numerals otherwise.
    """
    mark = _MARK.match(text + " ")
    if not mark:
        return None
    label = mark.group(1)
    if label[0].isdigit():
        return 0
    if label[0].isupper():
        return 3
    return 2 if _ROMAN.match(label) and not _follows_letter(label, lines) else 1


def _follows_letter(label: str, lines: Sequence[Line]) -> bool:
    """Whether "(i)", "(v)" or "(x)" goes on with the letters: up to three back, for repeals leave holes."""
    last = next((line for line in reversed(lines) if line.level == 1 and line.label), None)
    if last is None or lines[-1].level == 2 or lines[-1].text.endswith((":", "—")):
        return False
    return len(label) <= 2 and 0 <= ord(label[0]) - ord(last.label[0]) <= 3


def _continues(text: str, lines: Sequence[Line]) -> bool:
    """Whether an unmarked line finishes the sentence that `lines` began."""
    if not lines:
        return False
    before = lines[-1].text
    if text[:1].islower():
        return True
    return before.endswith(_OPEN_END) and not _is_heading(text)


def _is_heading(text: str) -> bool:
    return len(text) <= _MAX_HEADING_CHARS and not text.endswith(_SENTENCE_END) and text[:1].isupper()
