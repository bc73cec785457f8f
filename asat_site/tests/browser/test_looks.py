"""Every page in every state, looked at by axe and photographed for people: three widths, light and dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from asat_site.tests.browser.conftest import (
    ANSWERED,
    CHANGED,
    IN_A_GAP,
    OUT_OF_SCOPE,
    Site,
    answered,
    ask,
    no_worker_free,
    picture,
)

WIDTHS = {1440: 900, 1024: 768, 390: 844}
CITED_AND_QUOTED = """HDFA99 s 5-20: “if the pilot is on board for more than 6 hours without a break ashore”.

HDFA99 s 5-30: “can deduct the cost of heating, lighting and cleaning the room”, but 'not rent'. See the Privacy Act.
"""
SERIOUS = ("serious", "critical")


def serious_findings(page: Page) -> list[str]:
    """What axe-core finds that would keep someone from reading or using the page."""
    found = Axe().run(page).response["violations"]
    return [
        f"{finding['id']}: {node['target']} {node.get('failureSummary', '')}"
        for finding in found
        if finding["impact"] in SERIOUS
        for node in finding["nodes"]
    ]


def states(page: Page, site: Site) -> Iterator[str]:
    """Walks through every page and state, naming each."""
    page.goto(f"{site.address}/")
    yield "research-empty"
    with no_worker_free():
        expect(ask(page, ANSWERED, "FY2020").locator(".stages")).to_be_visible()
        yield "research-running"
    expect(page.locator("footer.foot-note")).to_be_visible()
    yield "research-answered"
    answered(page, IN_A_GAP, "FY2021")
    yield "research-wording-unknown"
    answered(page, OUT_OF_SCOPE, "FY2020")
    yield "research-out-of-scope"
    answered(page, "Was travel deductible in FY2019 or in FY2022?")
    yield "research-ambiguous"
    answered(page, CHANGED)
    yield "research-two-times"
    page.get_by_label("Your question").fill("?")
    page.get_by_label("Your question").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("no question")
    yield "research-not-asked"
    page.goto(f"{site.address}/")
    yield "research-transcript"
    for name, address in {
        "provision": "/law/HDFA99/5-10?as_at=FY2019",
        "provision-gap": "/law/HDFA99/3-10?as_at=FY2021",
        "provision-definitions": "/law/HDFA99/20-1?as_at=FY2022",
        "provision-unreadable-date": "/law/HDFA99/3-10?as_at=soon",
        "provision-two-dates": "/law/HDFA99/3-10?from=FY2019&to=FY2023",
        "provision-two-dates-same": "/law/HDFA99/5-10?from=FY2019&to=2018-07-01",
        "provision-two-dates-unknown": "/law/HDFA99/3-10?from=2020-03-01&to=FY2023",
        "provision-not-held": "/law/HDFA99/999-999?as_at=FY2019",
        "law-changes-none": "/law-changes/",
        "quotes-empty": "/quotes/",
        "access-tokens": "/account/tokens/",
        "audit": "/audit/",
        "audit-row": "/audit/1/",
        "status": "/status/",
        "not-found": "/audit/999/",
    }.items():
        page.goto(f"{site.address}{address}")
        yield name
    page.goto(f"{site.address}/law/HDFA99/3-10?as_at=FY2021")
    page.get_by_role("link", name="Compare the two wordings").click()
    yield "provision-compared"
    page.goto(f"{site.address}/status/")
    page.locator("details.numbers summary").first.click()
    yield "status-numbers"
    page.goto(f"{site.address}/audit/1/")
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.get_by_role("heading", name="Reproduced")).to_be_visible()
    yield "audit-row-replayed"
    page.goto(f"{site.address}/quotes/")
    for name, text in {"quotes-checked": CITED_AND_QUOTED, "quotes-nothing-found": "Dear client"}.items():
        page.get_by_label("Text to check").fill(text)
        page.get_by_label("As at").fill("FY2023")
        page.get_by_role("button", name="Check", exact=True).click()
        expect(page.locator("#quote-result h2")).to_contain_text("cited" if "HDFA99" in text else "No citation")
        yield name
    page.goto(f"{site.address}/")
    page.locator("body").press("?")
    yield "shortcuts"


def states_for_owners(page: Page, site: Site) -> Iterator[str]:
    """The pages that only an owner sees."""
    page.context.clear_cookies()
    site.sign_in(page, "owner")
    page.goto(f"{site.address}/settings/models/")
    yield "models"
    page.get_by_label("A question, with a client’s name in it if you like").fill(ANSWERED)
    page.get_by_role("button", name="Show what would be sent").click()
    expect(page.locator("#model-preview")).to_contain_text("the law is quoted without a model")
    yield "models-preview"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page_and_each_is_photographed(
    new_page: Callable[..., Page], site: Site, theme: Any
) -> None:
    page = new_page(color_scheme=theme, reduced_motion="reduce")
    page.goto(f"{site.address}/sign-in/")
    findings = {"sign-in": serious_findings(page)}
    picture(page, f"sign-in-1440-{theme}")
    site.sign_in(page)
    for name in (each for pages in (states, states_for_owners) for each in pages(page, site)):
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            picture(page, f"{name}-{width}-{theme}")
            if width != 1024:
                findings[f"{name} {width}"] = serious_findings(page)
        page.set_viewport_size({"width": 1440, "height": 900})
    assert {name: found for name, found in findings.items() if found} == {}


def test_a_printed_answer_is_a_workpaper(page: Page) -> None:
    answered(page, ANSWERED, "FY2020")
    page.emulate_media(media="print")
    picture(page, "print-answer")
    expect(page.get_by_role("navigation", name="Main")).to_be_hidden()
    expect(page.get_by_label("Your question")).to_be_hidden()
    expect(page.locator("blockquote").first).to_be_visible()
    expect(page.locator("footer.foot-note")).to_contain_text("Not tax advice")
