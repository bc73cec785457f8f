"""A question's life against the real database: asked, claimed, run and recorded exactly once, whatever happens."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import ProgrammingError, connection, connections
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from research import composition, queries, services, tasks
from research.audit import chain, replay
from research.models import Answer, AuditRow, Question
from research.terms import Decision, Pin, Reason

QUESTION = "Can a harbour pilot deduct travel between ports?"
CONFIDENCE = "secret words of a client"


@pytest.fixture
def here(throwaway: Callable[[], KnownPractice], law: str) -> KnownPractice:
    return throwaway()


def asked(here: KnownPractice, text: str = QUESTION, year: int | None = 2020) -> Question:
    return services.ask(user=here.users["agent"], text=text, year=year)


def asked_before(here: KnownPractice, question: Question, moment: datetime) -> None:
    """Move a question back in time, which the app itself may not."""
    with in_practice(here.practice, using="owner"):
        Question.objects.using("owner").filter(pk=question.pk).update(asked_at=moment)


def run(question: Question) -> Any:
    claimed = services.claim(question.pk, timezone.now())
    assert claimed is not None
    return services.run(claimed)


def test_a_question_is_answered_with_verified_quotes_and_one_audit_row(here: KnownPractice) -> None:
    with in_practice(here.practice):
        question = asked(here)
        outcome = run(question)
        assert (outcome.decision, outcome.reason) == (Decision.ANSWER, Reason.VERIFIED)
        cited = [citation for claim in outcome.claims for citation in claim.citations]
        assert cited and {citation.act for citation in cited} == {"HDFA99"}
        for citation in cited:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT text FROM corpus_words w JOIN corpus_provisionversion v ON v.words_id = w.id "
                    "WHERE v.id = %s",
                    [citation.version_id],
                )
                text = cursor.fetchone()[0]
            assert text[citation.start_chars : citation.end_chars] == citation.quote
        row = AuditRow.objects.get(question_id=question.pk)
        assert row.digest == chain.digest(row.prev_digest, row.payload)
        assert row.answer.question_id == question.pk
        assert Question.objects.get(pk=question.pk).status == Question.Status.DONE


def test_the_answer_states_the_year_and_the_law_it_was_read_from(here: KnownPractice) -> None:
    with in_practice(here.practice):
        outcome = run(asked(here))
        assert outcome.time is not None and outcome.time.year.year == 2020
        assert outcome.time.source == "field"
        assert "fictional" in outcome.attribution
        assert outcome.snapshot is not None and len(outcome.snapshot.snapshot_id) == 64


def test_an_answered_question_is_never_run_again(here: KnownPractice) -> None:
    with in_practice(here.practice):
        question = asked(here)
        run(question)
        assert services.claim(question.pk, timezone.now() + timedelta(hours=1)) is None
        assert AuditRow.objects.count() == Answer.objects.count() == 1


def test_a_question_in_living_hands_is_not_taken_and_one_in_dead_hands_is(here: KnownPractice) -> None:
    with in_practice(here.practice):
        question, now = asked(here), timezone.now()
        first = services.claim(question.pk, now)
        assert first is not None and first.attempt == 1
        assert services.claim(question.pk, now + queries.LOST_AFTER - timedelta(seconds=1)) is None
        second = services.claim(question.pk, now + queries.LOST_AFTER + timedelta(seconds=1))
        assert second is not None and second.attempt == 2


def test_a_worker_that_takes_long_shows_that_it_lives(here: KnownPractice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "HEARTBEAT_S", 0.0)
    with in_practice(here.practice):
        question, long_ago = asked(here), timezone.now() - timedelta(minutes=5)
        claimed = services.claim(question.pk, long_ago)
        assert claimed is not None
        lost: list[bool] = []
        services.run(claimed, lambda event: lost.append(question.pk in queries.lost_questions(timezone.now())))
        assert lost[0] is True and set(lost[1:]) == {False}


def test_a_question_that_killed_two_workers_ends_as_an_error(here: KnownPractice) -> None:
    with in_practice(here.practice):
        question, now = asked(here), timezone.now()
        for attempt in range(services.MOST_ATTEMPTS):
            assert services.claim(question.pk, now + attempt * 2 * queries.LOST_AFTER) is not None
        third = services.claim(question.pk, now + timedelta(minutes=10))
        assert third is not None
        outcome = services.run(third)
        assert (outcome.decision, outcome.reason) == (Decision.ERROR, Reason.COMPONENT_FAILED)
        assert AuditRow.objects.count() == 1


@pytest.mark.parametrize("broken", ["store", "generator", "rerankers", "subjects"])
def test_a_component_that_fails_is_an_error_and_never_an_abstention(
    here: KnownPractice, broken: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        def __getattr__(self, name: str) -> Any:
            raise RuntimeError(CONFIDENCE)

        def __getitem__(self, name: str) -> Any:
            raise RuntimeError(CONFIDENCE)

    whole = composition.ports()
    monkeypatch.setattr(composition, "ports", lambda view, index: replace(whole, **{broken: Broken()}))
    with in_practice(here.practice):
        outcome = run(asked(here))
        assert outcome.decision is Decision.ERROR and not outcome.decision.is_abstention
        assert "secret" not in outcome.message
        assert "secret" not in AuditRow.objects.get().payload
    assert "a component failed: RuntimeError" in caplog.text and "secret words" not in caplog.text


@pytest.mark.parametrize(
    ("text", "year", "decision"),
    [
        ("What does section 999-1 of the HDFA99 say?", 2020, None),
        ("Can a harbour pilot deduct travel between ports?", 1990, Decision.OUT_OF_HORIZON),
        ("Was it deductible in FY2019 or in FY2020?", None, Decision.AMBIGUOUS),
        ("How much stamp duty is payable on a house in Victoria?", 2020, Decision.OUT_OF_SCOPE),
        ("Can a harbour pilot deduct travel between ports in FY99999?", None, Decision.OUT_OF_HORIZON),
        ("Which planets have rings made of ice and dust?", 2020, None),
    ],
)
def test_silence_is_recorded_with_its_reason_and_claims_nothing(
    here: KnownPractice, text: str, year: int | None, decision: Decision | None
) -> None:
    with in_practice(here.practice):
        outcome = run(asked(here, text, year))
        assert outcome.decision is not Decision.ANSWER and outcome.decision is not Decision.ERROR
        assert decision is None or outcome.decision is decision
        assert outcome.message and outcome.next_step
        assert AuditRow.objects.get().answer.decision == outcome.decision.value


def test_a_wording_that_changed_in_between_is_refused_with_both_sides_shown(
    here: KnownPractice, pointed_at: Callable[[str, Pin], None]
) -> None:
    """The Act is held at 1 July 2018 and 1 July 2022; FY2021 lies between, and the rate changed."""
    pointed_at("rate of harbour dues", ("HDFA99", "3-10"))
    with in_practice(here.practice):
        then = run(asked(here, "What is the rate of dues in section 3-10?", 2019))
        assert then.decision is Decision.ANSWER
        cited = then.claims[0].citations[0]
        between = run(asked(here, "What is the rate of harbour dues?", 2021))
        assert (between.decision, between.reason) == (Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP)
        assert not between.claims
        sides = [reading for reading in between.reading_list if reading.section == cited.section]
        assert len(sides) == 2 and all("wording as at" in reading.note for reading in sides)


@pytest.mark.parametrize(
    ("text", "year", "decision", "reason"),
    [
        ("What is the rate of dues in section 3-10?", 2019, Decision.ANSWER, Reason.VERIFIED),
        ("What is the rate of dues in section 3-10?", 2021, Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP),
        ("What does section 3-10 of the HDFA99 say?", 2021, Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP),
        ("What does section 3-999 of the HDFA99 say?", 2019, Decision.FALSE_PREMISE, Reason.PROVISION_NOT_THERE),
        ("What does section 77-1 of the HDFA99 say?", 2019, Decision.FALSE_PREMISE, Reason.PROVISION_NOT_THERE),
    ],
)
def test_a_cited_section_is_answered_from_or_refused_by_name(
    here: KnownPractice, text: str, year: int, decision: Decision, reason: Reason
) -> None:
    with in_practice(here.practice):
        outcome = run(asked(here, text, year))
        assert (outcome.decision, outcome.reason) == (decision, reason)
        if decision is Decision.ANSWER:
            assert {c.section for claim in outcome.claims for c in claim.citations} == {"3-10"}


def test_nothing_is_saved_for_a_question_that_cannot_be_asked(here: KnownPractice) -> None:
    with in_practice(here.practice):
        for text, year in (("", 2020), ("\x00\x01 \t", 2020), ("x" * 100_000, 2020), ("Is it?", 99999)):
            with pytest.raises(services.NotAskable) as refused:
                asked(here, text, year)
            assert refused.value.message
        assert not Question.objects.exists()


def test_answers_written_at_once_make_one_chain_without_a_gap(here: KnownPractice) -> None:
    with in_practice(here.practice):
        questions = [asked(here).pk for _ in range(8)]
    failures: list[BaseException] = []

    def work(question_id: UUID) -> None:
        try:
            with in_practice(here.practice):
                claimed = services.claim(question_id, timezone.now())
                assert claimed is not None
                services.run(claimed)
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=[question_id]) for question_id in questions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failures
    with in_practice(here.practice):
        rows = list(AuditRow.objects.order_by("number").values_list("number", "payload", "prev_digest", "digest"))
    report = chain.verify_chain(rows)
    assert (report.rows, report.is_whole) == (8, True)


def test_the_sweep_finds_what_a_broker_lost_and_leaves_the_rest(
    here: KnownPractice, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(tasks, "enqueue", lambda question: bool(sent.append(str(question.pk))) or True)
    with in_practice(here.practice):
        fresh, lost, silent, done = asked(here), asked(here), asked(here), asked(here)
        run(done)
        long_ago = timezone.now() - timedelta(minutes=5)
        asked_before(here, lost, long_ago)
        Question.objects.filter(pk=silent.pk).update(status=Question.Status.RUNNING, heartbeat_at=long_ago)
    tasks.sweep_questions()
    mine = {str(q.pk) for q in (fresh, lost, silent, done)} & set(sent)
    assert mine == {str(lost.pk), str(silent.pk)}
    sent.clear()
    tasks.sweep_questions()
    assert str(lost.pk) not in sent  # it was just sent; the queue is given time before it is sent again


@pytest.mark.security
@pytest.mark.parametrize("change", ["text = 'another'", "asked_by_id = NULL", "asked_at = now()", "year_field = 2015"])
def test_what_was_asked_stays_as_it_was_asked(here: KnownPractice, change: str) -> None:
    with in_practice(here.practice):
        question = asked(here)
        with pytest.raises(ProgrammingError, match="permission denied"), connection.cursor() as cursor:
            cursor.execute(f"UPDATE research_question SET {change}")
        found = Question.objects.get(pk=question.pk)
        assert (found.text, found.year_field, found.asked_by_id) == (QUESTION, 2020, here.users["agent"].pk)


@pytest.mark.security
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "UPDATE research_answer SET outcome = jsonb_set(outcome, '{decision}', '\"error\"')",
            "The answer that is kept",
        ),
        ("UPDATE research_question SET text = 'Is a lighthouse exempt?'", "The question that is kept"),
    ],
)
def test_what_is_shown_must_be_what_the_chain_proves(here: KnownPractice, change: str, said: str) -> None:
    """Even the owner of the tables cannot change what was shown without its being seen."""
    with in_practice(here.practice):
        run(asked(here))
        row = queries.audit_row(1)
        assert row is not None and services.replay_row(row)[1].verdict == replay.REPRODUCED
    assert verified(here) == (0, True, "")
    with in_practice(here.practice, using="owner"), connections["owner"].cursor() as cursor:
        cursor.execute(change)
    code, is_whole, how = verified(here)
    assert (code, is_whole) == (1, False) and how.startswith(said)
    with in_practice(here.practice):
        row = queries.audit_row(1)
        assert row is not None
        found = services.replay_row(row)[1]
        assert found.verdict == replay.DIVERGED
        assert [line for line in found.differences if line.startswith(said)] == list(found.differences)


def test_a_chain_cut_off_or_written_anew_is_found_by_what_was_noted_elsewhere(here: KnownPractice) -> None:
    with in_practice(here.practice):
        run(asked(here))
        digest = AuditRow.objects.get(number=1).digest
        run(asked(here))
    assert verified(here, "--noted", f"1:{digest}") == (0, True, "")
    code, is_whole, how = verified(here, "--noted", f"1:{'0' * 64}")
    assert (code, is_whole) == (1, False) and how.startswith("row 1 with another digest was noted elsewhere")
    code, is_whole, how = verified(here, "--noted", f"9:{digest}")
    assert (code, is_whole) == (1, False) and how == "the chain ends at row 2; row 9 was noted elsewhere"
    with pytest.raises(CommandError, match="give --practice too"):
        call_command("audit", "verify", "--noted", f"1:{digest}")
    with pytest.raises(CommandError, match="is no row and digest"):
        call_command("audit", "verify", "--practice", "x", "--noted", "1:abc")


def verified(here: KnownPractice, *more: str) -> tuple[int, bool, str]:
    """What `manage.py audit verify` says of the practice: exit code, whether the chain is whole, and how not."""
    out = StringIO()
    try:
        call_command("audit", "verify", "--practice", here.practice.schema_name, "--json", *more, stdout=out)
        code = 0
    except SystemExit as ended:
        code = int(ended.code or 0)
    (report,) = json.loads(out.getvalue())
    return code, report["is_whole"], report["how"]


def test_one_practice_sees_nothing_of_what_another_asked(here: KnownPractice, other_practice: KnownPractice) -> None:
    with in_practice(here.practice):
        question = asked(here)
        run(question)
    with in_practice(other_practice.practice):
        assert services.claim(question.pk, timezone.now()) is None
        assert queries.question_of(here.users["agent"], question.pk) is None
        assert not AuditRow.objects.filter(question_id=question.pk).exists()
        assert services.claim(uuid4(), timezone.now()) is None
