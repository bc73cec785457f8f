"""The worker's side of documents: ids in, one document read, and a message for the next. Twice does no harm."""

from __future__ import annotations

import logging
import time
from uuid import UUID

import redis
from celery import shared_task
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import KEEPER_ID, as_keeper
from asat_site.tenancy.models import Practice
from asat_site.tenancy.tasks import PracticeTask
from clients.documents import collecting, reading
from clients.models import Document

logger = logging.getLogger(__name__)

OUT_OF_REACH = (BrokerError, redis.RedisError, ConnectionError, TimeoutError)
MOST_AT_ONCE = 10  # of one practice, asked for by one sweep; each that is read asks for the next
FORGOTTEN_AFTER_S = 600


@shared_task(
    base=PracticeTask,
    name="clients.read_document",
    acks_late=True,
    reject_on_worker_lost=True,
    ignore_result=True,
    soft_time_limit=settings.ASAT_READ_LIMIT_S,
    time_limit=settings.ASAT_READ_LIMIT_S + 60,
)
def read_document(practice_id: str, document_id: str) -> None:
    """Reads one document, unless no place is free, another worker has it or it waits no more; then asks for the next
    of the practice, whose own message may have found no place.
    """
    with as_keeper():
        if not reading.read(UUID(document_id)):
            return
        after = reading.due(timezone.now()).values_list("pk", flat=True).first()
    if after is not None:
        _send(practice_id, str(after))


def enqueue(document: Document) -> None:
    """Asks for the document once it is committed. What the broker does not take, the sweep sends."""
    transaction.on_commit(lambda: _send(str(document.practice_id), str(document.pk)))


@shared_task(name="clients.sweep_documents", ignore_result=True)
def sweep_documents() -> None:
    """Asks for what waits: its message was lost, or found no place, or the worker that had it was killed."""
    for practice in Practice.objects.exclude(schema_name="public").order_by("created_at"):
        with in_practice(practice, KEEPER_ID):
            for pk in list(reading.due(timezone.now()).values_list("pk", flat=True)[:MOST_AT_ONCE]):
                if not _send(str(practice.pk), str(pk)):
                    return


@shared_task(name="clients.collect_documents", ignore_result=True)
def collect_documents() -> None:
    """Takes what lies in the drop folder, where there is one."""
    if not settings.ASAT_DROP_DIRECTORY:
        return
    try:
        done = collecting.collect(settings.ASAT_DROP_DIRECTORY, time.time())
    except OSError as error:
        logger.warning("the drop folder cannot be read: %s", type(error).__name__)
        return
    if done is not None and done.files:
        logger.info("from the drop folder: %d new, %d there already, %d refused", done.new, done.there, done.refused)


def _send(practice_id: str, document_id: str) -> bool:
    try:
        read_document.apply_async((practice_id, document_id), retry=False, expires=FORGOTTEN_AFTER_S)
    except OUT_OF_REACH as error:
        logger.warning("a document waits, broker out of reach: %s", type(error).__name__)
        return False
    return True
