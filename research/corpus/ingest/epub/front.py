"""Where the law begins in a volume: which of the first blocks are its cover and contents, and which are law already.

Pure. A long title, a Preamble or enacting words stand between the contents and the first heading, and are law.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.corpus.ingest.epub.blocks import Block
from research.corpus.ingest.epub.endnote_tables import begins_endnotes
from research.corpus.ingest.epub.furniture import furniture_of, is_cover
from research.corpus.ingest.epub.headings import Recogniser

MAX_COVER_CHARS = 20_000  # of eleven volumes' covers the longest has about 4,000; beyond it, law would be lost
_LAW_STYLE = re.compile(
    r"(?:subsection|paragraph|Definition|LongT|Preamble|MadeunderText|notetext|SubsectionHead|Penalty|Formula|Item|P\d|"
    r"Body|indent|Sched)"
)


def front_of(blocks: Sequence[Block], recognise: Recogniser) -> tuple[int, frozenset[int]]:
    """Where the first heading stands (the length where there is none), and which blocks before it are cover pages.

    Contents are not among these: they are furniture wherever they stand.
    """
    limit = next((at for at, block in enumerate(blocks) if _ends_front(block, recognise)), len(blocks))
    names = ["contents" if block.text == "Contents" else furniture_of(block) for block in blocks[:limit]]
    listed = [at for at, name in enumerate(names) if name == "contents"]
    cover = {
        at
        for at in range(limit)
        if not _LAW_STYLE.match(blocks[at].style)
        and (is_cover(blocks[at]) or (blocks[at].text == "Contents" and not furniture_of(blocks[at])))
    }
    if listed:
        before = {at for at in range(listed[-1]) if not names[at] and not _LAW_STYLE.match(blocks[at].style)}
        if sum(len(each.text) for at in before for each in blocks[at].every()) <= MAX_COVER_CHARS:
            cover |= before
    return limit, frozenset(cover)


def _ends_front(block: Block, recognise: Recogniser) -> bool:
    """A heading of the text or the beginning of the endnotes; a mere title is neither."""
    if furniture_of(block):
        return False
    heading = recognise(block)
    return bool(heading and (heading.word or heading.number)) or begins_endnotes(block)
