"""The ledger's pages: what is listed, what it comes to in cents, what leaves as a file, and who sees nothing of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import uuid4

import pytest

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from clients import services_merge
from clients.models import Assignment, Client, ClientEvent, Restriction, Transaction
from clients.tests.integration.ledger_setup import approval, entry, reverse, speaking


@pytest.fixture
def known(throwaway: Callable[[], KnownPractice]) -> KnownPractice:
    return throwaway()


def made(known: KnownPractice, name: str = "Harbour Pilots Pty Ltd", **fields: Any) -> Client:
    with speaking(known):
        return Client.objects.create(name=name, **fields)


def a_few(known: KnownPractice, client: Client) -> dict[str, Transaction]:
    """Bills, a receipt, a credit note, one reversed, one of another currency, and two bank lines."""
    with speaking(known) as user:
        bank = approval(client, user)
        words: dict[str, Any] = {"of": bank, "kind": "bank", "supplier": "", "number": "", "gst_cents": None}
        gone = entry(client, user, supplier="Reversed Co", number="R-1", total_cents=500, gst_cents=None)
        return {
            "timber": entry(client, user),
            "nails": entry(client, user, kind="receipt", supplier="Nail & Co", number="", total_cents=1234,
                           gst_cents=112, dated=date(2026, 6, 30)),
            "credit": entry(client, user, supplier="Nail & Co", number="CN-9", total_cents=-234, gst_cents=None),
            "gone": gone, "back": reverse(gone, user),
            "abroad": entry(client, user, supplier="Kauri Ltd", number="K1", currency="NZD", total_cents=100000,
                            gst_cents=None),
            "wages": entry(client, user, position=0, total_cents=-200001, description="WAGES=1+1", **words),
            "takings": entry(client, user, position=1, total_cents=300000, description="Takings", **words),
        }  # fmt: skip


def shown(page: Any) -> list[str]:
    return [row.entry.supplier or row.entry.description for row in page.context["rows"]]


def test_bills_and_receipts_are_listed_apart_from_bank_lines(known: KnownPractice) -> None:
    client = made(known)
    a_few(known, client)
    browser = known.client("read_only")
    page = browser.get("/transactions/")
    assert sorted(shown(page)) == ["Kauri Ltd", "Nail & Co", "Nail & Co", "Quay Timber Pty Ltd", *["Reversed Co"] * 2]
    bank = browser.get(f"/clients/{client.pk}/transactions/?kind=bank&sort=total")
    assert shown(bank) == ["WAGES=1+1", "Takings"]
    assert [(row.money_in, row.money_out) for row in bank.context["rows"]] == [("", "$2,000.01"), ("$3,000.00", "")]
    assert "Export CSV" not in page.content.decode() and "Send to Xero" not in page.content.decode()


def test_totals_are_exact_and_reversed_pairs_count_nil(known: KnownPractice) -> None:
    client = made(known)
    a_few(known, client)
    page = known.client().get("/transactions/")
    found = [(each.currency, each.count, each.total, each.gst, each.unsaid) for each in page.context["totals"]]
    assert found == [
        ("AUD", "3 entries", "$120.00", "$11.12", "1 entry without it"),
        ("NZD", "1 entry", "NZD 1,000.00", "", "1 entry without it"),
    ]
    assert page.context["count"] == 6
    (bank,) = known.client().get("/transactions/?kind=bank").context["totals"]
    assert (bank.count, bank.money_in, bank.money_out, bank.total) == (
        "2 entries", "$3,000.00", "$2,000.01", "$999.99"
    )  # fmt: skip
    gone = known.client().get("/transactions/?reversed=1")
    assert sorted(row.mark for row in gone.context["rows"]) == ["Reversed", "Reversing entry"]
    assert gone.context["totals"] == [] and "Nothing here counts" in gone.content.decode()


def test_the_charts_are_of_one_currency_by_month_and_by_supplier(known: KnownPractice) -> None:
    a_few(known, made(known))
    charts = known.client().get("/transactions/").context["charts"]
    months = [(str(each.first), each.amounts) for each in charts["months"]]
    assert months == [
        ("2026-10-01", (10766,)), ("2026-09-01", (0,)), ("2026-08-01", (0,)), ("2026-07-01", (0,)),
        ("2026-06-01", (1234,)),
    ]  # fmt: skip
    assert charts["says"] == ("Total by month from June 2026 to October 2026; the highest is $107.66 in October 2026.")
    suppliers = [(each.name, each.count, each.total, each.share) for each in charts["suppliers"]]
    assert suppliers == [("Quay Timber Pty Ltd", 1, "$110.00", 100), ("Nail & Co", 2, "$10.00", 9)]
    abroad = known.client().get("/transactions/?currency=NZD").context["charts"]
    assert [each.total for each in abroad["suppliers"]] == ["NZD 1,000.00"]
    bank = known.client().get("/transactions/?kind=bank").context["charts"]
    assert [each.amounts for each in bank["months"]] == [(300000, 200001)] and bank["suppliers"] == []


def test_a_day_far_off_leaves_the_last_two_years(known: KnownPractice) -> None:
    client = made(known)
    with speaking(known) as user:
        for number, day in enumerate((date(1, 1, 1), date(9999, 12, 31), date(9998, 2, 1))):
            entry(client, user, number=str(number), dated=day)
    charts = known.client().get("/transactions/").context["charts"]
    assert [str(each.first) for each in charts["months"]][:: len(charts["months"]) - 1] == ["9999-12-01", "9998-01-01"]
    assert charts["is_cut"] and sum(each.amounts[0] for each in charts["months"]) == 22000
    assert charts["months"][0].address == "?from=9999-12-01&to=9999-12-31"
    assert len(known.client().get("/transactions/?year=9998").context["rows"]) == 1


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("kind=receipt", ["Nail & Co"]),
        ("year=2026", ["Nail & Co"]),
        ("from=2026-07-01&to=2026-10-03&supplier=nail+and", []),
        ("from=2026-06-30&to=2026-10-03", ["Nail & Co"]),
        ("supplier=nail+and+co", []),
        ("q=kauri", ["Kauri Ltd"]),
        ("q=qt-1", ["Quay Timber Pty Ltd"]),
        ("q=$12.34", ["Nail & Co"]),
        ("q=12.34", ["Nail & Co"]),
        ("q=2.34", ["Nail & Co"]),
        ("q=%25", []),
        ("q=%00", None),
        ("from=nonsense&year=99999&kind=cash&sort=secret&page=-1", None),
        ("page=7", None),
    ],
)
def test_a_list_is_narrowed(known: KnownPractice, query: str, found: list[str] | None) -> None:
    a_few(known, made(known))
    page = known.client().get(f"/transactions/?{query}")
    assert page.status_code == 200
    if found is None:
        assert len(page.context["rows"]) == 6
    else:
        assert shown(page) == found


def test_a_supplier_of_two_names_is_one(known: KnownPractice) -> None:
    client = made(known)
    with speaking(known) as user:
        entry(client, user, supplier="Nail & Co", number="1", total_cents=100)
        entry(client, user, supplier="NAIL AND COMPANY", number="2", total_cents=200, dated=date(2026, 10, 5))
    page = known.client().get("/transactions/?supplier=nail+and")
    assert shown(page) == ["NAIL AND COMPANY", "Nail & Co"]
    assert page.context["supplier_name"] == "NAIL AND COMPANY"


def test_years_are_the_clients_own(known: KnownPractice) -> None:
    client = made(known, income_year_end=12)
    a_few(known, client)
    page = known.client().get(f"/clients/{client.pk}/transactions/?year=2026")
    assert len(page.context["rows"]) == 6
    years = dict(page.context["menus"])["Year"]
    assert [(each.words, each.is_on) for each in years] == [("Year to 31 December 2026", True)]
    years = dict(known.client().get("/transactions/").context["menus"])["Year"]
    assert [each.words for each in years] == ["FY2027", "FY2026"]


def test_what_may_be_twice_is_flagged_and_can_be_listed(known: KnownPractice) -> None:
    client = made(known)
    with speaking(known) as user:
        first, second = entry(client, user), entry(client, user, dated=date(2026, 11, 1))
        entry(client, user, supplier="Alone", number="A")
    page = known.client().get("/transactions/")
    assert {row.entry.pk for row in page.context["rows"] if row.twice} == {first.pk, second.pk}
    (address,) = {row.twice for row in page.context["rows"] if row.twice}
    assert address == "?alike=1"
    beside = known.client().get(f"/clients/{client.pk}/transactions/{address}")
    assert [row.entry.pk for row in beside.context["rows"]] == [second.pk, first.pk]
    assert len(known.client().get("/transactions/?alike=1").context["rows"]) == 2


def test_pages_of_fifty_lose_and_repeat_nothing(known: KnownPractice) -> None:
    client = made(known)
    with speaking(known) as user:
        of = approval(client, user)
        for n in range(101):
            entry(client, user, of=of, position=n, number=str(n))
    seen = []
    for page in (1, 2, 3):
        shown_now = known.client().get(f"/transactions/?page={page}&sort=supplier")
        seen += [row.entry.number for row in shown_now.context["rows"]]
    assert sorted(seen, key=int) == [str(n) for n in range(101)]
    assert (shown_now.context["first"], shown_now.context["last"], shown_now.context["next"]) == (101, 101, None)


def test_an_export_is_exact_harmless_and_on_record(known: KnownPractice) -> None:
    client = made(known, "=Harbour Pilots")
    few = a_few(known, client)
    answer = known.client().post("/transactions/export.csv", {"back": "sort=total", "client": str(client.pk)})
    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    assert text.startswith("\ufeff")
    head, *rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    assert head[:4] == ["Date", "Client", "Kind", "Supplier"] and len(rows) == 6
    cells = [dict(zip(head, row, strict=True)) for row in rows]
    assert [each["Total"] for each in cells] == ["-5.00", "-2.34", "5.00", "12.34", "110.00", "1000.00"]
    assert [each["State"] for each in cells] == ["Reversing entry", "", "Reversed", "", "", ""]
    assert [each["GST"] for each in cells] == ["", "", "", "1.12", "10.00", ""]
    assert {each["Client"] for each in cells} == {"'=Harbour Pilots"} and cells[5]["Currency"] == "NZD"
    assert cells[4]["Entry"] == str(few["timber"].pk) and cells[4]["Date"] == "2026-10-04"
    bank = known.client().post("/transactions/export.csv", {"back": "kind=bank"})
    assert "-2000.01" in b"".join(bank.streaming_content).decode()  # type: ignore[attr-defined]
    with in_practice(known.practice):
        events = ClientEvent.objects.filter(kind="entries_exported").order_by("id")
        assert [(each.client_id, each.count) for each in events] == [(client.pk, 6), (None, 2)]
    assert "Transactions exported: 2" in " ".join(
        known.client("owner").get("/clients/events/").content.decode().split()
    )


def test_who_reads_only_exports_nothing(known: KnownPractice) -> None:
    a_few(known, made(known))
    assert known.client("read_only").post("/transactions/export.csv", {"back": ""}).status_code == 403
    assert known.client("read_only").get("/transactions/").status_code == 200
    assert known.client(None).get("/transactions/").status_code == 302
    with in_practice(known.practice):
        assert not ClientEvent.objects.filter(kind="entries_exported").exists()


@pytest.mark.security
def test_nobody_sees_what_is_another_practices_or_a_restricted_clients(
    known: KnownPractice, other_practice: KnownPractice
) -> None:
    client, quiet = made(known), made(known, "Quiet Holdings Pty Ltd")
    a_few(known, client)
    with speaking(known) as user:
        entry(quiet, user, supplier="Secret Supplier")
        Assignment.objects.create(client=quiet, user=user, by=user)
    with speaking(known, "owner") as owner:
        Restriction.objects.create(client=quiet, by=owner)
    theirs = other_practice.client("owner")
    for path in (f"/clients/{client.pk}/transactions/", f"/clients/{quiet.pk}/transactions/"):
        assert theirs.get(path).status_code == 404
    assert theirs.post("/transactions/export.csv", {"client": str(client.pk)}).status_code == 404
    assert "Quay Timber" not in theirs.get("/transactions/").content.decode()
    for role in ("owner", "agent", "read_only"):
        browser = known.client(role)
        for query in ("", "?q=secret", "?supplier=secret+supplier", "?alike=1", "?sort=client"):
            page = browser.get(f"/transactions/{query}")
            assert "Secret Supplier" not in page.content.decode()
        assert browser.get("/transactions/").context["count"] == 6
        assert browser.get(f"/clients/{quiet.pk}/transactions/").status_code == 404
    out = known.client("agent").post("/transactions/export.csv", {"back": ""})
    assert "Secret" not in b"".join(out.streaming_content).decode()  # type: ignore[attr-defined]
    assert known.client("agent").post("/transactions/export.csv", {"client": str(quiet.pk)}).status_code == 404
    assert known.client("staff").get("/transactions/").context["count"] == 7
    for wrong in (str(uuid4()), "nonsense"):
        assert known.client().post("/transactions/export.csv", {"client": wrong}).status_code == 404


def test_entries_move_with_a_client_that_was_another_and_are_not_changed(known: KnownPractice) -> None:
    client, gone = made(known), made(known, "Harbour Pilots (old)")
    few = a_few(known, gone)
    with speaking(known) as user:
        done = services_merge.merge(user, client, gone)
    page = known.client().get(f"/clients/{client.pk}/transactions/")
    assert page.context["count"] == 6 and page.context["totals"][0].total == "$120.00"
    with speaking(known) as user:
        assert Transaction.objects.filter(client=client).count() == 8
        services_merge.unmerge(user, done)
        assert Transaction.objects.filter(client=gone).count() == 8
        now = Transaction.objects.get(pk=few["timber"].pk)
        assert (now.total_cents, now.gst_cents, now.supplier) == (11000, 1000, "Quay Timber Pty Ltd")


def test_an_empty_ledger_says_where_entries_come_from(known: KnownPractice) -> None:
    client = made(known)
    for path in ("/transactions/", f"/clients/{client.pk}/transactions/"):
        assert "There are no transactions" in known.client().get(path).content.decode()
