"""What may arrive when an EPUB is asked for, and what is let in: whole, the right one, and bounded."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from asat_site.testing.epubs import Volume, epub
from asat_site.testing.register_catalogue import SHELL, small_epub
from research.corpus.ingest.fetch import files
from research.corpus.ingest.fetch.files import Shape, Wanted, WrongFile, check_epub, epub_in, shape_of
from research.corpus.ingest.fetch.partial import Partial
from research.corpus.ingest.fetch.transport import Arrived

EPUB = small_epub("Dues are payable on arrival.")
WANTED = Wanted("C1999A00123", "C2019C00200", len(EPUB))


def arrived(folder: Path, body: bytes, name: str = "C2019C00200.epub") -> Arrived:
    partial = Partial(folder / ".partial", "http://127.0.0.1/file")
    partial.start("")
    partial.append([body])
    return Arrived(partial, name)


def envelope(plain: bytes = EPUB, **changed: Any) -> bytes:
    whole = {
        "titleId": "C1999A00123",
        "registerId": "C2019C00200",
        "fileName": "C2019C00200.epub",
        "sizeInBytes": len(plain),
        "bytes": base64.b64encode(plain).decode(),
    }
    return json.dumps({name: value for name, value in (whole | changed).items() if value is not ...}).encode()


def zip_of(**members: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in members.items():
            file.writestr(name.replace("__", "/").replace("_X", "."), text)
    return packed.getvalue()


def encrypted() -> bytes:
    """The EPUB with the flag set that says its members are encrypted."""
    plain = bytearray(EPUB)
    at = 0
    while (at := plain.find(b"PK\x01\x02", at)) >= 0:
        plain[at + 8] |= 1
        at += 4
    return bytes(plain)


def stored() -> bytes:
    """An EPUB whose text lies in it uncompressed, so that a changed word breaks its checksum and nothing else."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("mimetype", "application/epub+zip")
        file.writestr("OEBPS/a.html", "<p>Dues are payable on arrival.</p>")
    return packed.getvalue()


STORED = stored()


@pytest.mark.parametrize(
    ("head", "shape"),
    [
        (b"PK\x03\x04rest", Shape.ZIP),
        (b"PK\x05\x06", Shape.OTHER),  # a zip of nothing
        (b"%PDF-1.5", Shape.PDF),
        (b'{"bytes":', Shape.ENVELOPE),
        (b'\xef\xbb\xbf  {"a":1}', Shape.ENVELOPE),
        (b"<!doctype html>", Shape.PAGE),
        (b"\r\n<html>", Shape.PAGE),
        (b"", Shape.EMPTY),
        (b"\xd0\xcf\x11\xe0", Shape.OTHER),  # an old Word file
    ],
)
def test_the_first_bytes_tell_what_an_answer_is(head: bytes, shape: Shape) -> None:
    assert shape_of(head) is shape


@pytest.mark.parametrize(
    "body",
    [
        EPUB,
        envelope(),
        envelope(sizeInBytes=...),
        envelope(registerId=None),
        json.dumps({"Bytes": base64.b64encode(EPUB).decode(), "SizeInBytes": len(EPUB)}).encode(),
    ],
)
def test_bare_bytes_and_an_envelope_give_the_same_file(tmp_path: Path, body: bytes) -> None:
    found = epub_in(arrived(tmp_path, body), WANTED)
    assert found.read_bytes() == EPUB
    assert list(found.parent.iterdir()) == [found]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "it answered nothing"),
        (SHELL, "it answered a page, not a file, where the EPUB of C2019C00200 was wanted"),
        (b"%PDF-1.7 ...", "it answered a PDF"),
        (b"\xd0\xcf\x11\xe0", "no kind of file known"),
        (EPUB[:-40], "cut short or damaged"),
        (EPUB[: len(EPUB) // 2], "cut short or damaged"),
        (EPUB.replace(b"epub+zip", b"epub+zap", 1), "damaged"),  # its checksum no longer holds
        (STORED.replace(b"on arrival", b"on Tuesday", 1), "the zip file is damaged at 'OEBPS/a.html'"),
        (encrypted(), "asks for a password"),
        (
            zip_of(**{"[Content_Types]_Xxml": "", "word__document_Xxml": "<w/>"}),
            "a Word file, where an EPUB was wanted",
        ),
        (zip_of(readme_Xtxt="hello"), "some other zip file"),
        (zip_of(**{"META-INF__container_Xxml": "<c/>"}), "has no text in it"),
        (envelope(sizeInBytes=len(EPUB) + 1), f"holds {len(EPUB):,} bytes and says {len(EPUB) + 1:,}"),
        (envelope(bytes=...), "a description of the file, without the file"),
        (envelope(bytes=""), "a description of the file, without the file"),
        (envelope(bytes="UEsDB\nBQ="), "is not base64"),
        (envelope(bytes="UEsD*BBQ"), "is not base64"),
        (envelope()[:-30], "the envelope is not whole JSON"),
        (envelope(titleId="C2004A00001"), "a file of C2004A00001, where C1999A00123 was wanted"),
        (envelope(registerId="C2015C00001"), "the file of C2015C00001, where C2019C00200 was wanted"),
        (envelope(registerId=None, fileName="C2015C00001VOL01.epub"), "the file of C2015C00001"),
        (envelope(registerId=4), "registerId of the envelope is 4"),
        (envelope(b"%PDF-1.7"), "the envelope holds a PDF"),
        (envelope(SHELL), "the envelope holds a page"),
    ],
)
def test_anything_else_is_refused_and_nothing_of_it_is_left(tmp_path: Path, body: bytes, said: str) -> None:
    with pytest.raises(WrongFile) as raised:
        epub_in(arrived(tmp_path, body), WANTED)
    assert said in str(raised.value)
    assert list((tmp_path / ".partial").iterdir()) == []


def test_bare_bytes_are_known_by_name_or_else_by_their_listed_size(tmp_path: Path) -> None:
    other = Wanted("C1999A00123", "C2019C00200", len(EPUB) + 1)
    assert epub_in(arrived(tmp_path, EPUB, "C2019C00200.epub"), other).read_bytes() == EPUB
    assert epub_in(arrived(tmp_path, EPUB, ""), WANTED).read_bytes() == EPUB
    with pytest.raises(WrongFile, match="without a name and of"):
        epub_in(arrived(tmp_path, EPUB, ""), other)
    with pytest.raises(WrongFile, match="the file of C2015C00001, where C2019C00200 was wanted"):
        epub_in(arrived(tmp_path, EPUB, "C2015C00001.epub"), WANTED)


def test_an_envelope_beyond_its_bound_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_ENVELOPE_BYTES", 100)
    with pytest.raises(WrongFile, match="larger than 100 bytes"):
        epub_in(arrived(tmp_path, envelope()), WANTED)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    """Two members that say they are 4 GB each: reading one of them through would fail, or take for ever."""
    plain = bytearray(EPUB)
    at = 0
    while (at := plain.find(b"PK\x01\x02", at)) >= 0:
        plain[at + 24 : at + 28] = struct.pack("<I", 4_000_000_000)
        at += 4
    path = tmp_path / "bomb.epub"
    path.write_bytes(plain)
    with pytest.raises(WrongFile, match=r"would unpack to 3 members of 12,000,000,000 bytes"):
        check_epub(path)


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_MEMBERS", 2)
    path = tmp_path / "many.epub"
    path.write_bytes(EPUB)
    with pytest.raises(WrongFile, match="3 members"):
        check_epub(path)


def test_an_epub_as_the_register_makes_them_is_let_in(tmp_path: Path) -> None:
    volumes = [Volume(body=["<p>Dues are payable on arrival.</p>"]), Volume()]
    path = tmp_path / "whole.epub"
    path.write_bytes(
        epub(
            title="Harbour Dues and Ferries Act 1999",
            number=123,
            year=1999,
            compilation="12",
            dated=date(2019, 7, 1),
            volumes=volumes,
        )
    )
    check_epub(path)
