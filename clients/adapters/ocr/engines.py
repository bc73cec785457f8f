"""Which engine reads a picture.

RapidOCR read more fields right than Tesseract on scans and on photographs, upright or turned (docs/documents.md), so it
reads every picture; Tesseract, where the machine has it, reads what RapidOCR cannot, and the page says so.
"""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from clients.adapters.ocr import tesseract
from clients.adapters.ocr.rapid import RapidOcr
from clients.adapters.ocr.tesseract import Tesseract
from clients.adapters.ocr.turning import Turned, upright
from clients.extraction.ports import PageOcr, Unreadable

Upright = Callable[[Image.Image], Turned]
DEFAULT = "rapidocr"
NAMES = (DEFAULT, "tesseract")


def default_upright() -> Upright:
    """A picture to words, upright, by what the machine has."""
    return first_that_reads(RapidOcr(), Tesseract()) if tesseract.is_installed() else first_that_reads(RapidOcr())


def upright_by(name: str) -> Upright:
    """A picture to words, upright, by the engine of that name alone. Raises ValueError for a name that is none."""
    engines: dict[str, PageOcr] = {RapidOcr.name: RapidOcr(), Tesseract.name: Tesseract()}
    if name not in engines:
        raise ValueError(f"'{name}' is no OCR engine; give one of {', '.join(NAMES)}.")
    return first_that_reads(engines[name])


def first_that_reads(*engines: PageOcr) -> Upright:
    """The first engine's reading that has any words; that of the last where none has.

    It raises Unreadable where every engine does.
    """

    def read(picture: Image.Image) -> Turned:
        found, problem = None, None
        for engine in engines:
            try:
                found = upright(picture, engine)
            except Unreadable as error:
                problem = error
                continue
            if found.words:
                break
        if found is None:
            raise problem or Unreadable("No engine reads pictures here.")
        return found

    return read
