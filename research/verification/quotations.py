"""Quotations in running text, and the citation that each belongs to.

Pure. A quotation is what stands between quotation marks within one paragraph, or lines that begin with ">". It belongs
to a citation by these rules, the first that gives one:

1. a block (lines with ">", or a paragraph that is nothing but a quotation): the citation that its own last line
   names after a dash or a bracket; the last citation of the paragraph before; the first of the paragraph after;
2. any other: the nearest citation in its sentence, of two as near the one before it; one after it that a word such as
   "and" or "but" leads to, or a semicolon, begins another clause and gives way to any before;
3. else the last citation before it in its paragraph, else the first after it there.

A citation inside a quotation is part of the words quoted and is not one that the text makes.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass

from research.law.citation import FoundCitation


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words quoted: text[start:end] of what was read, marks and all; `words` without them. is_block: stands alone."""

    words: str
    start: int
    end: int
    is_block: bool = False


_BLOCK = re.compile(r"^[ \t]*(?P<first>>)[^\n]*(?:\n[ \t]*>[^\n]*)*", re.MULTILINE)
_BLOCK_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_ATTRIBUTION = re.compile(r"[ \t]*[-–—(\[]")
_DOUBLE = re.compile(r"“(?P<curly>[^“”]+)”|(?<![\w\"])\"(?P<straight>[^\"]+)\"|«(?P<angled>[^«»]+)»")
_APOSTROPHE = r"(?<=\w)['’](?=\w)"
_PLURAL_OWNER = (
    rf"(?<=s)['’](?= [a-z](?:[^'‘’]|{_APOSTROPHE})*['’](?!\w))"  # of "taxpayers'", where a mark still follows
)
_SINGLE = re.compile(
    rf"(?<![\w'’])['‘](?=\S)(?P<words>(?:[^'‘’]|{_APOSTROPHE}|{_PLURAL_OWNER})+?(?<=\S))(?!{_PLURAL_OWNER})['’](?!\w)"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE_END = re.compile(r"[.!?][\"”'’)\]]*\s+(?=[\"“'‘]?[A-Z])|\n(?=[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t])")
_ABBREVIATED = re.compile(r"\b(?:s|ss|sub-?s|para|paras|reg|cl|pt|div|sch|no|cf|eg|e\.g|i\.e|ie|v)\.$", re.IGNORECASE)
_ANOTHER_CLAUSE = re.compile(r"[^\w(]*(?:;|\b(?:and|but|or|while|whilst|whereas|however|then)\b)", re.IGNORECASE)
LONGEST_ABBREVIATED = 8  # characters before its full stop
_OUTSIDE_MARKS = " \t\n.,;:-–—*•"


def unwrapped(text: str) -> str:
    """The text; where every line of it begins with ">", as in a reply, those marks blanked out, lengths unchanged."""
    if not all(_BLOCK_MARK.match(line) for line in text.split("\n") if line.strip()):
        return text
    return _BLOCK_MARK.sub(lambda mark: " " * len(mark[0]), text)


def quotations_in(text: str) -> tuple[Quotation, ...]:
    """Every quotation of `text`, in order; blocks before marks, double marks before single: none overlaps another."""
    found = [_block(match) for match in _BLOCK.finditer(text)]
    taken = sorted(match.span() for match in _BLOCK.finditer(text))
    for paragraph_start, paragraph_end in paragraphs_of(text):
        for form in (_DOUBLE, _SINGLE):
            for match in form.finditer(text, paragraph_start, paragraph_end):
                place = bisect_left(taken, match.span())
                if (place and taken[place - 1][1] > match.start()) or (
                    place < len(taken) and taken[place][0] < match.end()
                ):
                    continue
                words = next(group for group in match.groups() if group is not None)
                alone = text[paragraph_start : match.start()] + text[match.end() : paragraph_end]
                found.append(Quotation(words.strip(), match.start(), match.end(), not alone.strip(_OUTSIDE_MARKS)))
                insort(taken, match.span())
    return tuple(sorted((q for q in found if q.words), key=lambda q: q.start))


def _block(match: re.Match[str]) -> Quotation:
    """A block without its marks and without the line that says where it is from."""
    end = match.start() + len(match[0].rstrip())
    last = match[0].rstrip().rfind("\n") + 1
    if last and _ATTRIBUTION.match(_BLOCK_MARK.sub("", match[0][last:])):
        end = match.start() + last
    words = _BLOCK_MARK.sub("", match[0][: end - match.start()]).strip()
    for opening, closing in ("“”", '""', "‘’", "''"):
        if len(words) > 2 and words[0] == opening and words[-1] == closing:
            words = words[1:-1].strip()
    return Quotation(words, match.start("first"), end, is_block=True)


def paragraphs_of(text: str) -> list[tuple[int, int]]:
    """The spans between empty lines, none of them empty."""
    spans, start = [], 0
    for gap in _PARAGRAPH.finditer(text):
        spans.append((start, gap.start()))
        start = gap.end()
    spans.append((start, len(text)))
    return [(start, end) for start, end in spans if text[start:end].strip()]


def made_citations(citations: Sequence[FoundCitation], quotations: Sequence[Quotation]) -> list[FoundCitation]:
    """The citations that the text itself makes: those that stand within no quotation."""
    starts = [quotation.start for quotation in quotations]
    before = [bisect_right(starts, citation.start) - 1 for citation in citations]
    return [c for c, at in zip(citations, before, strict=True) if at < 0 or c.end > quotations[at].end]


def owners_of(quotations: Sequence[Quotation], text: str, citations: Sequence[FoundCitation]) -> list[int | None]:
    """For each quotation which of `citations` (those that the text makes, in order) it belongs to, by index or None."""
    paragraphs = paragraphs_of(text)
    blocks = {match.start("first"): match.end() for match in _BLOCK.finditer(text)}
    borders = _sentence_borders(text, paragraphs, quotations)
    owners = []
    for quotation in quotations:
        at = max(0, bisect_right(paragraphs, (quotation.start, len(text) + 1)) - 1)
        if quotation.is_block:
            owners.append(_of_block(quotation, paragraphs, at, blocks.get(quotation.start, quotation.end), citations))
            continue
        first = borders[bisect_right(borders, quotation.start) - 1]
        last = borders[min(bisect_left(borders, quotation.end), len(borders) - 1)]
        if in_sentence := _within(citations, first, last):
            owners.append(min(in_sentence, key=lambda i: _farness(quotation, citations[i], text)))
        else:
            owners.append(_before_else_after(quotation, citations, *paragraphs[at]))
    return owners


def _of_block(
    quotation: Quotation,
    paragraphs: Sequence[tuple[int, int]],
    at: int,
    block_end: int,
    citations: Sequence[FoundCitation],
) -> int | None:
    if own := _within(citations, quotation.end, block_end):
        return own[0]
    if (beside := _before_else_after(quotation, citations, *paragraphs[at])) is not None:
        return beside
    if at and (before := _within(citations, *paragraphs[at - 1])):
        return before[-1]
    after = _within(citations, *paragraphs[at + 1]) if at + 1 < len(paragraphs) else []
    return after[0] if after else None


def _before_else_after(quotation: Quotation, citations: Sequence[FoundCitation], start: int, end: int) -> int | None:
    if before := _within(citations, start, quotation.start):
        return before[-1]
    after = _within(citations, quotation.end, end)
    return after[0] if after else None


def _within(citations: Sequence[FoundCitation], start: int, end: int) -> list[int]:
    return [i for i, citation in enumerate(citations) if start <= citation.start < end]


def _farness(quotation: Quotation, citation: FoundCitation, text: str) -> tuple[bool, int, int]:
    is_after = citation.start >= quotation.end
    begins_another = is_after and _ANOTHER_CLAUSE.match(text, quotation.end, citation.start) is not None
    return begins_another, _distance(quotation, citation), citation.start


def _distance(quotation: Quotation, citation: FoundCitation) -> int:
    return citation.start - quotation.end if citation.start >= quotation.end else quotation.start - citation.end


def _sentence_borders(text: str, paragraphs: Sequence[tuple[int, int]], quotations: Sequence[Quotation]) -> list[int]:
    """Where sentences begin and end. A full stop inside quotation marks, or of "s.", ends none."""
    borders = {border for paragraph in paragraphs for border in paragraph}
    starts = [quotation.start for quotation in quotations]
    for match in _SENTENCE_END.finditer(text):
        before = bisect_left(starts, match.start()) - 1
        inside = before >= 0 and match.end() < quotations[before].end
        if not inside and not _ABBREVIATED.search(text, max(0, match.start() - LONGEST_ABBREVIATED), match.start() + 1):
            borders.add(match.end())
    return sorted(borders)
