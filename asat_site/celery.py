"""The Celery application: tasks, the beat schedule's home, and the checks a worker makes before it takes work."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, celeryd_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "asat_site.settings.dev")

app = Celery("asat", task_cls="asat_site.tenancy.tasks:RecordedTask")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
@beat_init.connect
def check_before_work(**_: Any) -> None:
    """Refuse to take work as a role that row-level security does not bind; the message holds the remedy."""
    from asat_site.tenancy.checks import UnsafeDatabase, refuse_unsafe_database

    try:
        refuse_unsafe_database()
    except UnsafeDatabase as error:
        raise SystemExit(str(error)) from None  # Celery would log any other exception and carry on
