"""The worker's side of Xero: ids in, services called. Running one twice does no harm."""

from __future__ import annotations

import logging
from uuid import UUID

import redis
from celery import shared_task
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import KEEPER_ID, as_keeper, as_user
from asat_site.tenancy.models import Practice
from asat_site.tenancy.tasks import PracticeTask
from integrations.models import XeroPush
from integrations.xero import access, consenting, outbox, sending

logger = logging.getLogger(__name__)

OUT_OF_REACH = (BrokerError, redis.RedisError, ConnectionError, TimeoutError)
MOST_AT_ONCE = 50
FORGOTTEN_AFTER_S = 30


@shared_task(
    base=PracticeTask, name="integrations.push_bill", acks_late=True, reject_on_worker_lost=True, ignore_result=True
)
def push_bill(practice_id: str, push_id: str) -> None:
    """Take one bill as far as it goes now, unless another worker has it.

    It runs as whoever pushed it, who sees the client that it is for; who does not any more sends nothing.
    """
    with as_keeper():
        found = XeroPush.objects.filter(pk=push_id).first()
    if found is None:
        return
    with as_user(found.by_id):
        push = outbox.claim(UUID(push_id), timezone.now())
        if push is not None:
            sending.carry(push)
            return
        is_seen = XeroPush.objects.filter(pk=push_id).exists()
    if not is_seen:
        with as_keeper():
            hidden = outbox.claim(UUID(push_id), timezone.now())
            if hidden is not None:
                outbox.fails(hidden, outbox.SEEN_NO_MORE)


def enqueue(pushes: list[XeroPush]) -> None:
    """Ask for these bills once they are committed. What the broker does not take, the sweep sends."""

    def send() -> None:
        for push in pushes:
            if not _send(push):
                return

    transaction.on_commit(send)


@shared_task(name="integrations.sweep_bills", ignore_result=True)
def sweep_bills() -> None:
    """Go on with bills that wait for nothing any more, or that a killed worker had; and end what is to be ended."""
    for practice in Practice.objects.exclude(schema_name="public").order_by("created_at"):
        with in_practice(practice, KEEPER_ID):
            outbox.strand(timezone.now())
            for push in outbox.due(timezone.now(), MOST_AT_ONCE):
                if not _send(push):
                    return
            for organisation in consenting.waiting_to_end():
                end_connection.apply_async((str(practice.pk), organisation.pk), retry=False)


@shared_task(base=PracticeTask, name="integrations.end_xero", ignore_result=True)
def end_connection(practice_id: str, organisation_id: int) -> None:
    """Tell Xero of the end of a connection that it could not be told of before."""
    with as_keeper():
        for organisation in consenting.waiting_to_end():
            if organisation.pk == organisation_id:
                consenting.finish_ending(organisation)


@shared_task(name="integrations.refresh_xero", ignore_result=True)
def refresh_xero() -> None:
    """Ask for a refresh of every grant that is due, so that none lapses for want of use."""
    for practice in Practice.objects.exclude(schema_name="public").order_by("created_at"):
        with in_practice(practice, KEEPER_ID):
            for grant_id in access.due(timezone.now()):
                try:
                    refresh_grant.apply_async((str(practice.pk), str(grant_id)), retry=False)
                except OUT_OF_REACH as error:
                    logger.warning("refreshing waits, broker out of reach: %s", type(error).__name__)
                    return


@shared_task(base=PracticeTask, name="integrations.refresh_grant", ignore_result=True)
def refresh_grant(practice_id: str, grant_id: str) -> None:
    """Refresh one grant, at whatever client it stands."""
    with as_keeper():
        access.keep_alive(UUID(grant_id))


def _send(push: XeroPush) -> bool:
    try:
        push_bill.apply_async((str(push.practice_id), str(push.pk)), retry=False, expires=FORGOTTEN_AFTER_S)
    except OUT_OF_REACH as error:
        logger.warning("a bill waits, broker out of reach: %s", type(error).__name__)
        return False
    return True
