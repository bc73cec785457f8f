"""Reads of a practice's questions, answers and audit rows, and of how the whole is running."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from research.corpus.models import Chunk, ChunkVector, EmbedderRecord, VerifiedExample
from research.corpus.queries import InstrumentHeld, covered_years, instruments_held
from research.models import AuditRow, Question

__all__ = ["audit_row", "audit_rows", "covered_years", "examples", "question_of", "status", "transcript"]

LOST_AFTER = timedelta(seconds=settings.ASAT_LOST_AFTER_S)
MOST_LOST = 500


def transcript(user: Any, limit: int = 20, before: datetime | None = None) -> list[Question]:
    """The user's own questions of the research page, newest first, each with its answer where one is recorded."""
    asked = Question.objects.filter(asked_by=user, conversation=None, batch=None).select_related(
        "answer__audit", "client"
    )
    if before is not None:
        asked = asked.filter(asked_at__lt=before)
    return list(asked.order_by("-asked_at", "id")[:limit])


def question_of(user: Any, question_id: UUID) -> Question | None:
    """The question if this user asked it, else None: nobody learns that another's exists."""
    return (
        Question.objects.select_related("answer", "answer__audit", "client")
        .filter(pk=question_id, asked_by=user)
        .first()
    )


def asked_for(client_id: UUID, limit: int, before: datetime | None = None) -> list[Question]:
    """What was asked for a client, by anybody of the practice, newest first, each with its answer and who asked."""
    asked = Question.objects.filter(client_id=client_id).select_related("answer__audit", "asked_by")
    if before is not None:
        asked = asked.filter(asked_at__lt=before)
    return list(asked.order_by("-asked_at", "id")[:limit])


def waiting_count() -> int:
    """Questions of the practice that no worker has taken yet, those of spreadsheets aside."""
    return Question.objects.filter(status=Question.Status.QUEUED, batch=None).count()


def lost_questions(now: datetime) -> list[UUID]:
    """Questions whose worker has been silent, or that no worker has taken, for longer than one that lives lets pass.

    Some hundreds at a time, those looked at longest ago first, so that every one has its turn.
    """
    waited_since = Coalesce("heartbeat_at", "asked_at")
    lost = Question.objects.filter(_is_lost(now)).order_by(waited_since, "pk")
    return list(lost.values_list("pk", flat=True)[:MOST_LOST])


def is_lost(question_id: UUID, now: datetime) -> bool:
    """Whether this question is one of them."""
    return Question.objects.filter(_is_lost(now), pk=question_id).exists()


def _is_lost(now: datetime) -> Q:
    long_ago = now - LOST_AFTER
    silent = Q(heartbeat_at__lt=long_ago)
    return Q(status=Question.Status.RUNNING) & silent | Q(status=Question.Status.QUEUED) & (
        silent | Q(heartbeat_at=None, asked_at__lt=long_ago)
    )


def audit_rows(limit: int = 50, before_number: int | None = None) -> list[AuditRow]:
    """The practice's audit rows, newest first, each with its answer and who asked."""
    found = AuditRow.objects.select_related("answer__question__asked_by").order_by("-number")
    if before_number is not None:
        found = found.filter(number__lt=before_number)
    return list(found[:limit])


def audit_row(number: int) -> AuditRow | None:
    return AuditRow.objects.select_related("answer__question__asked_by").filter(number=number).first()


def examples() -> list[tuple[str, int]]:
    """Questions that were answered when they were tried at import, with their year."""
    return [(example.question, example.year) for example in VerifiedExample.objects.order_by("id")[:8]]


@dataclass(frozen=True, slots=True)
class StatusReport:
    """How the whole is running, read just now. mode and degraded are those that an answer would state."""

    mode: str
    snapshot_id: str
    degraded: tuple[str, ...]
    embedder: str
    chunks: int
    vectors: int
    instruments: tuple[InstrumentHeld, ...]
    questions_waiting: int
    questions_running: int
    checked_at: datetime
    database: str

    @property
    def percent_embedded(self) -> int:
        return 100 * self.vectors // self.chunks if self.chunks else 0


def embedding_counts(identity: str) -> tuple[int, int]:
    """(chunks held, chunks that have a vector of this embedder)."""
    chunks = Chunk.objects.exclude(role="omitted").count()
    record = EmbedderRecord.objects.filter(identity=identity).first()
    if record is None:
        return chunks, 0
    return chunks, ChunkVector.objects.filter(embedder_id=record.id).count()


def status(snapshot: Any, embedder: str) -> StatusReport:
    """The report for the Status page; `snapshot` as the corpus store gives it for the latest year."""
    chunks, vectors = embedding_counts(embedder)
    return StatusReport(
        mode=snapshot.mode,
        snapshot_id=snapshot.snapshot_id,
        degraded=snapshot.degraded,
        embedder=embedder,
        chunks=chunks,
        vectors=vectors,
        instruments=tuple(instruments_held()),
        questions_waiting=Question.objects.filter(status=Question.Status.QUEUED).count(),
        questions_running=Question.objects.filter(status=Question.Status.RUNNING).count(),
        checked_at=timezone.now(),
        database=_server_version(),
    )


def _server_version() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return f"PostgreSQL {cursor.fetchone()[0]}"
