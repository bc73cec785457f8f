"""Xero over HTTP, and nothing else: its sign-in, its list of connections, and one organisation's books.

With `hubspot.api` the only place where stored access is opened. Of the books only GET and PUT are ever sent: PUT makes,
POST could change what is there, and nothing is deleted. What makes bills is refused here unless it makes drafts.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from integrations import tokens
from integrations.exchange import Bearer, Exchange, Limits, Reply
from integrations.pace import Pace
from integrations.terms import ReconnectRequired, TryLater, VendorFailed
from integrations.xero import judging, mapping

VENDOR = "Xero"
DOES_NOT_OPEN = tokens.DOES_NOT_OPEN
SCOPES = (
    "offline_access", "accounting.invoices", "accounting.contacts", "accounting.attachments",
    "accounting.settings.read",
)  # fmt: skip
BOOKS_PATH = "/api.xro/2.0"
# A worker does not sit and wait: what asks for more than a moment is put off, and another bill goes on.
READING = Limits(read_s=20.0, total_s=30.0, tries=2, longest_wait_s=2.0)
WRITING = Limits(read_s=40.0, total_s=60.0, tries=1, longest_wait_s=2.0)
PAGE_SIZE = "100"


@dataclass(frozen=True, slots=True)
class Hosts:
    """Where Xero is: the page where people consent, tokens, and the interface. All one for tests and gateways."""

    login: str = "https://login.xero.com"
    identity: str = "https://identity.xero.com"
    api: str = "https://api.xero.com"


@dataclass(frozen=True, slots=True, repr=False)
class Pair:
    """A new pair of tokens. user, event: whom and which consent they belong to, "" where the token does not say."""

    access: str
    refresh: str
    expires_in_s: float
    scopes: tuple[str, ...]
    user: str
    event: str


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organisation that a grant reaches. connection_id: what the connection to it is ended by."""

    connection_id: str
    tenant_id: str
    name: str
    event: str


def consent_url(hosts: Hosts, app: tokens.Sealed, *, state: str, verifier: str, redirect_uri: str) -> str:
    """Where a person of the practice says yes, for one organisation. Raises ReconnectRequired without an app."""
    asked = {
        "response_type": "code",
        "client_id": tokens.opened(app)["client_id"],
        "redirect_uri": redirect_uri,
        "scope": " ".join(SCOPES),
        "state": state,
        "code_challenge": challenge_of(verifier),
        "code_challenge_method": "S256",
        "acr_values": "bulk_connect:false",
    }
    return f"{hosts.login}/identity/connect/authorize?{urlencode(asked, quote_via=quote)}"


def is_same_app(app: tokens.Sealed, client_id: str) -> bool:
    """Whether what is stored is this very app; one that does not open is not."""
    try:
        return tokens.opened(app)["client_id"] == client_id
    except ReconnectRequired:
        return False


def challenge_of(verifier: str) -> str:
    """The PKCE challenge of a verifier: S256, RFC 7636 section 4.2."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def pair_of_code(hosts: Hosts, app: tokens.Sealed, consent: tokens.Sealed, *, code: str, redirect_uri: str) -> Pair:
    """The tokens for a code, which is good once and for five minutes. Raises AppRefused, GrantRefused, TryLater."""
    return _pair(
        hosts,
        app,
        {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": tokens.opened(consent)["verifier"],
        },
    )


def refreshed_pair(hosts: Hosts, app: tokens.Sealed, grant: tokens.Sealed, which: str = "refresh") -> Pair:
    """A new pair for the stored one. which: "previous" for the refresh token before it, good for 30 minutes more."""
    token = tokens.opened(grant)[which]
    return _pair(hosts, app, {"grant_type": "refresh_token", "refresh_token": token})


def has_previous(grant: tokens.Sealed) -> bool:
    """Whether the refresh token before the stored one is stored too."""
    return bool(tokens.opened(grant).get("previous"))


def sealed_with(grant: tokens.Sealed, pair: Pair) -> Mapping[str, str]:
    """What to seal for this grant: the new pair, and the refresh token that it replaces."""
    before = tokens.opened(grant).get("refresh") if grant.sealed_secrets else ""
    return {"access": pair.access, "refresh": pair.refresh, "previous": before}


def revoke(hosts: Hosts, app: tokens.Sealed, grant: tokens.Sealed) -> None:
    """Withdraw all that this person's consent gave the app, every organisation of it. Raises VendorFailed."""
    with _identity(hosts, app) as asking:
        asking.send("POST", "/connect/revocation", data={"token": tokens.opened(grant)["refresh"]})


def tenants(hosts: Hosts, grant: tokens.Sealed, event: str = "") -> list[Tenant]:
    """The organisations that this grant reaches; those of one consent where `event` names it."""
    params = {"authEventId": event} if event else None
    with _connections(hosts, grant) as asking:
        found = _json(asking.send("GET", "/connections", params=params))
    rows = [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
    return [
        Tenant(*(str(each.get(name) or "") for name in ("id", "tenantId", "tenantName", "authEventId")))
        for each in rows
        if str(each.get("tenantType", "")).upper() == "ORGANISATION" and each.get("id") and each.get("tenantId")
    ]


def end_connection(hosts: Hosts, grant: tokens.Sealed, connection_id: str) -> None:
    """End the connection to one organisation. One that is gone already is as good. Raises VendorFailed."""
    with _connections(hosts, grant) as asking:
        asking.send("DELETE", f"/connections/{connection_id}")


class Books:
    """One organisation's contacts, bills and attachments, for one piece of work.

    Whatever a method raises is a VendorFailed; of a method that sends, only a plain TryLater leaves open whether Xero
    took it.
    """

    def __init__(self, hosts: Hosts, grant: tokens.Sealed, tenant_id: str, pace: Pace | None = None) -> None:
        auth = Bearer(tokens.opened(grant)["access"])
        self._tenant = {"xero-tenant-id": tenant_id}
        base = hosts.api + BOOKS_PATH
        self._reads = Exchange(VENDOR, base, judging.of_books, auth=auth, pace=pace, limits=READING)
        self._writes = Exchange(VENDOR, base, judging.of_books, auth=auth, pace=pace, limits=WRITING, methods=("PUT",))

    def __enter__(self) -> Books:
        return self

    def __exit__(self, *_: object) -> None:
        self._reads.close()
        self._writes.close()

    def __repr__(self) -> str:
        return "Books(…)"

    def contacts_named(self, name: str) -> list[mapping.FoundContact]:
        """Every contact of this name, archived ones too; found by a search where no filter can hold the name."""
        where = mapping.name_filter(name)
        asked = {"where": where} if where else {"searchTerm": mapping.search_term(name)}
        found = self._get("/Contacts", {**asked, "includeArchived": "true", "page": "1", "pageSize": PAGE_SIZE})
        return mapping.read_contacts(found)

    def contacts_like(self, name: str) -> list[mapping.FoundContact]:
        """Contacts that a search for the name finds: for a filter that Xero could not read."""
        asked = {"searchTerm": mapping.search_term(name), "includeArchived": "true"}
        return mapping.read_contacts(self._get("/Contacts", {**asked, "page": "1", "pageSize": PAGE_SIZE}))

    def contact(self, contact_id: str) -> mapping.FoundContact | None:
        """The contact of this id; None where the answer holds none. Raises NotThere."""
        found = mapping.read_contacts(self._get(f"/Contacts/{contact_id}", None))
        return found[0] if found else None

    def make_contact(self, name: str, abn: str, key: str) -> mapping.FoundContact | None:
        """The contact that was made; a name that is taken is refused."""
        made = {"Name": name, **({"TaxNumber": abn} if abn else {})}
        said = self._put("/Contacts", mapping.encoded({"Contacts": [made]}), key)
        found = mapping.read_contacts(said)
        return found[0] if found else None

    def make_bill(self, text: str, key: str) -> mapping.FoundBill | None:
        """The draft that was made of this text, or what Xero says against it, row by row; None for no row at all.

        Raises ValueError, and sends nothing, where the text makes anything but draft bills.
        """
        if not mapping.is_draft_bill(text):
            raise ValueError("Only new draft bills are sent to Xero.")
        said = mapping.read_bills(self._put("/Invoices", text, key, {"summarizeErrors": "false", "unitdp": "4"}))
        return said[0] if said else None

    def bills_of(self, contact_id: str, number: str) -> list[mapping.FoundBill]:
        """The bills of this contact that the app made, whatever became of them."""
        asked = {"createdByMyApp": "true", "ContactIDs": contact_id, "page": "1", "pageSize": PAGE_SIZE, "unitdp": "4"}
        if number and "," not in number:
            asked["InvoiceNumbers"] = number
        return mapping.read_bills(self._get("/Invoices", asked))

    def bill(self, invoice_id: str) -> mapping.FoundBill | None:
        """The bill of this id; None where the answer holds none. Raises NotThere."""
        found = mapping.read_bills(self._get(f"/Invoices/{invoice_id}", {"unitdp": "4"}))
        return found[0] if found else None

    def attach(self, invoice_id: str, name: str, media_type: str, content: bytes, key: str) -> None:
        """Put a file to a bill under a name of letters, digits, dots and hyphens."""
        self._writes.send(
            "PUT",
            f"/Invoices/{invoice_id}/Attachments/{name}",
            named=f"/Invoices/{invoice_id}/Attachments",
            content=content,
            headers={**self._tenant, "Content-Type": media_type, "Idempotency-Key": key},
        )

    def attachments(self, invoice_id: str) -> dict[str, int]:
        """The files of a bill: name → bytes, -1 where Xero does not say how many."""
        found = self._get(f"/Invoices/{invoice_id}/Attachments", None)
        rows = found.get("Attachments") if isinstance(found, dict) else None
        return {
            str(each.get("FileName", "")): each["ContentLength"] if isinstance(each.get("ContentLength"), int) else -1
            for each in (rows if isinstance(rows, list) else ())
            if isinstance(each, dict)
        }

    def _get(self, path: str, params: Mapping[str, str] | None) -> Any:
        return _json(self._reads.send("GET", path, params=params, headers=self._tenant))

    def _put(self, path: str, text: str, key: str, params: Mapping[str, str] | None = None) -> Any:
        headers = {**self._tenant, "Content-Type": "application/json", "Idempotency-Key": key}
        return _json(self._writes.send("PUT", path, params=params, content=text.encode(), headers=headers))


def _pair(hosts: Hosts, app: tokens.Sealed, form: Mapping[str, str]) -> Pair:
    with _identity(hosts, app) as asking:
        found = asking.send("POST", "/connect/token", data=form, tries=1).problem
    access, refresh, lasts = found.get("access_token"), found.get("refresh_token"), found.get("expires_in")
    if not isinstance(access, str) or not access or isinstance(lasts, bool) or not isinstance(lasts, int | float):
        raise TryLater(judging.UNREADABLE)
    if not isinstance(refresh, str) or not refresh:
        raise VendorFailed("Xero gave access for half an hour only. Look whether the app is a Web app, and try again.")
    claims = _claims(access)
    scopes = tuple(str(found.get("scope") or "").split())
    return Pair(
        access, refresh, float(lasts), scopes, claims.get("xero_userid", ""), claims.get("authentication_event_id", "")
    )


def _claims(token: str) -> dict[str, str]:
    """What an access token says of itself. It came from Xero over TLS just now; nothing is let in by it."""
    part = token.split(".")[1] if token.count(".") == 2 else ""
    try:
        found = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, binascii.Error):
        return {}
    known = found if isinstance(found, dict) else {}
    return {name: value[:64] for name, value in known.items() if isinstance(value, str)}


def _identity(hosts: Hosts, app: tokens.Sealed) -> Exchange:
    held = tokens.opened(app)
    auth = httpx.BasicAuth(held["client_id"], held["client_secret"])
    return Exchange(VENDOR, hosts.identity, judging.of_access, auth=auth, limits=READING, methods=("POST",))


def _connections(hosts: Hosts, grant: tokens.Sealed) -> Exchange:
    auth = Bearer(tokens.opened(grant)["access"])
    return Exchange(VENDOR, hosts.api, judging.of_connections, auth=auth, limits=READING, methods=("GET", "DELETE"))


def _json(reply: Reply) -> Any:
    try:
        return reply.json()
    except ValueError:
        raise TryLater(judging.UNREADABLE) from None
