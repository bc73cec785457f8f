"""Which reader a file is for, told by its first bytes; its name only breaks ties.

Pure. People rename files, and a browser saves an error page under the name of the document that was asked for: a file
is what it holds. What is neither law nor a document that AsAt reads is refused by what it is.
"""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from research.corpus.ingest.read import GZIP_MAGIC, CorpusRejected

FIRST_BYTES = 4096  # enough to tell any of them
SUFFIXES = (".jsonl", ".jsonl.gz", ".epub", ".html", ".htm", ".md")

_HTML = re.compile(
    rb"(?>(?:<!--(?:(?!-->).)*-->|<\?xml[^>]*>|\s)*)<(?:!doctype\s+html|html|head|body|div|title|meta)\b", re.I | re.S
)
_OPEN_COMMENT = re.compile(rb"\s*<!--")
_FRONT_MATTER = re.compile(rb"---[ \t]*\r?\n")
_WANTED = "give JSON Lines (.jsonl, .jsonl.gz), an EPUB of the Register, an ATO page saved as HTML, or Markdown"


class Format(StrEnum):
    """What a file holds."""

    JSONL = "jsonl"
    EPUB = "epub"
    RULING = "ruling"
    OWN = "own"


# What AsAt does not read, by how it begins: (bytes, what it is, what to give instead).
_OTHERS = (
    (b"%PDF", "a PDF", "save the page as HTML, or take the EPUB of the Register"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an old Word or Excel file, or an Office file with a password",
        "take the password off and save the text as Markdown",
    ),
    (b"{\\rtf", "an RTF document", "save the text as Markdown"),
    (b"\x89PNG", "an image", _WANTED),
    (b"\xff\xd8\xff", "an image", _WANTED),
    (b"GIF8", "an image", _WANTED),
    (b"Rar!", "a RAR archive", "unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it first"),
    (b"BZh", "bzip2 data", "unpack it, or pack it with gzip"),
    (b"\xfd7zXZ", "xz data", "unpack it, or pack it with gzip"),
    (b"\xff\xfe", "UTF-16 text", "save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text", "save it as UTF-8"),
)


def format_of(path: Path, first_bytes: bytes) -> Format:
    """What the file at `path` holds, by its first bytes (FIRST_BYTES of them, or all if it has fewer).

    Raises CorpusRejected for what AsAt does not read, naming what it is and what to give instead.
    """
    name = path.name.lower()
    if first_bytes.startswith(GZIP_MAGIC):
        return Format.JSONL
    if first_bytes.startswith(b"PK"):
        return _zip(path, first_bytes)
    for begins, what, instead in _OTHERS:
        if first_bytes.startswith(begins) or (begins == b"%PDF" and begins in first_bytes[:1024]):
            raise CorpusRejected(path, None, f"the file is {what}; {instead}")
    text = first_bytes.removeprefix(b"\xef\xbb\xbf")
    if _FRONT_MATTER.match(text):
        return Format.OWN
    is_long_comment = _OPEN_COMMENT.match(text) and b"-->" not in text
    if _HTML.match(text) or (is_long_comment and name.endswith((".html", ".htm"))):
        return Format.RULING
    if name.endswith((".jsonl", ".jsonl.gz")) or text.lstrip()[:1] == b"{":
        return Format.JSONL
    raise CorpusRejected(path, None, _unknown(name, text))


def _zip(path: Path, first_bytes: bytes) -> Format:
    if b"application/epub+zip" in first_bytes[:200]:
        return Format.EPUB
    if b"[Content_Types].xml" in first_bytes or b"word/" in first_bytes or b"xl/" in first_bytes:
        raise CorpusRejected(path, None, "the file is a Word or other Office document; save its text as Markdown")
    if path.name.lower().endswith(".epub"):
        return Format.EPUB  # its reader says what is missing in it
    raise CorpusRejected(path, None, "the file is a zip archive and no EPUB; unpack it first")


def _unknown(name: str, text: bytes) -> str:
    if not text.strip():
        return f"the file is empty; {_WANTED}"
    if name.endswith((".md", ".markdown")):
        return "the Markdown has no front matter; begin it with a line ---, then number, title, effective and tenant"
    if b"\x00" in text:
        return f"the file holds binary data that is of no kind known here; {_WANTED}"
    return f"the file is neither JSON, HTML nor Markdown with front matter; {_WANTED}"
