"""Documents sent by hand: chosen, dropped and refused, over a connection that breaks, and without script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pymupdf
import pytest
from playwright.sync_api import Page, Route, expect

from asat_site.tests.browser.conftest import Site, picture
from asat_site.tests.browser.test_looks import serious_findings

SIZES = {1440: 900, 390: 844}


def pdf(number: int) -> dict[str, Any]:
    """An invoice as a browser chooses it."""
    document = pymupdf.open()
    page = document.new_page()
    lines = (
        "Albatross Pilots Pty Ltd", "ABN 51 824 753 556", "TAX INVOICE", f"Invoice number: AP-{number}",
        "Invoice date: 3 March 2026", "Subtotal  $100.00", "GST  $10.00", "Total  $110.00",
    )  # fmt: skip
    for at, line in enumerate(lines):
        page.insert_text((60, 60 + 20 * at), line)
    return {"name": f"invoice {number}.pdf", "mimeType": "application/pdf", "buffer": bytes(document.tobytes())}


WEB_PAGE = {"name": "page.pdf", "mimeType": "application/pdf", "buffer": b"<html>"}


def of_new_client(page: Page, site: Site) -> str:
    """The address of a new client's documents, opened."""
    page.goto(f"{site.address}/clients/add/")
    page.get_by_label("Name", exact=True).fill("Bollard & Sons")
    page.get_by_role("button", name="Add the client").click()
    page.get_by_role("link", name="Documents", exact=True).last.click()
    expect(page.get_by_text("No document has come in yet.")).to_be_visible()
    return page.url


def choose(page: Page, *files: dict[str, Any]) -> None:
    page.locator("input[type=file]").set_input_files(list(files))


def test_each_file_is_told_of_and_read_while_one_looks(page: Page, site: Site) -> None:
    of_new_client(page, site)
    first = pdf(1)
    choose(page, first, WEB_PAGE, {"name": "empty.pdf", "mimeType": "application/pdf", "buffer": b""}, pdf(2))
    expect(page.locator("#doc-told")).to_have_text("4 of 4 sent; 2 not taken")
    refused = page.locator(".doc-sent li.refused")
    expect(refused).to_have_text(
        ["page.pdfThe file is of no kind that is known. AsAt reads PDF, JPEG, PNG, TIFF and HEIC.",
         "empty.pdfThe file is empty."]
    )  # fmt: skip
    choose(page, first)
    expect(page.locator("#doc-told")).to_have_text("5 of 5 sent; 1 was there already; 2 not taken")
    rows = page.locator("#documents-now tr[data-row]")
    expect(rows.filter(has_text="Ready to review")).to_have_count(2)
    expect(rows.first).to_contain_text("Albatross Pilots Pty Ltd")
    page.locator("body").press("j")
    expect(rows.first.get_by_role("link")).to_be_focused()


def test_files_are_dropped_on_the_box(page: Page, site: Site) -> None:
    of_new_client(page, site)
    dropped = page.evaluate_handle(
        """([name, text]) => {
            const data = new DataTransfer();
            data.items.add(new File([text], name, {type: "application/pdf"}));
            return data;
        }""",
        ["dropped.pdf", "%PDF-1.7 and no more"],
    )
    zone = page.locator("[data-drop]")
    zone.dispatch_event("dragover", {"dataTransfer": dropped})
    expect(zone).to_have_class("doc-drop over")
    zone.dispatch_event("drop", {"dataTransfer": dropped})
    expect(page.locator("#documents-now tr[data-row]")).to_contain_text(
        "The PDF is damaged. Save it again from the program that made it."
    )


def test_a_connection_that_breaks_loses_nothing(page: Page, site: Site) -> None:
    of_new_client(page, site)

    def breaks(route: Route) -> None:
        route.abort("connectionreset")

    page.route("**/upload/", breaks)
    choose(page, pdf(1), pdf(2))
    expect(page.locator("#doc-told")).to_have_text("2 of 2 sent; 2 did not arrive")
    page.unroute("**/upload/")
    for _ in range(2):
        page.get_by_role("button", name="Try again").first.click()
        page.wait_for_timeout(200)
    expect(page.locator("#doc-told")).to_have_text("2 of 2 sent")
    expect(page.locator("#documents-now").get_by_text("Ready to review")).to_have_count(2)


def test_without_script_a_form_sends_them(new_page: Callable[..., Page], page: Page, site: Site) -> None:
    address = of_new_client(page, site)
    plain = site.sign_in(new_page(java_script_enabled=False))
    plain.goto(address)
    choose(plain, pdf(1), WEB_PAGE)
    plain.get_by_role("button", name="Send", exact=True).click()
    expect(plain.locator(".doc-sent li")).to_have_text(
        ["invoice 1.pdfTaken. It will be read.",
         "page.pdfThe file is of no kind that is known. AsAt reads PDF, JPEG, PNG, TIFF and HEIC."]
    )  # fmt: skip


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_their_pages_and_each_is_photographed(
    new_page: Callable[..., Page], site: Site, theme: Any
) -> None:
    page = site.sign_in(new_page(color_scheme=theme, reduced_motion="reduce"), "staff")
    findings: dict[str, list[str]] = {}

    def look(name: str) -> None:
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            picture(page, f"documents-{name}-{width}-{theme}")
            findings[f"{name} {width}"] = serious_findings(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} {width}"
        page.set_viewport_size({"width": 1440, "height": 900})

    address = of_new_client(page, site)
    look("none")
    choose(page, pdf(1), WEB_PAGE, pdf(2))
    expect(page.locator("#documents-now").get_by_text("Ready to review")).to_have_count(2)
    look("sent")
    page.goto(address.replace("/documents/", "/files/"))
    look("files-none")
    page.goto(f"{site.address}/documents/?client_q=bollard")
    look("queue")
    page.get_by_role("link", name="Bollard & Sons").first.click()
    look("queue-of-one")
    assert {name: found for name, found in findings.items() if found} == {}
