"""The lines of a provision and what each is: subsection, paragraph, heading, note, example, continuation.

Pure. Reads the plain lines of a corpus record, where numbering is kept and styles are gone; cuts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

OPERATIVE, NOTE, EXAMPLE = "operative", "note", "example"

_SUBSECTION = re.compile(r"\((\d+[A-Z]{0,4})\)(?=\s|\(|$)")
_PARAGRAPH = re.compile(r"\(([a-z]{1,4})\)(?=\s|\(|$)")
_CAPITAL = re.compile(r"\(([A-Z]{1,3})\)(?=\s|\(|$)")
_ROMAN = re.compile(r"(?:x{0,3})(?:ix|iv|v?i{0,3})[a-z]?")
_NOTE = re.compile(r"Notes?(?:\s+\d+[A-Z]?)?(?::|\s|$)")
_EXAMPLE = re.compile(r"Examples?(?:\s+\d+)?(?::|\s(?=[A-Z])|$)")
_STEP = re.compile(r"Step \d+[A-Z]?\.")
_ENDED = re.compile(r"(?:(?<!\betc)[.;:,—]|\b(?:and|or|but))\s*$")
_HEADING_STARTS = re.compile(r"[A-Z0-9\[]")

MAX_HEADING_CHARS = 140


@dataclass(frozen=True, slots=True)
class Line:
    """[start, end) in the text. depth: 1 subsection, 2 paragraph, 3 subparagraph, 4 below.

    above: the lines it hangs from, outermost first, as indices into the same outline. subsection: a number for each
    subsection in turn, because a source may have two with one label.
    """

    start: int
    end: int
    depth: int
    role: str
    parent: str
    label: str = ""
    is_heading: bool = False
    subsection: int = 0
    above: tuple[int, ...] = ()


def outline(text: str, start: int = 0, end: int | None = None, parent: str = "") -> list[Line]:
    """The lines of text[start:end] that are not blank. parent: label of the subsection that it continues."""
    spans = _line_spans(text, start, len(text) if end is None else end)
    bare = [text[a:b].strip() for a, b in spans]
    reader = _Reader(parent)
    lines = [
        replace(reader.read(words, bare[at + 1] if at + 1 < len(bare) else ""), start=spans[at][0], end=spans[at][1])
        for at, words in enumerate(bare)
    ]
    return _hung(_headings_given_to_what_follows(lines))


def _line_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans = []
    for match in re.finditer(r"[^\n]+", text[start:end]):
        line = match.group()
        if line.strip():
            left = len(line) - len(line.lstrip())
            spans.append((start + match.start() + left, start + match.start() + len(line.rstrip())))
    return spans


class _Reader:
    """Reads line after line and remembers what the last ones were."""

    def __init__(self, parent: str) -> None:
        self.parent = parent
        self.subsection = 0
        self.role = OPERATIVE
        self.opens_list = False  # the note or example being read ended in a colon, so a list may belong to it
        self.aside_label = ""  # last label of that list
        self.letter = ""  # last paragraph label at depth 2
        self.last_depth = 1

    def read(self, words: str, following: str) -> Line:
        for pattern, role in ((_NOTE, NOTE), (_EXAMPLE, EXAMPLE)):
            if pattern.match(words) and not (role == EXAMPLE and is_subheading(words, following)):
                self.role, self.opens_list, self.aside_label = role, _opens_list(words), ""
                return self._line(1)
        if found := _SUBSECTION.match(words):
            self.role, self.parent, self.letter = OPERATIVE, f"({found.group(1)})", ""
            self.subsection += 1
            return self._line(1, found.group())
        depth, label = self._marked(words)
        if label:
            if self.role != OPERATIVE and not self._belongs_to_aside(label):
                self.role = OPERATIVE
            if self.role == OPERATIVE and depth == 2:
                self.letter = label
            self.aside_label = label
            return self._line(depth, label)
        return self._unmarked(words, following)

    def _unmarked(self, words: str, following: str) -> Line:
        if is_subheading(words, following):
            self.role, self.letter = OPERATIVE, ""
            return self._line(1, heading=True)
        if self.role == NOTE and not (self.opens_list and not self.aside_label) and not words.startswith("- "):
            self.role = OPERATIVE
        if self.role == EXAMPLE and _STEP.match(words):
            self.role = OPERATIVE
        continues = bool(self.parent) or words[:1].islower() or words.startswith("- ")
        return self._line(2 if continues or self.role != OPERATIVE else 1)

    def _line(self, depth: int, label: str = "", heading: bool = False) -> Line:
        self.last_depth = depth
        return Line(0, 0, depth, self.role, self.parent, label, heading, self.subsection)

    def _marked(self, words: str) -> tuple[int, str]:
        if found := _CAPITAL.match(words):
            return 4, found.group(1)
        found = _PARAGRAPH.match(words)
        if not found:
            return 0, ""
        label = found.group(1)
        if not _ROMAN.fullmatch(label):
            return 2, label
        follows_letter = len(label) == 1 and self.letter[:1] == chr(ord(label) - 1) and self.last_depth == 2
        starts_roman = label == "i" and not follows_letter
        is_roman = starts_roman or (self.last_depth >= 3 and not follows_letter) or len(label.rstrip("abcdefgh")) > 1
        return (3 if is_roman else 2), label

    def _belongs_to_aside(self, label: str) -> bool:
        return self.opens_list and (bool(self.aside_label) or label in ("a", "i", "A"))


def _opens_list(words: str) -> bool:
    return words.endswith((":", "—"))


def is_subheading(words: str, following: str) -> bool:
    """Whether an unmarked line is a heading within a section: short, unended, and a subsection comes next."""
    return (
        len(words) <= MAX_HEADING_CHARS
        and _HEADING_STARTS.match(words) is not None
        and not _NOTE.match(words)
        and not _ENDED.search(words)
        and _SUBSECTION.match(following) is not None
    )


def _headings_given_to_what_follows(lines: Sequence[Line]) -> list[Line]:
    """A heading takes the parent of the line after it, so that it is cut together with that line."""
    given = list(lines)
    for at in range(len(given) - 2, -1, -1):
        if given[at].is_heading:
            below = given[at + 1]
            given[at] = replace(given[at], parent=below.parent, role=below.role, subsection=below.subsection)
    return given


def _hung(lines: Sequence[Line]) -> list[Line]:
    """Each line with the lines it hangs from: the nearest earlier ones of each smaller depth, in its own subsection."""
    hung: list[Line] = []
    stack: list[int] = []
    for at, line in enumerate(lines):
        if line.is_heading:
            stack = []
            hung.append(line)
            continue
        stack = [i for i in stack if lines[i].subsection == line.subsection]
        if line.role == OPERATIVE:
            stack = [i for i in stack if lines[i].depth < line.depth]
            hung.append(replace(line, above=tuple(stack)))
            stack.append(at)
        else:
            hung.append(replace(line, above=tuple(stack[:1])))
    return hung
