"""The API as a program meets it: the pages' answers, its tokens, its walls, and what it says when it fails."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
import redis
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from asat_site.accounts import attempts, tokens
from asat_site.accounts.models import ApiToken
from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice, make_throwaway
from research import services as research_services
from research import tasks
from research.api import throttles, views
from research.models import Question

pytestmark = pytest.mark.security

PILOT = "you can deduct from your pilotage income for a year expenditure that you incur in that year"
ASKED = {"question": "Can a harbour pilot deduct travel between two ports?", "income_year": 2023}


@pytest.fixture(scope="module")
def ours(services: Any, django_db_blocker: Any) -> Iterator[KnownPractice]:
    """A practice of this module's own: its audit rows can never be removed."""
    with django_db_blocker.unblock():
        yield make_throwaway("Programs")


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """What was enqueued; the tests answer it themselves, when they say so."""
    enqueued: list[Question] = []
    monkeypatch.setattr(tasks, "enqueue", enqueued.append)
    return enqueued


@pytest.fixture(autouse=True)
def forgetful(ours: KnownPractice, law: str) -> Iterator[None]:
    yield
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        for pattern in ("asat:*attempts*", "asat:*throttle*"):
            for key in client.scan_iter(pattern):
                client.delete(key)
    with in_practice(ours.practice):
        ApiToken.objects.all().delete()


def token(known: KnownPractice, role: str = "agent") -> str:
    with in_practice(known.practice):
        return tokens.make(known.users[role], uuid4().hex)[1]


def program(known: KnownPractice, secret: str) -> Client:
    return Client(headers={"host": known.host, "authorization": f"Bearer {secret}"})


def post(client: Client, address: str, sent: Any, **extra: Any) -> Any:
    return client.post(f"/api/v1/{address}", json.dumps(sent), content_type="application/json", **extra)


def answer(ours: KnownPractice, question_id: str) -> None:
    """Run the question as a worker would."""
    from uuid import UUID

    with in_practice(ours.practice):
        claimed = research_services.claim(UUID(question_id), timezone.now())
        assert claimed is not None
        research_services.run(claimed, lambda event: None)


# Asking.


def test_a_question_is_taken_and_answered(ours: KnownPractice, no_worker: list[Question]) -> None:
    client = program(ours, token(ours))
    taken = post(client, "questions/", ASKED)
    assert taken.status_code == 202
    assert taken["Location"] == taken.json()["url"] == f"http://{ours.host}/api/v1/questions/{taken.json()['id']}/"
    assert [str(question.pk) for question in no_worker] == [taken.json()["id"]]
    waiting = client.get(taken["Location"]).json()
    assert (waiting["status"], waiting["outcome"], waiting["result"]) == ("queued", None, None)
    answer(ours, taken.json()["id"])
    done = client.get(taken["Location"]).json()
    with in_practice(ours.practice):
        question = Question.objects.select_related("answer__audit").get(pk=taken.json()["id"])
        assert done["outcome"] == question.answer.outcome
        assert done["audit_row"] == question.answer.audit.number
        assert question.asked_by_id == ours.users["agent"].pk
    assert done["status"] == "done"
    assert done["result"]["decision"] == "answer"
    assert {citation["section"] for citation in done["result"]["citations"]} >= {"5-10"}
    assert done["result"]["income_year"] == 2023


@pytest.mark.parametrize("year", [2023, "FY2023", "2022-23", None])
def test_the_year_may_be_written_as_on_the_page(ours: KnownPractice, year: Any) -> None:
    taken = post(program(ours, token(ours)), "questions/", {**ASKED, "income_year": year})
    with in_practice(ours.practice):
        assert Question.objects.get(pk=taken.json()["id"]).year_field == (2023 if year else None)


@pytest.mark.parametrize(
    ("sent", "status", "says"),
    [
        ({"question": "  "}, 422, "There is no question yet"),
        ({"question": "levy " * 20_000}, 422, "The question has"),
        ({"question": "Is it taxed?", "income_year": 1200}, 422, "give a year from 1916 to 2100"),
        ({"question": "Is it taxed?", "income_year": "soon"}, 422, "Give the year it ends in"),
        ({"question": "Is it taxed?", "frameworks": ["No such Act"]}, 422, "Nothing is loaded of No such Act"),
        ({"question": 7}, 400, "The request could not be read"),
        ({}, 400, "The request could not be read"),
        ([], 400, "The request could not be read"),
        ("x", 400, "The request could not be read"),
        ({"question": "Is it taxed?", "frameworks": "all"}, 400, "The request could not be read"),
    ],
)
def test_what_cannot_be_asked_is_told_and_nothing_is_saved(
    ours: KnownPractice, no_worker: list[Question], sent: Any, status: int, says: str
) -> None:
    client = program(ours, token(ours))
    with in_practice(ours.practice):
        before = Question.objects.count()
    response = post(client, "questions/", sent)
    assert response.status_code == status
    assert set(response.json()) == {"error", "what_to_try"}
    assert says in response.json()["error"]
    with in_practice(ours.practice):
        assert Question.objects.count() == before
    assert no_worker == []


def test_a_question_is_seen_by_who_asked_it_alone(ours: KnownPractice, other_practice: KnownPractice) -> None:
    address = post(program(ours, token(ours)), "questions/", ASKED).json()["url"]
    assert program(ours, token(ours)).get(address).status_code == 200
    assert program(ours, token(ours, "owner")).get(address).status_code == 404
    path = address.partition(ours.host)[2]
    assert other_practice.client("agent").get(path).status_code == 404


# Checking quotes.


@pytest.mark.parametrize("address", ["quote-check/", "questions/"])
def test_half_a_character_is_no_fault(ours: KnownPractice, address: str) -> None:
    sent = {"text": "HDFA99 s 5-5 \ud800 \x00", "question": "Is a berth taxed \ud800 \x00?"}
    assert post(program(ours, token(ours)), address, sent).status_code in (200, 202, 422)


def test_a_text_is_checked_as_on_the_page(ours: KnownPractice) -> None:
    client = program(ours, token(ours, "read_only"))
    response = post(client, "quote-check/", {"text": f"HDFA99 s 5-5: “{PILOT}”.", "as_at": "2022-07-01"})
    assert response.status_code == 200
    found = response.json()
    assert found["as_at"] == "2022-07-01"
    (citation,) = found["citations"]
    assert (citation["cited"], citation["state"]) == ("s 5-5", "there")
    (quotation,) = citation["quotations"]
    assert (quotation["words"], quotation["state"]) == (PILOT, "words_matched")
    assert quotation["places"][0]["authority"] == "HDFA99 s 5-5"
    assert client.get(quotation["places"][0]["href"]).status_code == 302  # a page: for a browser's session


@pytest.mark.parametrize(
    ("sent", "status", "says"),
    [
        ({"text": ""}, 422, "There is no text yet."),
        ({"text": "x" * 20_001}, 422, "up to 20,000 are checked at once"),
        ({"text": "HDFA99 s 5-5", "as_at": "soon"}, 422, "As at is “soon”"),
        ({"as_at": "FY2023"}, 400, "The request could not be read"),
    ],
)
def test_what_cannot_be_checked_is_told(ours: KnownPractice, sent: Any, status: int, says: str) -> None:
    response = post(program(ours, token(ours)), "quote-check/", sent)
    assert response.status_code == status
    assert says in response.json()["error"]


def test_the_status_says_who_calls_and_what_is_held(ours: KnownPractice) -> None:
    found = program(ours, token(ours, "read_only")).get("/api/v1/status/").json()
    assert (found["practice"], found["user"], found["may_ask"]) == (
        ours.practice.name,
        ours.users["read_only"].email,
        False,
    )
    assert 2023 in found["income_years"]
    assert "Fictional Acts" in found["frameworks"]


# Who may call.


def test_a_read_only_users_token_asks_nothing(ours: KnownPractice, no_worker: list[Question]) -> None:
    response = post(program(ours, token(ours, "read_only")), "questions/", ASKED)
    assert response.status_code == 403
    assert response.json()["error"] == "Your account is read only"
    assert no_worker == []


def test_a_token_does_what_its_user_may_do_now(ours: KnownPractice) -> None:
    secret, user = token(ours, "staff"), ours.users["staff"]
    with in_practice(ours.practice):
        type(user).objects.filter(pk=user.pk).update(role="read_only")
    try:
        assert post(program(ours, secret), "questions/", ASKED).status_code == 403
    finally:
        with in_practice(ours.practice):
            type(user).objects.filter(pk=user.pk).update(role="staff")


@pytest.mark.parametrize("address", ["status/", "questions/", "quote-check/", f"questions/{UUID(int=7)}/", "nowhere/"])
def test_a_token_of_one_practice_is_refused_in_another(
    ours: KnownPractice, other_practice: KnownPractice, address: str
) -> None:
    secret = token(ours, "owner")
    for response in (
        program(other_practice, secret).get(f"/api/v1/{address}"),
        post(program(other_practice, secret), address, ASKED),
    ):
        assert response.status_code == 401
        assert response.json() == {
            "error": "You are not signed in",
            "what_to_try": "Send a token that is good in this practice, or sign in.",
        }


def test_every_bad_token_gets_the_same_answer(ours: KnownPractice) -> None:
    with in_practice(ours.practice):
        made, expired = tokens.make(ours.users["agent"], "expired")
        _, revoked = tokens.make(ours.users["agent"], "revoked")
        tokens.revoke(ours.users["agent"], ApiToken.objects.get(name="revoked").pk)
        ApiToken.objects.filter(pk=made.pk).delete()
        now = timezone.now()
        ApiToken.objects.create(
            user=ours.users["agent"],
            name="expired",
            digest=tokens.digest_of(expired),
            created_at=now,
            expires_at=now,
        )
    bad = [expired, revoked, "asat_guess", "", "x" * 5_000, "é"]
    told = {
        (response.status_code, response.content, response.get("WWW-Authenticate"))
        for response in (program(ours, secret).get("/api/v1/status/") for secret in bad)
    }
    assert len(told) == 1
    assert next(iter(told))[0] == 401


def test_a_token_opens_no_page(ours: KnownPractice) -> None:
    for page in ("/", "/audit/", "/account/tokens/", "/admin/"):
        assert program(ours, token(ours, "owner")).get(page).status_code == 302


def test_guessing_tokens_has_to_wait(ours: KnownPractice) -> None:
    good = token(ours)
    for turn in range(attempts.ADDRESS_LIMIT):
        response = program(ours, f"asat_{turn}").get("/api/v1/status/", REMOTE_ADDR="10.9.9.9")
        assert response.status_code == 401
    waiting = program(ours, good).get("/api/v1/status/", REMOTE_ADDR="10.9.9.9")
    assert (waiting.status_code, waiting["Retry-After"]) == (429, str(attempts.WAIT_S))
    assert program(ours, good).get("/api/v1/status/", REMOTE_ADDR="10.9.9.8").status_code == 200


def test_a_session_may_call_with_its_csrf_token_and_not_without(ours: KnownPractice) -> None:
    browser = Client(headers={"host": ours.host}, enforce_csrf_checks=True)
    with in_practice(ours.practice):
        browser.force_login(ours.users["agent"])
    assert browser.get("/api/v1/status/").status_code == 200
    refused = post(browser, "questions/", ASKED)
    assert (refused.status_code, refused.json()["error"]) == (403, "The request was not accepted")
    browser.get("/")
    csrf = {"X-CSRFToken": browser.cookies[settings.CSRF_COOKIE_NAME].value}
    assert post(browser, "questions/", ASKED, headers=csrf).status_code == 202


def test_a_caller_who_calls_too_often_is_told_how_long_to_wait(
    ours: KnownPractice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttles.PerCallerWork, "rate", "2/min")
    secret = token(ours)
    first, second, third = (post(program(ours, secret), "quote-check/", {"text": "HDFA99 s 5-5"}) for _ in range(3))
    assert (first.status_code, second.status_code, third.status_code) == (200, 200, 429)
    assert third.json()["error"] == "Too many calls"
    assert 0 < int(third["Retry-After"]) <= 60
    assert program(ours, secret).get("/api/v1/status/").status_code == 200
    assert post(program(ours, token(ours)), "quote-check/", {"text": "HDFA99 s 5-5"}).status_code == 200
    with in_practice(ours.practice):
        held = ApiToken.objects.get(digest=tokens.digest_of(secret))
        assert len(cache.get(f"throttle:api-work:token:{held.pk}")) == 2


# What it says when it fails.


@pytest.mark.parametrize("accept", ["text/html", "*/*", "application/json", "image/png"])
def test_every_answer_is_json(ours: KnownPractice, accept: str) -> None:
    client = program(ours, token(ours))
    for address in ("status/", "questions/", "nowhere/at/all", f"questions/{uuid4()}/"):
        response = client.get(f"/api/v1/{address}", headers={"accept": accept})
        assert response["Content-Type"] == "application/json", address
        assert b"<" not in response.content


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [("get", "questions/", 405), ("delete", "status/", 405), ("get", "nowhere/", 404), ("get", "questions/7/", 404)],
)
def test_an_address_that_is_not_there_says_so(ours: KnownPractice, method: str, address: str, status: int) -> None:
    response = getattr(program(ours, token(ours)), method)(f"/api/v1/{address}")
    assert response.status_code == status
    assert set(response.json()) == {"error", "what_to_try"}


def test_what_is_no_json_is_refused(ours: KnownPractice) -> None:
    client = program(ours, token(ours))
    form = client.post("/api/v1/questions/", ASKED)
    broken = client.post("/api/v1/questions/", b"{\xff", content_type="application/json")
    assert (form.status_code, broken.status_code) == (415, 400)
    assert form.json()["error"] == broken.json()["error"] == "The request could not be read"


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"text":' * 20_000])
def test_brackets_within_brackets_are_refused_like_other_broken_json(ours: KnownPractice, body: bytes) -> None:
    deep = program(ours, token(ours)).post("/api/v1/quote-check/", body, content_type="application/json")
    assert (deep.status_code, deep.json()["error"]) == (400, "The request could not be read")


def test_a_request_that_is_too_large_is_told_so_and_is_no_fault(
    ours: KnownPractice, caplog: pytest.LogCaptureFixture
) -> None:
    sent = {"text": "a" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)}
    large = post(program(ours, token(ours)), "quote-check/", sent)
    assert (large.status_code, large.json()["error"]) == (413, "The request is too large")
    assert "an API call failed" not in caplog.text


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (OperationalError("closed"), 503, "The database does not answer"),
        (ValueError("Zanzibar"), 500, "Something went wrong"),
    ],
)
def test_a_fault_is_told_and_logged_without_the_words(
    ours: KnownPractice,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    status: int,
    says: str,
) -> None:
    def broken(*_: Any) -> None:
        raise error

    secret = token(ours)
    monkeypatch.setattr(views, "checked", broken)
    caplog.set_level(logging.DEBUG)
    response = post(program(ours, secret), "quote-check/", {"text": "Zanzibar Holdings, HDFA99 s 5-5"})
    assert (response.status_code, response.json()["error"]) == (status, says)
    assert type(error).__name__ in caplog.text
    assert "Zanzibar" not in caplog.text
    assert secret not in caplog.text
