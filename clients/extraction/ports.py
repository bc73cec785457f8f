"""What extraction asks of the world: pages out of a file, words out of a picture, fields out of pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from clients.extraction.terms import Extraction, Page, ReadDocument, Word

if TYPE_CHECKING:
    from PIL.Image import Image

OnPage = Callable[[int, int], None]  # called after each page: its number, how many there are


class Unreadable(Exception):
    """A file that is not read, and why, in a sentence for whoever sent it."""


class DocumentReader(Protocol):
    """A file to pages of words."""

    def read(self, path: Path, on_page: OnPage | None = None) -> ReadDocument:
        """Its pages in order. Raises Unreadable; an inspection that fails counts as unsafe and raises it too."""
        ...


class PageOcr(Protocol):
    """A picture to words. enough: the mean confidence of a page that stands upright; below it other ways are tried."""

    name: str
    enough: float

    def words(self, picture: Image) -> tuple[tuple[Word, ...], float]:
        """Words in pixels of the picture as it is given, and its skew in degrees. Raises Unreadable."""
        ...


class FieldExtractor(Protocol):
    """Pages to fields."""

    def extract(self, pages: Sequence[Page], today: date) -> Extraction:
        """What stands on the pages. today: the day it is read on; nothing is dated after it."""
        ...
