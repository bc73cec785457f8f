"""The one shape of an answer: limits after the rule, workings as a table, parts, one next step, numbered sources."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from asat_site.tests.browser.conftest import ANSWERED, Site, answered, picture
from asat_site.tests.browser.test_looks import serious_findings

LIMITED = "What can a harbour pilot deduct under s 5-5 of the Harbour Dues (Fictional) Act 1999 in FY2020?"
TAX = "tax on $95,000 for a resident in FY2015"
PARTS = (
    "For FY2020: 1. Can a harbour pilot deduct travel between two ports? "
    "2. What was the super guarantee rate? 3. How much stamp duty is payable on a house in Victoria?"
)


def test_an_answer_says_why_its_year_what_to_check_and_what_it_rests_on(page: Page) -> None:
    result = answered(page, ANSWERED, "FY2020")
    expect(result.locator("header .because")).to_have_text(
        "FY2020, because the year field says so and the question names no time."
    )
    expect(result.locator(".check")).to_have_count(1)
    expect(result.locator(".check")).to_contain_text("Check the facts of FY2020")
    expect(result.locator(".cited-sources li").first).to_contain_text("Harbour Dues (Fictional) Act 1999 s 5-10")
    expect(result.locator(".claim .source-no").first).to_have_text("1")
    expect(result.locator("footer.foot-note")).to_contain_text("No model had a part in it.")


def test_tax_on_an_income_is_worked_out_band_by_band(page: Page) -> None:
    workings = answered(page, TAX).locator(".workings")
    expect(workings.locator("tbody tr")).to_have_count(4)
    expect(workings.locator("tbody tr").nth(3)).to_contain_text("37%")
    expect(workings.locator("tfoot")).to_contain_text("$23,097")


def test_three_issues_are_three_parts_with_a_badge_each(page: Page) -> None:
    result = answered(page, PARTS)
    expect(result.locator("header .badge")).to_have_text("Answered in part")
    expect(result.locator(".both")).to_contain_text("2 of 3 parts answered.")
    parts = result.locator(".part")
    expect(parts).to_have_count(3)
    assert [part.locator(".badge").inner_text() for part in parts.all()][:2] == ["Answered", "Answered"]
    expect(parts.nth(2)).to_contain_text("Not answered")
    assert [part.locator(".check, .next").count() for part in parts.all()] == [1, 1, 1]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_an_answer_of_any_shape(
    new_page: Callable[..., Page], site: Site, theme: Any
) -> None:
    page = site.sign_in(new_page(color_scheme=theme, reduced_motion="reduce"))
    findings = {}
    for name, question in {
        "shape-limit": LIMITED,
        "shape-figure": TAX,
        "shape-parts": PARTS,
    }.items():
        page.goto(f"{site.address}/")
        answered(page, question)
        for width, height in {1440: 900, 390: 844}.items():
            page.set_viewport_size({"width": width, "height": height})
            picture(page, f"{name}-{width}-{theme}")
            findings[f"{name} {width}"] = serious_findings(page)
            assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        page.emulate_media(media="print")
        picture(page, f"{name}-print")
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": 1440, "height": 900})
    assert {name: found for name, found in findings.items() if found} == {}
