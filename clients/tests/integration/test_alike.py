"""What may be one bill or bank line twice: which pairs are alike, that both ways of asking agree, and who is told."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest

from asat_site.testing.practices import KnownPractice
from clients.ledger import alike
from clients.models import Assignment, Client, Restriction, Transaction
from clients.tests.integration.ledger_setup import entry, reverse, speaking

DAY = date(2026, 10, 4)
ABN, OTHER_ABN = "51824753556", "83914571673"


@pytest.fixture
def known(practice: KnownPractice, services: object, django_db_blocker: Any) -> Any:
    with django_db_blocker.unblock():
        yield practice


def found(one: Transaction) -> list[Transaction]:
    """What `alike_to` finds to an entry that stands."""
    return alike.alike_to(
        one.client_id, abn=one.abn, supplier_key=one.supplier_key, number=one.number, dated=one.dated,
        total_cents=one.total_cents, currency=one.currency, excluding_document=one.document_id,
    )  # fmt: skip


PAIRS = [
    ({}, True),
    ({"number": "qt 100"}, True),
    ({"number": "QT–100", "total_cents": 9900, "dated": date(2020, 1, 1)}, True),
    ({"number": "QT-101", "dated": DAY}, True),  # one day, one total
    ({"number": "QT-101", "dated": DAY + timedelta(days=1)}, False),
    ({"number": "", "dated": DAY + timedelta(days=3)}, True),
    ({"number": "", "dated": DAY - timedelta(days=3)}, True),
    ({"number": "", "dated": DAY + timedelta(days=4)}, False),
    ({"number": "", "total_cents": 11001}, False),
    ({"number": "", "currency": "NZD"}, False),
    ({"kind": "receipt", "dated": date(2026, 11, 2)}, True),
    ({"kind": "bank"}, False),
    ({"total_cents": -11000}, False),  # the credit note of the same number
    ({"supplier": "QUAY TIMBER PROPRIETARY LIMITED"}, True),
    ({"supplier": "Quay Tiles"}, False),
    ({"supplier": "", "supplier_key": ""}, False),
]


@pytest.mark.parametrize(("fields", "is_alike"), PAIRS)
def test_a_bill_is_alike_by_supplier_and_number_or_total(
    known: KnownPractice, fields: dict[str, Any], is_alike: bool
) -> None:
    with speaking(known) as user:
        client = Client.objects.create(name="Ledger Pty Ltd")
        one, other = entry(client, user), entry(client, user, **fields)
        assert found(one) == ([other] if is_alike else [])
        if other.kind != "bank":
            assert found(other) == ([one] if is_alike else [])
        assert alike.alike_among([one, other]) == ({one.pk, other.pk} if is_alike else set())


@pytest.mark.parametrize(
    ("first", "second", "is_alike"),
    [
        ({"abn": ABN}, {"abn": ABN, "supplier": "Another Name"}, True),
        ({"abn": ABN}, {"abn": OTHER_ABN}, False),  # one name, and two who are known to be two
        ({"abn": ABN}, {}, True),
        ({"abn": ABN}, {"supplier": "Another Name"}, False),
    ],
)
def test_the_abn_says_who_the_supplier_is(
    known: KnownPractice, first: dict[str, Any], second: dict[str, Any], is_alike: bool
) -> None:
    with speaking(known) as user:
        client = Client.objects.create(name="Ledger Pty Ltd")
        one, other = entry(client, user, **first), entry(client, user, **second)
        assert [found(one), found(other)] == ([[other], [one]] if is_alike else [[], []])
        assert alike.alike_among([one, other]) == ({one.pk, other.pk} if is_alike else set())


def test_what_was_reversed_or_is_anothers_is_not_alike(known: KnownPractice, other_practice: KnownPractice) -> None:
    with speaking(known) as user:
        client, second = (Client.objects.create(name=name) for name in ("Ledger Pty Ltd", "Second Ledger"))
        one, gone, theirs = entry(client, user), entry(client, user), entry(second, user)
        back = reverse(gone, user)
        assert found(one) == [] and alike.alike_among([one, gone, back, theirs]) == set()
        newer = entry(client, user, dated=DAY + timedelta(days=1))
        assert found(one) == [newer] and found(theirs) == []
        assert alike.alike_among([one]) == {one.pk}  # the other one need not be in the list
    with speaking(other_practice):
        assert found(one) == [] and alike.alike_among([one, newer]) == set()


def test_one_page_does_not_make_its_own_rows_alike(known: KnownPractice) -> None:
    with speaking(known) as user:
        client = Client.objects.create(name="Ledger Pty Ltd")
        words = {"kind": "bank", "supplier": "", "number": "", "gst_cents": None, "total_cents": -450}
        first = entry(client, user, description="COFFEE  Harbour St", **words)
        second = entry(client, user, of=first.approval, position=1, description="COFFEE Harbour St", **words)
        rows = [(DAY, -450, "coffee harbour-st"), (DAY, -451, "COFFEE Harbour St")]
        assert alike.bank_lines_alike(client.pk, rows, excluding_document=first.document_id) == []
        assert alike.alike_among([first, second]) == set()
        again = entry(client, user, description="Coffee Harbour St", **words)
        assert alike.alike_among([first, second, again]) == {first.pk, second.pk, again.pk}
        assert alike.bank_lines_alike(client.pk, rows, excluding_document=first.document_id) == [again]
        assert alike.bank_lines_alike(client.pk, [], excluding_document=first.document_id) == []
        assert alike.bank_lines_alike(client.pk, rows, excluding_document=again.document_id, currency="NZD") == []


def test_who_does_not_see_a_client_is_not_told(known: KnownPractice) -> None:
    with speaking(known) as user:
        client = Client.objects.create(name="Quiet Ledger")
        one, other = entry(client, user), entry(client, user)
        Assignment.objects.create(client=client, user=user, by=user)
    with speaking(known, "owner") as owner:
        Restriction.objects.create(client=client, by=owner)
    with speaking(known):
        assert found(one) == [other]
    for role in ("agent", "owner", "read_only"):
        with speaking(known, role):
            assert found(one) == [] and alike.alike_among([one, other]) == set()


def test_both_ways_of_asking_agree(known: KnownPractice) -> None:
    chance = random.Random(7)
    with speaking(known) as user:
        client = Client.objects.create(name="Ledger Pty Ltd")
        rows = [
            entry(
                client, user, kind=chance.choice(["bill", "receipt"]), supplier=chance.choice(["A Co", "B Co", ""]),
                abn=chance.choice(["", ABN, OTHER_ABN]), number=chance.choice(["", "1", "#1", "2", "3", "4"]),
                dated=DAY + timedelta(days=chance.randrange(9)), total_cents=chance.choice([-500, 500, 600, 700]),
                currency=chance.choice(["AUD", "NZD"]),
            )
            for _ in range(60)
        ]  # fmt: skip
        for one in chance.sample(rows, 8):
            reverse(one, user)
        standing = list(Transaction.objects.filter(alike.STANDS, client=client))
        by_one: set[UUID] = {one.pk for one in standing if found(one)}
        assert len(standing) == 52 and 10 < len(by_one) < 52
        assert alike.alike_among(list(Transaction.objects.filter(client=client))) == by_one
        assert (
            set(Transaction.objects.filter(pk__in=alike.ids_alike([client.pk])).values_list("pk", flat=True)) == by_one
        )
