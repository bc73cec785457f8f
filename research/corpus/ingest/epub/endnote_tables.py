"""The endnotes as tables: Endnote 3 and 4, the older Table of Acts and Table of Amendments, with what underlines say.

Pure. Leaves what the cells mean to `endnotes`. Prose (the Act Notes of older texts) comes as a table of one column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from research.corpus.ingest.epub.blocks import Block, Table
from research.corpus.ingest.epub.blocks import Cell as SourceCell
from research.corpus.ingest.epub.ledger import Account
from research.corpus.ingest.epub.tables import HEADS_REPEATED, HEADS_UNUSED, grid, head_rows, is_ragged
from research.corpus.ingest.published import Cell, EndnoteTable

_TRIGGER = re.compile(r"ENote|LI-Endnote|TableOfAct|TableOfAmend|NotesSection", re.IGNORECASE)
_HEADING_STYLE = re.compile(
    r"ENotesHeading|ENoteTableHeading|LI-Endnote\w*Heading|TableOfAct|TableOfAmend|NotesSection"
)
_BARE_TITLE = re.compile(
    r"Endnotes?(?:\s+\d.*)?|Notes to the .{3,200}|Table of (?:Acts|Amendments|Instruments|.{3,60} Regulations)|"
    r"(?:Repeal )?Table(?: [A-Z]\d?)?(?:\s*[—–-].{0,120}|:.{0,120})?|Act Notes?|Note \d+[A-Z]?",
    re.DOTALL,
)
_ENDNOTE = re.compile(r"Endnote\s+(\d+[A-Z]?)\s*(?:[—–:-]\s*)?(.*)", re.DOTALL)
_INDENTED_STYLE = re.compile(r"ENoteTTi$|ENoteTTIndent")
MIN_INDENT_POINTS = 5.0
NUMBERS_OF_TABLES_ALONE = ("3", "4")  # whose readers expect columns: prose beside them goes by the whole heading


@dataclass(slots=True)
class _Note:
    """What stands under one heading of the endnotes. published: the heading's words."""

    published: str = ""
    number: str = ""
    title: str = ""
    heads: tuple[str, ...] = ()
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    is_prose: bool = False


def begins_endnotes(block: Block) -> bool:
    """Whether the endnotes have begun: by style, or an older text's heading; never by the bare word "Endnotes"."""
    if any(_TRIGGER.match(cls) for cls in (*block.classes, *block.within)):
        return True
    if block.table:
        return any(_TRIGGER.match(cls) for each in block.every() for cls in each.classes)
    words = block.text.replace("\u00a0", " ")
    is_title = re.match(r"Notes to the |Table of (?:Acts|Amendments)$|Endnotes?(?:$|\s+\d)", words) is not None
    return is_title and re.fullmatch(r"h[1-5]", block.tag) is not None and not block.style


class Endnotes:
    """Gathers the endnotes of all volumes."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.titles: list[str] = []  # of every heading met, for the check against the contents
        self._notes: list[_Note] = []
        self._volume: list[_Note] = []
        self._open = _Note()

    def start_volume(self) -> None:
        """What was open is closed; a volume that says the same again, word for word, is counted once."""
        for note in self._volume:
            same = next(
                (n for n in self._notes if (n.number, n.title, n.heads) == (note.number, note.title, note.heads)), None
            )
            if same and note.rows and note.rows == same.rows:
                self.account.drop("repeated endnotes", _words_of(note))
            elif same and not note.is_prose:
                same.rows += note.rows
                self.account.drop("repeated headings", note.published)
                self.account.drop(HEADS_REPEATED, "".join(note.heads))
            else:
                self._notes.append(note)
        self._volume, self._open = [], _Note()

    def take(self, block: Block) -> None:
        """One block of the endnotes, its account kept."""
        if block.table:
            self._table(block.table)
        elif _is_heading(block):
            self._heading(block)
        elif block.text:
            self._prose(block)

    def closed(self) -> tuple[EndnoteTable, ...]:
        """All tables in order; hands their words to the account."""
        self.start_volume()
        made = []
        for note in self._notes:
            if not note.rows:
                self.account.drop("headings of endnotes with no more to them", _words_of(note))
                continue
            self.account.out(_words_of(note))
            made.append(EndnoteTable(note.number, note.title, note.heads, tuple(note.rows)))
        return tuple(made)

    def _heading(self, block: Block) -> None:
        self.titles.append(block.text)
        found = _ENDNOTE.fullmatch(block.text)
        number, title = (found.group(1), found.group(2)) if found else ("", block.text)
        self._open = _Note(block.text, number, title)
        self._volume.append(self._open)

    def _prose(self, block: Block) -> None:
        if not self._open.is_prose:
            number, title = self._open.number, self._open.title
            if number in NUMBERS_OF_TABLES_ALONE:
                number, title = "", self._open.published
            self._start(_Note("", number, title, is_prose=True))
        self._open.rows.append((Cell(block.text, block.is_underlined, bool(_INDENTED_STYLE.match(block.style))),))

    def _start(self, note: _Note) -> None:
        """A further table or prose under the same heading; takes over a heading that has nothing yet."""
        if any(each is self._open for each in self._volume) and not self._open.rows:
            note.published = self._open.published
            self.account.drop(HEADS_UNUSED, "".join(self._open.heads))
            self._volume = [each for each in self._volume if each is not self._open]
        self._volume.append(note)
        self._open = note

    def _table(self, table: Table) -> None:
        for block in table.loose:
            self._prose(block)
        heads_count = head_rows(table)
        rows = _rows(table)
        heads = tuple(" ".join(filter(None, parts)) for parts in zip_longest(*_texts(rows[:heads_count]), fillvalue=""))
        head_words = "".join(cell.text for row in rows[:heads_count] for cell in row)
        number, title = self._open.number, self._open.title
        if self._open.is_prose and not number and (found := _ENDNOTE.fullmatch(title)):
            number, title = found.group(1), found.group(2)
        follows = not self._open.is_prose and self._open.rows and (not heads or heads == self._open.heads)
        if follows:
            self.account.drop(HEADS_REPEATED, head_words)
        else:
            self._start(_Note("", number, title, heads))
        for row in rows[heads_count:]:
            if heads and tuple(cell.text for cell in row) == heads:
                self.account.drop(HEADS_REPEATED, "".join(heads))
            elif row:
                self._open.rows.append(row)


def _is_heading(block: Block) -> bool:
    words = block.text.replace("\u00a0", " ")
    if len(words) > 250 or not words:
        return False
    if any(_HEADING_STYLE.match(cls) for cls in block.classes):
        return not block.style.startswith("ENoteTableHeading") or bool(_BARE_TITLE.fullmatch(words))
    return bool(_BARE_TITLE.fullmatch(words)) or re.fullmatch(r"h[1-5]", block.tag) is not None


def _rows(table: Table) -> list[tuple[Cell, ...]]:
    """The cells of each row in their columns; where one spans, the places it covers besides its own are empty."""
    margins = _margins(table)
    cells = [[_cell(cell, margins.get(at, 0.0)) for at, cell in enumerate(row)] for row in table.rows]
    if is_ragged(table.rows):
        return [tuple(row) for row in cells]
    texts = [[str(at) for at, _ in enumerate(row)] for row in cells]
    placed = grid(table.rows, texts)
    found = []
    for row, spots in zip(cells, placed, strict=True):
        seen: set[int] = set()
        made = []
        for spot in spots:
            is_own = spot is not None and spot.is_first and spot.number not in seen
            made.append(row[int(spot.text)] if spot is not None and is_own else Cell(""))
            seen |= {spot.number} if spot else set()
        found.append(tuple(made) if row else ())
    return found


def _margins(table: Table) -> dict[int, float]:
    """The least margin of each column's cells: an indent is what goes beyond it."""
    least: dict[int, float] = {}
    for row in table.rows:
        for at, cell in enumerate(row):
            if cell.blocks:
                least[at] = min(least.get(at, 1_000.0), cell.blocks[0].margin)
    return least


def _cell(cell: SourceCell, least_margin: float) -> Cell:
    blocks = [each for block in cell.blocks for each in block.every()]
    indented = any(_INDENTED_STYLE.match(block.style) for block in blocks) or (
        bool(blocks) and blocks[0].margin - least_margin >= MIN_INDENT_POINTS
    )
    return Cell("\n".join(b.text for b in blocks if b.text), any(b.is_underlined for b in blocks), indented)


def _texts(rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    return [[" ".join(cell.text.split("\n")) for cell in row] for row in rows]


def _words_of(note: _Note) -> str:
    return note.published + "".join(note.heads) + "".join(cell.text for row in note.rows for cell in row)
