"""Two wordings side by side in one text: what was deleted, what was inserted, word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from research.presentation.law_text import MARKER, Line, Piece, shapes_of

# an amount, a percentage or a section number changes whole: $900 to $1,200, 40-10 to 40-12
WORD = re.compile(r"\s+|\$?\d[\d,]*(?:\.\d+)?(?:%|-\w+)?|\w+(?:['’-]\w+)*|[^\w\s]")
ALIKE = 0.45  # below this two lines are better read as one deleted and one inserted than word by word


def compare(old: str, new: str) -> tuple[Line, ...]:
    """The lines of `new`, with what `old` had instead. Lines that differ are paired when they share most words."""
    before = [line for line in old.split("\n") if line.strip()]
    after = [line for line in new.split("\n") if line.strip()]
    shapes = dict(zip(range(len(after)), shapes_of(after), strict=True))
    old_shapes = shapes_of(before)
    lines: list[Line] = []

    def kept(j: int, pieces: tuple[Piece, ...]) -> Line:
        shape = shapes[j]
        return Line(shape.marker, shape.level, shape.kind, pieces)

    def gone(i: int) -> Line:
        shape = old_shapes[i]
        return Line(shape.marker, shape.level, shape.kind, (Piece(before[i][shape.words_at :], change="deleted"),))

    for operation, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if operation == "equal":
            lines += [kept(j, (Piece(after[j][shapes[j].words_at :]),)) for j in range(j1, j2)]
            continue
        waiting = i1
        for j in range(j1, j2):
            pair = _partner(before, waiting, i2, after[j])
            if pair is None:
                lines.append(kept(j, (Piece(after[j][shapes[j].words_at :], change="inserted"),)))
                continue
            lines += [gone(i) for i in range(waiting, pair)]
            words = words_changed(before[pair][old_shapes[pair].words_at :], after[j][shapes[j].words_at :])
            lines.append(kept(j, words))
            waiting = pair + 1
        lines += [gone(i) for i in range(waiting, i2)]
    return tuple(lines)


def words_changed(old: str, new: str) -> tuple[Piece, ...]:
    """`new` in pieces, with the words of `old` that it dropped; deletions stand before what replaced them."""
    before, after = WORD.findall(old), WORD.findall(new)
    pieces: list[Piece] = []
    for operation, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if operation == "equal":
            pieces.append(Piece("".join(after[j1:j2])))
            continue
        if i2 > i1:
            pieces.append(Piece("".join(before[i1:i2]), change="deleted"))
        if j2 > j1:
            pieces.append(Piece("".join(after[j1:j2]), change="inserted"))
    return tuple(pieces)


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
