"""HubSpot over HTTP, and nothing else: two list calls, by GET alone. What the answers mean is `mapping`'s to say.

A list is paged by `after`; the search, which stops at 10,000, is never asked, nor is any address out of an answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.conf import settings

from integrations import tokens
from integrations.exchange import Bearer, Exchange, Limits, Reply
from integrations.hubspot import mapping
from integrations.models import Connection
from integrations.pace import Limit, pace_of
from integrations.terms import LacksScopes, ReconnectRequired, TryLater, VendorFailed

VENDOR = "HubSpot"
ADDRESS = "https://api.hubapi.com"  # for accounts of every region
LIMITS = Limits(read_s=20.0, total_s=30.0, tries=4, longest_wait_s=15.0)
AT_MOST = (Limit(50, 10.0),)  # a key may ask 100 times in 10 s, and shares it with whatever else uses it
LEAVE_BURST, LEAVE_DAILY = 5, 100  # what is left to whatever else uses the account
SERVER_TROUBLE = frozenset({500, 502, 503, 504, 520, 521, 522, 523, 524})

REJECTED = "HubSpot does not take this key: it was revoked, or copied wrongly. Paste another."
EXPIRED = "HubSpot says that this key has expired or was rotated. Paste the new one."
NO_RIGHTS = (
    "HubSpot refuses this key because whoever made it has lost their rights. Make a service key: it keeps working "
    "whoever leaves."
)
DAILY = "This HubSpot account has had its calls for today. They begin anew at midnight of the account’s time zone."
MOVING = "HubSpot is moving this account between its data centres. Go on in some hours."
TROUBLE = "HubSpot has trouble answering just now. Try again in a few minutes."
BLOCKED = "Something in front of HubSpot turned the request away. Try again in a few minutes."
NOT_JSON = "HubSpot answered with something other than what it documents. Try again in a few minutes."
GONE = f"HubSpot no longer knows the interface of {mapping.VERSION} that AsAt asks. AsAt must be brought up to date."


class BadCursor(VendorFailed):
    """The list cannot be gone on with from where we were; it must be read from its beginning."""


class HubSpot:
    """One practice's way to HubSpot, for one piece of work. Use it in a `with` block."""

    def __init__(
        self, auth: Bearer, practice: UUID, sleep: Callable[[float], None] = time.sleep, limits: Limits = LIMITS
    ) -> None:
        self._sleep = sleep
        self._exchange = Exchange(
            VENDOR,
            settings.ASAT_HUBSPOT_URL or ADDRESS,
            judged,
            auth=auth,
            pace=pace_of(f"{practice}:hubspot", AT_MOST),
            limits=limits,
            sleep=sleep,
        )

    @classmethod
    def of(cls, connection: Connection, **options: Any) -> HubSpot:
        """With the stored key of this connection. Raises ReconnectRequired where it does not open."""
        return cls(Bearer(tokens.opened(connection)["token"]), connection.practice_id, **options)

    def __repr__(self) -> str:
        return "HubSpot(…)"

    def __enter__(self) -> HubSpot:
        return self

    def __exit__(self, *_: object) -> None:
        self._exchange.close()

    def abn_properties(self) -> tuple[mapping.Property, ...]:
        """The properties of companies that may hold an ABN. Raises VendorFailed and its kinds."""
        answer = self._get(mapping.PROPERTIES, {"archived": "false"})
        return _as_documented(mapping.abn_properties, answer)

    def page(self, after: str = "", abn_property: str = "", limit: int = mapping.PAGE) -> mapping.Page:
        """One page of the companies that are not archived, from `after` on. Raises VendorFailed and its kinds."""
        wanted = ",".join(filter(None, ("name", "domain", abn_property)))
        params = {"limit": str(limit), "properties": wanted, "archived": "false"}
        if after:
            params["after"] = after
        try:
            answer = self._get(mapping.COMPANIES, params)
        except _BadRequest as error:
            raise (BadCursor(error.message) if after else VendorFailed(error.message)) from None
        return _as_documented(mapping.page_of, answer, abn_property)

    def _get(self, path: str, params: Mapping[str, str]) -> dict[str, Any]:
        reply = self._exchange.send("GET", path, params=params)
        left, today = _number(reply, "remaining"), _number(reply, "daily-remaining")
        if today is not None and today < LEAVE_DAILY:
            raise TryLater(DAILY, is_far_off=True)
        if left is not None and left < LEAVE_BURST:
            self._sleep(min(_number(reply, "interval-milliseconds") or 10_000, 10_000) / 1000)
        return reply.problem


class _BadRequest(VendorFailed):
    """A 400: a fault of ours, or a cursor that is not one any more."""


def judged(reply: Reply) -> VendorFailed | None:
    """What an answer of HubSpot's means; None for one that can be read."""
    status, problem = reply.status, reply.problem
    if status == 200:
        return None if problem else TryLater(NOT_JSON)
    if status == 401:
        expired = "EXPIRED" in str(problem.get("category", ""))
        return ReconnectRequired(EXPIRED if expired else REJECTED)
    if status == 403:
        return _forbidden(problem)
    if status == 429:
        return _too_often(problem, reply.retry_after_s)
    if status == 477:
        return TryLater(MOVING, reply.retry_after_s, is_far_off=True)
    if status == 423:
        return TryLater(TROUBLE, max(2.0, reply.retry_after_s or 0.0))
    if status in SERVER_TROUBLE:
        return TryLater(TROUBLE, reply.retry_after_s)
    if status == 404:
        return VendorFailed(GONE)
    if status == 400:
        return _BadRequest("HubSpot refused what AsAt asked as wrongly put.")
    return VendorFailed(f"HubSpot answered with the status {status}, which AsAt does not know.")


def _forbidden(problem: dict[str, Any]) -> VendorFailed:
    if not problem:
        return TryLater(BLOCKED)  # a page, not HubSpot's own word: an edge that blocks an address, and not the key
    if problem.get("category") == "USER_DOES_NOT_HAVE_PERMISSIONS":
        return LacksScopes(NO_RIGHTS)
    scopes = mapping.scopes_in(problem)
    named = f": {', '.join(scopes)}" if scopes else f"; it needs {mapping.READ_COMPANIES}"
    return LacksScopes(f"This key lacks a scope{named}. Add it to the key at HubSpot; the key itself stays.", scopes)


def _too_often(problem: dict[str, Any], asked_s: float | None) -> TryLater:
    policy = f"{problem.get('policyName', '')} {problem.get('message', '')}".upper()
    if "DAILY" in policy:
        return TryLater(DAILY, asked_s, is_far_off=True)
    usual = 1.0 if "SECONDLY" in policy and "TEN_SECONDLY" not in policy else 10.0
    return TryLater(TROUBLE, asked_s if asked_s is not None else usual)


def _as_documented(read: Callable[..., Any], answer: dict[str, Any], *more: str) -> Any:
    try:
        return read(answer, *more)
    except mapping.NotAsDocumented as error:
        raise VendorFailed(f"HubSpot’s answer is not as documented: {error} was expected.") from None


def _number(reply: Reply, name: str) -> int | None:
    value = reply.headers.get(f"x-hubspot-ratelimit-{name}", "")
    return int(value) if value.isascii() and value.isdigit() else None
