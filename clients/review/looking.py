"""What of a document is looked at: its page, the field that is lit, and where things stand on the page."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from clients.extraction.revised_terms import Revised
from clients.extraction.terms import Box, Page
from clients.review.services import Stand

_MARGIN = 0.004  # of the page's width, that a region is lit around its words


@dataclass(frozen=True, slots=True)
class Look:
    """page: its number. field: the one that is lit, "" for none. row: the one that is corrected, 0 for none.

    errors: by field, why what was typed was not taken; typed: what that was.
    """

    page: int = 1
    field: str = ""
    row: int = 0
    errors: Mapping[str, str] = dataclasses.field(default_factory=dict)
    typed: Mapping[str, str] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands on a page, in the page's own units."""

    field: str
    page: int
    left: float
    top: float
    width: float
    height: float
    is_lit: bool = False


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page of the document. read_by: "text", or the OCR that read it. problem: why it was not read."""

    number: int
    width: float
    height: float
    read_by: str
    problem: str
    is_here: bool


def page_looked_at(stand: Stand, look: Look) -> Page:
    """The page of the row or field that is lit, else the one asked for, else the first."""
    asked = look.page
    lit = next((each for each in stand.found.fields if each.name == look.field and each.page), None)
    if lit and lit.page:
        asked = lit.page
    row = next((each for each in stand.found.rows if each.number == look.row), None)
    if row is not None:
        asked = row.read.page
    return next((page for page in stand.pages if page.number == asked), stand.pages[0])


def page_links(stand: Stand, here: int) -> list[PageLink]:
    return [
        PageLink(each.number, each.width, each.height, each.read_by, each.problem, each.number == here)
        for each in stand.pages
    ]


def row_pages(found: Revised, here: int) -> list[tuple[int, int, bool]]:
    """(page, how many of its rows have something wrong, whether it is looked at) of each page that has rows."""
    pages: dict[int, int] = {}
    for row in found.rows:
        pages[row.read.page] = pages.get(row.read.page, 0) + bool(row.failed)
    return [(page, wrong, page == here) for page, wrong in sorted(pages.items())]


def place_of(field: str, page: int, box: Box, look: Look, stand: Stand) -> Place:
    """The region with a little room around its words."""
    on = next((each for each in stand.pages if each.number == page), None)
    room = (on.width if on else 0) * _MARGIN
    left, top = round(box.left - room, 1), round(box.top - room, 1)
    width, height = round(box.width + 2 * room, 1), round(box.height + 2 * room, 1)
    is_lit = field == look.field or (look.row > 0 and field == f"row-{look.row}")
    return Place(str(field), page, left, top, width, height, is_lit)
