"""From an invitation to a second factor and in again with a code; and that nothing serious is wrong with the pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from playwright.sync_api import Page, expect

from asat_site.testing.second_factor import code
from asat_site.tests.browser.conftest import Site, picture
from asat_site.tests.browser.test_looks import serious_findings

PASSWORD = "seven quiet harbour pilots"
EMAIL = "nell@marsh.example"
THEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")


def invited(owner: Page, site: Site) -> str:
    """The link that the owner is shown for a tax agent."""
    owner.goto(f"{site.address}/settings/people/")
    owner.get_by_label("E-mail address").fill(EMAIL)
    owner.get_by_label("Role", exact=True).select_option("agent")
    owner.get_by_role("button", name="Invite", exact=True).click()
    return owner.locator(".link-made code").inner_text()


def join(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_label("First name").fill("Nell")
    page.get_by_label("Last name").fill("Marsh")
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password again").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()


def test_who_is_invited_joins_sets_up_a_second_factor_and_comes_back_with_a_code(
    new_page: Callable[..., Page], site: Site
) -> None:
    findings: dict[str, list[str]] = {}

    def look(shown: Page, name: str) -> None:
        for theme in THEMES:
            shown.emulate_media(color_scheme=theme, reduced_motion="reduce")
            picture(shown, f"accounts-{name}-{theme}")
            if found := serious_findings(shown):
                findings[f"{name} {theme}"] = found

    owner = site.sign_in(new_page(), "owner")
    link = invited(owner, site)
    look(owner, "people")
    owner.get_by_role("button", name="Require it of everybody").click()
    expect(owner.get_by_role("heading", name="Set up your second factor")).to_be_visible()

    page = new_page(viewport={"width": 390, "height": 844})
    join(page, link)
    expect(page.get_by_text("requires a second factor")).to_be_visible()
    drawn = page.get_by_alt_text("A code to scan. The key below says the same.")
    expect(drawn).to_have_js_property("complete", True)
    assert drawn.evaluate("picture => picture.naturalWidth") > 100
    look(page, "second-factor-390")
    key = page.locator(".factor-key").inner_text().replace(" ", "")
    page.get_by_label("Code that it shows now").fill(code(key))
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Set it up").click()
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    look(page, "recovery-codes-390")
    page.get_by_role("link", name="I have kept them").click()
    expect(page).to_have_url(f"{site.address}/")

    again = new_page()
    again.goto(f"{site.address}/account/")
    again.get_by_label("E-mail address").fill(EMAIL)
    again.get_by_label("Password").fill(PASSWORD)
    again.get_by_role("button", name="Sign in").click()
    look(again, "code")
    again.get_by_label("Code").fill(code(key, ahead=1))
    again.get_by_role("button", name="Continue").click()
    expect(again).to_have_url(f"{site.address}/account/")
    look(again, "account")
    again.get_by_role("button", name="End all others").click()
    expect(again.get_by_text("One other session is ended.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert findings == {}
