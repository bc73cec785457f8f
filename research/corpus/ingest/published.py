"""What reading a published document gives, whatever its format: provisions, endnote tables, and an account of it.

Pure values. The readers (`epub`, `ato`, `own`) make them, `endnotes` reads the tables, `records.py` turns them into the
records that are loaded. Text is as published; nothing here is folded or normalised.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of an endnote table. is_pending: underlined as a whole or in part, that is, not yet in force.

    is_indented: set in the style of the Acts that amended the amending Act ("as amended by").
    """

    text: str
    is_pending: bool = False
    is_indented: bool = False


@dataclass(frozen=True, slots=True)
class EndnoteTable:
    """One table of the endnotes. number: of its endnote ("3", "4"), "" in older layouts; title as published.

    rows: the body only, heads left out, in order; the tables of one endnote that continue each other come as one.
    """

    number: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class PublishedProvision:
    """One section, clause, paragraph or other addressable unit, as published (asterisks still in).

    section: its number, or a name where it has none; schedule: "" in the body. path: the headings it stands under, each
    as "Division 8—Deductions". kind: one of `record.KINDS`. text: a line for each subsection, paragraph, note, example
    and table row; a blank line parts definitions.
    """

    section: str
    schedule: str
    path: tuple[str, ...]
    heading: str
    kind: str
    text: str
    flags: tuple[str, ...] = ()  # what a person should know of how it was read: "two paragraphs (b)"


@dataclass(frozen=True, slots=True)
class Ledger:
    """Characters in and out of one document, white space left out: what was read, kept, and dropped on purpose.

    read: of all its text. kept: of that, in provisions and endnotes. dropped: by the name of what was dropped
    ("contents", "running heads"). added: characters in provisions that the source has once and AsAt repeats or supplies
    (the heads of a table before each of its rows, a placeholder for an image).
    """

    read: int
    kept: int
    dropped: Mapping[str, int] = field(default_factory=dict)
    added: Mapping[str, int] = field(default_factory=dict)

    @property
    def unexplained(self) -> int:
        return self.read - self.kept - sum(self.dropped.values())

    @property
    def share(self) -> float:
        """Unexplained characters (lost or come from nowhere) of those read; 0.0 where nothing was read."""
        return abs(self.unexplained) / self.read if self.read else 0.0


@dataclass(frozen=True, slots=True)
class Published:
    """One document as read: a compilation, a ruling, or a practice's own document.

    title: of the Act as its cover has it; act_number and act_year: "No. 38, 1997" as 38 and 1997, 0 where not stated.
    dated: the compilation's date. includes_to: the last amending Act in the text as the cover states it ("38, 2024").
    not_commenced: amendments that the cover says have not commenced, as (number, year).
    """

    title: str
    dated: date
    provisions: tuple[PublishedProvision, ...]
    ledger: Ledger
    compilation_number: str = ""
    register_id: str = ""
    act_number: int = 0
    act_year: int = 0
    includes_to: str = ""
    not_commenced: tuple[tuple[int, int], ...] = ()
    endnotes: tuple[EndnoteTable, ...] = ()
    warnings: tuple[str, ...] = ()
    unknown_classes: Mapping[str, int] = field(default_factory=dict)  # paragraphs kept as body, by their class
