"""Slows down guessing: after too many tries an account, or an address, has to wait.

Counted in the cache, which keeps practices apart. A try is counted before it is judged and judged by its own number, so
that many at the same moment are no way round; a success takes its own back. An account is counted for each address
apart, so that a stranger's guesses keep nobody else out, and with a much higher limit for all addresses together. The
address is the one that connected, or what our own proxies say, never what the browser says.
"""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from asat_site.accounts.models import User

ACCOUNT_LIMIT = 10  # of one account, from one address
ANYWHERE_LIMIT = 200  # of one account, from all addresses together
ADDRESS_LIMIT = 50
WAIT_S = 15 * 60


@dataclass(frozen=True, slots=True)
class Counter:
    """A number of tries in the cache. is_forgiven: whether a success clears it, rather than take its own try back."""

    key: str
    limit: int
    is_forgiven: bool = False


@dataclass(frozen=True, slots=True)
class Try:
    """One that was counted. must_wait: it is not to be judged at all. is_last: if it fails, the next has to wait."""

    counters: Sequence[Counter]
    must_wait: bool
    is_last: bool


def at_sign_in(request: HttpRequest, email: str, user: User | None) -> list[Counter]:
    """What a password at the sign-in counts for. user: whose address it is, in whatever spelling; None for nobody's."""
    account, place = _digest(str(user.pk) if user else email.strip().lower()), _digest(place_of(request))
    return [
        Counter(f"attempts:address:{place}", ADDRESS_LIMIT),
        Counter(f"attempts:account:{account}:{place}", ACCOUNT_LIMIT, is_forgiven=True),
        Counter(f"attempts:anywhere:{account}", ANYWHERE_LIMIT),
    ]


def of_codes(user: User) -> list[Counter]:
    """What a code counts for, wherever it comes from: whoever guesses it knows the password."""
    return [Counter(f"attempts:code:{user.pk}", ACCOUNT_LIMIT, is_forgiven=True)]


def again(user: User) -> list[Counter]:
    """What the password of somebody who is signed in counts for when it is asked again."""
    return [Counter(f"attempts:again:{user.pk}", ACCOUNT_LIMIT, is_forgiven=True)]


def with_token(request: HttpRequest, digest: str) -> list[Counter]:
    """What a bad token counts for. digest: of the token."""
    place = _digest(place_of(request))
    return [
        Counter(f"attempts:token-address:{place}", ADDRESS_LIMIT),
        Counter(f"attempts:token:{_digest(digest)}:{place}", ACCOUNT_LIMIT),
    ]


def begin(counters: Sequence[Counter]) -> Try:
    """Count a try before it is judged. One that has to wait is taken back where there was room for it.

    The time starts anew as a limit is reached: WAIT_S from then on. Raises redis.RedisError.
    """
    is_last = False
    for at, counter in enumerate(counters):
        number = _add(counter.key)
        if number > counter.limit:
            for other in counters[:at]:
                _take_back(other.key)
            return Try(counters, must_wait=True, is_last=False)
        if number == counter.limit:
            cache.touch(counter.key, WAIT_S)
            is_last = True
    return Try(counters, must_wait=False, is_last=is_last)


def must_wait(counters: Sequence[Counter]) -> bool:
    """Whether one of these has no room left, without counting: for a token, which is no guess when it is good."""
    return any(cache.get(counter.key, 0) >= counter.limit for counter in counters)


def forgive(success: Try) -> None:
    """A success clears the account here; what counts for many, such as an address, has its own try taken back."""
    for counter in success.counters:
        if counter.is_forgiven:
            cache.delete(counter.key)
        else:
            _take_back(counter.key)


def address_of(request: HttpRequest) -> str:
    """Where the request came from: behind N trusted proxies the Nth from the right of X-Forwarded-For."""
    connected: str = request.META.get("REMOTE_ADDR", "")
    trusted = settings.TRUSTED_PROXIES
    if not trusted:
        return connected
    said = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    return said[-trusted] if len(said) >= trusted else connected


def place_of(request: HttpRequest) -> str:
    """The address as it is counted: of IPv6 the first half, for whoever has one has all that begin with it."""
    said = address_of(request)
    try:
        address = ipaddress.ip_address(said)
    except ValueError:
        return said
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or f"{int(address) >> 64:016x}/64")


def _add(key: str) -> int:
    """The number of this try; forgotten WAIT_S after the first, unless the time is started anew."""
    cache.add(key, 0, WAIT_S)
    try:
        return int(cache.incr(key))
    except ValueError:  # it lapsed between the two
        cache.add(key, 0, WAIT_S)
        return int(cache.incr(key))


def _take_back(key: str) -> None:
    with suppress(ValueError):  # it lapsed meanwhile
        cache.decr(key)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
