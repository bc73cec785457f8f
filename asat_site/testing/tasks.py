"""Tasks that tell what they found on their connection; test workers alone have them (`celery worker --include`)."""

from __future__ import annotations

import json
import os
import time
from typing import Any

import redis
from celery import shared_task
from django.conf import settings
from django.db import connection

from asat_site.accounts.models import User
from asat_site.tenancy.tasks import PracticeTask

REPORTS = "asat:test:reports:{}"


def report(channel: str, **found: Any) -> None:
    """Push what was found where the test reads it."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.rpush(REPORTS.format(channel), json.dumps(found))


def look() -> dict[str, Any]:
    """What this connection speaks for, as the server and as the ORM see it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('search_path'), coalesce(current_setting('asat.practice_id', true), ''),"
            " coalesce(current_setting('asat.user_id', true), ''), pg_backend_pid()"
        )
        path, practice, user, backend = cursor.fetchone()
    return {"path": path, "practice": practice, "user": user, "backend": backend, "process": os.getpid()}


@shared_task(base=PracticeTask, name="asat_site.testing.look_inside")
def look_inside(practice_id: str, channel: str, ending: str) -> None:
    """Report from inside a practice; then end as told: "well", "failed" or "in a failed transaction"."""
    report(channel, **look(), emails=sorted(User.objects.values_list("email", flat=True)))
    if ending == "failed":
        raise ValueError("TFN 123 456 782")
    if ending == "in a failed transaction":
        connection.set_autocommit(False)
        User.objects.count()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")


@shared_task(name="asat_site.testing.look_outside")
def look_outside(channel: str) -> None:
    """Report from a task that enters no practice; it also tries a table by its short name."""
    report(channel, **look())
    User.objects.count()


@shared_task(name="asat_site.testing.linger")
def linger(channel: str, practice_id: str) -> None:
    """Leave a practice on the connection, as careless code would."""
    from asat_site.tenancy.context import find_practice, practice_connection

    practice_connection().set_tenant(find_practice(practice_id))
    report(channel, **look())


@shared_task(name="asat_site.testing.be_busy", ignore_result=True)
def be_busy(channel: str, seconds: float) -> None:
    """Keep a worker process busy for so long, and report when it was done."""
    time.sleep(seconds)
    report(channel, done=time.time())
