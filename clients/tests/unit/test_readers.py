"""Reading files: what is hidden is flagged, what is too large is never opened, and every refusal says why."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from pathlib import Path
from random import Random

import numpy as np
import pymupdf
import pytest
from PIL import Image, ImageDraw

from clients.adapters.ocr.turning import Turned, turned_by
from clients.adapters.readers import content_kind, pdf, pictures
from clients.adapters.readers.files import FileReader, page_picture
from clients.adapters.readers.limits import Limits
from clients.extraction.ports import Unreadable
from clients.extraction.terms import Box, Page, ReadDocument, Source, Word

# 64 by 48 pixels, white, a black rectangle of 16 by 12 in its corner at the top left.
HEIC = """
AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAX1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAA
AERAAAEAAQAAAAABoQABAAAAAAAAAC8AAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRtAAAAAAABAAAA/WlwcnAAAADd
aXBjbwAAAHZodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAA
AwAeoCCBBZbq5Ka5uAhoMCAAAAMDIAAAAwAhYgABAAZEAcFzwIkAAAATY29scm5jbHgAAQANAAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xh
cAAAAEAAAAABAAAAMAAAAAEAAAAAAAAAAv////AAAAACAAAAEHBpeGkAAAAAAwgICAAAABhpcG1hAAAAAAAAAAEAAQWBAgMFhAAAADdtZGF0AAAA
KygBrxOA2+yQn/+sScS5dT0ebXUPBOhPMH9wC95jhAd7Iv9H57omzqy977g=
"""
OCR_WORD = Word("read", Box(10, 20, 30, 40), 0.9, Source.OCR)


def by_ocr(picture: Image.Image) -> Turned:
    """An engine that reads one word on every picture."""
    return Turned((OCR_WORD,), 0, 0.0, "scripted")


def no_ocr(picture: Image.Image) -> Turned:
    raise AssertionError("OCR was asked")


def read(path: Path, upright: object = no_ocr, limits: Limits | None = None) -> ReadDocument:
    return FileReader(upright, limits or Limits()).read(path)  # type: ignore[arg-type]


def saved(document: pymupdf.Document, folder: Path, **options: object) -> Path:
    path = folder / "document.bin"  # no name tells the kind
    document.save(path, **options)
    return path


def one_page(text: str = "Twenty visible characters and some more") -> pymupdf.Document:
    document = pymupdf.open()
    document.new_page(width=595, height=842).insert_text((60, 60), text)
    return document


def words(page: Page, hidden: bool) -> list[str]:
    return [word.text for word in page.words if word.is_hidden is hidden]


# ------------------------------------------------------------------------------------------------ what is seen


def test_words_have_their_place_and_their_spelling(tmp_path: Path) -> None:
    page = read(saved(one_page("Total due $1,234.50 by 3 March 2021"), tmp_path)).pages[0]
    assert [word.text for word in page.words] == ["Total", "due", "$1,234.50", "by", "3", "March", "2021"]
    assert (page.number, page.width, page.height, page.read_by) == (1, 595, 842, "text")
    first = page.words[0].box
    assert (round(first.left), round(first.bottom)) == (60, 62)
    assert {(word.source, word.confidence) for word in page.words} == {(Source.TEXT, 1.0)}


@pytest.mark.security
def test_text_that_no_reader_sees_is_flagged_and_text_on_dark_ground_is_not(tmp_path: Path) -> None:
    document = one_page()
    page = document[0]
    page.insert_text((60, 80), "modethree", render_mode=3)
    page.insert_text((60, 100), "whiteonwhite", color=(1, 1, 1))
    page.draw_rect((50, 110, 300, 130), fill=(0, 0, 0.4))
    page.insert_text((60, 125), "whiteondark", color=(1, 1, 1))
    page.insert_text((60, 150), "halfapoint", fontsize=0.5)
    page.insert_text((700, 150), "offpage")
    page.insert_text((60, 170), "covered")
    page.draw_rect((50, 155, 300, 175), fill=(1, 1, 1), color=(1, 1, 1))
    page.insert_text((60, 190), "faint", color=(0.97, 0.97, 0.97))
    page.insert_text((60, 210), "transparent", fill_opacity=0)
    found = read(saved(document, tmp_path))
    assert words(found.pages[0], hidden=True) == [
        "modethree", "whiteonwhite", "halfapoint", "offpage", "covered", "faint", "transparent",
    ]  # fmt: skip
    assert words(found.pages[0], hidden=False)[-1] == "whiteondark"
    assert found.notes == ("Page 1 holds 7 words that nobody who looks at it can see. None was used.",)


@pytest.mark.security
def test_clipped_text_is_hidden(tmp_path: Path) -> None:
    document = one_page()
    page = document[0]
    page.insert_text((60, 400), "clipped away")
    xref = page.get_contents()[-1]
    stream = document.xref_stream(xref)
    document.update_stream(xref, b"q 0 0 10 10 re W n\n" + stream + b"\nQ")
    assert words(read(saved(document, tmp_path)).pages[0], hidden=True) == ["clipped", "away"]


@pytest.mark.security
def test_a_scanners_own_text_layer_is_not_trusted(tmp_path: Path) -> None:
    picture = Image.new("RGB", (600, 800), "white")
    ImageDraw.Draw(picture).rectangle((100, 100, 400, 130), fill="black")
    kept = io.BytesIO()
    picture.save(kept, "PNG")
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    page.insert_image(page.rect, stream=kept.getvalue())
    page.insert_text((100, 128), "Total 99,999.00 as somebody wants it read", render_mode=3)
    found = read(saved(document, tmp_path), by_ocr).pages[0]
    assert [word.text for word in found.seen] == ["read"]
    assert found.read_by == "scripted"
    assert len(words(found, hidden=True)) == 7


def test_ocr_boxes_come_in_the_pages_own_units(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page(width=360, height=720).draw_rect((50, 50, 200, 90), fill=(0, 0, 0))
    found = read(saved(document, tmp_path), by_ocr).pages[0]
    scale = 360 / 1000  # a page of 5 inches at 200 dots an inch
    assert found.seen[0].box == Box(10 * scale, 20 * scale, 30 * scale, 40 * scale)


def test_a_page_that_is_blank_is_not_sent_to_ocr(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page()
    assert read(saved(document, tmp_path)).pages[0].words == ()


def test_sideways_text_is_turned_upright_with_its_picture(tmp_path: Path) -> None:
    document = one_page("Words that run to the right once turned")
    document[0].set_rotation(90)
    path = saved(document, tmp_path)
    page = read(path).pages[0]
    assert [word.text for word in page.words][:3] == ["Words", "that", "run"]
    assert page.turned == 270
    assert (page.width, page.height) == (595, 842)
    picture = page_picture(path, 1, page.turned, Limits())
    assert picture.size == (1653, 2339)
    dark = np.argwhere(np.asarray(picture.convert("L")) < 128)
    box, scale = page.words[0].box, picture.width / page.width
    assert box.top * scale - 4 <= dark[:, 0].min() <= box.bottom * scale


# ------------------------------------------------------------------------------------------------ limits


def test_the_limits_are_what_they_are_meant_to_be() -> None:
    limits = Limits()
    assert limits.most_picture_pixels == 60_000_000
    assert limits.dpi_for(595, 842) == 200  # A4 as it is
    assert limits.dpi_for(842 * 2, 1191 * 2) == 124  # A1, smaller
    assert limits.dpi_for(842, 1191) ** 2 * (842 / 72) * (1191 / 72) <= limits.most_rendered_pixels
    limits.check_picture(8000, 6000)  # what a telephone takes
    assert limits.most_picture_pixels == Image.MAX_IMAGE_PIXELS


@pytest.mark.parametrize(
    ("width", "height", "said"),
    [(14_400, 14_400, "A page is 200 by 200 inches, more than AsAt renders. Print it smaller."), (0, 842, "no size")],
)
def test_a_page_that_cannot_be_rendered_within_its_pixels_is_refused(width: int, height: int, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        Limits().dpi_for(width, height)


@pytest.mark.security
def test_a_vast_picture_in_a_pdf_is_refused_by_its_header(tmp_path: Path) -> None:
    document = one_page()
    kept = io.BytesIO()
    Image.new("1", (400, 400)).save(kept, "PNG")
    document[0].insert_image((10, 100, 60, 150), stream=kept.getvalue())
    found = read(saved(document, tmp_path), no_ocr, Limits(most_picture_pixels=100_000)).pages[0]
    assert found.words == ()
    assert (
        found.problem
        == "A picture in the file has 400 by 400 pixels; AsAt opens up to 100,000 pixels. Save it smaller."
    )


@pytest.mark.security
def test_a_png_that_claims_two_gigapixels_is_never_decoded(tmp_path: Path) -> None:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 46_341, 46_341, 8, 0, 0, 0, 0)
    path = tmp_path / "bomb.jpg"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b""))
    with pytest.raises(Unreadable, match="more than 60,000,000 pixels"):
        read(path)


def test_too_many_pages_are_refused_before_any_is_read(tmp_path: Path) -> None:
    document = one_page()
    document.new_page()
    with pytest.raises(Unreadable, match=r"The file has 2 pages; AsAt reads up to 1\. Split it\."):
        read(saved(document, tmp_path), no_ocr, Limits(most_pages=1))
    path = tmp_path / "pages.tiff"
    Image.new("L", (40, 40)).save(path, "TIFF", save_all=True, append_images=[Image.new("L", (40, 40))])
    with pytest.raises(Unreadable, match="The file has 2 pages"):
        read(path, by_ocr, Limits(most_pages=1))


def test_a_file_of_too_many_bytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"%PDF-" + b"0" * 2_000_000)
    with pytest.raises(Unreadable, match="The file has 2 MB; AsAt reads up to 1"):
        read(path, no_ocr, Limits(most_bytes=1024**2))


# ------------------------------------------------------------------------------------------------ kinds


def test_a_locked_pdf_is_refused_in_words(tmp_path: Path) -> None:
    path = saved(one_page(), tmp_path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y")
    with pytest.raises(Unreadable, match=r"^The PDF has a password\. Save a copy without one\.$"):
        read(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The file is empty."),
        (b"PK\x03\x04" + b"\0" * 60, "The file is ZIP. AsAt reads PDF, JPEG, PNG, TIFF and HEIC."),
        (b"<html>hello</html>", "The file is of no kind that is known. AsAt reads PDF, JPEG, PNG, TIFF and HEIC."),
        (b"%PDF-1.7\nnothing", "The PDF is damaged. Save it again from the program that made it."),
        (b"\xff\xd8\xff\xe0" + b"\0" * 100, "The picture is damaged. Save or photograph it again."),
    ],
)
def test_what_is_not_read_is_refused_by_its_content(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "invoice.pdf"
    path.write_bytes(content)
    with pytest.raises(Unreadable) as refused:
        read(path)
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("form", "media_type"),
    [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("TIFF", "image/tiff"), ("MPO", "image/jpeg")],
)
def test_pictures_are_known_by_content(tmp_path: Path, form: str, media_type: str) -> None:
    path = tmp_path / "scan.pdf"
    Image.new("RGB", (64, 48), "white").save(path, form)
    found = read(path, by_ocr)
    assert (found.media_type, len(found.pages)) == (media_type, 1)
    assert found.pages[0].seen == (OCR_WORD,)


def test_heic_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "photo"
    path.write_bytes(base64.b64decode(HEIC))
    assert content_kind.media_type_of(path.read_bytes()) == "image/heic"
    with pictures.open_picture(path, Limits()) as opened:
        page = pictures.picture_page(opened, 1, Limits())
    assert page.size == (64, 48)
    assert page.getpixel((4, 4))[0] < 60 < 200 < page.getpixel((50, 40))[0]  # type: ignore[index, operator]


def test_every_page_of_a_tiff_is_read(tmp_path: Path) -> None:
    path = tmp_path / "fax"
    sheets = [Image.new("1", (40 + at, 50)) for at in range(3)]
    sheets[0].save(path, "TIFF", save_all=True, append_images=sheets[1:])
    assert [(page.number, page.width) for page in read(path, by_ocr).pages] == [(1, 40), (2, 41), (3, 42)]


def test_a_photograph_stands_as_its_camera_held_it(tmp_path: Path) -> None:
    picture = Image.new("RGB", (80, 40), "white")
    picture.paste("black", (0, 0, 20, 40))  # the left end, which is the top when the camera was held upright
    exif = Image.Exif()
    exif[0x0112] = 6
    path = tmp_path / "photo"
    picture.save(path, "JPEG", exif=exif, quality=95)
    with pictures.open_picture(path, Limits()) as opened:
        page = pictures.picture_page(opened, 1, Limits())
    assert page.size == (40, 80)
    assert page.getpixel((20, 5))[0] < 60 < 200 < page.getpixel((20, 70))[0]  # type: ignore[index, operator]


def test_what_is_clear_is_white_paper(tmp_path: Path) -> None:
    path = tmp_path / "clear"
    Image.new("RGBA", (20, 20), (0, 0, 0, 0)).save(path, "PNG")
    with pictures.open_picture(path, Limits()) as opened:
        assert pictures.picture_page(opened, 1, Limits()).getpixel((5, 5)) == (255, 255, 255)


def test_the_empty_back_of_a_sheet_is_no_page_that_failed(tmp_path: Path) -> None:
    def nothing(picture: Image.Image) -> Turned:
        return Turned((), 0, 0.0, "scripted")

    path = tmp_path / "sheet"
    grain = Image.effect_noise((826, 1169), 16).point(lambda shade: min(255, shade + 90))
    grain.save(path, "PNG")
    assert read(path, nothing).pages[0].problem == ""
    ImageDraw.Draw(grain).text((100, 100), "one short line of print that nobody read", fill=0, font_size=20)
    grain.save(path, "PNG")
    assert read(path, nothing).pages[0].problem == "No text could be read on the page."


def test_a_picture_is_turned_clockwise() -> None:
    picture = Image.new("L", (30, 10), 255)
    picture.putpixel((0, 0), 0)
    corners = {degrees: turned_by(picture, degrees) for degrees in (0, 90, 180, 270)}
    assert {degrees: turned.size for degrees, turned in corners.items()} == {
        0: (30, 10), 90: (10, 30), 180: (30, 10), 270: (10, 30),
    }  # fmt: skip
    assert [corners[90].getpixel((9, 0)), corners[180].getpixel((29, 9)), corners[270].getpixel((0, 29))] == [0, 0, 0]


# ------------------------------------------------------------------------------------------------ failures


@pytest.mark.security
@pytest.mark.parametrize("form", ["PDF", "TIFF", "PNG", "JPEG"])
def test_a_damaged_file_is_read_or_refused_and_nothing_else(tmp_path: Path, form: str) -> None:
    kept = io.BytesIO()
    sheets = [Image.effect_noise((90, 120), 60).convert("L") for _ in range(2)]
    sheets[0].save(kept, form, **({"save_all": True, "append_images": sheets[1:]} if form in ("PDF", "TIFF") else {}))
    rng, path, refused = Random(form), tmp_path / "damaged", 0
    for _ in range(40):
        content = bytearray(kept.getvalue())
        for _ in range(rng.choice((1, 8, 40))):
            content[rng.randrange(len(content))] = rng.randrange(256)
        path.write_bytes(bytes(content[: rng.randrange(len(content) // 2, len(content))]))
        try:
            problems = [page.problem for page in read(path, by_ocr).pages if page.problem]
        except Unreadable as error:
            problems = [str(error)]
        refused += bool(problems)
        assert all(problem.endswith(".") for problem in problems)
    assert 0 < refused <= 40


@pytest.mark.security
def test_an_inspection_that_fails_counts_as_unsafe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> bool:
        raise RuntimeError("secret words of the document")

    path = saved(one_page(), tmp_path)
    monkeypatch.setattr(pdf, "_can_be_seen", fails)
    page = read(path).pages[0]
    assert page.words == ()
    assert page.problem == "The text of the page could not be compared with what the page shows."


def test_a_page_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page(width=14_400, height=14_400)
    document.new_page().insert_text((60, 60), "The second page is in order and is read")
    found = read(saved(document, tmp_path))
    assert [bool(page.problem) for page in found.pages] == [True, False]
    assert found.pages[1].words[0].text == "The"
    assert found.notes[0].startswith("Page 1 was not read. A page is 200 by 200 inches")
