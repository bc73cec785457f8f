"""Files of law, read record by record: JSON Lines, plain or gzip'd, with every fault named by file, line and field.

Leaves the meaning of a record to `record.py` and the loading to `store.py`. Memory stays bounded by one line.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import IO

from research.corpus.ingest.json_origin import AGREED, check_names
from research.corpus.ingest.origin import Origin
from research.corpus.ingest.record import BadField, Record, record_of

MAX_LINE_BYTES = 2_000_000  # the longest real one (the Dictionary of ITAA97) is 0.3 MB
MAX_FILE_BYTES = 2_000_000_000  # decompressed: a bound on what a small gzip can blow up to
GZIP_MAGIC = b"\x1f\x8b"


# What would break a line of a log, steer a terminal, turn round what stands beside it, or cannot be written as UTF-8.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """`text` on one line, what cannot be printed as its code: a name or a value of a file may hold anything."""
    return _UNPRINTABLE.sub(lambda found: ascii(found.group())[1:-1], text)


class CorpusRejected(Exception):
    """A file that is not loaded, none of it: the message names file, line, field, what was found and is wanted."""

    def __init__(self, path: Path, line: int | None, problem: str) -> None:
        where, problem = printable(f"{path}{f', line {line}' if line else ''}"), printable(problem)
        super().__init__(f"{where}: {problem}. Nothing of this file was loaded.")
        self.path, self.line, self.problem = path, line, problem


@dataclass(slots=True)
class CompilationRecords:
    """Every record of one compilation in one file, in order; `sha256` is over their lines as found.

    origin: what is true of all of them, where the format says more than the records do.
    """

    instrument: str
    dated: date
    records: list[Record] = field(default_factory=list)
    sha256: str = ""
    origin: Origin | None = None


def read_compilations(path: Path) -> list[CompilationRecords]:
    """The compilations that a file holds, whole and checked. Raises CorpusRejected on the first fault."""
    found: dict[tuple[str, date], CompilationRecords] = {}
    digests: dict[tuple[str, date], hashlib._Hash] = {}
    seen: dict[tuple[str, date], int] = {}
    for number, line, record in read_records(path):
        first = seen.setdefault((record.document_id, record.dated), number)
        if first != number:
            raise CorpusRejected(
                path,
                number,
                f"documentId {record.document_id!r} at {record.dated} is already on line {first}; give each once",
            )
        key = (record.instrument, record.dated)
        if key not in found:
            try:
                check_names(record)
            except BadField as error:
                raise CorpusRejected(path, number, str(error)) from error
            found[key], digests[key] = CompilationRecords(*key), hashlib.sha256()
        _same_instrument(path, number, found[key].records[:1], record)
        found[key].records.append(record)
        digests[key].update(line + b"\n")
    if not found:
        raise CorpusRejected(path, None, "the file holds no record; give one JSON object a line")
    for key, compilation in found.items():
        compilation.sha256 = digests[key].hexdigest()
    return list(found.values())


def _same_instrument(path: Path, number: int, first: list[Record], record: Record) -> None:
    """One code is one Act: title, prefix, number, register id and origin must agree all through a compilation."""
    for name in ("document_prefix", "instrument_title", "compilation_number", "register_id", "licence", *AGREED):
        if first and getattr(first[0], name) != getattr(record, name):
            raise CorpusRejected(
                path,
                number,
                f"{name} is {getattr(record, name)!r}, but {getattr(first[0], name)!r} in earlier records of "
                f"{record.instrument} at {record.dated}; one compilation has one",
            )


def read_records(path: Path) -> Iterator[tuple[int, bytes, Record]]:
    """Each record with its line number (from 1) and the line's bytes. Blank lines are passed over."""
    for number, line in _lines(path):
        if not line.strip():
            continue
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            parsed = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_each_once)
        except UnicodeDecodeError as error:
            raise CorpusRejected(path, number, f"byte {error.start + 1} is not UTF-8; give UTF-8 text") from error
        except (ValueError, RecursionError) as error:
            raise CorpusRejected(
                path, number, f"the line is not JSON ({error}); give one JSON object a line"
            ) from error
        try:
            yield number, line, record_of(parsed)
        except BadField as error:
            raise CorpusRejected(path, number, str(error)) from error


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The object; JSON would let the last of two values win in silence."""
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice[:40]!r} stands twice in one object")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON value")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == GZIP_MAGIC
            raw.seek(0)
            stream: IO[bytes] = gzip.GzipFile(fileobj=raw, mode="rb") if packed else raw  # type: ignore[assignment]
            if path.name.endswith(".gz") and not packed:
                raise CorpusRejected(path, None, "the name ends in .gz but the file is not gzip'd; rename or pack it")
            total = 0
            while line := stream.readline(MAX_LINE_BYTES + 1):
                number += 1
                total += len(line)
                if len(line) > MAX_LINE_BYTES or total > MAX_FILE_BYTES:
                    raise CorpusRejected(
                        path,
                        number,
                        f"the line or file is too long; at most {MAX_LINE_BYTES:,} bytes a line and "
                        f"{MAX_FILE_BYTES:,} a file",
                    )
                yield number, line.rstrip(b"\r\n")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusRejected(
            path, number + 1, f"the gzip data is cut short or damaged ({error}); fetch or pack the file again"
        ) from error
    except OSError as error:
        raise CorpusRejected(path, None, f"the file cannot be read ({error.strerror or error})") from error
