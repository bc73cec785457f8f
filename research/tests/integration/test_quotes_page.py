"""The quote checker's page over the fictional Act: what it says, where its links lead, and that it keeps nothing."""

from __future__ import annotations

import logging
import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from research import composition
from research.models import Question

HTMX = {"HX-Request": "true"}
PILOT = "you can deduct from your pilotage income for a year expenditure that you incur in that year"
SIX_HOURS = "if the pilot is on board for more than 6 hours without a break ashore"


@pytest.fixture
def browser(practice: KnownPractice, law: str) -> Client:
    return practice.client("agent")


def sent(browser: Client, text: str, as_at: str = "FY2023", status: int = 200, **extra: Any) -> str:
    response = browser.post("/quotes/", {"text": text, "as_at": as_at}, **extra)
    assert response.status_code == status
    return str(response.content.decode())


def words(page: str) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def check(browser: Client, text: str, as_at: str = "FY2023", **extra: Any) -> str:
    return words(sent(browser, text, as_at, headers=HTMX, **extra))


def test_the_empty_page_says_what_a_check_says(browser: Client) -> None:
    page = words(browser.get("/quotes/").content.decode())
    assert "What a check says" in page
    assert "verified" not in page


def test_words_that_stand_there_are_matched_and_lead_to_the_page_with_the_words_marked(browser: Client) -> None:
    page = sent(browser, f"Under HDFA99 s 5-5, “{PILOT}”.", headers=HTMX)
    assert "These words stand there in FY2023." in words(page)
    assert "Words matched: 1" in words(page)
    link = next(unescape(href) for href in re.findall(r'href="([^"]+)"', page) if "quote_start" in href)
    provision = browser.get(link.partition("#")[0])
    marked = "".join(re.findall(r"<mark>(.*?)</mark>", provision.content.decode(), re.DOTALL))
    assert words(marked) == PILOT
    assert f'data-copy="{PILOT}"' in page


def test_the_page_without_script_has_the_form_with_what_was_typed_and_the_result(browser: Client) -> None:
    page = words(sent(browser, f"Under HDFA99 s 5-5, “{PILOT}”."))
    assert page.count(PILOT) == 2
    assert "These words stand there in FY2023." in page


def test_words_of_another_subsection_than_the_one_cited_are_not_matched(browser: Client) -> None:
    page = check(browser, f"HDFA99 s 5-20(2): “{SIX_HOURS.replace('6', '5')}”.")
    assert "(2) of it does not have these words in FY2023. They stand elsewhere in the provision:" in page
    assert "Words matched: 1" not in page


def test_another_wording_is_told_with_its_days_and_the_first_word_that_differs(browser: Client) -> None:
    page = check(browser, f"HDFA99 s 5-20: “{SIX_HOURS}”.")
    assert "It does not read so in FY2023. These words stand in its wording of other days:" in page
    assert "n force on 1 July 2018, the date of its compilation" in page
    assert "After “is on board for more than” the quotation has 6 ; the provision cited has 5 ." in page


def test_a_link_to_another_wording_leads_to_that_wording(browser: Client) -> None:
    page = sent(browser, f"HDFA99 s 5-20: “{SIX_HOURS}”.", headers=HTMX)
    link = next(unescape(href) for href in re.findall(r'href="([^"]+)"', page) if "quote_start" in href)
    marked = re.findall(r"<mark>(.*?)</mark>", browser.get(link.partition("#")[0]).content.decode(), re.DOTALL)
    assert words("".join(marked)) == SIX_HOURS


def test_a_wording_that_is_not_known_is_no_finding_against_the_text(browser: Client) -> None:
    page = check(browser, f"HDFA99 s 5-20: “{SIX_HOURS}”.", "FY2020")
    assert "It is held, but its wording in FY2020 is not known." in page
    assert "Its wording in FY2020 is not known. These words stand in its wording of other days:" in page


def test_words_of_another_provision_are_told_with_it(browser: Client) -> None:
    page = check(browser, f"HDFA99 s 12-10: “{PILOT}”.")
    assert "The provision cited does not have these words in FY2023. They stand in: HDFA99 s 5-5" in page


@pytest.mark.parametrize(
    ("text", "as_at", "says"),
    [
        ("See HDFA99 s 5-33.", "FY2023", "There was no such provision in FY2023: HDFA99 s 5-33."),
        ("See HDFA99 s 5-35.", "2018-07-01", "There was no such provision on 1 July 2018: HDFA99 s 5-35."),
        ("See HDFA99 s 5-20(9).", "FY2023", "Section 5-20 is there in FY2023, but has no (9)."),
        ("See s 180 of the Corporations Act 2001.", "FY2023", "It cannot be said: Corporations Act 2001"),
        ("See Division 5 of HDFA99.", "FY2023", "It is there in FY2023."),
    ],
)
def test_what_is_said_of_a_provision(browser: Client, text: str, as_at: str, says: str) -> None:
    assert says in check(browser, text, as_at)


def test_words_of_a_division_are_matched_where_they_stand_in_it(browser: Client) -> None:
    page = check(browser, f"Division 5 of HDFA99 says that “{PILOT}”.")
    assert "These words stand in it in FY2023, in: HDFA99 s 5-5" in page


def test_a_table_that_the_source_lacks_matches_nothing(browser: Client) -> None:
    page = check(
        browser, "HDFA99 s 6-15: “Content not carried by the source: table, formula or diagram”.", "2018-07-01"
    )
    assert "Words matched" not in page.replace("“Words matched” says", "")


def test_a_text_with_nothing_to_check_says_so(browser: Client) -> None:
    assert "No citation and no quotation was found in this text." in check(browser, "Dear client, nothing here.")


@pytest.mark.parametrize(
    ("text", "as_at", "says"),
    [
        ("", "FY2023", "There is no text yet."),
        (" \x00 \n", "FY2023", "There is no text yet."),
        ("x" * 20_001, "FY2023", "The text has 20,001 characters; up to 20,000 are checked at once."),
        ("HDFA99 s 5-5", "soon", "As at is “soon”; give an income year such as FY2015"),
        ("HDFA99 s 5-5", "FY1200", "give a year from 1916 to 2100"),
    ],
)
@pytest.mark.parametrize("htmx", [False, True])
def test_what_cannot_be_checked_is_told_in_a_sentence(
    browser: Client, text: str, as_at: str, says: str, htmx: bool
) -> None:
    assert says in words(sent(browser, text, as_at, 422, headers=HTMX if htmx else {}))


def test_markup_in_the_text_is_shown_as_text(browser: Client) -> None:
    page = sent(browser, "HDFA99 s 5-5: “<script>alert(1)</script> and more words of it”.")
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_nothing_of_the_text_is_kept_or_logged(
    browser: Client, practice: KnownPractice, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows() -> dict[str, int]:
        with in_practice(practice.practice), connection.cursor() as cursor:
            cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()")
            names = [name for (name,) in cursor.fetchall()]
            found = {}
            for name in names:
                cursor.execute(f'SELECT count(*) FROM "{name}"')
                found[name] = cursor.fetchone()[0]
            return found

    browser.get("/quotes/")  # a browser's first request notes its session
    before = rows()
    caplog.set_level(logging.DEBUG)
    secret = "Zanzibar Holdings owes the whole amount"
    check(browser, f"Client memo: “{secret}”, HDFA99 s 5-5. “{PILOT}”.")
    monkeypatch.setattr(composition, "store", lambda: None)
    browser.raise_request_exception = False
    assert browser.post("/quotes/", {"text": f"“{secret}”", "as_at": "FY2023"}).status_code == 500
    assert rows() == before
    assert "Zanzibar" not in caplog.text
    with in_practice(practice.practice):
        assert not Question.objects.filter(text__contains="Zanzibar").exists()


def test_a_read_only_user_may_check(practice: KnownPractice, law: str) -> None:
    assert "These words stand there" in check(practice.client("read_only"), f"HDFA99 s 5-5: “{PILOT}”.")


def test_a_practices_own_document_is_nothing_to_another(browser: Client, other_practice: KnownPractice) -> None:
    text = f"HDFA99 s 5-5: “{PILOT}”."
    assert check(browser, text) == check(other_practice.client("agent"), text)
