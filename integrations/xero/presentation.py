"""A bill's way to Xero and a client's connection, as their pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from urllib.parse import urlsplit

from django.utils import timezone
from django.utils.formats import date_format

from clients.models import Client
from integrations.models import Connection, XeroOrganisation, XeroPush
from integrations.xero import access, mapping
from integrations.xero.machine import State

BILL_AT_XERO = "https://go.xero.com/AccountsPayable/View.aspx?InvoiceID={}"
MOST_LINES = 200
WITHOUT_ORIGINAL = "In Xero as a draft, without its original"
NOT_KNOWN = "May be in Xero; looked for first when tried again"
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
        words=_words(push),
        tone="refused" if failed and (push.invoice_id or push.may_exist) else TONES.get(State(push.state), "running"),
        link=BILL_AT_XERO.format(push.invoice_id) if push.invoice_id else "",
        may_again=failed,
    )


def _words(push: XeroPush) -> str:
    if push.state == State.FAILED and push.invoice_id:
        return WITHOUT_ORIGINAL
    return NOT_KNOWN if push.state == State.FAILED and push.may_exist else push.get_state_display()


def lines_of(client: Client) -> list[Line]:
    """The client's bills, newest first."""
    return [line_of(push) for push in XeroPush.objects.filter(client=client)[:MOST_LINES]]


def parked(organisation: XeroOrganisation, now: datetime) -> str:
    """Why and until when the organisation is left in peace, where that is worth saying; "" otherwise."""
    until = organisation.parked_until
    if not organisation.parked_why or until is None or until <= now:
        return ""
    return f"{organisation.parked_why} It is asked again from {date_format(timezone.localtime(until), 'j F Y, g:i a')}."


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
