"""What earlier runs have already done, so that the second run is quick.

A stamp says that a step was finished for an exact input; any change of the input makes the step run again. Steps
are idempotent, so a lost stamp costs time and nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from asat_site.running import kept


def fingerprint(paths: Iterable[Path], *also: str) -> str:
    """sha256 over the files' names and contents and the further words given."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    digest.update("\0".join(also).encode())
    return digest.hexdigest()


class Stamps:
    """The finished steps of one var folder, kept in a file of it."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def has(self, step: str, wanted: str) -> bool:
        """Whether the step was finished for exactly this fingerprint."""
        return self._read().get(step) == wanted

    def put(self, step: str, reached: str) -> None:
        """Remember that the step is finished."""
        kept.write_private(self._file, json.dumps(self._read() | {step: reached}, indent=1))

    def _read(self) -> dict[str, str]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
