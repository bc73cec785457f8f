"""Conversations as their pages serve them: started, followed up, numbered, kept apart, and given back."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice, make_throwaway
from research import services, services_chat, tasks
from research.models import Conversation, Question

HTMX = {"HX-Request": "true"}
PILOT = "Can a harbour pilot deduct travel between ports"
REFUSED = "How much stamp duty is there on a house in Victoria?"


@pytest.fixture(scope="module")
def ours(services: Any, law: str, django_db_blocker: Any) -> Iterator[KnownPractice]:
    """A practice of this module's own: its audit rows can never be removed."""
    with django_db_blocker.unblock():
        yield make_throwaway("Talkers")


@pytest.fixture(autouse=True)
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """No worker takes what is asked here: the tests answer it themselves. What was enqueued."""
    taken: list[Question] = []
    monkeypatch.setattr(tasks, "enqueue", taken.append)
    return taken


@pytest.fixture
def browser(ours: KnownPractice) -> Client:
    return ours.client("agent")


def page_of(browser: Client, address: str, status: int = 200, **extra: Any) -> str:
    response = browser.get(address, **extra)
    assert response.status_code == status, address
    return html.unescape(response.content.decode())


def started(browser: Client, text: str = f"{PILOT} in FY2020?", year: str = "") -> str:
    """The address of a new conversation."""
    response = browser.post("/chat/ask/", {"question": text, "year": year})
    assert response.status_code == 302
    address, _, anchor = response["Location"].partition("#")
    assert anchor.startswith("question-")
    return address


def say(browser: Client, address: str, text: str, year: str = "", whole: bool = False) -> Any:
    return browser.post(f"{address}{'whole/' if whole else ''}ask/", {"question": text, "year": year})


def messages(ours: KnownPractice, address: str) -> list[Question]:
    with in_practice(ours.practice):
        found = Question.objects.filter(conversation_id=conversation_id(address))
        return list(found.order_by("asked_at").select_related("answer"))


def conversation_id(address: str) -> UUID:
    return UUID(address.strip("/").split("/")[-1])


def answer_all(ours: KnownPractice, address: str) -> None:
    """Run what waits, as a worker would, in the order in which it was asked."""
    for question in messages(ours, address):
        if question.status != Question.Status.DONE:
            with in_practice(ours.practice):
                claimed = services.claim(question.pk, timezone.now())
                assert claimed is not None
                services.run(claimed)


def test_the_first_message_starts_a_conversation_that_is_named_after_it(
    ours: KnownPractice, browser: Client, enqueued: list[Question]
) -> None:
    text = f"{PILOT} {uuid4()}, and what must the pilot keep as a record of each of these journeys?"
    address = started(browser, text)
    (question,) = messages(ours, address)
    assert (question.text, question.typed) == (text, "")
    assert [each.pk for each in enqueued] == [question.pk]
    with in_practice(ours.practice):
        title = Conversation.objects.get(pk=conversation_id(address)).title
    assert len(title) <= 91 and title.endswith("…") and text.startswith(title[:-1])
    assert title in page_of(browser, "/chat/")


def test_a_follow_up_is_asked_as_written_out_and_shown_with_what_was_typed(
    ours: KnownPractice, browser: Client
) -> None:
    address = started(browser)
    assert say(browser, address, "What about FY2022?").status_code == 302
    question = messages(ours, address)[1]
    assert (question.typed, question.text) == ("What about FY2022?", f"{PILOT} in FY2022?")
    page = page_of(browser, address)
    assert f'<h2 class="q" id="q-{question.pk}">What about FY2022?</h2>' in page
    assert f"Asked as: <q>{PILOT} in FY2022?</q>" in page
    answer_all(ours, address)
    assert messages(ours, address)[1].answer.income_year == 2022


def test_a_follow_up_can_be_asked_as_typed_instead(ours: KnownPractice, browser: Client) -> None:
    address = started(browser)
    say(browser, address, "and for a company?")
    say(browser, address, "and for a company?", whole=True)
    _, written_out, typed = messages(ours, address)
    assert written_out.text == f"{PILOT} in FY2020? and for a company?"
    assert (typed.text, typed.typed) == ("and for a company?", "")
    assert f'action="{address}whole/ask/"' in page_of(browser, address)


def test_a_year_that_was_picked_is_not_carried_over_and_one_in_words_is(ours: KnownPractice, browser: Client) -> None:
    address = started(browser, f"{PILOT}?", year="FY2019")
    say(browser, address, "and for a company?")
    say(browser, address, f"{PILOT} in FY2021?")
    say(browser, address, "and for a trust?", year="FY2019")
    picked = [question.year_field for question in messages(ours, address)]
    assert picked == [2019, None, None, 2019]
    answer_all(ours, address)
    first, second, third, fourth = (question.answer.outcome["time"] for question in messages(ours, address))
    assert (first["year"], first["source"]) == (2019, "field")
    assert second["source"] == "today"
    assert (third["year"], fourth["year"], fourth["source"], fourth["read_from"]) == (
        2021,
        2021,
        "question",
        "FY2021",
    )


def test_sources_are_numbered_once_in_the_order_of_their_appearance(ours: KnownPractice, browser: Client) -> None:
    address = started(browser)
    say(browser, address, REFUSED)
    say(browser, address, "What does s 3-5 of the Harbour Dues (Fictional) Act 1999 say in FY2020?")
    say(browser, address, f"{PILOT} in FY2020?")
    answer_all(ours, address)
    said = messages(ours, address)
    assert [question.answer.decision for question in said] == ["answer", "abstain_out_of_scope", "answer", "answer"]
    page = page_of(browser, f"{address}?whole=on")
    shown = [int(number) for number in re.findall(r'id="source-(\d+)"', page)]
    assert shown == list(range(1, len(shown) + 1)) and len(shown) >= 2
    at_claims = {
        question.pk: [int(n) for n in re.findall(r'aria-label="Source (\d+):', part)]
        for question in said
        for part in [page.split(f'id="question-{question.pk}"')[1].split("</article>")[0]]
    }
    first, refused, second, again = (at_claims[question.pk] for question in said)
    assert first and first[0] == 1
    assert refused == []
    assert min(second) == max(first) + 1
    assert again == first
    assert f'id="sources-count">{len(shown)}<' in page


def test_a_source_opens_its_provision_with_the_quoted_words_marked(ours: KnownPractice, browser: Client) -> None:
    address = started(browser)
    answer_all(ours, address)
    rail = page_of(browser, address).split('id="sources-list"')[1]
    link = re.search(r'href="(/law/HDFA99/[^"#]+)#quoted"', rail)
    assert link is not None
    quote = messages(ours, address)[0].answer.outcome["claims"][0]["citations"][0]["quote"]
    operative = "A harbour pilot can deduct expenditure on travel between ports if:"
    assert operative in quote
    assert f"<mark>{operative}</mark>" in page_of(browser, link[1])


def test_a_message_comes_as_a_part_with_the_sources_beside_it(ours: KnownPractice, browser: Client) -> None:
    address = started(browser)
    (question,) = messages(ours, address)
    part = f"{address}messages/{question.pk}/"
    running = page_of(browser, part, headers=HTMX)
    assert f'data-part="{part}"' in running and "hx-swap-oob" not in running
    answer_all(ours, address)
    done = page_of(browser, part, headers=HTMX)
    assert "data-question=" not in done
    assert 'id="sources-list" hx-swap-oob="true"' in done and 'aria-label="Source 1:' in done
    assert browser.get(part)["Location"] == f"{address}?whole=on#question-{question.pk}"


def test_an_htmx_message_is_put_under_the_last(browser: Client) -> None:
    address = started(browser)
    response = browser.post(f"{address}ask/", {"question": "and for a company?"}, headers=HTMX)
    part = response.content.decode()
    assert response.status_code == 200 and part.startswith('<article class="result running"')
    assert 'hx-swap="beforeend"' in part and "afterbegin" not in part


def test_a_message_that_is_stopped_or_looked_up_by_its_question_leads_to_its_conversation(
    ours: KnownPractice, browser: Client
) -> None:
    address = started(browser)
    (question,) = messages(ours, address)
    response = browser.get(f"/questions/{question.pk}/", headers=HTMX)
    assert response["Location"] == f"{address}messages/{question.pk}/"


def test_messages_are_not_on_the_research_page_and_its_questions_not_here(ours: KnownPractice, browser: Client) -> None:
    said, asked = f"{PILOT} {uuid4()}?", f"{PILOT} {uuid4()}?"
    address = started(browser, said)
    browser.post("/ask/", {"question": asked})
    research = page_of(browser, "/")
    assert asked in research and said not in research
    assert asked not in page_of(browser, "/chat/") and asked not in page_of(browser, address)


def test_another_users_conversation_is_not_there(ours: KnownPractice, browser: Client) -> None:
    address = started(browser)
    (question,) = messages(ours, address)
    other = ours.client("owner")
    for path in ("", "export", f"messages/{question.pk}/"):
        assert other.get(f"{address}{path}").status_code == 404
    assert say(other, address, "and for a company?").status_code == 404
    assert say(other, address, "and for a company?", whole=True).status_code == 404
    assert len(messages(ours, address)) == 1
    assert address not in page_of(other, "/chat/")


@pytest.mark.security
def test_another_practices_conversation_is_not_there(ours: KnownPractice, browser: Client) -> None:
    address = started(browser)
    (question,) = messages(ours, address)
    stranger = make_throwaway("Strangers")
    other = stranger.client("agent")
    for path in ("", "export", f"messages/{question.pk}/"):
        assert other.get(f"{address}{path}").status_code == 404
    assert say(other, address, "and for a company?").status_code == 404
    assert address not in page_of(other, "/chat/")
    theirs = started(other)
    assert browser.get(theirs).status_code == 404
    with in_practice(stranger.practice):
        assert list(Conversation.objects.values_list("pk", flat=True)) == [conversation_id(theirs)]


def test_a_message_of_one_conversation_is_not_one_of_another(ours: KnownPractice, browser: Client) -> None:
    first, second = started(browser), started(browser)
    (question,) = messages(ours, first)
    assert browser.get(f"{second}messages/{question.pk}/", headers=HTMX).status_code == 404


def test_who_may_only_read_reads_and_does_not_ask(ours: KnownPractice) -> None:
    with in_practice(ours.practice):
        said = services_chat.Said(f"{PILOT} in FY2020?", None)
        question = services_chat.say(ours.users["read_only"], said)
    address = f"/chat/{question.conversation_id}/"
    reader = ours.client("read_only")
    page = page_of(reader, address)
    assert "reads but does not ask" in page and "<textarea" not in page and "Ask as typed" not in page
    assert "reads but does not ask" in page_of(reader, "/chat/")
    assert say(reader, address, "and for a company?").status_code == 403
    assert reader.post("/chat/ask/", {"question": PILOT}).status_code == 403
    assert len(messages(ours, address)) == 1


@pytest.mark.parametrize("htmx", [False, True], ids=["form", "htmx"])
def test_what_is_no_question_comes_back_with_the_reason(ours: KnownPractice, browser: Client, htmx: bool) -> None:
    address = started(browser)
    response = browser.post(f"{address}ask/", {"question": " ?! "}, headers=HTMX if htmx else {})
    assert response.status_code == 422 and "There is no question yet" in response.content.decode()
    assert len(messages(ours, address)) == 1


def test_a_first_message_that_is_no_question_starts_nothing(ours: KnownPractice, browser: Client) -> None:
    with in_practice(ours.practice):
        before = Conversation.objects.count()
    for posted in (
        {"question": "?"},
        {"question": f"{PILOT}?", "year": "soon"},
        {"question": f"{PILOT}?", "year": "1"},
    ):
        assert browser.post("/chat/ask/", posted).status_code == 422
    with in_practice(ours.practice):
        assert Conversation.objects.count() == before


def test_a_conversation_is_full_at_its_most_messages(
    ours: KnownPractice, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services_chat, "MOST_MESSAGES", 2)
    address = started(browser)
    assert say(browser, address, "and for a company?").status_code == 302
    response = say(browser, address, "and for a trust?")
    assert response.status_code == 422
    assert "This conversation is full." in response.content.decode()
    assert len(messages(ours, address)) == 2


def test_messages_before_the_last_few_are_lines_that_open(ours: KnownPractice, browser: Client) -> None:
    address = started(browser)
    for year in range(2018, 2024):
        say(browser, address, f"What about FY{year}?")
    answer_all(ours, address)
    page = page_of(browser, address)
    assert (page.count('class="result '), page.count('class="earlier ')) == (3, 4)
    whole = page_of(browser, f"{address}?whole=on")
    assert (whole.count('class="result '), whole.count('class="earlier ')) == (7, 0)


def test_conversations_are_listed_newest_first_and_paged(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("research.views_chat.PAGE", 2)
    made = [started(browser, f"{PILOT} {uuid4()}?") for _ in range(3)]
    newest = page_of(browser, "/chat/")
    listed = re.findall(r'<a href="(/chat/[0-9a-f-]{36}/)">', newest)
    assert listed == [made[2], made[1]]
    older = re.search(r'href="\?before=([^"]+)">Older', newest)
    assert older is not None
    assert re.findall(r'<a href="(/chat/[0-9a-f-]{36}/)">', page_of(browser, f"/chat/?before={older[1]}"))[0] == made[0]


def test_a_conversation_is_exported_as_it_was_asked_and_answered(ours: KnownPractice, browser: Client) -> None:
    address = started(browser)
    say(browser, address, "What about FY2022?", year="FY2019")
    answer_all(ours, address)
    response = browser.get(f"{address}export")
    assert response["Content-Disposition"].endswith(f'asat-conversation-{conversation_id(address)}.json"')
    found = json.loads(response.content)
    assert [(m["typed"], m["asked_as"], m["year_picked"]) for m in found["messages"]] == [
        (f"{PILOT} in FY2020?", f"{PILOT} in FY2020?", None),
        ("What about FY2022?", f"{PILOT} in FY2022?", 2019),
    ]
    assert [m["outcome"] for m in found["messages"]] == [q.answer.outcome for q in messages(ours, address)]


def test_what_is_typed_is_shown_as_text(ours: KnownPractice, browser: Client) -> None:
    address = started(browser, f"{PILOT} <script>alert(1)</script>?")
    say(browser, address, "and for <b>me</b>?")
    page = browser.get(address).content.decode()
    assert "<script>alert" not in page and "<b>me" not in page and "&lt;b&gt;me" in page
