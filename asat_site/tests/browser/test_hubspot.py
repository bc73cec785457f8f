"""From a key to the report, as an owner walks it: connect, read, look, import; at two widths, looked at by axe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from asat_site.testing.hubspot_server import TOKEN, Contract, HubSpotAccount, company, hubspot_server
from asat_site.tests.browser.conftest import Site, no_worker_free, picture
from asat_site.tests.browser.test_looks import serious_findings

WIDTHS = {1440: 900, 390: 844}
LISTED = [
    company(9001, "Example Plumbing Pty Ltd", abn="51 824 753 556"),
    company(9002, "Harbour & Sons <Trading>", abn="51 824 753 557"),
    company(9003, "EXAMPLE PLUMBING P/L", abn="53 004 085 616"),
    company(9004, None, domain="nameless.example"),
    company(9005, "Example Plumbing", abn="53 004 085 616"),
    company(9006, "A name that goes on and on, as some names of trusts and their trustees do " * 4),
    *[company(number, f"Company {number} Pty Ltd") for number in range(9100, 9260)],
]


@pytest.fixture
def hubspot(hubspot_port: int) -> Iterator[HubSpotAccount]:
    """The account that the running web server and worker reach, held to its description where that is here."""
    LISTED[3]["properties"]["domain"] = "nameless.example"
    with hubspot_server(Contract.find(), port=hubspot_port, companies=LISTED) as served:
        yield served


def looked_at(page: Page, name: str, findings: dict[str, Any]) -> None:
    """Photographed at both widths, and walked by axe."""
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        picture(page, f"{name}-{width}")
        findings[f"{name} {width}"] = serious_findings(page)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{name} at {width} is {wide} px too wide"
    page.set_viewport_size({"width": 1440, "height": 900})


def test_from_a_key_to_the_report(page: Page, site: Site, hubspot: HubSpotAccount) -> None:
    findings: dict[str, Any] = {}
    page.context.clear_cookies()
    site.sign_in(page, "owner")
    page.goto(f"{site.address}/settings/connections/")
    looked_at(page, "connections-none", findings)
    page.get_by_label("Service key").fill("0a1b2c3d-1111-2222-3333-444455556666")
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("alert")).to_contain_text("old API key")
    looked_at(page, "connections-refused", findings)
    page.get_by_label("Service key").fill(f"Bearer {TOKEN}")
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_text("HubSpot is connected.")).to_be_visible()
    assert TOKEN not in page.content()
    looked_at(page, "connections-connected", findings)

    page.get_by_role("link", name="Import companies").click()
    expect(page.get_by_label("Where ABNs stand")).to_have_value("abn")
    looked_at(page, "hubspot-begin", findings)
    with no_worker_free():
        page.get_by_role("button", name="Read the list").click()
        expect(page.locator("progress")).to_be_visible()
        looked_at(page, "hubspot-reading", findings)
    expect(page.get_by_role("button", name="Import 163 companies")).to_be_visible()
    expect(page.locator("#hubspot-now[hx-get]")).to_have_count(0)
    looked_at(page, "hubspot-preview", findings)
    page.get_by_role("link", name="No name 1").click()
    expect(page.locator("tr[data-row]")).to_have_count(1)
    expect(page.locator("tr[data-row]")).to_contain_text("nameless.example")

    page.get_by_role("button", name="Import 163 companies").click()
    expect(page.get_by_text("163 came in as clients, 1 of them with an ABN.")).to_be_visible()
    looked_at(page, "hubspot-report", findings)
    page.get_by_role("link", name="Further companies").click()
    expect(page.locator("tr[data-row]")).to_have_count(66)
    with page.expect_download() as told:
        page.get_by_role("link", name="Report as CSV").click()
    assert told.value.path().read_bytes().decode("utf-8-sig").count("\r\n") == 167

    page.get_by_role("link", name="Import from HubSpot").click()
    looked_at(page, "hubspot-imports", findings)
    page.get_by_role("link", name="Connections", exact=True).first.click()
    page.get_by_role("button", name="Disconnect").click()
    expect(page.get_by_text("its key erased")).to_be_visible()
    assert {name: found for name, found in findings.items() if found} == {}
    assert {request.method for request in hubspot.requests} == {"GET"}
