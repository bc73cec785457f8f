"""What the tests of Xero share: a practice with an app, a client with an organisation, a bill, and a worker's round."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import redis
from django.conf import settings
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from asat_site.testing.xero_server import Organisation, Xero
from clients.models import Client
from integrations.models import XeroOrganisation, XeroPush
from integrations.xero import access, consenting, outbox, sending
from integrations.xero.mapping import ApprovedBill, Original

SESSION = "a-session-of-the-test"
REDIRECT = "http://ashby.localhost/settings/connections/xero/back/"
PDF = b"%PDF-1.7 invoice"
ORIGINALS: dict[str, bytes] = {}


def read_original(which: str) -> bytes:
    """For ASAT_ORIGINALS: what a test put there, or LookupError."""
    return ORIGINALS[which]


@contextmanager
def speaking(known: KnownPractice, role: str = "owner") -> Iterator[Any]:
    """In the practice, as its user of that role."""
    user = known.users[role]
    with in_practice(known.practice, user.pk):
        yield user


def make_app(known: KnownPractice, xero: Xero) -> None:
    """The practice's app, as this Xero knows it."""
    xero.redirects.append(REDIRECT)
    with speaking(known) as owner:
        access.set_app(owner, xero.client_id, xero.client_secret)


def connect(
    known: KnownPractice, xero: Xero, name: str = "Example Plumbing Pty Ltd", user: str = "ann"
) -> tuple[XeroOrganisation, Organisation]:
    """A new client, connected with a new organisation by this person of Xero's."""
    books = xero.organisation(name)
    with speaking(known) as owner:
        client = Client.objects.create(name=f"{name} {uuid.uuid4().hex[:6]}")
        consent(owner, xero, client, [books], user)
        return XeroOrganisation.objects.select_related("connection", "grant", "client").get(client=client), books


def consent(owner: Any, xero: Xero, client: Client, to: list[Organisation], user: str = "ann") -> Any:
    """The whole way there and back for this client."""
    address = consenting.begin(owner, SESSION, client, REDIRECT)
    back = parse_qs(urlsplit(xero.consents(address, to, user)).query)
    return consenting.answered(owner, SESSION, state=back["state"][0], code=back["code"][0])


def bill(**change: Any) -> ApprovedBill:
    """An approved bill of 110.00 with its GST and original; each call another."""
    which = uuid.uuid4().hex
    ORIGINALS[which] = PDF
    told: dict[str, Any] = {
        "source_kind": "transaction",
        "source_id": which,
        "supplier": "Example Parts Co",
        "dated": date(2026, 10, 4),
        "total_cents": 11000,
        "gst_cents": 1000,
        "number": f"EP-{which[:6]}",
        "original": Original("invoice.pdf", "application/pdf", f"test:{which}"),
    }
    return ApprovedBill(**{**told, **change})


def queued(organisation: XeroOrganisation, owner: Any, one: ApprovedBill) -> XeroPush:
    """The bill, in the outbox."""
    done = outbox.queue(owner, organisation.client, [one], "https://ashby.example/bills/{id}/")
    (push,) = [*done.new, *done.again, *done.skipped]
    return push


def work(push: XeroPush) -> XeroPush:
    """What one worker makes of it now; as it stands afterwards."""
    claimed = outbox.claim(push.pk, timezone.now())
    if claimed is not None:
        sending.carry(claimed)
    return XeroPush.objects.get(pk=push.pk)


def later(push: XeroPush, xero: Xero, seconds: float) -> XeroPush:
    """So many seconds pass, for the bill and for Xero."""
    xero.clock += seconds
    for name in ("sent_at", "claimed_until", "not_before"):
        if (at := getattr(push, name)) is not None:
            XeroPush.objects.filter(pk=push.pk).update(**{name: at - timedelta(seconds=seconds)})
    XeroOrganisation.objects.filter(tenant_id=push.tenant_id).update(parked_until=None)
    return XeroPush.objects.get(pk=push.pk)


def forget_pace() -> None:
    """Let the count of calls begin anew, so that tests do not wait for each other."""
    client = redis.Redis.from_url(settings.REDIS_URL)
    for key in client.scan_iter("asat:pace:*xero*"):
        client.delete(key)
