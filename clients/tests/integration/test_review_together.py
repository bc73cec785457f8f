"""The review where two act at once, pages are old and clients are merged; and what is on record of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, connections, transaction

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice
from clients import services as clients_services
from clients import services_merge
from clients.documents import reading
from clients.extraction.standing import Act
from clients.ledger.sending import Sent
from clients.models import (
    Approval,
    Client,
    Document,
    DocumentFile,
    DocumentPage,
    FieldDecision,
    Transaction,
)
from clients.review import deciding, services
from clients.review.deciding import Wanted
from clients.services import NotDone
from clients.tests.integration.review_setup import (
    STATEMENT,
    entered,
    made_client,
    read_document,
    speaking,
    with_status,
)

pytestmark = pytest.mark.security
HANGING = (DocumentFile, DocumentPage, FieldDecision, Approval, Transaction)


@pytest.fixture(scope="module")
def known(services: Any, django_db_blocker: Any) -> Iterator[KnownPractice]:
    from asat_site.testing.practices import make_throwaway

    with django_db_blocker.unblock():
        yield make_throwaway("Reviewing together")


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


def at_once(*acts: Callable[[], object]) -> list[str]:
    """What became of each, in the order of the words: "done", or why it was refused."""
    outcomes: list[str] = []

    def run(act: Callable[[], object]) -> None:
        try:
            act()
            outcomes.append("done")
        except NotDone as refused:
            outcomes.append(refused.message)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return sorted(outcomes)


def clients_of(known: KnownPractice, document: Document) -> dict[str, list[UUID]]:
    """Whose each row is that hangs off the document, by table."""
    with in_practice(known.practice), as_keeper():
        whose = {
            model.__name__: list(model.objects.filter(document=document).values_list("client_id", flat=True))
            for model in HANGING
        }
        return whose | {"Document": [Document.objects.get(pk=document.pk).client_id]}


# ------------------------------------------------------------------------------------------------ at once


def test_two_papers_of_one_bill_that_are_approved_at_once_are_seen_to_be_alike(
    known: KnownPractice, client: Client, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, both, looked = read_document(known, client), threading.Barrier(2), services._alike

    def looked_by_both(*given: Any) -> list[Transaction]:
        found = looked(*given)
        with suppress(threading.BrokenBarrierError):
            both.wait(2)
        return found

    monkeypatch.setattr(services, "_alike", looked_by_both)
    outcomes = at_once(lambda: approved(known, document), lambda: approved(known, again))
    assert outcomes == ["Something alike is entered already. Look at it, and tick that this is another.", "done"]
    assert len(entered(known, document)) + len(entered(known, again)) == 1


def test_a_page_that_is_old_takes_no_later_approval_back(known: KnownPractice, document: Document) -> None:
    browser, path = known.client(), f"/documents/{document.pk}/reverse/"
    first = approved(known, document)
    assert f'name="approval" value="{first.pk}"' in browser.get(f"/documents/{document.pk}/").content.decode()
    with speaking(known) as user:
        services.reverse(user, document.pk, first.pk)
    second = approved(known, document)
    for named in (str(first.pk), "", "x"):
        page = browser.post(path, {"approval": named}, follow=True).content.decode()
        assert "It was taken back and approved anew since this page was loaded." in page
    assert [each.total_cents for each in entered(known, document)] == [110000, -110000, 110000]
    browser.post(path, {"approval": str(second.pk)})
    assert [each.total_cents for each in entered(known, document)] == [110000, -110000, 110000, -110000]


# ------------------------------------------------------------------------------------------------ merged


def test_what_was_done_while_merged_goes_back_with_its_document(known: KnownPractice) -> None:
    gone = made_client(known, "Gone Pty Ltd")
    document = read_document(known, gone)
    kept = made_client(known, "Kept Pty Ltd", is_restricted=True)
    own = read_document(known, kept)
    with speaking(known) as user:
        clients_services.assign(user, [kept], known.users["owner"])
    with speaking(known, "owner") as owner:
        done = services_merge.merge(owner, kept, gone)
    decided(known, document, Wanted("total", Act.ACCEPTED, "1100.00"))
    first = approved(known, document)
    with speaking(known) as user:
        services.reverse(user, document.pk, first.pk)
    approved(known, document)
    approved(known, own, although_alike=[each.pk for each in entered(known, document)])
    with speaking(known):
        DocumentPage.objects.filter(document=document).delete()
        for number in (1, 2):
            DocumentPage.objects.create(document=document, client_id=kept.pk, number=number, page=own.pages.get().page)
    with speaking(known, "owner") as owner:
        services_merge.unmerge(owner, done)
    assert clients_of(known, document) == {
        "Document": [gone.pk], "DocumentFile": [gone.pk], "DocumentPage": [gone.pk] * 2, "FieldDecision": [gone.pk],
        "Approval": [gone.pk] * 2, "Transaction": [gone.pk] * 3,
    }  # fmt: skip
    assert {each for of in clients_of(known, own).values() for each in of} == {kept.pk}
    with speaking(known, "agent"):  # who does not see the one that was kept
        assert Transaction.objects.filter(document=document).count() == 3
        assert not Transaction.objects.filter(document=own).exists()


def test_a_merge_and_a_decision_at_once_tear_nothing(
    known: KnownPractice, document: Document, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, both, stand_of = made_client(known, "Kept at once"), threading.Barrier(2), deciding.stand_of
    merging = threading.Event()

    def slowly(*given: Any) -> Any:
        both.wait(10)
        merging.wait(1)  # the other has gone as far as it comes by now
        return stand_of(*given)

    def merge() -> None:
        both.wait(10)
        with speaking(known) as user:
            services_merge.merge(user, kept, client)
        merging.set()

    monkeypatch.setattr(deciding, "stand_of", slowly)
    wanted = Wanted("total", Act.ACCEPTED, "1100.00")
    assert at_once(lambda: decided(known, document, wanted), merge) == ["done", "done"]
    whose = clients_of(known, document)
    assert whose["FieldDecision"] == [kept.pk] and {each for of in whose.values() for each in of} == {kept.pk}


@pytest.mark.parametrize("model", HANGING)
def test_nothing_of_a_document_is_another_clients(known: KnownPractice, document: Document, model: Any) -> None:
    decided(known, document, Wanted("total", Act.ACCEPTED, "1100.00"))
    approved(known, document)
    other = made_client(known, "Other")
    with speaking(known), pytest.raises(IntegrityError, match="of_its_documents_client"), transaction.atomic():
        model.objects.filter(document_id=document.pk).update(client=other)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert {each for of in clients_of(known, document).values() for each in of} == {document.client_id}


# ------------------------------------------------------------------------------------------------ on record


def test_who_kept_it_put_it_back_and_had_it_read_again_is_on_record(known: KnownPractice, document: Document) -> None:
    browser, keep = known.client("agent"), f"/documents/{document.pk}/keep/"
    for posted in ({}, {"back": "1"}, {"back": "1"}, {}):
        browser.post(keep, posted)
    with in_practice(known.practice), as_keeper():
        rows = FieldDecision.objects.filter(document=document).order_by("id")
        assert list(rows.values_list("field", "act", "was", "value", "by_id")) == [
            ("document", "corrected", was, now, known.users["agent"].pk)
            for was, now in (("review", "kept"), ("kept", "review"), ("review", "kept"))
        ]
        assert services.stand_of(Document.objects.get(pk=document.pk)).last == 0
    page = browser.get(f"/documents/{document.pk}/")
    assert [each.what for each in page.context["history"]] == ["Kept as a file", "Put back to review", "Kept as a file"]
    assert "What was done (3)" in page.content.decode()
    with_status(known, document, "unreadable", reading=None, problem="It is torn.")
    browser.post(f"/documents/{document.pk}/read-again/")
    with_status(known, document, "unreadable", problem="It is torn.")
    page = browser.get(f"/documents/{document.pk}/")
    assert page.context["history"][0].what == "Read again" and "What was done (4)" in page.content.decode()


def test_what_is_not_done_leaves_no_record(known: KnownPractice, document: Document) -> None:
    with speaking(known) as user:
        assert not reading.read_again(user, document) and not reading.back_to_queue(user, document)
        assert not FieldDecision.objects.filter(document=document).exists()


class Asked:
    """Says of nothing that it was sent, and notes what it was asked of."""

    name = "Ledgerline"
    of: list[UUID] = []

    def states(self, ids: Collection[UUID]) -> dict[UUID, Sent]:
        self.of.extend(ids)
        return {}


def test_a_long_statement_shows_its_first_entries_and_where_the_rest_is(
    known: KnownPractice, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = [(1 + number // 5, number) for number in range(55)]
    rows = [f"{day:02d} Jan     Card purchase {number:02d}".ljust(38) + "1.00".ljust(26) for day, number in at]
    rows = [f"{row}${500 - place}.00" for place, row in enumerate(rows, start=1)]
    text = "\n".join([*STATEMENT.strip().split("\n")[:5], *rows]).replace("to 10 January", "to 28 January")
    document = read_document(known, client, text)
    decided(known, document, Wanted("currency", Act.CORRECTED, "AUD"))
    approved(known, document)
    monkeypatch.setattr("clients.review.history.sending.sending", Asked)
    response = known.client().get(f"/documents/{document.pk}/")
    page = response.content.decode()
    assert (len(response.context["entries"]), response.context["entry_count"]) == (50, 55)
    assert response.context["entries"][0].entry.description == "Card purchase 00"
    assert "Entered: the first 50 of 55" in page and Asked.of == []
    where = response.context["ledger"]
    assert where == (
        f"/clients/{client.pk}/transactions/?kind=bank&from=2026-01-01&to=2026-01-11&sort=date"
    )  # fmt: skip
    assert where.replace("&", "&amp;") in page
    monkeypatch.undo()
    assert known.client().get(where).context["count"] == 55
