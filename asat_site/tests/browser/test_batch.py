"""A spreadsheet from the box it is dropped on to the workpaper: followed, filtered, stopped, at three widths."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from playwright.sync_api import Page, expect

from asat_site.tests.browser.conftest import ANSWERED, IN_A_GAP, OUT_OF_SCOPE, Site, no_worker_free, picture
from asat_site.tests.browser.test_looks import WIDTHS, serious_findings

TWO_YEARS = "Was travel deductible in FY2019 or in FY2022?"
SHEET = (
    "Question\tIncome year\tClient ref\r\n"
    f"{ANSWERED}\tFY2020\tA-104\r\n"
    f"{IN_A_GAP}\t2020-21\tA-105\r\n"
    f"{OUT_OF_SCOPE}\t\tB “½” – 7\r\n"
    f"{TWO_YEARS}\t2021\tB-8\r\n"
    "Are gifts deductible?\tsoon\tC-9\r\n"
)


def put(page: Page, content: bytes, name: str = "questions of Smith & Co.csv") -> None:
    page.get_by_label("Spreadsheet", exact=True).set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )
    page.get_by_role("button", name="Upload and ask").click()


def test_a_spreadsheet_becomes_a_workpaper(page: Page, site: Site, tmp_path: Path) -> None:
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Batch").click()
    put(page, b"%PDF-1.7", "letter.pdf")
    expect(page.get_by_role("alert")).to_contain_text("The file is a PDF.")
    with no_worker_free():
        put(page, SHEET.encode("utf-16"))
        expect(page.get_by_text("0 of 4 done")).to_be_visible()
        expect(page.get_by_role("row", name="Waiting")).to_have_count(4)
        link = page.get_by_role("link", name=ANSWERED)
        link.focus()
    expect(page.get_by_text("4 of 4 done")).to_be_visible()
    expect(link).to_be_focused()  # nothing moves under the reader
    expect(page.locator("#batch-now[hx-get]")).to_have_count(0)
    expect(page.get_by_role("region", name="Lines that were not asked")).to_contain_text("The income year is “soon”.")

    page.get_by_role("link", name="Asked back 1").click()
    expect(page.locator("tr[data-row]")).to_have_count(1)
    expect(page.locator("tr[data-row]")).to_contain_text(TWO_YEARS)
    page.get_by_role("link", name="All 4").click()
    page.get_by_role("link", name=ANSWERED).click()
    expect(page.locator("article.result.answered")).to_be_visible()
    page.go_back()

    with page.expect_download() as told:
        page.get_by_role("link", name="Workpaper as CSV").click()
    assert told.value.suggested_filename.startswith("asat-workpaper-")
    assert told.value.path().read_bytes().decode("utf-8-sig").count("\r\n") == 6
    with page.expect_download() as told:
        page.get_by_role("link", name="Workpaper as PDF").click()
    with pymupdf.open(told.value.path(), filetype="pdf") as document:
        text = " ".join(" ".join(each.get_text().split()) for each in document)
    for words in ("Harbour Accountants", ANSWERED, "Reference B “½” – 7", "Not tax advice"):
        assert words in text
    page.goto(f"{site.address}/batch/")
    expect(page.get_by_role("link", name="questions of Smith & Co.csv")).to_contain_text("4 questions · 1 not asked")


def test_the_rest_of_a_spreadsheet_is_stopped(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/batch/")
    with no_worker_free():
        put(page, SHEET.encode())
        page.get_by_role("button", name="Stop the rest").click()
        expect(page.get_by_text("The rest is being stopped.")).to_be_visible()
        expect(page.get_by_role("button", name="Stop the rest")).to_have_count(0)
    expect(page.get_by_text("4 of 4 done")).to_be_visible()
    expect(page.get_by_role("link", name="Stopped 4")).to_be_visible()


def test_a_long_workpaper_is_prepared_by_a_worker_and_then_offered(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/batch/")
    put(page, f"question\n{f'{OUT_OF_SCOPE}{chr(10)}' * 51}".encode())
    expect(page.get_by_text("51 of 51 done")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Workpaper as PDF").click()
    link = page.get_by_role("link", name="Download the PDF")
    expect(link).to_be_visible()
    picture(page, "batch-prepared")
    assert serious_findings(page) == []
    with page.expect_download() as told:
        link.click()
    with pymupdf.open(told.value.path(), filetype="pdf") as document:
        assert len([entry for entry in document.get_toc() if entry[1].startswith("Line ")]) == 51


def test_a_spreadsheet_is_sent_and_read_without_script(new_page: Callable[..., Page], site: Site) -> None:
    page = site.sign_in(new_page(java_script_enabled=False))
    page.goto(f"{site.address}/batch/")
    put(page, SHEET.encode("cp1252"))
    expect(page.get_by_text("4 of 4 done")).to_be_visible()
    expect(page.locator("tr[data-row]")).to_have_count(4)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_a_batch(new_page: Callable[..., Page], site: Site, theme: Any) -> None:
    page = new_page(color_scheme=theme, reduced_motion="reduce")
    site.sign_in(page)
    findings: dict[str, list[str]] = {}

    def look(name: str) -> None:
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            picture(page, f"{name}-{width}-{theme}")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} {width}"
            if width != 1024:
                findings[f"{name} {width}"] = serious_findings(page)
        page.set_viewport_size({"width": 1440, "height": 900})

    page.goto(f"{site.address}/batch/")
    look("batch-empty")
    put(page, b"question\n" + b"Q?\n" * 501)
    expect(page.get_by_role("alert")).to_contain_text("takes up to 500")
    look("batch-refused")
    with no_worker_free():
        put(page, SHEET.encode())
        expect(page.get_by_text("0 of 4 done")).to_be_visible()
        look("batch-running")
    expect(page.get_by_text("4 of 4 done")).to_be_visible()
    look("batch-done")
    page.get_by_role("link", name="Not answered 2").click()
    look("batch-filtered")
    page.goto(f"{site.address}/batch/")
    look("batch-list")
    assert {name: found for name, found in findings.items() if found} == {}
