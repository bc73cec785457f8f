"""What arrived when an EPUB was asked for: the file itself, an envelope around it, or something else that is refused.

Leaves asking to `client.py` and keeping to `shelf.py`. The Register answers 200 with a page of its site, a PDF or a
description as readily as with the file, and which of its two shapes the file comes in cannot be chosen; so the first
bytes decide, and nothing is kept before its every byte is accounted for.
"""

from __future__ import annotations

import base64
import binascii
import json
import zipfile
import zlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from research.corpus.ingest.fetch.answers import REGISTER_ID, Fields, RegisterUnclear
from research.corpus.ingest.fetch.transport import Arrived

MAX_ENVELOPE_BYTES = 64_000_000  # it is held in memory, about three times over; the file in it is a quarter smaller
MAX_UNPACKED_BYTES = 1_000_000_000
MAX_MEMBERS = 20_000
EPUB_MIME = b"application/epub+zip"


class WrongFile(Exception):
    """What arrived is not the file that was asked for; the message says what it is and what was wanted."""


class Shape(StrEnum):
    """What an answer is by its first bytes. Each value ends the sentence "it answered …"."""

    ENVELOPE = "a JSON envelope"
    ZIP = "a zip file"
    PDF = "a PDF"
    PAGE = "a page, not a file"
    EMPTY = "nothing"
    OTHER = "something that is no kind of file known"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The file that was asked for. size_bytes: as the Register lists it, None if it does not say."""

    title_id: str
    register_id: str
    size_bytes: int | None = None


def shape_of(head: bytes) -> Shape:
    """The shape of an answer that begins with these bytes."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"PK\x03\x04"):
        return Shape.ZIP
    if text.startswith(b"%PDF"):
        return Shape.PDF
    if text.startswith(b"{"):
        return Shape.ENVELOPE
    if text.startswith(b"<"):
        return Shape.PAGE
    return Shape.OTHER if text else Shape.EMPTY


def epub_in(arrived: Arrived, wanted: Wanted) -> Path:
    """A checked EPUB, in the folder in which the answer arrived; the answer itself is gone either way.

    Raises WrongFile, and then nothing is left.
    """
    received = arrived.partial.path
    unwrapped = received.with_suffix(".epub")
    try:
        with received.open("rb") as file:
            shape = shape_of(file.read(512))
        if shape is Shape.ENVELOPE:
            unwrapped.write_bytes(_taken_out(received, wanted))
        elif shape is Shape.ZIP:
            _is_the_one(_register_id_in(arrived.file_name), received.stat().st_size, wanted)
            received.replace(unwrapped)
        else:
            raise WrongFile(f"it answered {shape}, where the EPUB of {wanted.register_id} was wanted")
        check_epub(unwrapped)
    except WrongFile:
        unwrapped.unlink(missing_ok=True)
        raise
    finally:
        arrived.partial.discard()
    return unwrapped


def check_epub(path: Path) -> None:
    """Raises WrongFile unless the file is a whole, unencrypted zip of bounded size that looks like an EPUB.

    Reads every member through (CRC). 1 GB unpacked is refused before anything is unpacked.
    """
    try:
        with zipfile.ZipFile(path) as packed:
            members = packed.infolist()
            _bounded(members)
            damaged = packed.testzip()
            if damaged is not None:
                raise WrongFile(f"the zip file is damaged at {damaged[:80]!r}")
            names = [member.filename for member in members]
            mime = b""
            if "mimetype" in names:
                with packed.open("mimetype") as file:
                    mime = file.read(64).strip()
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise WrongFile(f"the zip file is cut short or damaged ({error})") from error
    if mime != EPUB_MIME and "META-INF/container.xml" not in names:
        kind = "a Word file" if "[Content_Types].xml" in names else "some other zip file"
        raise WrongFile(f"it answered {kind}, where an EPUB was wanted")
    if not any(name.lower().endswith((".html", ".xhtml", ".htm")) for name in names):
        raise WrongFile("the EPUB has no text in it")


def _bounded(members: list[zipfile.ZipInfo]) -> None:
    unpacked = sum(member.file_size for member in members)
    if len(members) > MAX_MEMBERS or unpacked > MAX_UNPACKED_BYTES:
        raise WrongFile(
            f"the zip file would unpack to {len(members):,} members of {unpacked:,} bytes; "
            f"at most {MAX_MEMBERS:,} of {MAX_UNPACKED_BYTES:,} are taken"
        )
    if any(member.flag_bits & 1 for member in members):
        raise WrongFile("the zip file asks for a password")


def _taken_out(path: Path, wanted: Wanted) -> bytes:
    """The file inside an envelope, once all that the envelope says of it holds."""
    if path.stat().st_size > MAX_ENVELOPE_BYTES:
        raise WrongFile(f"the envelope is larger than {MAX_ENVELOPE_BYTES:,} bytes, the most that is taken")
    try:
        envelope = Fields.of(json.loads(path.read_bytes()), "the envelope")
        packed = envelope.get("bytes")
        if not isinstance(packed, str) or not packed:
            raise WrongFile("it answered a description of the file, without the file")
        size, title_id = envelope.count("sizeInBytes"), envelope.text_or_empty("titleId")
        register_id = envelope.text_or_empty("registerId") or _register_id_in(envelope.text_or_empty("fileName"))
    except (ValueError, RecursionError) as error:
        raise WrongFile("the envelope is not whole JSON") from error
    except RegisterUnclear as error:
        raise WrongFile(str(error)) from error
    try:
        plain = base64.b64decode(packed, validate=True)
    except (binascii.Error, ValueError) as error:
        raise WrongFile("what the envelope holds is not base64") from error
    if size is not None and size != len(plain):
        raise WrongFile(f"the envelope holds {len(plain):,} bytes and says {size:,}")
    if title_id and title_id != wanted.title_id:
        raise WrongFile(f"it answered a file of {title_id}, where {wanted.title_id} was wanted")
    _is_the_one(register_id, len(plain), wanted)
    if shape_of(plain[:512]) is not Shape.ZIP:
        raise WrongFile(f"the envelope holds {shape_of(plain[:512])}, where an EPUB was wanted")
    return plain


def _is_the_one(register_id: str, size_bytes: int, wanted: Wanted) -> None:
    """Raises WrongFile if the answer is known to be another compilation's.

    Bare bytes name nothing. Then the listed size must be theirs: the address alone once brought another text.
    """
    if register_id and register_id != wanted.register_id:
        raise WrongFile(f"it answered the file of {register_id}, where {wanted.register_id} was wanted")
    if not register_id and wanted.size_bytes is not None and wanted.size_bytes != size_bytes:
        raise WrongFile(
            f"it answered a file without a name and of {size_bytes:,} bytes, "
            f"where {wanted.register_id} is listed with {wanted.size_bytes:,}"
        )


def _register_id_in(file_name: str) -> str:
    """The register id that a file's name begins with ("C2024C00545VOL01.epub"), "" if it names none."""
    found = REGISTER_ID.match(file_name)
    return found[0] if found else ""
