"""The benchmark's practice, small: all of it is there, some of it twice, and its staff see what they may."""

from __future__ import annotations

import random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client as Browser

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from clients.bench import clicking, filling
from clients.ledger import queries
from clients.management.commands import bench_practice
from clients.models import Client, Document, Transaction


@pytest.fixture
def small(services: Any, django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    sizes = {"CLIENTS": 103, "BILLS": 500, "STATEMENTS": 3, "ROWS": 10, "STAFF": 4}
    mark = uuid4().hex[:8]
    monkeypatch.setattr(filling, "NAME", f"Bench {mark}")
    monkeypatch.setattr(filling, "HOST", f"{mark}.localhost")
    for name, size in sizes.items():
        monkeypatch.setattr(filling, name, size)
    with django_db_blocker.unblock():
        yield filling.filled()


def test_all_of_it_is_there_and_made_once(small: filling.Filled) -> None:
    assert [user.email for user in small.staff] == [f"staff-{n:02}@bench.example" for n in range(4)]
    assert filling.filled().practice == small.practice
    counts = []
    for user in small.staff:
        with in_practice(small.practice, user.pk):
            counts.append(Client.objects.count())
    assert counts == [
        101,
        100,
        101,
        101,
    ]  # three are restricted, to the first, third and fourth
    with in_practice(small.practice), as_keeper():
        assert (Client.objects.count(), Document.objects.count(), Transaction.objects.count()) == (103, 503, 530)
    with in_practice(small.practice, small.staff[0].pk):
        twice = queries.alike_ids(None)
        assert len(twice) == 2 and Transaction.objects.filter(pk__in=twice).values("number").distinct().count() == 1


def test_every_page_that_is_clicked_is_served(small: filling.Filled) -> None:
    with in_practice(small.practice, small.staff[0].pk):
        cookie = bench_practice._cookie(small.staff[0])
        clients = list(Client.objects.values_list("pk", flat=True))
    browser = Browser(headers={"host": filling.HOST, "cookie": cookie})
    for name, path in clicking.pages(clients, "nail", has_documents=True):
        assert browser.get(path(random.Random(1))).status_code == 200, name
