"""Tells on the console how far embedding has come, by asking `manage.py corpus status` now and then."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from asat_site.running.children import Child

FIRST_LOOK_S, EVERY_S = 10.0, 45.0


class EmbeddingProgress:
    """Looks until nothing is missing; `tell()` gives the next words, or "" when there is no news."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self._look = Child("corpus status", command, environment, log)
        self._log = log
        self._next_look = time.monotonic() + FIRST_LOOK_S
        self._said = ""
        self._is_over = False

    def look_again(self) -> None:
        """Law is being loaded: what was complete may not be so any more."""
        self._is_over = False

    def tell(self) -> str:
        """What there is to say now; never waits."""
        if self._is_over or self._look.is_running():
            return ""
        if self._look.exit_code() is None:
            if time.monotonic() >= self._next_look:
                self._log.unlink(missing_ok=True)
                self._look.start()
            return ""
        words, self._is_over = words_of(self._read())
        self._look.process, self._next_look = None, time.monotonic() + EVERY_S
        if words == self._said:
            return ""
        self._said = words
        return words

    def stop(self) -> None:
        self._look.kill()

    def _read(self) -> str:
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""


def words_of(status: str) -> tuple[str, bool]:
    """What the status says, in words, and whether nothing is missing any more. Unreadable: no words, not over."""
    try:
        found = json.loads(status)
        chunks, vectors = int(found["chunks"]), int(found["vectors"])
    except (ValueError, KeyError, TypeError):
        return "", False
    if found.get("mode") == "hybrid" or found.get("embedder") in (None, "", "none"):
        return "Every passage can be searched by words and by meaning." if vectors else "", True
    return f"Embedding: {vectors:,} of {chunks:,} passages. Until it is done, search goes by words alone.", False
