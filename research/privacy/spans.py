"""Pieces of a text that must not leave, and how those that overlap become one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from research.privacy.register import Kind


@dataclass(frozen=True, slots=True)
class Span:
    """text[start:end] is of this kind. value: what makes two of them the same thing; "" for what is written there.

    who: the client it belongs to by the register, None for none. is_whole: whether it identifies that client.
    """

    start: int
    end: int
    kind: Kind
    value: str = ""
    who: int | None = None
    is_whole: bool = False


def merged(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, none overlapping: those that do become one, of the longest one's kind."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        if not joined or span.start >= joined[-1].end:
            joined.append(span)
            continue
        before = joined[-1]
        if span.end > before.end:
            kind = before.kind if before.end - before.start >= span.end - span.start else span.kind
            joined[-1] = replace(before, end=span.end, kind=kind, value="")
    return joined
