"""Questions asked for a restricted client: seen, run, recorded and masked as the wall round the client wants it."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test import Client as Browser

from asat_site.accounts import tokens
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice
from clients.models import Assignment, Client, Contact, Restriction
from research import tasks
from research.adapters.client_register import read_register
from research.models import Answer, AuditRow, Question

pytestmark = pytest.mark.security

ASKED = "Can Quiet Holdings deduct travel between two ports?"


@pytest.fixture
def known(throwaway: Callable[[], KnownPractice]) -> KnownPractice:
    return throwaway()


@pytest.fixture
def hidden(known: KnownPractice) -> Client:
    """A client that `staff` alone is assigned to."""
    owner, staff = known.users["owner"], known.users["staff"]
    with in_practice(known.practice, owner.pk):
        client = Client.objects.create(name="Quiet Holdings Pty Ltd")
        Contact.objects.create(client=client, name="Ada Quill", email="ada@quill.example")
        Assignment.objects.create(client=client, user=staff, by=owner)
        Restriction.objects.create(client=client, by=owner)
    return client


def asked(known: KnownPractice, client: Client | None, role: str = "staff") -> Question:
    user = known.users[role]
    with in_practice(known.practice, user.pk):
        return Question.objects.create(asked_by=user, text=ASKED, client=client)


def seen() -> tuple[int, int, int]:
    return Question.objects.count(), Answer.objects.count(), AuditRow.objects.count()


def test_a_worker_that_speaks_for_nobody_runs_it_as_whoever_asked(known: KnownPractice, hidden: Client) -> None:
    question = asked(known, hidden)
    assert tasks.answer_question(str(known.id), str(question.pk)) is True
    with in_practice(known.practice, known.users["staff"].pk):
        assert seen() == (1, 1, 1)
        assert Question.objects.get(pk=question.pk).status == "done"
    for role in ("agent", "owner", "read_only", None):
        with in_practice(known.practice, known.users[role].pk if role else None):
            assert seen() == (0, 0, 0)


def test_rows_that_the_asker_does_not_see_do_not_break_the_chain(known: KnownPractice, hidden: Client) -> None:
    for question in (asked(known, hidden), asked(known, None, "agent"), asked(known, hidden)):
        assert tasks.answer_question(str(known.id), str(question.pk)) is True
    with in_practice(known.practice, known.users["agent"].pk):
        assert list(AuditRow.objects.values_list("number", flat=True)) == [2]
    with in_practice(known.practice), as_keeper():
        assert list(AuditRow.objects.values_list("number", flat=True)) == [3, 2, 1]
    said = StringIO()
    call_command("audit", "verify", practice=known.practice.schema_name, stdout=said)
    assert "3 rows" in said.getvalue()


def test_who_has_stopped_seeing_the_client_gets_no_answer(known: KnownPractice, hidden: Client) -> None:
    question = asked(known, hidden)
    with in_practice(known.practice, known.users["staff"].pk):
        Assignment.objects.filter(client=hidden).delete()
    assert tasks.answer_question(str(known.id), str(question.pk)) is True
    with in_practice(known.practice, known.users["staff"].pk):
        assert seen() == (0, 0, 0)
    with in_practice(known.practice), as_keeper():
        assert Answer.objects.get(question_id=question.pk).reason == "stopped"


def test_what_a_worker_lost_of_it_is_found_again(known: KnownPractice, hidden: Client) -> None:
    question = asked(known, hidden)
    with in_practice(known.practice):
        assert not Question.objects.filter(pk=question.pk).exists()
    assert tasks.put_back(str(known.id), str(question.pk)) is True


def test_nobody_asks_for_a_client_that_they_do_not_see(known: KnownPractice, hidden: Client) -> None:
    with in_practice(known.practice, known.users["agent"].pk):
        with pytest.raises(DatabaseError, match="row-level security"):
            Question.objects.create(asked_by=known.users["agent"], text=ASKED, client_id=hidden.pk)
        mine = Question.objects.create(asked_by=known.users["agent"], text=ASKED)
        with pytest.raises(DatabaseError, match="row-level security"):
            Question.objects.filter(pk=mine.pk).update(client_id=hidden.pk)
        for table in ("research_answer", "research_auditrow"):
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT count(*) FROM {table}")
                assert cursor.fetchone() == (0,)


def test_its_names_are_masked_whoever_asks(known: KnownPractice, hidden: Client) -> None:
    for role in ("agent", None):
        with in_practice(known.practice, known.users[role].pk if role else None):
            entries: list[Any] = list(read_register().clients)
            assert [entry.name for entry in entries] == ["Quiet Holdings Pty Ltd", "Ada Quill"]
            assert entries[1].emails == ("ada@quill.example",)
            assert not Client.objects.exists()


@pytest.mark.parametrize("address", ["/questions/{q}/", "/questions/{q}/export", "/audit/1/", "/audit/1/sealed"])
def test_a_guessed_address_shows_nothing_of_it(known: KnownPractice, hidden: Client, address: str) -> None:
    question = asked(known, hidden)
    tasks.answer_question(str(known.id), str(question.pk))
    for role, status in (("staff", 200), ("agent", 404), ("owner", 404)):
        response = known.client(role).get(address.format(q=question.pk))
        assert response.status_code == status, role
    assert "Quiet" not in known.client("owner").get("/audit/").content.decode()


def test_a_program_finds_nothing_of_it_once_its_user_is_not_assigned(known: KnownPractice, hidden: Client) -> None:
    question = asked(known, hidden)
    browser = known.client("staff")
    assert browser.get(f"/questions/{question.pk}/").status_code == 200
    for role, status in (("staff", 200), ("agent", 404)):
        with in_practice(known.practice, known.users[role].pk):
            _, secret = tokens.make(known.users[role], "a program", days=1)
        headers = {"Authorization": f"Bearer {secret}", "Host": known.host}
        assert Browser().get(f"/api/v1/questions/{question.pk}/", headers=headers).status_code == status, role
    with in_practice(known.practice, known.users["staff"].pk):
        Assignment.objects.filter(client=hidden).delete()
    for path in (f"/questions/{question.pk}/", f"/questions/{question.pk}/stream", f"/clients/{hidden.pk}/research/"):
        assert browser.get(path).status_code == 404, path
