"""What is dropped from a compilation because it is no part of the law: a list, by name, with the reason.

Pure. A test goes through the list. What is not in it is kept, whatever its style.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from posixpath import basename

from lxml import etree

from research.corpus.ingest.epub.blocks import Block


@dataclass(frozen=True, slots=True)
class Furniture:
    """One kind of what is dropped, known by its style or its words. name: as in the ledger."""

    name: str
    reason: str
    styles: re.Pattern[str] | None = None
    words: re.Pattern[str] | None = None


GUIDE_ENDS = "marks of where a Guide ends"
_CROSS = r"(?:Chapter|Part|Division|Subdivision|Schedule|section|clause)"

FURNITURE = (
    Furniture(
        "contents",
        "a list of headings that stand in the text themselves",
        styles=re.compile(r"TOC\d?$|TOCHeading$|Contents|toc\d?$"),
    ),
    Furniture(
        "tables of sections",
        "the same for one Division, set before it",
        styles=re.compile(r"TofSects", re.IGNORECASE),
    ),
    Furniture(
        "running heads",
        "heads and feet of printed pages; empty ones carry a number that is no heading",
        styles=re.compile(r"(?:Header|Footer)", re.IGNORECASE),
    ),
    Furniture("update dates", "when the page was set", styles=re.compile(r"UpdateDate$")),
    Furniture("tab marks", "measures for the typesetter", styles=re.compile(r"Tabbing$")),
    Furniture(
        "notes on asterisks",
        "the sentence at the foot of a page that asterisks mark defined terms",
        words=re.compile(r"\*?\s?To find definitions? of asterisked terms, see the Dictionary\b.{0,80}", re.DOTALL),
    ),
    Furniture(
        "signposts",
        "where the reader goes next, because numbers were left out for later",
        words=re.compile(rf"\[(?:This is the end of|The next) {_CROSS}\b[^\]]{{0,160}}\]"),
    ),
    Furniture(
        GUIDE_ENDS,
        "the bare heading that parts a Guide from the provisions it guides to",
        styles=re.compile(r"ActHead[1-5]$"),
        words=re.compile(r"Operative provisions?"),
    ),
)

COVER_STYLES = re.compile(r"(?:ShortT|CompiledActNo|CompiledMadeUnder|ActNo|Plainheader|LI-Title|LI-Fronttext)")
COVER_WORDS = re.compile(
    r"(?:Compilation (?:No\.?|date|start|was prepared)|Includes amendments|Registered:?\s*\d|Start date:|"
    r"Prepared by the |"
    r"This compilation(?: is in \w+ volumes| was prepared)?$|This compilation (?:is in|was prepared)|"
    r"This is a compilation of|About this compilation$|Each volume has its own contents|Volume \d+(?::|$)|"
    r"The notes at the end of this compilation|Uncommenced amendments$|The effect of uncommenced amendments|"
    r"The details of amendments|Any uncommenced amendments|Application, saving and transitional provisions"
    r"(?: for provisions and amendments)?$|If the operation of a provision|Editorial changes$|"
    r"For more information about any editorial|Presentational changes$|Modifications$|If the compiled (?:law|Act) is "
    r"modified|Self.repealing provisions$|If a provision of the compiled|Amendments made by Act No|"
    r"No\.? \d+,? (?:of )?\d{4}$|[A-Z].{3,200}\b(?:Act|Regulations?|Rules|Determination|Instrument) (?:18|19|20)\d\d$)"
)


def furniture_of(block: Block) -> str:
    """The name under which a block is dropped, "" for what is kept; a table is dropped if all that is in it is."""
    if block.table:
        names = {furniture_of(each) for each in block.every() if each.text}
        return names.pop() if len(names) == 1 else ""
    for each in FURNITURE:
        if each.styles and not any(each.styles.match(cls) for cls in block.classes):
            continue
        if each.words and not each.words.fullmatch(block.text):
            continue
        return each.name
    return ""


def is_cover(block: Block) -> bool:
    """Whether a block in front of the law is one of those that a cover has."""
    return bool(COVER_STYLES.match(block.style)) or bool(COVER_WORDS.match(block.text.replace("\u00a0", " ")))


MAX_EMBLEM_PIXELS, MIN_EMBLEM_BYTES = 200, 5_000


def emblem_among(sizes: Mapping[str, int]) -> Callable[[etree._Element], bool]:
    """Tells the Coat of Arms from images of the text. sizes: bytes of each member of the zip, by its path.

    By its name; else small, heavy, about 1.3 times as wide as high, and without a description. Formulas are light or
    long: dropping by size alone once cost nineteen of them.
    """
    by_name = {basename(path): size for path, size in sizes.items()}

    def is_emblem(image: etree._Element) -> bool:
        alt = (image.get("alt") or "").strip()
        if alt:
            return "coat of arms" in alt.lower()
        width, height = _pixels(image.get("width")), _pixels(image.get("height"))
        size = by_name.get(basename(image.get("src") or ""), 0)
        is_small = 0 < width < MAX_EMBLEM_PIXELS and 0 < height < MAX_EMBLEM_PIXELS
        return is_small and size > MIN_EMBLEM_BYTES and 1.2 <= width / height <= 1.4

    return is_emblem


def _pixels(given: str | None) -> float:
    found = re.match(r"\d{1,6}(?:\.\d+)?", given or "")
    return float(found.group()) if found else 0.0
