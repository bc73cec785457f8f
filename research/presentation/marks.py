"""What is marked in a text (quotes, terms, links, words that differ), and the text cut where marks begin and end.

Marks of different kinds may overlap: the text is cut at every edge, so that each piece is one thing throughout.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of character offsets. key: what it points at (a defined term, an address), "" for none."""

    start: int
    end: int
    key: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some characters of a line that are all alike.

    term: the key of the defined term they are, "" for none. change: "", "inserted", "deleted", or "differs" where
    another wording is shown beside this one. is_headword: the term that a definition defines. href: the address of the
    provision that they name, "" for none.
    """

    text: str
    term: str = ""
    is_quoted: bool = False
    change: str = ""
    is_headword: bool = False
    href: str = ""


class Marks:
    """The spans of a text by what they mark; terms and links carry keys. Of two that overlap the first counts."""

    def __init__(
        self,
        terms: Sequence[Span] = (),
        quoted: Sequence[Span] = (),
        links: Sequence[Span] = (),
        differs: Sequence[Span] = (),
    ) -> None:
        self._terms, self._quoted, self._links, self._differs = map(_Ordered, (terms, quoted, links, differs))

    def cut(self, text: str, start: int, end: int) -> tuple[Piece, ...]:
        """text[start:end] in pieces. A defined term that is part of a reference stays a term."""
        terms, quoted, links, differs = (
            spans.within(start, end) for spans in (self._terms, self._quoted, self._links, self._differs)
        )
        edges = {edge for span in (*terms, *quoted, *links, *differs) for edge in (span.start, span.end)}
        ordered = sorted({start, end, *(edge for edge in edges if start < edge < end)})
        pieces = []
        for left, right in itertools.pairwise(ordered):
            term = _key(terms, left, right)
            pieces.append(
                Piece(
                    text[left:right],
                    term,
                    is_quoted=_covers(quoted, left, right),
                    change="differs" if _covers(differs, left, right) else "",
                    href="" if term else _key(links, left, right),
                )
            )
        return tuple(pieces)


class _Ordered:
    """Spans in the order of their starts: a dictionary has thousands, and a line few of them."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = sorted(spans, key=lambda span: span.start)
        self._starts = [span.start for span in self._spans]
        self._longest = max((span.end - span.start for span in spans), default=0)

    def within(self, start: int, end: int) -> list[Span]:
        """Those that share a character with text[start:end]."""
        near = self._spans[bisect_left(self._starts, start - self._longest) : bisect_left(self._starts, end)]
        return [span for span in near if span.end > start]


def _covers(spans: Sequence[Span], start: int, end: int) -> bool:
    return any(span.start <= start and end <= span.end for span in spans)


def _key(spans: Sequence[Span], start: int, end: int) -> str:
    return next((span.key for span in spans if span.start <= start and end <= span.end), "")


NO_MARKS = Marks()
