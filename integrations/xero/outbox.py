"""The outbox: bills that were approved here, on their way to Xero as drafts, each once.

`queue` is what a button does, and is safe under any number of clicks. `claim` gives a bill to one worker for a while,
and whatever that worker writes is bound to its claim. `machine` says which state follows which; `sending` does what a
state asks for.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from clients.models import Client
from integrations.models import Connection, XeroOrganisation, XeroPush
from integrations.terms import VendorFailed
from integrations.xero import machine, mapping, words
from integrations.xero.machine import Event, State
from integrations.xero.mapping import ApprovedBill

LEASE = timedelta(seconds=180)  # longer than two calls of Xero's, with an access refreshed between them, may take
WHY_CHARS = 1000
NOTE_CHARS = 400
SEEN_NO_MORE = "Whoever sent this does not see the client any more. Somebody who does can try again."


class Overtaken(Exception):
    """Another worker has the bill now, or a person has changed it; whatever was found is theirs to find again."""


@dataclass(slots=True)
class Queued:
    """What became of the bills that were to be sent. refused: what keeps a bill back, by its source id."""

    new: list[XeroPush] = field(default_factory=list)
    again: list[XeroPush] = field(default_factory=list)
    skipped: list[XeroPush] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def organisation_of(client: Client) -> XeroOrganisation | None:
    """The organisation that this client's bills go to; None where none is connected."""
    return XeroOrganisation.objects.select_related("connection", "grant").filter(client=client, ending=False).first()


def queue(user: Any, client: Client, bills: Iterable[ApprovedBill], page: str = "") -> Queued:
    """Take these bills to be sent; what was taken before is skipped, and what failed is tried again.

    page: the address of a bill's page here, with "{id}" where its id stands; "" to send no address along.
    Raises VendorFailed where the client has no organisation.
    """
    organisation = organisation_of(client)
    if organisation is None:
        raise VendorFailed(words.NOT_CONNECTED)
    done = Queued()
    for bill in bills:
        if wrong := mapping.why_not(bill):
            done.refused[bill.source_id] = " ".join(wrong)
            continue
        made = XeroPush(
            client=client,
            tenant_id=organisation.tenant_id,
            source_kind=bill.source_kind,
            source_id=bill.source_id,
            bill=mapping.as_record(bill),
            by=user,
        )
        made.url = page.format(id=made.id)[:300]
        XeroPush.objects.bulk_create([made], ignore_conflicts=True)
        stored = XeroPush.objects.get(
            tenant_id=organisation.tenant_id, source_kind=bill.source_kind, source_id=bill.source_id
        )
        if stored.pk == made.pk:
            done.new.append(stored)
        elif stored.state == State.FAILED and again(user, stored, bill):
            done.again.append(XeroPush.objects.get(pk=stored.pk))
        else:
            done.skipped.append(stored)
    return done


def again(user: Any, push: XeroPush, bill: ApprovedBill | None = None) -> bool:
    """Whether a bill that failed goes on now, from what is known of it; False where it is not a failed one any more.

    bill: as it was corrected meanwhile; not taken where Xero has it, or may have it.
    """
    may_have = push.may_exist and not push.invoice_id
    event = machine.again(has_bill=bool(push.invoice_id), may_have_bill=may_have, has_contact=bool(push.contact_id))
    changes: dict[str, Any] = {}
    if bill is not None and not push.invoice_id and not may_have:
        if mapping.name_key(bill.supplier) != mapping.name_key(push.bill["supplier"]):
            event, changes = Event.AGAIN_FROM_START, {"contact_id": ""}
        changes["bill"] = mapping.as_record(bill)
    return bool(
        XeroPush.objects.filter(pk=push.pk, state=State.FAILED, attempt=push.attempt).update(
            state=machine.after(State.FAILED, event),
            why="",
            tries=0,
            not_before=None,
            claimed_until=None,
            finished_at=None,
            by=user,
            **changes,
        )
    )


def claim(push_id: uuid.UUID, now: datetime) -> XeroPush | None:
    """The bill, this worker's for a while; None where another has it, or where it does not go on now."""
    free = XeroPush.objects.filter(pk=push_id, state__in=machine.WORKING).filter(
        Q(claimed_until=None) | Q(claimed_until__lt=now), Q(not_before=None) | Q(not_before__lte=now)
    )
    if not free.update(attempt=F("attempt") + 1, claimed_until=now + LEASE):
        return None
    return XeroPush.objects.get(pk=push_id)


def happened(push: XeroPush, event: Event, **fields: Any) -> None:
    """Write down what happened, with what is known by it, and keep the claim. Raises Overtaken, NotAllowed."""
    before = State(push.state)
    state = machine.after(before, event)
    ends = {"claimed_until": None, "finished_at": timezone.now()} if state in (State.DONE, State.FAILED) else {}
    _write(push, before, {"claimed_until": timezone.now() + LEASE, **fields, **ends, "state": state})


def waits(push: XeroPush, why: str, seconds: float, *, counts: bool = True, **fields: Any) -> None:
    """Leave the bill where it is for so long, and give it up to whoever comes then. counts: as a try that failed."""
    _write(
        push,
        State(push.state),
        {
            "why": why[:WHY_CHARS],
            "not_before": timezone.now() + timedelta(seconds=seconds),
            "claimed_until": None,
            "tries": push.tries + counts,
            **fields,
        },
    )


def fails(push: XeroPush, why: str, **fields: Any) -> None:
    """Keep the bill for another try by a person."""
    happened(push, Event.FAILED, why=why[:WHY_CHARS], **fields)


def noted(push: XeroPush, *notes: str) -> list[str]:
    """The bill's notes with these, each once and short enough."""
    return list(dict.fromkeys([*push.notes, *(note[:NOTE_CHARS] for note in notes if note)]))


def _write(push: XeroPush, before: State, fields: dict[str, Any]) -> None:
    held = XeroPush.objects.filter(pk=push.pk, attempt=push.attempt, state=before)
    if not held.update(**fields):
        raise Overtaken(f"Bill {push.pk} is not this worker's any more.")
    for name, value in fields.items():
        setattr(push, name, value)


def strand(now: datetime) -> int:
    """Keep as failed what is on its way to an organisation that is connected no more; how many bills."""
    connected = XeroOrganisation.objects.filter(ending=False).values("tenant_id")
    lost = XeroPush.objects.filter(state__in=machine.WORKING).exclude(tenant_id__in=connected)
    return lost.filter(Q(claimed_until=None) | Q(claimed_until__lt=now)).update(
        state=State.FAILED, why=words.NOT_CONNECTED, claimed_until=None, finished_at=now
    )


def due(now: datetime, most: int) -> list[XeroPush]:
    """The bills that may go on and are in no worker's hands, the longest waiting first."""
    ready = XeroOrganisation.objects.filter(
        Q(parked_until=None) | Q(parked_until__lte=now), ending=False, connection__status=Connection.Status.CONNECTED
    )
    return list(
        XeroPush.objects.filter(state__in=machine.WORKING, tenant_id__in=ready.values("tenant_id"))
        .filter(Q(claimed_until=None) | Q(claimed_until__lt=now), Q(not_before=None) | Q(not_before__lte=now))
        .order_by("queued_at", "pk")[:most]
    )
