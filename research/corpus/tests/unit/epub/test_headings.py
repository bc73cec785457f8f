"""Numbers and titles of headings, in each way in which compilations mark them."""

from __future__ import annotations

import pytest

from asat_site.testing import epubs as e
from research.corpus.ingest.epub.blocks import Block
from research.corpus.ingest.epub.headings import Rank, container_of, section_of
from research.corpus.tests.unit.epub.reading import Read, by_address, only

pytestmark = pytest.mark.unit


def _block(text: str) -> Block:
    return Block("p", (), text=" ".join(text.split("\t")), raw=text)


@pytest.mark.parametrize(
    ("text", "number", "title"),
    [
        ("6 Interpretation", "6", "Interpretation"),
        ("26AAB Car expenses", "26AAB", "Car expenses"),
        ("8AAZLGA Retaining refunds", "8AAZLGA", "Retaining refunds"),
        ("159GZZZZH Last of many", "159GZZZZH", "Last of many"),
        ("83A\u201133 Ferries that start up", "83A-33", "Ferries that start up"),
        ("40 \u00a0\u2011\u00a0 1 What is due", "40-1", "What is due"),
        ("40\u2010880 Other dues", "40-880", "Other dues"),
        ("995-1 Definitions", "995-1", "Definitions"),
        ("6.01 Forms", "6.01", "Forms"),
        ("292\u2011155.01 Amounts of pension", "292-155.01", "Amounts of pension"),
        ("17A.61 Records", "17A.61", "Records"),
        ("1.05 Not section 105", "1.05", "Not section 105"),
        ("7.\u00a0 The harbours.", "7", "The harbours."),
        ("1\t2019 measures", "1", "2019 measures"),
        ("5\u20136 Two sections", "", "5\u20136 Two sections"),
        ("2019 measures", "", "2019 measures"),
        ("1 October 2016", "", "1 October 2016"),
        ("Table I", "", "Table I"),
        ("Notes.", "", "Notes."),
    ],
)
def test_a_section_s_number_is_told_from_its_title(text: str, number: str, title: str) -> None:
    heading = section_of(_block(text))
    assert (heading.number, heading.title) == (number, title)


@pytest.mark.parametrize(
    ("text", "level", "rank", "number", "step"),
    [
        ("Chapter 2—Liability", 1, Rank.CHAPTER, "2", "Chapter 2—Liability"),
        ("Schedule 1—2019 measures", 1, Rank.SCHEDULE, "1", "Schedule 1—2019 measures"),
        ("Schedule 2F—Losses", 1, Rank.SCHEDULE, "2F", "Schedule 2F—Losses"),
        ("First Schedule", 1, Rank.SCHEDULE, "1", "Schedule 1"),
        ("The Schedule", 1, Rank.SCHEDULE, "", "Schedule"),
        ("Schedule of rates", 1, Rank.SCHEDULE, "", "Schedule of rates"),
        ("Part\u00a02\u20111—Assessable income", 2, Rank.PART, "2-1", "Part 2-1—Assessable income"),
        ("Part IVA\tSchemes", 2, Rank.PART, "IVA", "Part IVA—Schemes"),
        ("Division 7A—Payments by companies", 3, Rank.DIVISION, "7A", "Division 7A—Payments by companies"),
        ("Division 40—Tax\u2011free ferries", 3, Rank.DIVISION, "40", "Division 40—Tax\u2011free ferries"),
        ("Subdivision 152\u2011A—Relief", 3, Rank.SUBDIVISION, "152-A", "Subdivision 152-A—Relief"),
        ("Subdivision BA—Averaging", 4, Rank.SUBDIVISION, "BA", "Subdivision BA—Averaging"),
        ("Guide to Subdivision 40\u2011B", 4, Rank.GROUP, "", "Guide to Subdivision 40-B"),
        ("Part of the harbour", 3, Rank.DIVISION, "", "Part of the harbour"),
    ],
)
def test_the_word_of_a_heading_decides_what_it_is(text: str, level: int, rank: Rank, number: str, step: str) -> None:
    heading = container_of(_block(text), level)
    assert (heading.rank, heading.number, heading.step) == (rank, number, step)


def test_case_1_a_number_in_several_spans_is_one_number(read: Read) -> None:
    found = read(e.division("50", "Dues"), e.section("50-5", "What is due", [e.subsection("", "Dues are due.")]))
    assert [provision.section for provision in found.provisions] == ["50-5"]
    assert only(found).heading == "What is due"


def test_case_2_a_span_with_a_style_is_still_the_number(read: Read) -> None:
    marked = '<span style="color:red" class="CharSectno">12</span><span>\u00a0 </span><span>Ferries</span>'
    found = read(e.block("ActHead5", e.Html(marked)), e.subsection("", "A ferry floats."))
    assert (only(found).section, only(found).heading) == ("12", "Ferries")


def test_case_5_a_chapter_in_the_style_of_schedules_is_a_chapter(read: Read) -> None:
    found = read(e.chapter("1", "Introduction"), e.section("1-1", "Name", [e.subsection("", "This is a name.")]))
    assert (only(found).schedule, only(found).path) == ("", ("Chapter 1—Introduction",))


def test_cases_6_7_8_a_clause_has_its_schedule_in_its_address(read: Read) -> None:
    found = read(
        e.part("1", "Body"),
        e.section("18", "Of the body", [e.subsection("", "In the body.")]),
        e.schedule("1", "First"),
        e.part("1", "Of a Schedule"),
        e.section("18", "A clause", [e.subsection("", "In Schedule 1.")]),
        e.schedule("8", "Last"),
        e.part("1", "Of another"),
        e.section("18", "A clause again", [e.subsection("", "In Schedule 8.")]),
    )
    assert [(p.schedule, p.section, p.path) for p in found.provisions] == [
        ("", "18", ("Part 1—Body",)),
        ("1", "18", ("Schedule 1—First", "Part 1—Of a Schedule")),
        ("8", "18", ("Schedule 8—Last", "Part 1—Of another")),
    ]


def test_chapters_parts_and_divisions_stand_inside_a_schedule(read: Read) -> None:
    found = read(
        e.schedule("1", "Collection"),
        e.chapter("2", "Withholding"),
        e.part("2-5", "Pay as you go"),
        e.division("12", "Payments"),
        e.subdivision("12-B", "Work"),
        e.section("12-35", "Employees", [e.subsection("", "An entity must withhold.")]),
    )
    assert only(found).schedule == "1"
    assert only(found).path[1:3] == ("Chapter 2—Withholding", "Part 2-5—Pay as you go")


def test_case_37_a_jump_of_numbers_is_no_loss(read: Read) -> None:
    found = read(
        e.section("20", "Before", [e.subsection("", "Before the gap.")]),
        e.section("30", "After", [e.subsection("", "After the gap.")]),
    )
    assert found.warnings == ()


def test_case_30_an_unnumbered_heading_is_a_row_without_a_number(read: Read) -> None:
    found = read(
        e.schedule("1", "Rates"),
        e.section("1", "Rates", [e.subsection("", "The rates are these.")]),
        e.section("", "Table I", [e.block("Tabletext", "Two per cent.")]),
    )
    assert by_address(found)["1", "Table I"].text == "Two per cent."


def test_items_of_an_amending_schedule_are_rows_by_their_number(read: Read) -> None:
    found = read(
        e.Heading(6, "Schedule 1—Amendments", e.Html(e.span("Schedule 1—Amendments"))),
        e.Heading(9, "Ferries Act 1950", e.Html(e.span("Ferries Act 1950"))),
        e.block("ItemHead", "1  Subsection 6(1)"),
        e.block("Item", "Omit “two”, substitute “three”."),
    )
    assert (only(found).schedule, only(found).section, only(found).heading) == ("1", "1", "Subsection 6(1)")
    assert only(found).path == ("Schedule 1—Amendments", "Ferries Act 1950")


def test_a_heading_with_no_words_under_it_is_kept_and_flagged(read: Read) -> None:
    found = read(
        e.section_heading("7", "Repealed ferries"), e.section("8", "Dues", [e.subsection("", "Dues are due.")])
    )
    empty = by_address(found)["", "7"]
    assert (empty.text, empty.flags) == ("Repealed ferries", ("no words stand under this heading",))


def test_a_container_with_nothing_under_it_is_dropped_by_name(read: Read) -> None:
    found = read(e.part("1", "Empty"), e.part("2", "Full"), e.section("8", "Dues", [e.subsection("", "Dues are due.")]))
    assert found.ledger.dropped["headings with nothing under them"] == len("Part1—Empty")
    assert found.warnings == ("nothing stands under the heading 'Part 1—Empty'",)


def test_a_second_section_of_one_number_is_kept_and_flagged(read: Read) -> None:
    found = read(
        e.section("12B", "Once", [e.subsection("", "Words of the first.")]),
        e.section("12B", "Twice", [e.subsection("", "Words of the second.")]),
    )
    assert [(p.section, p.flags) for p in found.provisions] == [("12B", ()), ("12B", ("a second 12B",))]


def test_a_bare_heading_among_styled_ones_is_a_line_of_its_section(read: Read) -> None:
    found = read(
        e.section("1", "Name", [e.subsection("", "Law."), e.Html("<h2>In between</h2>"), e.subsection("", "More.")])
    )
    assert only(found).text == "Law.\nIn between\nMore."
