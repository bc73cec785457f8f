"""Questions and audit rows as the pages list them: from what was recorded, not from the corpus of today."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from clients.models import Client
from research.models import Answer, AuditRow, Question
from research.outcome_json import outcomes_in
from research.presentation import sides, words
from research.presentation.answer import AnswerView, StageLine, answer_view, provider_words, waiting_stages


@dataclass(frozen=True, slots=True)
class Entry:
    """One question with its answer; `answer` is None while it runs, and then `stages` reserve its place.

    frameworks: what its search was narrowed to, all where empty; asked again, it is narrowed to the same.
    uses_subject_index: whether its words were read as terms of the law; asked again, they are read so too.
    typed: what was typed where `text` is a follow-up written out, else "". is_stopping: whether it was asked to stop.
    client: whom it was asked for.
    """

    id: UUID
    text: str
    asked_at: datetime
    asked_year: int | None
    answer: AnswerView | None
    audit_number: int | None
    stages: tuple[StageLine, ...]
    frameworks: tuple[str, ...]
    uses_subject_index: bool = True
    typed: str = ""
    is_stopping: bool = False
    client: Client | None = None


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


@dataclass(frozen=True, slots=True)
class AskedLine:
    """A question asked for a client, on one line. audit_number: of its answer, None while it runs."""

    line: EarlierLine
    who: str
    audit_number: int | None
    is_mine: bool


def asked_line(question: Question, reader: Any) -> AskedLine:
    """The question on one line of a client's page; answers are read from its audit row by all who see the client."""
    answer = recorded_answer(question)
    asker = question.asked_by
    return AskedLine(
        line=earlier_of(question),
        who=(asker.get_full_name() or asker.get_username()) if asker else "",
        audit_number=answer.audit.number if answer else None,
        is_mine=question.asked_by_id == reader.pk,
    )


def recorded_answer(owner: Question | AuditRow) -> Answer | None:
    """The answer that hangs on this row; None while there is none."""
    return getattr(owner, "answer", None)


def wordings_to_read(questions: Iterable[Question]) -> list[int]:
    """The versions whose texts `entry_of` marks the differing words by: of questions for two times alone."""
    answers = [answer for question in questions if (answer := recorded_answer(question))]
    return sorted(
        {
            version
            for answer in answers
            for one in outcomes_in(answer.outcome)
            for version in sides.wordings_compared(one)
        }
    )


def entry_of(question: Question, texts: Mapping[int, str] | None = None) -> Entry:
    """The question as it is shown whole. texts: by version, of those that `wordings_to_read` names."""
    answer = recorded_answer(question)
    return Entry(
        id=question.pk,
        text=question.text,
        asked_at=question.asked_at,
        asked_year=question.year_field,
        answer=answer_view(answer.outcome, texts) if answer else None,
        audit_number=answer.audit.number if answer else None,
        stages=waiting_stages(),
        frameworks=tuple(question.frameworks),
        uses_subject_index=question.uses_subject_index,
        typed=question.typed,
        is_stopping=question.stop_asked_at is not None,
        client=question.client,
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
        year_label=_years_of(answer) if answer else _year_label(question.year_field),
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
        year_label=_years_of(answer) if answer else "",
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


def _years_of(answer: Answer) -> str:
    """ "FY2015", or all of a question for two times, or with parts for several: "FY2015, FY2024"."""
    times = [one["time"] for one in outcomes_in(answer.outcome)[1:] if one.get("time")]
    return ", ".join(dict.fromkeys(_year_label(time["year"]) for time in times)) or _year_label(answer.income_year)


def _year_label(year: int | None) -> str:
    return f"FY{year}" if year else ""
