"""The folder in which fetched EPUBs are kept: `<sha256>.epub`, and beside it `<sha256>.json` that says what it is.

Leaves judging files to `files.py`. A file appears under its name whole or not at all; what is on its way lies in
`.partial`, where nothing reads it as an answer. One fetch at a time writes to a folder.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from research.corpus.ingest.fetch.answers import VersionRow
from research.corpus.ingest.origin import Fetched


class ShelfInUse(Exception):
    """Another fetch is writing to the folder."""


class SameBytes(Exception):
    """The very bytes are kept as another compilation: the Register answered the one with the other's file."""


class Shelf:
    """Fetched files by what they are. folder: made when first written to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def partials(self) -> Path:
        """Where answers arrive."""
        return self.folder / ".partial"

    def path_of(self, fetched: Fetched) -> Path:
        return self.folder / f"{fetched.sha256}.epub"

    def everything(self) -> Iterator[Fetched]:
        """All that is kept, in no order; a file that says nothing of an EPUB is passed over."""
        for path in sorted(self.folder.glob("*.json")):
            fetched = _read(path)
            if fetched is not None and path.stem == fetched.sha256 and self.path_of(fetched).is_file():
                yield fetched

    def held(self, version: VersionRow, rectification: int) -> Fetched | None:
        """The file of this text if it is kept and its bytes are still those that were fetched."""
        for fetched in self.everything():
            if _key(fetched) == _key_of(version, rectification) and _sha256(self.path_of(fetched)) == fetched.sha256:
                return fetched
        return None

    def keep(self, epub: Path, fetched: Fetched) -> Fetched:
        """Moves a checked EPUB in, under the digest of its bytes, which the value returned carries.

        Raises SameBytes, and leaves both as they are, if another compilation is kept under that digest.
        """
        fetched = replace(fetched, sha256=_sha256(epub), size_bytes=epub.stat().st_size)
        there = _read(self._side(fetched))
        if there is not None and (there.title_id, there.register_id) != (fetched.title_id, fetched.register_id):
            raise SameBytes(
                f"the file answered for {fetched.register_id} of {fetched.title_id} is, byte for byte, "
                f"that of {there.register_id} of {there.title_id}"
            )
        os.replace(epub, self.path_of(fetched))
        self.describe(fetched)
        return fetched

    def describe(self, fetched: Fetched) -> None:
        """Writes what is known of a kept file, whole or not at all."""
        beside = self.partials / f"{fetched.sha256}.describing"
        self.partials.mkdir(parents=True, exist_ok=True)
        beside.write_text(fetched.as_json(), encoding="utf-8")
        os.replace(beside, self._side(fetched))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keeps other fetches out of the folder meanwhile. Raises ShelfInUse if one is at work there."""
        self.partials.mkdir(parents=True, exist_ok=True)
        with (self.partials / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise ShelfInUse(f"another fetch is writing to {self.folder}; wait for it to end") from error
            yield

    def _side(self, fetched: Fetched) -> Path:
        return self.folder / f"{fetched.sha256}.json"


def _key(fetched: Fetched) -> tuple[object, ...]:
    retrospective_start = fetched.retrospective_start or fetched.starts
    return (fetched.title_id, fetched.register_id, fetched.starts, retrospective_start, fetched.rectification)


def _key_of(version: VersionRow, rectification: int) -> tuple[object, ...]:
    return (version.title_id, version.register_id, *version.key, rectification)


def _read(path: Path) -> Fetched | None:
    try:
        return Fetched.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
