"""What can be done with questions: each a verb, each in one transaction. Nothing here enqueues: callers do."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from traceback import format_tb
from typing import Any
from uuid import UUID, uuid5

import redis
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from asat_site.secrets import CannotOpen
from clients.models import Client
from research import composition, flow, queries, shown
from research.adapters.corpus_store import one_question
from research.adapters.law_sql import NOW, View
from research.adapters.waiting_line import Place, WaitingLine, about, queue_of_questions
from research.audit import record, replay
from research.corpus.ingest import examples
from research.corpus.queries import covered_years, frameworks_held
from research.decision import words
from research.flow import Ports
from research.law.income_year import IncomeYear
from research.model_terms import ModelFailed
from research.models import Answer, AuditRow, Batch, Conversation, Question
from research.outcome_json import outcome_to_json
from research.ports import Asked
from research.progress import StageEvent, Tell, tell_nobody
from research.question.route import QuestionRefused, clean_question
from research.terms import Decision, Outcome, Reason, Window

MOST_ATTEMPTS = 2
HEARTBEAT_S = 5.0  # a quarter of `queries.LOST_AFTER`; whoever waits for a model says so every two seconds

logger = logging.getLogger(__name__)


class NotAskable(Exception):
    """The question cannot be asked as it stands; `message` says why, in words for the person who typed it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BrokenOff(Exception):
    """There is no more use in running a question; raised by whatever is told how far it has come."""


class Stopped(BrokenOff):
    """Who asked it wants no answer any more."""


class Overtaken(BrokenOff):
    """Another worker took it, because this one gave no sign of life for too long. It is the other's to record."""


def ask(
    *,
    user: Any,
    text: str,
    year: int | None,
    frameworks: Sequence[str] = (),
    uses_subject_index: bool = True,
    conversation: Conversation | None = None,
    typed: str = "",
    batch: Batch | None = None,
    line: int | None = None,
    client: Client | None = None,
) -> Question:
    """The saved question, queued. Raises NotAskable, with nothing saved, for what no run could answer, and where too
    many of the practice wait already.

    frameworks: what the search is narrowed to; all where empty. uses_subject_index: whether lay words are read
    as terms of the law. conversation: of which it is a message. typed: what was typed where `text` is written out.
    batch and line: of a spreadsheet, whose questions wait behind all others and are not counted. client: whom it is
    asked for, one that whoever asks may see.
    """
    if batch is None:
        refuse_if_too_many_wait(queries.waiting_count())
    cleaned = clean_question(text)
    if isinstance(cleaned, QuestionRefused):
        raise NotAskable(cleaned.message)
    if year is not None:
        try:
            IncomeYear(year)
        except ValueError as error:
            raise NotAskable(f"That income year cannot be used: {error}.") from error
    held = frameworks_held()
    if unknown := [name for name in frameworks if name not in held]:
        raise NotAskable(f"Nothing is loaded of {unknown[0][:80]}; search can be narrowed to: {', '.join(held)}.")
    return Question.objects.create(
        asked_by=user,
        text=cleaned.text,
        year_field=year,
        frameworks=sorted(set(frameworks)),
        uses_subject_index=uses_subject_index,
        conversation=conversation,
        typed=typed,
        batch=batch,
        line=line,
        client=client,
    )


def ask_anew(ended: Question) -> Question | None:
    """The same question of the same person once more, as a question of its own; None unless `ended` is an error.

    However often it is called, there is one of them. What was recorded stays.
    """
    is_error = Answer.objects.filter(question=ended, decision=Decision.ERROR.value)
    if not is_error.exclude(reason=Reason.STOPPED.value).exists():
        return None
    copied = ("asked_by", "text", "year_field", "frameworks", "uses_subject_index", "conversation", "typed", "client")
    again, _ = Question.objects.get_or_create(
        pk=uuid5(ended.pk, "asked anew"), defaults={name: getattr(ended, name) for name in copied}
    )
    return again


def refuse_if_too_many_wait(waiting: int) -> None:
    """Raises NotAskable, with how long the line takes, where a practice has as many questions waiting as it may."""
    if waiting < settings.ASAT_MOST_WAITING:
        return
    try:
        wait_s = waiting_line().wait_s(waiting)
    except redis.RedisError:
        wait_s = None
    takes = "" if wait_s is None else f", which takes {about(wait_s)}"
    raise NotAskable(f"{waiting:,} questions of this practice wait already{takes}. Ask again when some are answered.")


def waiting_line() -> WaitingLine:
    """The line that this installation's questions wait in."""
    return WaitingLine(composition.redis_client(), queue_of_questions())


def place_in_line(question: Question) -> Place | None:
    """Where a question stands; None when it is running or answered, or nobody can say."""
    if question.status != Question.Status.QUEUED:
        return None
    try:
        return waiting_line().place(str(question.practice_id), str(question.pk))
    except redis.RedisError:
        return None


@dataclass(frozen=True, slots=True)
class Claimed:
    """A question that this worker alone runs now. attempt counts from 1."""

    question: Question
    attempt: int


def claim(question_id: UUID, now: datetime) -> Claimed | None:
    """The question for this worker to run; None when it is answered, or another worker has it and is alive."""
    with transaction.atomic():
        question = Question.objects.select_for_update().filter(pk=question_id).first()
        if question is None or question.status == Question.Status.DONE:
            return None
        silent_since = now - queries.LOST_AFTER
        if (
            question.status == Question.Status.RUNNING
            and question.heartbeat_at is not None
            and question.heartbeat_at > silent_since
        ):
            return None
        question.status = Question.Status.RUNNING
        question.attempts += 1
        question.heartbeat_at = now
        question.save(update_fields=["status", "attempts", "heartbeat_at"])
    return Claimed(question, question.attempts)


def run(claimed: Claimed, tell: Tell = tell_nobody) -> Outcome:
    """The outcome of a claimed question, recorded with its audit row. A component that fails is recorded as `error`.

    The model of the world is read outside any transaction; only the recording is one. Raises Overtaken, with nothing
    recorded, when another worker has the question.
    """
    asked = _asked(claimed.question)
    if claimed.question.stop_asked_at is not None:
        outcome = _stopped(asked.text)
    elif claimed.attempt > MOST_ATTEMPTS:
        outcome = shown.failed(asked.text, "The worker stopped twice while this question ran.")
    else:
        view = View(frameworks=asked.frameworks)
        told = _showing_life(claimed, tell)
        drafts = partial(composition.ports_of_practice, client_id=claimed.question.client_id)
        try:
            outcome = try_question(
                asked.text,
                asked.year_field,
                asked.today,
                told,
                view,
                asked.uses_subject_index,
                drafts,
                asked.balance_month,
            )
        except Stopped:
            outcome = _stopped(asked.text)
    composition.audit_store().append(asked, outcome)
    return outcome


def stop(question: Question, now: datetime) -> bool:
    """Whether the question has ended with this; one that runs ends at its worker's next sign of life.

    Recorded like every other end, in one audit row. A question that is answered stays so.
    """
    with transaction.atomic():
        locked = Question.objects.select_for_update().get(pk=question.pk)
        if locked.status == Question.Status.DONE:
            return True
        if locked.stop_asked_at is None:
            locked.stop_asked_at = now
            locked.save(update_fields=["stop_asked_at"])
        if locked.status == Question.Status.RUNNING:
            return False
        asked = _asked(locked)
        composition.audit_store().append(asked, _stopped(asked.text))
    with suppress(redis.RedisError):  # its turn would come to nothing
        waiting_line().leave(str(question.practice_id), str(question.pk))
    return True


def _asked(question: Question) -> Asked:
    return Asked(
        question_id=str(question.pk),
        text=question.text,
        year_field=question.year_field,
        today=timezone.localdate(),
        asked_by=str(question.asked_by_id or ""),
        frameworks=tuple(question.frameworks),
        uses_subject_index=question.uses_subject_index,
        balance_month=_balance_month(question),
    )


def _balance_month(question: Question) -> int:
    """In which month the income year of the client ends; the ordinary June for nobody, and where it is not recorded."""
    return (question.client.income_year_end if question.client else None) or 6


def _stopped(text: str) -> Outcome:
    return shown.unsearched(text, Decision.ERROR, Reason.STOPPED, words.words_for(Reason.STOPPED))


def _showing_life(claimed: Claimed, tell: Tell) -> Tell:
    """`tell`, which also says now and then that this worker lives, so that no other takes its question.

    It raises BrokenOff as soon as going on would be of no use.
    """
    said_at = time.monotonic()
    mine = Question.objects.filter(pk=claimed.question.pk, attempts=claimed.attempt, status=Question.Status.RUNNING)

    def both(event: StageEvent) -> None:
        nonlocal said_at
        found = list(mine.values_list("stop_asked_at", flat=True))
        if not found:
            raise Overtaken
        if found[0] is not None:
            raise Stopped
        tell(event)
        if time.monotonic() - said_at >= HEARTBEAT_S:
            said_at = time.monotonic()
            mine.update(heartbeat_at=timezone.now())

    return both


Drafts = Callable[[View, bool], tuple[Ports, str]]
"""Makes the world that a question is asked in, of a view of the law and with or without the subject index; and says, in
a sentence, why the model that was chosen does not draft."""


def quoting(view: View, uses_subject_index: bool) -> tuple[Ports, str]:
    """The world in which the law is quoted without a model, whatever the practice chose."""
    return composition.ports(view, uses_subject_index), ""


def try_question(
    text: str,
    year: int | None,
    today: date,
    tell: Tell = tell_nobody,
    view: View = NOW,
    uses_subject_index: bool = True,
    drafts: Drafts = composition.ports_of_practice,
    balance_month: int = 6,
) -> Outcome:
    """The outcome of a question, recorded nowhere. view: of which law, as known when; all of it as known now.

    drafts: by whom; the practice's own choice unless another is given. balance_month: in which the income year of whom
    it is asked for ends.
    """
    ports: Ports | None = None
    try:
        ports, why_quoted = drafts(view, uses_subject_index)
        with one_question():
            named = IncomeYear(year) if year else None
            outcome = flow.answer_question(text, named, today, ports, tell, balance_month)
        told = (*outcome.cautions, why_quoted) if why_quoted and _quotes(outcome) else outcome.cautions
        return replace(outcome, frameworks=view.frameworks, cautions=told)
    except BrokenOff:
        raise
    except ModelFailed as error:
        who = ports.generator if ports else None
        return shown.model_failed(text, error.message, who.provider if who else "", who.model if who else "")
    except CannotOpen as error:
        return shown.failed(text, str(error))
    except SoftTimeLimitExceeded:
        return shown.failed(text, f"It took longer than {settings.ASAT_QUESTION_LIMIT_S} seconds.")
    except Exception as error:  # whatever fails is an outage and never an abstention
        # Where it failed and not what it said: a message may hold the question's words.
        logger.error("a component failed: %s\n%s", type(error).__name__, "".join(format_tb(error.__traceback__)))
        return shown.failed(text, f"A part of AsAt failed ({type(error).__name__}).")


def _quotes(outcome: Outcome) -> bool:
    """Whether anything is quoted in it, for either of two times or in any part."""
    return bool(outcome.claims) or any(map(_quotes, (*outcome.sides, *outcome.parts)))


def recover_if_lost(question: Question, now: datetime | None = None) -> bool:
    """Whether the question was lost and should be enqueued again by the caller."""
    return queries.is_lost(question.pk, now or timezone.now())


def replay_row(
    row: AuditRow, tell: Callable[[StageEvent], None] = tell_nobody, as_known_then: bool = False
) -> tuple[dict[str, Any], replay.Replay]:
    """What the recorded question gives now, and how that compares with what was recorded. Changes nothing.

    as_known_then: asked of the law as it was known at the moment of recording, whatever was loaded since. Asks and
    compares by the payload, which the chain proves, and not by the rows that are kept to be shown. No language model is
    asked again: what it said is in the record, and is checked anew.
    """
    recorded = record.recorded_in(row.payload)
    view = View(known_at=recorded.known_at if as_known_then else None, frameworks=recorded.frameworks)
    asked = (recorded.text, recorded.year_field, recorded.today)
    now = outcome_to_json(
        try_question(*asked, tell, view, recorded.uses_subject_index, _as_recorded(recorded), recorded.balance_month)
    )
    found = replay.compare(recorded.outcome, record.as_recorded(now))
    if altered := unlike_its_record(row):
        found = replace(found, verdict=replay.DIVERGED, differences=(altered, *found.differences))
    return now, found


def _as_recorded(recorded: record.Recorded) -> Drafts:
    """The world of a replay: with what the model said then, or without one where none drafted."""
    said = recorded.made_by
    if said is None:
        return quoting
    return lambda view, uses_subject_index: (composition.ports_of_record(said, view, uses_subject_index), "")


def unlike_its_record(row: AuditRow) -> str:
    """What is kept beside an audit row and is not what the row proves, in a sentence; "" for nothing."""
    answer = getattr(row, "answer", None)
    if answer is None:
        return ""
    return record.unlike(row.payload, answer.question.text, answer.question.year_field, answer.outcome)


def search_state() -> str:
    """How the law can be searched now, for /health/: "by word and meaning", or what is missing, in words."""
    years = covered_years()
    if not years:
        return "no law is loaded"
    snapshot = composition.store().snapshot(Window.of_year(years[-1]))
    return " ".join(snapshot.degraded) or "by word and meaning"


def warm_up() -> float:
    """Answer a question, recorded nowhere and with no language model, so that the next one waits for no file and no
    table; the seconds it took. Reads only what is everybody's.
    """
    began = time.perf_counter()
    examples_held = queries.examples()
    text, year = examples_held[0] if examples_held else ("What can be deducted?", timezone.localdate().year)
    try_question(text, year, timezone.localdate(), drafts=quoting)
    return time.perf_counter() - began


def verify_examples() -> tuple[int, int]:
    """Ask the example questions as the law stands now and offer those that are answered: (offered, asked)."""
    today = timezone.localdate()
    return examples.verify_examples(
        lambda text, year: try_question(text, year, today, drafts=quoting).decision is Decision.ANSWER,
        composition.store().snapshot(Window(today, today)).snapshot_id,
    )
