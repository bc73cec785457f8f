"""How tables read: one line a row, with the heads of its columns."""

from __future__ import annotations

import pytest

from asat_site.testing import epubs as e
from research.corpus.ingest.epub.tables import RAGGED
from research.corpus.tests.unit.epub.reading import Read, only

pytestmark = pytest.mark.unit


def _lines(read: Read, *items: e.Item) -> list[str]:
    found = read(e.section("5-1", "Rates", [e.subsection("", "The rates are:"), *items]))
    assert found.ledger.share == 0
    return only(found).text.split("\n")[1:]


def test_each_row_is_a_line_with_the_heads_of_its_columns(read: Read) -> None:
    table = e.table(
        [
            ["Item", "Taxable income", "Rate"],
            ["1", "exceeds $18,200 but does not exceed $45,000", "19%"],
            ["2", "exceeds $45,000", "30%"],
        ],
        caption="Rates of tax",
    )
    assert _lines(read, table) == [
        "Rates of tax",
        "Item: 1; Taxable income: exceeds $18,200 but does not exceed $45,000; Rate: 19%",
        "Item: 2; Taxable income: exceeds $45,000; Rate: 30%",
    ]


def test_heads_that_are_repeated_are_accounted_as_added(read: Read) -> None:
    table = e.table([["Item", "Rate"], ["1", "2%"], ["2", "3%"], ["3", "4%"]])
    added = read(e.section("5-1", "Rates", [table])).ledger.added
    assert added == {"heads of columns": 2 * len("ItemRate"), "marks between cells": 3 * len(":;:")}


def test_a_head_that_ends_in_a_colon_gets_no_second(read: Read) -> None:
    table = e.table([["For a ferry that:", "The rate is:"], ["floats;", "2%"]])
    assert _lines(read, table) == ["For a ferry that: floats; The rate is: 2%"]


def test_rows_of_heads_that_come_again_are_no_rows(read: Read) -> None:
    table = e.table([["Item", "Rate"], ["1", "2%"], ["Item", "Rate"], ["2", "3%"]])
    assert _lines(read, table) == ["Item: 1; Rate: 2%", "Item: 2; Rate: 3%"]


def test_a_table_without_heads_is_rows_of_cells(read: Read) -> None:
    assert _lines(read, e.table([["Ferry", "2%"], ["Barge", "3%"]], heads=0)) == ["Ferry; 2%", "Barge; 3%"]


def test_a_first_row_that_alone_is_bold_is_the_head(read: Read) -> None:
    bold = [e.span(text, style="font-weight:bold") for text in ("Kind", "Rate")]
    assert _lines(read, e.table([bold, ["Ferry", "2%"]], heads=0)) == ["Kind: Ferry; Rate: 2%"]


def test_a_head_over_the_whole_width_is_a_caption(read: Read) -> None:
    wide = [e.cell("Rates for residents", colspan=2, cls="TableHeading")]
    table = e.table([wide, ["Item", "Rate"], ["1", "2%"]], heads=2)
    assert _lines(read, table) == ["Rates for residents", "Item: 1; Rate: 2%"]


def test_two_rows_of_heads_are_read_together(read: Read) -> None:
    table = e.table(
        [
            [e.cell("Item", rowspan=2, cls="TableHeading"), e.cell("Rate", colspan=2, cls="TableHeading")],
            ["resident", "other"],
            ["1", "2%", "3%"],
        ],
        heads=2,
    )
    assert _lines(read, table) == ["Item: 1; Rate / resident: 2%; Rate / other: 3%"]


def test_case_17_a_cell_over_two_columns_leaves_later_cells_in_theirs(read: Read) -> None:
    table = e.table([["A", "B", "C"], [e.cell("both", colspan=2), "third"], ["1", "2", "3"]])
    assert _lines(read, table) == ["A / B: both; C: third", "A: 1; B: 2; C: 3"]


def test_a_cell_over_rows_stands_in_each(read: Read) -> None:
    table = e.table([["Kind", "Length", "Rate"], [e.cell("Ferry", rowspan=2), "10", "2%"], ["20", "3%"]])
    assert _lines(read, table) == ["Kind: Ferry; Length: 10; Rate: 2%", "Kind: Ferry; Length: 20; Rate: 3%"]


def test_a_cell_over_the_whole_width_stands_alone(read: Read) -> None:
    table = e.table([["Item", "Rate"], [e.cell("Part 1—Ferries", colspan=2)], ["1", "2%"]])
    assert _lines(read, table) == ["Part 1—Ferries", "Item: 1; Rate: 2%"]


def test_case_16_a_table_in_a_cell_stays_in_its_cell(read: Read) -> None:
    inner = e.Html(str(e.block("Tabletext", "these:")) + e.table([["x", "1"], ["y", "2"]], heads=0))
    table = e.table([["Item", "Rates"], ["1", e.cell(inner)], ["2", "none"]])
    assert _lines(read, table) == ["Item: 1; Rates: these: x | 1; y | 2", "Item: 2; Rates: none"]


def test_case_18_paragraphs_of_a_cell_are_neither_lost_nor_doubled(read: Read) -> None:
    inner = e.Html(
        str(e.block("Tabletext", "a ferry:")) + e.block("Tablea", "(a) new; or") + e.block("Tablea", "(b) old")
    )
    assert _lines(read, e.table([["Item", "Kind"], ["1", e.cell(inner)]])) == [
        "Item: 1; Kind: a ferry: (a) new; or (b) old"
    ]


def test_widths_that_disagree_keep_the_rows_as_they_stand(read: Read) -> None:
    table = e.table([["A", "B"], [e.cell("one", colspan=3), "two"], ["three", "four"]])
    found = read(e.section("5-1", "Rates", [table]))
    assert only(found).text.split("\n") == ["A; B", "one; two", "three; four"]
    assert only(found).flags == (RAGGED,)
    assert found.ledger.share == 0


def test_a_box_around_paragraphs_reads_as_paragraphs(read: Read) -> None:
    steps = e.Html(
        str(e.block("BoxHeadItalic", "Method statement"))
        + e.block("BoxStep", "Step 1.", e.Html(e.TAB), "Work out the length.")
        + e.block("BoxStep", "Step 2.", e.Html(e.TAB), "Multiply it by $2.")
    )
    assert _lines(read, e.Html(f"<table><tr><td>{steps}</td></tr></table>")) == [
        "Method statement",
        "Step 1. Work out the length.",
        "Step 2. Multiply it by $2.",
    ]


def test_steps_in_cells_of_their_own_keep_order_and_label(read: Read) -> None:
    table = e.table([["Step 1.", "Work out the length."], ["Step 2.", "Multiply it."]], heads=0)
    assert _lines(read, table) == ["Step 1. Work out the length.", "Step 2. Multiply it."]


def test_a_table_of_heads_alone_is_read_as_rows(read: Read) -> None:
    assert _lines(read, e.table([["Item", "Rate"]])) == ["Item; Rate"]


def test_a_head_over_an_empty_column_is_dropped_by_name(read: Read) -> None:
    found = read(e.section("5-1", "Rates", [e.table([["Item", "Remarks"], ["1", ""]])]))
    assert only(found).text == "Item: 1"
    assert found.ledger.dropped["heads over empty columns"] == len("Remarks")


def test_a_span_of_a_million_columns_is_bounded(read: Read) -> None:
    found = read(
        e.section("5-1", "Rates", [e.table([["A", "B"], [e.cell("wide", colspan=1_000_000, rowspan=9_999_999)]])])
    )
    assert "wide" in only(found).text
