"""How a table reads as text: each row one line, each cell after the head of its column, so that a rate can be quoted.

    Rates
    Item: 1; Taxable income: exceeds $18,200 but does not exceed $45,000; Rate: 19%

Pure. A table that is only a box around paragraphs is not for this module (`is_box`). What the source has once and a
line repeats is accounted as added.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from research.corpus.ingest.epub.blocks import Block, Cell, Table

MAX_COLUMNS = 200
MAX_REPEATED_CHARS = 200  # of a cell that spans rows: longer ones stand in the first row alone
HEADS_ADDED, MARKS_ADDED, SPANS_ADDED = "heads of columns", "marks between cells", "cells that span rows"
HEADS_REPEATED, HEADS_UNUSED = "repeated heads of tables", "heads over empty columns"
RAGGED = "the widths of a table's rows disagree; its cells are shown row by row as they stand"
BESIDE_CELLS = "text stood beside the cells of a table"

_HEAD_STYLE = re.compile(r"(?:ENote)?Table(?:Heading|Head)|TableColHead|LI-TableHeading", re.IGNORECASE)
_ENDS_ITSELF = (":", "—", "–", "…")
_PARTS_ITSELF = (".", ";", ":", ",", "—")


@dataclass(slots=True)
class Placed:
    """A cell in the grid. is_first: in the row in which it begins; number: of the cell in the source."""

    text: str
    number: int
    is_first: bool = True


@dataclass(slots=True)
class Reading:
    """The lines of a table, and the account of them."""

    lines: list[str] = field(default_factory=list)
    added: list[tuple[str, str]] = field(default_factory=list)
    dropped: list[tuple[str, str]] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)


def is_box(table: Table) -> bool:
    """Whether a table is a frame around paragraphs: one column, no head, so that they read as any others."""
    return all(len(row) <= 1 for row in table.rows) and head_rows(table) == 0


def read_table(table: Table) -> Reading:
    """The lines in which a table reads."""
    reading = Reading()
    for block in table.loose:
        reading.lines.append(_one_line(block.text))
        reading.flags += [] if block.tag == "caption" else [BESIDE_CELLS]
    rows = table.rows
    texts = [[_inline(cell.blocks, reading) for cell in row] for row in rows]
    if is_ragged(rows):
        reading.flags.append(RAGGED)
        for row in texts:
            _line([("", text) for text in row if text], reading)
        return reading
    _read_grid(grid(rows, texts), head_rows(table), reading)
    return reading


def _read_grid(placed: list[list[Placed | None]], heads: int, reading: Reading) -> None:
    width = max((len(row) for row in placed), default=0)
    head_cells = _captions_out(placed[:heads], width, reading)
    used: set[int] = set()
    for row in placed[heads:]:
        own = [cell for cell in row if cell and cell.is_first]
        if not own:
            continue  # an empty row that cells from above reach through
        if head_cells and _texts(own) and _texts(own) in [_texts(head) for head in placed[:heads]]:
            reading.dropped += [(HEADS_REPEATED, text) for text in _texts(own)]
            continue
        cells: list[tuple[str, str]] = []
        for at, end in _runs(row):
            cell = row[at]
            if cell is None or not cell.text or not (cell.is_first or len(cell.text) <= MAX_REPEATED_CHARS):
                continue
            if not cell.is_first:
                reading.added.append((SPANS_ADDED, cell.text))
            spans_all = at == 0 and end == width and width > 1
            cells.append(("" if spans_all else _head_over(head_cells, at, end, used, reading), cell.text))
        _line(cells, reading)
    unused = {c.number: c.text for head in head_cells for c in head if c and c.number not in used}
    reading.dropped += [(HEADS_UNUSED, text) for text in unused.values() if text]


def _captions_out(heads: list[list[Placed | None]], width: int, reading: Reading) -> list[list[Placed | None]]:
    """The rows that head columns; a head row of one cell over the whole width is a caption, a line of its own."""
    kept = []
    for row in heads:
        numbers = {cell.number for cell in row if cell}
        if len(numbers) == 1 and len(row) == width and None not in row:
            _line([("", _texts(row)[0])] if _texts(row) else [], reading)
        else:
            kept.append(row)
    return kept


def _head_over(heads: list[list[Placed | None]], at: int, end: int, used: set[int], reading: Reading) -> str:
    """The words that head columns `at` to `end`, each cell once; those used before are accounted as added."""
    shown: dict[int, str] = {}
    for row in heads:
        for cell in row[at:end]:
            if cell and cell.text:
                shown[cell.number] = cell.text
    for number, text in shown.items():
        if number in used:
            reading.added.append((HEADS_ADDED, text))
        used.add(number)
    if len(shown) > 1:
        reading.added.append((MARKS_ADDED, "/" * (len(shown) - 1)))
    return " / ".join(shown.values())


def _line(cells: Sequence[tuple[str, str]], reading: Reading) -> None:
    """One line out of (head, text) of its cells."""
    line = ""
    for head, text in cells:
        if line:
            mark = "" if line.endswith(_PARTS_ITSELF) else ";"
            reading.added.append((MARKS_ADDED, mark))
            line += f"{mark} "
        if head:
            mark = "" if head.endswith(_ENDS_ITSELF) else ":"
            reading.added.append((MARKS_ADDED, mark))
            line += f"{head}{mark} "
        line += text
    if line:
        reading.lines.append(line)


def _texts(row: Sequence[Placed | None]) -> list[str]:
    numbers: dict[int, str] = {cell.number: cell.text for cell in row if cell and cell.text}
    return list(numbers.values())


def _runs(row: Sequence[Placed | None]) -> list[tuple[int, int]]:
    """[start, end) of each cell in a row of the grid, those over several columns in one."""
    runs: list[tuple[int, int]] = []
    for at, cell in enumerate(row):
        before = row[at - 1] if at else None
        if runs and cell is not None and before is not None and before.number == cell.number:
            runs[-1] = (runs[-1][0], at + 1)
        else:
            runs.append((at, at + 1))
    return runs


# -- the grid


def grid(rows: Sequence[Sequence[Cell]], texts: Sequence[Sequence[str]]) -> list[list[Placed | None]]:
    """The cells in their columns, one over several columns or rows in each of them."""
    placed: list[list[Placed | None]] = [[] for _ in rows]
    open_cells: dict[int, tuple[Placed, int]] = {}  # by column: the cell that reaches down, for how many more rows
    number = 0
    for at, (row, row_texts) in enumerate(zip(rows, texts, strict=True)):
        waiting = list(zip(row, row_texts, strict=True))
        column = 0
        while waiting or any(column <= c for c in open_cells):
            if column in open_cells:
                cell, left = open_cells.pop(column)
                placed[at].append(Placed(cell.text, cell.number, is_first=False))
                if left > 1:
                    open_cells[column] = (cell, left - 1)
            elif waiting and column < MAX_COLUMNS:
                source, text = waiting.pop(0)
                number += 1
                cell = Placed(text, number)
                for _ in range(_free_width(source.colspan, column, open_cells)):
                    placed[at].append(cell)
                    if source.rowspan > 1:
                        open_cells[column] = (cell, source.rowspan - 1)
                    column += 1
                continue
            elif waiting:
                break
            else:
                placed[at].append(None)
            column += 1
    return placed


def _free_width(wanted: int, column: int, open_cells: dict[int, tuple[Placed, int]]) -> int:
    """Of the columns wanted, those up to the next that a cell from above still takes."""
    return next((n for n in range(1, wanted) if column + n in open_cells), wanted)


def is_ragged(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether spans make the widths of rows disagree more than the bare counts of cells do."""
    placed = grid(rows, [["" for _ in row] for row in rows])
    widths = {len(row) for row in placed if row}
    return len(widths) > len({len(row) for row in rows if row}) or max(widths, default=0) >= MAX_COLUMNS


def head_rows(table: Table) -> int:
    """How many of the first rows are heads: by the table's head, by their style, else the first if it alone is bold.

    None where no row would be left.
    """
    count = 0
    for row, in_head in zip(table.rows, table.in_head, strict=True):
        filled = [cell for cell in row if any(block.text or block.table for block in cell.blocks)]
        if not (in_head or (filled and all(cell.is_head or _is_head_style(cell) for cell in filled))):
            break
        count += 1
    if count == 0 and len(table.rows) > 1 and len(table.rows[0]) > 1:
        bold = [all(block.is_bold for cell in row for block in cell.blocks) for row in table.rows[:2]]
        count = int(bold == [True, False])
    return count if any(table.rows[count:]) else 0


def _is_head_style(cell: Cell) -> bool:
    return bool(cell.blocks) and all(_HEAD_STYLE.match(block.style) for block in cell.blocks if block.text)


# -- what is in a cell


def _inline(blocks: Sequence[Block], reading: Reading) -> str:
    """A cell's paragraphs on one line; a table in it stays in it, its rows parted by ";", its cells by "|"."""
    found = []
    for block in blocks:
        if block.table is None:
            found.append(_one_line(block.text))
            continue
        rows = [[_inline(cell.blocks, reading) for cell in row] for row in block.table.rows]
        lines = [" | ".join(text for text in row if text) for row in rows if any(row)]
        loose = [_one_line(each.text) for each in block.table.loose]
        bars = sum(max(len([text for text in row if text]) - 1, 0) for row in rows)
        reading.added.append((MARKS_ADDED, "|" * bars + ";" * max(len(lines) - 1, 0)))
        found += [*loose, "; ".join(lines)]
    return " ".join(text for text in found if text)


def _one_line(text: str) -> str:
    return " ".join(text.split("\n"))
