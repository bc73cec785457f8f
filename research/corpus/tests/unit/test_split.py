"""Chunks: literal slices that cover everything, within the embedder's tokens, cut where a lawyer would."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research.corpus.ingest.split import MAX_TOKENS, Piece, Source, split
from research.corpus.ingest.words import strip_asterisks
from research.terms import Role

_TOKEN = re.compile(r"\w+|[^\w\s]")


def count(texts: Sequence[str]) -> list[int]:
    return [len(_TOKEN.findall(text)) for text in texts]


def cut(text: str, kind: str = "operative", heading: str = "Ringing", path: tuple[str, ...] = ()) -> list[Piece]:
    wording = strip_asterisks(text)
    source = Source("Bell Act", "", "1-1", heading, path, kind, wording.text, wording.spans)
    return split(source, count)


def shapes(pieces: list[Piece]) -> list[tuple[str, str, str]]:
    return [(piece.parent, piece.role.value, piece.text) for piece in pieces]


def test_each_subsection_is_a_chunk_of_its_own_however_small() -> None:
    assert shapes(cut("(1) Ring.\n(2) Stop.\n(2A) Rest.")) == [
        ("(1)", "operative", "(1) Ring."),
        ("(2)", "operative", "(2) Stop."),
        ("(2A)", "operative", "(2A) Rest."),
    ]


def test_a_list_stays_with_its_lead_in() -> None:
    text = "(1) You may ring if:\n(a) it is noon; or\n(b) there is a fire."
    assert shapes(cut(text)) == [("(1)", "operative", text)]


def test_a_heading_goes_with_the_subsection_it_heads() -> None:
    assert shapes(cut("(1) Ring.\nExceptions etc.\n(2) Do not ring at night.")) == [
        ("(1)", "operative", "(1) Ring."),
        ("(2)", "operative", "Exceptions etc.\n(2) Do not ring at night."),
    ]


def test_notes_and_examples_are_marked() -> None:
    text = (
        "(1) You may ring if:\n(a) it is noon; or\nNote: Noon is by the sun.\n(b) there is a fire.\n"
        "Example: Ada sees smoke.\nShe rings.\n(2) Stop then."
    )
    assert shapes(cut(text)) == [
        ("(1)", "operative", "(1) You may ring if:\n(a) it is noon; or"),
        ("(1)", "note", "Note: Noon is by the sun."),
        ("(1)", "operative", "(b) there is a fire."),
        ("(1)", "example", "Example: Ada sees smoke.\nShe rings."),
        ("(2)", "operative", "(2) Stop then."),
    ]


def test_a_note_keeps_the_list_that_it_opens() -> None:
    text = "(1) Ring.\nNote: Two bells are exempt:\n(a) the old one; and\n(b) the new one.\n(2) Stop."
    assert shapes(cut(text))[1] == (
        "(1)",
        "note",
        "Note: Two bells are exempt:\n(a) the old one; and\n(b) the new one.",
    )


def test_what_continues_a_list_repeats_the_words_it_continues() -> None:
    items = "\n".join(f"({chr(97 + n)}) " + "the bell is large and heavy and old " * 5 + "; or" for n in range(9))
    pieces = cut(f"(1) You may ring a bell if:\n{items}")
    assert len(pieces) > 1
    assert "You may ring a bell if:" not in pieces[0].context
    for piece in pieces[1:]:
        assert piece.context.endswith("\n(1) You may ring a bell if:")
        assert piece.text.startswith("(")


def test_a_letter_i_after_h_is_a_paragraph_and_not_a_roman_one() -> None:
    words = "a bell that is rung on a Sunday by a keeper who has kept it for a year or more "
    lines = [f"({letter}) {words}; or" for letter in "abcdefghij"]
    pieces = cut("(1) These are bells:\n" + "\n".join(lines))
    started = next(piece for piece in pieces if piece.text.startswith("(i)") or "\n(i)" in piece.text)
    assert "(h)" not in started.context


def test_context_names_act_section_and_nearest_divisions() -> None:
    path = ("Chapter 1—Bells", "Part 2—Ringing", "Division 8—Hours", "Subdivision 8-A—Noon")
    assert cut("Ring.", path=path)[0].context == "Bell Act section 1-1 Ringing\nHours > Noon"


def test_each_definition_is_a_chunk_and_names_its_term() -> None:
    text = (
        "(1) In this Act:\n\nbell means a thing that rings.\nNote: A gong is no bell.\n\n"
        "keeper of a *bell means:\n(a) its owner; or\n(b) its ringer.\n\nOld bells\n\n(2) An old bell is a bell."
    )
    found = [(p.parent, p.role.value, p.defined_term, p.text) for p in cut(text, "definition")]
    assert found == [
        ("(1)", "definition", "", "(1) In this Act:"),
        ("(1) bell", "definition", "bell", "bell means a thing that rings."),
        ("(1) bell", "note", "bell", "Note: A gong is no bell."),
        ("(1) keeper", "definition", "keeper", "keeper of a bell means:\n(a) its owner; or\n(b) its ringer."),
        ("(2)", "definition", "", "Old bells\n\n(2) An old bell is a bell."),
    ]


def test_a_section_headed_meaning_of_defines_that_term() -> None:
    pieces = cut("(1) A bell is a thing.\n(2) A gong is no bell.", "definition", "Meaning of bell")
    assert [piece.defined_term for piece in pieces] == ["bell", ""]


@pytest.mark.parametrize(
    ("kind", "role"),
    [("guide", Role.GUIDE), ("definition", Role.DEFINITION), ("table-of-sections-omitted", Role.OMITTED)],
)
def test_the_kind_of_section_gives_the_role(kind: str, role: Role) -> None:
    assert [piece.role for piece in cut("Words of some kind.", kind)] == [role]


def test_a_line_too_long_is_cut_after_sentences() -> None:
    line = " ".join("The bell rings at noon and the keeper rests until the bell rings again." for _ in range(40))
    pieces = cut(f"(1) {line}")
    assert len(pieces) > 2
    assert all(piece.text.endswith("again.") and piece.parent == "(1)" for piece in pieces)


def test_a_sentence_too_long_is_cut_after_words() -> None:
    pieces = cut("(1) " + "bell " * 900)
    assert len(pieces) > 3
    assert all(piece.text.split()[-1] == "bell" for piece in pieces)


def test_a_word_without_end_is_cut_as_well() -> None:
    def count_characters(texts: Sequence[str]) -> list[int]:
        return [len("".join(text.split())) for text in texts]

    source = Source("A", "", "1", "B", (), "operative", "x" * 3000)
    assert "".join(piece.text for piece in split(source, count_characters)) == "x" * 3000


LINE = st.sampled_from(
    [
        "(1) You may ring a bell if:", "(2) However, you may not ring at night.", "(3A) This applies to *bells:",
        "(a) it is noon; or", "(b) a fire burns; and", "(h) the eighth case;", "(i) the ninth case, or a first;",
        "(ii) the rope is sound;", "(A) it is oiled; and", "for the purpose of calling people.", "Method statement",
        "Step 1. Work out the weight of the bell.", "Note: Gongs are not bells.", "Note 2: See:",
        "Example: Ada rings. She stops.", "Exceptions", "1 | Large | $3.40", "- the rope", "", "where:",
        "A bell is a thing. " * 30, "word " * 260, "(c) " + "long paragraph about bells; " * 25, "§" * 300,
    ]
)  # fmt: skip
TEXT = st.lists(LINE, min_size=1, max_size=25).map("\n".join).filter(lambda text: bool(text.strip()))
KIND = st.sampled_from(["operative", "guide", "definition", "table-of-sections-omitted"])
HEADING = st.sampled_from(["Ringing", "Meaning of bell", "A very long heading about bells and ropes " * 12])


@settings(deadline=None)
@given(TEXT, KIND, HEADING)
def test_chunks_are_literal_ordered_slices_that_cover_the_text_and_fit(text: str, kind: str, heading: str) -> None:
    wording = strip_asterisks(text)
    path = ("Chapter 1—Bells", "Division 2—" + "Ropes and wheels " * 8)
    source = Source("Bell Keepers Act", "1", "1-1", heading, path, kind, wording.text, wording.spans)
    pieces = split(source, count)
    at = 0
    for number, piece in enumerate(pieces):
        assert piece.ordinal == number
        assert wording.text[piece.offset_chars : piece.offset_chars + len(piece.text)] == piece.text
        assert not wording.text[at : piece.offset_chars].strip()
        at = piece.offset_chars + len(piece.text)
        assert piece.text.strip()
        assert piece.token_count == count([piece.embedded])[0] + 2 <= MAX_TOKENS
    assert not wording.text[at:].strip()


@settings(deadline=None)
@given(TEXT)
def test_a_chunk_has_one_subsection_and_a_heading_is_never_alone(text: str) -> None:
    for piece in cut(text):
        starts = re.findall(r"^\((\d+[A-Z]*)\)", piece.text, re.MULTILINE)
        assert len(starts) <= 1
        if starts:
            assert piece.parent == f"({starts[0]})"
        if piece.text == "Exceptions":
            following = strip_asterisks(text).text[piece.offset_chars + len(piece.text) :].lstrip("\n")
            assert not re.match(r"\(\d", following)


def test_the_same_wording_is_always_cut_the_same() -> None:
    text = "(1) Ring if:\n(a) noon; or\n(b) fire.\nNote: Or both.\n(2) Stop."
    assert cut(text) == cut(text)
