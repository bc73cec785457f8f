"""Which engine reads a picture."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from clients.adapters.ocr.rapid import RapidOcr
from clients.adapters.ocr.turning import Turned, upright


def default_upright() -> Callable[[Image.Image], Turned]:
    """A picture to words, upright, by the engine that the measurements in docs/documents.md chose."""
    engine = RapidOcr()
    return lambda picture: upright(picture, engine)
