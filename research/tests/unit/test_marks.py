"""A text cut where marks begin and end, however they overlap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.presentation.marks import Marks, Piece, Span

pytestmark = pytest.mark.unit

TEXT = "A ferry pays dues under section 5-10 of this Act."


def span(words: str, key: str = "") -> Span:
    at = TEXT.index(words)
    return Span(at, at + len(words), key)


def test_a_reference_across_the_edge_of_a_quote_is_one_link_in_two_pieces() -> None:
    marks = Marks(quoted=[span("dues under section")], links=[span("section 5-10", "/law/5-10")])
    pieces = marks.cut(TEXT, 0, len(TEXT))
    assert [(piece.text, piece.is_quoted, piece.href) for piece in pieces] == [
        ("A ferry pays ", False, ""),
        ("dues under ", True, ""),
        ("section", True, "/law/5-10"),
        (" 5-10", False, "/law/5-10"),
        (" of this Act.", False, ""),
    ]


def test_a_defined_term_that_is_part_of_a_reference_stays_a_term() -> None:
    marks = Marks(terms=[span("section", "term-1")], links=[span("section 5-10", "/law/5-10")])
    pieces = [piece for piece in marks.cut(TEXT, 0, len(TEXT)) if piece.term or piece.href]
    assert pieces == [Piece("section", "term-1"), Piece(" 5-10", href="/law/5-10")]


def test_words_that_differ_keep_their_other_marks() -> None:
    marks = Marks(terms=[span("ferry", "term-1")], differs=[span("ferry pays")])
    pieces = marks.cut(TEXT, 0, 12)
    assert pieces == (
        Piece("A "),
        Piece("ferry", "term-1", change="differs"),
        Piece(" pays", change="differs"),
    )


SPANS = st.lists(st.tuples(st.integers(0, 49), st.integers(1, 12)).map(lambda p: Span(p[0], p[0] + p[1], "k")))


@given(SPANS, SPANS, SPANS, SPANS, st.integers(0, 49), st.integers(0, 49))
def test_no_character_is_lost_or_doubled_and_each_is_marked_as_its_spans_say(
    terms: list[Span], quoted: list[Span], links: list[Span], differs: list[Span], one: int, other: int
) -> None:
    start, end = min(one, other), max(one, other)
    pieces = Marks(terms, quoted, links, differs).cut(TEXT, start, end)
    assert "".join(piece.text for piece in pieces) == TEXT[start:end]
    at = start
    for piece in pieces:
        for offset in range(at, at + len(piece.text)):
            assert piece.is_quoted is any(span.start <= offset < span.end for span in quoted)
            assert bool(piece.term) is any(span.start <= offset < span.end for span in terms)
            assert bool(piece.change) is any(span.start <= offset < span.end for span in differs)
        at += len(piece.text)
