"""Guessing passwords is slowed down, by account and by address, without locking everybody out."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client, RequestFactory, override_settings

from asat_site.accounts import attempts
from asat_site.tenancy.context import in_practice
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
    said = [guess(browser, email) for turn in range(attempts.ACCOUNT_LIMIT + 1)]
    assert said == ["no"] * attempts.ACCOUNT_LIMIT + ["wait"]
    assert guess(browser, email.upper(), PASSWORD) == "wait"  # the right password does not tell the guesser either
    assert guess(practice.client(None), practice.users["owner"].email, PASSWORD) == "in"
    elsewhere = practice.client(None)  # who is guessed at is not kept out by it
    assert guess(elsewhere, email, PASSWORD, address="10.1.1.2") == "in"


def test_an_account_has_to_wait_for_guesses_from_everywhere_too(
    practice: KnownPractice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "ANYWHERE_LIMIT", 12)
    browser, email = practice.client(None), practice.users["staff"].email
    for turn in range(12):
        assert guess(browser, email, address=f"10.0.0.{turn}") == "no"
    assert guess(browser, email, PASSWORD, address="10.0.1.1") == "wait"


@pytest.mark.parametrize("letter", ["\u017f", "\u0131", "\u212a"])  # upper or lower case of s, i and k to some
def test_letters_that_look_alike_are_no_other_account(practice: KnownPractice, letter: str) -> None:
    given = {"username": letter + practice.users["staff"].email, "password": PASSWORD}
    response = practice.client(None).post("/sign-in/", given)
    assert "without accents or letters of other alphabets" in response.content.decode()


def test_an_account_is_counted_as_its_user_however_it_is_spelt(practice: KnownPractice) -> None:
    request, user = RequestFactory().get("/"), practice.users["staff"]
    spelt = [attempts.at_sign_in(request, email, user) for email in (user.email, user.email.upper(), "\u017ftaff@x")]
    assert spelt[0] == spelt[1] == spelt[2]


def test_many_guesses_at_the_same_moment_are_no_more_than_one_after_another(practice: KnownPractice) -> None:
    together = threading.Barrier(16)
    request, user = RequestFactory().get("/"), practice.users["staff"]

    def guessing(_: int) -> attempts.Try:
        with in_practice(practice.practice):
            together.wait(20)
            try:
                return attempts.begin(attempts.at_sign_in(request, user.email, user))
            finally:
                connection.close()

    with ThreadPoolExecutor(16) as pool:
        tried = list(pool.map(guessing, range(16)))
    assert sum(not each.must_wait for each in tried) == attempts.ACCOUNT_LIMIT
    assert sum(each.is_last for each in tried) == 1


def test_the_wait_begins_as_the_limit_is_reached(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        counters = [attempts.Counter("attempts:test", 3)]
        attempts.begin(counters)
        cache.touch("attempts:test", 5)  # most of the time is over
        attempts.begin(counters)
        assert _left("attempts:test") <= 5
        assert attempts.begin(counters).is_last
        assert _left("attempts:test") > attempts.WAIT_S - 5
        cache.touch("attempts:test", 5)
        assert attempts.begin(counters).must_wait
        assert _left("attempts:test") <= 5  # waiting starts no other wait


def test_whoever_has_to_wait_counts_for_nobody_else(practice: KnownPractice) -> None:
    browser, email = practice.client(None), practice.users["staff"].email
    for _ in range(attempts.ADDRESS_LIMIT + attempts.ACCOUNT_LIMIT):
        guess(browser, email)
    assert guess(practice.client(None), practice.users["owner"].email, PASSWORD) == "in"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("2001:db8:1:2:3:4:5:6", "20010db800010002/64"),
        ("2001:db8:1:2:ffff::1", "20010db800010002/64"),
        ("2001:db8:1:3::1", "20010db800010003/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("10.0.0.1", "10.0.0.1"),
        ("unknown", "unknown"),
    ],
)
def test_half_of_an_ipv6_address_is_counted(address: str, counted: str) -> None:
    assert attempts.place_of(RequestFactory().get("/", REMOTE_ADDR=address)) == counted


def _left(key: str) -> int:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        found: int = client.ttl(cache.make_key(key))  # type: ignore[assignment]
    return found


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
