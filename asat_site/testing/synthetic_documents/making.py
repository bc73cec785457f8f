"""Made-up documents by number: which layout, what it says and what was done to it follow from the number alone.

Numbers below HELD_OUT_FROM are for development; those from there on are measured and not looked at.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from random import Random

import numpy as np
import pymupdf
from PIL import Image, ImageFilter

from asat_site.testing.synthetic_documents import invoices, others, statements, tills
from asat_site.testing.synthetic_documents.facts import Truth
from asat_site.testing.synthetic_documents.paper import Paper

HELD_OUT_FROM = 20_000
SOURCES = ("text", "text", "scan", "photo")
LAYOUTS = (
    *(style.name for style in invoices.STYLES),
    *tills.TILLS,
    *(shape.name for shape in statements.SHAPES),
    *others.OTHERS,
)


@dataclass(frozen=True, slots=True)
class Made:
    """One document: its file, what it was made as, and what it says."""

    number: int
    layout: str
    source: str  # text, scan (a PDF or TIFF of pictures) or photo (JPEG or PNG)
    suffix: str
    content: bytes
    truth: Truth


def made(number: int, source: str | None = None) -> Made:
    """The document of that number; layouts and sources take turns. source: another than its turn."""
    rng = Random(f"asat documents {number}")
    layout = LAYOUTS[number % len(LAYOUTS)]
    source = source or SOURCES[(number // len(LAYOUTS) + number) % len(SOURCES)]
    paper, truth = _printed(rng, layout)
    content = paper.as_pdf()
    if source == "text":
        return Made(number, layout, source, ".pdf", content, truth)
    pages = [_worn(rng, page, source) for page in _rendered(content)]
    if source == "photo" and len(pages) == 1:
        return Made(number, layout, source, *_photo(rng, pages[0]), truth)
    return Made(number, layout, source, *_scan(rng, pages), truth)


def _printed(rng: Random, layout: str) -> tuple[Paper, Truth]:
    for style in invoices.STYLES:
        if style.name == layout:
            paper, known = invoices.invoice(rng, style)
            return paper, known.truth
    for shape in statements.SHAPES:
        if shape.name == layout:
            return statements.statement(rng, shape)
    paper, known = {**tills.TILLS, **others.OTHERS}[layout](rng)
    return paper, known.truth


def _rendered(content: bytes) -> list[Image.Image]:
    document = pymupdf.open(stream=content, filetype="pdf")
    pictures = [document[at].get_pixmap(dpi=170) for at in range(document.page_count)]
    return [Image.frombytes("RGB", (each.width, each.height), each.samples) for each in pictures]


def _worn(rng: Random, page: Image.Image, source: str) -> Image.Image:
    """The page as a scanner or a telephone sees it: a little askew, soft, grainy and grey."""
    page = page.rotate(rng.uniform(-1.2, 1.2), Image.Resampling.BICUBIC, expand=True, fillcolor=(255, 255, 255))
    page = page.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.8 if source == "scan" else 1.1)))
    grain = np.random.default_rng(rng.randrange(2**32))
    array = np.asarray(page, dtype=np.float32)
    array = array * rng.uniform(0.75, 1.0) + rng.uniform(0, 40)
    if source == "photo":
        array *= np.linspace(rng.uniform(0.7, 1.0), 1.0, array.shape[1], dtype=np.float32)[None, :, None]
    array += grain.normal(0, rng.uniform(2, 12), array.shape[:2])[..., None].astype(np.float32)
    worn = Image.fromarray(np.clip(array, 0, 255).astype(np.uint8))
    turn = rng.random()
    if turn < 0.08:
        return worn.transpose(Image.Transpose.ROTATE_180)
    return worn.transpose(Image.Transpose.ROTATE_90) if turn < 0.16 else worn


def _photo(rng: Random, page: Image.Image) -> tuple[str, bytes]:
    kept = io.BytesIO()
    if rng.random() < 0.2:
        page.save(kept, "PNG", compress_level=3)
        return ".png", kept.getvalue()
    page.save(kept, "JPEG", quality=rng.randrange(40, 85))
    return ".jpg", kept.getvalue()


def _scan(rng: Random, pages: list[Image.Image]) -> tuple[str, bytes]:
    kept = io.BytesIO()
    if rng.random() < 0.2:
        pages[0].save(kept, "TIFF", save_all=True, append_images=pages[1:], compression="tiff_lzw")
        return ".tiff", kept.getvalue()
    document = pymupdf.open()
    for page in pages:
        jpeg = io.BytesIO()
        page.save(jpeg, "JPEG", quality=rng.randrange(35, 80))
        sheet = document.new_page(width=page.width * 72 / 170, height=page.height * 72 / 170)
        sheet.insert_image(sheet.rect, stream=jpeg.getvalue())
    return ".pdf", bytes(document.tobytes(no_new_id=True))
