"""From the practice's app to a draft in Xero, as an owner walks it; at two widths, looked at by axe."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from django.db import connections
from playwright.sync_api import Page, expect

from asat_site.tenancy.context import in_practice
from asat_site.testing.xero_server import Contract, Xero, xero_server
from asat_site.tests.browser.conftest import Site, picture
from asat_site.tests.browser.test_looks import serious_findings
from clients.models import Client
from integrations.xero import outbox, tasks
from integrations.xero.mapping import ApprovedBill, BillLine, Original, Treatment

WIDTHS = {1440: 900, 390: 844}
SUPPLIERS = (
    "Example Parts Co", "The “Best” Plumbing Supplies & Sons of Greater Western Sydney Pty Ltd", "Archived Supplier",
)  # fmt: skip


@pytest.fixture
def xero(xero_port: int) -> Iterator[Xero]:
    """The Xero that the running web server and worker reach, held to its descriptions where those are here."""
    with xero_server(Contract.find(), port=xero_port) as served:
        yield served


def beside(work: Callable[[], Any]) -> Any:
    """What `work` gives, done where the browser does not hold the database."""
    came: list[Any] = []

    def run() -> None:
        try:
            came.append(work())
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return came[0]


def looked_at(page: Page, name: str, findings: dict[str, Any]) -> None:
    """Photographed at both widths, and walked by axe."""
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        picture(page, f"{name}-{width}")
        findings[f"{name} {width}"] = serious_findings(page)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{name} at {width} is {wide} px too wide"
    page.set_viewport_size({"width": 1440, "height": 900})


def push_bills(site: Site, client_id: Any) -> None:
    """Three bills, as approving documents will send them."""
    user = site.practice.users["owner"]
    with in_practice(site.practice.practice, user.pk):
        bills = [
            ApprovedBill(
                "transaction",
                str(number),
                supplier,
                date(2026, 10, 4),
                12510,
                gst_cents=1001,
                number=f"EP-{number}",
                lines=(BillLine("Pipe", 11010, Treatment.TAXABLE), BillLine("Delivery", 1500, Treatment.GST_FREE)),
                original=Original("invoice.pdf", "application/pdf", "nowhere:1") if number == 1 else None,
            )
            for number, supplier in enumerate(SUPPLIERS)
        ]
        done = outbox.queue(user, Client.objects.get(pk=client_id), bills)
        tasks.enqueue(done.new)


def test_from_an_app_to_a_draft(page: Page, site: Site, xero: Xero) -> None:
    findings: dict[str, Any] = {}
    xero.redirects = [f"{site.address}/settings/connections/xero/back/"]
    books, other = xero.organisation("Harbour Café Pty Ltd"), xero.organisation("Harbour Holdings")
    books.contact("Archived Supplier", archived=True)
    client_id = beside(lambda: _client(site))
    page.context.clear_cookies()
    site.sign_in(page, "owner")
    page.goto(f"{site.address}/settings/connections/")
    expect(page.get_by_text(xero.redirects[0])).to_be_visible()
    looked_at(page, "xero-none", findings)
    page.get_by_label("Client id").fill("no id")
    page.get_by_role("button", name="Store").click()
    expect(page.get_by_text("This is no client id")).to_be_visible()
    looked_at(page, "xero-refused", findings)
    page.get_by_label("Client id").fill(xero.client_id)
    page.get_by_label("Client secret").fill(xero.client_secret)
    page.get_by_role("button", name="Store").click()
    expect(page.get_by_text("The app is stored.")).to_be_visible()
    assert xero.client_secret not in page.content()

    page.goto(f"{site.address}/clients/{client_id}/xero/")
    looked_at(page, "xero-client-none", findings)
    page.get_by_role("button", name="Connect an organisation").click()
    looked_at(page, "xero-go", findings)
    xero.agrees_to = [books, other]
    page.get_by_role("link", name="Go to Xero").click()
    expect(page.get_by_role("heading", name="Which organisation is it?")).to_be_visible()
    looked_at(page, "xero-choose", findings)
    page.get_by_label("Harbour Café Pty Ltd").check()
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_text("The organisation is connected.")).to_be_visible()

    beside(lambda: push_bills(site, client_id))
    rows = page.locator("tr[data-row]")
    for _ in range(60):
        page.reload()
        if rows.filter(has_text="In Xero as a draft").count() == 2 and rows.filter(has_text="Not sent").count() == 1:
            break
        page.wait_for_timeout(500)
    expect(rows.filter(has_text="Archived Supplier")).to_contain_text("is archived in Xero")
    expect(rows.filter(has_text="Best")).to_contain_text("without its original")
    expect(rows.filter(has_text="Example Parts Co").get_by_role("link", name="The bill in Xero")).to_be_visible()
    looked_at(page, "xero-client-bills", findings)
    (contact,) = [each for each in books.contacts.values() if each["Name"] == "Archived Supplier"]
    contact["ContactStatus"] = "ACTIVE"
    rows.filter(has_text="Archived Supplier").get_by_role("button", name="Try again").click()
    expect(page.get_by_text("It is tried again.")).to_be_visible()
    for _ in range(60):
        page.reload()
        if rows.filter(has_text="Archived Supplier").filter(has_text="In Xero as a draft").count():
            break
        page.wait_for_timeout(500)
    assert [each["Status"] for each in books.bills.values()] == ["DRAFT"] * 3 and other.bills == {}

    page.goto(f"{site.address}/settings/connections/")
    looked_at(page, "xero-connected", findings)
    assert {name: found for name, found in findings.items() if found} == {}


def _client(site: Site) -> Any:
    user = site.practice.users["owner"]
    with in_practice(site.practice.practice, user.pk):
        return Client.objects.create(name="Harbour Café Pty Ltd").pk
