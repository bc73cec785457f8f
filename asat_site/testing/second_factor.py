"""Second factors for tests: set up for a user without pages, and the codes that their authenticator would show."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import redis
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.conf import settings
from django.test import Client

from asat_site.accounts import factors
from asat_site.accounts.models import User
from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import PASSWORD, KnownPractice

PERIOD_S = 30


def code(key: str, ahead: int = 0) -> str:
    """The code that the key gives now; ahead=1 the one after it, which a clock half a minute fast would show."""
    return format_hotp_value(hotp_value(key, int(time.time()) // PERIOD_S + ahead))


def give_factor(known: KnownPractice, role: str) -> tuple[str, list[str]]:
    """(key, recovery codes) of a second factor made for the practice's user of that role; uses the code of before."""
    request: Any = SimpleNamespace(user=known.users[role], session={})
    with in_practice(known.practice):
        key = factors.begin(request)
        try:
            return key, factors.set_up(request, code(key, ahead=-1))
        except factors.FactorRefused:  # the half minute ended meanwhile
            return key, factors.set_up(request, code(key, ahead=-1))


def forget_attempts() -> None:
    """Nobody has to wait any more, in any practice."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        for key in client.scan_iter("asat:*attempts*"):
            client.delete(key)


def take_factor(user: User, known: KnownPractice) -> None:
    """The user has none any more."""
    with in_practice(known.practice):
        factors.remove(user)


def give_password(known: KnownPractice, role: str, password: str = PASSWORD) -> Client:
    """A browser in which the password of that user was given at the sign-in."""
    browser = known.client(None)
    browser.post("/sign-in/", {"username": known.users[role].email, "password": password})
    return browser


def is_in(browser: Client) -> bool:
    """Whether the browser is signed in, as an ordinary page has it."""
    return browser.get("/account/").status_code == 200
