"""A volume's bytes to its blocks, with all that is needed to check later that nothing was lost on the way.

One volume is in memory at a time, its tree no longer than it takes to go through it once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from research.corpus.ingest.epub.blocks import Block
from research.corpus.ingest.epub.container import Package
from research.corpus.ingest.epub.furniture import emblem_among
from research.corpus.ingest.epub.markup import Unreadable, decoded, parsed_page, tag_of, words_in
from research.corpus.ingest.epub.paragraphs import SILENT, blocks_of, underlined_classes
from research.corpus.ingest.read import CorpusRejected


@dataclass(slots=True)
class Volume:
    """One volume, parsed. text: all its words, for the account.

    heads: how many of its elements are headings, ActHead1–5 where it has such styles (is_styled), else bare h1–h5.
    """

    name: str
    blocks: list[Block]
    text: str
    heads: int
    is_styled: bool
    warning: str

    def every_block(self) -> Iterator[Block]:
        """Paragraphs and headings, those in tables too."""
        for block in self.blocks:
            yield from block.every()


def volumes_of(package: Package) -> Iterator[Volume]:
    """Each volume in turn, its tree gone again. Raises CorpusRejected for one that cannot be read."""
    underlined = underlined_classes(package.styles)
    sizes = {info.filename: info.file_size for info in package.archive.infolist()}
    for name, content in package.volumes():
        try:
            text, warning = decoded(content)
            root = parsed_page(text)
        except Unreadable as error:
            raise CorpusRejected(package.path, None, f"{name!r} cannot be read: {error}") from error
        del content, text
        body = next((element for element in root.iter() if tag_of(element) == "body"), root)
        if _is_shell(root):
            raise CorpusRejected(
                package.path, None, f"{name!r} is the Register's empty page, not a volume; fetch the file again"
            )
        for tag in SILENT:
            etree.strip_elements(body, f"{{*}}{tag}", tag, with_tail=False)
        words = words_in(body)
        try:
            blocks = blocks_of(body, underlined, emblem_among(sizes))
        except RecursionError as error:
            raise CorpusRejected(package.path, None, f"{name!r} nests deeper than any text does") from error
        heads, is_styled = _count_heads(body)
        del root, body  # the tree is ten times the text: free before the blocks are gone through
        yield Volume(name, blocks, words, heads, is_styled, f"{name} is {warning}" if warning else "")


def _is_shell(root: etree._Element) -> bool:
    tags = {tag_of(element) for element in root.iter()}
    return bool(tags & {"frl-root", "app-root"}) and "p" not in tags


def _count_heads(body: etree._Element) -> tuple[int, bool]:
    """Elements that are headings, straight from the tree, and whether by their style."""
    styled = bare = 0
    for element in body.iter():
        tag = tag_of(element)
        classes = (element.get("class") or "").split()
        is_head = any(cls[:7] == "ActHead" and cls[7:] in "12345" and cls[7:] for cls in classes)
        if is_head or (tag in ("h1", "h2", "h3", "h4", "h5") and not classes):
            has_words = any(str(text).strip() for text in element.itertext())
            styled += is_head and has_words
            bare += not is_head and has_words
    return styled or bare, styled > 0
