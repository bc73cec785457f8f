"""The worker's side of the register: a long file of clients is looked through and brought in here."""

from __future__ import annotations

import logging
from typing import Any
from uuid import UUID

import redis
from celery import shared_task
from django.core.cache import cache
from kombu.exceptions import OperationalError as BrokerError

from asat_site.tenancy.keeper import as_user
from asat_site.tenancy.tasks import PracticeTask
from clients import services_import
from clients.models import ClientImport

OUT_OF_REACH = (BrokerError, redis.RedisError, ConnectionError, TimeoutError)
ASKED_AGAIN_AFTER_S = 120  # then whoever still waits asks for it again

logger = logging.getLogger(__name__)


@shared_task(base=PracticeTask, name="clients.run_import", ignore_result=True)
def run_import(practice_id: str, user_id: str, import_id: str) -> None:
    """Looks through the file, or brings it in where it was confirmed. As whoever sent it: nobody else sees the file,
    and what it is compared with are the clients that they see.
    """
    with as_user(UUID(user_id)):
        row = ClientImport.objects.filter(pk=import_id).first()
        if row is not None and row.status == ClientImport.Status.CHECKING:
            services_import.look_through(row)
        elif row is not None and row.status == ClientImport.Status.COMING_IN:
            services_import.bring_in(row)


def start_import(row: ClientImport) -> bool:
    """Whether a worker has it or will; asked for once in a while, however often this is called."""
    key = f"client-import:{row.pk}:{row.status}"
    if not cache.add(key, True, ASKED_AGAIN_AFTER_S):
        return True
    try:
        arguments: Any = (str(row.practice_id), str(row.by_id), str(row.pk))
        run_import.apply_async(arguments, retry=False)
    except OUT_OF_REACH as error:
        logger.warning("a file of clients waits, broker out of reach: %s", type(error).__name__)
        cache.delete(key)
        return False
    return True
