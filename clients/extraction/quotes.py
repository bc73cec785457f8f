"""Whether the words that a field quotes stand where it says; whoever named them, rules or a model.

Exactly, after spaces and the forms of dashes and quotation marks are made one; or, on a page that OCR read, nearly: the
lengths differ by no more than MOST_LENGTH, the letters agree to LEAST_SIMILAR, and every digit is the same. Right
words on another page are a failure that names where they stand; nothing is marked then.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from clients.extraction.layout import Row, rows_of
from clients.extraction.terms import Box, FoundField, Page, Source

MOST_LENGTH = 1.15
LEAST_SIMILAR = 0.9
SAME_PLACE = 0.5  # of the smaller box, that the region named and the region found have in common
_DASHES = (
    dict.fromkeys(map(ord, "‐‑‒–—−"), "-") | dict.fromkeys(map(ord, "‘’‛′"), "'") | dict.fromkeys(map(ord, "“”″"), '"')
)


class Quoted(StrEnum):
    """How a quote was found. The first two are shown as “quote matched”, and mean no more than that."""

    MATCHED = "quote matched"
    NEARLY = "quote matched nearly"
    ELSEWHERE = "on another page"
    MISPLACED = "elsewhere on the page"
    ABSENT = "not on the page"


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """page and region: where the words stand; None where they stand nowhere."""

    state: Quoted
    page: int | None = None
    region: Box | None = None

    @property
    def is_matched(self) -> bool:
        return self.state in (Quoted.MATCHED, Quoted.NEARLY)

    @property
    def sentence(self) -> str:
        """What is said of it."""
        if self.state is Quoted.ELSEWHERE:
            return f"The words quoted stand on page {self.page}, not where they are said to."
        if self.state is Quoted.MISPLACED:
            return "The words quoted stand elsewhere on the page."
        return "The words quoted are not on the page." if self.state is Quoted.ABSENT else "Quote matched."


def check_quote(found: FoundField, pages: Sequence[Page]) -> QuoteCheck:
    """Whether the field's raw words stand on its page, at its region, and where they do if not."""
    own = [page for page in pages if page.number == found.page]
    places = [(state, box) for page in own for state, box in _places(found.raw, page)]
    for state, box in places:
        if _overlap(box, found.region) >= SAME_PLACE:
            return QuoteCheck(state, found.page, box)
    if places:
        return QuoteCheck(Quoted.MISPLACED, found.page, places[0][1])
    for page in pages:
        if page.number != found.page:
            for _, box in _places(found.raw, page):
                return QuoteCheck(Quoted.ELSEWHERE, page.number, box)
    return QuoteCheck(Quoted.ABSENT)


def find_text(raw: str, pages: Sequence[Page]) -> tuple[int, Box] | None:
    """The first page on which the words stand, exactly or nearly, and where; None if on none."""
    for page in pages:
        for _, box in _places(raw, page):
            return page.number, box
    return None


def plain(text: str) -> str:
    """The text as quotes are compared: one space for any, one form of dash and of quotation mark."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_DASHES).split())


def _places(raw: str, page: Page) -> list[tuple[Quoted, Box]]:
    """Where the words stand on a page, exact places first."""
    wanted = plain(raw)
    if not wanted:
        return []
    rows = rows_of(page)
    exact = [(Quoted.MATCHED, box) for row in rows for box in _exact(wanted, row)]
    is_ocr = any(word.source is Source.OCR for word in page.seen)
    return exact or ([(Quoted.NEARLY, box) for row in rows for box in _near(wanted, row)] if is_ocr else [])


def _exact(wanted: str, row: Row) -> list[Box]:
    """Where the words stand whole: no digit before or after, but for the time that OCR runs into a date."""
    pattern = r"\s+".join(map(re.escape, wanted.split(" ")))
    text = row.text.translate(_DASHES)
    found = re.finditer(rf"(?<![\d.,])(?<!\w(?=[A-Za-z]))(?:{pattern})(?:(?=\d?\d:\d\d)|(?!\w|[.,]\d))", text)
    return [row.piece(match.start(), match.end()).box for match in found]


def _near(wanted: str, row: Row) -> list[Box]:
    """Runs of words that are nearly the wanted ones."""
    count, found = len(wanted.split(" ")), []
    spans = [(match.start(), match.end()) for match in re.finditer(r"\S+", row.text)]
    for size in {max(1, count - 1), count, count + 1}:
        for at in range(len(spans) - size + 1):
            start, end = spans[at][0], spans[at + size - 1][1]
            if is_near(wanted, plain(row.text[start:end])):
                found.append(row.piece(start, end).box)
    return found


def is_near(wanted: str, there: str) -> bool:
    """Whether two texts are nearly the same: length and similarity within their caps, and the digits the same."""
    longer, shorter = max(len(wanted), len(there)), min(len(wanted), len(there))
    if not shorter or longer / shorter > MOST_LENGTH or _digits(wanted) != _digits(there):
        return False
    return SequenceMatcher(None, wanted, there, autojunk=False).ratio() >= LEAST_SIMILAR


def _digits(text: str) -> str:
    return "".join(re.findall(r"\d", text))


def _overlap(one: Box, other: Box) -> float:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    smaller = min(one.width * one.height, other.width * other.height)
    return across * down / smaller if across > 0 and down > 0 and smaller > 0 else 0.0
