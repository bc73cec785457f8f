"""What goes wrong with one request of the fake, and the record of what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came. headers: names in lower case; query: the last value of each name."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Fault:
    """What to do with a request instead of answering it. The first that is set holds.

    drops: break the connection off. cuts_at: send so many bytes of the right answer, and a length of all. slow_s:
    answer rightly, so late. body: text (a web page) or JSON to send, with `status` and `headers`. page: put this over
    the right answer, as {"paging": …}.
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    drops: bool = False
    cuts_at: int | None = None
    slow_s: float = 0.0
    page: Mapping[str, Any] | None = None


def problem(category: str, message: str = "", **more: Any) -> dict[str, Any]:
    """The body of an error, as HubSpot usually writes it."""
    return {"status": "error", "message": message or category, "correlationId": "0b-1", "category": category, **more}


def missing_scopes(*scopes: str) -> Fault:
    """403, with the scopes where they usually stand."""
    context = {"requiredGranularScopes": list(scopes)}
    errors = [{"message": "One or more of the following scopes are required.", "context": context}]
    return Fault(403, problem("MISSING_SCOPES", "This key lacks a scope.", errors=errors))


def too_often(policy: str = "TEN_SECONDLY_ROLLING", retry_after: str | None = "0") -> Fault:
    """429 by this policy."""
    body = {**problem("RATE_LIMITS", "You have reached your limit."), "errorType": "RATE_LIMIT", "policyName": policy}
    return Fault(429, body, {} if retry_after is None else {"Retry-After": retry_after})
