"""The worker's side of an import: ids in, a piece of work, and a message for the next. Twice does no harm."""

from __future__ import annotations

import logging
from uuid import UUID

import redis
from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice
from asat_site.tenancy.tasks import PracticeTask
from integrations.hubspot import importing, runs
from integrations.models import Connection, ImportRun

logger = logging.getLogger(__name__)

OUT_OF_REACH = (BrokerError, redis.RedisError, ConnectionError, TimeoutError)


@shared_task(
    base=PracticeTask,
    name="integrations.hubspot_import",
    acks_late=True,
    reject_on_worker_lost=True,
    ignore_result=True,
)
def go_on(practice_id: str, run_id: str, follows: int) -> None:
    """Do the next piece of an import, unless another worker has it, and ask for the one after."""
    after = importing.work(UUID(run_id), follows)
    if after is not None:
        _send(practice_id, run_id, *after)


def enqueue(run: ImportRun) -> bool:
    """Whether the broker took the message; where it did not, the sweep sends it later."""
    return _send(str(run.practice_id), str(run.pk), run.attempts)


@shared_task(name="integrations.sweep_imports", ignore_result=True)
def sweep_imports() -> None:
    """Go on with what was lost: by a killed worker, or a broker that forgot or could not be reached."""
    for practice in Practice.objects.exclude(schema_name="public").order_by("created_at"):
        with in_practice(practice):
            silent = ImportRun.objects.filter(
                connection__kind=Connection.Kind.HUBSPOT,
                status__in=ImportRun.WORKING,
                heartbeat_at__lt=timezone.now() - runs.LOST_AFTER,
            )
            for run in silent:
                enqueue(run)


def _send(practice_id: str, run_id: str, follows: int, wait_s: float = 0.0) -> bool:
    try:
        go_on.apply_async((practice_id, run_id, follows), countdown=wait_s or None, retry=False)
    except OUT_OF_REACH as error:
        logger.warning("an import waits, broker out of reach: %s", type(error).__name__)
        return False
    return True
