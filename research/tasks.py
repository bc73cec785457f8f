"""The worker's side of a question: ids in, services called. Running one twice does no harm."""

from __future__ import annotations

import logging
import os
import socket
import time
from dataclasses import replace
from uuid import UUID, uuid4

import httpx
import redis
from celery import shared_task
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, OperationalError
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from asat_site import heartbeat
from asat_site.tenancy.context import in_practice, practice_connection
from asat_site.tenancy.keeper import KEEPER_ID, as_keeper, as_user
from asat_site.tenancy.models import Practice
from asat_site.tenancy.tasks import PracticeTask, record_failure
from research import composition, queries, services
from research.adapters.progress_store import RedisProgress
from research.adapters.waiting_line import TICKET_PRIORITY, WaitingLine, queue_of_questions
from research.corpus import register_check
from research.corpus.ingest import embed
from research.corpus.ingest.state import current_state
from research.models import Question
from research.ports import Embedder
from research.progress import StageEvent, Tell

logger = logging.getLogger(__name__)

OUT_OF_REACH = (BrokerError, redis.RedisError, ConnectionError, TimeoutError)
LIMIT_S = settings.ASAT_QUESTION_LIMIT_S
LIMITS = {"soft_time_limit": LIMIT_S - max(1, LIMIT_S // 6), "time_limit": LIMIT_S}
AGAIN = {"retry_backoff": 5, "retry_backoff_max": 600, "retry_jitter": True, "max_retries": 4}
"""For what talks to the outside: waits of about 5, 10, 20 and 40 s, none of them the same in two workers."""
SIGN_OF_LIFE_S = 10.0


class GivenUp(Exception):
    """A question whose workers stopped twice; recorded as an error, and told to the administrators by this name."""


@shared_task(name="research.answer_next", acks_late=True, reject_on_worker_lost=True, ignore_result=True, **LIMITS)
def answer_next(line: str) -> None:
    """Answer the question whose turn it is. This is a ticket: it names no practice, and enters none by itself.

    Whatever stands in the line is entered as any task's practice is, and checked there. A question whose worker ends
    here was taken out of the line and is found by the sweep.
    """
    waiting = WaitingLine(composition.redis_client(), line)
    turn = waiting.take(f"{socket.gethostname()}:{os.getpid()}", time.time())
    if turn is None:
        return
    began = time.monotonic()
    try:
        ran = answer_question(turn.practice_id, turn.question_id)
    except Exception as error:
        answer_question.on_failure(error, f"question {turn.question_id}", (turn.practice_id,), {}, None)
        logger.error("question %s was not answered: %s", turn.question_id, type(error).__name__)
        return
    if ran:
        waiting.took(time.monotonic() - began)


@shared_task(
    base=PracticeTask,
    name="research.answer_question",
    acks_late=True,
    reject_on_worker_lost=True,
    ignore_result=True,
    **LIMITS,
)
def answer_question(practice_id: str, question_id: str) -> bool:
    """Run and record one question, unless it is answered or in another worker's hands; whether it was run.

    It runs as whoever asked it, who sees the client that it is for and no other that is restricted. Who has stopped
    seeing that client meanwhile wants no answer: it is recorded as stopped.
    """
    practice_connection().set_user(_who_asked(question_id))
    claimed = services.claim(UUID(question_id), timezone.now())
    if claimed is None:
        return False
    if claimed.attempt > services.MOST_ATTEMPTS:
        what = f"question {question_id} attempt {claimed.attempt}"
        record_failure("research.answer_question", what, GivenUp(), UUID(practice_id))
    progress = RedisProgress(composition.redis_client(), practice_id, question_id, claimed.attempt)
    try:
        services.run(claimed, _and_alive(progress))
    except services.Overtaken:
        return False
    progress.done(question_id)
    return True


def _who_asked(question_id: str) -> UUID | None:
    """As whom the question runs: whoever asked it, or the keeper for one that they do not see any more."""
    with as_keeper():
        found = Question.objects.filter(pk=question_id).values_list("asked_by_id", "client_id").first()
    asker, client_id = found or (None, None)
    if client_id is None:
        return asker
    with as_user(asker):
        if Question.objects.filter(pk=question_id).exists():
            return asker
    with as_keeper():
        Question.objects.filter(pk=question_id, stop_asked_at=None).update(stop_asked_at=timezone.now())
    return KEEPER_ID


def _and_alive(tell: Tell) -> Tell:
    """`tell`, which also gives the worker's own sign of life: a long question lets no heartbeat through."""
    said_at = time.monotonic()

    def both(event: StageEvent) -> None:
        nonlocal said_at
        tell(event)
        if time.monotonic() - said_at >= SIGN_OF_LIFE_S:
            said_at = time.monotonic()
            try:
                heartbeat.mark(composition.redis_client(), queue_of_questions())
            except redis.RedisError as error:
                logger.warning("no sign of life given: %s", type(error).__name__)

    return both


def enqueue(question: Question) -> bool:
    """Whether the question is in line. Where the broker is out of reach, the sweep puts it there later: nothing is
    lost.
    """
    line = services.waiting_line()
    try:
        if line.join(str(question.practice_id), str(question.pk), of_batch=question.batch_id is not None):
            _send_ticket(line.name)
    except OUT_OF_REACH as error:
        logger.warning("question kept, broker out of reach: %s", type(error).__name__)
        return False
    return True


def _send_ticket(line: str) -> None:
    answer_next.apply_async((line,), queue=line, priority=TICKET_PRIORITY, retry=False)


@shared_task(base=PracticeTask, name="research.put_back", ignore_result=True)
def put_back(practice_id: str, question_id: str) -> bool:
    """Whether the question is in line again, or asked anew where it had ended as an error. One answered stays so."""
    with as_keeper():
        question = Question.objects.filter(pk=question_id).first()
        if question is not None and question.status == Question.Status.DONE:
            question = services.ask_anew(question)
    return question is not None and enqueue(question)


@shared_task(name="research.sweep_questions", ignore_result=True)
def sweep_questions() -> None:
    """Put in line again what was lost: by a killed worker, a broker that forgot, or one that could not be reached.

    A practice that cannot be read, such as one whose upgrade failed, keeps no other's questions waiting.
    """
    for practice in Practice.objects.exclude(schema_name="public").order_by("created_at"):
        try:
            _sweep(practice)
        except DatabaseError as error:
            logger.error("the questions of practice %s were not swept: %s", practice.pk, type(error).__name__)
    send_missing_tickets()


def _sweep(practice: Practice) -> None:
    with in_practice(practice, KEEPER_ID):
        now = timezone.now()
        lost = Question.objects.filter(pk__in=queries.lost_questions(now)).order_by("asked_at", "pk")
        taken = [question.pk for question in lost if enqueue(question)]
        Question.objects.filter(pk__in=taken, status=Question.Status.QUEUED).update(heartbeat_at=now)


MOST_TICKETS = 500


def send_missing_tickets() -> int:
    """As many tickets as there are questions in line without one, for a broker that lost some; how many were sent.

    One too many does no harm: it finds nobody waiting.
    """
    line = services.waiting_line()
    try:
        missing = min(line.length() - line.tickets(), MOST_TICKETS)
        for _ in range(missing):
            _send_ticket(line.name)
    except OUT_OF_REACH as error:
        logger.warning("tickets not sent, broker out of reach: %s", type(error).__name__)
        return 0
    return max(missing, 0)


EMBED_SLICE_S = 10  # of computing vectors at a time
EMBED_SLICE_BESIDE_QUESTIONS_S = 2  # where questions go through the same worker: none is kept waiting longer
EMBED_CHAIN = "asat:embedding"  # held by the one chain of slices; freed by itself when its worker dies
EMBED_CHAIN_TTL_S = 60


@shared_task(name="corpus.embed_pending", ignore_result=True)
def embed_pending(chain: str = "") -> None:
    """Compute vectors for a slice of time and enqueue the next slice; beat starts a chain where none is alive."""
    broker = composition.redis_client()
    name = chain or uuid4().hex
    is_ours = broker.set(EMBED_CHAIN, name, nx=True, ex=EMBED_CHAIN_TTL_S) or broker.get(EMBED_CHAIN) == name.encode()
    if not is_ours:  # another chain is alive; the broker has sent this message twice, or late
        return
    embedder = composition.embedder()
    told = _embed_slice(embedder) if embedder else None
    if told is None or told.is_complete:
        if broker.get(EMBED_CHAIN) == name.encode():  # another chain goes on under its own name
            broker.delete(EMBED_CHAIN)
        if told is not None and told.computed:
            services.verify_examples()
        return
    broker.set(EMBED_CHAIN, name, ex=EMBED_CHAIN_TTL_S)
    embed_pending.apply_async((name,))


def _embed_slice(embedder: Embedder) -> embed.EmbedProgress | None:
    """Vectors for a slice of time: of the subject index, then everybody's law, then each practice's own documents."""
    seconds = EMBED_SLICE_BESIDE_QUESTIONS_S if queue_of_questions() == "gpu" else EMBED_SLICE_S
    phrases = embed.embed_phrases(embedder, composition.phrases(), seconds=seconds)
    if not phrases.is_complete:
        return phrases
    told = embed.embed_pending(embedder, seconds=seconds)
    if told is None or not told.is_complete:
        return told
    told = replace(told, computed=told.computed + phrases.computed)
    for practice in Practice.objects.exclude(schema_name="public").order_by("created_at"):
        try:
            with in_practice(practice):
                state = current_state(DEFAULT_DB_ALIAS, practice.id)
                if state is None or state.embedder == embedder.identity:
                    continue
                own = embed.embed_pending(embedder, seconds=seconds)
        except DatabaseError as error:  # such as of one whose upgrade failed
            logger.error("nothing was embedded for practice %s: %s", practice.pk, type(error).__name__)
            continue
        if own is None or not own.is_complete:
            return own
        told = replace(told, computed=told.computed + own.computed)
    return told


@shared_task(
    name="corpus.check_register", ignore_result=True, autoretry_for=(httpx.TransportError, OperationalError), **AGAIN
)
def check_register() -> None:
    """Ask the Register for newer text of what is held: some titles an hour, each once a day, longest unasked first."""
    if settings.ASAT_REGISTER_CHECK == "off":
        return
    with composition.register_client(register_check.MANNERS) as client:
        register_check.check_register(client, timezone.localdate(), only_due=True, seconds=register_check.SLICE_S)


def start_embedding() -> bool:
    """Whether the broker took the request to compute vectors; where it did not, beat asks again within a minute."""
    try:
        embed_pending.apply_async(retry=False)
    except OUT_OF_REACH as error:
        logger.warning("vectors wait, broker out of reach: %s", type(error).__name__)
        return False
    return True
