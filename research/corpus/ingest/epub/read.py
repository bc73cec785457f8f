"""Reads a compilation as the Federal Register of Legislation publishes it: an EPUB to `Published`, or a refusal.

The order of things is here; what each is, in the modules that it calls. One volume is in memory at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import NoReturn

from research.corpus.ingest.epub import checks, loose
from research.corpus.ingest.epub.blocks import Block
from research.corpus.ingest.epub.container import Package, opened
from research.corpus.ingest.epub.cover import Cover, read_cover
from research.corpus.ingest.epub.endnote_tables import Endnotes, begins_endnotes
from research.corpus.ingest.epub.front import front_of
from research.corpus.ingest.epub.furniture import GUIDE_ENDS, furniture_of
from research.corpus.ingest.epub.headings import (
    Heading,
    Rank,
    Recogniser,
    act_head_level,
    container_of,
    is_heading_element,
    structural,
)
from research.corpus.ingest.epub.ledger import MAX_UNEXPLAINED_SHARE, Account
from research.corpus.ingest.epub.provisions import INTRODUCTION, Provisions
from research.corpus.ingest.epub.volumes import Volume, volumes_of
from research.corpus.ingest.published import Ledger, Published, PublishedProvision
from research.corpus.ingest.read import CorpusRejected

AS_MADE = "the text is as made and dated by its assent; from when it is in force is for the Register to say"
Recognise = Callable[[list[Block]], Recogniser]
"""What tells the headings of a volume, given all its blocks."""


def read_epub(path: Path) -> Published:
    """The compilation in an EPUB. Raises CorpusRejected for whatever is wrong with the file or the reading of it."""
    with opened(path) as package:
        reading = _Reading(package, structural)
        if reading.has_headings:
            return reading.published()
        lines = [loose.lines_of(volume.blocks) for volume in volumes_of(package)]
        numbered = loose.numbered_lines(lines)
        if numbered:
            reading = _Reading(package, lambda blocks: numbered)
            reading.provisions.warnings.append("the text has no styles for headings; read by its numbered lines")
            return reading.published()
        if loose.tables_alone(lines):
            reading = _Reading(package, lambda blocks: lambda block: None, by_tables=True)
            reading.provisions.warnings.append("the text has no headings; read table by table")
            return reading.published()
        raise CorpusRejected(
            path, None, "no section can be told from another in it: it has neither headings nor numbers that begin at "
            "1 and go up; it cannot be read",
        )  # fmt: skip


class _Reading:
    """One pass over all volumes with one way of telling headings."""

    def __init__(self, package: Package, recognise: Recognise, by_tables: bool = False) -> None:
        self.package, self.recognise, self.by_tables = package, recognise, by_tables
        self.account = Account()
        self.provisions = Provisions(self.account)
        self.endnotes = Endnotes(self.account)
        self.cover: Cover | None = None
        self.anchors: dict[str, set[str]] = {}
        self.listed: list[str] = []  # lines of the contents
        self.tables = 0
        self.ancestors = {(la.document, la.anchor): la.ancestors for la in package.labels if la.anchor}
        for volume in volumes_of(package):
            self._volume(volume)

    @property
    def has_headings(self) -> bool:
        return any(row.containers or row.section[: len(INTRODUCTION)] != INTRODUCTION for row in self.provisions.rows)

    def _volume(self, volume: Volume) -> None:
        self.account.read(volume.text)
        self.provisions.warnings += [volume.warning] if volume.warning else []
        for block in volume.every_block():
            self.anchors.setdefault(volume.name, set()).update(block.anchors)
            for change, before, after in block.changes:
                self.account.drop(change, before)
                self.account.add(change, after)
        self.provisions.start_volume()
        self.endnotes.start_volume()
        recognise = self.recognise(volume.blocks)
        limit, cover = front_of(volume.blocks, recognise)
        if self.cover is None or self.cover.dated is None:
            self.cover = read_cover(
                [each for block in volume.blocks[:limit] for each in block.every()],
                self.package.identity,
                self.package.path.name,
            )
        in_endnotes = False
        lost: list[str] = []
        for at, block in enumerate(volume.blocks):
            name = "cover pages" if at in cover else furniture_of(block)
            in_endnotes = in_endnotes or (not name and begins_endnotes(block))
            heading = None if name or in_endnotes else recognise(block)
            if name:
                self._drop(name, block)
                if name == GUIDE_ENDS and not in_endnotes:
                    self.provisions.end_guide()
            elif in_endnotes:
                self.endnotes.take(block)
            elif heading is not None:
                self._adopt(volume.name, block, heading)
                self.provisions.head(heading, block)
            elif block.text or block.table:
                is_lost = self.recognise is structural and is_heading_element(block, volume.is_styled)
                lost += [block.text] if is_lost else []
                self._body(volume.blocks, at)
        self._check_headings(volume, lost)

    def _check_headings(self, volume: Volume, lost: list[str]) -> None:
        """Every heading of the tree was met among the blocks, and each became a row or a container."""
        met = sum(is_heading_element(block, volume.is_styled) for block in volume.every_block())
        if lost or met < volume.heads:
            what = repr(lost[0][:60]) if lost else f"{volume.heads - met} of {volume.heads}"
            self._refuse(
                f"headings of {volume.name!r} became no provision: {what}; the reader does not know this kind of text"
            )
        inside = [b.text for table in volume.blocks if table.table for b in table.every() if act_head_level(b)]
        if inside:
            self.provisions.warnings.append(
                f"{len(inside)} headings stand inside tables of {volume.name}: {inside[0]!r}"
            )

    def _drop(self, name: str, block: Block) -> None:
        if name == "contents":
            self.listed.append(block.text)
        for each in block.every():
            self.account.drop(name, each.text)

    def _body(self, blocks: list[Block], at: int) -> None:
        block = blocks[at]
        if not self.by_tables:
            self.provisions.take(block)
            return
        follows = at + 1 < len(blocks) and blocks[at + 1].table is not None
        if block.table is None and not follows:
            self.provisions.section = None  # prose of a text of tables goes together, not under the table before it
            self.provisions.take(block)
        elif block.table:
            self.tables += 1
            has_caption = at > 0 and blocks[at - 1].table is None and bool(blocks[at - 1].text)
            self.provisions.open_table(self.tables, blocks[at - 1].text if has_caption else "")
            self.provisions.take(block)

    def _adopt(self, document: str, block: Block, heading: Heading) -> None:
        """In a later volume that does not repeat what its first heading stands under, that is taken from the NCX."""
        if self.provisions.volume == 1 or self.provisions.stack or heading.rank == Rank.SCHEDULE:
            return
        above = next((self.ancestors[document, a] for a in block.anchors if (document, a) in self.ancestors), ())
        for label in above:
            container = container_of(Block("p", (), raw=label, text=label), 1)
            if container.word and container.number and container.rank < heading.rank:
                self.provisions.open_container(container, "")

    # -- the end

    def published(self) -> Published:
        """What was read, if all of it is accounted for. Raises CorpusRejected."""
        provisions = self.provisions.closed()
        endnotes = self.endnotes.closed()
        cover, dated = self._checked_cover()
        self._check_text(provisions)
        return Published(
            title=cover.title,
            dated=dated,
            provisions=provisions,
            ledger=self._checked_ledger(),
            compilation_number=cover.compilation_number,
            register_id=cover.register_id,
            act_number=cover.act_number,
            act_year=cover.act_year,
            includes_to=cover.includes_to,
            not_commenced=cover.not_commenced,
            endnotes=endnotes,
            warnings=(
                *self.package.warnings,
                *((AS_MADE,) if cover.is_as_made else ()),
                *self.provisions.warnings,
                *checks.missing_labels(self.package.labels, provisions),
                *checks.missing_anchors(self.package.labels, self.anchors),
            ),
            unknown_classes=dict(self.provisions.unknown),
        )

    def _refuse(self, problem: str) -> NoReturn:
        raise CorpusRejected(self.package.path, None, problem)

    def _checked_cover(self) -> tuple[Cover, date]:
        """The cover and the day of the compilation, if it says all that a compilation cannot do without."""
        cover = self.cover
        if cover is None or cover.dated is None:
            self._refuse("its cover states no compilation date; without it no wording can be dated")
        if not cover.title:
            self._refuse("its cover states no title; give the EPUB of a compilation")
        if cover.volumes > len(self.package.documents):
            self._refuse(
                f"its cover says that it is in {cover.volumes} volumes, but the file holds "
                f"{len(self.package.documents)}; fetch all of it"
            )
        return cover, cover.dated

    def _check_text(self, provisions: Sequence[PublishedProvision]) -> None:
        """Refuses a text that is damaged in a way that would go unnoticed: numbers run together, endnotes gone."""
        if corrupt := checks.lost_hyphens(self.package.labels, provisions):
            self._refuse(f"hyphens were lost when the file was made: {corrupt}; fetch it again")
        if lost := checks.missing_endnotes(self.package.labels, self.listed, self.endnotes.titles):
            self._refuse(
                f"its contents list Endnote {' and '.join(lost)}, which is not in the text; without it amended "
                "sections would pass for never amended; fetch the file again"
            )

    def _checked_ledger(self) -> Ledger:
        """The account of all characters, if it balances."""
        ledger, unexplained = self.account.closed()
        if unexplained > MAX_UNEXPLAINED_SHARE * max(ledger.read, 1):
            self._refuse(
                f"{unexplained:,} of its {ledger.read:,} characters ({unexplained / ledger.read:.1%}) are neither "
                f"kept nor dropped for a reason{self._example()}; the reader does not know this kind of text"
            )
        return ledger

    def _example(self) -> str:
        """One paragraph that is nowhere in what was read, to show what kind of text it is; read anew to find it."""
        kept = "\n".join(text for row in self.provisions.rows for _, text in row.lines)
        for volume in volumes_of(self.package):
            recognise = self.recognise(volume.blocks)
            _, cover = front_of(volume.blocks, recognise)
            for at, block in enumerate(volume.blocks):
                if begins_endnotes(block):
                    break
                words = " ".join(block.text.split("\n"))
                if words and words not in kept and at not in cover and not furniture_of(block) and not recognise(block):
                    return f", such as {words[:60]!r} of style {block.style!r}"
        return ""
