"""What the index was built from, and until when it was: one open row for the law, one for each practice's documents."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from django.db.models import Max

from research.corpus import index_settings, models
from research.corpus.ingest import index


def current_state(using: str, practice: UUID | None) -> models.IndexState | None:
    """The open row of this practice's documents, or of everybody's law."""
    return models.IndexState.objects.using(using).filter(practice_id=practice, recorded__upper_inf=True).first()


def next_moment(now: datetime, using: str) -> datetime:
    """`now`, or a moment later than all that is recorded: what was known never ends before it began.

    Clocks are set back, and two imports can fall into one tick of theirs; what the first wrote was known nevertheless.
    """
    latest = models.IndexState.objects.using(using).aggregate(at=Max("recorded__startswith"))["at"]
    return now if latest is None or latest < now else latest + timedelta(microseconds=1)


def record_state(cursor: Any, now: datetime, using: str, practice: UUID | None) -> None:
    """End the open row and begin the next. Vectors are named complete only if none is missing."""
    held = list(
        models.Compilation.objects.using(using)
        .filter(practice_id=practice)
        .order_by("instrument_id", "dated")
        .values_list("instrument_id", "dated", "register_id", "content_sha256")
    )
    before = current_state(using, practice)
    chunks = models.Chunk.objects.using(using).filter(practice_id=practice).exclude(role="omitted")
    state = models.IndexState(
        practice_id=practice,
        corpus_sha256=index_settings.corpus_sha256((code, day.isoformat(), sha) for code, day, _, sha in held),
        settings=index_settings.fingerprint(),
        embedder=_still_complete(cursor, before.embedder if before else "", using, practice),
        chunks=chunks.count(),
        compilations=[index_settings.compilation_line(code, day, register_id) for code, day, register_id, _ in held],
        recorded=DateTimeTZRange(now, None),
    )
    if before is not None:
        cursor.execute("DELETE FROM corpus_indexstate WHERE id = %s AND lower(recorded) >= %s", [before.pk, now])
        cursor.execute(
            "UPDATE corpus_indexstate SET recorded = tstzrange(lower(recorded), %s) WHERE id = %s", [now, before.pk]
        )
    state.save(using=using, force_insert=True)


def _still_complete(cursor: Any, embedder: str, using: str, practice: UUID | None) -> str:
    if not embedder:
        return ""
    record = models.EmbedderRecord.objects.using(using).filter(identity=embedder).first()
    cursor.execute(index.MISSING_VECTORS, [practice, record.pk if record else -1])
    return "" if cursor.fetchone()[0] else embedder
