"""The client register with eyes and keyboard: added, found, asked for, imported, merged, restricted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from asat_site.tests.browser.conftest import ANSWERED, Site, answered, picture
from asat_site.tests.browser.test_looks import serious_findings

SIZES = {1440: 900, 390: 844}
FILE = """Name,ABN,Entity type,GST registered,BAS cycle,Income year end,Tags
Albatross Pilots Pty Ltd,51 824 753 556,Company,yes,Quarterly,30 September,harbour
Bollard & Sons,,Partnership,no,,,harbour
The Trustee for the Capstan Family Trust,,Trust,,Monthly,,
Capstan Trust,,,,,,
Dory Fishing,51 824 753 557,Sole trader,,,,
,,,,,,x
Ebb Tide Nominees Proprietary Limited With A Name That Goes On For Quite Some Way,,,,,,
"""


def add(page: Page, site: Site, name: str, **typed: str) -> None:
    page.goto(f"{site.address}/clients/add/")
    page.get_by_label("Name", exact=True).fill(name)
    for label, value in typed.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Add the client").click()


def bring_in(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/clients/import/")
    page.get_by_label("CSV file").set_input_files(
        [{"name": "clients.csv", "mimeType": "text/csv", "buffer": FILE.encode()}]
    )
    page.get_by_role("button", name="Look through it").click()
    expect(page.get_by_role("button", name="Bring in 4 clients")).to_be_visible()


def test_a_client_is_added_found_by_keyboard_and_asked_for(page: Page, site: Site) -> None:
    add(page, site, "Albatross Pilots Pty Ltd", ABN="51 824 753 557")
    expect(page.get_by_role("alert").filter(has_text="This ABN is wrong")).to_be_visible()
    page.get_by_label("ABN", exact=True).fill("51 824 753 556")
    page.get_by_label("Tax file number", exact=True).fill("123 456 782")
    page.get_by_role("button", name="Add the client").click()
    expect(page.get_by_role("heading", name="Albatross Pilots Pty Ltd")).to_be_visible()
    expect(page.locator("#tfn")).to_contain_text("••• ••• 782")
    page.get_by_role("button", name="Show (recorded)").click()
    expect(page.locator("#tfn")).to_contain_text("123 456 782")
    page.reload()
    expect(page.locator("#tfn")).to_contain_text("••• ••• 782")
    expect(page.get_by_text("Tax file number shown")).to_be_visible()
    page.locator("body").press("g")
    page.locator("body").press("l")
    expect(page).to_have_url(f"{site.address}/clients/")
    page.locator("body").press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Albatross Pilots Pty Ltd")).to_be_visible()
    page.get_by_role("link", name="Ask about this client").click()
    expect(page.locator("[data-picked]")).to_have_text("Albatross Pilots Pty Ltd")
    result = answered(page, ANSWERED, "FY2020")
    expect(result.get_by_role("link", name="Albatross Pilots Pty Ltd")).to_be_visible()
    result.get_by_role("link", name="Albatross Pilots Pty Ltd").click()
    page.get_by_role("link", name="Research", exact=True).last.click()
    expect(page.get_by_role("link", name=ANSWERED)).to_be_visible()


def test_a_client_is_picked_from_the_question_box(page: Page, site: Site) -> None:
    add(page, site, "Bollard & Sons")
    page.goto(f"{site.address}/")
    page.get_by_text("For: nobody in particular").click()
    page.get_by_label("Find a client").fill("boll")
    page.get_by_label("Bollard & Sons").check()
    expect(page.locator("[data-picked]")).to_have_text("Bollard & Sons")
    page.keyboard.press("Escape")
    result = answered(page, ANSWERED, "FY2020")
    expect(result.get_by_role("link", name="Bollard & Sons")).to_be_visible()


def test_a_file_comes_in_two_are_merged_and_one_is_restricted(page: Page, site: Site, new_page: Any) -> None:
    bring_in(page, site)
    expect(page.get_by_text("Nothing is saved yet.")).to_be_visible()
    page.get_by_role("button", name="Bring in 4 clients").click()
    expect(page.locator(".tally")).to_contain_text("4 came in")
    add(page, site, "Capstan Family Trust")
    page.get_by_role("button", name="Add it all the same").click()
    page.goto(f"{site.address}/clients/duplicates/")
    page.get_by_role("link", name="Compare with the first").click()
    page.get_by_role("button", name="Merge into").click()
    expect(page.get_by_text("Merged. It can be undone")).to_be_visible()
    page.get_by_role("button", name="Undo the merge of Capstan Family Trust").click()
    expect(page.get_by_text("The merge is undone")).to_be_visible()
    page.goto(f"{site.address}/clients/")
    page.get_by_label("Tick Bollard & Sons").check()
    expect(page.get_by_text("1 ticked")).to_be_visible()
    page.get_by_label("Who", exact=True).select_option(label=site.practice.users["agent"].email)
    page.get_by_role("button", name="Assign", exact=True).click()
    expect(page.get_by_text("1 client assigned.")).to_be_visible()
    owner = site.sign_in(new_page(), "owner")
    owner.goto(f"{site.address}/clients/?q=bollard")
    owner.get_by_role("link", name="Bollard & Sons").click()
    owner.get_by_role("button", name="Restrict to those assigned").click()
    expect(owner.get_by_text("1 restricted client you are not assigned to.")).to_be_visible()
    expect(owner.get_by_role("link", name="Bollard & Sons")).to_have_count(0)
    page.goto(f"{site.address}/clients/?restricted=1")
    expect(page.get_by_role("link", name="Bollard & Sons")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_the_clients_pages_and_each_is_photographed(
    new_page: Callable[..., Page], site: Site, theme: Any
) -> None:
    page = site.sign_in(new_page(color_scheme=theme, reduced_motion="reduce"), "owner")
    findings: dict[str, list[str]] = {}

    def look(name: str) -> None:
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            picture(page, f"clients-{name}-{width}-{theme}")
            findings[f"{name} {width}"] = serious_findings(page)
        page.set_viewport_size({"width": 1440, "height": 900})

    page.goto(f"{site.address}/clients/")
    look("empty")
    page.goto(f"{site.address}/clients/import/")
    look("import")
    bring_in(page, site)
    look("import-checked")
    page.get_by_role("button", name="Bring in 4 clients").click()
    add(page, site, "Capstan Family Trust")
    look("add-alike")
    page.get_by_role("button", name="Add it all the same").click()
    add(page, site, "", ABN="1")
    look("add-wrong")
    page.goto(f"{site.address}/clients/")
    page.get_by_label("Tick Bollard & Sons").check()
    look("list")
    page.locator("details.menu summary").first.click()
    look("list-menu")
    page.goto(f"{site.address}/clients/?q=nobody")
    look("list-none")
    page.goto(f"{site.address}/clients/duplicates/")
    look("duplicates")
    page.get_by_role("link", name="Compare with the first").click()
    look("merge")
    page.goto(f"{site.address}/clients/?q=albatross")
    page.get_by_role("link", name="Albatross Pilots Pty Ltd").click()
    page.get_by_label("A note").fill("Asked for a letter about pilots’ travel before the return is lodged.")
    page.get_by_role("button", name="Write it down").click()
    page.get_by_text("Add a contact").click()
    page.get_by_label("Name", exact=True).fill("Ada Quill")
    page.get_by_label("Role").fill("Director")
    page.get_by_label("E-mail address").fill("ada@albatross.example")
    page.get_by_role("button", name="Add the contact").click()
    page.get_by_role("button", name="Assign", exact=True).click()
    look("client")
    page.get_by_role("link", name="Research", exact=True).last.click()
    look("client-research-empty")
    page.get_by_role("link", name="Ask about this client").click()
    look("ask-for-client")
    page.locator(".picks summary").click()
    look("ask-picks")
    page.goto(f"{site.address}/clients/events/")
    look("events")
    page.goto(f"{site.address}/clients/restricted/")
    look("restricted-none")
    assert {name: found for name, found in findings.items() if found} == {}
