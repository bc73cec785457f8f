"""The research pages as a browser without script and as htmx meet them, and what bad input gets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice, make_throwaway
from research import services as research_services
from research import tasks
from research.models import AuditRow, Question

HTMX = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def ours(services: Any, django_db_blocker: Any) -> Iterator[KnownPractice]:
    """A practice of this module's own: its audit rows can never be removed."""
    with django_db_blocker.unblock():
        yield make_throwaway("Pages")


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """No worker takes what is asked here: the tests answer it themselves, when they say so. What was enqueued."""
    enqueued: list[Question] = []
    monkeypatch.setattr(tasks, "enqueue", enqueued.append)
    return enqueued


@pytest.fixture
def browser(ours: KnownPractice) -> Client:
    return ours.client("agent")


def questions(ours: KnownPractice) -> list[Question]:
    with in_practice(ours.practice):
        return list(Question.objects.order_by("-asked_at"))


def answer(ours: KnownPractice, question_id: UUID) -> None:
    """Run the question as a worker would."""
    from django.utils import timezone

    with in_practice(ours.practice):
        claimed = research_services.claim(question_id, timezone.now())
        assert claimed is not None
        research_services.run(claimed, lambda event: None)


def ask(browser: Client, question: str, **extra: Any) -> Any:
    return browser.post("/ask/", {"question": question, "year": "FY2015"}, **extra)


# What cannot be asked: a reason, nothing saved, what was typed is kept.


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "There is no question yet"),
        ("   \n\t ", "There is no question yet"),
        ("\x00\x01\x02\x1b", "There is no question yet"),
        ("?!", "There is no question yet"),
        ("levy " * 20_000, "The question has"),
    ],
    ids=["empty", "blank", "control characters", "no words", "100 kB"],
)
@pytest.mark.parametrize("htmx", [False, True], ids=["form", "htmx"])
def test_what_is_no_question_is_refused_in_words_and_nothing_is_saved(
    ours: KnownPractice, browser: Client, typed: str, says: str, htmx: bool
) -> None:
    before = len(questions(ours))
    response = ask(browser, typed, headers=HTMX if htmx else {})
    assert response.status_code == 422
    assert says in response.content.decode()
    assert len(questions(ours)) == before
    assert ("HX-Retarget" in response.headers) is htmx


@pytest.mark.parametrize(
    ("year", "says"),
    [
        ("99999", "Give the year it ends in"),
        ("1200", "give a year from 1916 to 2100"),
        ("2014-17", "Give the year it ends in"),
        ("<b>soon</b>", "Give the year it ends in"),
    ],
)
def test_a_year_that_cannot_be_is_refused_in_words(ours: KnownPractice, browser: Client, year: str, says: str) -> None:
    before = len(questions(ours))
    response = browser.post("/ask/", {"question": "Are berth rebates assessable?", "year": year})
    assert response.status_code == 422
    page = response.content.decode()
    assert says in page
    assert "<b>soon" not in page
    assert "Are berth rebates assessable?</textarea>" in page
    assert len(questions(ours)) == before


@pytest.mark.parametrize("year", ["FY2015", "2015", "2014-15", "2014–15", "2014/15", "fy 2015"])
def test_a_year_may_be_written_as_practitioners_write_it(ours: KnownPractice, browser: Client, year: str) -> None:
    assert browser.post("/ask/", {"question": f"Are berths taxed, {uuid4()}?", "year": year}).status_code == 302
    assert questions(ours)[0].year_field == 2015


# What is asked is kept as data, and never run.


def test_what_is_asked_is_saved_and_then_enqueued(
    ours: KnownPractice, browser: Client, no_worker: list[Question]
) -> None:
    assert ask(browser, "Are levies deductible once saved?").status_code == 302
    assert [question.pk for question in no_worker] == [questions(ours)[0].pk]


def test_html_and_script_in_a_question_are_shown_as_text(ours: KnownPractice, browser: Client) -> None:
    typed = "<script>alert(1)</script><img src=x onerror=alert(1)> Are levies {{ deductible }}?"
    response = ask(browser, typed, headers=HTMX)
    page = response.content.decode()
    assert response.status_code == 200
    assert "<script>alert" not in page and "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "{{ deductible }}" in page
    assert questions(ours)[0].text == typed


def test_sql_in_a_question_is_only_words(ours: KnownPractice, browser: Client) -> None:
    typed = "Are levies deductible'; DROP TABLE research_question; --"
    assert ask(browser, typed).status_code == 302
    assert questions(ours)[0].text == typed
    answer(ours, questions(ours)[0].pk)
    assert questions(ours)[0].status == Question.Status.DONE


def test_control_characters_inside_a_question_are_dropped(ours: KnownPractice, browser: Client) -> None:
    assert ask(browser, "Are\x00 levies\x1b[31m deductible\u202e?").status_code == 302
    assert "\x00" not in questions(ours)[0].text and "\x1b" not in questions(ours)[0].text


# The road without script: ask, wait, read.


def test_without_script_the_page_asks_again_by_itself_until_the_answer_is_there(services: Any) -> None:
    ours = make_throwaway("Scriptless")
    browser = ours.client("staff")
    asked = ask(browser, "Are harbour levies deductible at all?")
    question = questions(ours)[0]
    assert asked.url == "/"
    waiting = browser.get("/").content.decode()
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in waiting
    assert f'data-question="{question.pk}"' in waiting
    answer(ours, question.pk)
    done = browser.get("/").content.decode()
    assert "http-equiv" not in done
    assert f'id="question-{question.pk}"' in done and "data-question" not in done
    assert "Not tax advice" in done


def test_one_address_answers_htmx_with_a_part_and_a_reader_with_a_page(ours: KnownPractice, browser: Client) -> None:
    ask(browser, "Are harbour levies deductible in two shapes?")
    address = f"/questions/{questions(ours)[0].pk}/"
    part, page = browser.get(address, headers=HTMX), browser.get(address)
    assert part.content.decode().startswith("<article") and "<html" not in part.content.decode()
    assert "<html" in page.content.decode()
    assert "HX-Request" in part.headers["Vary"] and "HX-Request" in page.headers["Vary"]


def test_the_recorded_outcome_can_be_kept_as_json(ours: KnownPractice, browser: Client) -> None:
    ask(browser, "Are harbour levies deductible for export?")
    question = questions(ours)[0]
    address = f"/questions/{question.pk}/export"
    assert browser.get(address).status_code == 404  # nothing is recorded yet
    answer(ours, question.pk)
    response = browser.get(address)
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert response.json()["question"] == "Are harbour levies deductible for export?"


def test_fifteen_questions_are_listed_and_the_rest_are_one_step_away(services: Any) -> None:
    busy = make_throwaway("Busy")
    browser = busy.client("staff")
    for number in range(18):
        assert ask(browser, f"Is levy number {number} deductible?").status_code == 302
        answer(busy, questions(busy)[0].pk)
    first = browser.get("/").content.decode()
    assert "Is levy number 17 deductible?" in first and "Is levy number 3 deductible?" in first
    assert "Is levy number 2 deductible?" not in first
    more = first.split('href="/?before=')[1].split('"')[0]
    rest = browser.get(f"/?before={more}", headers=HTMX).content.decode()
    assert all(f"Is levy number {number} deductible?" in rest for number in range(3))
    assert "Is levy number 3 deductible?" not in rest
    assert len(first.encode()) < 150_000


# Who may see and do what.


def test_a_read_only_user_sees_no_question_box_and_cannot_ask(ours: KnownPractice) -> None:
    reader = ours.client("read_only")
    before = len(questions(ours))
    assert "<textarea" not in reader.get("/").content.decode()
    assert ask(reader, "May I ask?").status_code == 403
    assert len(questions(ours)) == before


def test_another_user_of_the_practice_does_not_see_the_question_but_sees_the_audit_row(
    ours: KnownPractice, browser: Client
) -> None:
    words = f"Are levies deductible for {uuid4()}?"
    ask(browser, words)
    question = questions(ours)[0]
    answer(ours, question.pk)
    colleague = ours.client("owner")
    assert colleague.get(f"/questions/{question.pk}/").status_code == 404
    assert words not in colleague.get("/").content.decode()
    assert words in colleague.get("/audit/").content.decode()


@pytest.mark.security
def test_another_practice_sees_neither_the_question_nor_its_audit_row(
    ours: KnownPractice, other_practice: KnownPractice, browser: Client
) -> None:
    words = f"Are levies deductible for {uuid4()}?"
    ask(browser, words)
    question = questions(ours)[0]
    answer(ours, question.pk)
    stranger = other_practice.client("owner")
    for address in ("", "stream", "export"):
        assert stranger.get(f"/questions/{question.pk}/{address}").status_code == 404
    assert words not in stranger.get("/audit/").content.decode()
    with in_practice(ours.practice):
        number = AuditRow.objects.get(question_id=question.pk).number
    page = stranger.get(f"/audit/{number}/")
    assert page.status_code == 404 or words not in page.content.decode()


def test_a_lapsed_session_leads_htmx_to_the_sign_in_page(ours: KnownPractice) -> None:
    nobody = ours.client(None)
    for response in (
        nobody.get(f"/questions/{uuid4()}/", headers=HTMX),
        nobody.post("/ask/", {"question": "Am I still here?"}, headers=HTMX),
    ):
        assert response.status_code == 204
        assert response.headers["HX-Redirect"].startswith("/sign-in/")
    assert nobody.get("/").url.startswith("/sign-in/")


# Provision, audit and status.


@pytest.mark.parametrize("as_at", ["FY99999", "99999", "yesterday", "2015-02-30", "1 OR 1=1", "<script>"])
def test_an_as_at_that_is_no_time_is_refused_in_words(browser: Client, as_at: str) -> None:
    response = browser.get("/law/HLA01/1-1", {"as_at": as_at})
    page = response.content.decode()
    assert response.status_code == 400
    assert "That could not be read" in page
    assert "<script>" not in page.split("<main")[1]


@pytest.mark.parametrize("pin", ["no-such", "../../etc/passwd", "8-1'; --", "%00", "x" * 2000])
def test_a_provision_that_is_not_held_is_not_found(browser: Client, pin: str) -> None:
    assert browser.get(f"/law/NOSUCH/{pin}").status_code in (400, 404)


@pytest.mark.parametrize("number", ["0", "999999", "9" * 30])
def test_an_audit_row_that_is_not_there_is_not_found(browser: Client, number: str) -> None:
    assert browser.get(f"/audit/{number}/").status_code == 404
    assert browser.get(f"/audit/{number}/sealed").status_code == 404
    assert browser.post(f"/audit/{number}/replay/").status_code == 404


@pytest.mark.parametrize("before", ["x", "-1", "9" * 40, "1' OR '1'='1"])
def test_a_place_in_the_audit_list_that_makes_no_sense_shows_its_beginning(browser: Client, before: str) -> None:
    assert browser.get("/audit/", {"before": before}).status_code == 200
    assert browser.get("/", {"before": before}).status_code == 200


def test_an_audit_row_shows_the_answer_its_seal_and_a_replay(ours: KnownPractice, browser: Client) -> None:
    ask(browser, "Are harbour levies deductible for the record?")
    question = questions(ours)[0]
    answer(ours, question.pk)
    with in_practice(ours.practice):
        row = AuditRow.objects.get(question_id=question.pk)
    page = browser.get(f"/audit/{row.number}/").content.decode()
    assert row.digest in page and row.prev_digest in page
    assert "Are harbour levies deductible for the record?" in page
    assert f'href="/audit/{row.number}/sealed"' in page
    sealed = browser.get(f"/audit/{row.number}/sealed")
    assert (sealed.content.decode(), sealed["Content-Type"]) == (row.payload, "text/plain; charset=utf-8")
    replayed = browser.post(f"/audit/{row.number}/replay/", headers=HTMX).content.decode()
    assert replayed.strip().startswith(f'<div id="replay-{row.number}"')
    assert "Reproduced" in replayed
    without_script = browser.post(f"/audit/{row.number}/replay/").content.decode()
    assert "<html" in without_script and "Reproduced" in without_script


def test_each_year_that_a_question_could_mean_is_one_click_away(ours: KnownPractice, browser: Client) -> None:
    ask(browser, "Was a mooring deductible in FY2015 or FY2024?")
    question = questions(ours)[0]
    answer(ours, question.pk)
    page = browser.get(f"/questions/{question.pk}/").content.decode()
    for year in (2015, 2024):
        asked = f'value="Was a mooring deductible in FY{year}?"><input type="hidden" name="year" value="{year}">'
        assert asked in page
    with in_practice(ours.practice):
        row = AuditRow.objects.get(question_id=question.pk)
    record = ours.client("read_only").get(f"/audit/{row.number}/").content.decode()
    assert "<b>FY2015</b>" in record and '<button title="Asks' not in record


def test_the_audit_list_comes_in_pages(ours: KnownPractice, browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("research.views.AUDIT_PAGE", 2)
    for number in range(3):
        ask(browser, f"Is berth number {number} taxed?")
        answer(ours, questions(ours)[0].pk)
    with in_practice(ours.practice):
        newest = AuditRow.objects.order_by("-number").values_list("number", flat=True)[0]
    first = browser.get("/audit/").content.decode()
    assert first.count("data-row") == 2
    assert f"Rows {newest} to {newest - 1}" in first and f'href="?before={newest - 1}"' in first
    second = browser.get("/audit/", {"before": newest - 1}).content.decode()
    assert f'href="/audit/{newest - 2}/"' in second and f'href="/audit/{newest - 1}/"' not in second


def test_the_status_page_is_green_only_where_it_looked_and_found_it_well(browser: Client) -> None:
    page = browser.get("/status/").content.decode()
    assert "PostgreSQL 18" in page
    assert '<li class="ok">' in page


def test_nothing_inline_that_the_security_policy_would_block_is_in_any_page(
    ours: KnownPractice, browser: Client
) -> None:
    ask(browser, "Are harbour levies deductible inline?")
    answer(ours, questions(ours)[0].pk)
    for address in ("/", "/audit/", "/status/", f"/questions/{questions(ours)[0].pk}/"):
        page = browser.get(address).content.decode()
        assert " style=" not in page and "<style" not in page, address
        assert "<script>" not in page and " onclick=" not in page and "javascript:" not in page, address
        assert len(page.encode()) < 150_000, address
