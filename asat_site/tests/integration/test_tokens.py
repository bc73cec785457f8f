"""Tokens for programs: made with the password again, shown once, kept as a digest, good in one practice alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
import redis
from django.conf import settings
from django.db import DatabaseError, ProgrammingError, connection
from django.test import Client
from django.utils import timezone

from asat_site.accounts import attempts, tokens
from asat_site.accounts.models import AccountEvent, ApiToken
from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import PASSWORD, KnownPractice
from asat_site.testing.servers import Services

pytestmark = pytest.mark.security


@pytest.fixture(autouse=True)
def forgetful(services: Services, practice: KnownPractice) -> Iterator[None]:
    yield
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        for key in client.scan_iter("asat:*attempts*"):
            client.delete(key)
    with in_practice(practice.practice):
        ApiToken.objects.all().delete()


def make(browser: Client, name: str = "workpapers", password: str = PASSWORD, days: str = "90") -> tuple[int, str]:
    """(status, the secret that the page shows, or "")."""
    response = browser.post("/account/tokens/", {"name": name, "days": days, "password": password})
    found = re.search(r"<code class=\"mono\">(asat_[\w-]+)</code>", response.content.decode())
    return response.status_code, found[1] if found else ""


def last_event() -> tuple[str, object, str]:
    event = AccountEvent.objects.order_by("-id")[0]
    return event.kind, event.by_id, event.detail


def test_a_token_is_made_and_shown_once(practice: KnownPractice) -> None:
    browser = practice.client("agent")
    status, secret = make(browser)
    assert status == 200
    assert len(secret) == len("asat_") + 43
    assert secret not in browser.get("/account/tokens/").content.decode()
    with in_practice(practice.practice):
        (token,) = ApiToken.objects.all()
        assert (token.name, token.user_id) == ("workpapers", practice.users["agent"].pk)
        assert token.digest == tokens.digest_of(secret)
        assert secret not in str(ApiToken.objects.values())
        assert token.expires_at - token.created_at == timedelta(days=90)
        assert token.practice_id == practice.id
        assert last_event() == ("token_made", practice.users["agent"].pk, f"number {token.pk}, for 90 days")


@pytest.mark.parametrize(
    ("name", "password", "days", "says"),
    [
        ("workpapers", "wrong guess", "90", "That is not your password."),
        ("workpapers", "", "90", "Give your password again"),
        ("", PASSWORD, "90", "Give the token a name"),
        ("workpapers", PASSWORD, "366", "whole number of days from 1 to 365"),
        ("workpapers", PASSWORD, "0", "whole number of days from 1 to 365"),
        ("workpapers", PASSWORD, "soon", "whole number of days from 1 to 365"),
    ],
)
def test_what_makes_no_token_is_told_in_a_sentence(
    practice: KnownPractice, name: str, password: str, days: str, says: str
) -> None:
    response = practice.client("agent").post("/account/tokens/", {"name": name, "days": days, "password": password})
    assert response.status_code == 422
    assert says in response.content.decode()
    assert PASSWORD not in response.content.decode()
    with in_practice(practice.practice):
        assert ApiToken.objects.count() == 0


def test_a_name_is_taken_once_and_no_user_has_more_than_twenty(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        user = practice.users["staff"]
        for number in range(tokens.MOST_TOKENS):
            tokens.make(user, f"program {number}")
            with pytest.raises(tokens.TokenRefused, match="You have"):
                tokens.make(user, f"PROGRAM {number}")
        with pytest.raises(tokens.TokenRefused, match="as many as one person may have"):
            tokens.make(user, "one more")


def test_guessing_the_password_on_this_page_has_to_wait_too(practice: KnownPractice) -> None:
    browser = practice.client("agent")
    for _ in range(attempts.ACCOUNT_LIMIT):
        make(browser, password="wrong guess")
    response = browser.post("/account/tokens/", {"name": "x", "days": "90", "password": PASSWORD})
    assert "Too many attempts" in response.content.decode()


def test_guesses_at_the_sign_in_keep_nobody_from_giving_their_password_again(practice: KnownPractice) -> None:
    stranger, browser = practice.client(None), practice.client("agent")
    for _ in range(attempts.ACCOUNT_LIMIT + 1):
        stranger.post("/sign-in/", {"username": practice.users["agent"].email, "password": "wrong guess"})
    for turn in range(attempts.ADDRESS_LIMIT):
        stranger.post("/sign-in/", {"username": f"nobody{turn}@x.example", "password": "wrong guess"})
    assert make(browser)[0] == 200


def test_bad_tokens_keep_nobody_from_signing_in(practice: KnownPractice) -> None:
    for turn in range(attempts.ADDRESS_LIMIT):
        program = Client(headers={"host": practice.host, "authorization": f"Bearer asat_{turn}"})
        assert program.get("/api/v1/status/").status_code == 401
    program = Client(headers={"host": practice.host, "authorization": "Bearer asat_one-more"})
    assert program.get("/api/v1/status/").status_code == 429
    given = {"username": practice.users["agent"].email, "password": PASSWORD}
    assert practice.client(None).post("/sign-in/", given).status_code == 302


def test_a_token_is_revoked_by_its_user_and_by_nobody_else(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        token, secret = tokens.make(practice.users["agent"], "workpapers")
    address = f"/account/tokens/{token.pk}/revoke/"
    assert practice.client("owner").post(address).status_code == 404
    assert practice.client("agent").get(address).status_code == 405
    with in_practice(practice.practice):
        assert tokens.token_of(secret) is not None
    assert practice.client("agent").post(address).status_code == 302
    with in_practice(practice.practice):
        assert tokens.token_of(secret) is None
        assert last_event() == ("token_revoked", practice.users["agent"].pk, f"number {token.pk}")


def test_a_token_is_good_until_it_expires_and_while_its_user_is_active(practice: KnownPractice) -> None:
    user = practice.users["staff"]
    with in_practice(practice.practice):
        token, secret = tokens.make(user, "workpapers", 1)
        assert tokens.token_of(secret) == token
        user.is_active = False
        user.save()
        try:
            assert tokens.token_of(secret) is None
        finally:
            user.is_active = True
            user.save()
        ApiToken.objects.all().delete()
        ApiToken.objects.create(
            user=user,
            name="old",
            digest=token.digest,
            created_at=timezone.now() - timedelta(2),
            expires_at=timezone.now(),
        )
        assert tokens.token_of(secret) is None


@pytest.mark.parametrize("secret", ["", "asat_", "asat_x", "x" * 1000, "asat_" + "é" * 43, "\x00"])
def test_what_is_no_secret_is_no_token(practice: KnownPractice, secret: str) -> None:
    with in_practice(practice.practice):
        assert tokens.token_of(secret) is None


def test_the_database_lets_no_token_live_longer_than_a_year(practice: KnownPractice) -> None:
    now = timezone.now()
    with in_practice(practice.practice), pytest.raises(DatabaseError, match="api_token_expires_in_a_year"):
        ApiToken.objects.create(
            user=practice.users["staff"], name="x", digest="x", created_at=now, expires_at=now + timedelta(days=366)
        )


# The walls.


def test_a_token_of_one_practice_is_nothing_in_another(practice: KnownPractice, other_practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        _, secret = tokens.make(practice.users["owner"], "workpapers")
    with in_practice(other_practice.practice):
        assert tokens.token_of(secret) is None
        assert ApiToken.objects.count() == 0
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM {practice.practice.schema_name}.accounts_apitoken")
            assert cursor.fetchone() == (0,)


def test_no_token_is_written_in_the_name_of_another_practice(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    now = timezone.now()
    row = [practice.users["owner"].pk, other_practice.id, now, now]
    refusal = pytest.raises(ProgrammingError, match="row-level security")
    with in_practice(practice.practice), refusal, connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO accounts_apitoken (user_id, practice_id, name, digest, created_at, expires_at)"
            " VALUES (%s, %s, 'x', 'x', %s, %s)",
            row,
        )


@pytest.mark.parametrize("change", ["expires_at = now()", "digest = 'x'", "user_id = user_id", "name = 'x'"])
def test_the_app_changes_nothing_of_a_token_but_its_last_use(practice: KnownPractice, change: str) -> None:
    refusal = pytest.raises(ProgrammingError, match="permission denied")
    with in_practice(practice.practice), refusal, connection.cursor() as cursor:
        cursor.execute(f"UPDATE accounts_apitoken SET {change}")


def test_use_is_noted_to_the_minute(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        token, secret = tokens.make(practice.users["staff"], "workpapers")
        tokens.token_of(secret)
        first = ApiToken.objects.get(pk=token.pk).last_used_at
        assert first is not None
        tokens.token_of(secret)
        assert ApiToken.objects.get(pk=token.pk).last_used_at == first
