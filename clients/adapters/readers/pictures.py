"""Pictures and photographs to upright RGB pages: one of JPEG, PNG and HEIC, as many as a TIFF has.

Sizes are held to their limit by the header, before a pixel is decoded.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pi_heif
from PIL import Image, ImageOps

from clients.adapters.readers.limits import Limits
from clients.extraction.ports import Unreadable

logger = logging.getLogger(__name__)

BLANK_INK = 0.001  # of the page; one short line of print on A4 is above it, the grain of a scanner below
INK_DEPTH = 60  # of 255, darker than the page
LONGEST_SIDE = 2600  # pixels; more tells no OCR anything and costs it time
_FORMATS = ("JPEG", "PNG", "TIFF", "HEIF", "MPO")  # MPO: how some telephones write JPEG

pi_heif.register_heif_opener()
Image.MAX_IMAGE_PIXELS = Limits().most_picture_pixels


@contextmanager
def open_picture(path: Path, limits: Limits) -> Iterator[Image.Image]:
    """The open picture, not yet decoded. Raises Unreadable for one that is damaged, too large or of too many pages."""
    with path.open("rb") as file:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # they tell of the file's tags
                warnings.simplefilter("error", Image.DecompressionBombWarning)
                opened = Image.open(file, formats=_FORMATS)
                pages = pages_in(opened)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            most = f"{limits.most_picture_pixels:,}"
            raise Unreadable(f"The picture has more than {most} pixels. Save it smaller.") from None
        except Exception as error:
            logger.info("a picture could not be opened: %s", type(error).__name__)
            raise Unreadable("The picture is damaged. Save or photograph it again.") from None
        limits.check_pages(pages)
        limits.check_picture(*opened.size)
        yield opened


def pages_in(opened: Image.Image) -> int:
    """How many pages it has."""
    return 1 if opened.format == "MPO" else int(getattr(opened, "n_frames", 1))


def picture_page(opened: Image.Image, number: int, limits: Limits) -> Image.Image:
    """Page `number` (from 1), turned as its camera held it, RGB on white, no longer than LONGEST_SIDE.

    Raises Unreadable where it is damaged or too large.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _on_white(opened, number, limits)
    except Unreadable:
        raise
    except Exception as error:
        logger.info("a picture could not be decoded: %s", type(error).__name__)
        raise Unreadable("The picture is damaged. Save or photograph it again.") from None


def is_blank(picture: Image.Image) -> bool:
    """Whether a page is as good as empty: the back of a sheet that was scanned."""
    small = picture.convert("L").reduce(max(1, max(picture.size) // 800))
    shades = small.histogram()
    ground = max(range(256), key=lambda shade: shades[shade])
    return sum(shades[: max(0, ground - INK_DEPTH)]) < BLANK_INK * small.width * small.height


def _on_white(opened: Image.Image, number: int, limits: Limits) -> Image.Image:
    if number > 1:
        opened.seek(number - 1)
    limits.check_picture(*opened.size)
    upright = ImageOps.exif_transpose(opened)
    if "A" in upright.getbands() or upright.mode == "P":
        coloured = upright.convert("RGBA")
        upright = Image.alpha_composite(Image.new("RGBA", coloured.size, "white"), coloured)
    upright = upright.convert("RGB")
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    return upright
