"""A practice of 5,000 clients, 167 of them restricted: every list is quick, and the wall costs one small sub-query."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from django.db import connections

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from clients import queries
from clients.models import Assignment, Client, Restriction
from clients.queries import Filter

SLOWEST_MS = 300
LISTS = (
    "", "?q=quokka+42", "?q=51824753556", "?q=nobody", "?tag=farm&type=company", "?gst=unknown&sort=-added", "?mine=1",
    "?restricted=1", "?page=97", "?sort=-name&page=50",
)  # fmt: skip


@pytest.fixture(scope="module")
def large(services: object, django_db_blocker: object) -> Iterator[KnownPractice]:
    from asat_site.testing.practices import make_throwaway

    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        known = make_throwaway("Large")
        owner, staff = known.users["owner"], known.users["staff"]
        with in_practice(known.practice, owner.pk):
            clients = [
                Client(
                    name=f"{('Harbour', 'Quokka', 'Bilby', 'Numbat', 'Emu')[n % 5]} {n} {('Pty Ltd', 'Trust')[n % 2]}",
                    trading_names=[f"Trade {n}"],
                    abn="51824753556" if n % 500 == 0 else "",
                    entity_type=("", "company", "trust")[n % 3],
                    tags=(["farm"], ["big"], [])[n % 3],
                )
                for n in range(5000)
            ]
            for client in clients:
                client.refold()
            Client.objects.bulk_create(clients, batch_size=500)
            people = (Assignment(client=client, user=staff, by=owner) for client in clients[::3])
            Assignment.objects.bulk_create(people, batch_size=500)
            Restriction.objects.bulk_create(Restriction(client=client, by=owner) for client in clients[::30])
        with in_practice(known.practice, using="owner"), connections["owner"].cursor() as cursor:
            cursor.execute("ANALYZE clients_client, clients_assignment, clients_restriction")
        yield known


@pytest.mark.alone
@pytest.mark.parametrize("role", ["staff", "agent"])
def test_every_list_comes_within_300_ms(large: KnownPractice, role: str) -> None:
    browser = large.client(role)
    slow = {}
    for query in LISTS:
        took = []
        for _ in range(7):
            began = time.perf_counter()
            assert browser.get(f"/clients/{query}").status_code == 200
            took.append((time.perf_counter() - began) * 1000)
        if sorted(took)[-2] > SLOWEST_MS:  # one of seven may meet whatever else the machine does
            slow[query] = round(sorted(took)[-2])
    assert slow == {}


def test_who_is_assigned_sees_all_and_who_is_not_sees_the_rest(large: KnownPractice) -> None:
    counts = {role: large.client(role).get("/clients/").context["count"] for role in ("staff", "agent", "owner")}
    assert counts == {"staff": 5000, "agent": 4833, "owner": 4833}
    groups = large.client("agent").get("/clients/duplicates/").context["groups"]
    assert [(group.by, len(group.clients)) for group in groups] == [("ABN", 6)]


def test_the_wall_is_one_sub_query_for_a_statement(large: KnownPractice) -> None:
    with in_practice(large.practice, large.users["agent"].pk):
        plan = queries.listed(Filter(words="quokka 42"), large.users["agent"]).explain(analyze=True)
    assert "hashed SubPlan" in plan
    assert plan.count("Seq Scan on clients_client") == 1
