"""Blocks to provisions: which container is open, which section, and what each line belongs to.

Leaves headings to `headings.py`, tables to `tables.py`, what is dropped to `furniture.py`. State is reset at each
volume, because every volume begins anew: with its cover, its contents and often the heading it stands under.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from research.corpus.ingest.epub.blocks import Block
from research.corpus.ingest.epub.headings import Heading, Rank
from research.corpus.ingest.epub.ledger import Account
from research.corpus.ingest.epub.lines import Line, collisions, kind_of, text_of
from research.corpus.ingest.epub.tables import is_box, read_table
from research.corpus.ingest.published import PublishedProvision

KNOWN_STYLES = re.compile(
    r"(?:subsection\d?|paragraph(?:sub){0,1}(?:-sub){0,2}|SubsectionHead|Definition|definition|Penalty|notetext|"
    r"note(?:To|to)\w+|notepara|notemargin|Item|ItemHead|Specials|Box\w+|SO\w+|TLP\w+|Body\w*|Table\w*|Formula|EquationText|"
    r"LongT|Preamble|MadeunderText|indent\w+|New\w|Heading\d|LI-Body\w*|LI-Heading\d|LI-Table\w*|Example\w*|Text)$"
)
INTRODUCTION = "Introduction"


@dataclass(slots=True, eq=False)
class Container:
    """An open Chapter, Part, Division … and whether anything was found in it."""

    heading: Heading
    published: str
    schedule: str
    above: tuple[Container, ...] = ()
    serves: list[str] = field(default_factory=list)
    is_used: bool = False
    row: Row | None = None


@dataclass(slots=True)
class Row:
    """A provision in the making. words: of its heading in the source; styles: of its lines, for its kind."""

    section: str
    schedule: str
    path: tuple[str, ...]
    heading: str
    words: str
    containers: tuple[Container, ...]
    lines: list[Line] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)


class Provisions:
    """Gathers the provisions of all volumes, their warnings, and the styles that it did not know."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.rows: list[Row] = []
        self.containers: list[Container] = []
        self.stack: list[Container] = []
        self.section: Row | None = None
        self.intro: Row | None = None
        self.volume = 0
        self.warnings: list[str] = []
        self.unknown: Counter[str] = Counter()
        self._before: tuple[Container, ...] = ()  # what was open when the volume before ended
        self._in_volume: set[int] = set()

    # -- structure

    def start_volume(self) -> None:
        self._before = tuple(self.stack)
        self.volume += 1
        self.stack, self.section, self.intro = [], None, None
        self._in_volume = set()

    def head(self, heading: Heading, block: Block) -> None:
        """A heading of the text: opens a section, or a container above sections."""
        if heading.rank == Rank.SECTION:
            self.open_section(heading)
            if heading.is_run_in:
                self.take(block)
        else:
            self.open_container(heading, block.text)

    def open_container(self, heading: Heading, published: str) -> None:
        while self.stack and self.stack[-1].heading.rank >= heading.rank:
            self.stack.pop()
        self.section = None
        container = self._known(heading)
        if container:
            self.account.drop("repeated headings", published)
            self.stack = [*container.above]
        else:
            if not self.stack and heading.rank != Rank.SCHEDULE:
                self._go_on_with_schedule(heading.step)
            schedule = self.stack[0].schedule if self.stack else ""
            if heading.rank == Rank.SCHEDULE:
                schedule = heading.number or "1"  # "The Schedule" of an Act that has one
            container = Container(heading, published, schedule, tuple(self.stack))
            self.containers.append(container)
        self._in_volume.add(id(container))
        self.stack.append(container)

    def _known(self, heading: Heading) -> Container | None:
        """The container of an earlier volume that this heading repeats, by word, number and what it stands in."""
        if not heading.number:
            return None
        above = tuple(self.stack)
        for container in self.containers:
            same = (container.heading.word, container.heading.number) == (heading.word, heading.number)
            went_on = not above and container in self._before
            if same and id(container) not in self._in_volume and (container.above == above or went_on):
                return container
        return None

    def _go_on_with_schedule(self, what: str) -> None:
        """Schedules come last: what a later volume goes on with after one stands in it, not in the body again."""
        if self._before and self._before[0].heading.rank == Rank.SCHEDULE:
            self.stack = [self._before[0]]
            self.warnings.append(
                f"volume {self.volume} does not say under which Schedule {what!r} stands; read as part of "
                f"{self._before[0].heading.step!r}, with which the volume before ended"
            )

    def end_guide(self) -> None:
        """What follows stands no longer in a Guide, but in what the Guide is to."""
        while self.stack and self.stack[-1].heading.rank == Rank.GROUP:
            self.stack.pop()
        self.section = None

    def open_section(self, heading: Heading) -> None:
        if not self.stack:
            self._go_on_with_schedule(f"{heading.number} {heading.title}".strip())
        path = self._path()
        schedule = self.stack[0].schedule if self.stack else ""
        named = heading.number or _fitting(heading.title)
        title = heading.title or f"Section {heading.number}"
        words = "" if heading.is_run_in else heading.number + heading.title
        self.account.drop("marks between a number and its title", heading.marks)
        self.section = self._row(named, schedule, path, title, words)

    def open_table(self, number: int, caption: str) -> None:
        """A row for a table of a text that has no headings; the caption was not taken before."""
        name = f"Table {number}"
        self.section = self._row(name, "", (), caption or name, caption)

    def _row(self, section: str, schedule: str, path: tuple[str, ...], heading: str, words: str) -> Row:
        row = Row(section, schedule, path, heading, words, tuple(self.stack))
        for container in self.stack:
            container.is_used = True
            row.flags += [f"serves {served}" for served in container.serves]
        self.rows.append(row)
        return row

    def _path(self) -> tuple[str, ...]:
        return tuple(container.heading.step for container in self.stack)

    # -- lines

    def take(self, block: Block) -> None:
        """A block of the body: its lines go to the open section, else to the container, else to the introduction."""
        if block.style == "notemargin" and self.stack and self.section is None and self.stack[-1].row is None:
            self.stack[-1].serves.append(block.text)
            self.account.out(block.text)
            return
        row = self._open_row()
        if block.table is None:
            self._line(row, block)
        elif is_box(block.table):
            for inner in block.table.outer_blocks():
                self.take(inner)
        else:
            reading = read_table(block.table)
            row.lines += [("Tabletext", line) for line in reading.lines]
            row.flags += reading.flags
            for name, text in reading.added:
                self.account.add(name, text)
            for name, text in reading.dropped:
                self.account.drop(name, text)
            row.flags += [f"image without text: {name}" for each in block.every() for name in each.images]

    def _line(self, row: Row, block: Block) -> None:
        text = " ".join(block.text.split("\n"))
        if not text:
            return
        row.lines.append((block.style, text))
        row.flags += [f"image without text: {name}" for name in block.images]
        if not KNOWN_STYLES.match(block.style):
            self.unknown[block.style or f"<{block.tag}>"] += 1

    def _open_row(self) -> Row:
        if self.section:
            return self.section
        if self.stack:
            container = self.stack[-1]
            if container.row is None:
                container.row = self._row(self._address(), container.schedule, self._path(), self._title(container), "")
            return container.row
        if self.intro is None:
            name = INTRODUCTION if self.volume == 1 else f"{INTRODUCTION} (volume {self.volume})"
            self.intro = self._row(name, "", (), name, "")
        return self.intro

    def _address(self) -> str:
        """What names a container that has words of its own: "Sch 7 Pt I", "Pt 2-10 Div 40"."""
        parts = [c.heading.short for c in self.stack if c.heading.rank != Rank.CHAPTER or len(self.stack) == 1]
        while len(" ".join(parts)) > 80 and len(parts) > 1:
            parts.pop(0)
        return " ".join(parts)

    @staticmethod
    def _title(container: Container) -> str:
        return container.heading.title or container.heading.step

    # -- the end

    def closed(self) -> tuple[PublishedProvision, ...]:
        """Every provision in order; hands their words to the account."""
        made: list[PublishedProvision] = []
        seen: Counter[tuple[str, str]] = Counter()
        intros: set[str] = set()
        for row in self.rows:
            text = "\n".join(line for _, line in row.lines)
            if row.section.startswith(INTRODUCTION) and not row.containers:
                if text in intros or not text:
                    self.account.drop("repeated introductions", text)
                    continue
                intros.add(text)
            seen[row.schedule, row.section] += 1
            if seen[row.schedule, row.section] == 2:
                row.flags.append(f"a second {row.section}{f' in Schedule {row.schedule}' if row.schedule else ''}")
            made.append(self._provision(row))
        for container in self.containers:
            if container.is_used:
                self.account.out(container.published)
            else:
                self.account.drop("headings with nothing under them", container.published)
                self.warnings.append(f"nothing stands under the heading {container.heading.step!r}")
        return tuple(made)

    def _provision(self, row: Row) -> PublishedProvision:
        kind = kind_of(row.path, row.heading, row.lines)
        text = text_of(row.lines, kind)
        self.account.out(row.words)
        self.account.out(text)
        if not text:
            text = row.heading
            row.flags.append("no words stand under this heading")
            self.account.add("headings that stand for their words", text)
            self.account.out(text)
        flags = dict.fromkeys([*row.flags, *collisions(row.lines)])
        return PublishedProvision(row.section, row.schedule, row.path, row.heading, kind, text, tuple(flags))


def _fitting(title: str) -> str:
    """A title as the name of a row: it may have 80 characters at most."""
    return " ".join(title.split())[:80].rstrip()
