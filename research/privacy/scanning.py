"""Finds what the register knows in a text: one pass over its tokens, a look-up for each run of them.

A run is looked up only if its first letters begin some key, so the cost hangs on the text and not on the register.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.privacy.folding import Folded
from research.privacy.register import LAW_DIGITS, Index, Kind, Known
from research.privacy.spans import Span

ENDING = re.compile(
    r"(?:[\s,.'’()]{0,3}\b(?:pty|proprietary|p\s?/\s?l|p\.\s?l|ltd|limited|inc|incorporated|llp|llc|nl)\b\.?\)?)+",
    re.IGNORECASE,
)
SHORT = 7  # letters of a name, under which the law's own words may run together to the same ("all I" to Al Li)
LONG = 9  # digits written as one, beyond which a number of the register may stand in another


def known_spans(folded: Folded, index: Index, *, is_law: bool) -> Iterator[Span]:
    """Every run of tokens that the register knows, from each token the longest; they may overlap.

    is_law: the text is the law's own, and only what identifies a client wholly is looked for.
    """
    at, line, heads = folded.at, folded.line, index.heads
    count = len(folded.spans)
    for first in range(count):
        start = at[first]
        if at[first + 1] > start and (line[start : start + 3] in heads or line[start : at[first + 1]] in index.keys):
            found = _longest(folded, index, first, is_law=is_law)
            if found is not None:
                last, known = found
                yield _span(folded, first, last, known)
        if at[first + 1] - start > LONG and line[start].isdigit():
            yield from _inside(folded, index, first)


def _inside(folded: Folded, index: Index, place: int) -> Iterator[Span]:
    """Whole numbers of the register that stand in a longer one, as where two were pasted together."""
    begins, digits = folded.spans[place][0], folded.line[folded.at[place] : folded.at[place + 1]]
    for start in range(len(digits) - LAW_DIGITS + 1):
        for end in range(start + LAW_DIGITS, len(digits) + 1):
            known = index.keys.get(digits[start:end])
            if known is not None and known.is_whole:
                yield Span(begins + start, begins + end, known.kind, digits[start:end], known.who, known.is_whole)


def _longest(folded: Folded, index: Index, first: int, *, is_law: bool) -> tuple[int, Known] | None:
    """The last token of the longest run from `first` that is known, and what it is."""
    at, line, keys = folded.at, folded.line, index.keys
    start, best = at[first], None
    for last in range(first, len(folded.spans)):
        end = at[last + 1]
        if end - start > index.longest + 1 or (last > first and not folded.joins[last]):
            break
        if end == at[last] or _is_possessive(folded, last):
            continue  # "and", or "'s": a run may hold it, and does not end with it
        known = keys.get(line[start:end])
        if known is None and not is_law and line[end - 1] == "s" and end - at[last] > 1:
            known = keys.get(line[start : end - 1])  # "Acmes" for "Acme's"
        if known is None or (is_law and not known.is_whole):
            continue
        is_short = is_law and known.kind is Kind.CLIENT and end - start < SHORT
        if not (known.in_capitals or is_short) or _has_capitals(folded, first, last):
            best = last, known
    return best


def _is_possessive(folded: Folded, place: int) -> bool:
    start, end = folded.spans[place]
    return end - start == 1 and folded.text[start] in "sS" and folded.text[start - 1 : start] in ("'", "’")


def _has_capitals(folded: Folded, first: int, last: int) -> bool:
    """Whether every word of the run begins with a capital, as a name does."""
    letters = [folded.text[start] for start, _ in folded.spans[first : last + 1]]
    return all(letter.isupper() or letter.isdigit() for letter in letters)


def _span(folded: Folded, first: int, last: int, known: Known) -> Span:
    start, end = folded.spans[first][0], folded.spans[last][1]
    if known.kind is Kind.CLIENT:
        behind = ENDING.match(folded.text, end)
        end = behind.end() if behind else end
        return Span(start, end, known.kind, f"of {known.who}", known.who, known.is_whole)
    key = folded.line[folded.at[first] : folded.at[last + 1]]
    return Span(start, end, known.kind, key, known.who, known.is_whole)
