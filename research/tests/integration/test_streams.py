"""Progress as a browser gets it: in order, resumed where it broke off, always ended, no database connection held."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
from django.conf import settings
from django.db import connection
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from asat_site.testing.processes import web as start_web
from research import services
from research.adapters.progress_store import RedisProgress, stream_key
from research.models import Question
from research.progress import STAGES, StageEvent

pytestmark = pytest.mark.integration


@pytest.fixture
def here(throwaway: Callable[[], KnownPractice], law: str) -> KnownPractice:
    return throwaway()


@pytest.fixture
def broker(services: Any) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        yield client


def asked(here: KnownPractice) -> Question:
    with in_practice(here.practice):
        return services.ask(
            user=here.users["agent"], text="Can a harbour pilot deduct travel between ports?", year=2020
        )


def cookies_of(here: KnownPractice, role: str = "agent") -> dict[str, str]:
    return {name: morsel.value for name, morsel in here.client(role).cookies.items()}


@contextmanager
def opened(
    port: int, here: KnownPractice, question: Question, role: str = "agent", **headers: str
) -> Iterator[httpx.Response]:
    url = f"http://127.0.0.1:{port}/questions/{question.pk}/stream"
    sent = {"Host": here.host, "Accept": "text/event-stream", **headers}
    with (
        httpx.Client(cookies=cookies_of(here, role), timeout=30) as browser,
        browser.stream("GET", url, headers=sent) as response,
    ):
        yield response


def events_of(response: httpx.Response) -> list[tuple[str, str, dict[str, Any]]]:
    """(id, event, data) of each event until the stream ends."""
    found, fields = [], {}
    for line in response.iter_lines():
        if line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value
        elif not line and "event" in fields:
            found.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
            fields = {}
        elif not line:
            fields = {}
    return found


def told(broker: redis.Redis, here: KnownPractice, question: Question, attempt: int = 1) -> RedisProgress:
    return RedisProgress(broker, str(here.id), str(question.pk), attempt)


def test_a_question_runs_in_the_worker_and_its_stages_arrive_in_order(
    here: KnownPractice, web: int, worker: Path
) -> None:
    from research import tasks

    question = asked(here)
    assert tasks.enqueue(question)
    with opened(web, here, question) as response:
        assert response.status_code == 200
        assert response.headers["content-type"] == "text/event-stream"
        assert response.headers["x-accel-buffering"] == "no"
        assert "no-transform" in response.headers["cache-control"]
        events = events_of(response)
    done = [data["stage"] for _, event, data in events if event == "stage" and data["state"] == "done"]
    assert done == list(STAGES)
    assert events[-1][1] == "done" and events[-1][2] == {"question": str(question.pk)}
    told_of = " ".join(json.dumps(data) for _, _, data in events)
    assert "pilot" not in told_of  # progress carries no claim and no question
    with in_practice(here.practice):
        assert Question.objects.get(pk=question.pk).status == Question.Status.DONE


def test_a_dropped_connection_resumes_after_the_last_event_it_had(
    here: KnownPractice, web: int, broker: redis.Redis
) -> None:
    question = asked(here)
    progress = told(broker, here, question)
    for stage in STAGES[:3]:
        progress(StageEvent(stage, "done"))
    with opened(web, here, question) as response:
        first = next(line for line in response.iter_lines() if line.startswith("id: "))
    for stage in STAGES[3:]:
        progress(StageEvent(stage, "done"))
    progress.done(str(question.pk))
    with opened(web, here, question, **{"Last-Event-ID": first.removeprefix("id: ")}) as response:
        resumed = [data.get("stage", event) for _, event, data in events_of(response)]
    assert resumed == [*STAGES[1:], "done"]


def test_a_second_attempt_is_told_to_a_reader_who_saw_the_first(
    here: KnownPractice, web: int, broker: redis.Redis
) -> None:
    question = asked(here)
    told(broker, here, question, attempt=1)(StageEvent("resolve", "done"))
    second = told(broker, here, question, attempt=2)
    second(StageEvent("resolve", "running"))
    second.done(str(question.pk))
    with opened(web, here, question, **{"Last-Event-ID": "10001-0"}) as response:
        assert [identity for identity, _, _ in events_of(response)] == ["20001-0", "20002-0"]


@pytest.mark.parametrize("sent", ["../../etc", "9" * 60, "-", "abc-def", "1-0; DROP"])
def test_a_last_event_id_that_is_none_starts_from_the_beginning(
    here: KnownPractice, web: int, broker: redis.Redis, sent: str
) -> None:
    question = asked(here)
    told(broker, here, question).done(str(question.pk))
    with opened(web, here, question, **{"Last-Event-ID": sent}) as response:
        assert [event for _, event, _ in events_of(response)] == ["done"]


def test_a_recorded_answer_ends_the_stream_at_once_though_its_progress_is_gone(
    here: KnownPractice, web: int, broker: redis.Redis
) -> None:
    question = asked(here)
    with in_practice(here.practice):
        claimed = services.claim(question.pk, timezone.now())
        assert claimed is not None
        services.run(claimed)
    broker.delete(stream_key(str(here.id), str(question.pk)))
    started = time.monotonic()
    with opened(web, here, question) as response:
        assert [event for _, event, _ in events_of(response)] == ["done"]
    assert time.monotonic() - started < 3


@pytest.mark.security
def test_a_stream_is_its_askers_alone(here: KnownPractice, other_practice: KnownPractice, web: int) -> None:
    question = asked(here)
    with opened(web, here, question, role="staff") as response:
        assert response.status_code == 404
    with opened(web, other_practice, question) as response:
        assert response.status_code == 404
    url = f"http://127.0.0.1:{web}/questions/{question.pk}/stream"
    answer = httpx.get(url, headers={"Host": here.host, "Accept": "text/event-stream"})
    assert answer.status_code == 401 and "event" not in answer.text


def test_open_streams_hold_no_database_connection(here: KnownPractice, services: Any) -> None:
    """A pool of two connections, seven streams held open, and pages still come."""
    questions = [asked(here) for _ in range(7)]
    ready, release = threading.Barrier(8, timeout=30), threading.Event()
    failures: list[BaseException] = []

    def hold(question: Question, port: int) -> None:
        try:
            with opened(port, here, question) as response:
                assert response.status_code == 200
                next(response.iter_lines())
                ready.wait()
                release.wait(30)
        except BaseException as error:
            failures.append(error)
            ready.abort()
        finally:
            connection.close()

    with start_web(services.directory / "small-pool.log", ASAT_DATABASE_POOL="2") as port:
        threads = [threading.Thread(target=hold, args=(question, port)) for question in questions]
        for thread in threads:
            thread.start()
        ready.wait()
        for _ in range(6):
            page = httpx.get(
                f"http://127.0.0.1:{port}/status/", headers={"Host": here.host}, cookies=cookies_of(here), timeout=10
            )
            assert page.status_code == 200
        release.set()
        for thread in threads:
            thread.join(30)
    assert not failures
