"""A practice's own document, a Markdown file with front matter, read whole: records and what is true of all of them.

Reads the file and nothing else. The keys are `front.py`'s, the text is `body.py`'s. A document that another superseded
stays loaded, with the days on which it applied.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from types import MappingProxyType

from research.corpus.ingest.history import Stated
from research.corpus.ingest.naming import shortened, slug
from research.corpus.ingest.origin import Kind, Origin
from research.corpus.ingest.own.body import Unit, units_of
from research.corpus.ingest.own.front import BadFront, Front, front_of
from research.corpus.ingest.published import Ledger
from research.corpus.ingest.read import CompilationRecords, CorpusRejected
from research.corpus.ingest.record import CONTROL, Record
from research.corpus.ingest.whole_file import MAX_UNEXPLAINED, bytes_of
from research.law.identity import own_code
from research.law.provision import in_words

MAX_BYTES = 2_000_000  # a book of 300,000 words
NOTHING_KNOWN: Mapping[str, date] = MappingProxyType({})


def read_own(
    path: Path, practice: str, names: Collection[str] = (), effective: Mapping[str, date] = NOTHING_KNOWN
) -> CompilationRecords:
    """The document at `path` for `practice`. Raises CorpusRejected, and then nothing of it was read into anything.

    practice: small letters and digits that name the practice (the first 12 of its id's hex); it becomes part of code
    and document ids. names: what else its documents may call it in `tenant`. effective: number → effective date of
    the practice's other documents, so far as they are known; from it comes the day on which this one was superseded
    where it names its successor and no day (`effective_days` reads them).
    """
    raw, text = _text_of(path)
    front, body = _front(path, text, {practice, *names})
    units, ledger = units_of(body)
    if not units:
        raise CorpusRejected(path, front.body_line, "the document has no text under its front matter; write some")
    if ledger.share > MAX_UNEXPLAINED:
        raise CorpusRejected(
            path,
            front.body_line,
            f"{ledger.unexplained:,} of {ledger.read:,} characters of the text were not understood; leave out HTML",
        )
    code = own_code(front.number, practice)
    origin = _origin(front, practice, ledger, effective)
    records = _records(front, code, own_code(slug(front.number), practice), units)
    return CompilationRecords(code, front.effective, records, hashlib.sha256(raw).hexdigest(), origin=origin)


def effective_days(paths: Sequence[Path], practice: str, names: Collection[str] = ()) -> dict[str, date]:
    """Number → the latest effective date of each document among `paths`. Raises CorpusRejected as `read_own` does."""
    found: dict[str, date] = {}
    for path in paths:
        front, _ = _front(path, _text_of(path)[1], {practice, *names})
        found[front.number] = max(front.effective, found.get(front.number, front.effective))
    return found


def _text_of(path: Path) -> tuple[bytes, str]:
    raw = bytes_of(path, MAX_BYTES, "split the document")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise CorpusRejected(path, line, f"byte {error.start + 1} is not UTF-8; save the file as UTF-8") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    control = CONTROL.search(text)
    if control:
        line = text.count("\n", 0, control.start()) + 1
        raise CorpusRejected(path, line, f"there is a control character {control.group()!r}; give text only")
    return raw, text


def _front(path: Path, text: str, tenants: Collection[str]) -> tuple[Front, str]:
    try:
        return front_of(text, tenants)
    except BadFront as error:
        raise CorpusRejected(path, error.line, error.problem) from None


def _origin(front: Front, practice: str, ledger: Ledger, effective: Mapping[str, date]) -> Origin:
    warnings = [f"line {line}: the key {name} is not read" for line, name in front.unread]
    ends, by = front.superseded_on, "its own front matter"
    if ends is None and front.superseded_by:
        successor = effective.get(front.superseded_by)
        if successor is not None and successor > front.effective:
            ends, by = successor, f"the effective date of {front.superseded_by}"
    notice, is_known = "", True
    if ends is not None:
        notice = f"Superseded{f' by {front.superseded_by}' if front.superseded_by else ''} on {in_words(ends)}."
    elif front.superseded_by:
        # Only its first day is certain: it may have been superseded the day after.
        notice = f"Superseded by {front.superseded_by}; the day is not stated."
        warnings.append(f"no day is known on which {front.superseded_by} took its place; give superseded-on")
        ends, is_known = front.effective + timedelta(days=1), False
    return Origin(
        kind=Kind.OWN,
        licence=front.licence,
        framework=front.scope,
        language=front.language,
        stated=Stated(front.effective, ends, by, is_exhaustive=is_known),
        notice=notice,
        practice=practice,
        superseded_by=own_code(front.superseded_by, practice) if front.superseded_by else "",
        ledger=ledger,
        warnings=tuple(warnings),
    )


def _records(front: Front, code: str, prefix: str, units: Sequence[Unit]) -> list[Record]:
    taken: Counter[str] = Counter()
    records = []
    for unit in units:
        section = unit.number or shortened(unit.heading, 80) or "Introduction"
        name = slug(section)
        taken[name] += 1
        again = f"~{taken[name]}" if taken[name] > 1 else ""
        records.append(
            Record(
                document_id=f"{prefix}/{name}{again}",
                dated=front.effective,
                instrument=code,
                instrument_title=front.title,
                compilation_number="",
                register_id="",
                source_uri="",
                licence=front.licence,
                section=section,
                schedule="",
                path=tuple(shortened(step, 400) for step in unit.path),
                heading=shortened(unit.heading, 600) or front.title,
                kind="operative",
                text=unit.text,
                is_act=False,
                language=front.language,
                stated_from=front.effective,
                practice=code.partition("@")[2],
            )
        )
    return records
