"""Whether quoted words stand in the source they name: literally, whole words, in one piece.

Design rule 2. A quote is checked against the text of its own chunk under the one normalisation. The right words
under the wrong source fail, and the failure names where they do stand.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Mapping

from research.terms import CheckedQuote, Passage, Quote, Role
from research.verification.normalise import Normalised, normalise

LEAST_CHARS = 25
LEAST_WORDS = 4

# The checks by name. They are switched off one by one in a single place: the test that shows what each catches.
SOURCE = "source"  # the chunk named is among the sources
LENGTH = "length"  # 25 characters and 4 words
INTEGRITY = "integrity"  # the words stand somewhere in the sources, in one piece
PLACE = "place"  # and in the very chunk named
BOUNDARIES = "boundaries"  # whole words at both ends
PROSE = "prose"  # the prose claims no more than the quotes
NEGATION = "negation"  # and turns, widens or narrows none of what they say; of a model's prose
PLAIN = "plain"  # and is plain: no names, marks or characters that they do not hold; of a model's prose
ALL_CHECKS = frozenset({SOURCE, LENGTH, INTEGRITY, PLACE, BOUNDARIES, PROSE, NEGATION, PLAIN})

_WORD = re.compile(r"\w+(?:['-]\w+)*")
_JOINS_LETTERS = frozenset("-'\u2010\u2011\u2019")  # a dash that is no hyphen ends a word
_JOINS_DIGITS = frozenset("-.,/\u2010\u2011\u2012\u2013")


def check_quote(
    quote: Quote, sources: Mapping[int, Passage], *, enabled_checks: Collection[str] = ALL_CHECKS
) -> CheckedQuote:
    """The quote with its place in the version's text, or with the problem that it has.

    sources: what the author was shown, by chunk id; a chunk that is not there was not shown, or not in force.
    """
    wanted = normalise(quote.text).text
    if LENGTH in enabled_checks and (len(wanted) < LEAST_CHARS or len(_WORD.findall(wanted)) < LEAST_WORDS):
        return _failed(quote, "too_short")
    own = sources.get(quote.chunk_id)
    whole_words = BOUNDARIES in enabled_checks
    if own is not None:
        span = find_in(own, wanted, whole_words=whole_words)
        if span is not None:
            return _matched(quote, own, span)
    elsewhere = _elsewhere(quote, wanted, sources, whole_words=whole_words)
    if own is None and SOURCE in enabled_checks:
        return _failed(quote, "unknown_source", elsewhere[0].chunk_id if elsewhere else None)
    if elsewhere is not None:
        if PLACE in enabled_checks:
            return _failed(quote, "found_elsewhere", elsewhere[0].chunk_id)
        return _matched(quote, *elsewhere)
    if INTEGRITY in enabled_checks:
        return _failed(quote, "not_in_source")
    return CheckedQuote(quote, None, None, quote.text)


def find_in(
    passage: Passage, wanted: str, *, whole_words: bool = True, within: tuple[int, int] | None = None
) -> tuple[int, int] | None:
    """The span of passage.text that reads `wanted` (already normalised), the first one with whole words at its ends.

    within: only where it begins and ends between these characters of the text; anywhere for None.
    The placeholder of an omitted table holds no words of the law: nothing is found in it.
    """
    if not wanted or passage.role is Role.OMITTED:
        return None
    source = normalise(passage.text)
    first, last = within or (0, len(passage.text))
    at = source.text.find(wanted, bisect_left(source.starts, first))
    while at >= 0:
        end = at + len(wanted)
        start_chars, end_chars = source.original_span(at, end)
        if end_chars > last:
            return None
        is_whole = normalise(passage.text[start_chars:end_chars]).text == wanted  # no half of a ligature
        if is_whole and not (whole_words and (_cuts(source, passage.text, at) or _cuts(source, passage.text, end))):
            return start_chars, end_chars
        at = source.text.find(wanted, at + 1)
    return None


def _cuts(source: Normalised, original: str, border: int) -> bool:
    """Whether a border before character `border` of the normalised text runs through a word or a number."""
    text = source.text
    if border <= 0 or border >= len(text):
        return False
    before, after = text[border - 1], text[border]
    if _is_letter(before) and _is_letter(after):
        return True
    if unicodedata.category(after).startswith("M"):
        return True
    if _is_letter(after) and border >= 2 and _is_letter(text[border - 2]):
        return _joins(original[source.starts[border - 1]], text[border - 2], after)
    if _is_letter(before) and border + 1 < len(text) and _is_letter(text[border + 1]):
        return _joins(original[source.starts[border]], before, text[border + 1])
    return False


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")


def _joins(between: str, before: str, after: str) -> bool:
    """Whether the original character `between` makes its neighbours one word: "non-resident", "75,000", "8-1"."""
    if before.isdigit() and after.isdigit():
        return between in _JOINS_DIGITS
    return between in _JOINS_LETTERS


def _elsewhere(
    quote: Quote, wanted: str, sources: Mapping[int, Passage], *, whole_words: bool
) -> tuple[Passage, tuple[int, int]] | None:
    for chunk_id in sorted(sources):
        if chunk_id != quote.chunk_id:
            span = find_in(sources[chunk_id], wanted, whole_words=whole_words)
            if span is not None:
                return sources[chunk_id], span
    return None


def _matched(quote: Quote, passage: Passage, span: tuple[int, int]) -> CheckedQuote:
    start, end = span
    return CheckedQuote(
        quote,
        passage.offset_chars + start,
        passage.offset_chars + end,
        passage.text[start:end],
        found_in=passage.chunk_id,
    )


def _failed(quote: Quote, problem: str, found_in: int | None = None) -> CheckedQuote:
    return CheckedQuote(quote, None, None, "", problem, found_in)
