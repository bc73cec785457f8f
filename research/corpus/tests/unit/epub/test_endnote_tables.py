"""Endnotes as tables: which, with what heads, and what their underlines and indents say."""

from __future__ import annotations

import pytest

from asat_site.testing import epubs as e
from research.corpus.ingest.published import Cell, EndnoteTable
from research.corpus.tests.unit.epub.reading import Read

pytestmark = pytest.mark.unit

LAW = e.section("1", "Name", [e.subsection("", "This is a name.")])


def _tables(read: Read, *endnotes: e.Item | e.Items) -> tuple[EndnoteTable, ...]:
    found = read(LAW, endnotes=endnotes)
    assert found.ledger.share == 0
    assert [provision.section for provision in found.provisions] == ["1"]
    return found.endnotes


def test_an_endnote_s_table_has_its_number_title_and_heads(read: Read) -> None:
    rows = [["s 1", "am No 66, 2003"]]
    (table,) = _tables(read, e.endnote("4", "Amendment history", e.table_of_amendments(rows)))
    assert table == EndnoteTable(
        "4", "Amendment history", ("Provision affected", "How affected"), ((Cell("s 1"), Cell("am No 66, 2003")),)
    )


@pytest.mark.parametrize(
    ("markup", "is_pending"),
    [
        ("<span>No 7, 2020</span>", False),
        ("<u>No 7, 2020</u>", True),
        ('<span style="text-decoration:underline">No 7, 2020</span>', True),
        ('<span style="color:red; text-decoration: underline solid">No 7, 2020</span>', True),
        ("<span>am No 1, 2000; </span><u>No 7, 2020</u>", True),
        ("<span>No 7, 2020</span><u> </u>", False),
        ('<a href="x"><u>No 7, 2020</u></a>', False),
    ],
)
def test_case_55_an_underline_says_that_it_has_not_commenced(read: Read, markup: str, is_pending: bool) -> None:
    rows = [["s 1", e.block("ENoteTableText", e.Html(markup))]]
    (table,) = _tables(read, e.endnote("4", "Amendment history", e.table_of_amendments(rows)))
    assert table.rows[0][1].is_pending is is_pending


@pytest.mark.parametrize(
    ("content", "is_indented"),
    [
        (e.indented("Ferries Amendment Act 2002"), True),
        (e.block("ENoteTTIndentHeading", "as amended by"), True),
        (e.block("ENoteTableText", "Ferries Amendment Act 2002", style="margin-left:12pt"), True),
        (e.block("ENoteTableText", "Ferries Amendment Act 2002", style="margin-left:2pt"), False),
        ("Ferries Amendment Act 2002", False),
    ],
)
def test_case_56_an_indent_says_that_it_amended_an_amending_act(
    read: Read, content: str | e.Indented, is_indented: bool
) -> None:
    rows: list[list[str | e.Indented]] = [
        ["Harbour Act 1999", "38, 1999", "a", "b", ""],
        [content, "5, 2002", "c", "d", ""],
    ]
    (table,) = _tables(read, e.endnote("3", "Legislation history", e.table_of_acts(rows)))
    assert [row[0].is_indented for row in table.rows] == [False, is_indented]


def test_lines_of_a_cell_stay_lines(read: Read) -> None:
    lines = e.Html(
        str(e.block("ENoteTableText", "ss 1, 2: Royal Assent")) + e.block("ENoteTableText", "Remainder: 1 July")
    )
    broken = e.Html('<p class="ENoteTableText">Sch 1: 1 May<br/>Sch 2: 2 May</p>')
    rows = [["Harbour Act 1999", "38, 1999", "31 May 1999", lines, broken]]
    (table,) = _tables(read, e.endnote("3", "Legislation history", e.table_of_acts(rows)))
    assert [cell.text for cell in table.rows[0][3:]] == [
        "ss 1, 2: Royal Assent\nRemainder: 1 July",
        "Sch 1: 1 May\nSch 2: 2 May",
    ]


def test_case_52_empty_cells_stay_and_spans_leave_empty_ones(read: Read) -> None:
    rows = [
        ["s 1", "am No 66, 2003"],
        ["", "rs No 7, 2020"],
        [e.cell("Part 2", colspan=2)],
        [e.cell("s 9", rowspan=2), "ad No 1, 2001"],
        ["rep No 2, 2002"],
    ]
    (table,) = _tables(read, e.endnote("4", "Amendment history", e.table_of_amendments(rows)))
    assert [tuple(cell.text for cell in row) for row in table.rows] == [
        ("s 1", "am No 66, 2003"),
        ("", "rs No 7, 2020"),
        ("Part 2", ""),
        ("s 9", "ad No 1, 2001"),
        ("", "rep No 2, 2002"),
    ]


def test_tables_that_continue_each_other_are_one(read: Read) -> None:
    first, second = e.table_of_amendments([["s 1", "am No 1, 2001"]]), e.table_of_amendments([["s 2", "ad No 2, 2002"]])
    bare = e.endnote_table((), [["s 3", "ad No 3, 2003"]])
    (table,) = _tables(read, e.endnote("4", "Amendment history", first, second, bare))
    assert [row[0].text for row in table.rows] == ["s 1", "s 2", "s 3"]


def test_an_endnote_that_goes_on_in_the_next_volume_is_one_table(read: Read) -> None:
    def volume(number: int) -> e.Volume:
        rows = [[f"s {number}", "am No 1, 2001"]]
        body = e.section(str(number), "Name", [e.subsection("", f"Law {number}.")])
        return e.Volume(body, [e.endnote("4", "Amendment history", e.table_of_amendments(rows))])

    found = read(volume(1), volume(2))
    assert [[row[0].text for row in table.rows] for table in found.endnotes] == [["s 1", "s 2"]]
    assert found.ledger.share == 0


def test_endnotes_that_each_volume_repeats_are_kept_once(read: Read) -> None:
    endnotes = [e.endnote("4", "Amendment history", e.table_of_amendments([["s 1", "am No 1, 2001"]]))]
    other = e.section("2", "More", [e.subsection("", "More law.")])
    found = read(e.Volume(LAW, endnotes), e.Volume(other, endnotes))
    assert [len(table.rows) for table in found.endnotes] == [1]
    assert found.ledger.dropped["repeated endnotes"] > 0
    assert found.ledger.share == 0


def test_prose_comes_as_a_table_of_one_column(read: Read) -> None:
    tables = _tables(
        read,
        e.endnote("1", "About the endnotes", e.block("ENotesText", "They are about this.")),
        e.endnote("3", "Legislation history", e.block("ENotesText", "Before the table."), e.table_of_acts([["a"] * 5])),
    )
    assert [(table.number, table.title, len(table.rows[0])) for table in tables] == [
        ("1", "About the endnotes", 1),
        ("", "Endnote\u00a03—Legislation history", 1),
        ("3", "Legislation history", 5),
    ]


def test_notes_older_than_the_endnotes_keep_their_titles(read: Read) -> None:
    heads = [e.span(text, style="font-weight:bold") for text in ("Act", "Number and year")]
    acts = e.Html(e.table([heads, ["Harbour Act 1999", "38, 1999"]], heads=0))
    amendments = e.Html(e.table([["S. 5", "am. No. 17, 1940"], ["S. 6", "rep. No. 18, 1941"]], heads=0))
    tables = _tables(
        read,
        e.block("NotesSection", "Notes to the Harbour Act 1999"),
        e.block("", "Note 1"),
        e.block("", "The Harbour Act 1999 as shown comprises Act No. 38, 1999."),
        e.block("TableOfActs", "Table of Acts"),
        acts,
        e.block("", "(a) Section 4 commenced on 1 May 1999."),
        e.block("TableOfAmend", "Table of Amendments"),
        amendments,
    )
    assert [(table.title, table.heads, len(table.rows)) for table in tables] == [
        ("Note 1", (), 1),
        ("Table of Acts", ("Act", "Number and year"), 1),
        ("Table of Acts", (), 1),
        ("Table of Amendments", (), 2),
    ]


def test_a_heading_s_style_within_the_endnotes_opens_no_section(read: Read) -> None:
    heading = e.block("ActHead5", "9  New")
    uncommenced = e.endnote("5", "Uncommenced amendments", heading, e.block("Item", "Add section 9."))
    tables = _tables(read, uncommenced)
    assert tables[0].number == "5"
