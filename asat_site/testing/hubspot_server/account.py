"""The account behind the fake: its companies, properties and keys, and the right answer to a request."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from asat_site.testing.hubspot_server.faults import Fault, Received, missing_scopes, problem

VERSION = "2026-09"
COMPANIES = f"/crm/objects/{VERSION}/companies"
PROPERTIES = f"/crm/properties/{VERSION}/companies"
TOKEN = "pat-na1-00000000-1111-2222-3333-q9z844445555"
ALL_SCOPES = ("crm.objects.companies.read", "crm.schemas.companies.read")
MOMENT = "2026-08-01T00:00:00.000Z"


def _property(name: str, label: str, type: str = "string", **more: Any) -> dict[str, Any]:
    return {"name": name, "label": label, "type": type, "fieldType": "text", "groupName": "companyinformation", **more}


ABN_PROPERTY = _property("abn", "ABN")
USUAL = (
    _property("name", "Company name", hubspotDefined=True),
    _property("domain", "Company Domain Name", hubspotDefined=True),
    _property("abnormal_flag", "Abnormal activity"),
    _property("abn_verified", "ABN verified", "bool"),
    _property("abn_checked_on", "ABN checked on", "date"),
)


def company(id: int | str, name: str | None, *, abn: str | None = None, archived: bool = False, **more: Any) -> Any:
    """A company as the list call gives it. name None: the property is null; more: further properties."""
    properties = {"name": name, "domain": None, "abn": abn, "hs_object_id": str(id), **more}
    return {
        "id": str(id), "properties": properties, "createdAt": MOMENT, "updatedAt": MOMENT, "archived": archived,
    }  # fmt: skip


class HubSpotAccount:
    """What the fake knows and was asked; safe for several clients at once.

    tokens: what each key may do. says_total: whether a page tells how many there are, as no description promises.
    """

    def __init__(self, companies: Iterable[Any] = (), properties: Sequence[Any] = (*USUAL, ABN_PROPERTY)) -> None:
        self.url = ""
        self.companies = list(companies)
        self.properties = list(properties)
        self.tokens: dict[str, tuple[str, ...]] = {TOKEN: ALL_SCOPES}
        self.requests: list[Received] = []
        self.breaches: list[str] = []
        self.says_total: int | None = None
        self.daily_remaining, self.burst_remaining = 249_000, 99
        self.closing = threading.Event()
        self._faults: deque[Fault | None] = deque()
        self._lock = threading.Lock()

    def will(self, *faults: Fault | None) -> None:
        """What to do with the next requests, one each; None answers rightly. After them all is well again."""
        with self._lock:
            self._faults.extend(faults)

    def take(self, received: Received) -> Fault | None:
        """Note the request; the fault that is set for it, if one is."""
        with self._lock:
            self.requests.append(received)
            return self._faults.popleft() if self._faults else None

    def answer(self, received: Received) -> tuple[int, dict[str, Any]]:
        """The status and body that are right for this request."""
        scopes = self.tokens.get(received.headers.get("authorization", "").removeprefix("Bearer "))
        if scopes is None:
            return 401, problem("INVALID_AUTHENTICATION", "Authentication credentials not found.")
        if received.method != "GET":
            return 405, problem("VALIDATION_ERROR", "Only reading is allowed here.")
        if received.path == PROPERTIES:
            if not set(scopes) & set(ALL_SCOPES[1:]):
                return 403, missing_scopes(ALL_SCOPES[1]).body
            return 200, {"results": [each for each in self.properties if not each.get("archived")]}
        if received.path == COMPANIES:
            return self._page(received) if ALL_SCOPES[0] in scopes else (403, missing_scopes(ALL_SCOPES[0]).body)
        return 404, problem("OBJECT_NOT_FOUND", "No such path.")

    def headers(self) -> dict[str, str]:
        """The limits, as every answer tells them."""
        return {
            "X-HubSpot-RateLimit-Max": "100",
            "X-HubSpot-RateLimit-Remaining": str(self.burst_remaining),
            "X-HubSpot-RateLimit-Interval-Milliseconds": "10000",
            "X-HubSpot-RateLimit-Daily": "250000",
            "X-HubSpot-RateLimit-Daily-Remaining": str(self.daily_remaining),
        }

    def _page(self, received: Received) -> tuple[int, dict[str, Any]]:
        limit = int(received.query.get("limit", "10"))
        if not 1 <= limit <= 100:
            return 400, problem("VALIDATION_ERROR", "The limit is from 1 to 100.")
        wanted = set(received.query.get("properties", "name,domain").split(","))
        archived = received.query.get("archived", "false") == "true"
        after = received.query.get("after", "0")
        if not after.isdigit():
            return 400, problem("VALIDATION_ERROR", "That is no cursor.")
        listed = [each for each in self.companies if each["archived"] == archived]
        given = listed[int(after) : int(after) + limit]
        body: dict[str, Any] = {"results": [_with_only(each, wanted) for each in given]}
        if int(after) + limit < len(listed):
            following = str(int(after) + limit)
            body["paging"] = {"next": {"after": following, "link": "http://127.0.0.1:9/elsewhere"}}
        if self.says_total is not None:
            body["total"] = self.says_total
        return 200, body


def _with_only(found: Any, wanted: set[str]) -> Any:
    """The company with the properties that were asked for; unknown ones are left out without a word."""
    kept = {name: value for name, value in found["properties"].items() if name in wanted or name == "hs_object_id"}
    return {**found, "properties": kept}
