"""Tasks of different practices, one after another on the same worker process and the same connection."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import redis
from django.conf import settings

from asat_site.celery import app
from asat_site.tenancy.context import (
    PracticeLingers,
    current_practice_id,
    find_practice,
    in_practice,
    practice_connection,
)
from asat_site.tenancy.models import PLATFORM_ID, TaskFailure
from asat_site.tenancy.tasks import PracticeTask, RecordedTask
from asat_site.testing import tasks
from asat_site.testing.practices import KnownPractice

pytestmark = pytest.mark.security


def reports(channel: str, wanted: int) -> list[dict[str, Any]]:
    """That many reports, in the order they came; fails after 30 s without one."""
    found = []
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=60) as client:
        for _ in range(wanted):
            item = client.blpop([tasks.REPORTS.format(channel)], timeout=30)
            assert item is not None, f"only {len(found)} of {wanted} reports came"
            found.append(json.loads(item[1]))
    return found


def emails(known: KnownPractice) -> list[str]:
    return sorted(user.email for user in known.users.values())


def test_a_task_after_another_practices_sees_only_its_own(
    worker: Path, practice: KnownPractice, other_practice: KnownPractice
) -> None:
    channel = uuid4().hex
    turns = [
        (known, ending)
        for ending in ("well", "failed", "well", "in a failed transaction", "well")
        for known in (practice, other_practice)
    ]
    for known, ending in turns:
        tasks.look_inside.delay(str(known.id), channel, ending)
    found = reports(channel, len(turns))
    assert len({report["process"] for report in found}) == 1  # the same worker process throughout
    assert [report["practice"] for report in found] == [str(known.id) for known, _ in turns]
    assert [report["emails"] for report in found] == [emails(known) for known, _ in turns]
    assert [report["path"] for report in found] == [
        f'"{known.practice.schema_name}", "public", pg_temp' for known, _ in turns
    ]
    assert len({report["backend"] for report in found}) < len(found)  # and connections that were used before
    assert found[0]["backend"] == found[1]["backend"]


def test_a_task_of_no_practice_after_one_of_a_practice_finds_none(worker: Path, practice: KnownPractice) -> None:
    channel = uuid4().hex
    for ending in ("well", "failed"):
        tasks.look_inside.delay(str(practice.id), channel, ending)
        tasks.look_outside.delay(channel)
    found = reports(channel, 4)
    assert [report["practice"] for report in found] == [str(practice.id), "", str(practice.id), ""]
    assert [report["path"] for report in found][1::2] == ['"public", pg_temp'] * 2


def test_a_practice_that_lingers_stops_the_next_task_before_it_reads(
    worker: Path, practice: KnownPractice, other_practice: KnownPractice
) -> None:
    channel = uuid4().hex
    with in_practice(other_practice.practice):
        before = TaskFailure.objects.count()
    tasks.linger.delay(channel, str(practice.id))
    tasks.look_inside.delay(str(other_practice.id), channel, "well")  # refused
    tasks.look_inside.delay(str(other_practice.id), channel, "well")  # on a clean connection again
    lingering, after = reports(channel, 2)
    assert lingering["practice"] == str(practice.id)
    assert after["practice"] == str(other_practice.id)
    assert after["backend"] != lingering["backend"]
    with in_practice(other_practice.practice):
        failures = list(TaskFailure.objects.all())
    assert len(failures) == before + 1
    assert failures[0].error == "PracticeLingers"


def test_a_failure_in_a_worker_is_recorded_without_its_message(worker: Path, practice: KnownPractice) -> None:
    channel = uuid4().hex
    sent = tasks.look_inside.delay(str(practice.id), channel, "failed")
    tasks.look_inside.delay(str(practice.id), channel, "well")
    reports(channel, 2)  # the second ran, so the first's failure is recorded
    with in_practice(practice.practice):
        failure = TaskFailure.objects.get(task_id=sent.id)
    assert (failure.task, failure.error, failure.practice_id) == (
        "asat_site.testing.look_inside",
        "ValueError",
        practice.id,
    )


def test_a_failure_of_no_practice_goes_to_the_platform(services: object) -> None:
    task_id = uuid4().hex
    tasks.look_outside.on_failure(KeyError("x"), task_id, [], {}, None)
    with in_practice(PLATFORM_ID):
        assert TaskFailure.objects.get(task_id=task_id).practice_id is None


def test_in_this_process_a_lingering_practice_is_refused_and_removed(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    channel = uuid4().hex
    practice_connection().set_tenant(find_practice(practice.id))
    with pytest.raises(PracticeLingers):
        tasks.look_inside(str(other_practice.id), channel, "well")
    assert current_practice_id() is None
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        assert client.llen(tasks.REPORTS.format(channel)) == 0


@pytest.mark.parametrize("forged", ["", "not-a-uuid", str(UUID(int=7)), "p_ashby_localhost"])
def test_a_task_with_a_forged_practice_runs_nothing(services: object, forged: str) -> None:
    channel = uuid4().hex
    with pytest.raises(Exception, match=r"badly formed|There is no practice"):
        tasks.look_inside(forged, channel, "well")
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        assert client.llen(tasks.REPORTS.format(channel)) == 0


def test_every_task_of_ours_records_its_failures_and_takes_json_alone(services: object) -> None:
    app.loader.import_default_modules()
    ours = {name: task for name, task in app.tasks.items() if not name.startswith("celery.")}
    assert {"asat_site.heartbeat", "research.answer_question", "research.sweep_questions"} <= set(ours)
    assert [name for name, task in ours.items() if not isinstance(task, RecordedTask)] == []
    assert isinstance(ours["research.answer_question"], PracticeTask)
    assert list(app.conf.accept_content) == ["json"]
    assert app.conf.task_serializer == "json"


def test_the_schedule_names_tasks_that_exist(services: object) -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)
    assert app.conf.timezone == "UTC"


def test_no_task_may_run_longer_than_the_broker_waits(services: object) -> None:
    app.loader.import_default_modules()
    visible = app.conf.broker_transport_options["visibility_timeout"]
    limits = {name: task.time_limit or app.conf.task_time_limit for name, task in app.tasks.items()}
    assert max(limits.values()) < visible, limits
    assert min(limits.values()) > 0
    for task in app.tasks.values():
        soft = task.soft_time_limit or app.conf.task_soft_time_limit
        assert soft < (task.time_limit or app.conf.task_time_limit)
