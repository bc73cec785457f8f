"""A compilation as it was read from the Register's file, made into records: codes, document ids, origin.

Pure. Ids are those of the same provisions in other formats: a section has one history, whatever it was read from.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

from research.corpus.ingest.endnotes.read import read_history
from research.corpus.ingest.history import History, Stated
from research.corpus.ingest.json_origin import ACTS, REGULATIONS
from research.corpus.ingest.naming import shortened, slug
from research.corpus.ingest.origin import Fetched, Kind, Origin
from research.corpus.ingest.published import Published, PublishedProvision
from research.corpus.ingest.read import CompilationRecords, CorpusRejected
from research.corpus.ingest.record import Record
from research.law.instruments import act_of_title, act_of_title_id, prefix_of

LICENCE = "FRL"
BY_THE_REGISTER = "the Register's own dates"
REGISTER = "https://www.legislation.gov.au/"


def records_of(published: Published, path: Path, fetched: Fetched | None = None) -> CompilationRecords:
    """The compilation that `published` is, ready to be loaded.

    path: the file it was read from, to be named in a refusal. fetched: what the Register said of it; a file that a
    person downloaded has none, and then only its own day is known.
    Raises CorpusRejected where the file is not what the Register said, or its endnotes cannot be read.
    """
    if not published.provisions:
        raise CorpusRejected(path, None, "the file holds no provision; give a compilation with text")
    if fetched and published.register_id and fetched.register_id != published.register_id:
        raise CorpusRejected(
            path,
            None,
            f"the text is {published.register_id}, but it was fetched as {fetched.register_id}; fetch it again",
        )
    act = act_of_title(published.title) or (act_of_title_id(fetched.title_id) if fetched else None)
    if fetched and act and act.title_id and fetched.title_id != act.title_id:
        raise CorpusRejected(
            path,
            None,
            f"the text is the {published.title}, but it was fetched as {fetched.title_id}; fetch it again",
        )
    prefix = act.prefix if act else prefix_of(published.title)
    records = _records(published, act.code if act else prefix, prefix, fetched)
    plain = json.dumps([asdict(record) for record in records], default=str, ensure_ascii=False)
    return CompilationRecords(
        records[0].instrument,
        published.dated,
        records,
        hashlib.sha256(plain.encode()).hexdigest(),
        _origin(published, path, fetched, act.title_id if act else ""),
    )


def _records(published: Published, instrument: str, prefix: str, fetched: Fetched | None) -> list[Record]:
    ids = Counter[str]()
    records = []
    for provision in published.provisions:
        document_id = f"{prefix}/{_place(provision)}"
        ids[document_id] += 1
        if ids[document_id] > 1:
            document_id += f"~{ids[document_id]}"
        records.append(
            Record(
                document_id=document_id,
                dated=published.dated,
                instrument=instrument,
                instrument_title=published.title,
                compilation_number=published.compilation_number or (fetched.compilation_number if fetched else ""),
                register_id=_register_id(published, fetched),
                source_uri=_source_uri(published, fetched),
                licence=LICENCE,
                section=provision.section,
                schedule=provision.schedule,
                path=tuple(shortened(step, 400) for step in provision.path),
                heading=shortened(provision.heading, 600),
                kind=provision.kind,
                text=provision.text,
            )
        )
    return records


def _place(provision: PublishedProvision) -> str:
    """Where it stands, as its document id has it: "8-1", "sch1/12-35", "sch-7-pt-i" for what has no number."""
    named = provision.section if " " not in provision.section else slug(provision.section)
    if not provision.schedule or provision.section.startswith("Sch "):
        return named
    return f"sch{slug(provision.schedule)}/{named}"


def _register_id(published: Published, fetched: Fetched | None) -> str:
    return published.register_id or (fetched.register_id if fetched else "")


def _source_uri(published: Published, fetched: Fetched | None) -> str:
    if fetched and fetched.source_uri.startswith(REGISTER):
        return fetched.source_uri
    register_id = _register_id(published, fetched)
    return f"{REGISTER}Details/{register_id}" if register_id else ""


def _origin(published: Published, path: Path, fetched: Fetched | None, title_id: str) -> Origin:
    history = _history(published, path)
    title_id = fetched.title_id if fetched else title_id
    is_regulation = title_id.startswith("F") or "Regulation" in published.title
    return Origin(
        kind=Kind.REGULATION if is_regulation else Kind.ACT,
        licence=LICENCE,
        framework=REGULATIONS if is_regulation else ACTS,
        version=f"Compilation No. {published.compilation_number}" if published.compilation_number else "",
        title_id=title_id,
        stated=_stated(fetched) if fetched else None,
        text_not_current_from=fetched.text_not_current_from if fetched else None,
        history=history,
        ledger=published.ledger,
        warnings=(*published.warnings, *_flags(published), *_unread(history)),
    )


def _stated(fetched: Fetched) -> Stated:
    """The days on which the Register says that this text was in force.

    While it is the current one, up to the day of asking. Where an amendment has commenced whose text was not published,
    up to that day: "in force" is not "text is current".
    """
    ends = fetched.ends or max(fetched.checked_on, fetched.starts) + timedelta(days=1)
    if fetched.text_not_current_from is not None:
        ends = min(ends, max(fetched.text_not_current_from, fetched.starts + timedelta(days=1)))
    return Stated(fetched.starts, ends, BY_THE_REGISTER)


def _history(published: Published, path: Path) -> History | None:
    """What the endnotes list; None where there are none, or nothing that dates anything."""
    try:
        history = read_history(published)
    except ValueError as error:
        raise CorpusRejected(path, None, f"its endnotes cannot be read: {error}") from error
    return history if history.events else None


def _flags(published: Published) -> list[str]:
    """What a person may want to know of how it was read."""
    kept = [f"{count} paragraphs of class {name!r} kept as body" for name, count in published.unknown_classes.items()]
    return kept + [f"{provision.section}: {flag}" for provision in published.provisions for flag in provision.flags]


def _unread(history: History | None) -> list[str]:
    """Rows of the amendment history that name nothing in the text: a person may want to look at them."""
    return [f"Endnote row not read: {row}" for row in history.unread] if history else []
