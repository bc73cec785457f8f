"""Stopping a question: by who asked it alone, at once or at its next step, and always in exactly one audit row."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from asat_site.testing.processes import worker as start_worker
from research import composition, queries, tasks
from research import services as questions
from research.adapters.waiting_line import WaitingLine
from research.models import Answer, AuditRow, Question
from research.progress import StageEvent
from research.terms import Decision, Outcome, Reason

pytestmark = pytest.mark.integration

QUEUE = "stopped"
TEXT = "Can a harbour pilot deduct travel between ports?"


@pytest.fixture(autouse=True)
def own_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (questions, tasks):
        monkeypatch.setattr(module, "queue_of_questions", lambda: QUEUE)


@pytest.fixture
def here(throwaway: Callable[[], KnownPractice], law: str) -> KnownPractice:
    return throwaway()


def asked(here: KnownPractice, role: str = "agent") -> Question:
    with in_practice(here.practice):
        return questions.ask(user=here.users[role], text=TEXT, year=2020)


def line() -> WaitingLine:
    return WaitingLine(composition.redis_client(), QUEUE)


def reasons(question: Question) -> list[tuple[str, str]]:
    """(decision, reason) of each answer recorded, of which there must be one; the practice is entered already."""
    rows = AuditRow.objects.filter(question_id=question.pk)
    answers = Answer.objects.filter(question=question, audit__in=rows)
    assert rows.count() == answers.count()
    return [(answer.decision, answer.reason) for answer in answers]


STOPPED = [("error", "stopped")]


def test_a_question_that_waits_ends_at_once_with_an_audit_row_and_leaves_the_line(here: KnownPractice) -> None:
    question, other = asked(here), asked(here)
    assert tasks.enqueue(question) and tasks.enqueue(other)
    with in_practice(here.practice):
        assert questions.stop(question, timezone.now()) is True
        assert reasons(question) == STOPPED
        assert Question.objects.get(pk=question.pk).status == Question.Status.DONE
        assert questions.claim(question.pk, timezone.now()) is None  # a ticket that comes later runs nothing
        assert questions.stop(question, timezone.now()) is True
        assert reasons(question) == STOPPED
    assert line().place(str(here.id), str(question.pk)) is None
    turn = line().take("hand", time.time())
    assert turn is not None and turn.question_id == str(other.pk)


def test_a_question_that_runs_ends_at_its_next_step(here: KnownPractice) -> None:
    with in_practice(here.practice):
        question = asked(here)
        claimed = questions.claim(question.pk, timezone.now())
        assert claimed is not None
        told: list[str] = []

        def tell(event: StageEvent) -> None:
            told.append(f"{event.stage} {event.state}")
            if event == StageEvent("retrieve", "running"):
                assert questions.stop(question, timezone.now()) is False

        outcome = questions.run(claimed, tell)
        assert (outcome.decision, outcome.reason) == (Decision.ERROR, Reason.STOPPED)
        assert outcome.message == "Stopped by you before it was answered."
        assert told[-1] == "retrieve running"
        assert reasons(question) == STOPPED


def test_a_question_whose_worker_died_after_it_was_asked_to_stop_is_not_run_again(here: KnownPractice) -> None:
    with in_practice(here.practice):
        question, now = asked(here), timezone.now()
        assert questions.claim(question.pk, now) is not None
        assert questions.stop(question, now) is False
        assert reasons(question) == []
        second = questions.claim(question.pk, now + queries.LOST_AFTER + timedelta(seconds=1))
        assert second is not None
        told: list[StageEvent] = []
        assert questions.run(second, told.append).reason is Reason.STOPPED
        assert told == []
        assert reasons(question) == STOPPED


def test_stopping_what_is_answered_changes_nothing(here: KnownPractice) -> None:
    with in_practice(here.practice):
        question = asked(here)
        claimed = questions.claim(question.pk, timezone.now())
        assert claimed is not None
        outcome: Outcome = questions.run(claimed)
        assert questions.stop(question, timezone.now()) is True
        assert reasons(question) == [("answer", outcome.reason.value)]
        assert Question.objects.get(pk=question.pk).stop_asked_at is None


def test_a_model_that_is_being_asked_is_stopped_in_mid_call(here: KnownPractice, services: Any, tmp_path: Path) -> None:
    hold = tmp_path / "hold"
    hold.touch()  # and it is never let go
    question = asked(here)
    with start_worker(services.directory / "stopped.log", queue=QUEUE, ASAT_TEST_HOLD=str(hold)):
        assert tasks.enqueue(question)
        deadline = time.monotonic() + 60
        with in_practice(here.practice):
            while Question.objects.get(pk=question.pk).status == Question.Status.QUEUED:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            assert questions.stop(question, timezone.now()) is False
            while not reasons(question):
                assert time.monotonic() < deadline
                time.sleep(0.05)
            assert reasons(question) == STOPPED


def test_the_button_stops_and_leads_to_the_question_as_it_then_stands(here: KnownPractice) -> None:
    question = asked(here)
    client = here.client("agent")
    page = client.get(f"/questions/{question.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert f'action="/questions/{question.pk}/stop"' in page
    plain = client.post(f"/questions/{question.pk}/stop")
    assert (plain.status_code, plain["Location"]) == (302, f"/questions/{question.pk}/")
    after = client.get(plain["Location"], headers={"HX-Request": "true"}).content.decode()
    assert "Stopped by you before it was answered." in after
    assert "</svg>Stopped</span>" in after
    assert f'action="/questions/{question.pk}/stop"' not in after
    with in_practice(here.practice):
        assert reasons(question) == STOPPED


def test_one_that_is_asked_to_stop_says_so_until_it_has(here: KnownPractice) -> None:
    question = asked(here)
    with in_practice(here.practice):
        assert questions.claim(question.pk, timezone.now()) is not None
    client = here.client("agent")
    found = client.post(f"/questions/{question.pk}/stop", follow=True, headers={"HX-Request": "true"})
    page = found.content.decode()
    assert "Stopping at its next step." in page
    assert "data-question=" in page
    assert f'action="/questions/{question.pk}/stop"' not in page


@pytest.mark.security
def test_only_who_asked_may_stop_it(here: KnownPractice, other_practice: KnownPractice) -> None:
    question = asked(here)
    path = f"/questions/{question.pk}/stop"
    assert here.client("owner").post(path).status_code == 404
    assert here.client("read_only").post(path).status_code == 403
    assert other_practice.client("agent").post(path).status_code == 404
    assert here.client("agent").get(path).status_code == 405
    assert here.client("agent").post(f"/questions/{uuid4()}/stop").status_code == 404
    assert here.client(None).post(path)["Location"].startswith("/sign-in/")
    strict = here.client("agent")
    strict.handler.enforce_csrf_checks = True
    assert strict.post(path).status_code == 403
    with in_practice(here.practice):
        found = Question.objects.get(pk=question.pk)
        assert (found.status, found.stop_asked_at) == (Question.Status.QUEUED, None)
        assert reasons(question) == []
