"""The rows of a spreadsheet as questions: which column holds what, and why a row cannot be asked.

Rows come as text, numbered as a spreadsheet program numbers them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from research.law.income_year import IncomeYear
from research.question.resolve import YearRefused, resolve
from research.question.route import QuestionRefused, clean_question
from research.terms import ResolvedTime, Window

MOST_REFERENCE_CHARS = 200
MOST_SHOWN_CHARS = 30  # of a cell that is given back in a sentence

HEADINGS = {
    "question": ("question", "questions", "query", "research question", "question text"),
    "year": ("year", "income year", "fy", "financial year", "tax year", "year of income"),
    "reference": (
        *("reference", "references", "ref", "client ref", "client reference", "our ref", "our reference"),
        *("file ref", "file reference", "matter", "job", "id"),
    ),
}
"""What a column is called, in lower case and without what is no letter."""

FORMULA_ERRORS = {"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"}
SPAN = re.compile(r"(?:FY\s*)?(?P<first>\d{4})\s*/\s*(?P<last>\d{2}|\d{4})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its number from 1, blank rows counted; its cells as text; whether the file hides it."""

    number: int
    cells: tuple[str, ...]
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the question stands, from 0, and the year and the reference; None where no column is headed so."""

    question: int
    year: int | None = None
    reference: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One row as it is to be asked. why: the sentence why it cannot be, "" where it can. year: None for no year."""

    number: int
    question: str
    year: int | None = None
    reference: str = ""
    why: str = ""


def columns_in(cells: Sequence[str]) -> Columns | None:
    """The columns that a first row names; None where it names none, and so is no row of headings.

    The question stands in the first column that is not named otherwise, where no heading says "question".
    """
    found: dict[str, int] = {}
    for place, cell in enumerate(cells):
        heading = " ".join(re.sub(r"[^a-z]+", " ", cell.lower()).split())
        kind = next((kind for kind, names in HEADINGS.items() if heading in names), "")
        if kind:
            found.setdefault(kind, place)
    if not found:
        return None
    others = [place for place in range(len(cells)) if place not in found.values()]
    if "question" not in found and not others:
        return None
    return Columns(found.get("question", others[0] if others else 0), found.get("year"), found.get("reference"))


def lines_in(rows: Sequence[Row], today: date, *, is_delimited: bool) -> tuple[tuple[Line, ...], str]:
    """The rows that hold anything, and a sentence that says what was read from which column.

    today: decides the century of a year such as FY98. is_delimited: the cells were told apart by a separator, which may
    also stand in a question; a row with more of them than there are headings is then not guessed at.
    """
    filled = [row for row in rows if any(cell.strip() for cell in row.cells)]
    columns = columns_in(filled[0].cells) if filled else None
    if columns is None:
        note = "No column is headed “Question”: the first column was read as the questions, and nothing else."
        return tuple(_line(row, Columns(0), 0, today) for row in filled), note
    head = filled[0].cells
    width = max(place for place, cell in enumerate(head) if cell.strip()) + 1 if is_delimited else 0
    return tuple(_line(row, columns, width, today) for row in filled[1:]), _said(columns, head)


def year_of(text: str, today: date) -> int | None:
    """The income year of a cell, by the year it ends in; None for an empty one.

    "2020", "FY20", "2019-20", "2019/20", "year ended 30 June 2020"; a day stands for the year that it falls in.
    Raises ValueError, in words, for what is no income year.
    """
    if not text.strip():
        return None
    shown = f"The income year is “{text.strip()[:MOST_SHOWN_CHARS]}”"
    said = SPAN.sub(r"\g<first>-\g<last>", text.strip().replace("–", "-").replace("‑", "-"))
    read = resolve(said, None, today)
    if isinstance(read, YearRefused):
        raise ValueError(f"{shown}. {read.message}")
    if not isinstance(read, ResolvedTime) or read.source == "today":
        raise ValueError(f"{shown}. Give the year it ends in, such as FY2015, or both, such as 2014-15.")
    if not _within(read.window, read.year):
        raise ValueError(f"{shown}, which is no income year. Write that time in the question itself.")
    return read.year.year


def _line(row: Row, columns: Columns, width: int, today: date) -> Line:
    """width: how many columns have headings; 0 where further cells do not matter."""
    question = _cell(row, columns.question)
    reference = " ".join("".join(c if c.isprintable() else " " for c in _cell(row, columns.reference)).split())
    if len(reference) > MOST_REFERENCE_CHARS:
        reference = f"{reference[: MOST_REFERENCE_CHARS - 1]}…"
    why, year = _why_not(row, question, width), None
    try:
        year = year_of(_cell(row, columns.year), today)
    except ValueError as error:
        why = why or str(error)
    return Line(row.number, question, year, reference, why)


def _why_not(row: Row, question: str, width: int) -> str:
    if row.is_hidden:
        return "The row is hidden in the spreadsheet. Show it and upload it again to have it asked."
    if not question:
        return "There is no question in this row: the cell is empty, or its formula has no stored value."
    if question in FORMULA_ERRORS:
        return f"The cell holds {question} and no question: its formula failed."
    beyond = sum(bool(cell.strip()) for cell in row.cells[width:]) if width else 0
    if beyond:
        return (
            "The row has more cells than there are headings. Put a question with commas in it into quotation marks, "
            "or give the further column a heading."
        )
    cleaned = clean_question(question)
    return cleaned.message if isinstance(cleaned, QuestionRefused) else ""


def _cell(row: Row, place: int | None) -> str:
    return row.cells[place].strip() if place is not None and place < len(row.cells) else ""


def _within(window: Window, year: IncomeYear) -> bool:
    return year.starts <= window.first and window.last <= year.ends


def _said(columns: Columns, head: Sequence[str]) -> str:
    parts = [f"Questions were read from the column {_named(head, columns.question)}"]
    if columns.year is not None:
        parts.append(f"income years from {_named(head, columns.year)}")
    if columns.reference is not None:
        parts.append(f"references from {_named(head, columns.reference)}")
    return f"{', '.join(parts)}; no other column was read."


def _named(head: Sequence[str], place: int) -> str:
    heading = " ".join("".join(c if c.isprintable() else " " for c in head[place]).split())
    return f"“{heading[:MOST_SHOWN_CHARS]}”" if heading else f"number {place + 1}"
