"""PDF to words with their places, each with whether a reader of the page can see it; and pages to pictures for OCR.

A text layer may say what no page shows: text in render mode 3, in the colour of its background, under a picture, a
fraction of a point high or off the page. Every piece of text is therefore compared with the pixels it is said to stand
at. The layers that scanners add are such text as well; nothing tells an honest one from a forged one, so a scan is read
again by our own OCR.
"""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
from numpy.typing import NDArray
from PIL import Image

from clients.adapters.readers.limits import Limits
from clients.extraction.ports import Unreadable
from clients.extraction.terms import Box, Page, Word

logger = logging.getLogger(__name__)

LEAST_HEIGHT_PT = 1.0
LEAST_CONTRAST = 30  # of 255; print that faint is still read by a careful eye, below it is not
LOOK_DPI = 100
SPACE_EM, SAME_BASELINE_EM = 0.22, 0.3
FEWEST_CHARACTERS = 20  # a page with less visible text than this is looked at by OCR
SCAN_SHARE = 0.6  # of a page under one picture: a scan, whatever text was stamped on it
_INVISIBLE_MODE = 3

Gray = NDArray[np.uint8]
pymupdf.TOOLS.mupdf_display_errors(False)  # they quote the file
pymupdf.TOOLS.mupdf_display_warnings(False)


def open_pdf(path: Path, limits: Limits) -> Any:
    """The open document. Raises Unreadable for one that is damaged, locked or too long."""
    try:
        document = pymupdf.open(path, filetype="pdf")
        is_locked, pages = document.needs_pass, 0 if document.needs_pass else document.page_count
    except Exception as error:  # a damaged file fails in whatever way its part is read
        logger.info("a PDF could not be opened: %s", type(error).__name__)
        raise Unreadable("The PDF is damaged. Save it again from the program that made it.") from None
    if is_locked:
        raise Unreadable("The PDF has a password. Save a copy without one.")
    limits.check_pages(pages)
    return document


def page_of(document: Any, number: int, limits: Limits) -> tuple[Page, bool]:
    """Page `number` (from 1) by its text layer, and whether OCR should read it instead.

    Raises Unreadable for a page that is too large to look at, or whose text cannot be inspected.
    """
    with _inspected("The text of the page could not be compared with what the page shows."):
        page = document[number - 1]
        check_pictures(document, page, limits)
        turned = _turn_upright(page)
        shown = _rendered(page, min(LOOK_DPI, limits.dpi_for(page.rect.width, page.rect.height)), gray=True)
        words = tuple(_words(page, shown))
        share = _largest_picture(page)
    characters = sum(len(word.text) for word in words if not word.is_hidden)
    needs_ocr = characters < FEWEST_CHARACTERS or share >= SCAN_SHARE
    return Page(number, page.rect.width, page.rect.height, words, turned), needs_ocr and not _is_blank(shown)


def picture_of(document: Any, number: int, limits: Limits) -> Image.Image:
    """Page `number` as it is seen, at the resolution that its size allows. Raises Unreadable."""
    with _inspected("The page could not be rendered."):
        page = document[number - 1]
        check_pictures(document, page, limits)
        return Image.fromarray(_rendered(page, limits.dpi_for(page.rect.width, page.rect.height), gray=False))


def check_pictures(document: Any, page: Any, limits: Limits) -> None:
    """Raises Unreadable where a picture on the page is larger than is decoded, by what the file says of it."""
    with _inspected("The pictures of the page could not be inspected."):
        sizes = [(int(found[2]), int(found[3])) for found in document.get_page_images(page.number, full=True)]
    for width, height in sizes:
        limits.check_picture(width, height)


@contextmanager
def _inspected(sentence: str) -> Iterator[None]:
    """Raises Unreadable with that sentence for whatever goes wrong within: a damaged page fails in any way."""
    try:
        yield
    except Unreadable:
        raise
    except Exception as error:
        logger.info("a page of a PDF could not be inspected: %s", type(error).__name__)
        raise Unreadable(sentence) from None


def _rendered(page: Any, dpi: int, gray: bool) -> Gray:
    pixels = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY if gray else pymupdf.csRGB, alpha=False)
    array: Gray = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.stride)
    array = array[:, : pixels.width * pixels.n]
    return array if gray else array.reshape(pixels.height, pixels.width, 3)


def _turn_upright(page: Any) -> int:
    """Turns the page, in memory, so that most of its text runs to the right; the degrees clockwise that it took."""
    letters = [0, 0, 0, 0]  # by the quarter turn that would set them upright
    for span in page.get_texttrace():
        if len(span["chars"]) > 1:
            first, last = (pymupdf.Point(span["chars"][at][2]) * page.rotation_matrix for at in (0, -1))
            across, down = last.x - first.x, last.y - first.y
            quarter = (0 if across > 0 else 2) if abs(across) >= abs(down) else (3 if down > 0 else 1)
            letters[quarter] += len(span["chars"])
    turned = 90 * max(range(4), key=lambda quarter: letters[quarter])
    page.set_rotation((page.rotation + turned) % 360)
    return turned


def _is_blank(shown: Gray) -> bool:
    return int(shown.max()) - int(shown.min()) < LEAST_CONTRAST


def _largest_picture(page: Any) -> float:
    """The share of the page that its largest picture covers."""
    area = page.rect.width * page.rect.height
    boxes = [pymupdf.Rect(found["bbox"]) * page.rotation_matrix & page.rect for found in page.get_image_info()]
    return max((box.get_area() / area for box in boxes), default=0.0)


# ------------------------------------------------------------------------------------------------ text


def _words(page: Any, shown: Gray) -> Iterator[Word]:
    """The words of the text layer in the order in which they are drawn."""
    scale = shown.shape[1] / page.rect.width
    text, box, is_hidden, last = "", None, False, None
    for letter, place, span in _letters(page):
        hidden = _hides(span, place, page.rect)
        if last is not None and (not letter or _starts_word(last, place, span["size"], hidden != is_hidden)):
            if box is not None:
                yield _word(text, box, is_hidden or not _can_be_seen(box, last[1], shown, scale))
            text, box = "", None
        last = (place, span) if letter else None
        if letter:
            text, box, is_hidden = text + letter, place if box is None else box.joined(place), hidden
    if box is not None and last is not None:
        yield _word(text, box, is_hidden or not _can_be_seen(box, last[1], shown, scale))


def _letters(page: Any) -> Iterator[tuple[str, Box, dict[str, Any]]]:
    """Each letter, "" for a space, with its place on the page as it is seen and the span it belongs to."""
    for span in page.get_texttrace():
        for code, _glyph, _origin, corners in span["chars"]:
            letter = unicodedata.normalize("NFKC", chr(code)) if code > 0 else "\ufffd"
            place = pymupdf.Rect(corners) * page.rotation_matrix
            yield "" if letter.isspace() else letter, Box(place.x0, place.y0, place.x1, place.y1), span


def _starts_word(last: tuple[Box, dict[str, Any]], place: Box, size: float, changed: bool) -> bool:
    before = last[0]
    gap = place.left - before.right
    return changed or abs(place.bottom - before.bottom) > SAME_BASELINE_EM * size or not -size < gap < SPACE_EM * size


def _word(text: str, box: Box, is_hidden: bool) -> Word:
    return Word(text, box, is_hidden=is_hidden)


def _hides(span: dict[str, Any], place: Box, seen: Any) -> bool:
    """By what the file says: no paint, no height, or no place on the page."""
    is_off = place.right <= 0 or place.bottom <= 0 or place.left >= seen.width or place.top >= seen.height
    is_small = min(span["size"], max(place.width, place.height)) < LEAST_HEIGHT_PT
    return span["type"] == _INVISIBLE_MODE or span["opacity"] < 0.1 or is_small or is_off


def _can_be_seen(box: Box, span: dict[str, Any], shown: Gray, scale: float) -> bool:
    """By what the page shows: the text's colour stands out of its background, where the text is said to be."""
    top, left = max(0, int(box.top * scale)), max(0, int(box.left * scale))
    there = shown[top : int(box.bottom * scale) + 1, left : int(box.right * scale) + 1]
    if not there.size:
        return False
    ground = int(np.median(there))
    darkest, lightest = ground - int(there.min()), int(there.max()) - ground
    colour = _gray(span["color"])
    if colour is None:
        return max(darkest, lightest) >= LEAST_CONTRAST
    if abs(colour - ground) < LEAST_CONTRAST:  # as light as the commonest pixel: bold letters may be just that
        return max(darkest, lightest) >= LEAST_CONTRAST and _is_crowded(there, ground)
    return (darkest if colour < ground else lightest) >= LEAST_CONTRAST


def _is_crowded(there: Gray, ground: int) -> bool:
    """Whether letters so fill their box that its commonest pixel is theirs: a fifth or more is of another shade."""
    return bool(np.mean(np.abs(there.astype(int) - ground) >= LEAST_CONTRAST) >= 0.2)


def _gray(colour: Any) -> int | None:
    """0–255 of a colour in gray, RGB or CMYK; None if it is of another kind."""
    parts = [float(part) for part in colour] if colour is not None else []
    if len(parts) == 1:
        return round(255 * parts[0])
    if len(parts) == 3:
        return round(255 * (0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2]))
    if len(parts) == 4:
        return round(255 * (1 - min(1.0, 0.3 * parts[0] + 0.59 * parts[1] + 0.11 * parts[2] + parts[3])))
    return None
