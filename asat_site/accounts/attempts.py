"""Slows down guessing: after too many failures an account, or an address, has to wait.

Counted in the cache, which keeps practices apart. Both are counted, since an attacker changes one or the other; the
address is the one that connected, or what our own proxies say, never what the browser says.
"""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

ACCOUNT_LIMIT = 10
ADDRESS_LIMIT = 50
WAIT_S = 15 * 60


def must_wait(request: HttpRequest, email: str) -> bool:
    """Whether this account or this address has failed too often lately. Raises redis.RedisError."""
    return any(cache.get(key, 0) >= limit for key, limit in _keys(request, email))


def count_failure(request: HttpRequest, email: str) -> None:
    """One more failure for both; forgotten WAIT_S after the first."""
    for key, _ in _keys(request, email):
        cache.add(key, 0, WAIT_S)
        cache.incr(key)


def forget(request: HttpRequest, email: str) -> None:
    """A success clears the account, not the address, which may be an attacker's with one account of its own."""
    cache.delete(_keys(request, email)[0][0])


def address_of(request: HttpRequest) -> str:
    """Where the request came from: behind N trusted proxies the Nth from the right of X-Forwarded-For."""
    connected: str = request.META.get("REMOTE_ADDR", "")
    trusted = settings.TRUSTED_PROXIES
    if not trusted:
        return connected
    said = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    return said[-trusted] if len(said) >= trusted else connected


def _keys(request: HttpRequest, email: str) -> list[tuple[str, int]]:
    account = hashlib.sha256(email.strip().lower().encode()).hexdigest()[:32]
    address = hashlib.sha256(address_of(request).encode()).hexdigest()[:32]
    return [(f"attempts:account:{account}", ACCOUNT_LIMIT), (f"attempts:address:{address}", ADDRESS_LIMIT)]
