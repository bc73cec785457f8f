"""A conversation from its first message to its paper: asked, followed up, read beside its sources, at three widths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from asat_site.tests.browser.conftest import ANSWERED, IN_A_GAP, OUT_OF_SCOPE, Site, no_worker_free, picture
from asat_site.tests.browser.test_looks import WIDTHS, serious_findings

FIRST = f"{ANSWERED.removesuffix('?')} in FY2020?"


def say(page: Page, label: str, text: str) -> None:
    box = page.get_by_label(label)
    box.fill(text)
    box.press("Enter")


def answered(page: Page, text: str) -> Any:
    """The message with its answer."""
    result = page.locator("article.result").filter(has=page.get_by_role("heading", name=text, exact=True)).last
    expect(result.locator("footer.foot-note")).to_be_visible()
    return result


def test_a_conversation_is_started_followed_up_and_read_beside_its_sources(page: Page, site: Site) -> None:
    page.wait_for_load_state()  # before that there are no shortcuts
    page.get_by_label("Your question").blur()
    page.locator("body").press("g")
    page.locator("body").press("c")
    page.wait_for_url(f"{site.address}/chat/")
    say(page, "First question", FIRST)
    expect(page.get_by_role("heading", level=1, name=FIRST)).to_be_visible()
    first = answered(page, FIRST)
    sources = page.locator("#sources")
    expect(sources.locator("li").first).to_contain_text("HDFA99 s 5-10")
    expect(first.locator(".source-no").first).to_have_text("1")

    page.get_by_label("Income year", exact=True).select_option(index=2)
    with no_worker_free():
        say(page, "Your message", "What about FY2022?")
        follow_up = page.locator("article.running")
        expect(follow_up).to_contain_text(f"Asked as: {ANSWERED.removesuffix('?')} in FY2022?")
        expect(follow_up).to_be_in_viewport()
    expect(answered(page, "What about FY2022?").locator(".chip").first).to_contain_text("FY2022")
    assert page.get_by_label("Income year", exact=True).evaluate("box => box.selectedIndex") == 0

    page.get_by_role("button", name="Ask as typed instead").click()
    as_typed = page.locator("article.result").nth(2)
    expect(as_typed.locator("footer.foot-note")).to_be_visible()
    expect(as_typed).not_to_contain_text("Asked as")

    say(page, "Your message", "Was travel deductible in FY2019 or in FY2022?")
    asked_back = answered(page, "Was travel deductible in FY2019 or in FY2022?")
    asked_back.get_by_role("button", name="Ask about").first.click()
    expect(page.locator("article.result")).to_have_count(5)
    expect(page.locator("article.result").last.locator("footer.foot-note")).to_be_visible()

    page.set_viewport_size({"width": 1024, "height": 768})
    expect(sources).to_be_hidden()
    page.get_by_role("button", name="Sources").click()
    expect(sources).to_be_visible()
    page.keyboard.press("Escape")
    expect(sources).to_be_hidden()
    page.get_by_role("button", name="Sources").click()
    sources.get_by_role("link").first.click()
    expect(page.locator("article.law mark").first).to_be_visible()
    page.go_back()
    page.emulate_media(media="print")
    expect(page.locator("#sources")).to_be_visible()
    expect(page.get_by_label("Your message")).to_be_hidden()
    picture(page, "print-chat")


def test_a_conversation_is_read_and_asked_on_without_script(new_page: Callable[..., Page], site: Site) -> None:
    page = site.sign_in(new_page(java_script_enabled=False))
    page.goto(f"{site.address}/chat/")
    page.get_by_label("First question").fill(FIRST)
    page.get_by_role("button", name="Start").click()
    page.get_by_label("Your message").fill("What about FY2022?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator("article.result.running")).to_have_count(0)
    expect(page.locator("article.result.answered")).to_have_count(2)
    expect(page.locator("#sources li").first).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_a_conversation(new_page: Callable[..., Page], site: Site, theme: Any) -> None:
    page = new_page(color_scheme=theme, reduced_motion="reduce")
    site.sign_in(page)
    findings: dict[str, list[str]] = {}

    def look(name: str) -> None:
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            picture(page, f"{name}-{width}-{theme}")
            if width != 1024:
                findings[f"{name} {width}"] = serious_findings(page)
        page.set_viewport_size({"width": 1440, "height": 900})

    page.goto(f"{site.address}/chat/")
    look("chat-empty")
    say(page, "First question", FIRST)
    answered(page, FIRST)
    look("chat-first")
    with no_worker_free():
        say(page, "Your message", "What about FY2022?")
        expect(page.locator("article.running .stages")).to_be_visible()
        look("chat-running")
    answered(page, "What about FY2022?")
    for text in (IN_A_GAP, OUT_OF_SCOPE, "Was travel deductible in FY2019 or in FY2022?"):
        say(page, "Your message", text)
        answered(page, text)
    look("chat-many")
    page.reload()
    look("chat-read-again")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Sources").click()
    findings["chat-sheet 390"] = serious_findings(page)
    picture(page, f"chat-sheet-390-{theme}")
    page.set_viewport_size({"width": 1024, "height": 768})
    picture(page, f"chat-sheet-1024-{theme}")
    page.goto(f"{site.address}/chat/")
    look("chat-list")
    assert {name: found for name, found in findings.items() if found} == {}
