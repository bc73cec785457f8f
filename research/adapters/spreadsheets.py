"""Spreadsheets as rows of text: XLSX workbooks and delimited text, told apart by what they hold and not by their name.

What a file can do beyond holding cells is left alone: formulas are not worked out (their stored values are read), links
to other workbooks are not followed, macros are not run, entities are not expanded. How much a workbook unpacks to, and
how many cells it has, is known before it is opened. No message and no log holds anything of a file's content.
"""

from __future__ import annotations

import codecs
import csv
import io
import logging
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any
from xml.etree import ElementTree

from openpyxl import load_workbook
from openpyxl.utils.cell import range_boundaries

from research.question.spreadsheet import Row, columns_in

MOST_BYTES = 2 * 1024 * 1024
MOST_UNPACKED_BYTES = 24 * 1024 * 1024  # a workbook of 500 long questions unpacks to about 1 MB
MOST_PARTS = 500
MOST_CELLS = 50_000  # with rows, formats, and cells that merged cells, links and comments are spread over
MOST_MARKS = 500_000  # of XML, in all parts: a cell has four, and its text four more
MOST_TEXT_CHARS = 4_000_000  # of a sheet; many cells can share one long text, which is packed once
MOST_ROWS = 5_000  # looked at; rows far below the questions are said to be left out
MOST_COLUMNS = 60
ALONE = "\x1f"  # a separator that no text holds: each line is one cell
SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas"}
SEPARATOR_TOLD = re.compile(r"sep=(?P<separator>[;,\t])\r?\n", re.IGNORECASE)

_CELL = re.compile(rb"<(?:[^\s<>/:]+:)?(?:c|row|xf)[\s/>]")
_SPREADS = re.compile(rb"<(?:[^\s<>/:]+:)?(?:mergeCell|hyperlink|comment)[\s/>]")
_FORMULA = re.compile(rb"<(?:[^\s<>/:]+:)?f[\s/>]")
_ENCODING = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([^\"']+)", re.IGNORECASE)
_BEFORE_XML = b"\x00\xef\xbb\xbf\xff\xfe \t\r\n"
_PLAIN_ENCODINGS = {b"utf-8", b"us-ascii", b"ascii", b"utf8"}
_OTHER_KINDS = {
    b"\xd0\xcf\x11\xe0": "an Excel workbook of the old kind, or one with a password",
    b"%PDF": "a PDF",
    b"{\\rtf": "a text document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}
BELOW = f"Rows below {MOST_ROWS:,} were not read."
_HOW = "Save it as XLSX or CSV and upload that."

logger = logging.getLogger(__name__)


class Unreadable(Exception):
    """The file cannot be read as a spreadsheet; `message` says why and what to do, in words for whoever chose it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a file holds. notes: what was read and what was not, in sentences. is_delimited: by a separator in text."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    is_delimited: bool


def sheet_in(content: bytes) -> Sheet:
    """The rows of the file. Raises Unreadable."""
    if len(content) > MOST_BYTES:
        raise Unreadable(f"The file is larger than {MOST_BYTES // 1024 // 1024} MB. Take out what is no question.")
    if not content.strip(b"\x00 \t\r\n"):
        raise Unreadable("The file is empty.")
    for start, kind in _OTHER_KINDS.items():
        if content.startswith(start):
            raise Unreadable(f"The file is {kind}. {_HOW}")
    return _workbook(content) if content.startswith(b"PK") else _text(content)


# ------------------------------------------------------------------------------------------- delimited text


def _text(content: bytes) -> Sheet:
    text, encoding = _decoded(content)
    told = SEPARATOR_TOLD.match(text)
    separator = told["separator"] if told else _separator(text)
    rows = [Row(at, tuple(cells)) for at, cells in enumerate(_records(text, separator), start=1)]
    by = f", its cells told apart by {SEPARATORS[separator]}" if separator in SEPARATORS else ", one cell a line"
    notes = (f"Read as {encoding} text{by}.", *((BELOW,) if len(rows) > MOST_ROWS else ()))
    return Sheet(tuple(rows[1 if told else 0 : MOST_ROWS]), notes, separator in SEPARATORS)


def _decoded(content: bytes) -> tuple[str, str]:
    """The text and what it is written in; the marks at its start decide, then what it can be."""
    even, odd = content[:400:2], content[1:400:2]
    tried: tuple[tuple[str, str], ...]
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        tried = (("utf-16", "UTF-16"),)
    elif odd.count(0) > len(odd) // 2:
        tried = (("utf-16-le", "UTF-16"),)
    elif even.count(0) > len(even) // 2:
        tried = (("utf-16-be", "UTF-16"),)
    elif content.startswith(codecs.BOM_UTF8):
        tried = (("utf-8-sig", "UTF-8"),)
    else:
        tried = (("utf-8", "UTF-8"), ("cp1252", "Windows-1252"))
    for codec, name in tried:
        try:
            text = content.decode(codec)
        except UnicodeDecodeError:
            continue
        if not re.search(r"[\x00-\x08\x0e-\x1f]", text):
            return text, name
    raise Unreadable(f"The file is neither a workbook nor text that can be read. {_HOW}")


def _separator(text: str) -> str:
    """The separator by which the first row names columns; where none does, that by which every row has as many cells.

    A comma followed by a space belongs to a sentence, and tells no cells apart where there are no headings.
    """
    named: dict[str, int] = {}
    alike: list[str] = []
    for separator in SEPARATORS:
        rows = [row for row in _records(text, separator) if any(cell.strip() for cell in row)]
        if rows and len(rows[0]) > 1 and columns_in(rows[0]) is not None:
            named[separator] = len(rows[0])
        widths = {len(row) for row in rows}
        spaced = any(cell.startswith(" ") for row in rows for cell in row[1:])
        if len(widths) == 1 and widths != {1} and not spaced:
            alike.append(separator)
    if named:
        return max(named, key=lambda separator: named[separator])
    heading = next(iter(_records(text, ALONE)), [])
    return alike[0] if alike and columns_in(heading) is None else ALONE


def _records(text: str, separator: str) -> list[list[str]]:
    """The cells of every row, and of two more than are read; a blank row has none. A quotation mark that is never
    closed would swallow the rest.
    """
    try:
        return list(islice(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True), MOST_ROWS + 2))
    except csv.Error as error:
        if "unexpected end" in str(error):
            raise Unreadable(
                "A quotation mark in the file is opened and never closed. Close it, or take it out."
            ) from None
    try:
        return list(islice(csv.reader(io.StringIO(text, newline=""), delimiter=separator), MOST_ROWS + 2))
    except csv.Error:
        raise Unreadable(
            "A cell of the file is longer than any question. Check where its quotation marks are."
        ) from None


# ------------------------------------------------------------------------------------------------ workbooks


def _workbook(content: bytes) -> Sheet:
    notes = _looked_through(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they may quote cells
            book = load_workbook(io.BytesIO(content), data_only=True, keep_links=False, keep_vba=False)
            shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            rows = tuple(_rows(shown[0])) if shown else ()
    except Exception as error:  # a damaged workbook fails in whatever way its part is read
        logger.info("a workbook could not be read: %s", type(error).__name__)
        raise Unreadable(f"The workbook is damaged. Open it in a spreadsheet program. {_HOW}") from None
    if sum(len(cell) for row in rows for cell in row.cells) > MOST_TEXT_CHARS:
        raise Unreadable("The sheet holds more text than AsAt reads. Copy the questions into a new workbook.")
    if not shown:
        raise Unreadable("The workbook has no sheet that is shown. Show the one with the questions.")
    return Sheet(rows, (_which(shown, len(book.worksheets) - len(shown)), *notes, *_left_out(shown[0])), False)


def _looked_through(content: bytes) -> tuple[str, ...]:
    """What a workbook holds beyond cells, in sentences. Raises Unreadable for one that is not safe to open."""
    cells, marks, has_formulas = 0, 0, False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            held = parts.infolist()
            names = {part.filename for part in held}
            if "[Content_Types].xml" not in names or not any(name.startswith("xl/") for name in names):
                raise Unreadable(f"The file is an archive and no workbook. {_HOW}")
            if len(held) > MOST_PARTS or sum(part.file_size for part in held) > MOST_UNPACKED_BYTES:
                raise Unreadable("The workbook unpacks to more than AsAt opens. Copy the questions into a new one.")
            for part in held:
                content_of = parts.read(part)  # never more than the size that was just added up
                if content_of.lstrip(_BEFORE_XML).startswith(b"<"):  # whatever its name says
                    _refuse_unsafe(content_of)
                    cells += len(_CELL.findall(content_of))
                    marks += content_of.count(b"<")
                    if cells <= MOST_CELLS and marks <= MOST_MARKS and _SPREADS.search(content_of):
                        cells += _spread_over(content_of)
                    has_formulas = has_formulas or bool(_FORMULA.search(content_of))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        raise Unreadable(f"The workbook is damaged or has a password. {_HOW}") from None
    except (zlib.error, ElementTree.ParseError):
        raise Unreadable(f"The workbook is damaged. {_HOW}") from None
    if cells > MOST_CELLS:
        raise Unreadable(f"The workbook has {cells:,} cells; AsAt opens up to {MOST_CELLS:,}. Copy the questions out.")
    if marks > MOST_MARKS:
        raise Unreadable("The workbook holds more than AsAt opens. Copy the questions into a new one.")
    said = [
        ("Formulas were not worked out: the values stored with them were read.", has_formulas),
        ("Links to other workbooks were not followed.", any(name.startswith("xl/externalLinks/") for name in names)),
        ("Macros were not run.", any(name.endswith("vbaProject.bin") for name in names)),
    ]
    return tuple(sentence for sentence, is_so in said if is_so)


def _refuse_unsafe(xml: bytes) -> None:
    """A workbook's parts are UTF-8 without declarations of entities; one that is not was not made by a spreadsheet."""
    encoding = _ENCODING.match(xml.removeprefix(codecs.BOM_UTF8)[:300])
    is_plain = b"\x00" not in xml and (encoding is None or encoding[1].lower() in _PLAIN_ENCODINGS)
    if not is_plain or b"<!DOCTYPE" in xml or b"<!ENTITY" in xml:
        raise Unreadable("The workbook holds parts that no spreadsheet program writes, and was not opened.")


def _spread_over(xml: bytes) -> int:
    """How many cells merged cells, links and comments are spread over: a cell is made for each on opening."""
    cells = 0
    for element in ElementTree.fromstring(xml).iter():
        if str(element.tag).rpartition("}")[2] in ("mergeCell", "hyperlink", "comment"):
            left, top, right, bottom = range_boundaries(element.get("ref") or "A1")
            cells += ((right or 16_384) - (left or 1) + 1) * ((bottom or 1_048_576) - (top or 1) + 1)
    return cells


def _rows(sheet: Any) -> Iterator[Row]:
    last, width = min(sheet.max_row, MOST_ROWS), min(sheet.max_column, MOST_COLUMNS)
    for number, cells in enumerate(sheet.iter_rows(max_row=last, max_col=width, values_only=True), start=1):
        is_hidden = number in sheet.row_dimensions and bool(sheet.row_dimensions[number].hidden)
        yield Row(number, tuple(_as_text(cell) for cell in cells), is_hidden)


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _which(shown: Sequence[Any], hidden: int) -> str:
    name = "".join(character if character.isprintable() else " " for character in str(shown[0].title))[:31]
    others = len(shown) - 1
    counts = [f"{others} further sheet{'s' if others > 1 else ''}"] if others else []
    counts += [f"{hidden} hidden one{'s' if hidden > 1 else ''}"] if hidden else []
    rest = f" {' and '.join(counts)} {'was' if others + hidden == 1 else 'were'} not read." if counts else ""
    return f"The sheet “{name}” was read.{rest}"


def _left_out(sheet: Any) -> tuple[str, ...]:
    said = []
    if sheet.max_row > MOST_ROWS:
        said.append(BELOW)
    if sheet.max_column > MOST_COLUMNS:
        said.append(f"Columns beyond the {MOST_COLUMNS}th were not read.")
    return tuple(said)
