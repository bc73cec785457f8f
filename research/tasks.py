"""The worker's side of a question: ids in, services called. Running one twice does no harm."""

from __future__ import annotations

import logging
from dataclasses import replace
from uuid import UUID, uuid4

from celery import shared_task
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS
from django.utils import timezone
from kombu.exceptions import OperationalError

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice
from asat_site.tenancy.tasks import PracticeTask
from research import composition, queries, services
from research.adapters.progress_store import RedisProgress
from research.corpus import register_check
from research.corpus.ingest import embed
from research.corpus.ingest.state import current_state
from research.models import Question
from research.ports import Embedder

logger = logging.getLogger(__name__)

LIMIT_S = 60  # one extractive answer takes well under a second; a model's takes longer


@shared_task(
    base=PracticeTask,
    name="research.answer_question",
    acks_late=True,
    reject_on_worker_lost=True,
    soft_time_limit=LIMIT_S - 10,
    time_limit=LIMIT_S,
    ignore_result=True,
)
def answer_question(practice_id: str, question_id: str) -> None:
    """Run and record one question, unless it is answered or in another worker's hands."""
    claimed = services.claim(UUID(question_id), timezone.now())
    if claimed is None:
        return
    progress = RedisProgress(composition.redis_client(), practice_id, question_id, claimed.attempt)
    services.run(claimed, progress)
    progress.done(question_id)


def enqueue(question: Question) -> bool:
    """Whether the broker took it. Where it did not, the sweep enqueues it when the broker is back: nothing is lost."""
    try:
        answer_question.apply_async((str(question.practice_id), str(question.pk)), retry=False)
    except (OperationalError, ConnectionError, TimeoutError) as error:
        logger.warning("question kept, broker out of reach: %s", type(error).__name__)
        return False
    return True


@shared_task(name="research.sweep_questions", ignore_result=True)
def sweep_questions() -> None:
    """Enqueue again what was lost: by a killed worker, a broker that forgot, or one that could not be reached."""
    for practice in Practice.objects.exclude(schema_name="public").order_by("created_at"):
        with in_practice(practice):
            now = timezone.now()
            lost = Question.objects.filter(pk__in=queries.lost_questions(now))
            for question in lost:
                if enqueue(question) and question.status == Question.Status.QUEUED:
                    Question.objects.filter(pk=question.pk, status=Question.Status.QUEUED).update(heartbeat_at=now)


EMBED_SLICE_S = 10  # of computing vectors at a time: a question that came meanwhile is not kept waiting longer
EMBED_CHAIN = "asat:embedding"  # held by the one chain of slices; freed by itself when its worker dies
EMBED_CHAIN_TTL_S = 60


@shared_task(name="corpus.embed_pending", ignore_result=True)
def embed_pending(chain: str = "") -> None:
    """Compute vectors for a slice of time and enqueue the next slice; beat starts a chain where none is alive."""
    broker = composition.redis_client()
    name = chain or uuid4().hex
    if not chain and not broker.set(EMBED_CHAIN, name, nx=True, ex=EMBED_CHAIN_TTL_S):
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
    phrases = embed.embed_phrases(embedder, composition.phrases(), seconds=EMBED_SLICE_S)
    if not phrases.is_complete:
        return phrases
    told = embed.embed_pending(embedder, seconds=EMBED_SLICE_S)
    if told is None or not told.is_complete:
        return told
    told = replace(told, computed=told.computed + phrases.computed)
    for practice in Practice.objects.exclude(schema_name="public").order_by("created_at"):
        with in_practice(practice):
            state = current_state(DEFAULT_DB_ALIAS, practice.id)
            if state is None or state.embedder == embedder.identity:
                continue
            own = embed.embed_pending(embedder, seconds=EMBED_SLICE_S)
        if own is None or not own.is_complete:
            return own
        told = replace(told, computed=told.computed + own.computed)
    return told


@shared_task(name="corpus.check_register", ignore_result=True)
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
    except (OperationalError, ConnectionError, TimeoutError) as error:
        logger.warning("vectors wait, broker out of reach: %s", type(error).__name__)
        return False
    return True
