"""One compilation into the database: its row, its provisions, the words it gives them, what its endnotes list.

Leaves what follows from all compilations together, the versions and their dates, to `versions.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db.backends.postgresql.psycopg_any import Jsonb

from research.corpus import models
from research.corpus.ingest import json_origin
from research.corpus.ingest.derive import DATED_BY, Words
from research.corpus.ingest.history import History
from research.corpus.ingest.origin import Kind, Origin
from research.corpus.ingest.read import CompilationRecords, CorpusRejected
from research.corpus.ingest.record import Record
from research.corpus.ingest.rows import insert_into, sort_key
from research.corpus.ingest.words import Wording, strip_asterisks, terms_by_first_word, terms_defined_in, wording_sha256
from research.law.identity import stable_id, text_sha256
from research.law.instruments import act_of_code


@dataclass(frozen=True, slots=True)
class Target:
    """Where a compilation goes: database alias, and the practice whose document it is (None: everybody's law)."""

    using: str
    practice: UUID | None


def origin_of(compilation: CompilationRecords) -> Origin:
    """The origin of a compilation; of plain records, what the first of them says."""
    return compilation.origin or json_origin.origin_of(compilation.records[0])


def content_sha256(compilation: CompilationRecords) -> str:
    """Names all that was read: the records, what is true of them together, and the rules that they are dated by."""
    return text_sha256(compilation.sha256, repr(origin_of(compilation)), DATED_BY)


def instrument_of(compilation: CompilationRecords, path: Path, target: Target) -> tuple[models.Instrument, bool]:
    """The instrument's row, and whether its title changed: the newest compilation names the Act."""
    first, origin = compilation.records[0], origin_of(compilation)
    rows = models.Instrument.objects.using(target.using)
    instrument = rows.filter(code=first.instrument).first()
    other = rows.filter(document_prefix=first.document_prefix).exclude(code=first.instrument).first()
    prefix = instrument.document_prefix if instrument else first.document_prefix
    if other or prefix != first.document_prefix:
        held = f"{other.code} has {first.document_prefix}/…" if other else f"{first.instrument} has {prefix}/…"
        raise CorpusRejected(
            path,
            None,
            f"{first.instrument} comes as {first.document_prefix}/…, but {held} here; give them another prefix",
        )
    if instrument is None:
        known = act_of_code(first.instrument)
        return rows.create(
            code=first.instrument,
            title=first.instrument_title,
            document_prefix=prefix,
            kind=origin.kind.value,
            framework=origin.framework,
            title_id=origin.title_id or (known.title_id if known else ""),
            practice_id=target.practice,
        ), False
    if instrument.practice_id != target.practice:
        raise CorpusRejected(path, None, f"{first.instrument} belongs to somebody else; give it another number")
    if _family(instrument.kind) != _family(origin.kind):
        raise CorpusRejected(
            path, None, f"{first.instrument} is held as {instrument.kind} and comes as {origin.kind}; name it otherwise"
        )
    newer = instrument.compilations.filter(dated__gt=first.dated).exists()
    if newer or instrument.title == first.instrument_title:
        return instrument, False
    instrument.title = first.instrument_title
    instrument.save(using=target.using)
    return instrument, True


def _family(kind: str) -> str:
    """Kinds that one instrument may be read as: an Act is no ruling, whatever a file says."""
    if kind in (Kind.ACT, Kind.REGULATION):
        return "law"
    return "ruling" if kind in (Kind.RULING, Kind.DETERMINATION, Kind.GUIDELINE) else kind


def write_compilation(
    cursor: Any, instrument: models.Instrument, compilation: CompilationRecords, target: Target
) -> models.Compilation:
    """The compilation's row with its readings and amendments, in place of what it had."""
    first, origin = compilation.records[0], origin_of(compilation)
    stated = origin.stated
    held, _ = models.Compilation.objects.using(target.using).update_or_create(
        instrument=instrument,
        dated=first.dated,
        defaults={
            "number": first.compilation_number,
            "register_id": first.register_id,
            "source_uri": first.source_uri,
            "licence": origin.licence,
            "version": origin.version,
            "language": origin.language,
            "starts": stated.starts if stated else None,
            "ends": stated.ends if stated else None,
            "stated_by": stated.by if stated else "",
            "stated_alone": stated.is_exhaustive if stated else False,
            "notice": origin.notice,
            "superseded_by": origin.superseded_by,
            "text_not_current_from": origin.text_not_current_from,
            "has_endnotes": origin.history is not None,
            "ledger": asdict(origin.ledger) if origin.ledger else None,
            "provisions": len(compilation.records),
            "content_sha256": content_sha256(compilation),
            "practice_id": target.practice,
        },
    )
    marks_terms = origin.kind in (Kind.ACT, Kind.REGULATION)
    _write_readings(cursor, held.pk, compilation.records, target.practice, marks_terms)
    _write_amendments(cursor, held.pk, origin.history)
    return held


def _write_readings(
    cursor: Any, compilation_id: int, records: Sequence[Record], practice: UUID | None, marks_terms: bool
) -> None:
    """Provisions and words that are new, and the readings of the compilation in place of those it had.

    marks_terms: an asterisk before a word marks a defined term, as in an Act, and is no part of the words.
    """
    terms = terms_by_first_word(t for r in records for t in terms_defined_in(r.heading, r.kind, r.text))
    read: list[tuple[Record, Words]] = []
    for record in records:
        stripped = strip_asterisks(record.text, terms) if marks_terms else Wording(record.text, ())
        read.append((record, Words(record.heading, record.kind, stripped.text, stripped.spans)))
    insert_into(
        cursor,
        "corpus_provision",
        "id, instrument_id, document_id, section, schedule, sort_key, practice_id",
        (
            (
                stable_id("provision", r.document_id),
                r.instrument,
                r.document_id,
                r.section,
                r.schedule,
                sort_key(r),
                practice,
            )
            for r in records
        ),
        only_new=True,
    )
    insert_into(
        cursor,
        "corpus_words",
        "id, provision_id, heading, kind, text, term_spans, wording_sha256, practice_id",
        (
            (
                w.id_of(r.document_id),
                stable_id("provision", r.document_id),
                w.heading,
                w.kind,
                w.text,
                Jsonb([list(span) for span in w.spans]),
                wording_sha256(w.heading, w.kind, w.text),
                practice,
            )
            for r, w in read
        ),
        only_new=True,
    )
    cursor.execute("DELETE FROM corpus_reading WHERE compilation_id = %s", [compilation_id])
    insert_into(
        cursor,
        "corpus_reading",
        "compilation_id, provision_id, words_id, position, path, practice_id",
        (
            (
                compilation_id,
                stable_id("provision", r.document_id),
                w.id_of(r.document_id),
                at,
                list(r.path),
                practice,
            )
            for at, (r, w) in enumerate(read)
        ),
    )


def _write_amendments(cursor: Any, compilation_id: int, history: History | None) -> None:
    cursor.execute("DELETE FROM corpus_amendment WHERE compilation_id = %s", [compilation_id])
    if history is None:
        return
    application = {note.act: note.refers_to for note in history.applications}
    insert_into(
        cursor,
        "corpus_amendment",
        "compilation_id, schedule, section, position, effect, act, days, unresolved, assent, is_applied, application",
        (
            (
                compilation_id,
                schedule,
                section,
                at,
                event.effect.value,
                event.act[:200],
                list(event.days),
                event.unresolved,
                event.assent,
                event.is_applied,
                application.get(event.act, ""),
            )
            for (schedule, section), events in history.events.items()
            for at, event in enumerate(events)
        ),
    )
