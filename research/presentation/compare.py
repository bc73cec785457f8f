"""Two wordings side by side in one text: what was deleted, what was inserted, word by word."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from research.presentation.law_text import MARKER, Line, Shape, shapes_of, with_gaps
from research.presentation.marks import Piece, Span

# an amount, a percentage or a section number changes whole: $900 to $1,200, 40-10 to 40-12
WORD = re.compile(r"\s+|\$?\d[\d,]*(?:\.\d+)?(?:%|-\w+)?|\w+(?:['’-]\w+)*|[^\w\s]")
ALIKE = 0.45  # below this two lines are better read as one deleted and one inserted than word by word
LEFT_OUT = "[…]"


def compare(old: str, new: str) -> tuple[Line, ...]:
    """The lines of `new`, with what `old` had instead. Lines that differ are paired when they share most words."""
    before, after = _Text.of(old), _Text.of(new)
    return tuple(Line(row.shape.marker, row.shape.level, row.shape.kind, row.pieces) for row in _rows(before, after))


def differing(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Where `old` has words that `new` has not, and where `new` has words that `old` has not, as character offsets."""
    before, after = _Text.of(old), _Text.of(new)
    gone: list[Span] = []
    come: list[Span] = []
    for row in _rows(before, after):
        old_at = before.words_at(row.old) if row.old is not None else 0
        new_at = after.words_at(row.new) if row.new is not None else 0
        for piece in row.pieces:
            size = len(piece.text)
            if not size:  # a number that stands alone on its line
                continue
            if piece.change == "deleted":
                gone.append(Span(old_at, old_at + size))
            elif piece.change == "inserted":
                come.append(Span(new_at, new_at + size))
            old_at += size if piece.change != "inserted" else 0
            new_at += size if piece.change != "deleted" else 0
    return tuple(gone), tuple(come)


def only_changed(lines: Sequence[Line], most: int) -> tuple[Line, ...]:
    """At most that many of the lines in which anything changed, with a mark where lines are left out between them."""
    changed = [at for at, line in enumerate(lines) if any(piece.change for piece in line.pieces)][:most]
    gaps = [n for n, (at, following) in enumerate(itertools.pairwise(changed), start=1) if following != at + 1]
    return with_gaps([lines[at] for at in changed], gaps, LEFT_OUT)


def words_changed(old: str, new: str) -> tuple[Piece, ...]:
    """`new` in pieces, with the words of `old` that it dropped; deletions stand before what replaced them."""
    before, after = WORD.findall(old), WORD.findall(new)
    pieces: list[Piece] = []
    gone, come = "", ""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    *within, last = matcher.get_opcodes() or [("equal", 0, 0, 0, 0)]
    for operation, i1, i2, j1, j2 in (*within, last):
        same = "".join(after[j1:j2]) if operation == "equal" else ""
        is_between = bool(gone or come) and (operation, i1, i2, j1, j2) != last
        if operation != "equal" or (same.isspace() and is_between):  # words that change in a row change together
            gone += "".join(before[i1:i2])
            come += "".join(after[j1:j2])
            continue
        pieces += [*_changed(gone, come), Piece(same)]
        gone, come = "", ""
    return tuple(piece for piece in (*pieces, *_changed(gone, come)) if piece.text)


def _changed(gone: str, come: str) -> list[Piece]:
    return [Piece(gone, change="deleted"), Piece(come, change="inserted")]


@dataclass(frozen=True, slots=True)
class _Text:
    """The lines of a text that hold words, how each is set, and where each starts in it."""

    lines: list[str]
    shapes: list[Shape]
    starts: list[int]

    @classmethod
    def of(cls, text: str) -> _Text:
        lines: list[str] = []
        starts: list[int] = []
        offset = 0
        for line in text.split("\n"):
            if line.strip():
                lines.append(line)
                starts.append(offset)
            offset += len(line) + 1
        return cls(lines, shapes_of(lines), starts)

    def words(self, index: int) -> str:
        """A line without its number."""
        return self.lines[index][self.shapes[index].words_at :]

    def words_at(self, index: int) -> int:
        """Where those words start in the text."""
        return self.starts[index] + self.shapes[index].words_at


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of either text or of both: its index in each, None where it has none, and how the newer is set."""

    old: int | None
    new: int | None
    shape: Shape
    pieces: tuple[Piece, ...]


def _rows(before: _Text, after: _Text) -> Iterator[_Row]:
    """The lines of both texts in one order."""
    matcher = SequenceMatcher(None, before.lines, after.lines, autojunk=False)
    for operation, i1, i2, j1, j2 in matcher.get_opcodes():
        if operation == "equal":
            for i, j in zip(range(i1, i2), range(j1, j2), strict=True):
                yield _Row(i, j, after.shapes[j], (Piece(after.words(j)),))
            continue
        waiting = i1
        for j in range(j1, j2):
            pair = _partner(before.lines, waiting, i2, after.lines[j])
            if pair is None:
                yield _Row(None, j, after.shapes[j], (Piece(after.words(j), change="inserted"),))
                continue
            yield from (_gone(before, i) for i in range(waiting, pair))
            yield _Row(pair, j, after.shapes[j], words_changed(before.words(pair), after.words(j)))
            waiting = pair + 1
        yield from (_gone(before, i) for i in range(waiting, i2))


def _gone(before: _Text, index: int) -> _Row:
    return _Row(index, None, before.shapes[index], (Piece(before.words(index), change="deleted"),))


def _partner(before: Sequence[str], start: int, end: int, line: str) -> int | None:
    """The first waiting line that this one rewords: enough words in common and the same number, if any."""
    words = WORD.findall(line)
    marker = _marker(line)
    for i in range(start, end):
        if _marker(before[i]) != marker:
            continue
        matcher = SequenceMatcher(None, WORD.findall(before[i]), words, autojunk=False)
        if matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE:
            return i
    return None


def _marker(line: str) -> str:
    match = MARKER.match(line)
    return match.group(1) if match else ""
