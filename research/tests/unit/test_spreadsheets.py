"""Files as people save them, and as nobody should open them."""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Callable
from datetime import datetime

import pytest
from openpyxl import Workbook

from research.adapters import spreadsheets
from research.adapters.spreadsheets import MOST_BYTES, Unreadable, sheet_in

pytestmark = pytest.mark.unit
DAY = datetime(2020, 6, 30)  # noqa: DTZ001 a workbook knows no zones
TEXT = "question{0}FY{0}ref\r\nCan a pilot’s travel – “½ of it” – be deducted?{0}2020{0}§ 7\r\n"
CELLS = [["question", "FY", "ref"], ["Can a pilot’s travel – “½ of it” – be deducted?", "2020", "§ 7"]]


def cells(content: bytes) -> list[list[str]]:
    return [list(row.cells) for row in sheet_in(content).rows]


def workbook(fill: Callable[[Workbook], None]) -> bytes:
    book = Workbook()
    fill(book)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def rewritten(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The workbook with one part changed, or added."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
        if part not in old.namelist():
            new.writestr(part, change(b""))
    return written.getvalue()


def plain(book: Workbook) -> None:
    for row in CELLS:
        book.active.append(row)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16"),
        ("utf-16-be", "UTF-16"),
        ("cp1252", "Windows-1252"),
    ],
)
def test_text_is_read_whatever_it_is_written_in(separator: str, codec: str, name: str) -> None:
    content = TEXT.format(separator).encode(codec)
    assert cells(content) == CELLS
    assert sheet_in(content).notes[0].startswith(f"Read as {name} text, its cells told apart by ")


def test_rows_are_numbered_as_a_spreadsheet_program_numbers_them() -> None:
    content = b'question,FY\r\n"first\r\nover two lines",2020\r\n\r\nsecond,2021\r\n'
    assert [(row.number, row.cells[:1]) for row in sheet_in(content).rows] == [
        (1, ("question",)),
        (2, ("first\r\nover two lines",)),
        (3, ()),
        (4, ("second",)),
    ]


def test_a_line_that_names_the_separator_is_no_row() -> None:
    rows = sheet_in(b"sep=;\r\nquestion;FY\r\nQ, or not?;2020\r\n").rows
    assert [(row.number, row.cells) for row in rows] == [(2, ("question", "FY")), (3, ("Q, or not?", "2020"))]


@pytest.mark.parametrize(
    "text",
    [
        "Can travel be deducted, and when?\nAre gifts deductible, or not?\n",
        "question\nCan travel be deducted,or not?\nAre gifts deductible,or not?\n",
        "Can travel be deducted?\n",
    ],
)
def test_questions_alone_are_not_cut_at_their_commas(text: str) -> None:
    assert cells(text.encode()) == [[line] for line in text.splitlines()]


def test_a_quotation_mark_that_is_never_closed_swallows_nothing() -> None:
    with pytest.raises(Unreadable, match="never closed"):
        sheet_in(b'question,FY\n"Can travel be deducted?,2020\nAre gifts?,2020\n')


def test_a_quotation_mark_in_a_loosely_written_cell_is_taken() -> None:
    assert cells(b'question,FY\n"Car" means what?,2020\n')[1] == ["Car means what?", "2020"]


def test_a_workbook_is_told_by_what_it_holds() -> None:
    sheet = sheet_in(workbook(plain))
    assert [list(row.cells) for row in sheet.rows] == CELLS
    assert sheet.notes == ("The sheet “Sheet” was read.",)
    assert not sheet.is_delimited


def test_numbers_days_and_truths_of_a_workbook_become_text() -> None:
    sheet = workbook(lambda book: book.active.append(["Q?", 2020, 2020.0, DAY, 1.5, True, None, "x"]))
    assert cells(sheet) == [["Q?", "2020", "2020", "2020-06-30", "1.5", "True", "", "x"]]


def test_hidden_rows_are_marked_and_hidden_sheets_are_left_and_said() -> None:
    def fill(book: Workbook) -> None:
        plain(book)
        book.active.append(["hidden?"])
        book.active.row_dimensions[3].hidden = True
        book.create_sheet("Secret", 0).sheet_state = "hidden"
        book.create_sheet("Notes")

    sheet = sheet_in(workbook(fill))
    assert [(row.number, row.is_hidden) for row in sheet.rows] == [(1, False), (2, False), (3, True)]
    assert sheet.notes == ("The sheet “Sheet” was read. 1 further sheet and 1 hidden one were not read.",)


def test_a_formula_is_not_worked_out() -> None:
    sheet = sheet_in(workbook(lambda book: book.active.append(["question", '=HYPERLINK("http://x.example")'])))
    assert sheet.rows[0].cells == ("question", "")
    assert sheet.notes[1] == "Formulas were not worked out: the values stored with them were read."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The file is empty."),
        (b"\r\n \r\n", "The file is empty."),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "of the old kind, or one with a password"),
        (b"%PDF-1.7", "is a PDF"),
        (b"a\x01\x02\x03", "neither a workbook nor text"),
        (b"PK\x03\x04 and then nothing", "damaged"),
        (b"x" * (MOST_BYTES + 1), "larger than 2 MB"),
        (b"question,FY\n" + b"x" * 140_000 + b",2020\n", "longer than any question"),
    ],
)
def test_what_is_no_spreadsheet_is_refused_in_words(content: bytes, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        sheet_in(content)
    assert said in refused.value.message


def test_an_archive_that_is_no_workbook_is_refused() -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("questions.csv", "question")
    with pytest.raises(Unreadable, match="archive and no workbook"):
        sheet_in(written.getvalue())


def test_a_workbook_that_unpacks_to_too_much_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheets, "load_workbook", lambda *_, **__: pytest.fail("opened"))
    bomb = rewritten(workbook(plain), "xl/worksheets/big.xml", lambda _: b"0" * (spreadsheets.MOST_UNPACKED_BYTES + 1))
    assert len(bomb) < 100_000
    with pytest.raises(Unreadable, match="unpacks to more"):
        sheet_in(bomb)


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/media/picture.png"])
def test_a_workbook_of_too_many_cells_is_not_opened(monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    monkeypatch.setattr(spreadsheets, "load_workbook", lambda *_, **__: pytest.fail("opened"))
    crowded = rewritten(workbook(plain), part, lambda xml: (xml or b"<x>") + b"<c/>" * 50_001)
    with pytest.raises(Unreadable, match=r"has 50,0\d\d cells"):
        sheet_in(crowded)


BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    "change",
    [
        lambda xml: xml.replace(b"<workbook ", BOMB + b"<workbook ").replace(b"<worksheet", BOMB + b"<worksheet"),
        lambda xml: xml.decode().encode("utf-16"),
        lambda xml: b'<?xml version="1.0" encoding="UTF-7"?>' + xml,
    ],
)
@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml"])
def test_entities_and_disguises_are_refused_unopened(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[bytes], bytes], part: str
) -> None:
    monkeypatch.setattr(spreadsheets, "load_workbook", lambda *_, **__: pytest.fail("opened"))
    with pytest.raises(Unreadable, match="no spreadsheet program writes"):
        sheet_in(rewritten(workbook(plain), part, change))


def test_a_damaged_workbook_is_refused_and_nothing_of_it_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    damaged = rewritten(workbook(plain), "xl/worksheets/sheet1.xml", lambda xml: xml[:-30] + b"<SECRET")
    with caplog.at_level(logging.DEBUG), pytest.raises(Unreadable, match="damaged"):
        sheet_in(damaged)
    assert "SECRET" not in caplog.text and "pilot" not in caplog.text
    assert [record.getMessage() for record in caplog.records] == ["a workbook could not be read: ParseError"]


def test_a_cell_far_below_costs_nothing_and_is_said_to_be_left_out() -> None:
    def fill(book: Workbook) -> None:
        plain(book)
        book.active.cell(1_048_576, 1, "far below")

    sheet = sheet_in(workbook(fill))
    assert len(sheet.rows) == 5_000
    assert sheet.notes[1] == "Rows below 5,000 were not read."


SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.security
@pytest.mark.parametrize(
    "more",
    [
        b'<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>',
        b'<x:mergeCells xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:mergeCell ref="A:XFD"/>'
        b"</x:mergeCells>",
        b'<mergeCells count="1"><mergeCell ref="&#65;1:XFD1048576"/></mergeCells>',
        b'<hyperlinks><hyperlink ref="A1:XFD1048576" location="x"/></hyperlinks>',
    ],
)
def test_what_is_spread_over_a_whole_sheet_is_not_opened(more: bytes) -> None:
    bomb = rewritten(workbook(plain), SHEET, lambda xml: xml.replace(b"</sheetData>", b"</sheetData>" + more))
    with pytest.raises(Unreadable, match=r"^The workbook has 17,179,869,1\d\d cells; AsAt opens up to 50,000\."):
        sheet_in(bomb)


@pytest.mark.security
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda xml: b" " * 200 + xml.replace(b"</sheetData>", b'<row ht="1"/>' * 60_000 + b"</sheetData>"), "60,0"),
        (
            lambda xml: xml.replace(b"<worksheet", '<é:worksheet xmlns:é="http://x/"'.encode()).replace(
                b"<sheetData>", "<é:c/>".encode() * 60_000 + b"<sheetData>"
            ),
            "60,0",
        ),
    ],
)
def test_no_part_hides_from_being_looked_through(change: Callable[[bytes], bytes], why: str) -> None:
    with pytest.raises(Unreadable, match=f"^The workbook has {why}"):
        sheet_in(rewritten(workbook(plain), SHEET, change))


def test_merged_cells_of_a_heading_are_read() -> None:
    def merged(book: Workbook) -> None:
        plain(book)
        book.active.merge_cells("D1:F2")
        book.active["A2"].hyperlink = "https://law.example/"

    assert [row[:3] for row in cells(workbook(merged))] == CELLS


@pytest.mark.security
@pytest.mark.parametrize(
    ("part", "old", "new", "why"),
    [
        (SHEET, b"</sheetData>", b'<row ht="1"/>' * 60_000 + b"</sheetData>", "The workbook has 60,0"),
        ("xl/styles.xml", b"</cellXfs>", b"<xf/>" * 60_000 + b"</cellXfs>", "The workbook has 60,0"),
        (
            SHEET,
            b"<sheetData>",
            b"<cols>" + b"<col/>" * 500_001 + b"</cols><sheetData>",
            "The workbook holds more than",
        ),
    ],
)
def test_a_workbook_of_very_many_small_parts_is_not_opened(part: str, old: bytes, new: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=f"^{why}"):
        sheet_in(rewritten(workbook(plain), part, lambda xml: xml.replace(old, new)))


@pytest.mark.security
def test_more_text_than_any_questions_have_is_not_read() -> None:
    def shared(book: Workbook) -> None:
        for _ in range(50):
            book.active.append(["QQQ"])

    bomb = rewritten(workbook(shared), SHEET, lambda xml: xml.replace(b"QQQ", b"a b " * 25_000))
    with pytest.raises(Unreadable, match=r"^The sheet holds more text than AsAt reads\."):
        sheet_in(bomb)


@pytest.mark.parametrize("told", [b"", b"sep=,\n"])
def test_rows_far_below_the_questions_of_a_text_are_said_to_be_left_out(told: bytes) -> None:
    sheet = sheet_in(told + b"question,ref\n" + b"\n" * 1_500_000 + b"Is it due?,7\n")
    assert len(sheet.rows) == spreadsheets.MOST_ROWS - bool(told)
    assert sheet.notes[-1] == "Rows below 5,000 were not read."
