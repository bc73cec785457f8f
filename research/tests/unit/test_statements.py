from __future__ import annotations

from dataclasses import replace

import pytest

from asat_site.testing.passages import dictionary, section
from research.generation.statements import LineKind, Statement, read_statements, split_sentences
from research.law.content_words import content_pairs, content_stems, rarity, stem


def read(*parts: str) -> list[Statement]:
    return read_statements(section("12-5", "Netting", *parts))


def shown(statements: list[Statement]) -> list[tuple[str, str]]:
    return [(statement.kind.value, statement.text) for statement in statements]


def test_a_lead_in_and_its_list_are_one_statement_across_passages() -> None:
    assert shown(
        read("(1) You can deduct the cost if:\n(a) you own it; and", "(b) you use it.", "(2) Keep a record.")
    ) == [
        ("subsection", "(1) You can deduct the cost if:\n(a) you own it; and\n(b) you use it."),
        ("subsection", "(2) Keep a record."),
    ]


def test_a_conclusion_set_flush_left_finishes_its_sentence() -> None:
    (statement,) = read("(1) Where:\n(a) a crop fails; and\n(b) it was insured;\nthe loss is taken to be recouped.")
    assert [line.kind.value for line in statement.lines] == ["subsection", "item", "item", "conclusion"]


def test_a_new_sentence_set_flush_left_stands_by_itself() -> None:
    first, second = read("You make a levy supply if you sell fruit.\nHowever, dried fruit is not fruit.")
    assert (first.text, second.text) == (
        "You make a levy supply if you sell fruit.",
        "However, dried fruit is not fruit.",
    )


def test_headings_inside_a_section_are_kept_beside_their_statement_and_never_quoted() -> None:
    rule, limit = read("(1) You can deduct it.\nException: sheds\n(2) A shed does not count.")
    assert (rule.subheading, limit.subheading, limit.text) == ("", "Exception: sheds", "(2) A shed does not count.")


def test_a_note_in_the_middle_of_a_list_does_not_break_the_list() -> None:
    rule, note = read(
        "(1) You can deduct it if:\n(a) you own it; or", "Note: Ownership has a wide meaning.", "(b) you rent it."
    )
    assert rule.text == "(1) You can deduct it if:\n(a) you own it; or\n(b) you rent it."
    assert (note.kind, note.text) == (LineKind.NOTE, "Note: Ownership has a wide meaning.")


def test_the_list_of_a_note_belongs_to_the_note() -> None:
    rule, note = read(
        "(1) It is exempt.", "Note: Exemption has other effects:\nthe levy is not payable;\nno record is kept."
    )
    assert rule.text == "(1) It is exempt."
    assert note.text.endswith("no record is kept.")


def test_an_example_goes_on_until_the_next_subsection() -> None:
    rule, example, second = read(
        "(1) Keep records.", "Example: Ash keeps a diary.\nHowever, Ash loses it.", "(2) It may be paper."
    )
    assert (example.kind, example.text) == (LineKind.EXAMPLE, "Example: Ash keeps a diary.\nHowever, Ash loses it.")
    assert (rule.position, second.text) == (0, "(2) It may be paper.")


@pytest.mark.parametrize(
    ("lines", "levels"),
    [
        (["(1) If:", "(a) x; and", "(i) odd;", "(ii) even."], [0, 1, 2, 2]),
        (["(1) If:", "(g) x;", "(h) y;", "(i) z;", "(j) w."], [0, 1, 1, 1, 1]),  # the letter i, not the numeral
        (["(1) If:", "(a) x:", "(i) y:", "(A) z;", "(B) w."], [0, 1, 2, 3, 3]),
        (["(1) If:", "(a) x;", "(c) y;", "(d) z."], [0, 1, 1, 1]),  # a repealed (b) leaves a hole
        (["(1) If:", "(u) x;", "(v) y;", "(x) z."], [0, 1, 1, 1]),
        (["(1) If:", "(ca) x;", "(cb) y."], [0, 1, 1]),
    ],
)
def test_marks_give_the_level_of_a_line(lines: list[str], levels: list[int]) -> None:
    (statement,) = read("\n".join(lines))
    assert [line.level for line in statement.lines] == levels


def test_a_paragraph_whose_lead_in_is_missing_is_an_orphan() -> None:
    parts = section("12-5", "Netting", "(1) You can deduct it if:", "(a) you own it; and", "(b) you use it.")
    (orphan,) = read_statements(parts[1:])
    assert orphan.is_orphan


def test_over_a_gap_the_list_of_the_same_subsection_goes_on_from_its_next_letter() -> None:
    parts = section(
        "12-5", "Netting", "(1) You can deduct it if:", "(a) either:", "(ii) you own it; or", "(b) you use it."
    )
    (statement,) = read_statements([parts[0], parts[2], parts[3]])
    assert statement.text == "(1) You can deduct it if:\n(b) you use it."


def test_over_a_gap_between_subsections_nothing_goes_on() -> None:
    parts = section("12-5", "Netting", "(1) You can deduct it if:", "(2) Keep a record of:", "(a) what you paid.")
    first, orphan = read_statements([parts[0], parts[2]])
    assert (first.is_orphan, orphan.is_orphan) == (False, True)


def test_a_definition_is_one_statement_with_its_list() -> None:
    fruit, levy = read_statements(
        dictionary(("fruit", "fruit means:\n(a) a berry; or\n(b) an apple."), ("levy", "levy means levy."))
    )
    assert fruit.text == "fruit means:\n(a) a berry; or\n(b) an apple."
    assert levy.text == "levy means levy."


def test_an_omitted_table_gives_no_statement() -> None:
    omitted = [replace(p, role=p.role.OMITTED) for p in section("1-1", "Rates", "[table omitted]")]
    assert read_statements(omitted) == []


def test_every_line_is_a_literal_slice_of_its_passage() -> None:
    for statement in read("  (1) You can deduct it if:\n\n  (a) you own it; and  \n(b) you use it.  "):
        for line in statement.lines:
            assert line.text == line.passage.text[line.start : line.end] == line.text.strip()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One rule. Another rule.", ["One rule.", "Another rule."]),
        ("See Act No. 5 of it. Then stop.", ["See Act No. 5 of it.", "Then stop."]),
        ("It is 1.5 per cent. (2) is separate.", ["It is 1.5 per cent.", "(2) is separate."]),
        ("No end", ["No end"]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in split_sentences(text)] == sentences


@pytest.mark.parametrize(
    "words",
    [
        ("deduct", "deducted", "deduction", "deductions", "deductible"),
        ("penalty", "penalties", "fine"),
        ("supply", "supplies"),
        ("assess", "assessed", "assessing"),
        ("exempt", "exemption", "exempted"),
        ("travel", "travelled", "travelling"),
        ("entity", "entities"),
        ("depreciating", "depreciation"),
    ],
)
def test_words_that_mean_one_thing_have_one_stem(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1, {word: stem(word) for word in words}


@pytest.mark.parametrize(
    ("one", "other"), [("assessable", "assessed"), ("8-1", "8-10"), ("gas", "ga"), ("land", "lane")]
)
def test_words_of_law_that_merely_look_alike_stay_two(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_content_words_leave_out_the_question_s_own_small_words() -> None:
    assert content_stems("Can my client claim a deduction for the netting?") == {"deduct", "nett"}
    assert content_pairs("the CGT event A1 happens") == {("cgt", "event"), ("event", "a1")}


def test_rare_stems_weigh_more_but_within_bounds() -> None:
    weights = rarity([frozenset({"levy", "fruit"}), frozenset({"levy"}), frozenset({"levy"})])
    assert 0.5 <= weights["levy"] < weights["fruit"] <= 1.5
