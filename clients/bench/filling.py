"""A practice of the size that lists are measured at: 5,000 made-up clients with 50,000 entries, and who works there.

Everything is made up by number, and the same each time. A handful of names, days and amounts recur, as they do in a
practice: some suppliers are everybody's, and a few bills were entered twice.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db import connections, transaction
from django.utils import timezone

from asat_site.accounts.models import User
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice
from asat_site.tenancy.practices import create_practice
from clients.models import Approval, Assignment, Client, Document, Restriction, Transaction
from clients.rules.matching import match_key

CLIENTS, BILLS, STATEMENTS, ROWS, STAFF = 5_000, 30_000, 400, 50, 50
RESTRICTED_EVERY = 51
NAME, HOST = "Practice of the benchmark", "bench-practice.localhost"
FIRST_DAY, DAYS = date(2023, 7, 1), 1_200
_FIRST = ("Harbour", "Quokka", "Bilby", "Numbat", "Banksia", "Coastal", "Ridge", "Wattle", "Kelp", "Ironbark")
_SECOND = (
    "Plumbing",
    "Timber",
    "Freight",
    "Stationery",
    "Energy",
    "Catering",
    "Tools",
    "Cleaning",
    "Software",
    "Paint",
)
_LAST = ("Pty Ltd", "& Co", "Supplies Pty Ltd", "Group Ltd")


@dataclass(frozen=True, slots=True)
class Filled:
    """The practice and its staff."""

    practice: Practice
    staff: list[User]


def filled() -> Filled:
    """The practice at HOST, made and filled unless it is there already. Needs the owner's address."""
    practice = Practice.objects.filter(domains__domain=HOST).first()
    if practice is None:
        practice = create_practice(NAME, HOST)
    with in_practice(practice):
        is_there = Restriction.objects.exists()  # what is written last
    if not is_there:
        with in_practice(practice, using="owner"), transaction.atomic(using="owner"):
            owner = _fill(random.Random(6))
        with in_practice(practice, owner.pk, using="owner"):
            _restrict(owner)
    with in_practice(practice):
        return Filled(practice, list(User.objects.filter(role=User.Role.STAFF).order_by("email")))


def _restrict(owner: User) -> None:
    """Some clients, for who is assigned to it; and what the database knows of all this, made anew."""
    every = list(Client.objects.using("owner").order_by("created_at", "pk").values_list("pk", flat=True))
    _keep([Restriction(client_id=each, by=owner) for each in every[::RESTRICTED_EVERY]])
    with connections["owner"].cursor() as cursor:
        cursor.execute("ANALYZE")


def _fill(chance: random.Random) -> User:
    owner = User(username="owner", email="owner@bench.example", role="owner", password="!")
    staff = [User(username=f"staff-{n:02}", email=f"staff-{n:02}@bench.example", password="!") for n in range(STAFF)]
    _keep([owner, *staff])
    clients = [_client(n) for n in range(CLIENTS)]
    _keep(clients)
    _keep([Assignment(client=each, user=staff[n % STAFF], by=staff[0]) for n, each in enumerate(clients)])
    papers = list(_papers(clients, staff, chance))
    _keep([document for document, _, _ in papers])
    _keep([approval for _, approval, _ in papers])
    _keep([entry for _, _, entries in papers for entry in entries])
    return owner


def _keep(rows: list[Any]) -> None:
    type(rows[0]).objects.using("owner").bulk_create(rows, batch_size=1_000)


def _client(n: int) -> Client:
    name = f"{_FIRST[n % 10]} {_SECOND[n // 10 % 10]} {n} {_LAST[n % 4]}"
    made = Client(
        name=name, trading_names=[f"Trade {n}"] if n % 3 == 0 else [], entity_type=("", "company", "trust")[n % 3],
        tags=(["farm"], ["big"], [])[n % 3], income_year_end=12 if n % 40 == 0 else None,
    )  # fmt: skip
    made.refold()
    return made


def _papers(
    clients: list[Client], staff: list[User], chance: random.Random
) -> Iterator[tuple[Document, Approval, list[Transaction]]]:
    """Bills and receipts of all clients, each with a document of its own, and statements of some with their rows."""
    suppliers = [f"{first} {second} {last}" for first in _FIRST for second in _SECOND for last in _LAST]
    for n in range(BILLS):
        if n % 500 != 499:  # every five hundredth bill was entered twice
            client = clients[int(CLIENTS * chance.random() ** 2)]
            supplier = suppliers[int(len(suppliers) * chance.random() ** 2)]
            dated = FIRST_DAY + timedelta(days=chance.randrange(DAYS))
            number, cents = f"INV-{n:05}", chance.randrange(500, 900_000)
        document, approval = _approved(client, staff[n % STAFF], "invoice")
        yield document, approval, [
            Transaction(
                client=client, document=document, approval=approval, position=0, currency="AUD",
                kind="receipt" if n % 4 == 0 else "bill", supplier=supplier, supplier_key=match_key(supplier),
                dated=dated, number=number, total_cents=cents, gst_cents=cents // 11 if n % 5 else None,
            )
        ]  # fmt: skip
    for n in range(STATEMENTS):
        client = clients[n * 7 % CLIENTS]
        document, approval = _approved(client, staff[n % STAFF], "statement")
        start = chance.randrange(DAYS)
        yield document, approval, [
            Transaction(
                client=client, document=document, approval=approval, position=row, kind="bank", currency="AUD",
                dated=FIRST_DAY + timedelta(days=start + row % 30), total_cents=chance.randrange(-400_000, 300_000),
                description=f"TRANSFER {suppliers[row].upper()}",
            )
            for row in range(ROWS)
        ]  # fmt: skip


def _approved(client: Client, by: User, kind: str) -> tuple[Document, Approval]:
    sha256 = uuid.uuid4().hex * 2
    document = Document(
        client=client, name=f"{kind}.pdf", media_type="application/pdf", size=50_000, sha256=sha256, kind=kind,
        sent_key=f"{client.pk}:{sha256}", came_by="upload", by=by, status="approved", page_count=1, pages_done=1,
        read_at=timezone.now(),
    )  # fmt: skip
    return document, Approval(document=document, client=client, number=1, by=by)
