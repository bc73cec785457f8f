"""A long provision in parts, so that no page grows heavy: a dictionary of a thousand words has a thumb index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from research.presentation.law_text import Line

PART_CHARS = 12_000  # some 40 kB of page, beside 100 kB for what every page loads


@dataclass(frozen=True, slots=True)
class Part:
    """Lines first to last (excluded) of a provision's; label: the word it starts with, or its number."""

    number: int
    label: str
    first: int
    last: int


def parts_of(lines: Sequence[Line]) -> tuple[Part, ...]:
    """The parts, each as full as it may be; one where the whole fits. None starts inside a definition."""
    starts, size = [0], 0
    for index, line in enumerate(lines):
        size += len(line.text)
        if size > PART_CHARS and _may_start(line) and index > starts[-1]:
            starts.append(index)
            size = len(line.text)
    ends = [*starts[1:], len(lines)]
    return tuple(
        Part(number, _label(lines[first:last], number), first, last)
        for number, (first, last) in enumerate(zip(starts, ends, strict=True), start=1)
    )


def part_to_show(parts: Sequence[Part], lines: Sequence[Line], asked: int | None) -> Part:
    """The part asked for; else the one with the quoted words; else the first in which anything changed."""
    if asked is not None and 1 <= asked <= len(parts):
        return parts[asked - 1]
    pieces = {part: [p for line in lines[part.first : part.last] for p in line.pieces] for part in parts}
    quoted = [part for part in parts if any(piece.is_quoted for piece in pieces[part])]
    changed = [part for part in parts if any(piece.change for piece in pieces[part])]
    return [*quoted, *changed, parts[0]][0]


def _may_start(line: Line) -> bool:
    numbered = line.marker[1:2].isdigit()
    return numbered or line.kind == "heading" or any(piece.is_headword for piece in line.pieces[:1])


def _label(lines: Sequence[Line], number: int) -> str:
    for line in lines[:40]:
        for piece in line.pieces:
            if piece.is_headword:
                return piece.text if len(piece.text) <= 28 else f"{piece.text[:27]}…"
    marker = next((line.marker for line in lines if line.level == 0 and line.marker.startswith("(")), "")
    return marker or f"Part {number}"
