"""The worker's side: messages that follow one another, what was lost, and a broker that is out of reach."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from asat_site.tenancy.context import current_practice_id
from asat_site.testing.hubspot_server import company
from asat_site.testing.hubspot_server.faults import too_often
from asat_site.testing.practices import KnownPractice
from clients.models import Client
from integrations.checks import addresses_are_safe
from integrations.hubspot import importing, runs, tasks
from integrations.hubspot.api import DAILY
from integrations.models import Connection, ImportRun
from integrations.tests.integration.hubspot import Waits, connected, fake, inside, work_off

Made = Callable[[], KnownPractice]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The messages that would have gone to the broker, each as (practice, run, follows) and what else was said."""
    taken: list[tuple[Any, ...]] = []
    monkeypatch.setattr(tasks.go_on, "apply_async", lambda args, **options: taken.append((*args, options)))
    return taken


def begun(known: KnownPractice) -> ImportRun:
    connected(known)
    run = runs.begin(known.users["owner"], Connection.objects.get())
    run.refresh_from_db()
    return run


def test_each_piece_asks_for_the_next_until_there_is_none(
    throwaway: Made, sent: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = throwaway()
    monkeypatch.setattr(importing.work, "__defaults__", (0.0, importing.HubSpot.of))
    with fake(None, companies=[company(number, f"Company {number}") for number in range(250)]):
        with inside(known):
            run = begun(known)
        practice, asked = str(known.id), str(run.pk)
        tasks.go_on(practice, asked, 0)
        assert sent == [(practice, asked, 1, {"countdown": None, "retry": False})]
        tasks.go_on(practice, asked, 0)  # delivered twice
        assert len(sent) == 1
        tasks.go_on(practice, asked, 1)
        tasks.go_on(practice, asked, 2)
        assert [message[2] for message in sent] == [1, 2]
        with inside(known):
            assert ImportRun.objects.get().status == "previewed"
        assert current_practice_id() is None


def test_the_sweep_goes_on_with_what_is_silent_and_with_nothing_else(
    throwaway: Made, sent: list[tuple[Any, ...]]
) -> None:
    lost, alive, waiting = throwaway(), throwaway(), throwaway()
    with fake(None, companies=[company(1, "One")]):
        for known in (lost, alive, waiting):
            with inside(known):
                begun(known)
    silent = timezone.now() - runs.LOST_AFTER - timedelta(seconds=1)
    with inside(lost):
        ImportRun.objects.update(heartbeat_at=silent, attempts=3)
        run = ImportRun.objects.get()
    with inside(waiting):
        ImportRun.objects.update(heartbeat_at=silent, status="paused")
    tasks.sweep_imports()
    assert [message[:3] for message in sent] == [(str(lost.id), str(run.pk), 3)]


def test_without_a_broker_the_import_is_kept_for_the_sweep(throwaway: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    known = throwaway()

    def refuse(*args: Any, **options: Any) -> None:
        raise OperationalError

    monkeypatch.setattr(tasks.go_on, "apply_async", refuse)
    with fake(None, companies=[company(1, "One")]), inside(known):
        run = begun(known)
        assert tasks.enqueue(run) is False
        assert ImportRun.objects.get().status == "reading"


def test_a_real_worker_reads_and_brings_in(throwaway: Made, worker: Any, hubspot_port: int) -> None:
    known = throwaway()
    listed = [company(number, f"Co {number}") for number in range(120)]
    with fake(None, port=hubspot_port, companies=listed), inside(known):
        run = begun(known)
        assert tasks.enqueue(run)
        assert _becomes(run, "previewed")
        assert runs.confirm(known.users["owner"], run)
        assert tasks.enqueue(ImportRun.objects.get())
        assert _becomes(run, "done")
        assert Client.objects.count() == 120


def test_what_hubspot_says_is_left_is_left_to_others(throwaway: Made) -> None:
    known, waits = throwaway(), Waits()
    with fake(None, companies=[company(number, f"Co {number}") for number in range(250)]) as hubspot, inside(known):
        run = begun(known)
        hubspot.burst_remaining = 4
        run = work_off(run, waits=waits)
        assert waits.count(10.0) == 3
        runs.stop(run)
        run = runs.begin(known.users["owner"], Connection.objects.get())
        hubspot.burst_remaining, hubspot.daily_remaining = 99, 99
        run = work_off(run)
        assert (run.status, run.why) == ("paused", DAILY)
        hubspot.daily_remaining = 5000
        hubspot.will(too_often("SECONDLY", None))
        waits.clear()
        assert runs.go_on(run) and work_off(run, waits=waits).report["listed"] == 250
        assert 1.0 <= waits[0] < 1.1


@pytest.mark.parametrize(
    ("url", "ids"),
    [("", []), ("https://gateway.example/hubspot", []), ("http://127.0.0.1:9", []),
     ("http://gateway.example", ["integrations.E001"]), ("gateway", ["integrations.E001"])],
)  # fmt: skip
@pytest.mark.security
def test_an_address_that_is_not_safe_is_refused_at_boot(settings: Any, url: str, ids: list[str]) -> None:
    settings.ASAT_HUBSPOT_URL = url
    assert [each.id for each in addresses_are_safe(None) if "HUBSPOT" in each.msg] == ids


def _becomes(run: ImportRun, status: str) -> bool:
    ends_at = timezone.now() + timedelta(seconds=40)
    while timezone.now() < ends_at:
        if ImportRun.objects.get(pk=run.pk).status == status:
            return True
        time.sleep(0.1)
    return False
