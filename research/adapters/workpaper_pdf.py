"""HTML to the pages of a PDF, by PyMuPDF: set section by section, with an outline, page numbers and a foot.

The fonts are PyMuPDF's own and are embedded, so that the words can be selected, searched and copied on any machine.
Nothing is fetched: sections have no archive to read pictures or styles from.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

import pymupdf

PAPER = pymupdf.paper_rect("a4")
TEXT = pymupdf.Rect(62, 54, PAPER.x1 - 62, PAPER.y1 - 66)  # points
FOOT = pymupdf.Rect(TEXT.x0, PAPER.y1 - 44, TEXT.x1 - 90, PAPER.y1 - 24)
FOOT_PT = 7.5
GAP = 8  # between two sections on one page
LEAST = 170  # of height for a section to begin on a page that is begun
FOOT_CSS = "body { font-family: sans-serif; font-size: 7.5pt; color: #494f55; margin: 0; } p { margin: 0; }"
LIGATURES = re.compile("f(?=[fijlt])")
MOST_PAGES_OF_SECTION = 400  # a bound that ends what cannot be set


@dataclass(frozen=True, slots=True)
class Written:
    """A part of the document: its name in the outline, and its words as HTML."""

    title: str
    html: str


def as_html(text: str) -> str:
    """The text for a section, whose letters stay apart: a joined “fi” would be copied as one sign and found by none."""
    return LIGATURES.sub("f<b></b>", escape(text))


def pdf_of(sections: Iterable[Written], css: str, foot: str, title: str, author: str) -> bytes:
    """The document. foot: the words at the foot of every page; title and author: its properties.

    The first section has pages of its own; the others follow one another down the page.
    """
    written = io.BytesIO()
    pages = _Pages(pymupdf.DocumentWriter(written), foot)
    outline = []
    for place, section in enumerate(sections):
        first = pages.place(section.html, css)
        outline.append([1, " ".join(section.title.split()) or "–", first])
        if place == 0:
            pages.turn()
    pages.close()
    return _finished(written.getvalue(), outline, title, author)


class _Pages:
    """The pages as they fill from the top."""

    def __init__(self, writer: pymupdf.DocumentWriter, foot: str) -> None:
        self._writer = writer
        self._foot = f"<p>{as_html(foot)}</p>"
        self._device = None
        self._top = TEXT.y0
        self._count = 0

    def place(self, html: str, css: str) -> int:
        """Sets the section where the last one ended; the page that it begins on.

        One that fits on a page is not broken over two; a longer one begins where there is room, and runs on.
        """
        story = pymupdf.Story(html=html, user_css=css)
        if self._top > TEXT.y0 and (TEXT.y1 - self._top < LEAST or self._is_better_whole(story)):
            self.turn()
        begins_on = 0
        for _ in range(MOST_PAGES_OF_SECTION):
            self._begin()
            begins_on = begins_on or self._count
            more, filled = story.place(self._room)
            story.draw(self._device)
            self._top = filled[3] + GAP
            if not more:
                break
            self.turn()
        return begins_on

    def _is_better_whole(self, story: pymupdf.Story) -> bool:
        """Whether the story is too long for the room that is left, and not for a page."""
        return bool(story.place(self._room)[0]) and not story.place(TEXT)[0]

    @property
    def _room(self) -> pymupdf.Rect:
        return pymupdf.Rect(TEXT.x0, self._top, TEXT.x1, TEXT.y1)

    def turn(self) -> None:
        """Ends the page that is begun."""
        if self._device is not None:
            self._writer.end_page()
            self._device, self._top = None, TEXT.y0

    def close(self) -> None:
        self.turn()
        self._writer.close()

    def _begin(self) -> None:
        if self._device is None:
            self._device = self._writer.begin_page(PAPER)
            self._count += 1
            foot = pymupdf.Story(html=self._foot, user_css=FOOT_CSS)
            foot.place(FOOT)
            foot.draw(self._device)


def _finished(written: bytes, outline: list[list[object]], title: str, author: str) -> bytes:
    """The document with the numbers of its pages, its outline, its language and its properties."""
    with pymupdf.open(stream=written, filetype="pdf") as document:
        for page in document:
            number = f"Page {page.number + 1} of {document.page_count}"
            start = TEXT.x1 - pymupdf.get_text_length(number, fontsize=FOOT_PT)
            page.insert_text((start, FOOT.y0 + FOOT_PT + 1), number, fontsize=FOOT_PT, color=(0.29, 0.31, 0.33))
        document.set_toc(outline)
        document.set_language("en-AU")
        document.set_metadata({"title": title, "author": author, "creator": "AsAt", "producer": "AsAt"})
        made: bytes = document.tobytes(garbage=4, deflate=True)
    return made
