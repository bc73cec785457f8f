"""Rows to questions: columns by their headings, years as people write them, and why a row cannot be asked."""

from __future__ import annotations

from datetime import date

import pytest

from research.question.spreadsheet import Columns, Line, Row, columns_in, lines_in, year_of

pytestmark = pytest.mark.unit
TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("cells", "columns"),
    [
        (["Question", "FY", "Reference"], Columns(0, 1, 2)),
        (["Client Ref.", "QUESTION:", "Income year"], Columns(1, 2, 0)),
        (["income  year", "notes", "question"], Columns(2, 0, None)),
        (["Issue", "FY"], Columns(0, 1, None)),
        (["FY", "Issue"], Columns(1, 0, None)),
        (["question", "question"], Columns(0, None, None)),
        (["Can travel be deducted?", "2020"], None),
        (["FY"], None),
        ([], None),
    ],
)
def test_columns_are_found_by_their_headings(cells: list[str], columns: Columns | None) -> None:
    assert columns_in(cells) == columns


@pytest.mark.parametrize(
    ("written", "year"),
    [
        ("", None),
        ("  ", None),
        ("2020", 2020),
        ("FY20", 2020),
        ("FY 2020", 2020),
        ("2019-20", 2020),
        ("2019–20", 2020),
        ("2019/20", 2020),
        ("FY2019/2020", 2020),
        ("year ended 30 June 2020", 2020),
        ("30/06/2020", 2020),
        ("2020-07-01", 2021),
        ("FY98", 1998),
    ],
)
def test_a_year_is_read_as_people_write_it(written: str, year: int | None) -> None:
    assert year_of(written, TODAY) == year


@pytest.mark.parametrize("written", ["soon", "1850", "20", "2020.5", "2018, 2020", "FBT 2021", "2019 or 2020"])
def test_what_is_no_income_year_is_refused_with_what_was_written(written: str) -> None:
    with pytest.raises(ValueError, match=f"^The income year is “{written}”"):
        year_of(written, TODAY)


def test_each_row_is_a_question_with_its_own_number_year_and_reference() -> None:
    rows = [
        Row(1, ()),
        Row(2, ("Question", "FY", "Ref")),
        Row(3, ("", " ", "")),
        Row(4, (" Can travel be deducted? ", "2020", "A\n12")),
        Row(5, ("Are gifts deductible?",)),
    ]
    lines, note = lines_in(rows, TODAY, is_delimited=True)
    assert lines == (
        Line(4, "Can travel be deducted?", 2020, "A 12"),
        Line(5, "Are gifts deductible?"),
    )
    assert note == (
        "Questions were read from the column “Question”, income years from “FY”, references from “Ref”; "
        "no other column was read."
    )


def test_without_headings_the_first_column_is_the_question_and_nothing_else_is_read() -> None:
    lines, note = lines_in([Row(1, ("Can travel be deducted?", "2020"))], TODAY, is_delimited=True)
    assert lines == (Line(1, "Can travel be deducted?"),)
    assert note.startswith("No column is headed “Question”")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (
            Row(2, ("", "2020")),
            "There is no question in this row: the cell is empty, or its formula has no stored value.",
        ),
        (Row(2, ("#REF!", "2020")), "The cell holds #REF! and no question: its formula failed."),
        (
            Row(2, ("Q?", "2020"), True),
            "The row is hidden in the spreadsheet. Show it and upload it again to have it asked.",
        ),
        (
            Row(2, ("Q?", "soon")),
            "The income year is “soon”. Give the year it ends in, such as FY2015, or both, such as 2014-15.",
        ),
    ],
)
def test_a_row_that_cannot_be_asked_says_why(row: Row, why: str) -> None:
    (line,), _ = lines_in([Row(1, ("question", "year")), row], TODAY, is_delimited=False)
    assert line.why == why


def test_a_question_cut_by_its_own_comma_is_refused_and_not_guessed_at() -> None:
    rows = [Row(1, ("question", "year")), Row(2, ("Can travel be deducted", " and when?", "2020"))]
    (line,), _ = lines_in(rows, TODAY, is_delimited=True)
    assert line.why.startswith("The row has more cells than there are headings.")
    (line,), _ = lines_in([rows[0], Row(2, ("Q?", "2020", "an aside"))], TODAY, is_delimited=False)
    assert line == Line(2, "Q?", 2020)


def test_a_long_reference_is_cut_where_it_can_be_seen() -> None:
    (line,), _ = lines_in([Row(1, ("question", "ref")), Row(2, ("Q?", "x" * 300))], TODAY, is_delimited=False)
    assert line.reference == "x" * 199 + "…"


def test_a_question_too_long_to_be_asked_is_refused_beside_the_others() -> None:
    rows = [Row(1, ("question",)), Row(2, ("x" * 2_001,)), Row(3, ("???",)), Row(4, ("Q?",))]
    lines, _ = lines_in(rows, TODAY, is_delimited=True)
    assert [line.why[:38] for line in lines] == [
        "The question has 2,001 characters; AsA",
        "There is no question yet. Write one, f",
        "",
    ]
