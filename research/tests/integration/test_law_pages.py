"""A provision's page and what it leads to: two dates compared, references, terms, and a practice's own documents."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice, make_throwaway
from research.presentation.answer import answer_view
from research.presentation.records import Entry
from research.tests.unit.test_answer_view import citation, outcome
from research.tests.unit.test_sides import CHANGED

OWN = """---
number: KB-77
title: Pilots
tenant: {tenant}
effective: 2018-07-01
---

# Travel

Staff read section 5-10 of the Harbour Dues (Fictional) Act 1999 before a pilot's travel is claimed.
"""


@pytest.fixture(scope="module")
def ours(services: Any, law: str, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A practice with a document of its own."""
    with django_db_blocker.unblock():
        practice = make_throwaway("Own pages")
        folder: Path = tmp_path_factory.mktemp("own")
        (folder / "pilots.md").write_text(OWN.format(tenant=practice.host))
        call_command("corpus", "import", str(folder / "pilots.md"), "--no-embed", practice=practice.host)
        yield practice


@pytest.fixture
def browser(ours: KnownPractice) -> Client:
    return ours.client("agent")


def page_of(browser: Client, address: str, status: int = 200) -> str:
    response = browser.get(address)
    assert response.status_code == status, address
    return html.unescape(response.content.decode())


# Two dates


def test_two_dates_are_compared_word_by_word_with_both_named(browser: Client) -> None:
    page = page_of(browser, "/law/HDFA99/3-10?from=FY2019&to=FY2023")
    law = page.split('<article class="law"')[1].split("</article>")[0]
    assert "<ins>" in law and "<del>" in law
    assert "FY2023 (Wording B) compared with FY2019 (Wording A)" in page
    assert 'name="from" value="FY2019"' in page and 'name="to" value="FY2023"' in page


def test_one_wording_at_both_dates_is_said_in_one_sentence(browser: Client) -> None:
    page = page_of(browser, "/law/HDFA99/5-10?from=2018-07-01&to=2018-07-01")
    assert "The words on 1 July 2018 and on 1 July 2018 are the same" in page
    assert "<ins>" not in page.split('<article class="law"')[1].split("</article>")[0]


def test_a_date_whose_wording_is_not_known_offers_the_nearest(browser: Client) -> None:
    page = page_of(browser, "/law/HDFA99/3-10?from=2020-03-01&to=FY2023")
    assert "The wording on 1 March 2020 is not known, so it cannot be compared." in page
    assert 'href="?from=2018-07-01&to=FY2023#compared"' in page
    assert 'href="?from=2022-07-01&to=FY2023#compared"' in page


@pytest.mark.parametrize(
    "query",
    ["from=soon&to=FY2023", "from=FY2019&to=2015-02-30", "from=FY99999", "to=1+OR+1=1", "from=%00&to=FY2019"],
)
def test_a_date_that_is_none_is_refused_in_words(browser: Client, query: str) -> None:
    page = page_of(browser, f"/law/HDFA99/3-10?{query}", 400)
    assert "give an income year such as FY2015, or a day such as 2015-06-22" in page or "give a year from" in page


@pytest.mark.parametrize(
    "query",
    [
        "from=0001-01-01&to=9999-12-31",
        "from=FY2019",
        "to=FY2019",
        "from=&to=",
        "from=FY2023&to=FY2019",
        "from=FY2019&to=FY2023&part=99999999999999999999",
        "from=FY2019&to=FY2023&version=1&compare=2",
        "from=FY2019&to=FY2023&quote_start=5&quote_end=1",
        "compare=-1",
        "version=9223372036854775807&compare=9223372036854775807",
    ],
)
def test_whatever_else_an_address_asks_is_shown_as_far_as_it_makes_sense(browser: Client, query: str) -> None:
    page_of(browser, f"/law/HDFA99/3-10?{query}")


# References and terms


def test_a_reference_leads_to_what_is_held_at_the_same_time(browser: Client) -> None:
    page = page_of(browser, "/law/HDFA99/4-15?as_at=FY2019")
    assert '<a class="ref" href="/law/HDFA99/3-5?as_at=FY2019">section 3-5</a>' in page
    assert browser.get("/law/HDFA99/3-5?as_at=FY2019").status_code == 200


def test_a_page_asks_no_more_often_for_many_references_than_for_one(ours: KnownPractice, browser: Client) -> None:
    asked, references = [], []
    page_of(browser, "/law/HDFA99/5-10?as_at=FY2019")  # a browser's first request notes its session
    for pin in ("4-15", "20-1"):
        with CaptureQueriesContext(connection) as queries:
            page = page_of(browser, f"/law/HDFA99/{pin}?as_at=2018-07-01")
        asked.append(len(queries))
        references.append(page.count('<a class="ref"'))
    assert asked[0] == asked[1] and references[0] == 1 < references[1]


def test_a_defined_term_shows_its_meaning_of_that_time_whole(browser: Client) -> None:
    page = page_of(browser, "/law/HDFA99/5-10?as_at=FY2019")
    keys = re.findall(r'<a class="term" href="#(term-\d+)">', page)
    assert keys and all(f'<dt id="{key}" data-term>' in page for key in keys)
    assert "harbour pilot means a person who:" in page


# A practice's own documents


def own_address(ours: KnownPractice) -> str:
    from research.corpus.models import Provision

    with in_practice(ours.practice):
        own = Provision.objects.get(instrument__code__startswith="KB-77@")
    return f"/law/{own.instrument_id}/{own.document_id.split('/', 1)[1]}?as_at=FY2019"


def test_an_own_document_is_shown_under_its_number_and_leads_to_the_law(ours: KnownPractice, browser: Client) -> None:
    page = page_of(browser, own_address(ours))
    assert "<title>KB-77, " in page and "KB-77@" not in page.split("<title>")[1].split("</title>")[0]
    assert '<a class="ref" href="/law/HDFA99/5-10?as_at=FY2019">section 5-10</a>' in page


@pytest.mark.security
def test_another_practice_sees_nothing_of_it_on_any_page(
    ours: KnownPractice, other_practice: KnownPractice, browser: Client
) -> None:
    mine = {"/status/": "KB-77", "/": "Own documents"}
    stranger = other_practice.client("owner")
    for address, words in mine.items():
        assert words in page_of(browser, address), address
        page = page_of(stranger, address)
        assert words not in page and "pilots.md" not in page, address
    assert stranger.get(own_address(ours)).status_code == 404
    refused = stranger.post("/ask/", {"question": "May a pilot claim travel?", "framework": "Own documents"})
    assert refused.status_code == 422


# Narrowing


def test_a_question_is_narrowed_says_so_and_is_asked_again_as_narrow(
    ours: KnownPractice, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.utils import timezone

    from research import services, tasks
    from research.models import Question

    monkeypatch.setattr(tasks, "enqueue", lambda question: None)
    asked = {"question": "May a pilot deduct travel between ports?", "year": "FY2019", "framework": "Own documents"}
    waiting = browser.post("/ask/", asked, headers={"HX-Request": "true"}).content.decode()
    assert "Searching in <b>Own documents</b> only" in waiting
    with in_practice(ours.practice):
        question = Question.objects.order_by("-asked_at").first()
        assert question is not None and question.frameworks == ["Own documents"]
        claimed = services.claim(question.pk, timezone.now())
        assert claimed is not None
        services.run(claimed)
    page = page_of(browser, f"/questions/{question.pk}/")
    assert "Searched in <b>Own documents</b> only" in page
    assert '<input type="hidden" name="framework" value="Own documents">' in page


def test_a_framework_that_is_not_held_is_refused_and_what_was_typed_is_kept(browser: Client) -> None:
    response = browser.post("/ask/", {"question": "May a pilot travel?", "framework": ["Own documents", "No\x00such"]})
    page = html.unescape(response.content.decode())
    assert response.status_code == 422
    assert "Nothing is loaded of No" in page
    assert 'value="Own documents" checked' in page and "May a pilot travel?</textarea>" in page


# Rulings


@pytest.fixture(scope="module")
def ruling(services: Any, law: str, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A fictional ruling that was withdrawn, and what its code is."""
    from research.corpus.tests.unit.ato.pages import page

    with django_db_blocker.unblock():
        saved = tmp_path_factory.mktemp("ruling") / "berths.html"
        history = (("12 March 2008", "Original ruling", ""), ("1 July 2019", "Withdrawn", ""))
        saved.write_text(page(alert="This document is withdrawn with effect from 1 July 2019.", history=history))
        call_command("corpus", "import", str(saved), "--no-embed")
    return "TR 2008/1"


def test_a_withdrawn_ruling_says_so_above_its_words_without_alarm(ruling: str, browser: Client) -> None:
    address = reverse("provision", args=[ruling, "3"])
    assert address == "/law/TR%202008~1/3"
    page = page_of(browser, f"{address}?as_at=FY2019")
    before, law = page.split('<article class="law"')
    assert "Withdrawn with effect from 1 July 2019." in before.split("notice unknown law-notice")[1]
    assert "The cost of a berth is deductible" in law
    assert 'class="notice fault' not in page


def shown(outcome: dict[str, Any]) -> str:
    """The page's part for a recorded outcome."""
    entry = Entry(
        id=uuid4(),
        text="When is a berth deductible?",
        asked_at=datetime(2026, 11, 30, tzinfo=UTC),
        asked_year=None,
        answer=answer_view(outcome),
        audit_number=7,
        stages=(),
        frameworks=(),
    )
    return html.unescape(render_to_string("research/_question.html", {"entry": entry, "can_ask": True}))


def test_a_quote_of_a_withdrawn_ruling_carries_its_notice_and_leads_to_it() -> None:
    notice = "Withdrawn with effect from 1 July 2019."
    quoted = citation(act="TR 2008/1", section="3", pin="3", notice=notice)
    claims = [{"prose": "TR 2008/1 [3] says:", "kind": "rule", "citations": [quoted]}]
    page = shown(outcome(claims=claims, cautions=[f"TR 2008/1: {notice}"]))
    assert f'<p class="law-note">{notice}</p>' in page
    assert 'href="/law/TR%202008~1/3?' in page
    assert page.index(f"TR 2008/1: {notice}") < page.index('class="claim rule"')


def test_both_answers_to_a_question_for_two_times_stand_on_the_page_with_both_years() -> None:
    page = shown(CHANGED)
    assert page.count('class="side-answer answered"') == 2
    assert "<b>FY2015</b>" in page and "<b>FY2024</b>" in page
    assert 'href="/law/HLA01/25-40?from=FY2015&to=FY2024#compared"' in page
