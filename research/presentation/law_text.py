"""Law text set as lines that hang from their numbers, cut into pieces that are quoted, defined, linked or changed.

What a subsection, paragraph, note or heading is can be told from the text alone, one line each, as the corpus
keeps it. Nothing here marks up or escapes: templates do that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from research.presentation.marks import NO_MARKS, Marks, Piece

MARKER = re.compile(r"\((\d{1,4}[A-Z]{0,3}|[a-z]{1,5}|[A-Z]{1,3})\)[ \t]*")
CLAUSE = re.compile(r"(\d{1,3}[A-Z]{0,2})\.[ \t]+(?=[A-Z])")  # of a schedule: "2. Where"
NOTE = re.compile(r"(Note(?: \d+)?|Example(?: \d+)?|Penalty|Exception)(?::|(?<=e)(?= [A-Z]))[ \t]*")
ROMAN = re.compile(r"(x{0,3})(ix|iv|v?i{0,3})$")
CELL = " | "  # how the corpus keeps the columns of a table apart
HEADWORD = re.compile(
    r"[^.;]{2,90}?(?=,? (?:means?|includes?|has (?:the|a) (?:same )?meaning|of an? .{1,60} means)\b|:(?:\s|$))"
)
TABLE_HEAD = re.compile(r"Item [A-Z](?!.*\.$).*")  # the heads of a table's columns, run together
ITEM = re.compile(r"\d{1,3}[A-Z]{0,3}(?:\.\d{1,3}[A-Z]{0,2})*[ \t]+(?=\S)")
STEP = re.compile(r"Step \d+[A-Z]?\.")
BULLET = re.compile(r"[-•][ \t]+")
HEADING_CHARS = 110


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it is set. marker: "(a)", "Note 1" or ""; level: steps of indent, 0 to 3.

    kind: "text", "heading", "note", "row" (of a table that is kept as lines, without its columns), "gap".
    """

    marker: str
    level: int
    kind: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    @property
    def change(self) -> str:
        """ "inserted" or "deleted" where the whole line is, its number too; "" otherwise."""
        changes = {piece.change for piece in self.pieces}
        return changes.pop() if changes in ({"inserted"}, {"deleted"}) else ""

    @property
    def cells(self) -> tuple[tuple[Piece, ...], ...]:
        """The cells of a table's row, () for a line that is none."""
        if CELL not in self.text:
            return ()
        cells: list[list[Piece]] = [[]]
        for piece in self.pieces:
            first, *rest = piece.text.split(CELL)
            cells[-1].append(replace(piece, text=first))
            cells += [[replace(piece, text=part)] for part in rest]
        return tuple(tuple(piece for piece in cell if piece.text) for cell in cells)


@dataclass(frozen=True, slots=True)
class Shape:
    """Where a raw line's own words start, and how the line is set."""

    marker: str
    level: int
    kind: str
    words_at: int


def lines_of(text: str, marks: Marks = NO_MARKS, *, defines: bool = False) -> tuple[Line, ...]:
    """`text` as lines to set; marks are offsets into `text`. Blank lines are left out. defines: it is a dictionary.

    Paragraphs move one step left when nothing in the text is numbered above them, so a bare list does not float.
    """
    raw = text.split("\n")
    shapes = shapes_of(raw)
    lines, offset = [], 0
    for words, shape in zip(raw, shapes, strict=True):
        if words.strip():
            pieces = marks.cut(text, offset + shape.words_at, offset + len(words))
            if defines and shape.kind == "text" and not shape.marker:
                pieces = _with_headword(pieces)
            lines.append(Line(shape.marker, shape.level, shape.kind, pieces))
        offset += len(words) + 1
    return tuple(lines)


def with_gaps(lines: Sequence[Line], before: Sequence[int], mark: str) -> tuple[Line, ...]:
    """`lines` with a line that says `mark` before each of those numbered: words are left out there."""
    gap = Line("", 0, "gap", (Piece(mark),))
    return tuple(line for at, each in enumerate(lines) for line in ((gap, each) if at in before else (each,)))


def shapes_of(raw: Sequence[str]) -> list[Shape]:
    """How each raw line is set, told from its marker and its neighbours."""
    markers = [match.group(1) if (match := _numbered(line)) else "" for line in raw]
    levels = _levels(markers)
    marked = [level for level, marker in zip(levels, markers, strict=True) if marker]
    shift = min(marked, default=0)
    shapes: list[Shape] = []
    under, aside, in_table = 0, _Aside(), False
    for index, line in enumerate(raw):
        marker = _numbered(line)
        in_table = TABLE_HEAD.match(line) is not None or (
            in_table and not _ends_table(line, marker, raw, markers, index)
        )
        if in_table:
            aside.end()
            item = ITEM.match(line)
            level = under + (1 if marker else 0)
            number = marker or item
            shapes.append(Shape(number.group().strip() if number else "", level, "row", number.end() if number else 0))
        elif marker and aside.lists(marker.group(1)):
            level = under + (1 if levels[index] <= 1 else 2)
            shapes.append(Shape(f"({marker.group(1)})", level, "note", marker.end()))
        elif marker:
            aside.end()
            level = levels[index] - shift
            under = 1 if levels[index] == 0 or under else 0
            shapes.append(Shape(marker.group().strip(), level, "text", marker.end()))
        elif note := NOTE.match(line):
            aside.begin(note.group(1), line)
            shapes.append(Shape(note.group(1), under, "note", note.end()))
        elif bullet := BULLET.match(line):
            shapes.append(Shape("–", under, "text", bullet.end()))
        elif _is_heading(raw, markers, index):
            under = 0
            aside.end()
            shapes.append(Shape("", 0, "heading", 0))
        elif aside.goes_on(line):
            shapes.append(Shape("", under, "note", 0))
        else:
            shapes.append(Shape("", under, "text", 0))
    return shapes


def _ends_table(
    line: str, marker: re.Match[str] | None, raw: Sequence[str], markers: Sequence[str], index: int
) -> bool:
    """A subsection, a note or a subheading comes after a table, never in it."""
    return bool((marker and marker.group(1)[0].isdigit()) or NOTE.match(line) or _is_heading(raw, markers, index))


def _numbered(line: str) -> re.Match[str] | None:
    return MARKER.match(line) or CLAUSE.match(line)


class _Aside:
    """The note or example being read: a list belongs to one that ends in a colon, further sentences to an example."""

    def __init__(self) -> None:
        self.end()

    def begin(self, name: str, line: str) -> None:
        self._is_example, self._opens_list, self._has_list = name.startswith("Example"), _opens_list(line), False

    def end(self) -> None:
        self._is_example = self._opens_list = self._has_list = False

    def lists(self, marker: str) -> bool:
        """Whether the paragraph is one of the aside's own."""
        belongs = self._opens_list and not marker[0].isdigit() and (self._has_list or marker in ("a", "i", "A"))
        self._has_list = self._has_list or belongs
        return belongs

    def goes_on(self, line: str) -> bool:
        """Whether an unmarked line is more of an example. A table's row, or a step, is the rule's again."""
        if not line.strip():
            return self._is_example
        if not self._is_example or CELL in line or STEP.match(line):
            self.end()
            return False
        self._opens_list, self._has_list = _opens_list(line), False
        return True


def _opens_list(line: str) -> bool:
    return line.rstrip().endswith((":", "—"))


def _levels(markers: Sequence[str]) -> list[int]:
    """0 for (1), 1 for (a), 2 for (i), 3 for (A); (i) after (h) or (hc) is a letter unless (ii) follows."""
    levels: list[int] = []
    letter, in_roman = "", False
    following = [next((m for m in markers[i + 1 :] if m), "") for i in range(len(markers))]
    for marker, after in zip(markers, following, strict=True):
        if not marker:
            levels.append(0)
        elif marker[0].isdigit():
            letter, in_roman = "", False
            levels.append(0)
        elif marker[0].isupper():
            levels.append(3)
        elif _is_roman(marker, letter, in_roman, after):
            in_roman = True
            levels.append(2)
        else:
            letter, in_roman = marker, False
            levels.append(1)
    return levels


def _is_roman(marker: str, letter: str, in_roman: bool, after: str) -> bool:
    if marker == "i":
        return letter[:1] != "h" or after == "ii"
    if marker in ("v", "x"):
        return in_roman
    return ROMAN.match(marker) is not None


def _is_heading(raw: Sequence[str], markers: Sequence[str], index: int) -> bool:
    """A short line without a stop, capitalised, that a numbered line follows: an unnumbered subheading."""
    line = raw[index].strip()
    following = next((i for i in range(index + 1, len(raw)) if raw[i].strip()), None)
    if following is None or not markers[following] or not markers[following][0].isdigit():
        return False
    return 0 < len(line) <= HEADING_CHARS and line[0].isupper() and line[-1] not in ".:;,"


def _with_headword(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces with the term that stands before "means" told apart, where it lies in the first of them."""
    first = pieces[0]
    match = HEADWORD.match(first.text)
    if match is None or first.term:
        return pieces
    word, rest = first.text[: match.end()], first.text[match.end() :]
    return (replace(first, text=word, is_headword=True), replace(first, text=rest), *pieces[1:])
