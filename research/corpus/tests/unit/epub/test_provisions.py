"""What becomes of blocks: kinds, lines, and what stands in front of, between and beside sections."""

from __future__ import annotations

import pytest

from asat_site.testing import epubs as e
from research.corpus.ingest.outline import outline
from research.corpus.ingest.record import KINDS
from research.corpus.ingest.split import Source, split
from research.corpus.ingest.words import strip_asterisks
from research.corpus.tests.unit.epub.reading import Read, by_address, only

pytestmark = pytest.mark.unit


def _count(texts: object) -> list[int]:
    return [len(str(text).split()) for text in texts]  # type: ignore[attr-defined]


def test_a_section_has_a_line_for_each_subsection_paragraph_note_and_example(read: Read) -> None:
    found = read(
        e.section(
            "5-1",
            "What is due",
            [
                e.block("SubsectionHead", "Owners"),
                e.subsection("(1)", "The owner of a *ferry must pay:"),
                e.paragraph("(a)", "dues, if:"),
                e.subparagraph("(i)", "it calls; and"),
                e.subparagraph("(ii)", "it lands; or"),
                e.paragraph("(b)", "a charge."),
                e.continued("The dues are a debt."),
                e.note("Note 1:", e.Html(e.TAB), "See section 5\u20115."),
                e.block("notetext", "Example:", e.Html(e.TAB), "Ada owns a ferry."),
                e.block("Penalty", "Penalty: 10 penalty units."),
            ],
        )
    )
    assert only(found).text.split("\n") == [
        "Owners",
        "(1) The owner of a *ferry must pay:",
        "(a) dues, if:",
        "(i) it calls; and",
        "(ii) it lands; or",
        "(b) a charge.",
        "The dues are a debt.",
        "Note 1: See section 5\u20115.",
        "Example: Ada owns a ferry.",
        "Penalty: 10 penalty units.",
    ]
    assert only(found).kind == "operative"


def test_every_kind_is_one_that_is_loaded(read: Read) -> None:
    found = read(
        e.division("5", "Dues"),
        e.group("Guide to Division 5"),
        e.section("5-1", "What this Division is about", [e.block("BoxText", "Dues are about ferries.")]),
        e.group("Operative provisions"),
        e.section("5-5", "What is due", [e.subsection("", "Dues are due.")]),
        e.section("5-10", "Definitions", [e.subsection("", "In this Act:"), e.definition("barge", " means a boat.")]),
        e.section("5-15", "Map", [e.continued(e.image("map.gif"))]),
    )
    kinds = [provision.kind for provision in found.provisions]
    assert kinds == ["guide", "operative", "definition", "table-of-sections-omitted"]
    assert set(kinds) == set(KINDS)


def test_a_guide_ends_where_the_operative_provisions_begin(read: Read) -> None:
    found = read(
        e.division("5", "Dues"),
        e.group("Guide to Division 5"),
        e.section("5-1", "What this Division is about", [e.block("BoxText", "Dues are about ferries.")]),
        e.group("Operative provisions"),
        e.section("5-5", "What is due", [e.subsection("", "Dues are due.")]),
    )
    assert [p.path for p in found.provisions] == [
        ("Division 5—Dues", "Guide to Division 5"),
        ("Division 5—Dues",),
    ]
    assert found.ledger.dropped["marks of where a Guide ends"] == len("Operativeprovisions")


def test_case_29_a_guide_with_no_section_open_belongs_to_its_division(read: Read) -> None:
    found = read(
        e.part("2-1", "Harbours"),
        e.division("40", "Ferries"),
        e.block("BoxText", "This Division is about ferries."),
        e.section("40-5", "Dues", [e.subsection("", "Dues are due.")]),
    )
    guide = by_address(found)["", "Pt 2-1 Div 40"]
    assert (guide.kind, guide.heading, guide.path) == ("guide", "Ferries", ("Part 2-1—Harbours", "Division 40—Ferries"))


def test_definitions_are_parted_by_blank_lines_and_cut_one_by_one(read: Read) -> None:
    found = read(
        e.section(
            "995-1",
            "Definitions",
            [
                e.subsection("(1)", "In this Act, except so far as the contrary intention appears:"),
                e.definition("barge", " means a boat:"),
                e.paragraph("(a)", "that is flat; and"),
                e.paragraph("(b)", "that floats."),
                e.definition("ferry", " has the meaning given by section 5\u20115."),
                e.note("Note: Some ferries are barges."),
                e.definition("quay", ": see section 9\u20111."),
            ],
        )
    )
    text = only(found).text
    assert text.split("\n\n") == [
        "(1) In this Act, except so far as the contrary intention appears:",
        "barge means a boat:\n(a) that is flat; and\n(b) that floats.",
        "ferry has the meaning given by section 5\u20115.\nNote: Some ferries are barges.",
        "quay: see section 9\u20111.",
    ]
    wording = strip_asterisks(text)
    source = Source("Act", "", "995-1", "Definitions", (), "definition", wording.text, wording.spans)
    assert {piece.defined_term for piece in split(source, _count)} == {"", "barge", "ferry", "quay"}


def test_a_meaning_of_section_defines(read: Read) -> None:
    assert only(read(e.section("9", "Meaning of ferry", [e.subsection("", "A ferry is a boat.")]))).kind == "definition"


def test_definitions_older_than_their_style_are_parted_too(read: Read) -> None:
    found = read(
        e.section(
            "3",
            "Interpretation",
            [
                e.block("indent", "In this Act—"),
                e.block("indent", "“barge” means a flat boat;"),
                e.block("indent", "“ferry” includes a barge."),
            ],
        )
    )
    assert only(found).text == "In this Act—\n\n“barge” means a flat boat;\n\n“ferry” includes a barge."


def test_case_19_a_table_before_the_first_heading_stays_between_its_paragraphs(read: Read) -> None:
    found = read(
        e.block("LongT", "An Act about harbours"),
        e.table([["Harbour", "Depth"], ["North", "4"]]),
        e.block("Preamble", "Whereas ferries float:"),
        e.section("1", "Name", [e.subsection("", "This is a name.")]),
    )
    intro = by_address(found)["", "Introduction"]
    assert intro.text.split("\n") == ["An Act about harbours", "Harbour: North; Depth: 4", "Whereas ferries float:"]


def test_case_32_what_a_schedule_serves_is_kept_with_its_clauses(read: Read) -> None:
    found = read(
        e.schedule("7", "General rates"),
        e.block("notemargin", "Subsection 12(1)"),
        e.part("I", "Residents"),
        e.section("1", "Rates", [e.subsection("", "The rates are these.")]),
    )
    assert only(found).flags == ("serves Subsection 12(1)",)
    assert found.ledger.share == 0


def test_case_33_specials_are_no_sections(read: Read) -> None:
    found = read(
        e.schedule("1", "Modifications"),
        e.section("1", "Modified", [e.subsection("", "Read it as:"), e.block("Specials", "131A Definitions")]),
    )
    assert only(found).text == "Read it as:\n131A Definitions"


def test_case_34_paragraphs_of_an_unnumbered_subsection_belong_to_the_section(read: Read) -> None:
    found = read(
        e.section("42", "Rejection", [e.subsection("", "It must be rejected if:"), e.paragraph("(a)", "it is late.")])
    )
    assert [line.parent for line in outline(only(found).text)] == ["", ""]
    assert outline(only(found).text)[1].label == "a"


def test_case_35_two_paragraphs_of_one_letter_are_kept_and_flagged(read: Read) -> None:
    found = read(
        e.section(
            "9",
            "Twice",
            [
                e.subsection("(2)", "It is:"),
                e.paragraph("(a)", "new;"),
                e.paragraph("(b)", "old;"),
                e.paragraph("(b)", "odd."),
                e.subsection("(3)", "It is:"),
                e.paragraph("(b)", "alone."),
            ],
        )
    )
    assert only(found).text.count("(b)") == 3
    assert only(found).flags == ("two paragraphs (b) in subsection (2)",)


def test_case_36_words_directly_under_a_schedule_are_the_schedule_s(read: Read) -> None:
    found = read(
        e.section("1", "Name", [e.subsection("", "This is a name.")]),
        e.schedule("3", "Harbours"),
        e.block("Tabletext", "North Harbour"),
        e.block("Tabletext", "South Harbour"),
        e.part("II", "More"),
        e.block("Tabletext", "East Harbour"),
    )
    assert by_address(found)["3", "Sch 3"].text == "North Harbour\nSouth Harbour"
    assert by_address(found)["3", "Sch 3 Pt II"].path == ("Schedule 3—Harbours", "Part II—More")


def test_a_style_that_is_not_known_is_kept_and_counted(read: Read) -> None:
    found = read(e.section("1", "Name", [e.block("Compilation", "Words of law."), e.block("", "More.")]))
    assert only(found).text == "Words of law.\nMore."
    assert found.unknown_classes == {"Compilation": 1, "<p>": 1}


def test_case_22_headings_within_a_section_of_an_instrument_do_not_split_it(read: Read) -> None:
    found = read(
        e.block("LI-Heading1", "Part 2—Relief"),
        e.block("LI-Heading2", "8 Relief for ferries"),
        e.block("LI-BodyTextNumbered", "(1) A ferry need not pay."),
        e.block("LI-Heading3", "Small ferries"),
        e.block("LI-BodyTextNumbered", "(2) A small ferry need not either."),
    )
    assert (only(found).section, only(found).path) == ("8", ("Part 2—Relief",))
    assert "Small ferries" in only(found).text.split("\n")


def test_case_40_a_hard_hyphen_is_no_range(read: Read) -> None:
    found = read(e.section("5-1", "Dues", [e.subsection("", "See ss 355\u201125 and ss 5\u20136.")]))
    assert only(found).text == "See ss 355\u201125 and ss 5\u20136."


def test_case_75_a_rate_without_the_word_is_read_as_it_stands(read: Read) -> None:
    found = read(e.section("9-70", "The amount of dues", [e.subsection("", "The amount is 10% of the *value.")]))
    assert only(found).text == "The amount is 10% of the *value."


def test_what_is_read_is_cut_into_chunks_that_cover_it(read: Read) -> None:
    rows = [["Item", "Length of the ferry", "Rate"], *([str(n), f"over {n} metres", f"{n}%"] for n in range(40))]
    found = read(
        e.section("5-1", "Rates", [e.subsection("(1)", "The rates are:"), e.table(rows, caption="Rates")]),
        e.section(
            "5-5", "Definitions", [e.definition("barge", " means a boat."), e.definition("quay", " means a wall.")]
        ),
    )
    for p in found.provisions:
        wording = strip_asterisks(p.text)
        pieces = split(
            Source(found.title, p.schedule, p.section, p.heading, p.path, p.kind, wording.text, wording.spans), _count
        )
        assert "".join("".join(piece.text.split()) for piece in pieces) == "".join(p.text.split())
    lines = [line for piece in pieces for line in piece.text.split("\n")]
    assert lines == ["barge means a boat.", "quay means a wall."]
