"""One beat at a time, whichever holds the lock; health tells of a worker by its last sign of life."""

from __future__ import annotations

import time

import psycopg
import pytest
import redis
from django.conf import settings
from django.test import Client, override_settings

from asat_site import health, heartbeat
from asat_site.beat import LOCK, OneBeatScheduler
from asat_site.celery import app
from asat_site.testing.servers import Services


def scheduler() -> OneBeatScheduler:
    """A scheduler that records what it would send."""
    found = OneBeatScheduler(app=app, lazy=True)
    found.sent = []
    found.apply_async = lambda entry, *args, **kwargs: found.sent.append(entry.task)  # type: ignore[method-assign]
    found.setup_schedule()
    return found


def test_a_second_beat_sends_nothing_until_the_first_is_gone(services: Services) -> None:
    first, second = scheduler(), scheduler()
    for entry in [*first.schedule.values(), *second.schedule.values()]:
        entry.last_run_at = entry.last_run_at.replace(year=2020)  # all are due
    for _ in range(20):
        first.tick()
        assert second.tick() > 0
    assert "asat_site.heartbeat" in first.sent
    assert second.sent == []
    first.close()
    for _ in range(20):
        second.tick()
    assert "asat_site.heartbeat" in second.sent
    second.close()


def test_a_beat_whose_database_connection_is_cut_stops_sending_and_takes_the_lock_again(services: Services) -> None:
    beat = scheduler()
    beat.tick()
    with psycopg.connect(services.superuser_url, autocommit=True) as superuser:
        cut = superuser.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s", [LOCK]
        ).fetchall()
        assert cut == [(True,)]
        beat.sent.clear()
        assert beat.tick() == 5.0
        assert beat.sent == []
        beat.tick()
        held = superuser.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s", [LOCK])
        assert held.fetchone() == (1,)
    beat.close()


@pytest.mark.parametrize(("age", "wanted"), [(None, "none has been heard of"), (3, "ok"), (600, "late")])
def test_health_tells_of_the_worker_by_its_last_sign_of_life(services: Services, age: int | None, wanted: str) -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete(heartbeat.KEY)
        if age is not None:
            client.hset(heartbeat.KEY, "at", repr(time.time() - age))
        found = Client().get("/health/")
        client.delete(heartbeat.KEY)
    assert found.status_code == 200
    assert found.json()["worker"] == wanted
    assert found.json()["status"] == ("ok" if wanted == "ok" else "degraded")


def test_health_names_a_queue_that_nobody_takes_from_any_more(services: Services) -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete(heartbeat.KEY)
        for queue, age in (("interactive", 3), ("gpu", 600)):
            client.hset(heartbeat.KEY, f"at {queue}", repr(time.time() - age))
        client.hset(heartbeat.KEY, "at", repr(time.time() - 3))
        found = Client().get("/health/").json()
        client.delete(heartbeat.KEY)
    assert (found["status"], found["worker"]) == ("degraded", "late: gpu")
    assert found["queues"] == {"interactive": 3.0, "default": None, "gpu": 600.0}


def test_health_tells_of_a_broker_that_is_down(services: Services) -> None:
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        found = Client().get("/health/")
    assert found.status_code == 503
    assert (found.json()["status"], found.json()["broker"]) == ("down", "does not answer")
    assert settings.CELERY_BEAT_SCHEDULE["heartbeat of gpu"]["schedule"].total_seconds() * 3 < health.WORKER_LATE_S


def test_the_heartbeat_leaves_its_trace(services: Services) -> None:
    heartbeat.heartbeat()
    age = heartbeat.worker_age_s()
    assert age is not None
    assert age < 5
