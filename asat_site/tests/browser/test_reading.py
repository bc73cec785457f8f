"""The law as it stood, the record and the frame around them, read with eyes, keyboard and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from asat_site.tests.browser.conftest import ANSWERED, Site, answered

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_a_provision_shows_its_wordings_and_the_gap_between_them(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/law/HDFA99/3-10?as_at=FY2021")
    expect(page.get_by_text("The wording in FY2021 is not known.")).to_be_visible()
    expect(page.locator("svg.strip rect.gap")).to_have_count(1)
    expect(page.locator("svg.strip rect.held")).to_have_count(2)
    expect(page.locator(".versions li.unknown")).to_contain_text("Wording not known: 2 July 2018 – 30 June 2022")
    expect(page.locator("article.law.side-words")).to_have_count(2)
    page.get_by_role("link", name="Show", exact=True).first.click()
    expect(page.get_by_text("These words are not known to have been in force on any day of FY2021.")).to_be_visible()


def test_a_defined_term_shows_its_meaning_on_focus_and_escape_puts_it_away(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/law/HDFA99/5-10?as_at=FY2019")
    term = page.locator("a.term").first
    term.focus()
    card = page.get_by_role("tooltip")
    expect(card).to_be_visible()
    expect(card).to_contain_text(term.inner_text(), ignore_case=True)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_a_defined_term_shows_its_meaning_by_keyboard_and_by_tap(new_page: Callable[..., Page], site: Site) -> None:
    page = site.sign_in(new_page(**PHONE))
    page.goto(f"{site.address}/law/HDFA99/5-10?as_at=FY2019")
    term, card = page.locator("a.term").first, page.get_by_role("tooltip")
    term.tap()
    expect(card).to_be_visible()
    expect(page).to_have_url(f"{site.address}/law/HDFA99/5-10?as_at=FY2019")
    box = card.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    page.get_by_role("heading", level=1).tap()
    expect(card).to_be_hidden()
    term.focus()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.keyboard.press("Enter")
    expect(card).to_be_visible()
    expect(term).to_have_attribute("aria-describedby", "definition-card")


def test_without_script_a_defined_term_leads_to_its_meaning(new_page: Callable[..., Page], site: Site) -> None:
    page = site.sign_in(new_page(java_script_enabled=False))
    page.goto(f"{site.address}/law/HDFA99/5-10?as_at=FY2019")
    term = page.locator("a.term").first
    term.click()
    expect(page.locator(f"dt#{(term.get_attribute('href') or '')[1:]}")).to_be_visible()


def test_a_reference_is_followed_at_the_same_time(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/law/HDFA99/4-15?as_at=FY2019")
    page.get_by_role("link", name="section 3-5").click()
    expect(page).to_have_url(f"{site.address}/law/HDFA99/3-5?as_at=FY2019")


def test_a_provision_that_is_not_held_is_not_said_never_to_have_been(page: Page, site: Site) -> None:
    response = page.goto(f"{site.address}/law/HDFA99/999-999?as_at=FY2019")
    assert response is not None and response.status == 404
    expect(page.get_by_role("main")).to_contain_text("That does not say that there never was such a provision")
    page.get_by_role("main").get_by_role("link", name="Status").click()
    expect(page).to_have_url(f"{site.address}/status/")


def test_any_two_dates_are_compared_by_keyboard(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/law/HDFA99/3-10?as_at=FY2023")
    page.get_by_text("Compare two dates").focus()
    page.keyboard.press("Enter")
    page.get_by_label("From", exact=True).fill("2018-07-01")
    page.get_by_label("to", exact=True).press("Enter")
    expect(page.locator("article.law ins").first).to_be_visible()
    expect(page.locator(".legend")).to_contain_text("FY2023 (Wording B) compared with 1 July 2018 (Wording A)")
    page.get_by_role("link", name="Stop comparing").click()
    expect(page.locator("article.law ins")).to_have_count(0)


def test_changing_the_year_of_a_provision_shows_that_year(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/law/HDFA99/5-10?as_at=FY2019")
    page.get_by_label("As at").select_option("FY2022")
    expect(page).to_have_url(f"{site.address}/law/HDFA99/5-10?as_at=FY2022")
    expect(page.locator("svg.strip .asked-label")).to_have_text("FY2022")


def test_a_copied_citation_names_act_section_and_compilation(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    result = answered(page, ANSWERED, "FY2020")
    result.get_by_role("button", name="Copy both").first.click()
    expect(page.locator(".toast")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("“")
    assert "Harbour Dues (Fictional) Act 1999 s 5-10 (Travel between ports), compilation of 1 July 2018" in copied


def test_an_answer_is_proved_from_its_audit_row(page: Page) -> None:
    answered(page, ANSWERED, "FY2020").get_by_role("link", name="Audit row 1").click()
    expect(page.get_by_role("heading", name="Audit row 1")).to_be_visible()
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.get_by_role("heading", name="Reproduced", exact=True)).to_be_visible()
    page.get_by_role("button", name="Replay as it was known then").click()
    expect(page.get_by_role("heading", name="Reproduced, as known on")).to_be_visible()
    page.get_by_role("link", name="What was sealed, byte for byte").click()
    expect(page.locator("body")).to_contain_text(ANSWERED)
    page.go_back()
    page.get_by_role("link", name="Audit", exact=True).first.click()
    expect(page.locator("tbody tr")).to_have_count(1)


def test_the_keyboard_reaches_everything(page: Page, site: Site) -> None:
    answered(page, ANSWERED, "FY2020")
    page.locator("body").press("g")
    page.locator("body").press("a")
    expect(page).to_have_url(f"{site.address}/audit/")
    page.locator("body").press("j")
    expect(page.locator("td.question a")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site.address}/audit/1/")
    page.locator("body").press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.locator("body").press("g")
    page.locator("body").press("r")
    expect(page).to_have_url(f"{site.address}/")
    page.locator("body").press("/")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.goto(f"{site.address}/status/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()


def test_the_theme_switch_is_kept_over_pages_and_set_before_the_first_paint(page: Page, site: Site) -> None:
    for theme in ("dark", "light"):
        page.get_by_role("button", name="Light or dark").click()
        response = page.goto(f"{site.address}/status/")
        assert response is not None
        assert f'<html lang="en-AU" data-theme="{theme}">' in response.text()


def test_a_phone_shows_every_page_without_sideways_scrolling(new_page: Callable[..., Page], site: Site) -> None:
    page = site.sign_in(new_page(**PHONE))
    page.get_by_label("Your question").fill(ANSWERED)
    page.get_by_role("button", name="Ask", exact=True).tap()
    expect(page.locator("footer.foot-note")).to_be_visible()
    for address in ("/", "/law/HDFA99/5-10", "/law/HDFA99/20-1", "/audit/", "/audit/1/", "/status/"):
        page.goto(f"{site.address}{address}")
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, (
            address
        )
        bar = page.get_by_role("navigation", name="Main").bounding_box()
        assert bar is not None and bar["y"] + bar["height"] == pytest.approx(844, abs=1), address
    page.get_by_text("You", exact=True).tap()
    page.get_by_role("button", name="Sign out").tap()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_read_only_user_is_told_that_the_account_does_not_ask(new_page: Callable[..., Page], site: Site) -> None:
    page = site.sign_in(new_page(), "read_only")
    expect(page.get_by_text("Your account reads but does not ask.")).to_be_visible()
    expect(page.get_by_label("Your question")).to_have_count(0)


def test_no_page_is_larger_than_it_should_be(page: Page, site: Site) -> None:
    answered(page, ANSWERED, "FY2020")
    for address in ("/", "/law/HDFA99/20-1", "/audit/", "/audit/1/", "/status/"):
        page.goto(f"{site.address}{address}")
        sizes = page.evaluate(
            "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
            ".map(entry => entry.encodedBodySize)"
        )
        assert sum(sizes) <= 150_000, (address, sizes)


def test_the_hour_is_told_on_the_readers_clock(new_page: Callable[..., Page], site: Site) -> None:
    told = []
    for zone in ("Australia/Sydney", "Australia/Perth", "America/New_York"):
        page = site.sign_in(new_page(timezone_id=zone))
        if not told:
            answered(page, ANSWERED, "FY2020")
        page.goto(f"{site.address}/audit/")
        time = page.locator("tbody time").first
        moment = datetime.fromisoformat(time.get_attribute("datetime") or "").astimezone(ZoneInfo(zone))
        hour = f"{moment.hour % 12 or 12}:{moment:%M} {'a.m.' if moment.hour < 12 else 'p.m.'}"
        expect(time).to_have_text(f"{moment.day} {moment:%b} {moment.year} {hour}")
        told.append(hour)
    assert len(set(told)) == 3


def test_a_page_is_printed_dark_on_white_whatever_the_theme(page: Page) -> None:
    answered(page, ANSWERED, "FY2020")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.emulate_media(media="print", color_scheme="dark")
    colour = "([of, which]) => getComputedStyle(document.querySelector(of))[which]"
    assert page.evaluate(colour, ["html", "backgroundColor"]) == "rgb(255, 255, 255)"
    assert page.evaluate(colour, ["blockquote", "color"]) == "rgb(0, 0, 0)"
