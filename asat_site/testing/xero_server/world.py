"""Xero as a whole: an app, people who consent, tokens that rotate, organisations and stored idempotency keys."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import uuid
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from asat_site.testing.xero_server.faults import Answer, Fault, Received, unauthorised, validation
from asat_site.testing.xero_server.organisation import Organisation

ACCESS_S, GRACE_S, KEY_S, CODE_S = 1800, 1800, 360, 300


@dataclass(slots=True)
class Person:
    """Somebody of Xero's who consented: their current refresh token, and those before with when each was replaced."""

    user: str
    current: str = ""
    before: dict[str, float] = field(default_factory=dict)
    access: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Code:
    person: Person
    event: str
    challenge: str
    redirect_uri: str
    made_at: float
    used: bool = False


class Xero:
    """See the package. clock: seconds, moved on by tests alone. redirects: what the app has registered.

    agrees_to: the organisations that whoever comes to the page where people agree chooses there.
    """

    def __init__(self, contract: Any = None) -> None:
        self.contract = contract
        self.client_id, self.client_secret = uuid.uuid4().hex.upper(), "secret-of-the-app-" + uuid.uuid4().hex
        self.redirects: list[str] = []
        self.organisations: dict[str, Organisation] = {}
        self.people: dict[str, Person] = {}
        self.connections: list[dict[str, Any]] = []
        self.codes: dict[str, Code] = {}
        self.requests: list[Received] = []
        self.faults: list[tuple[str, Fault]] = []
        self.keys: dict[str, tuple[float, tuple[str, str, bytes], Answer]] = {}
        self.breaches: list[str] = []
        self.scopes = ""
        self.gives_refresh = True
        self.agrees_to: list[Organisation] = []
        self.clock = 1_000_000.0
        self.url = ""
        self.in_flight = self.most_in_flight = 0
        self.slow_s = 0.0
        self.lock = threading.RLock()
        self.closing = threading.Event()

    # What a test sets.

    def organisation(self, name: str) -> Organisation:
        made = Organisation(name)
        self.organisations[made.tenant_id] = made
        return made

    def will(self, fault: Fault, on: str = "", times: int = 1) -> None:
        """The next requests whose name ("PUT /Invoices") begins so go wrong."""
        self.faults += [(on, fault)] * times

    def consents(self, address: str, to: list[Organisation], user: str = "ann", says_no: bool = False) -> str:
        """Where the page at this address sends the browser, once `user` chose these organisations."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert asked["client_id"] == self.client_id and asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert asked["redirect_uri"] in self.redirects, f"{asked['redirect_uri']} is not registered"
        self.scopes = asked["scope"]
        if says_no:
            return f"{asked['redirect_uri']}?{urlencode({'error': 'access_denied', 'state': asked['state']})}"
        person = self.people.setdefault(user, Person(user))
        code, event = uuid.uuid4().hex, str(uuid.uuid4())
        self.codes[code] = Code(person, event, asked["code_challenge"], asked["redirect_uri"], self.clock)
        for each in to:
            self.connect(each, user, event)
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def connect(self, to: Organisation, user: str, event: str, kind: str = "ORGANISATION") -> None:
        kept = [each for each in self.connections if (each["tenantId"], each["user"]) != (to.tenant_id, user)]
        when = "2026-10-05T01:02:03Z"  # the service leaves the zone out, against its own description
        made = {"id": str(uuid.uuid4()), "tenantId": to.tenant_id, "tenantName": to.name, "tenantType": kind}
        made |= {"authEventId": event, "createdDateUtc": when, "updatedDateUtc": when, "user": user}
        self.connections = [*kept, made]

    def named(self, begins: str) -> list[Received]:
        """The requests so far whose name begins so."""
        return [each for each in self.requests if each.name.startswith(begins)]

    # What it answers.

    def take(self, received: Received) -> Fault | None:
        with self.lock:
            self.requests.append(received)
            for at, (on, fault) in enumerate(self.faults):
                if received.name.startswith(on):
                    del self.faults[at]
                    return fault
        return None

    def answer(self, received: Received) -> Answer:
        with self.lock:
            if received.is_of_books:
                return self._books(received)
            match received.method, received.path:
                case "GET", "/identity/connect/authorize":
                    back = self.consents(f"{self.url}{received.path}?{urlencode(received.query)}", self.agrees_to)
                    return Answer(302, b"", {"Location": back})
                case "POST", "/connect/token":
                    return self._token(received)
                case "POST", "/connect/revocation":
                    return self._revoke(received)
                case "GET", "/connections":
                    return self._connections(received)
                case "DELETE", _ if received.path.startswith("/connections/"):
                    return self._end(received)
        self.breaches.append(f"{received.name} is nothing that is ever sent")
        return Answer(404, b"")

    def _token(self, received: Received) -> Answer:
        form = dict(parse_qsl(received.body.decode()))
        if not self._knows_app(received):
            return Answer(400, {"error": "invalid_client"})
        if form["grant_type"] == "authorization_code":
            code = self.codes.get(form["code"])
            challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest())
            if (
                code is None
                or code.used
                or self.clock - code.made_at > CODE_S
                or code.redirect_uri != form["redirect_uri"]
                or code.challenge != challenge.rstrip(b"=").decode()
            ):
                return Answer(400, {"error": "invalid_grant"})
            code.used = True
            return self._new_pair(code.person, code.event)
        person = self._whose(form["refresh_token"])
        return self._new_pair(person, "") if person else Answer(400, {"error": "invalid_grant"})

    def _whose(self, refresh: str) -> Person | None:
        for person in self.people.values():
            replaced = person.before.get(refresh)
            if refresh == person.current or (replaced is not None and self.clock - replaced <= GRACE_S):
                return person
        return None

    def _new_pair(self, person: Person, event: str) -> Answer:
        if person.current:
            person.before[person.current] = self.clock
        person.current = "refresh-" + uuid.uuid4().hex
        claims = {
            "xero_userid": f"{person.user}-{self.client_id[:8]}",
            "authentication_event_id": event,
            "jti": uuid.uuid4().hex,
        }
        middle = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
        access = f"eyJhbGciOiJSUzI1NiJ9.{middle}.c2lnbmVk"
        person.access[access] = self.clock + ACCESS_S
        body = {"access_token": access, "expires_in": ACCESS_S, "token_type": "Bearer", "scope": self.scopes}
        if self.gives_refresh:
            body["refresh_token"] = person.current
        return Answer(200, body)

    def _revoke(self, received: Received) -> Answer:
        person = self._whose(dict(parse_qsl(received.body.decode()))["token"])
        if not self._knows_app(received):
            return Answer(400, {"error": "invalid_client"})
        if person is not None:
            person.current, person.before, person.access = "", {}, {}
            self.connections = [each for each in self.connections if each["user"] != person.user]
        return Answer(200, b"")

    def _knows_app(self, received: Received) -> bool:
        given = received.headers.get("authorization", "").removeprefix("Basic ")
        return base64.b64decode(given).decode() == f"{self.client_id}:{self.client_secret}"

    def _bearer(self, received: Received) -> Person | None:
        given = received.headers.get("authorization", "").removeprefix("Bearer ")
        for person in self.people.values():
            if person.access.get(given, 0) > self.clock:
                return person
        return None

    def _connections(self, received: Received) -> Answer:
        person = self._bearer(received)
        if person is None:
            return unauthorised("TokenExpired: token expired")
        event = received.query.get("authEventId")
        rows = [each for each in self.connections if each["user"] == person.user]
        rows = [each for each in rows if event in (None, each["authEventId"])]
        return Answer(200, [{name: value for name, value in each.items() if name != "user"} for each in rows])

    def _end(self, received: Received) -> Answer:
        person = self._bearer(received)
        if person is None:
            return unauthorised("TokenExpired: token expired")
        which = received.path.rsplit("/", 1)[1]
        kept = [each for each in self.connections if (each["id"], each["user"]) != (which, person.user)]
        gone = len(kept) < len(self.connections)
        self.connections = kept
        return Answer(204 if gone else 404)

    def _books(self, received: Received) -> Answer:
        if received.method not in ("GET", "PUT"):
            self.breaches.append(f"{received.name} was sent to the books")
        if received.headers.get("accept") != "application/json":
            self.breaches.append(f"{received.name} did not ask for JSON")
        person = self._bearer(received)
        if person is None:
            return unauthorised("TokenExpired: token expired")
        tenant = received.headers.get("xero-tenant-id")
        if not any((each["tenantId"], each["user"]) == (tenant, person.user) for each in self.connections):
            return unauthorised("AuthenticationUnsuccessful")
        return self._once(received, self.organisations[str(tenant)])

    def _once(self, received: Received, books: Organisation) -> Answer:
        """The answer; for a key that was seen in the last six minutes the one that it had, an error too."""
        key = received.headers.get("idempotency-key")
        if received.method == "GET":
            return books.answer(received)
        if not key or len(key) > 128:
            self.breaches.append(f"{received.name} came with the key {key!r}")
            return books.answer(received)
        asked = (received.method, received.path, received.body)
        stored = self.keys.get(key)
        if stored and self.clock - stored[0] <= KEY_S:
            return stored[2] if stored[1] == asked else validation(f"The key {key} is used with a different request")
        answer = books.answer(received)
        self.keys[key] = (self.clock, asked, answer)
        return answer
