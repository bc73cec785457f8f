"""A file is what it holds, whatever its name says."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from research.corpus.ingest.formats import Format, format_of
from research.corpus.ingest.read import CorpusRejected

EPUB = b"PK\x03\x04" + b"\x00" * 26 + b"mimetypeapplication/epub+zip" + b"\x00" * 10

READ = [
    ("a.jsonl", b'{"schemaVersion": 1}', Format.JSONL),
    ("a.jsonl", b"[1, 2]", Format.JSONL),
    ("a.jsonl", b"", Format.JSONL),
    ("a.jsonl.gz", gzip.compress(b"{}", mtime=0), Format.JSONL),
    ("a.dat", b'\xef\xbb\xbf\n {"schemaVersion": 1}', Format.JSONL),
    ("a.epub", EPUB, Format.EPUB),
    ("a.html", EPUB, Format.EPUB),
    ("a.epub", b"PK\x03\x04" + b"\x00" * 26 + b"OEBPS/document_1", Format.EPUB),
    ("a.html", b"<!DOCTYPE html>\n<html>", Format.RULING),
    ("a.html", b"\xef\xbb\xbf<html lang='en'>", Format.RULING),
    ("a.htm", b"<!-- saved from url=(0099)https://www.ato.gov.au/x --><html>", Format.RULING),
    ("a.html", b"<!-- a comment that goes on and on", Format.RULING),
    ("a.html", b"<?xml version='1.0'?><!DOCTYPE html><html>", Format.RULING),
    ("a.jsonl", b"<html><body>404</body>", Format.RULING),
    ("a.md", b"---\nnumber: KB-1\n", Format.OWN),
    ("a.md", b"\xef\xbb\xbf---\r\nnumber: KB-1\r\n", Format.OWN),
    ("a.txt", b"---\nnumber: KB-1\n", Format.OWN),
]


@pytest.mark.parametrize(("name", "content", "held"), READ)
def test_a_file_that_is_read_is_known_by_its_first_bytes(name: str, content: bytes, held: Format) -> None:
    assert format_of(Path(name), content) is held


REFUSED = [
    ("a.pdf", b"%PDF-1.7", "the file is a PDF; save the page as HTML"),
    ("a.html", b"\n\n%PDF-1.4", "the file is a PDF"),
    ("a.epub", b"%PDF-1.4", "the file is a PDF"),
    ("a.docx", b"PK\x03\x04......[Content_Types].xml", "the file is a Word or other Office document"),
    ("a.md", b"PK\x03\x04......word/document.xml", "the file is a Word or other Office document"),
    ("a.zip", b"PK\x03\x04......notes.txt", "the file is a zip archive and no EPUB; unpack it first"),
    ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office file with a password"),
    ("a.rtf", b"{\\rtf1", "the file is an RTF document"),
    ("a.html", b"\xff\xfe<\x00h\x00", "the file is UTF-16 text; save it as UTF-8"),
    ("a.png", b"\x89PNG\r\n", "the file is an image"),
    ("a.md", b"# Fees\n", "the Markdown has no front matter"),
    ("a.txt", b"Fees are due.", "neither JSON, HTML nor Markdown"),
    ("a.bin", b"\x01\x00\x02", "binary data"),
    ("a.html", b" \n", "the file is empty"),
]


@pytest.mark.parametrize(("name", "content", "problem"), REFUSED)
def test_any_other_file_is_refused_by_what_it_is(name: str, content: bytes, problem: str) -> None:
    with pytest.raises(CorpusRejected, match="Nothing of this file was loaded") as refusal:
        format_of(Path(name), content)
    assert problem in str(refusal.value)


def test_a_page_of_nothing_but_comments_takes_no_time() -> None:
    with pytest.raises(CorpusRejected):
        format_of(Path("a.bin"), b"<!---->" * 500 + b"x")
