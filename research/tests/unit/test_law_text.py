"""How law text is set: numbers hang, notes are told apart, marks keep their place."""

import pytest

from research.presentation.law_text import lines_of, with_gaps
from research.presentation.marks import Marks, Piece, Span

SECTION = """When it applies
(1) You can claim a berth rebate if:
(a) you hold a berth; and
(b) the berth is:
(i) in a listed harbour; or
(ii) at a jetty;
and you paid for it.
Note: A mooring is not a berth.
(2) The rebate is 5%."""


def shape(text: str) -> list[tuple[str, int, str]]:
    return [(line.marker, line.level, line.kind) for line in lines_of(text)]


def test_subsections_paragraphs_and_subparagraphs_hang_one_step_further_each() -> None:
    assert shape(SECTION) == [
        ("", 0, "heading"),
        ("(1)", 0, "text"),
        ("(a)", 1, "text"),
        ("(b)", 1, "text"),
        ("(i)", 2, "text"),
        ("(ii)", 2, "text"),
        ("", 1, "text"),
        ("Note", 1, "note"),
        ("(2)", 0, "text"),
    ]


@pytest.mark.parametrize(
    ("markers", "levels"),
    [
        (["a", "b", "i", "ii", "c"], [0, 0, 1, 1, 0]),
        (["h", "i", "j"], [0, 0, 0]),  # (i) after (h) is the letter
        (["h", "ha", "hc", "i", "j"], [0, 0, 0, 0, 0]),
        (["h", "i", "ii", "i"], [0, 1, 1, 0]),  # unless (ii) follows; the second one is the letter again
        (["a", "i", "ii", "iii", "iv", "v", "vi"], [0, 1, 1, 1, 1, 1, 1]),
        (["u", "v", "w", "x", "y"], [0, 0, 0, 0, 0]),
        (["a", "aa", "ab"], [0, 0, 0]),
        (["1", "a", "i", "A", "B", "2A"], [0, 1, 2, 3, 3, 0]),
    ],
)
def test_letters_and_roman_numerals_are_told_apart(markers: list[str], levels: list[int]) -> None:
    text = "\n".join(f"({marker}) some words" for marker in markers)
    assert [line.level for line in lines_of(text)] == levels


def test_a_list_without_a_number_above_it_starts_at_the_margin() -> None:
    assert shape("You can claim if:\n(a) you hold a berth; and\n(b) you paid.") == [
        ("", 0, "text"),
        ("(a)", 0, "text"),
        ("(b)", 0, "text"),
    ]


def test_no_character_is_lost_but_the_marker_and_the_line_ends() -> None:
    rebuilt = [f"{line.marker} {line.text}".strip() for line in lines_of(SECTION)]
    assert [line.replace("Note ", "Note: ") for line in rebuilt] == SECTION.split("\n")


def test_a_quote_and_a_term_are_cut_where_they_start_and_end() -> None:
    text = "(1) A berth rebate is paid."
    term, quote = text.index("berth"), text.index("rebate")
    line = lines_of(text, Marks([Span(term, term + 12, "term-1")], [Span(quote, quote + 9)]))[0]
    assert line.pieces == (
        Piece("A "),
        Piece("berth ", "term-1"),
        Piece("rebate", "term-1", is_quoted=True),
        Piece(" is", is_quoted=True),
        Piece(" paid."),
    )


def test_a_quote_over_two_lines_marks_both() -> None:
    text = "(1) One line;\n(a) and another."
    lines = lines_of(text, Marks(quoted=[Span(4, len(text))]))
    assert [[(piece.text, piece.is_quoted) for piece in line.pieces] for line in lines] == [
        [("One line;", True)],
        [("and another.", True)],
    ]


def test_markup_in_the_text_stays_text() -> None:
    assert lines_of("<b>(1)</b> & so on")[0].pieces == (Piece("<b>(1)</b> & so on"),)


def test_a_row_of_a_table_is_cut_into_its_cells_and_marks_stay_with_their_words() -> None:
    text = "2 | Outer zone | $2.15"
    line = lines_of(text, Marks(quoted=[Span(4, 22)]))[0]
    assert line.cells == (
        (Piece("2"),),
        (Piece("Outer zone", is_quoted=True),),
        (Piece("$2.15", is_quoted=True),),
    )
    assert lines_of("No table here")[0].cells == ()


@pytest.mark.parametrize(
    ("line", "headword"),
    [
        ("vessel means a ship or boat.", "vessel"),
        ("exempt vessel has the meaning given by section 3-15.", "exempt vessel"),
        ("owner of a vessel includes a person who may take it.", "owner of a vessel"),
        ("berth: a vessel berths when it is made fast.", "berth"),
        ("A reference to a port is a reference to a place.", ""),
        ("(1) In this Act, vessel means a boat.", ""),
    ],
)
def test_the_word_that_a_definition_defines_is_told_apart(line: str, headword: str) -> None:
    pieces = lines_of(line, defines=True)[0].pieces
    assert "".join(piece.text for piece in pieces if piece.is_headword) == headword
    assert all(not piece.is_headword for piece in lines_of(line)[0].pieces)


def test_a_list_that_a_note_opens_is_part_of_the_note_until_a_subsection_comes() -> None:
    text = (
        "(1) A rule.\nNote 4: The Port Act:\n(a) lowers a due; and\n(b) ends it.\n(2) Another rule if:\n(a) it is so."
    )
    assert shape(text) == [
        ("(1)", 0, "text"),
        ("Note 4", 1, "note"),
        ("(a)", 2, "note"),
        ("(b)", 2, "note"),
        ("(2)", 0, "text"),
        ("(a)", 1, "text"),
    ]


def test_a_paragraph_after_a_note_that_opens_no_list_is_the_rules_own() -> None:
    text = "(1) A rule if:\n(a) one;\nNote: A boat is a vessel.\n(b) two."
    assert [(line.marker, line.kind) for line in lines_of(text)][-2:] == [("Note", "note"), ("(b)", "text")]


def test_the_sentences_of_an_example_stay_with_it_and_those_after_a_note_do_not() -> None:
    assert shape("(1) A rule.\nExample: Ann moors.\nShe pays $5.\n(2) More.") == [
        ("(1)", 0, "text"),
        ("Example", 1, "note"),
        ("", 1, "note"),
        ("(2)", 0, "text"),
    ]
    assert shape("(1) A rule.\nNote: See section 2.\nand it is paid.")[-1] == ("", 1, "text")


def test_a_clause_of_a_schedule_hangs_from_its_number_like_a_subsection() -> None:
    assert shape("1. The rate is 3%.\n2. Where:\n(a) one; and\n(b) two;\nthe rate is 4%.") == [
        ("1.", 0, "text"),
        ("2.", 0, "text"),
        ("(a)", 1, "text"),
        ("(b)", 1, "text"),
        ("", 1, "text"),
    ]


def test_a_table_that_is_held_as_lines_is_told_apart_until_the_next_subsection_or_note() -> None:
    text = (
        "(1) The due is in the table.\nItem In this zone: The due is:\n1A Outer zone $2\nor less\n(a) at night; or"
        "\nNote: Zones are mapped.\n(2) Another rule."
    )
    assert shape(text) == [
        ("(1)", 0, "text"),
        ("", 1, "row"),
        ("1A", 1, "row"),
        ("", 1, "row"),
        ("(a)", 2, "row"),
        ("Note", 1, "note"),
        ("(2)", 0, "text"),
    ]
    assert all(kind == "text" for _, _, kind in shape("Item 4 does not apply.\n12 days are enough."))


def test_a_mark_stands_where_words_between_quotes_are_left_out() -> None:
    lines = with_gaps(lines_of("(a) one;\n(c) three."), [1], "[…]")
    assert [(line.marker, line.kind, line.text) for line in lines] == [
        ("(a)", "text", "one;"),
        ("", "gap", "[…]"),
        ("(c)", "text", "three."),
    ]
