"""/health/: whether the database, the broker and a worker answer, and what the apps add of their own.

Open to anyone, so it names no practice. Which apps add a part stands in the settings: this site knows none of them.
"""

from __future__ import annotations

from typing import Any

import redis
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.module_loading import import_string
from django.views.decorators.http import require_safe

from asat_site.heartbeat import late_queues, queue_ages_s, worker_age_s

WORKER_LATE_S = 45.0
"""The heartbeat comes every 10 s; four missed in a row mean that no worker takes work."""


@login_not_required
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """200 while questions can be asked, 503 otherwise; each part says its own state in words."""
    parts: dict[str, Any] = {"database": _database(), "broker": "ok", "worker": "ok"}
    age: float | None = None
    try:
        age = worker_age_s()
        if age is None:
            parts["worker"] = "none has been heard of"
        elif age > WORKER_LATE_S:
            parts["worker"] = "late"
        ages = queue_ages_s()
        parts["queues"] = {queue: None if s is None else round(s, 1) for queue, s in ages.items()}
        late = late_queues(WORKER_LATE_S)
        if late and parts["worker"] == "ok":
            parts["worker"] = f"late: {', '.join(late)}"
    except redis.RedisError:
        parts["broker"] = "does not answer"
        parts["worker"] = "not known"
    parts["worker_age_s"] = None if age is None else round(age, 1)
    if parts["database"] == "ok":
        parts |= {name: import_string(look)() for name, look in settings.HEALTH_PARTS.items()}
    usable = parts["database"] == "ok" and parts["broker"] == "ok"
    status = "ok" if usable and parts["worker"] == "ok" else "degraded" if usable else "down"
    response = JsonResponse({"status": status, **parts}, status=200 if usable else 503)
    response["Cache-Control"] = "no-store"
    return response


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return "does not answer"
    return "ok"
