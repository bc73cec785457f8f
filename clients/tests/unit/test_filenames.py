"""Names of files as they came, made safe."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.rules import filenames


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("invoice.pdf", "invoice.pdf"),
        ("/etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("a/b\\c.pdf", "c.pdf"),
        (" March   bill\t.pdf ", "March bill .pdf"),
        ("bill\u202efdp.exe", "billfdp.exe"),
        ("nil\x00\r\nheader: x.pdf", "nil header: x.pdf"),
        ("", "file"),
        ("..", "file"),
        ("folder/", "file"),
        ("Füllung – €.pdf", "Füllung – €.pdf"),
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
        ("x" * 300, "x" * 200),
        ("x" * 190 + "." + "y" * 100, "x" * 190 + "." + "y" * 9),
        ("half\ud800.pdf", "half.pdf"),
    ],
)
def test_a_name_is_kept_without_what_harms(name: str, wanted: str) -> None:
    assert filenames.cleaned(name) == wanted


@given(st.text(max_size=400))
def test_a_kept_name_is_short_and_plain_and_stays_as_it_is(name: str) -> None:
    kept = filenames.cleaned(name)
    assert 0 < len(kept) <= 200
    assert "/" not in kept and "\\" not in kept and kept == kept.strip()
    assert all(each == " " or not each.isspace() for each in kept)
    assert filenames.cleaned(kept) == kept


@pytest.mark.parametrize(
    ("name", "media_type", "wanted"),
    [
        ("a.PDF", "application/pdf", "a.PDF"),
        ("a.html", "application/pdf", "a.html.pdf"),
        ("photo.jpeg", "image/jpeg", "photo.jpeg"),
        ("photo", "image/heic", "photo.heic"),
        ("page.tif", "image/tiff", "page.tif"),
        ("page.tif", "image/png", "page.tif.png"),
    ],
)
def test_a_download_ends_as_what_it_is(name: str, media_type: str, wanted: str) -> None:
    assert filenames.given_back(name, media_type) == wanted
