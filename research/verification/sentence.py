"""The sentence of the law that a quote was cut from, and what of it the quote leaves behind.

An Act puts one sentence on many lines: a lead-in, lettered paragraphs, a limitation set flush left; and a splitter may
have cut it between two passages. Here it is whole again, as far as its pieces are among the sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from research.terms import CheckedQuote, Passage

# A sentence ends at a stop before a capital or a bracket, at a new subsection, at a note or example, or at a heading.
_BORDER = re.compile(
    r"(?<![ .](?:No|ss|eg|ie|cf|Pt)\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<=[a-z0-9)%\"\u201d][.?!])\s+(?=[A-Z(\"\u201c])"
    r"|\n\s*(?=\([0-9]{1,4}[A-Z]{0,4}\)\s)|\n\s*(?=(?:Note|Example)\b)"
    r"|(?<=[a-z0-9)])\n\s*(?=[A-Z])"
)
_PARAGRAPH = re.compile(r"(?m)^[ \t]*\((?:[a-z]{1,4}|[A-Z]{1,3})\)\s")
_BOTH_NEEDED = re.compile(r"\band\s*$")
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Whole:
    """The words of a sentence in reading order, and the spans of them that quotes hold."""

    text: str
    quoted: tuple[_Span, ...]

    @property
    def left_out(self) -> str:
        """What no quote holds, and what bears on what they do hold: not the alternatives that were not quoted."""
        return " ".join(
            piece for start, end in self._bearing() for piece in _without(self.text, (start, end), self.quoted)
        )

    def _bearing(self) -> list[_Span]:
        """The parts of the sentence that bear on the quoted words: of paragraphs joined by "or", only those quoted."""
        starts = [match.start() for match in _PARAGRAPH.finditer(self.text)]
        if not starts:
            return [(0, len(self.text))]
        last = self.text.find("\n", starts[-1])
        closes = last if last >= 0 else len(self.text)
        blocks = list(zip(starts, [*starts[1:], closes], strict=True))
        needed = any(_BOTH_NEEDED.search(self.text[start:end].rstrip()) for start, end in blocks)
        touched = [block for block in blocks if any(_overlap(block, span) for span in self.quoted)]
        bearing = blocks if needed or not touched else touched
        return [(0, starts[0]), *bearing, (closes, len(self.text))]


def sentences_of(quotes: Iterable[CheckedQuote], sources: Mapping[int, Passage]) -> list[Whole]:
    """The whole sentences that verified quotes were cut from, one for each run of neighbouring passages quoted."""
    spans: dict[tuple[int, ...], list[_Span]] = {}
    texts: dict[tuple[int, ...], str] = {}
    for quote in quotes:
        passage = sources.get(quote.found_in) if quote.found_in is not None else None
        if passage is None or quote.start_chars is None or quote.end_chars is None:
            continue
        run = _run(passage, sources)
        key = tuple(piece.chunk_id for piece in run)
        before = sum(len(piece.text) + 1 for piece in run[: key.index(passage.chunk_id)]) - passage.offset_chars
        spans.setdefault(key, []).append((before + quote.start_chars, before + quote.end_chars))
        texts[key] = "\n".join(piece.text for piece in run)
    return [whole for key, found in spans.items() for whole in _wholes(texts[key], found)]


def _run(passage: Passage, sources: Mapping[int, Passage]) -> list[Passage]:
    """The passages next to `passage` in its subsection, in reading order, without a gap."""
    beside = {
        other.ordinal: other
        for other in sources.values()
        if (other.version_id, other.parent, other.role) == (passage.version_id, passage.parent, passage.role)
    }
    beside[passage.ordinal] = passage
    first = last = passage.ordinal
    while first - 1 in beside:
        first -= 1
    while last + 1 in beside:
        last += 1
    return [beside[ordinal] for ordinal in range(first, last + 1)]


def _wholes(text: str, quoted: Sequence[_Span]) -> list[Whole]:
    borders = [0, *(match.end() for match in _BORDER.finditer(text)), len(text)]
    found = []
    for start, end in pairwise(borders):
        inside = [(max(a, start) - start, min(b, end) - start) for a, b in quoted if _overlap((a, b), (start, end))]
        if inside:
            found.append(Whole(text[start:end], tuple(sorted(inside))))
    return found


def _overlap(one: _Span, other: _Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _without(text: str, whole: _Span, spans: Sequence[_Span]) -> list[str]:
    """The pieces of text[whole] that none of the spans, sorted, holds."""
    pieces, at = [], whole[0]
    for start, end in spans:
        if start > at:
            pieces.append(text[at : min(start, whole[1])])
        at = max(at, end)
    pieces.append(text[at : whole[1]])
    return [piece for piece in pieces if piece.strip()]
