"""Files that are refused, each by name and whole, and volumes in their order."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from asat_site.testing import epubs as e
from research.corpus.ingest.epub import container
from research.corpus.ingest.epub.read import read_epub
from research.corpus.ingest.read import CorpusRejected
from research.corpus.tests.unit.epub.reading import packed, read_bytes

pytestmark = pytest.mark.unit

BODY = e.section("1", "Name", [e.subsection("", "This Act is about harbours and ferries.")])
DOCUMENT = "OEBPS/document_1/document_1.html"


def _members(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _refused(tmp_path: Path, content: bytes, name: str = "harbour.epub") -> str:
    with pytest.raises(CorpusRejected) as refused:
        read_bytes(tmp_path, content, name)
    assert refused.value.path == tmp_path / name
    return refused.value.problem


def _act(**more: object) -> bytes:
    return packed(e.Volume(body=BODY), **more)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b"%PDF-1.7 ...", "the file is a PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a Word document of the old kind"),
        (b'{"bytes": "UEsD"}', "the Register's envelope"),
        (b"<!DOCTYPE html><html><frl-root></frl-root></html>", "a web page"),
        (b"\xef\xbb\xbf  <html></html>", "a web page"),
        (b"\x1f\x8b\x08\x00", "gzip'd"),
        (b"plain words", "no zip"),
        (b"PK\x03\x04 and no more", "cut short"),
    ],
)
def test_a_file_of_another_type_is_refused_by_name(tmp_path: Path, content: bytes, problem: str) -> None:
    assert problem in _refused(tmp_path, content)


def test_case_44_an_envelope_is_refused_where_an_epub_is_expected(tmp_path: Path) -> None:
    assert "envelope" in _refused(tmp_path, b'{"registerId": "C2024C00001", "bytes": "UEsDBBQ="}')


def test_a_word_document_is_refused_by_name(tmp_path: Path) -> None:
    assert ".docx" in _refused(tmp_path, e.packed({"word/document.xml": b"<w/>"}))


def test_another_kind_of_zip_is_refused_by_its_type(tmp_path: Path) -> None:
    kind = b"application/vnd.oasis.opendocument.text"
    assert "opendocument" in _refused(tmp_path, e.packed({"mimetype": kind, "content.xml": b"<x/>"}))


def test_a_zip_without_a_volume_is_refused(tmp_path: Path) -> None:
    assert "holds no volume" in _refused(tmp_path, e.packed({"notes.txt": b"x"}))


def test_a_file_over_the_limit_is_refused_by_its_size_unopened(tmp_path: Path) -> None:
    path = tmp_path / "large.epub"
    with path.open("wb") as stream:
        stream.truncate(container.MAX_FILE_BYTES + 1)
    with pytest.raises(CorpusRejected, match="500,000,001 bytes; at most 500,000,000"):
        read_epub(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusRejected, match="cannot be read"):
        read_epub(tmp_path / "nowhere.epub")


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_a_truncated_zip_is_refused(tmp_path: Path, share: float) -> None:
    whole = _act()
    assert "fetch the file again" in _refused(tmp_path, whole[: int(len(whole) * share)])


def test_a_damaged_member_is_refused_by_its_check_sum(tmp_path: Path) -> None:
    members = _members(_act())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    damaged = buffer.getvalue().replace(b"about harbours", b"about herbours")
    assert "damaged" in _refused(tmp_path, damaged)


def test_a_member_under_a_password_is_refused(tmp_path: Path) -> None:
    content = bytearray(_act())
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = 0
        while (start := content.find(signature, start)) >= 0:
            content[start + at] |= 1
            start += 4
    assert "protected by a password" in _refused(tmp_path, bytes(content))


def test_a_protected_epub_is_refused(tmp_path: Path) -> None:
    assert "encrypted" in _refused(tmp_path, _act(more={"META-INF/encryption.xml": b"<encryption/>"}))


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    bomb = b"<html><body>" + b" " * 20_000_000 + b"</body></html>"
    assert "which no compilation does" in _refused(tmp_path, _act(more={DOCUMENT: bomb}))


def test_a_member_that_unpacks_to_more_than_it_says_is_refused(tmp_path: Path) -> None:
    content = bytearray(_act())
    at = content.rfind(b"PK\x01\x02", 0, content.find(b"OEBPS/document_1", content.find(b"PK\x01\x02")))
    (size,) = struct.unpack("<I", content[at + 24 : at + 28])
    content[at + 24 : at + 28] = struct.pack("<I", size - 100)
    assert "fetch the file again" in _refused(tmp_path, bytes(content))


def test_volumes_too_large_together_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MAX_TOTAL_BYTES", 1_000)
    assert "its volumes have" in _refused(tmp_path, _act())


def test_thousands_of_members_are_refused(tmp_path: Path) -> None:
    many = {f"images/{n}.png": b"" for n in range(container.MAX_MEMBERS + 1)}
    assert "members" in _refused(tmp_path, _act(more=many))


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO(_act())
    with zipfile.ZipFile(buffer, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(DOCUMENT, b"<html/>")
    assert "two members named" in _refused(tmp_path, buffer.getvalue())


def test_paths_that_lead_out_of_the_zip_lead_nowhere(tmp_path: Path) -> None:
    outside = tmp_path / "outside.html"
    found = read_bytes(tmp_path, _act(more={"../outside.html": b"x", "/etc/passwd": b"y", "..\\z": b"z"}))
    assert len(found.provisions) == 1
    assert not outside.exists()


def test_an_unknown_packing_is_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_BZIP2) as archive:
        for name, content in _members(_act()).items():
            archive.writestr(name, content)
    assert "packed by method 12" in _refused(tmp_path, buffer.getvalue())


# -- volumes


def _numbered(count: int) -> list[e.Volume]:
    return [
        e.Volume(body=e.section(str(n), "Name", [e.subsection("", f"Volume {n} of law.")])) for n in range(1, count + 1)
    ]


@pytest.mark.parametrize("has_spine", [True, False])
def test_case_14_volume_ten_comes_after_volume_two(tmp_path: Path, has_spine: bool) -> None:
    found = read_bytes(tmp_path, packed(*_numbered(11), has_spine=has_spine))
    assert [provision.section for provision in found.provisions] == [str(n) for n in range(1, 12)]


def test_case_15_one_volume_of_several_is_refused(tmp_path: Path) -> None:
    members = _members(packed(*_numbered(7)))
    first = {name: content for name, content in members.items() if "document_" not in name or name == DOCUMENT}
    first.pop("OEBPS/document.opf")
    assert "in 7 volumes, but the file holds 1" in _refused(tmp_path, e.packed(first))


def test_a_volume_that_the_spine_names_and_the_zip_lacks_is_refused(tmp_path: Path) -> None:
    members = _members(packed(*_numbered(3)))
    del members["OEBPS/document_2/document_2.html"]
    assert "lists 'OEBPS/document_2/document_2.html'" in _refused(tmp_path, e.packed(members))


def test_a_gap_among_the_volumes_is_refused_without_a_spine_too(tmp_path: Path) -> None:
    members = _members(packed(*_numbered(3), has_spine=False))
    del members["OEBPS/document_2/document_2.html"]
    assert "document_2 is missing" in _refused(tmp_path, e.packed(members))


def test_a_volume_that_the_spine_leaves_out_is_read_and_said(tmp_path: Path) -> None:
    members = _members(packed(*_numbered(3)))
    opf = members["OEBPS/document.opf"].replace(b'<itemref idref="d2"/>', b"")
    found = read_bytes(tmp_path, e.packed({**members, "OEBPS/document.opf": opf}))
    assert [provision.section for provision in found.provisions] == ["1", "2", "3"]
    assert "the spine leaves out" in found.warnings[0]


def test_an_epub_without_container_and_opf_is_read_by_number(tmp_path: Path) -> None:
    members = {name: c for name, c in _members(packed(*_numbered(2))).items() if "document_" in name}
    assert len(read_bytes(tmp_path, e.packed(members)).provisions) == 2


def test_an_opf_that_is_no_xml_is_refused(tmp_path: Path) -> None:
    assert "is not XML" in _refused(tmp_path, _act(more={"OEBPS/document.opf": b"<package"}))


def test_an_ncx_that_is_no_xml_is_done_without(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, _act(more={"OEBPS/document.ncx": b"<ncx"})).provisions


def test_the_register_s_empty_page_for_a_volume_is_refused(tmp_path: Path) -> None:
    shell = b"<html><body><frl-root></frl-root></body></html>"
    assert "the Register's empty page" in _refused(tmp_path, _act(more={DOCUMENT: shell}))
