"""Approved entries go to Xero as drafts by one button: each once, however often; what is refused says why."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from asat_site import secrets
from asat_site.testing.practices import KnownPractice
from asat_site.testing.xero_server import Contract, Organisation, Xero, xero_server
from clients import services_merge
from clients.documents import storing
from clients.ledger import standing
from clients.models import Approval, Assignment, Client, DocumentFile, Restriction, Transaction
from clients.tests.integration.ledger_setup import approval, entry, reverse
from integrations.models import XeroContact, XeroOrganisation, XeroPush
from integrations.terms import VendorFailed
from integrations.tests.integration.xero_setup import PDF, connect, make_app, speaking, work
from integrations.xero import from_transactions, originals, pushed, sending
from integrations.xero.mapping import BillLine, Treatment


@pytest.fixture
def xero(settings: Any, services: Any, practice: KnownPractice, request: Any) -> Iterator[Xero]:
    """A Xero that the practice's app is known to, held to the descriptions where this machine has them."""
    with xero_server(Contract.find()) as served:
        settings.ASAT_XERO_URL = served.url
        request.getfixturevalue("django_db_blocker").unblock()
        make_app(practice, served)
        yield served


@pytest.fixture
def connected(practice: KnownPractice, xero: Xero) -> tuple[XeroOrganisation, Organisation]:
    return connect(practice, xero)


def with_file(client: Client, user: Any, content: bytes = b"", **fields: Any) -> Transaction:
    """A bill whose document is kept as it came."""
    of = approval(client, user, content or b"%PDF-1.7 " + uuid4().bytes)
    return entry(client, user, of=of, **{"number": f"N-{uuid4().hex[:6]}", **fields})


def pushes() -> dict[str, XeroPush]:
    return {one.source_id: one for one in XeroPush.objects.filter(source_kind="transaction")}


def pressed(known: KnownPractice, client: Client, *ids: Any, role: str = "staff", which: str = "ticked") -> Any:
    """The page after the button."""
    sent = {"entry": [str(each) for each in ids], "which": which}
    return known.client(role).post(f"/clients/{client.pk}/xero/push/", sent)


def became(page: Any) -> dict[str, str]:
    return {line.number: line.words for line in page.context["lines"]}


Connected = tuple[XeroOrganisation, Organisation]


def test_ticked_bills_arrive_as_drafts_with_their_originals(practice: KnownPractice, connected: Connected) -> None:
    organisation, books = connected
    with speaking(practice) as owner:
        lines = [
            {"description": "Planks", "amount_cents": 7700, "is_taxable": True},
            {"description": "Levy", "amount_cents": 3300, "is_taxable": False},
        ]
        one = with_file(organisation.client, owner, PDF, number="QT-1", lines=lines, gst_cents=700,
                        abn="51824753556", due=date(2026, 11, 3))  # fmt: skip
        entry(organisation.client, owner, number="QT-2")
    page = pressed(practice, organisation.client, one.pk)
    assert page.status_code == 200 and page.context["says"] == "1 entry on the way to Xero."
    assert became(page) == {"QT-1": "On its way"}
    with speaking(practice) as owner:
        push = work(pushes()[str(one.pk)])
        assert (push.state, push.why, push.by_id) == ("done", "", practice.users["staff"].pk)
        (made,) = books.bills.values()
        told = [made[name] for name in ("Type", "Status", "Total", "InvoiceNumber")]
        assert told == ["ACCPAY", "DRAFT", 110.0, "QT-1"]
        assert [(each["Description"], each["TaxType"]) for each in made["LineItems"]] == [
            ("Planks", "INPUT"), ("Levy", "EXEMPTEXPENSES")
        ]  # fmt: skip
        assert [content for _, content in books.files[push.invoice_id].values()] == [PDF]
    listed = practice.client("staff").get(f"/clients/{organisation.client_id}/transactions/")
    states = {row.entry.number: (row.sent.words if row.sent else "", row.may_send) for row in listed.context["rows"]}
    assert states == {"QT-1": ("In Xero as a draft", False), "QT-2": ("", True)}
    unsent = practice.client("staff").get(f"/clients/{organisation.client_id}/transactions/?unsent=1")
    assert [row.entry.number for row in unsent.context["rows"]] == ["QT-2"]


def test_the_button_is_safe_twice_and_under_two_clicks_at_once(practice: KnownPractice, connected: Connected) -> None:
    organisation, books = connected
    with speaking(practice) as owner:
        ids = [with_file(organisation.client, owner).pk for _ in range(3)]
    pages: list[Any] = []
    start = threading.Barrier(4)

    def click() -> None:
        start.wait()
        pages.append(pressed(practice, organisation.client, *ids))
        connection.close()

    threads = [threading.Thread(target=click) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    words = [page.content.decode() for page in pages]
    assert [page.status_code for page in pages] == [200] * 4
    assert sum(each.count('<span class="badge">On its way</span>') for each in words) == 3
    assert sum(each.count('<span class="badge">Sent before: ') for each in words) == 9
    with speaking(practice):
        found = [pushes()[str(each)] for each in ids]
        assert [work(each).state for each in found] == ["done"] * 3 and len(books.bills) == 3
    again = pressed(practice, organisation.client, *ids)
    assert set(became(again).values()) == {"Sent before: In Xero as a draft"}
    assert len(books.bills) == 3


def test_what_is_no_bill_is_refused_and_says_why(practice: KnownPractice, connected: Connected) -> None:
    organisation, books = connected
    with speaking(practice) as owner:
        client = organisation.client
        gone = entry(client, owner, number="gone")
        rows = {
            "bank": entry(client, owner, kind="bank", number="bank"),
            "gone": gone,
            "back": reverse(gone, owner),
            "credit": entry(client, owner, number="credit", total_cents=-100, gst_cents=None),
            "nobody": entry(client, owner, number="nobody", supplier=""),
            "good": entry(client, owner, number="good", kind="receipt"),
        }
    page = pressed(practice, organisation.client, *(each.pk for each in rows.values()))
    found = [(line.number, line.words, line.why.split(".")[0]) for line in page.context["lines"]]
    assert sorted(found) == [
        ("bank", "Refused", "This is a bank line"),
        ("credit", "Refused", "This is a credit note"),
        ("gone", "Refused", "It takes another entry back and is not sent"),
        ("gone", "Refused", "It was reversed"),
        ("good", "On its way", ""),
        ("nobody", "Refused", "The supplier’s name is missing, or longer than the 255 letters that Xero takes"),
    ]
    with speaking(practice):
        assert [each for each in pushes() if each in {str(one.pk) for one in rows.values()}] == [str(rows["good"].pk)]
    assert books.bills == {}


def test_all_that_is_not_there_leaves_out_what_is(
    practice: KnownPractice, connected: Connected, monkeypatch: Any
) -> None:
    organisation, _ = connected
    with speaking(practice) as owner:
        first = with_file(organisation.client, owner, number="1")
        for number in (2, 3, 4):
            with_file(organisation.client, owner, number=str(number), dated=date(2026, 10, number))
        entry(organisation.client, owner, kind="bank", number="bank")
        reverse(entry(organisation.client, owner, number="gone"), owner)
    pressed(practice, organisation.client, first.pk)
    with speaking(practice):
        assert work(pushes()[str(first.pk)]).state == "done"
    monkeypatch.setattr(from_transactions, "MOST_AT_ONCE", 2)
    page = pressed(practice, organisation.client, which="all")
    assert became(page) == {"2": "On its way", "3": "On its way"} and page.context["left"] == 1
    monkeypatch.setattr(from_transactions, "MOST_AT_ONCE", 20)
    page = pressed(practice, organisation.client, which="all")
    before = "Sent before: Waiting"
    assert sorted(became(page).items()) == [("2", before), ("3", before), ("4", "On its way")]
    with speaking(practice):
        assert {work(one).state for one in pushes().values() if one.client_id == organisation.client_id} == {"done"}
    page = practice.client("staff").post(f"/clients/{organisation.client_id}/xero/push/", {"which": "all"}, follow=True)
    assert "Everything that can be sent is in Xero." in page.content.decode()


def test_what_was_reversed_after_it_was_sent_is_not_sent_again(practice: KnownPractice, connected: Connected) -> None:
    organisation, books = connected
    with speaking(practice) as owner:
        one = with_file(organisation.client, owner)
    pressed(practice, organisation.client, one.pk)
    with speaking(practice) as owner:
        work(pushes()[str(one.pk)])
        back = reverse(one, owner)
    page = pressed(practice, organisation.client, one.pk, back.pk)
    assert [line.words for line in page.context["lines"]] == ["Refused", "Refused"]
    assert "stays there; delete it in Xero yourself" in page.content.decode()
    assert len(books.bills) == 1
    listed = practice.client("staff").get(f"/clients/{organisation.client_id}/transactions/")
    assert sorted((row.mark, row.sent.words if row.sent else "") for row in listed.context["rows"]) == [
        ("Reversed", "In Xero as a draft"), ("Reversing entry", "")
    ]  # fmt: skip


def test_what_is_taken_back_before_it_was_sent_is_not_sent(practice: KnownPractice, connected: Connected) -> None:
    organisation, books = connected
    with speaking(practice) as owner:
        one = with_file(organisation.client, owner)
    pressed(practice, organisation.client, one.pk)
    with speaking(practice) as owner:
        reverse(one, owner)
        sent = work(pushes()[str(one.pk)])
        assert (sent.state, sent.why) == ("failed", standing.TAKEN_BACK)
    page = practice.client("staff").post(f"/bills/{sent.pk}/again/", follow=True)
    assert standing.TAKEN_BACK in page.content.decode()
    with speaking(practice):
        assert XeroPush.objects.get(pk=sent.pk).state == "failed"
    assert books.bills == {}


def test_what_is_taken_back_after_its_contact_was_found_is_not_sent(
    practice: KnownPractice, connected: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    organisation, books = connected
    with speaking(practice) as owner:
        one = with_file(organisation.client, owner)
    pressed(practice, organisation.client, one.pk)
    found = sending.contacts.resolve

    def resolved(*given: Any) -> str:
        with speaking(practice) as owner:
            reverse(one, owner)
        return found(*given)

    monkeypatch.setattr(sending.contacts, "resolve", resolved)
    with speaking(practice):
        sent = work(pushes()[str(one.pk)])
    assert (sent.state, sent.why, sent.may_exist) == ("failed", standing.TAKEN_BACK, False)
    assert books.bills == {} and len(books.contacts) == 1


def test_what_is_approved_anew_goes_and_says_that_the_former_draft_is_there(
    practice: KnownPractice, connected: Connected
) -> None:
    organisation, books = connected
    with speaking(practice) as owner:
        one, other = with_file(organisation.client, owner), with_file(organisation.client, owner)
    pressed(practice, organisation.client, one.pk)
    with speaking(practice) as owner:
        work(pushes()[str(one.pk)])
        reverse(one, owner)
        of = Approval.objects.create(document=one.document, client=organisation.client, number=2, by=owner)
        corrected = entry(organisation.client, owner, of=of, number=one.number, total_cents=12000, gst_cents=None)
    page = pressed(practice, organisation.client, corrected.pk, other.pk)
    assert {line.number: line.why for line in page.context["lines"]} == {one.number: pushed.TWICE, other.number: ""}
    with speaking(practice):
        work(pushes()[str(corrected.pk)])
    assert sorted(each["Total"] for each in books.bills.values()) == [110.0, 120.0]


def test_lines_that_do_not_come_to_the_total_are_left_out(practice: KnownPractice, connected: Connected) -> None:
    with speaking(practice) as owner:
        lines = [{"description": "Planks", "amount_cents": 10000, "is_taxable": None}]
        one = entry(connected[0].client, owner, lines=lines)
        assert from_transactions.bill_of(one).lines == ()
        one.total_cents = 10000
        assert from_transactions.bill_of(one).lines == (BillLine("Planks", 10000, None),)
        one.lines[0]["is_taxable"] = True
        assert from_transactions.bill_of(one).lines == (BillLine("Planks", 10000, Treatment.TAXABLE),)


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("copied", "The file of this document does not open: it was altered, or sealed elsewhere."),
        ("no key", "is sealed under a key that is not among those set"),
        ("gone", "The file of this document is not there."),
    ],
)
def test_an_original_that_does_not_open_leaves_the_bill_and_says_why(
    practice: KnownPractice, connected: Connected, harm: str, says: str
) -> None:
    organisation, books = connected
    with speaking(practice) as owner:
        of = approval(organisation.client, owner, b"" if harm == "gone" else b"%PDF-1.7 " + uuid4().bytes)
        one = entry(organisation.client, owner, of=of)
        file = DocumentFile.objects.filter(pk=one.document_id)
        elsewhere = secrets.seal("AAAA", practice=practice.id, table=storing.TABLE, column="content", row=uuid4())
        sealed = {"copied": elsewhere, "no key": "1.lost." + elsewhere.split(".")[2], "gone": ""}[harm]
        assert file.update(sealed_key=sealed) == (harm != "gone")
    pressed(practice, organisation.client, one.pk)
    with speaking(practice):
        push = work(pushes()[str(one.pk)])
        assert push.state == "failed" and says in push.why and push.why.endswith("Attach it in Xero yourself.")
        assert list(books.bills) == [push.invoice_id] and books.files.get(push.invoice_id, {}) == {}


def test_who_does_not_see_the_client_any_more_reads_no_original(practice: KnownPractice, connected: Connected) -> None:
    organisation, _ = connected
    with speaking(practice) as owner:
        one = with_file(organisation.client, owner)
        assert originals.read(f"document:{one.document_id}").startswith(b"%PDF-1.7 ")
        Assignment.objects.create(client=organisation.client, user=owner, by=owner)
        Restriction.objects.create(client=organisation.client, by=owner)
    for role in ("staff", "agent"):
        with speaking(practice, role), pytest.raises(VendorFailed, match="is not here any more"):
            originals.read(f"document:{one.document_id}")
    with speaking(practice), pytest.raises(VendorFailed, match="is not here any more"):
        originals.read("document:nonsense")


@pytest.mark.security
def test_only_who_may_write_and_sees_the_client_sends(
    practice: KnownPractice, other_practice: KnownPractice, connected: Connected
) -> None:
    organisation, _ = connected
    client = organisation.client
    with speaking(practice) as owner:
        one = with_file(client, owner)
        second = Client.objects.create(name="Second")
        Assignment.objects.create(client=client, user=owner, by=owner)
        Restriction.objects.create(client=client, by=owner)
    assert pressed(practice, client, one.pk, role="read_only").status_code == 403
    assert pressed(practice, client, one.pk, role="agent").status_code == 404
    assert pressed(other_practice, client, one.pk, role="owner").status_code == 404
    assert practice.client("owner").get(f"/clients/{client.pk}/xero/push/").status_code == 405
    theirs = pressed(practice, second, one.pk, role="owner")
    assert theirs.status_code == 302 and theirs["Location"] == f"/clients/{second.pk}/xero/"
    with speaking(practice):
        assert str(one.pk) not in pushes()
    page = pressed(practice, client, uuid4(), role="owner")
    assert page.context["says"] == "None of these is an entry of this client." and page.context["lines"] == []
    nothing = pressed(practice, client, "nonsense", role="owner")
    assert nothing.status_code == 302 and nothing["Location"] == f"/clients/{client.pk}/transactions/"


def test_without_an_organisation_there_is_no_button_and_it_says_where_to_connect(
    practice: KnownPractice, xero: Xero
) -> None:
    with speaking(practice) as owner:
        client = Client.objects.create(name="Not Connected")
        one = entry(client, owner)
    page = practice.client("staff").get(f"/clients/{client.pk}/transactions/").content.decode()
    assert "Send to Xero as drafts" not in page and f'href="/clients/{client.pk}/xero/"' in page
    assert "is not connected with Xero" in page
    sent = practice.client("staff").post(f"/clients/{client.pk}/xero/push/", {"entry": str(one.pk)}, follow=True)
    assert "is not connected with Xero" in sent.content.decode()
    with speaking(practice):
        assert str(one.pk) not in pushes()


def test_what_was_sent_while_clients_were_merged_goes_back_with_its_entry(
    practice: KnownPractice, connected: Connected
) -> None:
    organisation, books = connected
    kept = organisation.client
    with speaking(practice) as owner:
        gone = Client.objects.create(name="Gone Pty Ltd")
        one = with_file(gone, owner)
        done = services_merge.merge(owner, kept, gone)
        own = with_file(kept, owner)
    pressed(practice, kept, one.pk, own.pk)
    with speaking(practice) as owner:
        both = [pushes()[str(each.pk)] for each in (one, own)]
        assert [work(each).state for each in both] == ["done", "done"] and len(books.bills) == 2
        assert {each.client_id for each in both} == {kept.pk}
        services_merge.unmerge(owner, done)
        assert (pushes()[str(one.pk)].client_id, pushes()[str(own.pk)].client_id) == (gone.pk, kept.pk)
        assert set(XeroContact.objects.filter(tenant_id=books.tenant_id).values_list("client_id", flat=True)) == {
            kept.pk
        }


def test_a_contact_that_was_found_while_merged_goes_back_with_its_organisation(
    practice: KnownPractice, connected: Connected
) -> None:
    organisation, _ = connected
    gone = organisation.client
    with speaking(practice) as owner:
        kept = Client.objects.create(name="Kept Pty Ltd")
        done = services_merge.merge(owner, kept, gone)
        one = with_file(kept, owner)
    pressed(practice, kept, one.pk)
    with speaking(practice) as owner:
        assert work(pushes()[str(one.pk)]).state == "done"
        services_merge.unmerge(owner, done)
        assert XeroContact.objects.get(tenant_id=organisation.tenant_id).client_id == gone.pk
        assert pushes()[str(one.pk)].client_id == kept.pk
