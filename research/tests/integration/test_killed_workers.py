"""Workers, brokers and databases that stop in mid-run, also while a model is asked: every question still ends, in
exactly one audit row.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import redis
from django.conf import settings
from django.db import OperationalError, connection
from django.utils import timezone
from psycopg import sql

from asat_site.running import postgres, valkey
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import TaskFailure
from asat_site.testing.practices import KnownPractice
from asat_site.testing.processes import worker as start_worker
from research import queries, tasks
from research import services as questions
from research.adapters.progress_store import stream_key
from research.adapters.waiting_line import WaitingLine
from research.models import Answer, AuditRow, Question

pytestmark = [pytest.mark.integration, pytest.mark.alone]

PATIENCE_S = 60
QUEUE = "killed"  # of these tests alone: the run's other worker must not step in


@pytest.fixture(autouse=True)
def own_queue(services: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A queue with nothing in it, and no question elsewhere that a sweep of every practice would put there."""
    for module in (questions, tasks):
        monkeypatch.setattr(module, "queue_of_questions", lambda: QUEUE)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        kept = [*client.scan_iter(f"{QUEUE}*"), *client.scan_iter(f"asat:line:{QUEUE}:*")]
        if kept:
            client.delete(*kept)
    with psycopg.connect(services.superuser_url, autocommit=True) as cleaner:
        schemas = cleaner.execute("SELECT schemaname FROM pg_tables WHERE tablename = 'research_question'").fetchall()
        for (schema,) in schemas:
            table = sql.Identifier(schema, "research_question")
            cleaner.execute(sql.SQL("UPDATE {} SET status = 'done' WHERE status <> 'done'").format(table))


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


def falls_silent(here: KnownPractice, question: Question) -> None:
    """As after twenty seconds without a sign of life."""
    with in_practice(here.practice):
        long_ago = timezone.now() - queries.LOST_AFTER - timedelta(seconds=1)
        Question.objects.filter(pk=question.pk).exclude(status=Question.Status.DONE).update(heartbeat_at=long_ago)


def kill(process: subprocess.Popen[bytes]) -> None:
    """A worker and the processes it made, at once."""
    for child in psutil.Process(process.pid).children(recursive=True):
        os.kill(child.pid, signal.SIGKILL)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)


@pytest.fixture
def hold(tmp_path: Path) -> Path:
    """While this file exists, a worker that is told of it stays in its call of the generator."""
    found = tmp_path / "hold"
    found.touch()
    return found


def is_asking_the_model(here: KnownPractice, question: Question) -> bool:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        entries = client.xrange(stream_key(str(here.id), str(question.pk)))
    return any(b'"held up"' in entry[b"data"] for _, entry in entries)


@contextmanager
def recording_held_up(here: KnownPractice, url: str) -> Iterator[None]:
    """Holds the lock that writers of the practice's chain queue on: a worker gets as far as recording, and waits."""
    with psycopg.connect(url, autocommit=True) as holder:
        holder.execute("SELECT pg_advisory_lock(hashtextextended('asat.audit ' || %s::text, 0))", [str(here.id)])
        yield


def is_waiting_to_record(url: str) -> bool:
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with psycopg.connect(url, autocommit=True) as observer:
        row = observer.execute(waiting).fetchone()
    return bool(row and row[0])


def test_a_worker_killed_in_mid_run_leaves_its_question_to_another_and_one_audit_row(
    here: KnownPractice, services: Any
) -> None:
    question = asked(here)
    log = services.directory / "killed.log"
    with start_worker(log, queue=QUEUE) as process, recording_held_up(here, services.superuser_url):
        assert tasks.enqueue(question)
        waits_for(lambda: is_waiting_to_record(services.superuser_url), "no worker came as far as recording")
        kill(process)
    assert state(here, question) == (Question.Status.RUNNING, 0, 0)
    falls_silent(here, question)
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
        falls_silent(here, question)
        tasks.sweep_questions()
        waits_for(lambda: state(here, question)[0] == Question.Status.DONE, "the question was never taken up again")
        time.sleep(2)  # the message that the dead child never acknowledged may come again
    assert state(here, question) == (Question.Status.DONE, 1, 1)


def test_a_message_that_comes_twice_runs_the_question_once(here: KnownPractice, services: Any) -> None:
    question = asked(here)
    with start_worker(services.directory / "twice.log", concurrency=2, queue=QUEUE):
        for _ in range(6):
            assert tasks.enqueue(question)
            tasks.answer_question.apply_async((str(question.practice_id), str(question.pk)), queue=QUEUE, priority=3)
            tasks.answer_next.apply_async((QUEUE,), queue=QUEUE, priority=3)
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
        broken.setattr(tasks.answer_next, "apply_async", refused)
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
        falls_silent(here, question)
        tasks.sweep_questions()
        waits_for(lambda: state(here, question)[0] == Question.Status.DONE, "the question was never taken up again")
    assert state(here, question) == (Question.Status.DONE, 1, 1)


def test_a_worker_killed_while_a_model_is_asked_leaves_its_question_to_another(
    here: KnownPractice, services: Any, hold: Path
) -> None:
    question = asked(here)
    log = services.directory / "asking.log"
    with start_worker(log, queue=QUEUE, ASAT_TEST_HOLD=str(hold)) as process:
        assert tasks.enqueue(question)
        waits_for(lambda: is_asking_the_model(here, question), "no worker came as far as asking the model")
        kill(process)
    assert state(here, question) == (Question.Status.RUNNING, 0, 0)
    hold.unlink()
    falls_silent(here, question)
    with start_worker(log, queue=QUEUE):
        tasks.sweep_questions()
        waits_for(lambda: state(here, question)[0] == Question.Status.DONE, "the question was never taken up again")
    assert state(here, question) == (Question.Status.DONE, 1, 1)


def test_a_question_that_ends_two_workers_while_a_model_is_asked_ends_as_an_error(
    here: KnownPractice, services: Any, hold: Path
) -> None:
    question = asked(here)
    log = services.directory / "poison.log"
    for _ in range(2):
        with start_worker(log, queue=QUEUE, ASAT_TEST_HOLD=str(hold)) as process:
            with redis.Redis.from_url(settings.REDIS_URL) as client:
                client.delete(stream_key(str(here.id), str(question.pk)))
            assert tasks.enqueue(question)
            waits_for(lambda: is_asking_the_model(here, question), "no worker came as far as asking the model")
            kill(process)
        falls_silent(here, question)
    with start_worker(log, queue=QUEUE, ASAT_TEST_HOLD=str(hold)):
        tasks.sweep_questions()
        waits_for(lambda: state(here, question)[0] == Question.Status.DONE, "the question was never given up")
    assert state(here, question) == (Question.Status.DONE, 1, 1)
    with in_practice(here.practice):
        assert Answer.objects.get(question=question).reason == "component_failed"
        (failure,) = TaskFailure.objects.filter(task="research.answer_question")
    assert (failure.error, failure.task_id) == ("GivenUp", f"question {question.pk} attempt 3")


def test_a_worker_that_only_slept_does_not_answer_what_another_has_answered(
    here: KnownPractice, services: Any, hold: Path
) -> None:
    question = asked(here)
    with start_worker(services.directory / "sleeper.log", queue=QUEUE, ASAT_TEST_HOLD=str(hold)) as sleeper:
        assert tasks.enqueue(question)
        waits_for(lambda: is_asking_the_model(here, question), "no worker came as far as asking the model")
        asleep = [psutil.Process(sleeper.pid), *psutil.Process(sleeper.pid).children(recursive=True)]
        for process in asleep:
            process.suspend()
        hold.unlink()
        falls_silent(here, question)
        with start_worker(services.directory / "awake.log", queue=QUEUE):
            tasks.sweep_questions()
            waits_for(lambda: state(here, question)[0] == Question.Status.DONE, "the question was never taken up")
        for process in asleep:
            process.resume()
        time.sleep(3)  # it wakes up, drafts, and comes to nothing
    assert state(here, question) == (Question.Status.DONE, 1, 1)


def test_a_broker_killed_while_a_model_is_asked_loses_neither_that_question_nor_the_one_that_waits(
    here: KnownPractice, services: Any, hold: Path
) -> None:
    running, waiting = asked(here), asked(here)
    with start_worker(services.directory / "brokerless.log", queue=QUEUE, ASAT_TEST_HOLD=str(hold)):
        assert tasks.enqueue(running) and tasks.enqueue(waiting)
        waits_for(lambda: is_asking_the_model(here, running), "no worker came as far as asking the model")
        os.kill(int((services.directory / "valkey" / "pid").read_text(encoding="utf-8")), signal.SIGKILL)
        time.sleep(0.5)
        hold.unlink()
        waits_for(lambda: state(here, running)[0] == Question.Status.DONE, "it could not be answered without a broker")
        assert tasks.enqueue(waiting) is False
        assert valkey.start(services.directory / "valkey") == settings.REDIS_URL
        assert WaitingLine(redis.Redis.from_url(settings.REDIS_URL), QUEUE).length() == 0  # it has forgotten everything
        falls_silent(here, waiting)
        tasks.sweep_questions()
        waits_for(lambda: state(here, waiting)[0] == Question.Status.DONE, "what waited was never taken up again")
    assert state(here, running) == state(here, waiting) == (Question.Status.DONE, 1, 1)


def test_a_broker_that_forgets_only_its_tickets_is_given_them_again(here: KnownPractice, services: Any) -> None:
    question = asked(here)
    assert tasks.enqueue(question)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        line = WaitingLine(client, QUEUE)
        assert (line.length(), line.tickets()) == (1, 1)
        client.delete(f"{QUEUE}:3")
        assert (line.length(), line.tickets()) == (1, 0)
        with start_worker(services.directory / "tickets.log", queue=QUEUE):
            assert tasks.send_missing_tickets() == 1
            waits_for(lambda: state(here, question)[0] == Question.Status.DONE, "no ticket was sent again")
        assert (line.length(), line.tickets()) == (0, 0)
        assert tasks.send_missing_tickets() == 0
    assert state(here, question) == (Question.Status.DONE, 1, 1)


def test_a_database_killed_while_a_model_is_asked_answers_the_question_once_when_it_is_back(
    here: KnownPractice, services: Any, hold: Path
) -> None:
    question = asked(here)
    connection.close()
    pid_file = services.directory / "postgres" / "data" / "postmaster.pid"
    with start_worker(services.directory / "databaseless.log", queue=QUEUE, ASAT_TEST_HOLD=str(hold)):
        assert tasks.enqueue(question)
        waits_for(lambda: is_asking_the_model(here, question), "no worker came as far as asking the model")
        os.kill(int(pid_file.read_text(encoding="utf-8").splitlines()[0]), signal.SIGKILL)
        time.sleep(1)
        hold.unlink()
        connection.close()
        with pytest.raises(OperationalError), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        postgres.start(services.directory / "postgres", durable=False)
        waits_for(lambda: taken_up_again(here, question), "the question was never taken up again")
    assert state(here, question) == (Question.Status.DONE, 1, 1)


def taken_up_again(here: KnownPractice, question: Question) -> bool:
    connection.close()
    falls_silent(here, question)
    tasks.sweep_questions()
    time.sleep(1)
    return state(here, question)[0] == Question.Status.DONE
