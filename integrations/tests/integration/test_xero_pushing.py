"""A bill goes to Xero once, as a draft, whatever happens on the way; held to the official descriptions throughout."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from asat_site.testing.practices import KnownPractice
from asat_site.testing.xero_server import Contract, Fault, Xero, xero_server
from clients import services_merge
from clients.models import Client
from integrations.models import Connection, XeroContact, XeroOrganisation, XeroPush
from integrations.terms import VendorFailed
from integrations.tests.integration import xero_setup
from integrations.tests.integration.xero_setup import (
    PDF,
    bill,
    connect,
    later,
    make_app,
    queued,
    speaking,
    work,
)
from integrations.xero import consenting, outbox, presentation, sending, words
from integrations.xero.mapping import BillLine, Original, Treatment


@pytest.fixture
def xero(settings: Any, services: Any, practice: KnownPractice, request: Any) -> Iterator[Xero]:
    """A Xero that the practice's app is known to, held to the descriptions where this machine has them."""
    with xero_server(Contract.find()) as served:
        settings.ASAT_XERO_URL = served.url
        settings.ASAT_ORIGINALS = {"test": "integrations.tests.integration.xero_setup.read_original"}
        request.getfixturevalue("django_db_blocker").unblock()
        make_app(practice, served)
        yield served


def test_the_descriptions_are_there_where_they_must_be() -> None:
    """Without them the fakes alone are held to: said aloud, not passed over."""
    if Contract.find() is None:
        pytest.skip("XERO_DESCRIPTIONS names no folder with the official descriptions")


def test_a_bill_goes_its_whole_way(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        one = bill(abn="51824753556", due=date(2026, 11, 3))
        push = work(queued(organisation, owner, one))
        assert (push.state, push.why, push.notes, push.claimed_until) == ("done", "", [], None)
        (made,) = books.bills.values()
        assert push.invoice_id == made["InvoiceID"] and push.finished_at is not None
        assert (made["Type"], made["Status"], made["Total"], made["TotalTax"]) == ("ACCPAY", "DRAFT", 110.0, 10.0)
        assert (made["DateString"], made["InvoiceNumber"]) == ("2026-10-04T00:00:00", one.number)
        assert made["Url"] == f"https://ashby.example/bills/{push.pk}/"
        assert books.files[push.invoice_id] == {f"invoice-{push.pk.hex[:8]}.pdf": ("application/pdf", PDF)}
        (contact,) = books.contacts.values()
        assert (contact["Name"], contact["TaxNumber"]) == ("Example Parts Co", "51824753556")
        assert [each.name.split("?")[0] for each in xero.requests if each.is_of_books] == [
            "GET /Contacts",
            "PUT /Contacts",
            "PUT /Invoices",
            f"PUT /Invoices/{push.invoice_id}/Attachments/{push.attachment_name}",
            f"GET /Invoices/{push.invoice_id}/Attachments",
        ]
        keys = [each.headers["idempotency-key"] for each in xero.requests if each.method == "PUT"]
        assert len(set(keys)) == 3 and all(len(key) <= 128 for key in keys)


def test_each_state_is_written_down_before_the_next_begins(
    practice: KnownPractice, xero: Xero, monkeypatch: Any
) -> None:
    organisation, _ = connect(practice, xero)
    seen: list[tuple[str, int]] = []
    true_step = sending._one_step

    def step(push: XeroPush, *rest: Any) -> None:
        seen.append((XeroPush.objects.get(pk=push.pk).state, len([each for each in xero.requests if each.is_of_books])))
        true_step(push, *rest)

    monkeypatch.setattr(sending, "_one_step", step)
    with speaking(practice) as owner:
        work(queued(organisation, owner, bill()))
    states = ["queued", "contact_resolved", "bill_sent", "bill_confirmed", "attachment_sent"]
    assert seen == list(zip(states, [0, 2, 2, 3, 4], strict=True))


def test_a_bill_that_was_sent_is_skipped(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        one = bill()
        work(queued(organisation, owner, one))
        done = outbox.queue(owner, organisation.client, [one, bill(total_cents=-1)])
        assert (len(done.new), len(done.again), len(done.skipped), len(done.refused)) == (0, 0, 1, 1)
        work(done.skipped[0])
        assert len(books.bills) == 1


def test_two_clicks_and_two_workers_at_once_make_one_bill(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    one, start = bill(), threading.Barrier(4)
    xero.slow_s = 0.05

    def click_and_work() -> None:
        with speaking(practice) as owner:
            start.wait()
            work(queued(organisation, owner, one))
        connection.close()

    threads = [threading.Thread(target=click_and_work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    with speaking(practice):
        push = XeroPush.objects.get(source_id=one.source_id)
        assert (push.state, push.attempt) == ("done", 1)
    assert len(books.bills) == len(xero.named("PUT /Invoices?")) + len(xero.named("PUT /Invoices")) - 1 == 1


def test_a_timeout_after_xero_accepted_is_sent_again_as_it_was(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    xero.will(Fault(unheard=True), on="PUT /Invoices")
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        assert (push.state, push.why, push.may_exist) == ("bill_sent", words.UNKNOWN_OUTCOME, True)
        push = work(later(push, xero, 60))
        assert (push.state, push.may_exist) == ("done", False)
        first, second = [each for each in xero.requests if each.name == "PUT /Invoices"]
        assert first.headers["idempotency-key"] == second.headers["idempotency-key"]
        assert first.body == second.body and len(books.bills) == 1


def test_a_timeout_after_xero_accepted_is_looked_up_once_the_key_may_be_forgotten(
    practice: KnownPractice, xero: Xero
) -> None:
    organisation, books = connect(practice, xero)
    xero.will(Fault(unheard=True), on="PUT /Invoices")
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill(number="A,1")))
        push = work(later(push, xero, 600))
        assert (push.state, push.generation, push.invoice_id) == ("done", 1, next(iter(books.bills)))
        assert len([each for each in xero.requests if each.name == "PUT /Invoices"]) == len(books.bills) == 1
        (look,) = xero.named("GET /Invoices")[:1]
        assert look.query["createdByMyApp"] == "true" and "InvoiceNumbers" not in look.query  # a comma would part it


def test_what_never_arrived_is_made_under_a_new_key_after_a_look(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    xero.will(Fault(deaf=True), on="PUT /Invoices")
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        push = work(later(push, xero, 600))
        assert (push.state, push.generation, len(books.bills)) == ("done", 2, 1)
        first, second = [each for each in xero.requests if each.name == "PUT /Invoices"]
        assert first.headers["idempotency-key"] != second.headers["idempotency-key"]


def test_a_bill_of_another_row_is_not_taken_for_this_one(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        one = bill(number="", original=None)
        work(queued(organisation, owner, one))
        xero.will(Fault(deaf=True), on="PUT /Invoices")
        push = work(queued(organisation, owner, bill(number="", original=None)))
        push = work(later(push, xero, 600))
        assert push.state == "done" and len(books.bills) == 2


@pytest.mark.parametrize("killed_in", ["_confirm", "_attach", "_list"])
def test_a_worker_killed_between_any_two_steps_leaves_one_bill_and_one_file(
    practice: KnownPractice, xero: Xero, monkeypatch: Any, killed_in: str
) -> None:
    organisation, books = connect(practice, xero)

    def killed(*_: Any) -> None:
        raise SystemExit("killed")

    with speaking(practice) as owner:
        push = queued(organisation, owner, bill())
        with monkeypatch.context() as patch:
            patch.setattr(sending, killed_in, killed)
            with pytest.raises(SystemExit):
                work(push)
        assert work(push).attempt == 1  # its claim holds for a while
        push = work(later(XeroPush.objects.get(pk=push.pk), xero, 200))
        assert (push.state, push.attempt) == ("done", 2)
        assert len(books.bills) == 1 and len(books.files[push.invoice_id]) == 1


def test_a_worker_that_comes_back_late_writes_nothing(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        push = queued(organisation, owner, bill(original=None))
        late = outbox.claim(push.pk, timezone.now())
        assert late is not None
        assert work(later(XeroPush.objects.get(pk=push.pk), xero, 200)).state == "done"
        sending.carry(late)
        assert XeroPush.objects.get(pk=push.pk).state == "done" and len(books.bills) == 1


def test_access_that_grows_old_in_the_midst_is_refreshed_once(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    xero.clock += 1801  # Xero's clock alone: ours thinks that the token is good
    with speaking(practice) as owner:
        for _ in range(3):
            assert work(queued(organisation, owner, bill())).state == "done"
    assert len(xero.named("POST /connect/token")) == 2 and len(books.bills) == 3


def test_access_that_stays_refused_asks_for_a_person_and_loses_nothing(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    xero.will(Fault(401, {"Title": "Unauthorized", "Detail": "TokenExpired"}), on="PUT /Invoices", times=2)
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        assert (push.state, push.why) == ("bill_sent", words.CONNECT_AGAIN)
        assert Connection.objects.get(pk=organisation.connection_id).status == "reconnect_required"
        assert outbox.due(timezone.now(), 10) == []
        client = organisation.client
        xero_setup.consent(owner, xero, client, [books])
        assert Connection.objects.get(pk=organisation.connection_id).status == "connected"
        push = work(later(push, xero, 400))
        assert push.state == "done" and len(books.bills) == 1


@pytest.mark.parametrize(("still_listed", "status"), [(True, "connected"), (False, "reconnect_required")])
def test_an_organisation_that_shuts_us_out_is_gone_only_where_xeros_list_says_so(
    practice: KnownPractice, xero: Xero, still_listed: bool, status: str
) -> None:
    organisation, _ = connect(practice, xero)
    if still_listed:
        xero.will(Fault(403, {"Detail": "AuthenticationUnsuccessful"}), on="GET /Contacts")
    else:
        xero.connections = []
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        assert push.state == "queued"
        kept = Connection.objects.get(pk=organisation.connection_id)
        assert (kept.status, kept.why) == (status, "" if still_listed else words.REMOVED)


@pytest.mark.parametrize(
    ("headers", "least", "most", "says"),
    [
        ({"Retry-After": "7", "X-Rate-Limit-Problem": "minute"}, 6, 7, ""),
        ({"X-Rate-Limit-Problem": "concurrent"}, 4, 5, ""),
        ({"Retry-After": "40000", "X-Rate-Limit-Problem": "day"}, 39_900, 40_000, words.DAY_USED_UP),
    ],
)
def test_a_limit_parks_one_organisation_and_no_other(
    practice: KnownPractice, xero: Xero, headers: dict[str, str], least: int, most: int, says: str
) -> None:
    (organisation, books), (other, others_books) = connect(practice, xero), connect(practice, xero, "Other Pty Ltd")
    xero.will(Fault(429, b"", headers), on="PUT /Invoices")
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        assert (push.state, push.why, push.tries) == ("bill_sent", says, 0)
        parked = XeroOrganisation.objects.get(pk=organisation.pk)
        assert parked.parked_until is not None
        assert least <= (parked.parked_until - timezone.now()).total_seconds() <= most
        before = len(xero.requests)
        behind = work(queued(organisation, owner, bill()))
        assert behind.state == "queued" and len(xero.requests) == before  # nothing is asked of it meanwhile
        assert work(queued(other, owner, bill())).state == "done" and len(others_books.bills) == 1
        assert work(later(push, xero, most + 1)).state == "done" and len(books.bills) == 1


def test_at_most_five_calls_are_under_way_for_one_organisation(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    books.contact("Example Parts Co")
    xero.slow_s = 0.15
    with speaking(practice) as owner:
        pushes = [queued(organisation, owner, bill(original=None)) for _ in range(9)]
    start = threading.Barrier(9)

    def one(push: XeroPush) -> None:
        with speaking(practice):
            start.wait()
            work(push)
        connection.close()

    threads = [threading.Thread(target=one, args=(push,)) for push in pushes]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert 2 <= xero.most_in_flight <= 5
    with speaking(practice):
        xero.slow_s = 0
        left = [work(later(XeroPush.objects.get(pk=push.pk), xero, 60)) for push in pushes]
    assert {each.state for each in left} == {"done"} and len(books.bills) == 9


# ── Contacts ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "name",
    [
        'The "Best" Parts', "O'Brien & Sons", "A+B Supplies", "Back\\slash Co", "Zoë Café", "Rock #1 50%",
        "  Two  Spaces ", "<b>Bold</b>", "x" * 255,
    ],
)  # fmt: skip
def test_a_supplier_is_found_again_whatever_is_in_its_name(practice: KnownPractice, xero: Xero, name: str) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        assert work(queued(organisation, owner, bill(supplier=name, original=None))).state == "done"
        XeroContact.objects.filter(tenant_id=organisation.tenant_id).delete()  # as on another day
        assert work(queued(organisation, owner, bill(supplier=name.upper(), original=None))).state == "done"
    assert len(books.contacts) == 1 and len(books.bills) == 2


def test_a_known_contact_is_not_looked_for_again(practice: KnownPractice, xero: Xero) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice) as owner:
        for spelling in ("Example Parts Co", "EXAMPLE  parts co"):
            work(queued(organisation, owner, bill(supplier=spelling, original=None)))
    assert len(xero.named("GET /Contacts")) == 1


def test_an_archived_contact_is_a_persons_to_restore(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    contact = books.contact("Example Parts Co", archived=True)
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        assert (push.state, push.why) == ("failed", words.ARCHIVED.format(name="Example Parts Co"))
        assert books.contacts[contact]["ContactStatus"] == "ARCHIVED" and len(books.contacts) == 1
        books.contacts[contact]["ContactStatus"] = "ACTIVE"
        assert outbox.again(owner, push) and not outbox.again(owner, push)
        assert work(push).state == "done"


def test_a_contact_archived_after_it_was_known_is_looked_for_anew(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        work(queued(organisation, owner, bill()))
        (contact,) = books.contacts.values()
        contact["ContactStatus"] = "ARCHIVED"
        push = work(queued(organisation, owner, bill()))
        assert push.state == "failed" and push.why.startswith("The supplier’s contact is archived in Xero.")
        assert (push.contact_id, push.may_exist, len(books.bills)) == ("", False, 1)
        new = books.contact("Example Parts Co")
        assert outbox.again(owner, push) and work(push).state == "done"
        assert [each["Contact"]["ContactID"] for each in books.bills.values()] == [contact["ContactID"], new]


def test_a_merged_contact_is_followed_and_two_alike_are_asked_about(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    into = books.contact("Parts Group")
    books.contact("Example Parts Co", merged_to=books.contact("Parts Co", merged_to=into))
    books.contact("Twin"), books.contact("TWIN")
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        assert (push.state, push.contact_id) == ("done", into)
        push = work(queued(organisation, owner, bill(supplier="Twin")))
        assert (push.state, push.why) == ("failed", words.SEVERAL.format(name="Twin"))


def test_whoever_makes_the_contact_second_takes_the_first_ones(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    xero.will(Fault(200, {"Contacts": []}), on="GET /Contacts")  # the search missed it, or it was made just then
    contact = books.contact("Example Parts Co")
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        assert (push.state, push.contact_id, len(books.contacts)) == ("done", contact, 1)


def test_two_bills_of_a_new_supplier_at_once_make_one_contact(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    xero.slow_s = 0.1
    with speaking(practice) as owner:
        pushes = [queued(organisation, owner, bill(original=None)) for _ in range(2)]
    start = threading.Barrier(2)

    def one(push: XeroPush) -> None:
        with speaking(practice):
            start.wait()
            work(push)
        connection.close()

    threads = [threading.Thread(target=one, args=(push,)) for push in pushes]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(books.contacts) == 1 and len(books.bills) == 2


def test_a_filter_that_xero_cannot_read_is_searched_another_way(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    contact = books.contact("Example Parts Co")
    said = {"ErrorNumber": 16, "Type": "QueryParseException", "Message": "Unterminated string literal"}
    xero.will(Fault(400, said), on="GET /Contacts")
    with speaking(practice) as owner:
        assert work(queued(organisation, owner, bill())).contact_id == contact


# ── What Xero says no to ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("trouble", "change", "says"),
    [
        ({"currencies": ("AUD",)}, {"currency": "USD"}, "does not keep the bill’s currency"),
        ({"locked": date(2026, 10, 4)}, {}, "The period of this bill is locked in Xero."),
    ],
)
def test_a_row_that_xero_refuses_is_kept_with_its_reason_and_goes_under_a_new_key(
    practice: KnownPractice, xero: Xero, trouble: dict[str, Any], change: dict[str, Any], says: str
) -> None:
    organisation, books = connect(practice, xero)
    for name, value in trouble.items():
        setattr(books, name, value)
    with speaking(practice) as owner:
        one = bill(**change)
        push = work(queued(organisation, owner, one))
        assert push.state == "failed" and says in push.why and push.may_exist is False
        good = work(queued(organisation, owner, bill(dated=date(2026, 10, 5))))
        assert good.state == "done"  # the others go on
        books.currencies, books.locked = ("AUD", "USD"), None
        push = work(queued(organisation, owner, one))
        assert (push.state, push.generation) == ("done", 2)
        keys = [each.headers["idempotency-key"] for each in xero.requests if each.name == "PUT /Invoices"]
        assert len(set(keys)) == 3 and len(books.bills) == 2


def test_what_was_corrected_meanwhile_is_what_is_sent(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    books.locked = date(2026, 10, 4)
    with speaking(practice) as owner:
        one = bill()
        work(queued(organisation, owner, one))
        corrected = bill(source_id=one.source_id, dated=date(2026, 10, 5), supplier="Another Supplier")
        assert work(queued(organisation, owner, corrected)).state == "done"
        (made,) = books.bills.values()
        assert (made["DateString"], made["Contact"]["Name"]) == ("2026-10-05T00:00:00", "Another Supplier")


def test_a_key_that_was_used_otherwise_is_looked_into_and_not_sent_blindly(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    xero.will(Fault(unheard=True), on="PUT /Invoices")
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        XeroPush.objects.filter(pk=push.pk).update(body=push.body.replace("110.0", "111.0"))
        push = work(later(push, xero, 60))
        assert (push.state, push.sent_at) == ("bill_sent", None)
        push = work(later(push, xero, 1))
        assert (push.state, len(books.bills), push.generation) == ("done", 1, 1)


@pytest.mark.parametrize(
    "fault",
    [
        Fault(502, b"<html>Bad gateway</html>", kind="text/html", mangles=True),
        Fault(200, b"", mangles=True),
        Fault(200, b"<Response/>", kind="text/xml", mangles=True),
        Fault(200, {"Invoices": []}, mangles=True),
        Fault(500, b"", mangles=True),
    ],
)
def test_an_answer_that_cannot_be_read_leaves_open_whether_it_was_done(
    practice: KnownPractice, xero: Xero, fault: Fault
) -> None:
    organisation, books = connect(practice, xero)
    xero.will(fault, on="PUT /Invoices")
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        assert (push.state, push.may_exist) == ("bill_sent", True)
        assert work(later(push, xero, 600)).state == "done" and len(books.bills) == 1


def test_what_goes_on_failing_is_kept_for_a_person_and_looked_up_then(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    xero.will(Fault(503, b""), on="PUT /Invoices", times=50)
    xero.will(Fault(503, b""), on="GET /Invoices", times=50)
    with speaking(practice) as owner:
        push = queued(organisation, owner, bill())
        for _ in range(sending.MOST_TRIES):
            push = work(later(push, xero, 1000))
        assert (push.state, push.may_exist, push.why) == ("failed", True, words.UNKNOWN_OUTCOME)
        assert presentation.line_of(push).words == presentation.NOT_KNOWN
        xero.faults.clear()
        assert outbox.again(owner, push)
        push = XeroPush.objects.get(pk=push.pk)
        assert push.state == "bill_sent"
        assert work(push).state == "done" and len(books.bills) == 1


def test_a_draft_that_was_deleted_in_xero_is_not_made_again_by_itself(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    xero.will(Fault(unheard=True), on="PUT /Invoices")
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        next(iter(books.bills.values()))["Status"] = "DELETED"
        push = work(later(push, xero, 600))
        assert (push.state, push.why) == ("failed", words.DELETED.format(status="deleted"))
        assert outbox.again(owner, push) and work(push).state == "done" and len(books.bills) == 2


def test_a_total_that_differs_by_a_cent_is_flagged(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    books.adds_cent = True
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        assert (push.state, push.notes) == ("done", [words.TOTAL_DIFFERS.format(theirs="$110.01", ours="$110.00")])


def test_warnings_are_kept_and_an_address_that_is_refused_is_left_out(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    books.refuses_urls = True
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        assert (push.state, push.url, len(books.bills)) == ("done", "", 1)


def test_lines_keep_their_gst_and_their_cents(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    lines = (*[BillLine("Part", 3335, Treatment.TAXABLE)] * 3, BillLine("Delivery", 1500, Treatment.GST_FREE))
    with speaking(practice) as owner:
        one = bill(lines=lines, total_cents=11505, gst_cents=910, original=None)
        assert work(queued(organisation, owner, one)).notes == []
        (made,) = books.bills.values()
        assert (made["Total"], made["TotalTax"]) == (115.05, 9.09)


def test_one_number_of_two_suppliers_is_two_bills(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        for supplier in ("One", "Two"):
            assert work(queued(organisation, owner, bill(supplier=supplier, number="1001"))).state == "done"
    assert sorted(each["Contact"]["Name"] for each in books.bills.values()) == ["One", "Two"]


@pytest.mark.parametrize("day", [date(2026, 4, 5), date(2026, 10, 4), date(2028, 2, 29)])
@pytest.mark.parametrize("zone", ["UTC", "Australia/Sydney"])
def test_a_day_is_the_same_day_in_xero_whatever_the_clocks_do(
    practice: KnownPractice, xero: Xero, settings: Any, day: date, zone: str
) -> None:
    settings.TIME_ZONE = zone
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill(dated=day, due=day, original=None)))
        assert push.state == "done"
        (made,) = books.bills.values()
        assert made["DateString"] == f"{day.isoformat()}T00:00:00"


# ── The original ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("content", "kind", "says"),
    [
        (b"x" * 10_000_001, "application/pdf", "larger than the 10 MB"),
        (b"", "application/pdf", "is empty"),
        (b"heic", "image/heic", "no file of this kind"),
        (None, "application/pdf", "is not here any more"),
    ],
)
def test_an_original_that_cannot_be_attached_leaves_the_bill_and_says_why(
    practice: KnownPractice, xero: Xero, content: bytes | None, kind: str, says: str
) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        one = bill()
        assert one.original is not None
        which = one.original.source.removeprefix("test:")
        if content is None:
            del xero_setup.ORIGINALS[which]
        else:
            xero_setup.ORIGINALS[which] = content
        one = bill(source_id=one.source_id, original=Original("a.pdf", kind, one.original.source))
        push = work(queued(organisation, owner, one))
        assert push.state == "failed" and says in push.why and push.invoice_id in books.bills
        assert not [each for each in xero.requests if "/Attachments/" in each.path]
        xero_setup.ORIGINALS[which] = PDF
        XeroPush.objects.filter(pk=push.pk).update(
            bill={**push.bill, "original": {**push.bill["original"], "media_type": "application/pdf"}}
        )
        assert outbox.again(owner, push) and work(push).state == "done"
        assert len(books.bills) == len(books.files) == 1


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        (Fault(413, b"", kind="text/html"), "failed"),
        (Fault(400, {"Elements": [{"ValidationErrors": [{"Message": "This isn't a supported file type"}]}]}), "failed"),
        (Fault(429, b"", {"Retry-After": "5"}), "bill_confirmed"),
        (Fault(unheard=True), "bill_confirmed"),
    ],
)
def test_only_the_attachment_is_tried_again_and_stays_one_file(
    practice: KnownPractice, xero: Xero, fault: Fault, state: str
) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        push = queued(organisation, owner, bill())
        xero.will(fault, on="PUT /Invoices/")
        push = work(push)
        assert (push.state, len(books.bills)) == (state, 1)
        if state == "failed":
            assert outbox.again(owner, push)
        push = work(later(XeroPush.objects.get(pk=push.pk), xero, 60))
        assert (push.state, len(books.bills), len(books.files[push.invoice_id])) == ("done", 1, 1)


def test_an_upload_that_ends_up_nowhere_is_not_called_done(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    books.loses_files = True
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
        assert push.state == "failed" and "does not show it at the bill" in push.why
        books.loses_files = False
        assert outbox.again(owner, push) and work(push).state == "done"


def test_a_bill_that_is_gone_from_xero_is_not_made_again(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        xero.will(Fault(503, b""), on="PUT /Invoices/")
        push = work(queued(organisation, owner, bill()))
        books.bills.clear()
        push = work(later(push, xero, 60))
        assert push.state == "failed" and "not in Xero any more" in push.why
        assert outbox.again(owner, push) and work(push).state == "failed" and books.bills == {}


def test_nothing_is_ever_deleted_or_approved(practice: KnownPractice, xero: Xero) -> None:
    """Every way a bill can go; the server fails the test besides for whatever is no draft or no GET or PUT."""
    organisation, books = connect(practice, xero)
    faults = [Fault(unheard=True), Fault(503, b""), Fault(401, {"Detail": "TokenExpired"}), Fault(429, b"")]
    with speaking(practice) as owner:
        for fault in faults:
            xero.will(fault, on="PUT /Invoices")
            push = work(queued(organisation, owner, bill()))
            for _ in range(3):
                push = work(later(push, xero, 600))
            assert push.state == "done"
    asked = [each for each in xero.requests if each.is_of_books]
    assert {each.method for each in asked} == {"GET", "PUT"} and len(books.bills) == len(faults)
    sent = [each.json()["Invoices"] for each in asked if each.name == "PUT /Invoices"]
    assert {made["Status"] for rows in sent for made in rows} == {"DRAFT"}
    assert not [each for each in asked if b'"AUTHORISED"' in each.body or b'"DELETED"' in each.body]
    assert {each["Status"] for each in books.bills.values()} == {"DRAFT"}


def test_a_client_without_an_organisation_is_told(practice: KnownPractice, xero: Xero) -> None:
    with speaking(practice) as owner:
        client = Client.objects.create(name="Unconnected")
        with pytest.raises(VendorFailed) as refused:
            outbox.queue(owner, client, [bill()])
        assert refused.value.message == words.NOT_CONNECTED


def test_bills_to_an_organisation_that_was_disconnected_are_kept_and_go_on_when_it_is_back(
    practice: KnownPractice, xero: Xero
) -> None:
    (organisation, books), (other, _) = connect(practice, xero), connect(practice, xero, "Other")
    with speaking(practice) as owner:
        push, others = queued(organisation, owner, bill()), queued(other, owner, bill())
        consenting.disconnect(organisation)
        assert outbox.strand(timezone.now()) >= 1
        push = XeroPush.objects.get(pk=push.pk)
        assert (push.state, push.why) == ("failed", words.NOT_CONNECTED)
        assert XeroPush.objects.get(pk=others.pk).state == "queued"
        xero_setup.consent(owner, xero, organisation.client, [books])
        assert outbox.again(owner, push) and work(push).state == "done" and len(books.bills) == 1


def test_a_client_that_is_merged_takes_its_organisation_and_bills_along(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        push = queued(organisation, owner, bill())
        kept = Client.objects.create(name=organisation.client.name)
        services_merge.merge(owner, kept, organisation.client)
        moved = XeroOrganisation.objects.select_related("connection").get(client=kept)
        assert (moved.connection.client_id, moved.tenant_id) == (kept.pk, books.tenant_id)
        assert work(push).state == "done" and len(books.bills) == 1


def test_a_fault_of_ours_is_not_tried_for_ever(practice: KnownPractice, xero: Xero, monkeypatch: Any) -> None:
    organisation, books = connect(practice, xero)

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(sending, "_resolve", broken)
    with speaking(practice) as owner:
        push = queued(organisation, owner, bill())
        for number in range(1, sending.MOST_TRIES + 1):
            with pytest.raises(ZeroDivisionError):
                work(later(XeroPush.objects.get(pk=push.pk), xero, 1000))
            push = XeroPush.objects.get(pk=push.pk)
            assert (push.state, push.attempt) == ("queued" if number < sending.MOST_TRIES else "failed", number)
        assert push.why == sending.OUR_FAULT and books.bills == {}
