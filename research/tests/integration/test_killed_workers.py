"""Workers, brokers and databases that stop in mid-run: every question still ends in exactly one audit row."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import psutil
import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from asat_site.testing.processes import worker as start_worker
from research import queries, tasks
from research import services as questions
from research.models import Answer, AuditRow, Question

pytestmark = pytest.mark.integration

PATIENCE_S = 60
QUEUE = "killed"  # of these tests alone: the run's other worker must not step in


@pytest.fixture(autouse=True)
def own_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks.answer_question, "queue", QUEUE, raising=False)
    # Celery remembers where a task goes when it is first sent: what later tests send must not go to this queue.
    monkeypatch.setattr(tasks.answer_question, "_exec_options", None)


@pytest.fixture
def here(throwaway: Callable[[], KnownPractice], law: str) -> KnownPractice:
    return throwaway()


def asked(here: KnownPractice) -> Question:
    with in_practice(here.practice):
        return questions.ask(
            user=here.users["agent"], text="Can a harbour pilot deduct travel between ports?", year=2020
        )


def waits_for(what: Callable[[], bool], why: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < deadline, why
        time.sleep(0.1)


def state(here: KnownPractice, question: Question) -> tuple[str, int, int]:
    """(status, answers, audit rows) of the question as it stands."""
    with in_practice(here.practice):
        return (
            Question.objects.get(pk=question.pk).status,
            Answer.objects.filter(question=question).count(),
            AuditRow.objects.filter(question_id=question.pk).count(),
        )


@contextmanager
def recording_held_up(here: KnownPractice, url: str) -> Iterator[None]:
    """Holds the lock that writers of the practice's chain queue on: a worker gets as far as recording, and waits."""
    with psycopg.connect(url, autocommit=True) as holder:
        holder.execute("SELECT pg_advisory_lock(hashtextextended('asat.audit ' || %s::text, 0))", [str(here.id)])
        yield


def is_waiting_to_record(url: str) -> bool:
    sql = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with psycopg.connect(url, autocommit=True) as observer:
        row = observer.execute(sql).fetchone()
    return bool(row and row[0])


def test_a_worker_killed_in_mid_run_leaves_its_question_to_another_and_one_audit_row(
    here: KnownPractice, services: Any
) -> None:
    question = asked(here)
    log = services.directory / "killed.log"
    with start_worker(log, queue=QUEUE) as process, recording_held_up(here, services.superuser_url):
        assert tasks.enqueue(question)
        waits_for(lambda: is_waiting_to_record(services.superuser_url), "no worker came as far as recording")
        for child in psutil.Process(process.pid).children(recursive=True):
            os.kill(child.pid, signal.SIGKILL)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
    assert state(here, question) == (Question.Status.RUNNING, 0, 0)
    with in_practice(here.practice):
        long_ago = timezone.now() - queries.LOST_AFTER - timedelta(seconds=1)
        Question.objects.filter(pk=question.pk).update(heartbeat_at=long_ago)
    with start_worker(log, queue=QUEUE):
        tasks.sweep_questions()
        waits_for(lambda: state(here, question)[0] == Question.Status.DONE, "the question was never taken up again")
    assert state(here, question) == (Question.Status.DONE, 1, 1)
    with in_practice(here.practice):
        assert Question.objects.get(pk=question.pk).attempts == 2
        assert Answer.objects.get(question=question).decision == "answer"


def test_a_child_killed_under_a_living_worker_is_made_up_for(here: KnownPractice, services: Any) -> None:
    question = asked(here)
    with start_worker(services.directory / "child.log", queue=QUEUE) as process:
        with recording_held_up(here, services.superuser_url):
            assert tasks.enqueue(question)
            waits_for(lambda: is_waiting_to_record(services.superuser_url), "no worker came as far as recording")
            for child in psutil.Process(process.pid).children():
                os.kill(child.pid, signal.SIGKILL)
        with in_practice(here.practice):
            long_ago = timezone.now() - queries.LOST_AFTER - timedelta(seconds=1)
            Question.objects.filter(pk=question.pk).update(heartbeat_at=long_ago)
        tasks.sweep_questions()
        waits_for(lambda: state(here, question)[0] == Question.Status.DONE, "the question was never taken up again")
        time.sleep(2)  # the message that the dead child never acknowledged may come again
    assert state(here, question) == (Question.Status.DONE, 1, 1)


def test_a_message_that_comes_twice_runs_the_question_once(here: KnownPractice, services: Any) -> None:
    question = asked(here)
    with start_worker(services.directory / "twice.log", concurrency=2, queue=QUEUE):
        for _ in range(6):
            assert tasks.enqueue(question)
        waits_for(lambda: state(here, question)[0] == Question.Status.DONE, "the question was never answered")
        time.sleep(1)
    assert state(here, question) == (Question.Status.DONE, 1, 1)


def test_a_broker_out_of_reach_loses_nothing(
    here: KnownPractice, services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kombu.exceptions import OperationalError

    def refused(*args: Any, **options: Any) -> None:
        raise OperationalError("connection refused")

    question = asked(here)
    with monkeypatch.context() as broken:
        broken.setattr(tasks.answer_question, "apply_async", refused)
        assert tasks.enqueue(question) is False
    assert state(here, question) == (Question.Status.QUEUED, 0, 0)
    with in_practice(here.practice, using="owner"):  # the app may not move what was asked back in time
        rows = Question.objects.using("owner").filter(pk=question.pk)
        rows.update(asked_at=timezone.now() - timedelta(minutes=5))
    with start_worker(services.directory / "broker.log", queue=QUEUE):
        tasks.sweep_questions()
        waits_for(lambda: state(here, question)[0] == Question.Status.DONE, "the kept question was never run")
    assert state(here, question) == (Question.Status.DONE, 1, 1)


def test_a_database_connection_cut_while_recording_is_tried_again_and_recorded_once(
    here: KnownPractice, services: Any
) -> None:
    question = asked(here)
    with start_worker(services.directory / "cut.log", queue=QUEUE):
        with recording_held_up(here, services.superuser_url):
            assert tasks.enqueue(question)
            waits_for(lambda: is_waiting_to_record(services.superuser_url), "no worker came as far as recording")
            with psycopg.connect(services.superuser_url, autocommit=True) as attacker:
                attacker.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                )
            waits_for(lambda: not is_waiting_to_record(services.superuser_url), "the connection was not cut")
        connection.close()
        with in_practice(here.practice):
            long_ago = timezone.now() - queries.LOST_AFTER - timedelta(seconds=1)
            Question.objects.filter(pk=question.pk, status=Question.Status.RUNNING).update(heartbeat_at=long_ago)
        tasks.sweep_questions()
        waits_for(lambda: state(here, question)[0] == Question.Status.DONE, "the question was never taken up again")
    assert state(here, question) == (Question.Status.DONE, 1, 1)
