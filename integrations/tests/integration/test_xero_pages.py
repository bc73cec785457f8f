"""Xero's pages: who may do what, one exact way there and back, and nothing secret on any of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client as Browser
from django.utils.html import escape

from asat_site.testing.practices import KnownPractice
from asat_site.testing.xero_server import Contract, Fault, Organisation, Xero, xero_server
from clients.models import Assignment, Client, Restriction
from integrations.models import Connection, XeroConsent, XeroOrganisation, XeroPush
from integrations.tests.integration.xero_setup import bill, make_app, queued, speaking, work
from integrations.xero import access, consenting, outbox, presentation, views

pytestmark = pytest.mark.security
BACK = "http://ashby.localhost/settings/connections/xero/back/"


@pytest.fixture
def xero(settings: Any, services: Any, practice: KnownPractice, request: Any) -> Iterator[Xero]:
    """A Xero that the practice's app is known to, held to the descriptions where this machine has them."""
    with xero_server(Contract.find()) as served:
        settings.ASAT_XERO_URL = served.url
        settings.ASAT_ORIGINALS = {"test": "integrations.tests.integration.xero_setup.read_original"}
        request.getfixturevalue("django_db_blocker").unblock()
        make_app(practice, served)
        served.redirects = [BACK]
        yield served


def new_client(practice: KnownPractice, name: str = "Harbour Café Pty Ltd") -> Client:
    with speaking(practice):
        return Client.objects.create(name=name)


def begun(browser: Browser, client: Client) -> str:
    """The address at Xero that the page leads to."""
    page = browser.post(f"/clients/{client.pk}/xero/connect/")
    assert page.status_code == 200 and page["Cache-Control"] == "no-store"
    found = re.search(r'href="(http[^"]+/identity/connect/authorize[^"]+)"', page.content.decode())
    assert found is not None
    return found[1].replace("&amp;", "&")


def connected(browser: Browser, xero: Xero, client: Client, to: list[Organisation]) -> Any:
    """What the browser sees once it was sent back."""
    parts = urlsplit(xero.consents(begun(browser, client), to))
    return browser.get(f"{parts.path}?{parts.query}", follow=True)


def test_an_owner_goes_there_and_back_and_the_client_is_connected(practice: KnownPractice, xero: Xero) -> None:
    browser, client = practice.client("owner"), new_client(practice)
    page = connected(browser, xero, client, [xero.organisation("Harbour Café (Xero)")])
    assert page.redirect_chain == [(f"/clients/{client.pk}/xero/", 302)]
    words = page.content.decode()
    assert "The organisation is connected." in words and "Harbour Café (Xero)" in words and "Disconnect" in words
    cards = browser.get("/settings/connections/").content.decode()
    assert (
        BACK in cards
        and "Harbour Café (Xero)" in cards
        and f'ends with <span class="mono">{xero.client_id[-4:]}' in cards
    )


def test_the_redirect_uri_is_the_one_shown_to_the_letter(practice: KnownPractice, xero: Xero) -> None:
    browser, client = practice.client("owner"), new_client(practice)
    asked = parse_qs(urlsplit(begun(browser, client)).query)
    assert asked["redirect_uri"] == [BACK]
    evil = browser.post(f"/clients/{client.pk}/xero/connect/", headers={"X-Forwarded-Host": "evil.example"})
    assert "evil.example" not in evil.content.decode()
    unknown = browser.post(f"/clients/{client.pk}/xero/connect/", headers={"host": "evil.example"})
    assert unknown.status_code in (400, 404)


@pytest.mark.parametrize("role", ["agent", "staff", "read_only"])
def test_only_owners_connect_choose_and_disconnect(practice: KnownPractice, xero: Xero, role: str) -> None:
    client, browser = new_client(practice), practice.client(role)
    for method, address in (
        ("get", "/settings/connections/xero/app/"),
        ("post", "/settings/connections/xero/app/"),
        ("get", "/settings/connections/xero/back/?state=x&code=y"),
        ("get", f"/settings/connections/xero/choose/{client.pk}/"),
        ("post", f"/clients/{client.pk}/xero/connect/"),
        ("post", f"/clients/{client.pk}/xero/disconnect/"),
    ):
        assert getattr(browser, method)(address).status_code == 403, address
    page = browser.get(f"/clients/{client.pk}/xero/")
    assert page.status_code == 200 and "Connect an organisation" not in page.content.decode()
    assert xero.requests == []


def test_whoever_is_not_signed_in_is_asked_to(practice: KnownPractice, xero: Xero) -> None:
    browser, client = practice.client(None), new_client(practice)
    for address in ("/settings/connections/xero/back/?state=x&code=y", f"/clients/{client.pk}/xero/"):
        assert browser.get(address).status_code == 302
    assert xero.requests == []


def test_a_forged_or_replayed_answer_connects_nothing(practice: KnownPractice, xero: Xero) -> None:
    browser, client = practice.client("owner"), new_client(practice)
    books = xero.organisation("A")
    forged = browser.get("/settings/connections/xero/back/?state=forged&code=any", follow=True)
    assert escape(consenting.NOT_OURS)[:60] in forged.content.decode() and xero.requests == []
    parts = urlsplit(xero.consents(begun(browser, client), [books]))
    stranger = practice.client("owner")  # the same person in another browser
    assert consenting.NOT_OURS[:40] in stranger.get(f"{parts.path}?{parts.query}", follow=True).content.decode()
    assert xero.requests == []
    browser.get(f"{parts.path}?{parts.query}")
    asked = len(xero.requests)
    assert consenting.NOT_OURS[:40] in browser.get(f"{parts.path}?{parts.query}", follow=True).content.decode()
    assert len(xero.requests) == asked


def test_an_answer_for_one_practice_is_nothing_to_another(
    practice: KnownPractice, other_practice: KnownPractice, xero: Xero
) -> None:
    make_app(other_practice, xero)
    xero.redirects = [BACK]
    client = new_client(practice)
    parts = urlsplit(xero.consents(begun(practice.client("owner"), client), [xero.organisation("A")]))
    page = other_practice.client("owner").get(f"{parts.path}?{parts.query}", follow=True)
    assert consenting.NOT_OURS[:40] in page.content.decode() and xero.requests == []
    assert other_practice.client("owner").get(f"/clients/{client.pk}/xero/").status_code == 404


def test_no_is_taken_for_an_answer(practice: KnownPractice, xero: Xero) -> None:
    browser, client = practice.client("owner"), new_client(practice)
    parts = urlsplit(xero.consents(begun(browser, client), [], says_no=True))
    page = browser.get(f"{parts.path}?{parts.query}", follow=True)
    assert consenting.SAID_NO in page.content.decode()


def test_what_xero_says_in_an_error_is_text(practice: KnownPractice, xero: Xero) -> None:
    browser, client = practice.client("owner"), new_client(practice)
    state = parse_qs(urlsplit(begun(browser, client)).query)["state"][0]
    page = browser.get("/settings/connections/xero/back/", {"state": state, "error": "<script>x</script>"}, follow=True)
    assert "<script>x" not in page.content.decode() and "&lt;script&gt;x" in page.content.decode()


def test_of_several_organisations_a_person_chooses_on_a_page(practice: KnownPractice, xero: Xero) -> None:
    browser, client = practice.client("owner"), new_client(practice)
    first, second = xero.organisation("First"), xero.organisation("Second")
    page = connected(browser, xero, client, [first, second])
    (address, _), words = page.redirect_chain[-1], page.content.decode()
    assert "Which organisation is it?" in words and first.tenant_id in words and second.tenant_id in words
    assert practice.client("owner").get(address, follow=True).redirect_chain[-1][0] == "/settings/connections/"
    page = browser.post(address, {"tenant": second.tenant_id}, follow=True)
    assert page.redirect_chain == [(f"/clients/{client.pk}/xero/", 302)]
    with speaking(practice):
        assert XeroOrganisation.objects.get(client=client).tenant_id == second.tenant_id


def test_the_app_is_stored_sealed_and_shown_again_nowhere(practice: KnownPractice, xero: Xero) -> None:
    browser = practice.client("owner")
    secret = "a-secret-of-nobody-0123456789"
    wrong = browser.post("/settings/connections/xero/app/", {"client_id": "too short", "client_secret": secret})
    assert wrong.status_code == 422 and secret not in wrong.content.decode()
    page = browser.post(
        "/settings/connections/xero/app/", {"client_id": "C" * 32, "client_secret": secret}, follow=True
    )
    assert "The app is stored." in page.content.decode()
    with speaking(practice):
        app = access.app()
        assert app is not None and app.status == "connected" and secret not in app.sealed_secrets
    for address in (
        "/settings/connections/",
        "/settings/connections/xero/app/",
        f"/admin/integrations/connection/{app.pk}/change/",
    ):
        words = browser.get(address).content.decode()
        assert secret not in words and app.sealed_secrets not in words


def test_no_token_is_on_a_page(practice: KnownPractice, xero: Xero) -> None:
    browser, client = practice.client("owner"), new_client(practice)
    pages = [connected(browser, xero, client, [xero.organisation("A")]).content.decode()]
    pages += [
        browser.get(address).content.decode()
        for address in ("/settings/connections/", f"/clients/{client.pk}/xero/", f"/clients/{client.pk}/")
    ]
    person = xero.people["ann"]
    for token in (person.current, *person.before, *person.access, xero.client_secret):
        assert not [page for page in pages if token in page]


def test_a_site_that_xero_does_not_send_back_to_says_so(practice: KnownPractice, xero: Xero) -> None:
    words = practice.client("owner").get("/settings/connections/").content.decode()
    assert "no organisation can be connected from here" in words
    for address, may in (
        ("https://smith.example/settings/", True), ("http://localhost:8000/", True), ("http://127.0.0.1:8000/", False),
        ("http://office.lan/", False),
    ):  # fmt: skip
        assert presentation.may_come_back_to(address) is may


def test_bills_are_listed_with_their_state_reason_and_link_and_tried_again(practice: KnownPractice, xero: Xero) -> None:
    browser, client = practice.client("owner"), new_client(practice)
    books = xero.organisation("A")
    connected(browser, xero, client, [books])
    books.contact("Old <b>Supplier</b>".replace("<b>", "").replace("</b>", ""), archived=True)
    with speaking(practice) as owner:
        organisation = XeroOrganisation.objects.select_related("client").get(client=client)
        good = work(queued(organisation, owner, bill(supplier="<i>Good</i> Supplier")))
        bad = work(queued(organisation, owner, bill(supplier="Old Supplier")))
    words = browser.get(f"/clients/{client.pk}/xero/").content.decode()
    assert "hx-get" not in words.partition('id="xero-bills"')[2].partition(">")[0]  # nothing of it is going
    assert f'href="https://go.xero.com/AccountsPayable/View.aspx?InvoiceID={good.invoice_id}"' in words
    assert "In Xero as a draft" in words and "is archived in Xero" in words and "$110.00" in words
    assert "<i>Good" not in words and "&lt;i&gt;Good" in words
    for role, status in (("read_only", 403), ("staff", 302)):
        assert practice.client(role).post(f"/bills/{bad.pk}/again/").status_code == status
    with speaking(practice):
        assert XeroPush.objects.get(pk=bad.pk).state == "queued"
    part = browser.get(f"/clients/{client.pk}/xero/bills/").content.decode()
    assert part.startswith('<section class="sent-bills" id="xero-bills"') and 'hx-trigger="every 2s"' in part
    back = browser.get(f"/bills/{good.pk}/")
    assert (back.status_code, back["Location"]) == (302, f"/clients/{client.pk}/xero/#bill-{good.pk}")


def test_the_address_of_a_bill_here_is_sent_along(practice: KnownPractice, xero: Xero, rf: Any) -> None:
    request = rf.get("/", headers={"host": "ashby.localhost"})
    assert views.page_of_bills(request) == "http://ashby.localhost/bills/{id}/"


def test_a_bill_without_its_original_says_so(practice: KnownPractice, xero: Xero) -> None:
    browser, client = practice.client("owner"), new_client(practice)
    connected(browser, xero, client, [xero.organisation("A")])
    xero.will(Fault(413, b"", kind="text/html"), on="PUT /Invoices/")
    with speaking(practice) as owner:
        work(queued(XeroOrganisation.objects.select_related("client").get(client=client), owner, bill()))
    words = browser.get(f"/clients/{client.pk}/xero/").content.decode()
    assert presentation.WITHOUT_ORIGINAL in words and "The bill in Xero" in words


def test_an_owner_disconnects_and_connects_again(practice: KnownPractice, xero: Xero) -> None:
    browser, client = practice.client("owner"), new_client(practice)
    books = xero.organisation("A")
    connected(browser, xero, client, [books])
    page = browser.post(f"/clients/{client.pk}/xero/disconnect/", follow=True)
    assert "disconnected, here and in Xero" in page.content.decode() and xero.connections == []
    with speaking(practice):
        assert Connection.objects.get(client=client).status == "disconnected"
    assert "is connected." in connected(browser, xero, client, [books]).content.decode()


def test_a_restricted_client_has_no_xero_for_who_is_not_assigned(practice: KnownPractice, xero: Xero) -> None:
    client = new_client(practice)
    browser = practice.client("owner")
    connected(browser, xero, client, [xero.organisation("Hidden Books")])
    with speaking(practice) as owner:
        push = queued(XeroOrganisation.objects.select_related("client").get(client=client), owner, bill())
        Assignment.objects.create(client=client, user=practice.users["agent"], by=owner)
        Restriction.objects.create(client=client, by=owner)
    for address in (f"/clients/{client.pk}/xero/", f"/bills/{push.pk}/"):
        assert browser.get(address).status_code == 404
        assert practice.client("staff").get(address).status_code == 404
        assert practice.client("agent").get(address).status_code in (200, 302)
    assert browser.post(f"/clients/{client.pk}/xero/disconnect/").status_code == 404
    assert practice.client("staff").post(f"/bills/{push.pk}/again/").status_code == 404
    assert "Hidden Books" not in browser.get("/settings/connections/").content.decode()
    with speaking(practice, "staff"):
        assert not XeroConsent.objects.filter(client_id=client.pk).exists()
        assert outbox.claim(push.pk, push.queued_at) is None
