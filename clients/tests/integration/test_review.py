"""The review: what its page shows, what is decided and entered, what is refused, and what nobody else finds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, connections

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice
from clients import services_merge
from clients.extraction.standing import Act
from clients.ledger.sending import Sent
from clients.models import Approval, Client, Document, DocumentFile, DocumentPage, FieldDecision, Transaction
from clients.review import deciding, services
from clients.review.deciding import Wanted
from clients.services import NotDone
from clients.tests.integration.review_setup import (
    INVOICE,
    STATEMENT,
    entered,
    made_client,
    read_document,
    speaking,
    with_status,
)

pytestmark = pytest.mark.security


@pytest.fixture(scope="module")
def known(services: Any, django_db_blocker: Any) -> Iterator[KnownPractice]:
    from asat_site.testing.practices import make_throwaway

    with django_db_blocker.unblock():
        yield make_throwaway("Reviewing")


@pytest.fixture
def client(known: KnownPractice) -> Client:
    return made_client(known)


@pytest.fixture
def document(known: KnownPractice, client: Client) -> Document:
    return read_document(known, client)


def decided(known: KnownPractice, document: Document, *wanted: Wanted) -> None:
    with speaking(known) as user:
        deciding.decide(user, document.pk, wanted)


def approved(known: KnownPractice, document: Document, **more: Any) -> Approval:
    with speaking(known) as user:
        return services.approve(user, document.pk, services.stand_of(Document.objects.get(pk=document.pk)).last, **more)


def decisions(known: KnownPractice, document: Document) -> list[tuple[str, str, str, str]]:
    with in_practice(known.practice), as_keeper():
        rows = FieldDecision.objects.filter(document=document).order_by("id")
        return list(rows.values_list("field", "act", "was", "value"))


def listed(known: KnownPractice, document: Document) -> tuple[Any, ...]:
    with in_practice(known.practice), as_keeper():
        found = Document.objects.get(pk=document.pk)
        return found.status, found.supplier, found.total_cents, found.failing


# ------------------------------------------------------------------------------------------------ the page


def test_the_page_shows_each_value_with_its_region_and_what_it_offers(known: KnownPractice, document: Document) -> None:
    response = known.client().get(f"/documents/{document.pk}/")
    page = response.content.decode()
    assert response.status_code == 200
    assert "Ockley Timber Pty Ltd" in page and "1,100.00" in page and "51 824 753 556" in page
    assert page.count("Quote matched on page 1.") == 8
    assert "verified" not in page.lower()
    assert f'href="/documents/{document.pk}/pages/1.png"' in page
    total = next(row for row in response.context["fields"] if row.name == "total")
    assert (total.place.page, total.shown, total.can) == (1, "1,100.00", {"accept", "edit"})
    assert "One bill of $1,100.00, GST $100.00, dated 23 Feb 2026, is entered with its 2 lines." in page
    assert " style=" not in page and "<script>" not in page and "onclick" not in page
    lit = known.client().get(f"/documents/{document.pk}/?field=total").content.decode()
    assert lit.count('class="lit"') == 1 and 'data-of="total" class="lit"' in lit


def test_who_may_only_read_sees_it_and_is_offered_nothing(known: KnownPractice, document: Document) -> None:
    browser = known.client("read_only")
    page = browser.get(f"/documents/{document.pk}/").content.decode()
    assert "Ockley Timber Pty Ltd" in page
    assert "/decide/" not in page and "/approve/" not in page and "/keep/" not in page
    for act in ("decide", "approve", "reverse"):
        assert browser.post(f"/documents/{document.pk}/{act}/", {"field": "total", "act": "emptied"}).status_code == 403
    assert decisions(known, document) == [] and entered(known, document) == []


@pytest.mark.parametrize("path", ["", "decide/", "approve/", "reverse/"])
def test_another_practice_finds_no_such_document(
    known: KnownPractice, other_practice: KnownPractice, document: Document, path: str
) -> None:
    browser = other_practice.client("owner")
    send = browser.post if path else browser.get
    assert send(f"/documents/{document.pk}/{path}", {"field": "total", "act": "emptied"}).status_code == 404
    assert decisions(known, document) == [] and entered(known, document) == []


def test_of_a_restricted_client_only_those_assigned_find_it(known: KnownPractice) -> None:
    document = read_document(known, made_client(known, "Very Quiet Pty Ltd", is_restricted=True))
    for role in ("owner", "agent"):
        browser = known.client(role)
        assert browser.get(f"/documents/{document.pk}/").status_code == 404
        for act, posted in (
            ("decide", {"field": "gst", "act": "emptied"}),
            ("approve", {"seen": "0"}),
            ("reverse", {}),
        ):
            assert browser.post(f"/documents/{document.pk}/{act}/", posted).status_code == 404
        with speaking(known, role):
            assert not DocumentPage.objects.filter(document_id=document.pk).exists()
    assert decisions(known, document) == [] and entered(known, document) == []
    assert known.client("staff").post(f"/documents/{document.pk}/approve/", {"seen": "0"}).status_code == 302
    assert len(entered(known, document)) == 1
    with speaking(known, "agent"):
        assert not Transaction.objects.filter(document_id=document.pk).exists()


@pytest.mark.parametrize(
    ("status", "changes", "words", "offered"),
    [
        ("waiting", {}, 'hx-trigger="every 1s"', []),
        ("reading", {"page_count": 9, "pages_done": 2}, "Page 3 of 9 is being read.", []),
        ("unreadable", {"problem": "It has a password."}, "It has a password.", ["read-again", "keep", "original"]),
        ("unsafe", {"problem": "The scanner found Eicar in it."}, "The scanner found Eicar in it.", []),
        ("kept", {}, "Kept as a file", ["keep", "original"]),
    ],
)
def test_each_state_has_a_page_that_says_what_to_do(
    known: KnownPractice, document: Document, status: str, changes: dict[str, object], words: str, offered: list[str]
) -> None:
    more = {} if status == "kept" else {"reading": None}
    with_status(known, document, status, **changes, **more)
    page = known.client().get(f"/documents/{document.pk}/").content.decode()
    assert words in page
    for act in ("read-again", "keep", "original", "approve", "decide"):
        assert (f"/documents/{document.pk}/{act}/" in page) is (act in offered), act


def test_while_it_is_read_the_part_is_asked_for_and_then_the_page(known: KnownPractice, document: Document) -> None:
    with_status(known, document, "reading", reading=None)
    browser, part = known.client(), {"headers": {"HX-Request": "true"}}
    response = browser.get(f"/documents/{document.pk}/?part=now", **part)
    assert response.status_code == 200 and response.content.strip().startswith(b"<section")
    with_status(known, document, "unreadable", problem="It is torn.")
    response = browser.get(f"/documents/{document.pk}/?part=now", **part)
    assert (response.status_code, response["HX-Refresh"]) == (204, "true")


# ------------------------------------------------------------------------------------------------ decisions


def test_a_correction_is_kept_beside_what_was_read(known: KnownPractice, document: Document) -> None:
    browser = known.client()
    posted = {"field": "supplier", "act": "corrected", "value": "Ockley Timber & Sons", "page": "1"}
    response = browser.post(f"/documents/{document.pk}/decide/", posted, headers={"HX-Request": "true"})
    part = response.content.decode()
    assert response.status_code == 200 and part.strip().startswith("<div") and "<html" not in part
    assert "Read as <s>Ockley Timber Pty Ltd</s>" in part and "Typed. It was not found on the pages." in part
    assert decisions(known, document) == [
        ("supplier", "corrected", "Ockley Timber Pty Ltd", "Ockley Timber & Sons"),
    ]  # fmt: skip
    assert listed(known, document) == ("review", "Ockley Timber & Sons", 110000, 0)
    back = browser.post(f"/documents/{document.pk}/decide/", posted | {"act": "reset"})
    assert back["Location"] == f"/documents/{document.pk}/?page=1&field=supplier#field-supplier"
    assert listed(known, document) == ("review", "Ockley Timber Pty Ltd", 110000, 0)
    assert [act for _, act, _, _ in decisions(known, document)] == ["corrected", "reset"]


def test_what_is_no_value_is_refused_beside_its_field_and_nothing_is_kept(
    known: KnownPractice, document: Document
) -> None:
    for headers in ({}, {"HX-Request": "true"}):
        posted = {"field": "total", "act": "corrected", "value": "1.234,50"}
        response = known.client().post(f"/documents/{document.pk}/decide/", posted, headers=headers)
        page = response.content.decode()
        assert response.status_code == 422
        assert "This is no amount." in page and 'value="1.234,50"' in page
    assert decisions(known, document) == []
    assert listed(known, document) == ("review", "Ockley Timber Pty Ltd", 110000, 0)


@pytest.mark.parametrize(
    "posted",
    [
        {"field": "total", "act": "accepted", "value": "9.99"},
        {"field": "total", "act": "accepted"},
        {"field": "total", "act": "approved", "value": "1.00"},
        {"field": "nonsense", "act": "corrected", "value": "1.00"},
        {"field": "row-1-amount", "act": "corrected", "value": "1.00"},
        {"field": "row-1", "act": "corrected", "amount": "1.00"},
        {"field": "kind", "act": "emptied"},
        {"field": "kind", "act": "corrected", "value": "poem"},
        {"field": "lines", "act": "corrected", "value": "1"},
        {"field": "check-date", "act": "accepted"},
        {"field": "check-pages", "act": "accepted"},
        {"field": "x" * 500, "act": "reset"},
        {},
    ],
)
def test_a_form_that_was_tampered_with_decides_nothing(
    known: KnownPractice, document: Document, posted: dict[str, str]
) -> None:
    response = known.client().post(f"/documents/{document.pk}/decide/", posted)
    assert response.status_code in (302, 422)
    assert decisions(known, document) == []


def test_what_cannot_be_done_any_more_brings_the_page_anew(known: KnownPractice, document: Document) -> None:
    approved(known, document)
    posted = {"field": "total", "act": "accepted", "value": "1100.00"}
    browser = known.client()
    response = browser.post(f"/documents/{document.pk}/decide/", posted, headers={"HX-Request": "true"})
    assert (response.status_code, response["HX-Refresh"], response.content) == (204, "true", b"")
    assert services.NOT_IN_REVIEW in browser.get(f"/documents/{document.pk}/").content.decode()
    assert decisions(known, document) == []


def test_what_hides_and_what_ocr_is_unsure_of_is_said(known: KnownPractice, document: Document) -> None:
    with in_practice(known.practice), as_keeper():
        found = Document.objects.get(pk=document.pk)
        found.reading["fields"] = [
            each | ({"confidence": 0.62} if each["name"] == "total" else {}) for each in found.reading["fields"]
        ]
        found.notes = ["Page 1 holds 4 words that nobody who looks at it can see. None was used."]
        found.save(update_fields=["reading", "notes"])
    page = known.client().get(f"/documents/{document.pk}/").content.decode()
    assert "Page 1 holds 4 words that nobody who looks at it can see." in page
    assert page.count("% sure of it") == 1 and "OCR is 62% sure of it." in page


def test_writing_what_stands_accepts_it(known: KnownPractice, document: Document) -> None:
    decided(known, document, Wanted("total", Act.CORRECTED, "$1,100.00"))
    assert decisions(known, document) == [("total", "accepted", "1100.00", "1100.00")]


def test_a_row_is_corrected_part_by_part_or_left_out(known: KnownPractice, client: Client) -> None:
    document = read_document(known, client, STATEMENT)
    browser, path = known.client(), f"/documents/{document.pk}/decide/"
    row = {
        "field": "row-1",
        "act": "corrected",
        "date": "31/12/2025",
        "description": "Card",
        "amount": "-50.00",
        "balance": "450.00",
    }
    assert browser.post(path, row).status_code == 302
    assert decisions(known, document) == [
        ("row-1-date", "corrected", "2025-12-30", "2025-12-31"),
        ("row-1-description", "corrected", "Card purchase 11", "Card"),
    ]
    response = browser.post(path, row | {"amount": "fifty", "balance": ""})
    assert response.status_code == 422 and "This is no amount." in response.content.decode()
    assert len(decisions(known, document)) == 2
    assert browser.post(path, {"field": "row-2", "act": "emptied"}).status_code == 302
    decided(known, document, Wanted("currency", Act.CORRECTED, "AUD"))
    approved(known, document)
    assert [(each.dated.isoformat(), each.description, each.total_cents) for each in entered(known, document)] == [
        ("2025-12-31", "Card", -5000),
    ]  # fmt: skip


def test_nothing_is_decided_on_what_is_not_under_review(known: KnownPractice, document: Document) -> None:
    approved(known, document)
    with speaking(known) as user, pytest.raises(NotDone, match="not under review"):
        deciding.decide(user, document.pk, [Wanted("total", Act.EMPTIED)])
    with_status(known, document, "kept")
    response = known.client().post(f"/documents/{document.pk}/decide/", {"field": "total", "act": "emptied"})
    assert response.status_code == 302
    assert decisions(known, document) == []


# ------------------------------------------------------------------------------------------------ approval


def test_what_is_approved_is_entered_as_it_stands(known: KnownPractice, client: Client, document: Document) -> None:
    following = read_document(
        known, client, INVOICE.replace("SI-10441", "SI-10442").replace("23/02/2026", "20/02/2026")
    )
    response = known.client().post(
        f"/documents/{document.pk}/approve/", {"seen": "0", "total": "1.00", "value": "1.00", "kind": "receipt"}
    )
    assert (response.status_code, response["Location"]) == (302, f"/documents/{following.pk}/")
    (entry,) = entered(known, document)
    assert (entry.kind, entry.supplier, entry.supplier_key, entry.abn, entry.number) == (
        "bill", "Ockley Timber Pty Ltd", "ockley timber", "51824753556", "SI-10441",
    )  # fmt: skip
    assert (entry.dated.isoformat(), entry.due.isoformat(), entry.currency) == ("2026-02-23", "2026-03-25", "AUD")
    assert (entry.total_cents, entry.gst_cents, entry.reverses_id, entry.position) == (110000, 10000, None, 0)
    assert entry.lines == [
        {"description": "Hardwood decking", "amount_cents": 104500, "is_taxable": True},
        {"description": "Freight to site", "amount_cents": 5500, "is_taxable": True},
    ]
    assert listed(known, document)[0] == "approved"
    page = known.client().get(f"/documents/{document.pk}/").content.decode()
    assert "/decide/" not in page and "Take the approval back" in page


def test_nothing_is_entered_while_anything_blocks(known: KnownPractice, client: Client) -> None:
    document = read_document(known, client, STATEMENT)
    assert listed(known, document) == ("review", "Velmont Mutual Bank", None, 1)
    page = known.client().get(f"/documents/{document.pk}/").content.decode()
    assert "data-approve disabled" in page
    response = known.client().post(f"/documents/{document.pk}/approve/", {"seen": "0"}, follow=True)
    assert "This is not approved yet. Which currency it is in was not found." in response.content.decode()
    assert entered(known, document) == [] and listed(known, document)[0] == "review"
    decided(known, document, Wanted("currency", Act.CORRECTED, "aud"))
    approved(known, document)
    assert [(each.kind, each.position, each.total_cents, each.currency) for each in entered(known, document)] == [
        ("bank", 0, -5000, "AUD"), ("bank", 1, 20000, "AUD"),
    ]  # fmt: skip


def test_who_has_not_seen_the_newest_decision_approves_nothing(known: KnownPractice, document: Document) -> None:
    decided(known, document, *(Wanted(field, Act.EMPTIED) for field in ("gst", "subtotal", "lines")))
    for seen in ("0", "", "x", "99999999"):
        response = known.client().post(f"/documents/{document.pk}/approve/", {"seen": seen}, follow=True)
        assert "Somebody decided something here" in response.content.decode()
    assert entered(known, document) == []
    approved(known, document)
    assert [entry.gst_cents for entry in entered(known, document)] == [None]


def test_what_may_be_entered_already_is_ticked_first(known: KnownPractice, client: Client, document: Document) -> None:
    approved(known, document)
    again = read_document(known, client)
    (first,) = entered(known, document)
    page = known.client().get(f"/documents/{again.pk}/").content.decode()
    assert "This may be entered already" in page and f'value="{first.pk}" required' in page
    with pytest.raises(NotDone, match="alike is entered already"):
        approved(known, again)
    response = known.client().post(f"/documents/{again.pk}/approve/", {"seen": "0", "although": str(again.pk)})
    assert response.status_code == 302 and entered(known, again) == []
    known.client().post(f"/documents/{again.pk}/approve/", {"seen": "0", "although": [str(first.pk), "x"]})
    assert len(entered(known, again)) == 1


def test_a_statement_that_was_entered_already_is_ticked_as_a_whole(known: KnownPractice, client: Client) -> None:
    days = range(2, 10)
    rows = [f"{day:02d} Jan     Card purchase {day:02d}".ljust(38) + "10.00".ljust(26) for day in days]
    rows = [f"{row}${500 - 10 * at}.00" for at, row in enumerate(rows, start=1)]
    text = "\n".join([*STATEMENT.strip().split("\n")[:5], *rows])
    first, again = read_document(known, client, text), read_document(known, client, text)
    for each in (first, again):
        decided(known, each, Wanted("currency", Act.CORRECTED, "AUD"))
    approved(known, first)
    assert len(entered(known, first)) == 8
    page = known.client().get(f"/documents/{again.pk}/").content.decode()
    digest = services.digest_of(entered(known, first))
    assert page.count('name="although') == 1 and f'name="although_all" value="{digest}" required' in page
    assert "and 3 more" in page
    for others in ("", "8", services.digest_of(entered(known, first)[1:])):
        with pytest.raises(NotDone, match="alike is entered already"):
            approved(known, again, although_all=others)
    approved(known, again, although_all=digest)
    assert len(entered(known, again)) == 8


def test_two_who_approve_at_once_enter_it_once(known: KnownPractice, document: Document) -> None:
    together, outcomes = threading.Barrier(4), []

    def approve() -> None:
        try:
            together.wait(10)
            approved(known, document)
            outcomes.append("entered")
        except NotDone as refused:
            outcomes.append(refused.message)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=approve) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(outcomes) == sorted(["entered", *[services.NOT_IN_REVIEW] * 3])
    assert len(entered(known, document)) == 1
    with in_practice(known.practice), as_keeper():
        assert Approval.objects.filter(document=document).count() == 1


# ------------------------------------------------------------------------------------------------ taken back


def test_an_approval_is_taken_back_by_entries_against_its_own(known: KnownPractice, document: Document) -> None:
    named = {"approval": str(approved(known, document).pk)}
    response = known.client().post(f"/documents/{document.pk}/reverse/", {"why": " Wrong\x00 client ", **named})
    assert response.status_code == 302
    first, against = entered(known, document)
    assert (against.reverses_id, against.total_cents, against.gst_cents) == (first.pk, -110000, -10000)
    assert (against.dated, against.supplier_key, against.number) == (first.dated, first.supplier_key, first.number)
    assert [line["amount_cents"] for line in against.lines] == [-104500, -5500]
    assert listed(known, document) == ("review", "Ockley Timber Pty Ltd", 110000, 0)
    with in_practice(known.practice), as_keeper():
        approval = Approval.objects.get(document=document)
        assert (approval.number, approval.reversed_by_id, approval.reversed_why) == (
            1, known.users["staff"].pk, "Wrong client",
        )  # fmt: skip
    again = known.client().post(f"/documents/{document.pk}/reverse/", named, follow=True)
    assert "nothing to take back" in again.content.decode()
    assert len(entered(known, document)) == 2


def test_what_was_taken_back_is_corrected_and_approved_anew(known: KnownPractice, document: Document) -> None:
    approval = approved(known, document)
    with speaking(known) as user:
        services.reverse(user, document.pk, approval.pk)
    decided(known, document, Wanted("invoice_number", Act.CORRECTED, "SI-1"))
    assert approved(known, document).number == 2
    assert [(each.number, each.total_cents) for each in entered(known, document)] == [
        ("SI-10441", 110000), ("SI-10441", -110000), ("SI-1", 110000),
    ]  # fmt: skip
    page = known.client().get(f"/documents/{document.pk}/").content.decode()
    assert "reversing entry" in page and "Approval taken back" in page


def test_two_who_take_it_back_at_once_reverse_it_once(known: KnownPractice, document: Document) -> None:
    approval = approved(known, document)
    together, outcomes = threading.Barrier(2), []

    def reverse() -> None:
        try:
            together.wait(10)
            with speaking(known) as user:
                services.reverse(user, document.pk, approval.pk)
            outcomes.append("reversed")
        except NotDone:
            outcomes.append("refused")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=reverse) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(outcomes) == ["refused", "reversed"]
    assert [each.total_cents for each in entered(known, document)] == [110000, -110000]


class Elsewhere:
    """Takes every entry for one that was sent on."""

    name = "Ledgerline"

    def states(self, ids: Collection[UUID]) -> dict[UUID, Sent]:
        return {each: Sent("There as a draft", "answered", "/there/", True, False) for each in ids}


def test_what_was_sent_on_stays_there_and_the_page_says_so(
    known: KnownPractice, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    approved(known, document)
    plain = known.client().get(f"/documents/{document.pk}/").content.decode()
    assert "stays there" not in plain
    monkeypatch.setattr("clients.review.history.sending.sending", Elsewhere)
    page = known.client().get(f"/documents/{document.pk}/").content.decode()
    assert "What was sent to Ledgerline stays there" in page
    assert '<a href="/there/">There as a draft</a>' in page


# ------------------------------------------------------------------------------------------------ what stays


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE clients_transaction SET total_cents = 1",
        "DELETE FROM clients_transaction",
        "TRUNCATE clients_transaction CASCADE",
        "UPDATE clients_fielddecision SET value = 'x'",
        "DELETE FROM clients_fielddecision",
        "UPDATE clients_approval SET by_id = by_id",
        "DELETE FROM clients_approval",
        "UPDATE clients_documentfile SET content = ''",
        "DELETE FROM clients_documentfile",
        "UPDATE clients_documentpage SET page = '{}'",
        "UPDATE clients_document SET sha256 = ''",
        "DELETE FROM clients_document",
    ],
)
def test_the_app_changes_nothing_that_was_written(known: KnownPractice, document: Document, attack: str) -> None:
    decided(known, document, Wanted("total", Act.ACCEPTED, "1100.00"))
    approved(known, document)
    with speaking(known), pytest.raises(DatabaseError, match="permission denied"), connection.cursor() as cursor:
        cursor.execute(attack)
    assert [each.total_cents for each in entered(known, document)] == [110000]


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE clients_transaction SET total_cents = 1",
        "DELETE FROM clients_transaction",
        "UPDATE clients_fielddecision SET value = 'x'",
        "DELETE FROM clients_fielddecision",
        "UPDATE clients_approval SET by_id = NULL",
        "UPDATE clients_approval SET reversed_at = now()",
        "DELETE FROM clients_approval",
        "UPDATE clients_documentfile SET content = ''",
        "DELETE FROM clients_documentfile",
        "TRUNCATE clients_documentfile",
        "TRUNCATE clients_fielddecision",
    ],
)
def test_what_was_written_stays_even_for_the_owner_role(known: KnownPractice, document: Document, attack: str) -> None:
    decided(known, document, Wanted("total", Act.ACCEPTED, "1100.00"))
    approval = approved(known, document)
    with speaking(known) as user:
        services.reverse(user, document.pk, approval.pk)
    with (
        in_practice(known.practice, known.users["staff"].pk, using="owner"),
        pytest.raises(DatabaseError, match="cannot be changed"),
        connections["owner"].cursor() as cursor,
    ):
        cursor.execute(attack)


def test_all_of_a_document_moves_with_its_client_and_back(
    known: KnownPractice, client: Client, document: Document
) -> None:
    decided(known, document, Wanted("total", Act.ACCEPTED, "1100.00"))
    approved(known, document)
    kept = made_client(known, "Kept Holdings Pty Ltd")
    hanging = (Document, DocumentFile, DocumentPage, FieldDecision, Approval, Transaction)

    def where() -> set[Any]:
        with in_practice(known.practice), as_keeper():
            names = ["id" if model is Document else "document_id" for model in hanging]
            return {
                found
                for model, name in zip(hanging, names, strict=True)
                for found in model.objects.filter(**{name: document.pk}).values_list("client_id", flat=True)
            }

    with speaking(known, "owner") as owner:
        done = services_merge.merge(owner, kept, client)
        assert where() == {kept.pk}
        services_merge.unmerge(owner, done)
        assert where() == {client.pk}


# ------------------------------------------------------------------------------------------------ the next one


def test_the_next_one_is_of_the_same_client_and_then_of_others(throwaway: Callable[[], KnownPractice]) -> None:
    known = throwaway()
    one, other = made_client(known, "One"), made_client(known, "Other")
    first, second = read_document(known, one), read_document(known, one)
    elsewhere = read_document(known, other)
    quiet = read_document(known, made_client(known, "Quiet", is_restricted=True))

    def following(document: Document, role: str = "agent") -> Any:
        page = known.client(role).get(f"/documents/{document.pk}/")
        found = page.context["next"]
        return found.pk if found else None

    assert [following(each) for each in (first, second, elsewhere)] == [second.pk, elsewhere.pk, first.pk]
    with_status(known, first, "approved")
    with_status(known, elsewhere, "kept")
    assert following(second) is None
    assert following(second, "staff") == quiet.pk
