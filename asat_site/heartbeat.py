"""Proof that workers take work: a task that beat sends through every queue, and /health/ reads the trace of."""

from __future__ import annotations

import os
import socket
import time

import redis
from celery import shared_task
from django.conf import settings

KEY = "asat:heartbeat"
QUEUES = ("interactive", "default", "gpu")


@shared_task(name="asat_site.heartbeat", ignore_result=True)
def heartbeat(queue: str = "default") -> None:
    """Write when and where a worker last took a message of the queue."""
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=5) as client:
        mark(client, queue)


def mark(client: redis.Redis, queue: str) -> None:
    """Write that whoever takes from this queue is alive now; seconds since 1970. Raises redis.RedisError."""
    now = repr(time.time())
    client.hset(KEY, mapping={"at": now, f"at {queue}": now, "worker": f"{socket.gethostname()}:{os.getppid()}"})
    client.expire(KEY, 24 * 3600)


def worker_age_s() -> float | None:
    """Seconds since a worker last ran the heartbeat task; None when none ever did. Raises redis.RedisError."""
    return _age(_trace().get(b"at"))


def queue_ages_s() -> dict[str, float | None]:
    """The same for each queue, by its name. Raises redis.RedisError."""
    trace = _trace()
    return {queue: _age(trace.get(f"at {queue}".encode())) for queue in QUEUES}


def late_queues(limit_s: float) -> list[str]:
    """The queues whose workers were heard of once, and not in the last `limit_s` seconds. Raises redis.RedisError."""
    return [queue for queue, age in queue_ages_s().items() if age is not None and age > limit_s]


def _trace() -> dict[bytes, bytes]:
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as client:
        found: dict[bytes, bytes] = client.hgetall(KEY)
    return found


def _age(at: bytes | None) -> float | None:
    return None if at is None else max(0.0, time.time() - float(at))
