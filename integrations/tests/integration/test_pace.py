"""The pace that all workers share: never more than the limits, whoever asks, and nobody waits without end."""

from __future__ import annotations

import threading
import time
from uuid import uuid4

import pytest
import redis
from django.conf import settings

from integrations.pace import NO_COUNT, TOO_BUSY, Limit, Pace, pace_of
from integrations.terms import TryLater


def client() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL)


def test_calls_of_several_workers_never_exceed_a_limit() -> None:
    name, began, lock = uuid4().hex, [], threading.Lock()

    def ask() -> None:
        pace = Pace(client(), name, (Limit(4, 0.5), Limit(10, 60.0)))
        for _ in range(2):
            with pace.turn(), lock:
                began.append(time.time())

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    began.sort()
    assert len(began) == 10
    assert all(later - earlier >= 0.45 for earlier, later in zip(began, began[4:], strict=False))
    with pytest.raises(TryLater) as later, Pace(client(), name, (Limit(10, 60.0),)).turn(0.1):
        pass
    assert later.value.message == TOO_BUSY
    assert 0 < (later.value.retry_after_s or 0) <= 60


def test_no_more_are_under_way_than_may_be_and_a_dead_one_is_forgotten() -> None:
    name = uuid4().hex
    pace = Pace(client(), name, (), most_at_once=2, lease_s=0.3)
    with pace.turn(), pace.turn():
        with pytest.raises(TryLater), pace.turn(0.0):
            pass
        with pace.turn(2.0):  # the leases of the two outer ones have run out by then
            pass
    with pace.turn(0.0), pace.turn(0.0):
        pass


def test_two_accounts_do_not_hold_each_other_up() -> None:
    one, other = uuid4().hex, uuid4().hex
    limits = (Limit(1, 60.0),)
    with pace_of(one, limits).turn(0.0), pace_of(other, limits).turn(0.0):
        pass
    with pytest.raises(TryLater), pace_of(one, limits).turn(0.0):
        pass


def test_without_the_shared_count_nothing_is_sent() -> None:
    nowhere = redis.Redis.from_url("redis://127.0.0.1:9/0", socket_connect_timeout=0.2)
    with pytest.raises(TryLater) as later, Pace(nowhere, "x", (Limit(1, 1.0),)).turn():
        raise AssertionError("it was let through")
    assert later.value.message == NO_COUNT
