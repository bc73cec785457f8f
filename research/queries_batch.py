"""Reads of a user's spreadsheets of questions: their list, one of them, how far it is, and its lines."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet

from research.models import Batch, Question
from research.terms import Decision, Reason

_ANSWERED = Q(answer__decision=Decision.ANSWER.value)
_STOPPED = Q(answer__reason=Reason.STOPPED.value)
_AMBIGUOUS = Q(answer__decision=Decision.AMBIGUOUS.value)
_ERROR = Q(answer__decision=Decision.ERROR.value)
OUTCOMES: dict[str, Q] = {
    "answered": _ANSWERED,
    "refused": Q(answer__isnull=False) & ~_ANSWERED & ~_AMBIGUOUS & ~_ERROR,
    "ambiguous": _AMBIGUOUS,
    "failed": _ERROR & ~_STOPPED,
    "stopped": _STOPPED,
    "waiting": Q(answer__isnull=True),
}
"""What became of a line, in the order in which it is told. Each line is in exactly one of them."""

_SHOWN = ("id", "line", "text", "year_field", "status", "stop_asked_at", "answer__decision", "answer__reason")


def batches(user: Any, limit: int, before: datetime | None = None) -> list[Batch]:
    """The user's own, the newest first, each with its questions as `asked` and those answered or ended as `done`."""
    mine = _own(user)
    if before is not None:
        mine = mine.filter(uploaded_at__lt=before)
    done = Count("questions", filter=Q(questions__status=Question.Status.DONE))
    return list(mine.annotate(asked=Count("questions"), done=done).order_by("-uploaded_at", "id")[:limit])


def batch_of(user: Any, batch_id: UUID) -> Batch | None:
    """The spreadsheet if this user uploaded it, else None: nobody learns that another's exists."""
    return _own(user).filter(pk=batch_id).first()


def tally(batch: Batch) -> dict[str, int]:
    """How many questions came to each of OUTCOMES."""
    counts = {name: Count("pk", filter=condition) for name, condition in OUTCOMES.items()}
    return dict(Question.objects.filter(batch=batch).aggregate(**counts))


def lines_of(batch: Batch, limit: int, outcome: str = "", after: int = 0) -> list[dict[str, Any]]:
    """Its questions by line, from the one after line `after`: id, line, text, year_field, status, stop_asked_at,
    answer__decision, answer__reason, answer__income_year, answer__audit__number. outcome: one of OUTCOMES, "" for all.
    """
    asked = Question.objects.filter(batch=batch, line__gt=after)
    if outcome:
        asked = asked.filter(OUTCOMES[outcome])
    columns = (*_SHOWN, "answer__income_year", "answer__audit__number")
    return list(asked.order_by("line").values(*columns)[:limit])


def finished(batch: Batch) -> Iterator[Question]:
    """Its questions that have an answer on record, by line, each with the answer and its audit row; some at a time."""
    done = Question.objects.filter(batch=batch, answer__isnull=False).select_related("answer__audit")
    return done.order_by("line").iterator(chunk_size=25)


def unfinished(batch: Batch) -> QuerySet[Question]:
    """Its questions without an answer on record, by line."""
    return Question.objects.filter(batch=batch, answer__isnull=True).order_by("line")


def finished_at(batch: Batch) -> datetime | None:
    """When the newest of its answers was recorded; None where there is none."""
    found: datetime | None = Question.objects.filter(batch=batch).aggregate(at=Max("answer__decided_at"))["at"]
    return found


def waiting_count() -> int:
    """Questions of the practice's spreadsheets that no worker has taken yet."""
    return Question.objects.filter(status=Question.Status.QUEUED, batch__isnull=False).count()


def _own(user: Any) -> QuerySet[Batch]:
    return Batch.objects.filter(uploaded_by=user)
