"""A practice's whole day by hand: invited, a second factor, clients out of HubSpot, documents read, looked over and
approved, and drafts in Xero with their originals.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from playwright.sync_api import Page, expect

from asat_site.testing import hubspot_server as hubspot_fake
from asat_site.testing import xero_server as xero_fake
from asat_site.testing.synthetic_documents.making import made
from asat_site.tests.browser.conftest import Site, picture
from asat_site.tests.browser.test_looks import serious_findings

WIDTHS = {1440: 900, 390: 844}
PASSWORD = "seven harbours and a tide table"
PATIENCE_S = 120
CLIENT = "Example Plumbing Pty Ltd"
WHOLE, OPEN_DATE, PHOTO = 20021, 20026, 20001
"""By the number that they are made from: one that nothing is wrong with, one whose dates have two readings, one that
was photographed."""


@pytest.fixture
def hubspot(hubspot_port: int) -> Iterator[hubspot_fake.HubSpotAccount]:
    companies = [hubspot_fake.company(7001, CLIENT, abn="51 824 753 556"), hubspot_fake.company(7002, "Harbour & Sons")]
    with hubspot_fake.hubspot_server(hubspot_fake.Contract.find(), port=hubspot_port, companies=companies) as served:
        yield served


@pytest.fixture
def xero(xero_port: int) -> Iterator[xero_fake.Xero]:
    with xero_fake.xero_server(xero_fake.Contract.find(), port=xero_port) as served:
        yield served


@pytest.fixture
def papers(tmp_path: Path) -> list[Path]:
    """The three documents, as files of a phone and a mail box are named."""
    found = []
    for name, number, source in (("invoice", WHOLE, "text"), ("dates", OPEN_DATE, "text"), ("photo", PHOTO, "photo")):
        paper = made(number, source)
        path = tmp_path / f"{name}{paper.suffix}"
        path.write_bytes(paper.content)
        found.append(path)
    return found


def looked_at(page: Page, name: str, findings: dict[str, Any]) -> None:
    """Photographed at both widths, and walked by axe."""
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        picture(page, f"day-{name}-{width}")
        findings[f"{name} {width}"] = serious_findings(page)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{name} at {width} is {wide} px too wide"
    page.set_viewport_size({"width": 1440, "height": 900})


def waits_for(page: Page, what: Callable[[], bool]) -> None:
    """What workers do, which may take a while on a busy machine; the page as it stood where it never came."""
    deadline = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < deadline, page.locator("main").inner_text()
        page.wait_for_timeout(500)
        page.reload()


def code_of(key: str) -> str:
    """What an authenticator with this key shows now."""
    return str(format_hotp_value(hotp_value(key, next(iter(yield_hotp_counters_from_time())))))


def test_from_an_invitation_to_drafts_in_xero(
    page: Page,
    new_page: Callable[..., Page],
    site: Site,
    hubspot: hubspot_fake.HubSpotAccount,
    xero: xero_fake.Xero,
    papers: list[Path],
) -> None:
    findings: dict[str, Any] = {}
    xero.redirects = [f"{site.address}/settings/connections/xero/back/"]
    books = xero.organisation("Example Plumbing Pty Ltd")
    page.context.clear_cookies()
    owner = site.sign_in(page, "owner")

    agent = joins(owner, new_page(), site, findings)
    brings_clients_in(owner, site, findings)
    connects(owner, site, xero, books)
    sends(agent, site, papers, findings)
    looks_over(agent, findings)
    pushes(agent, findings)

    drafts = list(books.bills.values())
    assert [draft["Status"] for draft in drafts] == ["DRAFT"] * 3
    assert {draft["Type"] for draft in drafts} == {"ACCPAY"}
    assert [len(books.files[draft["InvoiceID"]]) for draft in drafts] == [1, 1, 1]
    owner.goto(f"{site.address}/settings/events/")
    for said in ("Invited", "Invitation accepted", "Second factor set up", "Recovery code used"):
        expect(owner.get_by_role("row").filter(has_text=said).first).to_be_visible()
    looked_at(owner, "events", findings)
    assert {name: found for name, found in findings.items() if found} == {}


def joins(owner: Page, page: Page, site: Site, findings: dict[str, Any]) -> Page:
    """An agent who was invited by a link, set up a second factor, and has signed in with it."""
    owner.goto(f"{site.address}/settings/people/")
    owner.get_by_role("button", name="Require it of everybody").click()
    expect(owner.get_by_role("heading", name="Set up your second factor")).to_be_visible()
    owner_codes = sets_up_factor(owner, "correct horse battery")
    assert len(owner_codes) == 10
    owner.goto(f"{site.address}/settings/people/")
    owner.get_by_label("E-mail address").fill("casey@passing.example")
    owner.get_by_label("Role", exact=True).select_option(label="Tax agent")
    owner.get_by_role("button", name="Invite", exact=True).click()
    link = owner.locator(".link-made code").inner_text()
    looked_at(owner, "people", findings)

    page.goto(link)
    looked_at(page, "invitation", findings)
    page.get_by_label("First name").fill("Casey")
    page.get_by_label("Last name").fill("Morgan")
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password again").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Set up your second factor")).to_be_visible()
    page.goto(f"{site.address}/clients/")
    expect(page.get_by_role("heading", name="Set up your second factor")).to_be_visible()
    looked_at(page, "second-factor", findings)
    codes = sets_up_factor(page, PASSWORD)
    page.goto(f"{site.address}/")
    page.get_by_role("button", name="Sign out").first.click()
    page.get_by_label("E-mail address").fill("casey@passing.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your second factor")).to_be_visible()
    looked_at(page, "code", findings)
    page.get_by_label(re.compile("code", re.IGNORECASE)).fill(codes[0])
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_url(f"{site.address}/")
    return page


def sets_up_factor(page: Page, password: str) -> list[str]:
    """Its recovery codes."""
    key = page.locator(".factor-key").inner_text().replace(" ", "")
    page.get_by_label("Code that it shows now").fill(code_of(key))
    page.get_by_label("Your password").fill(password)
    page.get_by_role("button", name="Set it up").click()
    expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    return page.locator(".recovery-codes code").all_inner_texts()


def brings_clients_in(owner: Page, site: Site, findings: dict[str, Any]) -> None:
    owner.goto(f"{site.address}/settings/connections/")
    owner.get_by_label("Service key").fill(hubspot_fake.TOKEN)
    owner.get_by_role("button", name="Connect").click()
    expect(owner.get_by_text("HubSpot is connected.")).to_be_visible()
    owner.get_by_role("link", name="Import companies").click()
    owner.get_by_role("button", name="Read the list").click()
    owner.get_by_role("button", name="Import 2 companies").click()
    expect(owner.get_by_text("2 came in as clients, 1 of them with an ABN.")).to_be_visible()


def connects(owner: Page, site: Site, xero: xero_fake.Xero, books: Any) -> None:
    owner.goto(f"{site.address}/settings/connections/")
    owner.get_by_label("Client id").fill(xero.client_id)
    owner.get_by_label("Client secret").fill(xero.client_secret)
    owner.get_by_role("button", name="Store").click()
    owner.goto(f"{site.address}/clients/")
    owner.get_by_role("link", name=CLIENT).click()
    owner.get_by_role("navigation", name="About this client").get_by_role("link", name="Xero").click()
    owner.get_by_role("button", name="Connect an organisation").click()
    xero.agrees_to = [books]
    owner.get_by_role("link", name="Go to Xero").click()
    expect(owner.get_by_text("The organisation is connected.")).to_be_visible()


def sends(agent: Page, site: Site, papers: list[Path], findings: dict[str, Any]) -> None:
    """Three files, one of them twice; all three are read."""
    agent.goto(f"{site.address}/clients/")
    agent.get_by_role("link", name=CLIENT).click()
    agent.get_by_role("navigation", name="About this client").get_by_role("link", name="Documents").click()
    looked_at(agent, "documents-none", findings)
    agent.locator("input[type=file]").set_input_files([*papers, papers[0]])
    expect(agent.locator(".doc-sent li")).to_have_count(4)
    expect(agent.locator(".doc-sent li.there")).to_have_count(1)
    rows = agent.locator("#documents-now tr[data-row]")
    expect(rows).to_have_count(3)
    waits_for(agent, lambda: rows.filter(has_text=re.compile("Ready to review|to settle")).count() == 3)
    looked_at(agent, "documents", findings)


def looks_over(agent: Page, findings: dict[str, Any]) -> None:
    """By keys: each document approved, one after a reading of its date was chosen."""
    agent.locator("#documents-now").get_by_role("link", name=re.compile("^invoice")).click()
    expect(agent.locator(".review-end h2")).to_have_text("Ready to approve")
    told = "(found) => `${found.status} ${found.headers.get('content-type')}`"
    drawn = agent.evaluate(f"fetch('pages/1.png').then({told})")
    assert drawn == "200 image/png"
    agent.wait_for_load_state("networkidle")
    looked_at(agent, "review", findings)
    first = agent.locator(".review-field").first
    first.focus()
    expect(agent.locator("rect.lit")).to_have_count(1)
    agent.keyboard.press("Enter")
    expect(first).to_contain_text("Accepted")
    for _ in range(2):
        before = agent.url
        settles_dates(agent, findings)
        agent.get_by_role("button", name="Approve").click()
        expect(agent).not_to_have_url(before)
    settles_dates(agent, findings)
    agent.get_by_role("button", name="Approve").click()
    expect(agent.get_by_text("Approved").first).to_be_visible()
    looked_at(agent, "approved", findings)


def settles_dates(agent: Page, findings: dict[str, Any]) -> None:
    """The first reading of whatever has several."""
    if not agent.locator(".review-field.failing").count():
        return
    looked_at(agent, "review-open", findings)
    expect(agent.get_by_role("button", name="Approve")).to_be_disabled()
    for name in ("date", "due_date"):
        row = agent.locator(f".review-field.failing[data-field={name}]")
        if row.count():
            row.focus()
            agent.keyboard.press("1")
            expect(row).to_have_count(0)


def pushes(agent: Page, findings: dict[str, Any]) -> None:
    agent.get_by_role("link", name=CLIENT).first.click()
    agent.get_by_role("navigation", name="About this client").get_by_role("link", name="Transactions").click()
    rows = agent.locator(".ledger-table tr[data-row]")
    expect(rows).to_have_count(3)
    expect(rows.first.locator("time")).to_have_text("18 Jul 2025")  # a day, in every zone
    looked_at(agent, "transactions", findings)
    agent.get_by_role("button", name="Send all not in Xero").click()
    looked_at(agent, "sent", findings)
    agent.get_by_role("navigation", name="About this client").get_by_role("link", name="Xero").click()
    drafts = agent.locator("tr[data-row]").filter(has_text="In Xero as a draft")
    waits_for(agent, lambda: drafts.count() == 3)
    looked_at(agent, "drafts", findings)
