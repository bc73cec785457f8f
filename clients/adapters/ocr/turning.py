"""Which way a picture is up: read as it is, and turned only where that reads badly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PIL import Image

from clients.extraction.ports import PageOcr
from clients.extraction.terms import Word

FEWEST = 4  # words; fewer tell nothing about which way is up
_TURNS = {0: None, 90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}


@dataclass(frozen=True, slots=True)
class Turned:
    """A picture as an engine read it. turned: clockwise, in degrees; words are placed on the picture so turned."""

    words: tuple[Word, ...]
    turned: int
    skew: float
    engine: str

    @property
    def confidence(self) -> float:
        """The mean over its letters; lines on their side count for nothing."""
        letters = sum(len(word.text) for word in self.words)
        sure = sum(len(word.text) * word.confidence for word in self.words if not _is_on_its_side(word))
        return sure / letters if letters else 0.0


def upright(picture: Image.Image, engine: PageOcr) -> Turned:
    """The picture as the engine reads it best, of the four ways up; the first that reads well is taken."""
    best = _read(picture, engine, 0)
    if _is_well(best, engine.enough):
        return best
    for turned in (90, 270, 180) if _on_their_side(best.words) else (180, 90, 270):
        read = _read(picture, engine, turned)
        if read.confidence > best.confidence:
            best = read
        if _is_well(best, engine.enough):
            break
    return best


def turned_by(picture: Image.Image, degrees: int) -> Image.Image:
    """The picture turned clockwise by 0, 90, 180 or 270 degrees."""
    how = _TURNS[degrees]
    return picture if how is None else picture.transpose(how)


def _read(picture: Image.Image, engine: PageOcr, turned: int) -> Turned:
    words, skew = engine.words(turned_by(picture, turned))
    return Turned(words, turned, skew, engine.name)


def _is_well(read: Turned, enough: float) -> bool:
    return len(read.words) >= FEWEST and read.confidence >= enough


def _is_on_its_side(word: Word) -> bool:
    return len(word.text) >= 4 and word.box.height > 1.5 * word.box.width


def _on_their_side(words: Iterable[Word]) -> bool:
    long = [word for word in words if len(word.text) >= 4]
    return bool(long) and sum(_is_on_its_side(word) for word in long) * 2 > len(long)
