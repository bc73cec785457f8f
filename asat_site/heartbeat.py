"""Proof that a worker takes work: a task that beat sends and /health/ reads the trace of."""

from __future__ import annotations

import os
import socket
import time

import redis
from celery import shared_task
from django.conf import settings

KEY = "asat:heartbeat"


@shared_task(name="asat_site.heartbeat", ignore_result=True)
def heartbeat() -> None:
    """Write when and where a worker last ran a task; seconds since 1970."""
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=5) as client:
        client.hset(KEY, mapping={"at": repr(time.time()), "worker": f"{socket.gethostname()}:{os.getppid()}"})
        client.expire(KEY, 24 * 3600)


def worker_age_s() -> float | None:
    """Seconds since a worker last ran the heartbeat task; None when none ever did. Raises redis.RedisError."""
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as client:
        found = client.hget(KEY, "at")
    return None if found is None else max(0.0, time.time() - float(found))
