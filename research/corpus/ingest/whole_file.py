"""A file that is read in one piece, if it is small enough for that."""

from __future__ import annotations

from pathlib import Path

from research.corpus.ingest.read import CorpusRejected

MAX_UNEXPLAINED = 0.005
"""The share of a document's characters that may be unaccounted for (`published.Ledger.share`) before it is refused."""


def bytes_of(path: Path, most: int, instead: str) -> bytes:
    """What the file holds. Raises CorpusRejected for one that is empty, cannot be read, or has more than `most` bytes.

    No more than that is ever read, whatever the file's size. instead: what to do about one that is too long.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except OSError as error:
        raise CorpusRejected(path, None, f"the file cannot be read ({error.strerror or error})") from error
    if len(raw) > most:
        raise CorpusRejected(path, None, f"the file is longer than {most:,} bytes; {instead}")
    if not raw.strip():
        raise CorpusRejected(path, None, "the file is empty; give one that holds text")
    return raw
