"""Questions and audit rows as the pages list them: from what was recorded, not from the corpus of today."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from research.models import Answer, AuditRow, Question
from research.presentation import words
from research.presentation.answer import AnswerView, StageLine, answer_view, provider_words, waiting_stages


@dataclass(frozen=True, slots=True)
class Entry:
    """One question with its answer; `answer` is None while it runs, and then `stages` reserve its place."""

    id: UUID
    text: str
    asked_at: datetime
    asked_year: int | None
    answer: AnswerView | None
    audit_number: int | None
    stages: tuple[StageLine, ...]


@dataclass(frozen=True, slots=True)
class EarlierLine:
    """A question of before, on one line."""

    id: UUID
    text: str
    asked_at: datetime
    tone: str
    badge: str
    year_label: str


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One audit row in the table and on its page."""

    number: int
    recorded_at: datetime
    who: str
    question: str
    question_id: UUID | None
    year_label: str
    tone: str
    badge: str
    decision: str
    reason: str
    provider: str
    reranker: str
    snapshot: str
    settings: tuple[tuple[str, str], ...]
    digest: str
    prev_digest: str


def recorded_answer(owner: Question | AuditRow) -> Answer | None:
    """The answer that hangs on this row; None while there is none."""
    return getattr(owner, "answer", None)


def entry_of(question: Question) -> Entry:
    """The question as it is shown whole."""
    answer = recorded_answer(question)
    return Entry(
        id=question.pk,
        text=question.text,
        asked_at=question.asked_at,
        asked_year=question.year_field,
        answer=answer_view(answer.outcome) if answer else None,
        audit_number=answer.audit.number if answer else None,
        stages=waiting_stages(),
    )


def earlier_of(question: Question) -> EarlierLine:
    """The question on one line; one that still runs says so."""
    answer = recorded_answer(question)
    decision = answer.decision if answer else ""
    return EarlierLine(
        id=question.pk,
        text=question.text,
        asked_at=question.asked_at,
        tone=words.tone_of(decision) if answer else "running",
        badge=words.decision_words(decision) if answer else "Looking it up",
        year_label=_year_label(answer.income_year if answer else question.year_field),
    )


def audit_line(row: AuditRow) -> AuditLine:
    """The audit row in words; a row of another kind than an answer keeps its columns empty."""
    answer = recorded_answer(row)
    outcome: Mapping[str, Any] = answer.outcome if answer else {}
    asked_by = answer.question.asked_by if answer else None
    return AuditLine(
        number=row.number,
        recorded_at=row.recorded_at,
        who=(asked_by.get_full_name() or asked_by.email) if asked_by else "–",
        question=answer.question.text if answer else row.kind,
        question_id=row.question_id,
        year_label=_year_label(answer.income_year if answer else None),
        tone=words.tone_of(answer.decision) if answer else "",
        badge=words.decision_words(answer.decision) if answer else "",
        decision=answer.decision if answer else "",
        reason=answer.reason if answer else "",
        provider=provider_words(str(outcome.get("provider", "")), str(outcome.get("model", ""))),
        reranker=str(outcome.get("reranker", "")),
        snapshot=answer.snapshot_id if answer else "",
        settings=tuple(sorted((str(k), str(v)) for k, v in (outcome.get("settings") or {}).items())),
        digest=row.digest,
        prev_digest=row.prev_digest,
    )


def _year_label(year: int | None) -> str:
    return f"FY{year}" if year else ""
