"""What a volume is made of once its mark-up is read: paragraphs, headings, tables and their cells.

Pure values. `paragraphs.py` makes them; everything else of this package works on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Block:
    """One paragraph, heading or table, with all that its mark-up says.

    classes: its own; within: those of what encloses it, the nearest first. text: as a browser shows it, on one line but
    for line breaks that the author set ("\\n"). raw: the same before white space is collapsed, a tab as "\\t".
    number: what the spans for numbers hold; after_number: what follows them. changes: (name, from, to) for characters
    that are put in another way.
    """

    tag: str
    classes: tuple[str, ...]
    within: tuple[str, ...] = ()
    text: str = ""
    raw: str = ""
    number: str = ""
    after_number: str = ""
    anchors: tuple[str, ...] = ()
    is_underlined: bool = False
    is_bold: bool = False
    margin: float = 0.0
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    images: tuple[str, ...] = ()  # names of those that have no text of their own
    table: Table | None = None

    def every(self) -> Iterator[Block]:
        """Itself, or for a table every paragraph in it, those of nested tables too."""
        if self.table is None:
            yield self
        else:
            for block in self.table.outer_blocks():
                yield from block.every()

    @property
    def style(self) -> str:
        """Its first class, "" for none."""
        return self.classes[0] if self.classes else ""


@dataclass(slots=True)
class Cell:
    """One cell as it stands in the source."""

    blocks: list[Block]
    colspan: int = 1
    rowspan: int = 1
    is_head: bool = False


@dataclass(slots=True)
class Table:
    """Rows as in the source. in_head: for each row whether it stands in the table's head. loose: text beside cells."""

    rows: list[list[Cell]] = field(default_factory=list)
    in_head: list[bool] = field(default_factory=list)
    loose: list[Block] = field(default_factory=list)

    def outer_blocks(self) -> Iterator[Block]:
        """Paragraphs and tables that stand in it directly."""
        yield from self.loose
        for row in self.rows:
            for cell in row:
                yield from cell.blocks
