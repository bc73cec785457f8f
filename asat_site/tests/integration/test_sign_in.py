"""Guessing passwords is slowed down, by account and by address, without locking everybody out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis
from django.conf import settings
from django.test import Client, RequestFactory, override_settings

from asat_site.accounts import attempts
from asat_site.testing.practices import PASSWORD, KnownPractice
from asat_site.testing.servers import Services

pytestmark = pytest.mark.security


@pytest.fixture(autouse=True)
def forgetful(services: Services) -> Iterator[None]:
    yield
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        for key in client.scan_iter("asat:*attempts*"):
            client.delete(key)


def guess(client: Client, email: str, password: str = "wrong guess", address: str = "10.1.1.1", **headers: str) -> str:
    response = client.post("/sign-in/", {"username": email, "password": password}, REMOTE_ADDR=address, headers=headers)
    return "in" if response.status_code == 302 else "wait" if b"Too many attempts" in response.content else "no"


def test_an_account_has_to_wait_after_too_many_failures(practice: KnownPractice) -> None:
    browser, email = practice.client(None), practice.users["staff"].email
    said = [guess(browser, email, address=f"10.0.0.{turn}") for turn in range(attempts.ACCOUNT_LIMIT + 1)]
    assert said == ["no"] * attempts.ACCOUNT_LIMIT + ["wait"]
    assert guess(browser, email.upper(), PASSWORD) == "wait"  # the right password does not tell the guesser either
    assert guess(practice.client(None), practice.users["owner"].email, PASSWORD) == "in"


def test_an_address_has_to_wait_whatever_account_it_tries(practice: KnownPractice) -> None:
    browser = practice.client(None)
    for turn in range(attempts.ADDRESS_LIMIT):
        assert guess(browser, f"nobody{turn}@x.example") == "no"
    assert guess(browser, practice.users["staff"].email, PASSWORD) == "wait"
    assert guess(practice.client(None), practice.users["staff"].email, PASSWORD, address="10.1.1.2") == "in"


def test_an_unknown_account_is_answered_like_a_known_one(practice: KnownPractice) -> None:
    browser = practice.client(None)
    pages = [
        browser.post("/sign-in/", {"username": email, "password": "wrong guess"}).content.decode().replace(email, "")
        for email in (practice.users["staff"].email, "nobody@x.example")
    ]
    messages = ["do not belong together here" in page for page in pages]
    assert messages == [True, True]


def test_success_clears_the_account(practice: KnownPractice) -> None:
    email = practice.users["agent"].email
    for _ in range(2):
        for _ in range(attempts.ACCOUNT_LIMIT - 1):
            assert guess(practice.client(None), email) == "no"
        assert guess(practice.client(None), email, PASSWORD) == "in"


def test_one_practices_guesses_lock_nobody_out_of_another(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    email = other_practice.users["staff"].email
    for _ in range(attempts.ACCOUNT_LIMIT + 1):
        guess(practice.client(None), email)
    assert guess(practice.client(None), email) == "wait"
    assert guess(other_practice.client(None), email, PASSWORD) == "in"


@pytest.mark.parametrize(
    ("trusted", "forwarded", "wanted"),
    [
        (0, "1.1.1.1", "9.9.9.9"),
        (1, "1.1.1.1", "1.1.1.1"),
        (1, "6.6.6.6, 1.1.1.1", "1.1.1.1"),
        (2, "6.6.6.6, 1.1.1.1, 10.0.0.1", "1.1.1.1"),
        (2, "1.1.1.1", "9.9.9.9"),
        (1, "", "9.9.9.9"),
    ],
)
def test_a_forged_forwarding_header_changes_no_address(trusted: int, forwarded: str, wanted: str) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="9.9.9.9", headers={"x-forwarded-for": forwarded})
    with override_settings(TRUSTED_PROXIES=trusted):
        assert attempts.address_of(request) == wanted
