"""A file on its way in: what has arrived so far, and from where, so that a download goes on instead of starting anew.

Leaves asking to `transport.py` and judging what arrived to `files.py`. What is kept belongs to one address and one
state of it (its ETag): it is never taken up for another, which once gave one Act the text of another's compilation.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(slots=True)
class Partial:
    """The bytes received from `address` so far, in a folder of such. etag: "" where the server gave no strong one."""

    folder: Path
    address: str
    etag: str = ""

    def __post_init__(self) -> None:
        with suppress(OSError, ValueError, TypeError, KeyError):  # no note, or not ours: nothing to go on from
            note = json.loads(self._note.read_text())
            if note["address"] == self.address and self.path.is_file():
                self.etag = str(note["etag"])
        if not self.etag:
            self.discard()

    @property
    def path(self) -> Path:
        return self.folder / f"{hashlib.sha256(self.address.encode()).hexdigest()[:32]}.part"

    @property
    def _note(self) -> Path:
        return self.path.with_suffix(".part.json")

    @property
    def received(self) -> int:
        """How many bytes are there to go on from; 0 if it must start anew."""
        return self.path.stat().st_size if self.etag and self.path.is_file() else 0

    def start(self, etag: str) -> None:
        """Forget what is there and begin anew; an empty etag means that it cannot be gone on with."""
        self.discard()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        self.etag = etag
        if etag:
            self._note.write_text(json.dumps({"address": self.address, "etag": etag}))

    def append(self, chunks: Iterable[bytes]) -> None:
        with self.path.open("ab") as file:
            for chunk in chunks:
                file.write(chunk)

    def keep_or_discard(self) -> None:
        """After a failure: what can be gone on with stays, anything else goes."""
        if not self.received:
            self.discard()

    def discard(self) -> None:
        self.etag = ""
        self.path.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)
