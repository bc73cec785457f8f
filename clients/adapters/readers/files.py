"""The reader of files: kind by content, text where a page has it, OCR where it has not, and pages as pictures.

It opens files that anybody may have made. Run it in a child process (`child.read_in_child`); in the process of a worker
only for files of our own making.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from PIL import Image

from clients.adapters.ocr.turning import Turned, turned_by
from clients.adapters.readers import content_kind, pdf, pictures
from clients.adapters.readers.limits import Limits
from clients.extraction.ports import OnPage, Unreadable
from clients.extraction.terms import Box, Page, ReadDocument

Upright = Callable[[Image.Image], Turned]


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads by the text layer, and by `upright` what is a picture: an engine that also finds which way is up."""

    upright: Upright
    limits: Limits = field(default_factory=Limits)

    def read(self, path: Path, on_page: OnPage | None = None) -> ReadDocument:
        """Its pages in order; one that cannot be read says so. Raises Unreadable for the file as a whole."""
        media_type = kind_of(path, self.limits)
        pages = []
        count = 0
        for page, of in self._pdf(path) if media_type == content_kind.PDF else self._picture(path):
            pages.append(page)
            count = of
            if on_page is not None:
                on_page(page.number, count)
        return ReadDocument(media_type, tuple(pages), _notes(pages))

    def _pdf(self, path: Path) -> Iterator[tuple[Page, int]]:
        document = pdf.open_pdf(path, self.limits)
        try:
            for number in range(1, document.page_count + 1):
                yield self._pdf_page(document, number), document.page_count
        finally:
            document.close()

    def _pdf_page(self, document: object, number: int) -> Page:
        try:
            page, needs_ocr = pdf.page_of(document, number, self.limits)
            if not needs_ocr:
                return page
            return self._by_ocr(page, pdf.picture_of(document, number, self.limits))
        except Unreadable as error:
            return Page(number, 0, 0, problem=str(error))

    def _picture(self, path: Path) -> Iterator[tuple[Page, int]]:
        with pictures.open_picture(path, self.limits) as opened:
            count = pictures.pages_in(opened)
            for number in range(1, count + 1):
                try:
                    picture = pictures.picture_page(opened, number, self.limits)
                    yield self._by_ocr(Page(number, picture.width, picture.height), picture), count
                except Unreadable as error:
                    yield Page(number, 0, 0, problem=str(error)), count

    def _by_ocr(self, page: Page, picture: Image.Image) -> Page:
        """The page as OCR reads its picture, its boxes in the units of the page turned upright."""
        read = self.upright(picture)
        is_sideways = read.turned in (90, 270)
        width, height = (page.height, page.width) if is_sideways else (page.width, page.height)
        scale = width / (picture.height if is_sideways else picture.width)
        words = tuple(replace(word, box=scaled(word.box, scale)) for word in read.words)
        # What is hidden is kept for its count; on a page that was turned again it stands nowhere that could be shown.
        unseen = tuple(word for word in page.words if word.is_hidden) if read.turned == 0 else ()
        return Page(
            page.number,
            width,
            height,
            words + unseen,
            (page.turned + read.turned) % 360,
            read.skew,
            read.engine,
            "" if words or pictures.is_blank(picture) else "No text could be read on the page.",
        )


def kind_of(path: Path, limits: Limits) -> str:
    """The media type by content. Raises Unreadable for one that AsAt does not read, or that is too large."""
    size = path.stat().st_size
    if size > limits.most_bytes:
        raise Unreadable(
            f"The file has {size / 1024**2:,.0f} MB; AsAt reads up to {limits.most_bytes // 1024**2}. Save it smaller."
        )
    with path.open("rb") as file:
        return content_kind.media_type_of(file.read(4096))


def page_picture(path: Path, number: int, turned: int, limits: Limits) -> Image.Image:
    """Page `number` as its words are placed on it, for whoever reviews it. turned: the page's. Raises Unreadable."""
    if kind_of(path, limits) == content_kind.PDF:
        document = pdf.open_pdf(path, limits)
        try:
            check_number(number, document.page_count)
            return turned_by(pdf.picture_of(document, number, limits), turned)
        finally:
            document.close()
    with pictures.open_picture(path, limits) as opened:
        check_number(number, pictures.pages_in(opened))
        return turned_by(pictures.picture_page(opened, number, limits), turned)


def check_number(number: int, pages: int) -> None:
    """Raises Unreadable for a page that the file does not have."""
    if not 1 <= number <= pages:
        raise Unreadable(f"The file has no page {number}.")


def scaled(box: Box, by: float) -> Box:
    """The box in other units."""
    return Box(box.left * by, box.top * by, box.right * by, box.bottom * by)


def _notes(pages: list[Page]) -> tuple[str, ...]:
    said = []
    for page in pages:
        hidden = len(page.words) - len(page.seen)
        if hidden:
            said.append(f"Page {page.number} holds {hidden} words that nobody who looks at it can see. None was used.")
        if page.problem:
            said.append(f"Page {page.number} was not read. {page.problem}")
    return tuple(said)
