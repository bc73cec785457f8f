"""Words to rows: what stands beside and below what, on a page that may lie a little askew.

A row is the text of one line across the page; a gap as wide as a column's is written as three spaces, so that a
pattern over the text sees columns. Every stretch of the text knows its place and how certain its words are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from clients.extraction.terms import Box, Page, Word

GAP = "   "
COLUMN_GAP_EM = 1.15  # of the height of the words beside it; between words of one text it is 0.2 to 0.4
SAME_ROW_EM = 0.5


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a row: offsets into its text, its place, and the confidence of its least certain word."""

    start: int
    end: int
    text: str
    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a page. starts: the offset of each word in the text."""

    page: int
    words: tuple[Word, ...]
    starts: tuple[int, ...]
    text: str
    box: Box

    def piece(self, start: int, end: int) -> Piece:
        """The stretch from start to end, with the box around the words that it touches."""
        touched = [
            (word, at)
            for word, at in zip(self.words, self.starts, strict=True)
            if at < end and at + len(word.text) > start
        ]
        box = _around(_part(word, at, start, end) for word, at in touched)
        return Piece(start, end, self.text[start:end], box, min(word.confidence for word, _ in touched))

    @property
    def segments(self) -> tuple[Piece, ...]:
        """Its stretches between gaps as wide as a column's."""
        return tuple(self.piece(found.start(), found.end()) for found in re.finditer(r"\S+(?: \S+)*", self.text))


def rows_of(page: Page) -> list[Row]:
    """The rows of a page from top to bottom, hidden words left out."""
    slope = math.tan(math.radians(page.skew))
    placed = sorted(((word.box.middle - slope * word.box.left, word) for word in page.seen), key=lambda each: each[0])
    groups: list[list[tuple[float, Word]]] = []
    for middle, word in placed:
        near = [group for group in groups[-4:] if _is_level(group, middle, word)]
        if near:
            min(near, key=lambda group: abs(_level(group) - middle)).append((middle, word))
        else:
            groups.append([(middle, word)])
    groups.sort(key=_level)
    return [_row(page.number, [word for _, word in group]) for group in groups]


def all_rows(pages: Sequence[Page]) -> list[Row]:
    """The rows of all pages, page after page."""
    return [row for page in pages for row in rows_of(page)]


def below(rows: Sequence[Row], at: int, box: Box, most: int = 2) -> Iterator[tuple[Row, Piece]]:
    """The pieces under a box of row `at`, nearest first: those that overlap it sideways, `most` rows down at most."""
    for under in [each for each in rows[at + 1 : at + 1 + most] if each.page == rows[at].page]:
        if under.box.top - box.bottom > 4 * box.height:
            return
        for piece in under.segments:
            if min(piece.box.right, box.right) - max(piece.box.left, box.left) > 0:
                yield under, piece


def _is_level(group: list[tuple[float, Word]], middle: float, word: Word) -> bool:
    heights = sorted(each.box.height for _, each in group)
    return abs(_level(group) - middle) < SAME_ROW_EM * min(heights[len(heights) // 2], word.box.height)


def _level(group: list[tuple[float, Word]]) -> float:
    return sum(middle for middle, _ in group) / len(group)


def _row(page: int, words: list[Word]) -> Row:
    words.sort(key=lambda word: word.box.left)
    text, starts, last = "", [], None
    for word in words:
        if last is not None:
            gap = word.box.left - last.box.right
            text += GAP if gap > COLUMN_GAP_EM * min(last.box.height, word.box.height) else " "
        starts.append(len(text))
        text, last = text + word.text, word
    return Row(page, tuple(words), tuple(starts), text, _around(word.box for word in words))


def _part(word: Word, at: int, start: int, end: int) -> Box:
    """The part of a word's box that a stretch covers, its letters taken as equally wide."""
    box, length = word.box, len(word.text)
    first, last = max(0, start - at), min(length, end - at)
    return Box(box.left + box.width * first / length, box.top, box.left + box.width * last / length, box.bottom)


def _around(boxes: Iterable[Box]) -> Box:
    found = list(boxes)
    whole = found[0]
    for box in found[1:]:
        whole = whole.joined(box)
    return whole
