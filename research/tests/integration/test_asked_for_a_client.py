"""Asking for a client: who may be picked, which year it is asked in, and where it is listed."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from clients.models import Assignment, Client, Restriction
from research import services
from research.audit import record
from research.models import AuditRow, Question


@pytest.fixture
def known(throwaway: Callable[[], KnownPractice]) -> KnownPractice:
    return throwaway()


def made(known: KnownPractice, **fields: object) -> Client:
    with in_practice(known.practice, known.users["staff"].pk):
        return Client.objects.create(**{"name": "Harbour Pilots Pty Ltd", **fields})


def test_it_is_asked_in_the_clients_own_year_and_the_record_says_so(known: KnownPractice) -> None:
    client = made(known, income_year_end=9)
    staff = known.users["staff"]
    with in_practice(known.practice, staff.pk):
        question = services.ask(user=staff, text="Can travel be deducted?", year=2019, client=client)
        claimed = services.claim(question.pk, question.asked_at)
        assert claimed is not None
        outcome = services.run(claimed)
        recorded = record.recorded_in(AuditRow.objects.get().payload)
        assert recorded.balance_month == 9
        assert outcome.time is not None and outcome.time.window.last.isoformat() == "2019-09-30"
        _, replayed = services.replay_row(AuditRow.objects.get())
        assert replayed.verdict == "reproduced"


def test_the_box_picks_a_client_and_keeps_to_it(known: KnownPractice) -> None:
    client = made(known, income_year_end=9)
    page = known.client().get(f"/?client={client.pk}")
    assert page.context["picked"] == client
    assert "This client’s income year ends 30 September." in page.content.decode()
    asked = known.client().post("/ask/", {"question": "Can travel be deducted?", "year": "2019", "client": client.pk})
    assert asked.status_code == 302
    with in_practice(known.practice, known.users["staff"].pk):
        assert Question.objects.get().client == client
    listed = known.client("read_only").get(f"/clients/{client.pk}/research/").content.decode()
    assert "Can travel be deducted?" in listed
    assert "Harbour Pilots" in known.client().get("/").content.decode()


@pytest.mark.security
def test_no_client_is_picked_that_is_hidden_archived_or_anothers(
    known: KnownPractice, other_practice: KnownPractice
) -> None:
    hidden, theirs = made(known, name="Quiet"), made(other_practice, name="Theirs")
    owner, staff = known.users["owner"], known.users["staff"]
    with in_practice(known.practice, owner.pk):
        Assignment.objects.create(client=hidden, user=staff, by=owner)
        Restriction.objects.create(client=hidden, by=owner)
    agent = known.client("agent")
    for picked in (hidden.pk, theirs.pk, uuid4(), "nonsense"):
        assert "picked" not in agent.get(f"/?client={picked}").context
        response = agent.post("/ask/", {"question": "Can travel be deducted?", "client": str(picked)})
        assert response.status_code == 422
        assert agent.get(f"/clients/{hidden.pk}/research/").status_code == 404
    assert "Quiet" not in agent.get("/clients/pick/?client_q=quiet").content.decode()
    assert "Quiet" in known.client("staff").get("/clients/pick/?client_q=quiet").content.decode()
    with in_practice(known.practice, staff.pk):
        assert not Question.objects.exists()
