"""The zip that an EPUB is: opened with every size bounded, its volumes found in order and handed out one at a time.

Leaves what is in a volume to `paragraphs.py`. Nothing is unpacked to disk, so paths of members cannot lead anywhere.
"""

from __future__ import annotations

import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from research.corpus.ingest.epub.markup import Unreadable, decoded, parsed_xml, tag_of
from research.corpus.ingest.read import CorpusRejected

MAX_FILE_BYTES = 500_000_000
MAX_MEMBERS = 5_000  # the largest Act has about 1,500, nearly all images of formulas
MAX_DIRECTORY_BYTES = 2_000_000  # of the zip's list of members, which is read whole
MAX_VOLUME_BYTES = 25_000_000  # the largest real one is about 5 MB
MAX_TOTAL_BYTES = 200_000_000  # of all volumes; images are never unpacked
MAX_RATIO = 150  # unpacked to packed; mark-up of this kind reaches 30
RATIO_MATTERS_FROM_BYTES = 1_000_000

_DOCUMENT = re.compile(r"(?:^|/)document_(\d+)\.x?html?$")
_PAGE = re.compile(r"\.x?html?$", re.IGNORECASE)
_END_OF_DIRECTORY = b"PK\x05\x06"
_OTHER_TYPES = (
    (b"%PDF", "a PDF"),
    (b"\xd0\xcf\x11\xe0", "a Word document of the old kind (.doc)"),
    (b"{", "JSON, perhaps the Register's envelope with the file inside in base64"),
    (b"<", "a web page: the Register answers so when it has no such file"),
    (b"\x1f\x8b", "gzip'd"),
)


@dataclass(frozen=True, slots=True)
class Label:
    """A point of the NCX. document: the volume it points into; ancestors: the labels that it stands under."""

    text: str
    document: str
    anchor: str
    ancestors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Package:
    """An open EPUB. documents: names of the volumes in order; identity: title and identifiers that the OPF gives."""

    path: Path
    archive: zipfile.ZipFile
    documents: tuple[str, ...]
    labels: tuple[Label, ...]
    identity: tuple[str, ...]
    styles: tuple[str, ...]  # the text of its style sheets
    warnings: tuple[str, ...]

    def volumes(self) -> Iterator[tuple[str, bytes]]:
        """Name and bytes of each volume, read when it is asked for."""
        for name in self.documents:
            yield name, _read(self.path, self.archive, name, MAX_VOLUME_BYTES)


@contextmanager
def opened(path: Path) -> Iterator[Package]:
    """The EPUB at `path`. Raises CorpusRejected, also from within the block where a member turns out to be damaged."""
    _check_type(path)
    try:
        with zipfile.ZipFile(path) as archive:
            yield _package(path, archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, UnicodeDecodeError) as error:
        raise CorpusRejected(path, None, f"the zip is damaged ({error}); fetch the file again") from error
    except NotImplementedError as error:
        raise CorpusRejected(path, None, f"the zip cannot be unpacked ({error}); fetch the file again") from error
    except OSError as error:
        raise CorpusRejected(path, None, f"the file cannot be read ({error.strerror or error})") from error


def _check_type(path: Path) -> None:
    """Refuses by size and by the first and last bytes, before anything is unpacked."""
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise CorpusRejected(path, None, f"the file has {size:,} bytes; at most {MAX_FILE_BYTES:,} are read")
        with path.open("rb") as stream:
            first = stream.read(8)
            stream.seek(max(0, size - 65_557))  # the longest that the end of the list can be
            last = stream.read()
    except OSError as error:
        raise CorpusRejected(path, None, f"the file cannot be read ({error.strerror or error})") from error
    if not first:
        raise CorpusRejected(path, None, "the file is empty; fetch it again")
    if not first.startswith(b"PK"):
        bare = first.removeprefix(b"\xef\xbb\xbf").lstrip()
        found = next((name for magic, name in _OTHER_TYPES if bare.startswith(magic)), "no zip")
        raise CorpusRejected(path, None, f"the file is {found}; give the EPUB of a compilation")
    at = last.rfind(_END_OF_DIRECTORY)
    if at < 0 or len(last) < at + 22:
        raise CorpusRejected(path, None, "the zip is cut short: its list of members is missing; fetch the file again")
    members, directory = struct.unpack("<10xHI", last[at : at + 16])
    if members > MAX_MEMBERS or directory > MAX_DIRECTORY_BYTES:
        raise CorpusRejected(
            path, None, f"the zip lists {members:,} members in {directory:,} bytes; at most {MAX_MEMBERS:,} are read"
        )


def _package(path: Path, archive: zipfile.ZipFile) -> Package:
    infos = archive.infolist()
    names = [info.filename for info in infos]
    _check_members(path, infos)
    if "word/document.xml" in names:
        raise CorpusRejected(path, None, "the file is a Word document (.docx); give the EPUB of the compilation")
    if "META-INF/encryption.xml" in names:
        raise CorpusRejected(path, None, "the EPUB says that parts of it are encrypted; give one without protection")
    if "mimetype" in names:
        kind = _read(path, archive, "mimetype", 200).decode("ascii", "replace").strip()
        if kind != "application/epub+zip":
            raise CorpusRejected(path, None, f"the zip calls itself {kind[:60]!r}; give application/epub+zip")
    opf_name = _opf_name(path, archive, names)
    opf = _xml(path, archive, opf_name) if opf_name else None
    documents, warnings = _documents(path, names, opf_name, opf)
    total = sum(archive.getinfo(name).file_size for name in documents)
    if total > MAX_TOTAL_BYTES:
        raise CorpusRejected(path, None, f"its volumes have {total:,} bytes; at most {MAX_TOTAL_BYTES:,} are read")
    styles = [name for name in names if name.endswith(".css")][:20]
    return Package(
        path,
        archive,
        tuple(documents),
        tuple(_labels(path, archive, names)),
        tuple(_texts(opf, ("title", "identifier"))) if opf is not None else (),
        tuple(_read(path, archive, name, 2_000_000).decode("utf-8", "replace") for name in styles),
        tuple(warnings),
    )


def _check_members(path: Path, infos: list[zipfile.ZipInfo]) -> None:
    if len(infos) > MAX_MEMBERS:
        raise CorpusRejected(path, None, f"the zip has {len(infos):,} members; at most {MAX_MEMBERS:,} are read")
    seen: set[str] = set()
    for info in infos:
        if info.flag_bits & 0x1:
            raise CorpusRejected(path, None, f"{info.filename!r} is protected by a password; give a file without one")
        if info.filename in seen:
            raise CorpusRejected(path, None, f"the zip has two members named {info.filename!r}; fetch the file again")
        seen.add(info.filename)


def _read(path: Path, archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """The member, its check sum proved. Raises CorpusRejected if it is, or unpacks to be, larger than it may."""
    info = archive.getinfo(name)
    ratio = info.file_size / max(info.compress_size, 1)
    if info.file_size > most or (ratio > MAX_RATIO and info.file_size > RATIO_MATTERS_FROM_BYTES):
        raise CorpusRejected(
            path,
            None,
            f"{name!r} unpacks from {info.compress_size:,} to {info.file_size:,} bytes, which no compilation does; "
            f"at most {most:,} bytes and {MAX_RATIO} times are read",
        )
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise CorpusRejected(path, None, f"{name!r} is packed by method {info.compress_type}; an EPUB is deflated")
    with archive.open(info) as stream:
        content = stream.read(most + 1)
    if len(content) != info.file_size:
        raise CorpusRejected(path, None, f"{name!r} has another size than the zip says; fetch the file again")
    return content


def _xml(path: Path, archive: zipfile.ZipFile, name: str) -> etree._Element:
    try:
        return parsed_xml(decoded(_read(path, archive, name, MAX_VOLUME_BYTES))[0])
    except (etree.XMLSyntaxError, Unreadable) as error:
        raise CorpusRejected(path, None, f"{name!r} is not XML ({error}); fetch the file again") from error


def _opf_name(path: Path, archive: zipfile.ZipFile, names: list[str]) -> str:
    if "META-INF/container.xml" in names:
        for element in _xml(path, archive, "META-INF/container.xml").iter():
            name = element.get("full-path") or ""
            if tag_of(element) == "rootfile" and name in names:
                return name
    return next((name for name in names if name.endswith(".opf")), "")


def _texts(root: etree._Element, tags: tuple[str, ...]) -> Iterator[str]:
    for element in root.iter():
        if tag_of(element) in tags and element.text and element.text.strip():
            yield element.text.strip()


def _documents(path: Path, names: list[str], opf_name: str, opf: etree._Element | None) -> tuple[list[str], list[str]]:
    """The volumes in order, and what is odd about them: by the spine, else document_N by N as a number."""
    by_number = sorted((int(found.group(1)), name) for name in names if (found := _DOCUMENT.search(name)))
    numbered = [name for _, name in by_number]
    spine = _spine(opf, posixpath.dirname(opf_name)) if opf is not None else []
    lost = [name for name in spine if name not in names]
    if lost:
        raise CorpusRejected(
            path, None, f"the file lists {lost[0]!r} as a volume but does not hold it; fetch the file again"
        )
    numbers = [number for number, _ in by_number]
    gaps = sorted(set(range(1, max(numbers, default=0) + 1)) - set(numbers)) if not spine else []
    if gaps:
        raise CorpusRejected(
            path, None, f"document_{gaps[0]} is missing among document_1 to document_{numbers[-1]}; fetch it again"
        )
    left_out = [name for name in numbered if name not in spine]
    if spine and not left_out:
        return spine, []
    if numbered:
        others = [name for name in spine if name not in numbered]
        warnings = (
            [f"the spine leaves out {name}; the volumes are read by number" for name in left_out] if spine else []
        )
        return others + numbered, warnings
    pages = sorted(name for name in names if _PAGE.search(name))
    if not pages:
        raise CorpusRejected(path, None, "the zip holds no volume (an XHTML document); give the EPUB of a compilation")
    return pages, ["the volumes are named by neither a spine nor numbers; they are read by name"]


def _spine(opf: etree._Element, folder: str) -> list[str]:
    pages, order = {}, []
    for element in opf.iter():
        tag = tag_of(element)
        if tag == "item" and "nav" not in (element.get("properties") or "").split():
            href = unquote((element.get("href") or "").partition("#")[0])
            if _PAGE.search(href) or "html" in (element.get("media-type") or ""):
                pages[(element.get("id") or "")] = posixpath.normpath(posixpath.join(folder, href))
        elif tag == "itemref":
            order.append(element.get("idref") or "")
    return list(dict.fromkeys(pages[each] for each in order if each in pages))


def _labels(path: Path, archive: zipfile.ZipFile, names: list[str]) -> Iterator[Label]:
    """The points of the NCX in their order; none where there is no NCX or it cannot be read: it is an oracle only."""
    name = next((name for name in names if name.endswith(".ncx")), "")
    if not name:
        return
    try:
        root = parsed_xml(decoded(_read(path, archive, name, MAX_VOLUME_BYTES))[0])
    except (etree.XMLSyntaxError, Unreadable):
        return
    folder = posixpath.dirname(name)
    above: dict[etree._Element, tuple[str, ...]] = {}
    for point in root.iter():
        if tag_of(point) != "navPoint":
            continue
        parent = point.getparent()
        ancestors = above.get(parent, ()) if parent is not None else ()
        text, source = "", ""
        for child in point:
            if tag_of(child) == "navLabel":
                text = "".join(str(part) for part in child.itertext()).strip()
            elif tag_of(child) == "content":
                source = child.get("src") or ""
        above[point] = (*ancestors, text)
        document, _, anchor = unquote(source).partition("#")
        yield Label(text, posixpath.normpath(posixpath.join(folder, document)), anchor, ancestors)
