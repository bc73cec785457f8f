"""Which engine reads a picture: RapidOCR, Tesseract, or the better of both for the case."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from clients.adapters.ocr.rapid import RapidOcr
from clients.adapters.ocr.tesseract import Tesseract
from clients.adapters.ocr.turning import Turned, upright
from clients.extraction.ports import PageOcr

Upright = Callable[[Image.Image], Turned]
DEFAULT = "rapidocr"
NAMES = (DEFAULT, "tesseract")


def default_upright() -> Upright:
    """A picture to words, upright, by the default engine."""
    return upright_by(DEFAULT)


def upright_by(name: str) -> Upright:
    """A picture to words, upright, by the engine of that name. Raises ValueError for a name that is none."""
    engines: dict[str, PageOcr] = {RapidOcr.name: RapidOcr(), Tesseract.name: Tesseract()}
    if name not in engines:
        raise ValueError(f"'{name}' is no OCR engine; give one of {', '.join(NAMES)}.")
    engine = engines[name]
    return lambda picture: upright(picture, engine)
