"""Cuts a statement into quotes: whole lines, lead-in first, each a literal slice of one passage."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from research.generation.statements import Line, LineKind, Statement, split_sentences
from research.law.content_words import content_stems
from research.terms import Passage, Quote

MIN_CHARS, MIN_WORDS = 25, 4  # the design's bound on a quote, kept here so that nothing is proposed in vain
MAX_CHARS = 900  # of quoted words in one claim; beyond, the paragraphs that answer are chosen
MAX_CHARS_OF_CONDITIONS = 2000  # a list joined by "and" misleads when cut, so it may run longer
_Span = tuple[Passage, int, int]


def quotes_of(statement: Statement, stems: frozenset[str]) -> tuple[tuple[Quote, ...], bool]:
    """The quotes that show `statement`, and whether they are the whole of it.

    stems: the question's content words, which choose among paragraphs when there is no room for all.
    No quotes when the statement cannot be shown in slices of 25 characters and four words.
    """
    chosen = _choose(statement, stems)
    if len(chosen) == 1 and _length(chosen) > MAX_CHARS:
        return _sentences_of(chosen[0], stems)
    spans = _spans(chosen, statement.lines)
    if not spans:
        return (), False
    quoted = tuple(Quote(passage.chunk_id, passage.text[start:end]) for passage, start, end in spans)
    return quoted, all(any(_holds(span, line) for span in spans) for line in statement.lines)


def is_long_enough(text: str) -> bool:
    """Whether `text` may stand as a quote: 25 characters and four words, numbering not counted."""
    return len(" ".join(text.split())) >= MIN_CHARS and len(re.findall(r"[A-Za-z][\w'’-]*", text)) >= MIN_WORDS


def _length(lines: Iterable[Line]) -> int:
    """Characters of the lines, line ends between them counted."""
    return sum(line.end - line.start + 1 for line in lines) - 1


def _holds(span: _Span, line: Line) -> bool:
    passage, start, end = span
    return passage.chunk_id == line.passage.chunk_id and start <= line.start and line.end <= end


def _choose(statement: Statement, stems: frozenset[str]) -> list[Line]:
    """All lines where there is room; else the lead-in, the conclusion, and the paragraphs that share most."""
    lines = statement.lines
    joined_by_and = any(line.text.endswith("; and") for line in lines)
    room = MAX_CHARS_OF_CONDITIONS if joined_by_and else MAX_CHARS
    if _length(lines) <= room or len(lines) == 1:
        return list(lines)
    last_item = max((index for index, line in enumerate(lines) if line.kind is LineKind.ITEM), default=0)
    kept = {0, *range(last_item + 1, len(lines))}
    blocks = _blocks(lines[: last_item + 1])
    for block in sorted(blocks, key=lambda block: (-_shared(lines, block, stems), block[0])):
        trial = kept | set(block)
        if _length(lines[index] for index in trial) <= room:
            kept = trial
    if len(kept) < 2 and blocks:
        kept |= set(blocks[0])
    return [lines[index] for index in sorted(kept)]


def _blocks(lines: Sequence[Line]) -> list[list[int]]:
    """Each paragraph with all that hangs under it, by line number; the lead-in is none of them."""
    blocks: list[list[int]] = []
    for index, line in enumerate(lines[1:], start=1):
        if not blocks or (line.kind is LineKind.ITEM and line.level <= 1):
            blocks.append([index])
        else:
            blocks[-1].append(index)
    return blocks


def _shared(lines: Sequence[Line], block: Iterable[int], stems: frozenset[str]) -> float:
    """How many of the question's stems the block holds; a figure counts for half a word."""
    text = " ".join(lines[index].text for index in block)
    return len(stems & content_stems(text)) + (0.5 if re.search(r"[$%]|\d+ (?:days|months|years)\b", text) else 0.0)


def _spans(chosen: Sequence[Line], all_lines: Sequence[Line]) -> list[_Span]:
    """The chosen lines as slices, neighbours in one passage joined; a slice too short takes in the line beside it."""
    spans: list[_Span] = []
    for line in chosen:
        last = spans[-1] if spans else None
        if last and last[0].chunk_id == line.passage.chunk_id and _adjoin(line.passage, last[2], line.start):
            spans[-1] = (line.passage, last[1], line.end)
        else:
            spans.append((line.passage, line.start, line.end))
    kept: list[_Span] = []
    for number, span in enumerate(spans):
        grown = _grow(span, all_lines)
        if grown is not None:
            kept.append(grown)
        elif number == 0:
            return []  # without its lead-in the rest cannot be understood
    return _joined(kept)


def _adjoin(passage: Passage, end: int, start: int) -> bool:
    return start >= end and not passage.text[end:start].strip()


def _grow(span: _Span, all_lines: Sequence[Line]) -> _Span | None:
    """`span`, with lines of the same statement and passage added until it is long enough; None where it cannot be."""
    passage, start, end = span
    while not is_long_enough(passage.text[start:end]):
        after = next((x for x in all_lines if x.passage == passage and _adjoin(passage, end, x.start)), None)
        before = next((x for x in all_lines if x.passage == passage and _adjoin(passage, x.end, start)), None)
        if after is not None:
            end = after.end
        elif before is not None:
            start = before.start
        else:
            return None
    return passage, start, end


def _joined(spans: Sequence[_Span]) -> list[_Span]:
    """Spans that came to touch or overlap by growing, made one."""
    merged: list[_Span] = []
    for passage, start, end in spans:
        last = merged[-1] if merged else None
        if last and last[0].chunk_id == passage.chunk_id and not passage.text[last[2] : start].strip():
            merged[-1] = (passage, last[1], max(last[2], end))
        else:
            merged.append((passage, start, end))
    return merged


def _sentences_of(line: Line, stems: frozenset[str]) -> tuple[tuple[Quote, ...], bool]:
    """A single long line: the run of whole sentences around the one that shares most, as far as there is room."""
    sentences = split_sentences(line.text)
    order = [len(stems & content_stems(line.text[start:end])) for start, end in sentences]
    first = last = order.index(max(order))
    while True:
        options = [(first - 1, last), (first, last + 1)]
        fits = [
            (a, b)
            for a, b in options
            if a >= 0 and b < len(sentences) and sentences[b][1] - sentences[a][0] <= MAX_CHARS
        ]
        if not fits:
            break
        first, last = fits[0]
    text = line.text[sentences[first][0] : sentences[last][1]]
    if not is_long_enough(text):
        return (), False
    return (Quote(line.passage.chunk_id, text),), len(text) == len(line.text)
