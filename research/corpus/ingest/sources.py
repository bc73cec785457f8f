"""Any file that an import is given, read by what it is: records, a compilation from the Register, a ruling, a document.

Raises CorpusRejected for everything that cannot be read whole; nothing here touches the database.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from uuid import UUID

from research.corpus.ingest.formats import SUFFIXES
from research.corpus.ingest.read import CompilationRecords, CorpusRejected, read_compilations

READER = "1"  # raise it when the same file would be read another way


WHAT_IS_READ = ", ".join(f"*{suffix}" for suffix in SUFFIXES)


def corpus_files(paths: list[Path]) -> list[Path]:
    """The files meant by `paths`, a folder standing for the files of a kind that is read in it (not below), by name."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(filter(_is_read, path.iterdir()))
            if not inside:
                raise CorpusRejected(path, None, f"the folder holds no file that is read; give one with {WHAT_IS_READ}")
            files += inside
        elif path.is_file():
            files.append(path)
        else:
            raise CorpusRejected(path, None, "there is no such file or folder; give one that exists")
    return list(dict.fromkeys(files))


def _is_read(path: Path) -> bool:
    """Whether a file of a folder is meant: of a kind that is read. Markdown without front matter is a note about it."""
    if not path.name.lower().endswith(SUFFIXES) or not path.is_file():
        return False
    if path.suffix.lower() != ".md":
        return True
    with path.open("rb") as file:
        return file.read(3) == b"---"


def beside(path: Path) -> Path | None:
    """The file kept beside a fetched one that says what it is, if there is one."""
    found = path.with_suffix(".json")
    return found if path.suffix == ".epub" and found.is_file() else None


def read_source(path: Path, today: date, practice: UUID | None) -> list[CompilationRecords]:
    """The compilations that a file holds, whole and checked.

    today: the day on which it is given; what says that it is current is current as at then. practice: whose own
    document it is, None for everybody's law.
    """
    return read_compilations(path)
