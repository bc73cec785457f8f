"""What workers promise: turns, precedence, walls, signs of life, and a first question as quick as the next."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import redis
from django.conf import settings
from django.db import ProgrammingError, connection
from django.test import Client, override_settings
from django.utils import timezone

from asat_site import heartbeat
from asat_site.celery import app
from asat_site.tenancy.context import current_practice_id, in_practice, practice_connection
from asat_site.tenancy.models import TaskFailure
from asat_site.testing import tasks as busy
from asat_site.testing.practices import KnownPractice
from asat_site.testing.processes import worker as start_worker
from research import composition, queries, streams, tasks, worker_start
from research import services as questions
from research.adapters.progress_store import RedisProgress, stream_key
from research.adapters.waiting_line import WaitingLine
from research.models import Answer, AuditRow, Batch, Question
from research.progress import StageEvent
from research.terms import Decision

pytestmark = pytest.mark.integration

QUEUE = "working"
TEXT = "Can a harbour pilot deduct travel between ports?"
PATIENCE_S = 60


@pytest.fixture(autouse=True)
def own_queue(monkeypatch: pytest.MonkeyPatch, services: object) -> None:
    for module in (questions, tasks):
        monkeypatch.setattr(module, "queue_of_questions", lambda: QUEUE)
    with redis.Redis.from_url(settings.REDIS_URL) as client:  # what an earlier test left behind
        client.delete(*client.keys(f"asat:line:{QUEUE}:*"), *[f"{QUEUE}{step}" for step in ("", ":3", ":6", ":9")])


@pytest.fixture
def here(throwaway: Callable[[], KnownPractice], law: str) -> KnownPractice:
    return throwaway()


def line() -> WaitingLine:
    return WaitingLine(composition.redis_client(), QUEUE)


def asked(here: KnownPractice, times: int = 1, batch: Batch | None = None) -> list[Question]:
    with in_practice(here.practice):
        return [
            questions.ask(user=here.users["agent"], text=TEXT, year=2020, batch=batch, line=n if batch else None)
            for n in range(times)
        ]


def waits_for(what: Callable[[], bool], why: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < deadline, why
        time.sleep(0.05)


def is_done(here: KnownPractice, question: Question) -> bool:
    with in_practice(here.practice):
        return Question.objects.filter(pk=question.pk, status=Question.Status.DONE).exists()


def a_batch(here: KnownPractice) -> Batch:
    with in_practice(here.practice):
        return Batch.objects.create(uploaded_by=here.users["agent"], filename="questions.csv", lines=9)


# Turns and precedence


def test_one_practices_many_questions_do_not_keep_anothers_one_waiting(
    here: KnownPractice, throwaway: Callable[[], KnownPractice], services: Any
) -> None:
    there = throwaway()
    many = asked(here, 20)
    for question in many:
        assert tasks.enqueue(question)
    (theirs,) = asked(there)
    assert tasks.enqueue(theirs)
    with start_worker(services.directory / "fair.log", queue=QUEUE):
        waits_for(lambda: is_done(there, theirs), "the other practice's question was never answered")
        waits_for(lambda: all(is_done(here, question) for question in many), "not every question was answered")
    with in_practice(there.practice):
        answered_at = Answer.objects.get(question=theirs).decided_at
    with in_practice(here.practice):
        assert Answer.objects.filter(decided_at__lt=answered_at).count() == 1  # of 20


def test_a_spreadsheets_questions_wait_for_those_of_people(here: KnownPractice, services: Any) -> None:
    sheet = asked(here, 6, a_batch(here))
    (mine,) = asked(here)
    for question in (*sheet, mine):
        assert tasks.enqueue(question)
    turn = line().take("hand", time.time())
    assert turn is not None and turn.question_id == str(mine.pk)


@pytest.mark.alone
def test_a_question_overtakes_what_nobody_waits_for(here: KnownPractice, services: Any) -> None:
    channel, seconds, many = uuid4().hex, 0.4, 30
    with start_worker(services.directory / "bulk.log", queue=QUEUE):
        for _ in range(many):
            busy.be_busy.apply_async((channel, seconds), queue=QUEUE, priority=9)
        time.sleep(seconds)
        (question,) = asked(here)
        with redis.Redis.from_url(settings.REDIS_URL) as client:
            before = client.llen(busy.REPORTS.format(channel))
            assert tasks.enqueue(question)
            waits_for(lambda: is_done(here, question), "the question was never answered")
            overtook = many - client.llen(busy.REPORTS.format(channel))
    assert overtook >= many - before - 4  # one in its hands, one in a slow moment, and what ran while we looked


def test_each_kind_of_work_goes_to_its_queue_in_its_order() -> None:
    def sent(name: str) -> tuple[str, int]:
        options = app.amqp.router.route({}, name)
        return options["queue"].name, options.get("priority", app.conf.task_default_priority)

    assert sent("corpus.embed_pending") == ("gpu", 9)
    assert sent("corpus.check_register") == sent("research.put_back") == ("default", 6)
    beats = {entry["args"][0]: entry["options"] for entry in app.conf.beat_schedule.values() if "args" in entry}
    assert {queue: (options["queue"], options["priority"]) for queue, options in beats.items()} == {
        queue: (queue, 0) for queue in heartbeat.QUEUES
    }


def test_every_task_is_acknowledged_when_it_is_done_and_no_message_is_fetched_ahead() -> None:
    app.loader.import_default_modules()
    ours = [task for name, task in app.tasks.items() if not name.startswith("celery.")]
    assert [task.name for task in ours if not task.acks_late] == []
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.worker_max_memory_per_child == 1_200_000
    outside = app.tasks["corpus.check_register"]
    assert (outside.max_retries, outside.retry_jitter, outside.retry_backoff) == (4, True, 5)


def test_the_times_agree() -> None:
    limit = settings.ASAT_QUESTION_LIMIT_S
    for task in (tasks.answer_next, tasks.answer_question):
        assert task.soft_time_limit < task.time_limit == limit
    assert limit < streams.LONGEST_S
    assert limit < app.conf.broker_transport_options["visibility_timeout"]
    # Three signs of life may go astray, whoever waits for a model giving one every two seconds.
    assert 3 * (questions.HEARTBEAT_S + 2) > queries.LOST_AFTER.total_seconds() > 2 * (questions.HEARTBEAT_S + 2)


# Walls


@pytest.mark.security
def test_a_ticket_for_a_practice_that_is_none_runs_nothing_and_stays_outside(here: KnownPractice) -> None:
    (question,) = asked(here)
    for forged in (str(uuid4()), "not-a-uuid", here.practice.schema_name):
        line().join(forged, str(question.pk))
        tasks.answer_next(QUEUE)
        assert current_practice_id() is None
    assert line().length() == 0
    with in_practice(here.practice):
        assert Question.objects.get(pk=question.pk).attempts == 0


@pytest.mark.security
def test_a_question_in_line_under_another_practice_is_not_run_there(
    here: KnownPractice, other_practice: KnownPractice
) -> None:
    (question,) = asked(here)
    line().join(str(other_practice.id), str(question.pk))
    tasks.answer_next(QUEUE)
    assert current_practice_id() is None
    with in_practice(other_practice.practice):
        assert not AuditRow.objects.filter(question_id=question.pk).exists()
    with in_practice(here.practice):
        found = Question.objects.get(pk=question.pk)
        assert (found.status, found.attempts) == (Question.Status.QUEUED, 0)


@pytest.mark.security
def test_a_practice_that_lingers_stops_a_ticket_before_it_reads(
    here: KnownPractice, other_practice: KnownPractice
) -> None:
    (question,) = asked(here)
    assert tasks.enqueue(question)
    practice_connection().set_tenant(other_practice.practice)
    tasks.answer_next(QUEUE)
    assert current_practice_id() is None
    with in_practice(here.practice):
        assert Question.objects.get(pk=question.pk).attempts == 0
        (failure,) = TaskFailure.objects.all()
    assert (failure.error, failure.practice_id) == ("PracticeLingers", here.id)
    assert failure.task_id == f"question {question.pk}"


@pytest.mark.security
def test_tickets_of_two_practices_after_one_another_answer_each_in_its_own(
    here: KnownPractice, throwaway: Callable[[], KnownPractice]
) -> None:
    there = throwaway()
    pairs = [(known, question) for known in (here, there) for question in asked(known, 2)]
    for _, question in pairs:
        assert tasks.enqueue(question)
    for _ in pairs:
        tasks.answer_next(QUEUE)
        assert current_practice_id() is None
    for known, question in pairs:
        with in_practice(known.practice):
            assert AuditRow.objects.filter(question_id=question.pk).count() == 1
            assert AuditRow.objects.count() == 2


# Nothing lost


def test_a_line_that_was_forgotten_is_made_again_from_the_table(here: KnownPractice) -> None:
    waiting = asked(here, 3)
    for question in waiting:
        assert tasks.enqueue(question)
    client = composition.redis_client()
    client.delete(*client.keys(f"asat:line:{QUEUE}:*"), f"{QUEUE}:3")
    long_ago = timezone.now() - queries.LOST_AFTER - timedelta(seconds=1)
    with in_practice(here.practice):
        Question.objects.filter(pk__in=[q.pk for q in waiting]).update(heartbeat_at=long_ago)
    tasks.sweep_questions()
    places = [line().place(str(here.id), str(question.pk)) for question in waiting]
    assert None not in places
    assert line().tickets() == line().length()
    tasks.sweep_questions()
    assert line().tickets() == line().length()  # a second sweep sends no second ticket


def test_a_practice_that_cannot_be_swept_keeps_no_others_questions_lost(
    here: KnownPractice, throwaway: Callable[[], KnownPractice], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = throwaway()  # made later, and so swept later
    (theirs,) = asked(there)
    long_ago = timezone.now() - queries.LOST_AFTER - timedelta(seconds=1)
    with in_practice(there.practice):
        Question.objects.filter(pk=theirs.pk).update(heartbeat_at=long_ago)
    lost_questions = queries.lost_questions

    def not_upgraded(now: datetime) -> list[Any]:
        if current_practice_id() == here.id:
            with connection.cursor() as cursor:
                cursor.execute("SELECT a_column_that_an_upgrade_adds FROM research_question")
        return lost_questions(now)

    monkeypatch.setattr(queries, "lost_questions", not_upgraded)
    tasks.sweep_questions()
    assert line().place(str(there.id), str(theirs.pk)) is not None
    assert line().tickets() == line().length()
    assert current_practice_id() is None


def test_a_question_that_has_not_ended_is_put_back_and_one_stopped_or_answered_is_not(here: KnownPractice) -> None:
    running, ended, answered = asked(here, 3)
    with in_practice(here.practice):
        assert questions.claim(running.pk, timezone.now()) is not None
        assert questions.stop(ended, timezone.now()) is True
        claimed = questions.claim(answered.pk, timezone.now())
        assert claimed is not None and questions.run(claimed).decision is Decision.ANSWER
    told = [tasks.put_back(str(here.id), str(question.pk)) for question in (running, ended, answered)]
    assert told == [True, False, False]
    assert tasks.put_back(str(here.id), str(uuid4())) is False
    assert line().length() == 1


def given_up(here: KnownPractice) -> Question:
    """A question that two workers did not survive, and which the third has given up."""
    (question,) = asked(here)
    with in_practice(here.practice):
        Question.objects.filter(pk=question.pk).update(attempts=questions.MOST_ATTEMPTS)
    assert tasks.answer_question(str(here.id), str(question.pk)) is True
    return question


def test_a_question_given_up_is_asked_anew_once_and_its_record_stays(
    here: KnownPractice, other_practice: KnownPractice
) -> None:
    question = given_up(here)
    assert tasks.put_back(str(other_practice.id), str(question.pk)) is False  # it is not theirs
    assert tasks.put_back(str(here.id), str(question.pk)) is True
    assert tasks.put_back(str(here.id), str(question.pk)) is True
    assert line().length() == 1
    tasks.answer_next(QUEUE)
    with in_practice(here.practice):
        again = Question.objects.exclude(pk=question.pk).get()
        assert (again.text, again.asked_by_id, again.year_field) == (TEXT, here.users["agent"].pk, 2020)
        decisions = dict(Answer.objects.values_list("question_id", "decision"))
        assert decisions == {question.pk: "error", again.pk: "answer"}
        assert AuditRow.objects.count() == 2


def test_administrators_see_what_was_given_up_and_ask_it_again(
    here: KnownPractice, platform: KnownPractice, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = given_up(here)
    sent: list[tuple[str, tuple[str, ...]]] = []
    monkeypatch.setattr(app, "send_task", lambda name, arguments, **options: sent.append((name, arguments)))
    browser = platform.client("owner")
    page = browser.get("/admin/tenancy/taskfailure/").content.decode()
    row = next(part for part in page.split("<tr") if str(question.pk) in part)
    for shown in ("research.answer_question", "GivenUp", here.practice.name, ">3<"):
        assert shown in row
    assert TEXT not in page
    with in_practice(platform.practice):
        failures = list(TaskFailure.objects.filter(practice_id=here.id))
        other = TaskFailure.objects.create(task="asat_site.heartbeat", task_id=uuid4().hex, error="KeyError")
    chosen = {"action": "ask_again", "_selected_action": [failure.pk for failure in (*failures, other)]}
    told = browser.post("/admin/tenancy/taskfailure/", chosen, follow=True).content.decode()
    assert "Asked again: 1." in told
    assert sent == [("research.put_back", (str(here.id), str(question.pk)))]
    assert here.client("owner").post("/admin/tenancy/taskfailure/", chosen).status_code == 403
    assert len(sent) == 1


def test_a_message_of_vectors_that_comes_twice_starts_no_second_chain(
    law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, ...]] = []
    monkeypatch.setattr(tasks.embed_pending, "apply_async", lambda arguments: sent.append(arguments))
    monkeypatch.setattr(tasks, "_embed_slice", lambda embedder: tasks.embed.EmbedProgress("it", 1, 2))
    client = composition.redis_client()
    client.set(tasks.EMBED_CHAIN, "alive", ex=60)
    tasks.embed_pending("dead")
    tasks.embed_pending("")
    assert sent == []
    tasks.embed_pending("alive")
    assert sent == [("alive",)]
    client.delete(tasks.EMBED_CHAIN)


def test_a_practice_that_cannot_be_read_keeps_no_other_from_being_embedded(
    here: KnownPractice, throwaway: Callable[[], KnownPractice], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = throwaway()  # made later, and so looked at later
    looked_at: list[Any] = []

    def state(alias: str, practice_id: Any) -> None:
        looked_at.append(practice_id)
        if practice_id == here.id:
            raise ProgrammingError("a column that an upgrade adds")

    done = tasks.embed.EmbedProgress("it", 2, 2)
    monkeypatch.setattr(tasks, "current_state", state)
    monkeypatch.setattr(tasks.embed, "embed_pending", lambda *_, **__: done)
    monkeypatch.setattr(tasks.embed, "embed_phrases", lambda *_, **__: done)
    told = tasks._embed_slice(composition.embedder())  # type: ignore[arg-type]
    assert told is not None and told.is_complete
    assert looked_at.index(here.id) < looked_at.index(there.id)


# Back-pressure


def test_a_practice_with_a_full_line_is_told_how_long_it_takes(here: KnownPractice) -> None:
    asked(here, 3)
    asked(here, 4, a_batch(here))  # not counted
    with override_settings(ASAT_MOST_WAITING=3), in_practice(here.practice):
        with pytest.raises(questions.NotAskable) as refused:
            questions.ask(user=here.users["agent"], text=TEXT, year=2020)
        assert refused.value.message == ("3 questions of this practice wait already. Ask again when some are answered.")
        line().took(120.0)
        with pytest.raises(questions.NotAskable) as refused:
            questions.ask(user=here.users["agent"], text=TEXT, year=2020)
        assert refused.value.message == (
            "3 questions of this practice wait already, which takes about 6 minutes. Ask again when some are answered."
        )
        assert Question.objects.count() == 7
        assert queries.waiting_count() == 3


def test_the_page_of_one_that_waits_tells_its_place(here: KnownPractice) -> None:
    first, second, third = asked(here, 3)
    for question in (first, second, third):
        assert tasks.enqueue(question)
    line().took(30.0)
    browser = here.client("agent")
    pages = [
        browser.get(f"/questions/{q.pk}/", headers={"HX-Request": "true"}).content.decode() for q in (first, third)
    ]
    assert "come first" not in pages[0] and "data-waiting hidden" in pages[0]
    assert "data-waiting>2 questions come first; answered in about 2 minutes.<" in pages[1]


# Signs of life


def test_each_queue_gives_its_own_sign_of_life(services: object) -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete(heartbeat.KEY)
        heartbeat.heartbeat("gpu")
        ages = heartbeat.queue_ages_s()
        found = Client().get("/health/").json()["queues"]
        client.delete(heartbeat.KEY)
    assert ages["interactive"] is ages["default"] is None
    assert ages["gpu"] is not None and ages["gpu"] < 5
    assert found == {"interactive": None, "default": None, "gpu": pytest.approx(0, abs=5)}


def test_status_names_a_queue_that_nobody_takes_from(here: KnownPractice) -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete(heartbeat.KEY)
        heartbeat.heartbeat("interactive")
        client.hset(heartbeat.KEY, "at gpu", repr(time.time() - 600))
        page = here.client("agent").get("/status/").content.decode()
        client.delete(heartbeat.KEY)
    assert "nobody takes from gpu." in page


def test_a_long_question_gives_its_workers_sign_of_life(monkeypatch: pytest.MonkeyPatch, services: object) -> None:
    monkeypatch.setattr(tasks, "SIGN_OF_LIFE_S", 0.0)
    told: list[StageEvent] = []
    client = composition.redis_client()
    client.hdel(heartbeat.KEY, f"at {QUEUE}")
    tasks._and_alive(told.append)(StageEvent("generate", "running", 0.0, "120 characters"))
    assert told == [StageEvent("generate", "running", 0.0, "120 characters")]
    assert client.hexists(heartbeat.KEY, f"at {QUEUE}")


def test_how_far_a_model_has_come_is_told_now_and_then_and_the_end_always(services: object) -> None:
    client, practice, question = composition.redis_client(), str(uuid4()), str(uuid4())
    first, second = (RedisProgress(client, practice, question, attempt) for attempt in (1, 2))
    first(StageEvent("generate", "running"))
    for number in range(500):
        first(StageEvent("generate", "running", 0.0, f"{number} characters"))
    first(StageEvent("generate", "done", 9.0))
    first._number = first._last
    first(StageEvent("verify", "running"))
    first.done(question)
    second(StageEvent("resolve", "running"))
    entries = client.xrange(stream_key(practice, question))
    told = [(json.loads(e[b"data"]).get("stage"), json.loads(e[b"data"]).get("state")) for _, e in entries]
    assert told == [("generate", "running"), ("generate", "done"), (None, None), ("resolve", "running")]
    numbers = [int(entry_id.split(b"-")[0]) for entry_id, _ in entries]
    assert numbers == [10_001, 10_002, 19_999, 20_001]


# The first question


@pytest.mark.alone
def test_a_workers_first_question_takes_no_longer_than_its_next(
    here: KnownPractice, services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (questions, tasks):
        monkeypatch.setattr(module, "queue_of_questions", lambda: "interactive")
    log = services.directory / "first.log"
    took = []
    with start_worker(log, queue="interactive"):
        waits_for(lambda: "ready to answer after" in log.read_text(), "the worker never said that it was ready")
        for question in asked(here, 2):
            began = time.monotonic()
            assert tasks.enqueue(question)
            waits_for(lambda question=question: is_done(here, question), "the question was never answered")
            took.append(time.monotonic() - began)
    assert took[0] < took[1] + 1.0, took  # unread, indexes and vectors alone take 2 to 4 s


def test_no_process_inherits_a_connection_of_its_parent(services: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    assert connection.connection is not None
    worker_start.read_files()
    assert connection.connection is None


def test_a_worker_starts_where_the_law_cannot_be_read(
    services: object, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> float:
        raise RuntimeError("secret")

    monkeypatch.setattr(worker_start, "_takes_questions", True)
    monkeypatch.setattr(questions, "warm_up", broken)
    worker_start.read_law()
    assert "not ready yet: RuntimeError" in caplog.text and "secret" not in caplog.text
