"""How law text is set: numbers hang, notes are told apart, marks keep their place."""

import pytest

from research.presentation.law_text import Piece, Span, lines_of

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
    line = lines_of(text, [Span(term, term + 12, "term-1")], [Span(quote, quote + 9)])[0]
    assert line.pieces == (
        Piece("A "),
        Piece("berth ", "term-1"),
        Piece("rebate", "term-1", is_quoted=True),
        Piece(" is", is_quoted=True),
        Piece(" paid."),
    )


def test_a_quote_over_two_lines_marks_both() -> None:
    text = "(1) One line;\n(a) and another."
    lines = lines_of(text, quoted=[Span(4, len(text))])
    assert [[(piece.text, piece.is_quoted) for piece in line.pieces] for line in lines] == [
        [("One line;", True)],
        [("and another.", True)],
    ]


def test_markup_in_the_text_stays_text() -> None:
    assert lines_of("<b>(1)</b> & so on")[0].pieces == (Piece("<b>(1)</b> & so on"),)


def test_a_row_of_a_table_is_cut_into_its_cells_and_marks_stay_with_their_words() -> None:
    text = "2 | Outer zone | $2.15"
    line = lines_of(text, quoted=[Span(4, 22)])[0]
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
