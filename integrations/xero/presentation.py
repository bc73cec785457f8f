"""A bill's way to Xero and a client's connection, as their pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from clients.models import Client
from integrations.models import Connection, XeroOrganisation, XeroPush
from integrations.xero import access, mapping
from integrations.xero.machine import State

BILL_AT_XERO = "https://go.xero.com/AccountsPayable/View.aspx?InvoiceID={}"
MOST_LINES = 200
WITHOUT_ORIGINAL = "In Xero as a draft, without its original"
TONES = {State.DONE: "answered", State.FAILED: "fault"}


@dataclass(frozen=True, slots=True)
class Line:
    """One bill of the list. link: the bill at Xero, "" while it has none. may_again: whether a person can try again."""

    push: XeroPush
    supplier: str
    number: str
    dated: date
    total: str
    words: str
    tone: str
    link: str
    may_again: bool


def line_of(push: XeroPush) -> Line:
    """The bill's line."""
    bill = mapping.from_record(push.bill)
    failed = push.state == State.FAILED
    return Line(
        push=push,
        supplier=bill.supplier,
        number=bill.number,
        dated=bill.dated,
        total=f"{'$' if bill.currency == 'AUD' else bill.currency + ' '}{bill.total_cents / 100:,.2f}",
        words=WITHOUT_ORIGINAL if failed and push.invoice_id else push.get_state_display(),
        tone="refused" if failed and push.invoice_id else TONES.get(State(push.state), "running"),
        link=BILL_AT_XERO.format(push.invoice_id) if push.invoice_id else "",
        may_again=failed,
    )


def lines_of(client: Client) -> list[Line]:
    """The client's bills, newest first."""
    return [line_of(push) for push in XeroPush.objects.filter(client=client)[:MOST_LINES]]


def may_come_back_to(address: str) -> bool:
    """Whether Xero sends a browser back to this address: https, or this machine under its plain name."""
    parts = urlsplit(address)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname == "localhost")


def card(redirect_uri: str) -> dict[str, Any]:
    """What Settings → Connections shows of Xero."""
    found = XeroOrganisation.objects.filter(ending=False)
    needs = found.filter(connection__status=Connection.Status.RECONNECT_REQUIRED)
    return {
        "xero": access.app(),
        "xero_redirect": redirect_uri,
        "xero_may_come_back": may_come_back_to(redirect_uri),
        "xero_organisations": found.select_related("connection", "client").order_by("client__name")[:MOST_LINES],
        "xero_waiting": needs.count(),
    }
