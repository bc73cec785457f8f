"""Two wordings in one: what was dropped, what was added, word by word."""

from hypothesis import given
from hypothesis import strategies as st

from research.presentation.compare import compare, differing, only_changed, words_changed
from research.presentation.law_text import Line, lines_of
from research.presentation.marks import Span


def told(lines: tuple[Line, ...]) -> list[list[tuple[str, str]]]:
    return [[(piece.text, piece.change) for piece in line.pieces] for line in lines]


def test_an_amount_changes_whole() -> None:
    assert [(p.text, p.change) for p in words_changed("The cap is $900.", "The cap is $1,200.")] == [
        ("The cap is ", ""),
        ("$900", "deleted"),
        ("$1,200", "inserted"),
        (".", ""),
    ]


def test_a_new_paragraph_is_inserted_and_a_lost_one_deleted_in_its_place() -> None:
    old = "(1) The cap applies to each vessel.\n(2) Nothing is carried forward."
    new = "(1) The cap applies to each vessel, other than:\n(a) a leased vessel.\n(3) Quite other words stand here now."
    lines = compare(old, new)
    assert [(line.marker, line.level) for line in lines] == [("(1)", 0), ("(a)", 1), ("(3)", 0), ("(2)", 0)]
    assert told(lines)[1:] == [
        [("a leased vessel.", "inserted")],
        [("Quite other words stand here now.", "inserted")],
        [("Nothing is carried forward.", "deleted")],
    ]


def test_words_that_change_in_a_row_change_together() -> None:
    assert [(p.text, p.change) for p in words_changed("Cap on harbour dues", "Cap on dues for harbours")] == [
        ("Cap on ", ""),
        ("harbour dues", "deleted"),
        ("dues for harbours", "inserted"),
    ]


def test_only_the_lines_that_changed_are_told_with_a_mark_between_them() -> None:
    old = "(1) One.\n(2) Two.\n(3) Three.\n(4) Four."
    new = "(1) One then.\n(2) Two.\n(3) Three.\n(4) Four then."
    lines = only_changed(compare(old, new), 12)
    assert [line.marker or line.text for line in lines] == ["(1)", "[…]", "(4)"]
    assert [line.marker for line in only_changed(compare(old, new), 1)] == ["(1)"]
    assert only_changed(compare(old, old), 12) == ()


def test_a_paragraph_that_is_wholly_new_or_gone_is_so_with_its_number() -> None:
    lines = compare("(1) One.\n(2) Two was here.", "(1) One.\n(3) Quite other words.")
    assert [(line.marker, line.change) for line in lines] == [("(1)", ""), ("(3)", "inserted"), ("(2)", "deleted")]


def test_equal_wordings_show_no_change() -> None:
    text = "(1) Same.\n(2) Same too."
    assert told(compare(text, text)) == [[("Same.", "")], [("Same too.", "")]]


WORDS = st.lists(st.sampled_from(["berth", "levy", "$900", "(a)", "of", "\n", "\n(2) ", ",", "."]), max_size=30)


@given(WORDS, WORDS)
def test_what_is_kept_and_inserted_is_the_new_wording_and_what_is_kept_and_deleted_the_old(
    before: list[str], after: list[str]
) -> None:
    old, new = " ".join(before), " ".join(after)
    pieces = words_changed(old, new)
    assert "".join(p.text for p in pieces if p.change != "deleted") == new
    assert "".join(p.text for p in pieces if p.change != "inserted") == old


@given(WORDS, WORDS)
def test_every_line_of_the_new_wording_is_shown_once_and_in_order(before: list[str], after: list[str]) -> None:
    old, new = " ".join(before), " ".join(after)
    kept = ["".join(p.text for p in line.pieces if p.change != "deleted") for line in compare(old, new)]
    assert [text for text in kept if text] == [line.text for line in lines_of(new) if line.text]


@given(WORDS, WORDS)
def test_what_does_not_differ_is_equal_in_both_wordings(before: list[str], after: list[str]) -> None:
    old, new = " ".join(before), " ".join(after)
    gone, come = differing(old, new)

    def rest(text: str, spans: tuple[Span, ...]) -> list[str]:
        marked = {offset for span in spans for offset in range(span.start, span.end)}
        return sorted("".join(c for at, c in enumerate(text) if at not in marked and c.isalnum()))

    # the numbers of lines that are wholly new or gone are kept beside their words
    if not any("(" in word for word in (*before, *after)):
        assert rest(old, gone) == rest(new, come)
    assert all(0 <= span.start < span.end <= len(old) for span in gone)
    assert all(0 <= span.start < span.end <= len(new) for span in come)
