"""Values by their labels: right after the label, in the next column of its row, or below it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clients.extraction.layout import Piece, Row, below
from clients.extraction.terms import Box

_BETWEEN = re.compile(r"[\s:.#\-]*")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A value and its label. order: how far down the document the label stands."""

    label: str
    row: Row
    piece: Piece
    order: int


def labelled(
    rows: Sequence[Row], label: re.Pattern[str], value: re.Pattern[str], not_after: re.Pattern[str] | None = None
) -> Iterator[Labelled]:
    """Each value of that form that stands at such a label, from the top.

    value: matched from its start. not_after: what must not stand right before the label.
    """
    for order, row in enumerate(rows):
        for found in label.finditer(row.text):
            if not_after is not None and not_after.search(_before(row.text, found.start())):
                continue
            beside = _beside(row, found.end(), value)
            if beside is not None:
                yield Labelled(found[0], row, beside, order)
                continue
            if _is_label_alone(row.text, found.end()):
                own = row.piece(found.start(), found.end()).box
                for under, piece in below(rows, order, own):
                    values = _values(under, piece, value, own)
                    if values:
                        best = max(values, key=lambda each: _shared(each.box, own))
                        yield Labelled(found[0], under, best, order)
                        break


def _before(text: str, end: int) -> str:
    """What stands before an offset within its own column."""
    return re.split(r"\s{3}", text[:end])[-1].rstrip()


def _beside(row: Row, end: int, value: re.Pattern[str]) -> Piece | None:
    between = _BETWEEN.match(row.text, end)
    start = between.end() if between else end
    match = value.match(row.text, start)
    if match is None and between is not None and "-" in between[0]:  # the dash may be the value's own
        match = value.match(row.text, end + len(between[0].rstrip("-")))
    return row.piece(match.start(), match.end()) if match and match.end() > match.start() else None


def _is_label_alone(text: str, end: int) -> bool:
    """Whether nothing but the end of the row or another column follows the label."""
    return bool(re.match(r"[\s:.]*$|[:.]?\s{3}", text[end:]))


def _values(row: Row, piece: Piece, value: re.Pattern[str], own: Box) -> list[Piece]:
    """The values in a piece: its start, and what stands in line with the label.

    Several columns may stand so close that they read as one piece.
    """
    found, end = [], 0
    for word in re.finditer(r"\S+", piece.text):
        match = value.match(piece.text, word.start()) if word.start() >= end else None
        if match:
            part = row.piece(piece.start + match.start(), piece.start + match.end())
            if match.start() == 0 or abs(part.box.left - own.left) < own.height:
                found.append(part)
            end = match.end()
    return found


def _shared(box: Box, other: Box) -> float:
    """How much of their width two boxes have in common; below nil where none."""
    return min(box.right, other.right) - max(box.left, other.left)
