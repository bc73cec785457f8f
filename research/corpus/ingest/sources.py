"""Any file that an import is given, read by what it is: records, a compilation from the Register, a ruling, a document.

Raises CorpusRejected for everything that cannot be read whole; nothing here touches the database.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from io import BufferedReader
from pathlib import Path
from uuid import UUID

from research.corpus.ingest.ato.read import read_ruling
from research.corpus.ingest.epub.read import read_epub
from research.corpus.ingest.formats import FIRST_BYTES, SUFFIXES, Format, format_of
from research.corpus.ingest.from_published import records_of
from research.corpus.ingest.origin import Fetched
from research.corpus.ingest.own.read import effective_days, read_own
from research.corpus.ingest.read import CompilationRecords, CorpusRejected, read_compilations
from research.corpus.ingest.record import FIRST_DAY, LAST_DAY

LONGEST_TITLE = 400
READER = "2"  # raise it when the same file would be read another way


WHAT_IS_READ = ", ".join(f"*{suffix}" for suffix in SUFFIXES)


def corpus_files(paths: Sequence[Path]) -> list[Path]:
    """The files meant by `paths`, a folder standing for the files of a kind that is read in it (not below), by name."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(filter(_is_read, _inside(path)))
            if not inside:
                raise CorpusRejected(path, None, f"the folder holds no file that is read; give one with {WHAT_IS_READ}")
            files += inside
        elif path.is_file():
            files.append(path)
        elif path.exists():
            raise CorpusRejected(path, None, "it is neither a file nor a folder; give one of these")
        else:
            what = "the link leads nowhere" if path.is_symlink() else "there is no such file or folder"
            raise CorpusRejected(path, None, f"{what}; give one that exists")
    for path in files:
        if not path.name.isprintable() and any("\ud800" <= letter <= "\udfff" for letter in path.name):
            raise CorpusRejected(path, None, "the file's name is not UTF-8; rename it")
    return list(dict.fromkeys(files))


def left_out(paths: Sequence[Path]) -> list[Path]:
    """What stands in the folders among `paths` and is not read: other kinds, hidden files, notes, folders below.

    The files beside fetched ones and what a fetch keeps for itself are read with those, and not named here.
    """
    folders = [path for path in paths if path.is_dir()]
    return sorted(
        inside for folder in folders for inside in _inside(folder) if not _is_read(inside) and _is_odd(inside)
    )


def _inside(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError as error:
        problem = f"the folder cannot be read ({error.strerror or error}); let AsAt read it"
        raise CorpusRejected(folder, None, problem) from error


def _is_read(path: Path) -> bool:
    """Whether a file of a folder is meant: of a kind that is read. Markdown without front matter is a note about it."""
    if path.name.startswith(".") or not path.name.lower().endswith(SUFFIXES) or not path.is_file():
        return False
    if path.suffix.lower() != ".md":
        return True
    try:
        with path.open("rb") as file:
            return file.read(6).removeprefix(b"\xef\xbb\xbf").startswith(b"---")
    except OSError:
        return True  # it is said of the file itself, when its turn comes


def _is_odd(path: Path) -> bool:
    return not path.name.startswith(".") and not (path.suffix == ".json" and path.with_suffix(".epub").is_file())


def beside(path: Path) -> Path | None:
    """The file kept beside a fetched one that says what it is, if there is one."""
    found = path.with_suffix(".json")
    return found if path.suffix == ".epub" and found.is_file() else None


@dataclass(frozen=True, slots=True)
class Own:
    """The practice whose own documents are given. names: what they may call it in `tenant`.

    effective: number → effective date of its documents, so far as they are known; from it comes the day on which one
    was superseded that names its successor and no day.
    """

    practice: UUID
    names: frozenset[str] = frozenset()
    effective: Mapping[str, date] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What names the practice in the codes of its documents."""
        return self.practice.hex[:12]


def read_source(path: Path, saved_on: date | None, own: Own | None) -> list[CompilationRecords]:
    """The compilations that a file holds, whole and checked.

    saved_on: the day on which a page was saved, and as at which it says what is current; None for the file's own day.
    own: whose own document it is, None for everybody's law.
    """
    form = _form_of(path)
    if form is Format.JSONL:
        found = read_compilations(path)
    elif form is Format.EPUB:
        found = [records_of(read_epub(path), path, _fetched(path))]
    elif form is Format.RULING:
        found = [read_ruling(path, saved_on or _day_of(path))]
    else:
        if own is None:
            raise CorpusRejected(
                path, None, "a document with front matter is a practice's own; say whose with --practice"
            )
        found = [read_own(path, own.name, own.names, own.effective)]
    for compilation in found:
        _can_be_kept(path, compilation)
        _is_whose(path, compilation, own)
    return found


def _form_of(path: Path) -> Format:
    with _open(path) as file:
        return format_of(path, file.read(FIRST_BYTES))


def _day_of(path: Path) -> date:
    """The day on which a file was last written, where AsAt runs."""
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone().date()


def _open(path: Path) -> BufferedReader:
    try:
        return path.open("rb")
    except OSError as error:
        raise CorpusRejected(path, None, f"the file cannot be read ({error.strerror or error})") from error


def _fetched(path: Path) -> Fetched | None:
    """What was kept beside a fetched file."""
    kept = beside(path)
    if kept is None:
        return None
    try:
        fetched = Fetched.from_json(kept.read_text(encoding="utf-8"))
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise CorpusRejected(kept, None, f"it does not say what {path.name} is; fetch that again") from error
    with _open(path) as file:
        is_of_it = hashlib.file_digest(file, "sha256").hexdigest() == fetched.sha256
    if not is_of_it or (fetched.ends is not None and fetched.ends <= fetched.starts):
        problem = (
            f"it is of another file than {path.name}" if not is_of_it else f"{path.name} would end before it began"
        )
        raise CorpusRejected(kept, None, f"{problem}; fetch that again, or take this file away")
    return fetched


def read_in_the_light_of(path: Path, saved_on: date | None, own: Own | None) -> str:
    """What decides beside its bytes how a file is read; another reading follows from another of these.

    The day of a saved page, and the effective days of a practice's other documents: one may be this one's successor.
    """
    if own is not None:
        return repr(sorted(own.effective.items()))
    with _open(path) as file:
        try:
            form = format_of(path, file.read(FIRST_BYTES))
        except CorpusRejected:
            return ""
    return (saved_on or _day_of(path)).isoformat() if form is Format.RULING else ""


def documents_known(paths: Sequence[Path], own: Own) -> Own:
    """`own` with the effective dates of the Markdown documents among `paths` as well."""
    effective = dict(own.effective)
    given: dict[str, date] = {}
    for path in paths:
        with suppress(CorpusRejected):  # it is refused when its own turn comes, and the others are loaded
            if _form_of(path) is Format.OWN:
                for number, day in effective_days([path], own.name, own.names).items():
                    given[number] = max(day, given.get(number, day))
    return replace(own, effective=effective | given)


def _can_be_kept(path: Path, compilation: CompilationRecords) -> None:
    """Refuses what no source in order says: a title that is a page long, a day that is a slip."""
    title, day = compilation.records[0].instrument_title, compilation.dated
    if len(title) > LONGEST_TITLE:
        problem = f"its title has {len(title):,} characters; at most {LONGEST_TITLE} are kept, so correct the file"
        raise CorpusRejected(path, None, problem)
    if not FIRST_DAY <= day <= LAST_DAY:
        raise CorpusRejected(path, None, f"it is dated {day}; days from {FIRST_DAY} to {LAST_DAY} are read")


def _is_whose(path: Path, compilation: CompilationRecords, own: Own | None) -> None:
    """Refuses everybody's law that is given as a practice's own, and the other way round."""
    whose = (compilation.origin.practice if compilation.origin else "") or compilation.records[0].practice
    if whose and (own is None or whose != own.name):
        raise CorpusRejected(path, None, "it is a practice's own document; give it with --practice and that practice")
    if own is not None and not whose:
        raise CorpusRejected(path, None, "it is law for everybody; give it without --practice")
