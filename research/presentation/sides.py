"""The two answers to a question for two times: which words of theirs differ, and what changed in what both cite.

Words differ only between two wordings of one provision. They are compared whole, not quote by quote, so that a sentence
that one side quotes and the other does not is marked only where the law itself changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from research.law.provision import authority_of
from research.presentation.compare import compare, differing, only_changed, words_changed
from research.presentation.law_text import Line
from research.presentation.marks import Piece, Span
from research.presentation.quotes import Differing, pin_of

MOST_LINES = 12  # of what changed in one provision; the rest is on the page that compares the two
MOST_CHARS = 60_000  # longer wordings are compared on their own page, in parts

Json = Mapping[str, Any]
Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A provision that both answers cite. heading: with what changed in it; lines: those of its text that changed.

    query: the page that compares it between the two times, "" where that has nothing to show. has_more: that page
    shows more than the lines here.
    """

    authority: str
    heading: tuple[Piece, ...]
    instrument: str
    pin: str
    is_same: bool
    lines: tuple[Line, ...]
    has_more: bool
    query: str


@dataclass(frozen=True, slots=True)
class Compared:
    """differing: for each side, by version id, where its words are not the other's."""

    differing: tuple[Differing, Differing]
    changes: tuple[Change, ...]


def wordings_compared(outcome: Json) -> list[int]:
    """The versions whose full texts `compared` needs: two wordings of one provision, one cited by each side."""
    sides = list(outcome.get("sides") or ())
    return [int(each["version_id"]) for pair in _pairs(sides) for each in pair if not _is_same(pair)]


def compared(sides: Sequence[Json], texts: Mapping[int, str]) -> Compared:
    """What differs between two answers, earlier first. A text that is not given is not compared."""
    old_marks: dict[int, tuple[Span, ...]] = {}
    new_marks: dict[int, tuple[Span, ...]] = {}
    changes = []
    for old, new in _pairs(sides):
        before, after = texts.get(int(old["version_id"])), texts.get(int(new["version_id"]))
        lines: tuple[Line, ...] = ()
        has_more = False
        if before is not None and after is not None and len(before) + len(after) <= MOST_CHARS:
            old_marks[old["version_id"]], new_marks[new["version_id"]] = differing(before, after)
            every = compare(before, after)
            lines = only_changed(every, MOST_LINES)
            has_more = sum(any(piece.change for piece in line.pieces) for line in every) > MOST_LINES
        is_same = _is_same((old, new)) or (before is not None and before == after)
        changes.append(_change(old, new, sides, lines, is_same=is_same, has_more=has_more))
    return Compared((old_marks, new_marks), tuple(changes))


def _change(
    old: Json, new: Json, sides: Sequence[Json], lines: tuple[Line, ...], *, is_same: bool, has_more: bool
) -> Change:
    times = {"from": _as_at(sides[0]), "to": _as_at(sides[1])}
    return Change(
        authority_of(*(str(new.get(name) or "") for name in ("act", "section", "schedule", "act_title"))),
        words_changed(str(old.get("heading", "")), str(new.get("heading", ""))),
        str(new["act"]),
        pin_of(new),
        is_same,
        lines,
        has_more,
        urlencode(times) if all(times.values()) else "",
    )


def _pairs(sides: Sequence[Json]) -> list[tuple[Json, Json]]:
    """A citation of each side for every provision that both cite, in the order of the earlier."""
    if len(sides) != 2:
        return []
    first, second = (_by_place(side) for side in sides)
    return [(first[place], second[place]) for place in first if place in second]


def _by_place(side: Json) -> dict[Place, Json]:
    found: dict[Place, Json] = {}
    for citation in _citations(side):
        found.setdefault((str(citation["act"]), pin_of(citation)), citation)
    return found


def _citations(side: Json) -> Iterator[Json]:
    for claim in side.get("claims") or ():
        yield from claim.get("citations") or ()


def _is_same(pair: tuple[Json, Json]) -> bool:
    return bool(pair[0]["version_id"] == pair[1]["version_id"])


def _as_at(side: Json) -> str:
    """The time of a side as it stands in an address: its day, or its income year."""
    time = side.get("time")
    if not time:
        return ""
    window = time["window"]
    return str(window["first"]) if window["first"] == window["last"] else f"FY{time['year']}"
