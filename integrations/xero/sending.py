"""What each state of a bill asks for, done by the worker that has it. One call of Xero's, and it is written down.

"Bill sent" is written before the bill goes out, with its key and its very text. Whoever finds it so sends the same
again while Xero still knows the key, and afterwards looks for the bill before it makes another.
"""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from integrations.models import XeroOrganisation, XeroPush
from integrations.terms import LacksScopes, ReconnectRequired, TryLater, VendorFailed
from integrations.xero import access, attaching, contacts, machine, mapping, originals, outbox, sources, words
from integrations.xero.machine import Event, State
from integrations.xero.mapping import ApprovedBill, FoundBill
from integrations.xero.outbox import Overtaken
from integrations.xero.problems import AppRefused, KeyReused, NotThere, Refused, TooMany

logger = logging.getLogger(__name__)

MOST_STEPS = 12
MOST_TRIES = 10
FIRST_WAIT_S, LONGEST_WAIT_S = 10.0, 900.0
WAITS_FOR_PERSON_S = 60.0  # until somebody has connected anew; the sweep leaves it alone meanwhile
GONE = ("DELETED", "VOIDED")
OUR_FAULT = "Something went wrong in AsAt, not in Xero. If it stays so, tell whoever runs it."


def carry(push: XeroPush) -> None:
    """Take a claimed bill as far as it goes now. Whatever stops it is written down, and raised if it is our fault."""
    organisation = (
        XeroOrganisation.objects.select_related("connection", "grant")
        .filter(client_id=push.client_id, tenant_id=push.tenant_id, ending=False)
        .first()
    )
    try:
        if organisation is None:
            outbox.fails(push, words.NOT_CONNECTED)
            return
        now = timezone.now()
        if organisation.parked_until and organisation.parked_until > now:
            _waits_until(push, organisation.parked_until, organisation.parked_why)
            return
        for _ in range(MOST_STEPS):
            if not push.is_working or push.claimed_until is None:
                return
            _one_step(push, organisation)
        outbox.waits(push, "", FIRST_WAIT_S)
    except Overtaken:
        logger.info("bill %s went on in another worker", push.pk)
    except Exception as error:  # a fault of ours; tried a few times more, and not for ever
        logger.error("bill %s stopped: %s", push.pk, type(error).__name__)
        with suppress(Overtaken):
            _tries_later(push, TryLater(OUR_FAULT))
        raise


def _one_step(push: XeroPush, organisation: XeroOrganisation) -> None:
    bill = mapping.from_record(push.bill)
    try:
        match State(push.state):
            case State.QUEUED if why := sources.why_withdrawn(push):
                outbox.fails(push, why)
            case State.QUEUED:
                _resolve(push, organisation, bill)
            case State.CONTACT_RESOLVED:
                _begin(push, bill)
            case State.BILL_SENT:
                _send_or_look(push, organisation, bill)
            case State.BILL_CONFIRMED:
                _attach(push, organisation, bill)
            case _:
                _list(push, organisation)
    except VendorFailed as error:
        _stopped(push, error)


def _resolve(push: XeroPush, organisation: XeroOrganisation, bill: ApprovedBill) -> None:
    contact_id = contacts.resolve(organisation, push, bill)
    outbox.happened(push, Event.CONTACT_FOUND, contact_id=contact_id, why="")


@transaction.atomic
def _begin(push: XeroPush, bill: ApprovedBill) -> None:
    """Write down that the bill goes out, before it does; not where what it was made of was taken back meanwhile."""
    if why := sources.why_withdrawn(push):
        outbox.fails(push, why)
        return
    outbox.happened(
        push,
        Event.SENDING,
        generation=push.generation + 1,
        body=mapping.encoded(mapping.invoice(bill, push.contact_id, push.url)),
        sent_at=timezone.now(),
        may_exist=True,
    )


def _send_or_look(push: XeroPush, organisation: XeroOrganisation, bill: ApprovedBill) -> None:
    sent_s_ago = (timezone.now() - push.sent_at).total_seconds() if push.sent_at else -1.0
    if push.body and machine.may_resend(sent_s_ago):
        _send(push, organisation, bill)
    else:
        _look(push, organisation, bill)


def _send(push: XeroPush, organisation: XeroOrganisation, bill: ApprovedBill) -> None:
    key = f"bill-{push.pk}-{push.generation}"
    text = push.body
    try:
        made = access.with_books(organisation, lambda books: books.make_bill(text, key))
    except KeyReused as error:
        logger.error("the key of bill %s was used for another request", push.pk)
        outbox.waits(push, words.said(error.messages), 0, sent_at=None)  # look for it, do not send it
        return
    except Refused as error:
        _refused(push, organisation, error.messages)
        return
    if made is not None and made.errors:
        _refused(push, organisation, made.errors)
    elif made is None or not made.invoice_id:
        raise TryLater(words.UNKNOWN_OUTCOME)
    else:
        _confirm(push, bill, made)


def _refused(push: XeroPush, organisation: XeroOrganisation, messages: tuple[str, ...]) -> None:
    """Xero has not made the bill and says why. The next try has a key of its own, since Xero keeps this answer too."""
    said = " ".join(messages)
    if push.url and re.search(r"\burl\b", said, re.IGNORECASE):
        outbox.happened(push, Event.NOT_IN_XERO, url="", body="", may_exist=False)
        return
    fields: dict[str, object] = {"body": "", "may_exist": False}
    if re.search(r"\bcontact\b", said, re.IGNORECASE):
        contacts.forget(organisation, push.contact_id)
        fields["contact_id"] = ""
    outbox.fails(push, words.said(messages), **fields)


def _look(push: XeroPush, organisation: XeroOrganisation, bill: ApprovedBill) -> None:
    """Whether Xero has the bill that we did not hear of: taken as ours, or sent anew, or a person's to decide."""
    found = access.with_books(organisation, lambda books: books.bills_of(push.contact_id, bill.number))
    same = mapping.same_bill(found, bill, push.contact_id, push.url)
    theirs = XeroPush.objects.filter(tenant_id=push.tenant_id, invoice_id__in=[each.invoice_id for each in same])
    taken = set(theirs.exclude(pk=push.pk).values_list("invoice_id", flat=True))
    same = [each for each in same if each.invoice_id not in taken]
    alive = [each for each in same if each.status not in GONE]
    if len(alive) > 1:
        outbox.fails(push, words.SEVERAL_BILLS)
    elif alive:
        _confirm(push, bill, alive[0])
    elif same and push.generation < 2:
        status = same[0].status.lower()
        outbox.fails(push, words.DELETED.format(status=status), body="", may_exist=False)
    else:
        outbox.happened(push, Event.NOT_IN_XERO, body="", may_exist=False)


def _confirm(push: XeroPush, bill: ApprovedBill, made: FoundBill) -> None:
    notes = [f"Xero: “{warning}”" for warning in made.warnings]
    if made.total_cents != bill.total_cents:
        notes.append(words.TOTAL_DIFFERS.format(theirs=_money(made.total_cents), ours=_money(bill.total_cents)))
    try:
        with transaction.atomic():
            outbox.happened(
                push,
                Event.CONFIRMED,
                invoice_id=made.invoice_id,
                may_exist=False,
                why="",
                tries=0,
                notes=outbox.noted(push, *notes),
            )
    except IntegrityError:
        push.refresh_from_db()
        outbox.fails(push, words.SEVERAL_BILLS)


def _attach(push: XeroPush, organisation: XeroOrganisation, bill: ApprovedBill) -> None:
    original = bill.original
    if original is None:
        outbox.happened(push, Event.NOTHING_TO_ATTACH, why="")
        return
    if why := attaching.why_not(original.media_type):
        outbox.fails(push, why)
        return
    content = originals.read(original.source)
    if why := attaching.why_not(original.media_type, len(content)):
        outbox.fails(push, why)
        return
    name = attaching.attachment_name(original.name, original.media_type, push.pk.hex[:8])
    key = f"file-{push.pk}-{push.attempt}-{push.tries}"
    access.with_books(
        organisation, lambda books: books.attach(push.invoice_id, name, original.media_type, content, key)
    )
    outbox.happened(push, Event.ATTACHED, attachment_name=name, attachment_bytes=len(content))


def _list(push: XeroPush, organisation: XeroOrganisation) -> None:
    """Done only when Xero lists the file at the bill: an upload that was answered may still be at nothing."""
    there = access.with_books(organisation, lambda books: books.attachments(push.invoice_id))
    if there.get(push.attachment_name) in (push.attachment_bytes, -1):
        outbox.happened(push, Event.LISTED, why="")
    elif push.tries + 1 >= 3:
        outbox.fails(push, "Xero took the original and does not show it at the bill. Attach it in Xero yourself.")
    else:
        outbox.happened(push, Event.NOT_LISTED, tries=push.tries + 1)


def _stopped(push: XeroPush, error: VendorFailed) -> None:
    """What to do about what Xero, or the lack of it, said: wait for a person, wait a while, or keep it as failed."""
    if isinstance(error, ReconnectRequired | LacksScopes | AppRefused):
        outbox.waits(push, error.message, WAITS_FOR_PERSON_S, counts=False)
    elif isinstance(error, TooMany):
        wait = error.retry_after_s if error.retry_after_s is not None else 5.0
        outbox.waits(push, error.message if error.is_day else "", min(wait, 86_400.0), counts=False)
    elif isinstance(error, TryLater):
        _tries_later(push, error)
    elif isinstance(error, NotThere) and push.invoice_id:
        outbox.fails(push, "The bill is not in Xero any more. It is not made again by itself.")
    elif isinstance(error, Refused):
        outbox.fails(push, words.said(error.messages))
    else:
        outbox.fails(push, error.message)


def _tries_later(push: XeroPush, error: TryLater) -> None:
    why = words.UNKNOWN_OUTCOME if push.state == State.BILL_SENT else error.message
    if push.tries + 1 >= MOST_TRIES:
        outbox.fails(push, why)
        return
    asked = error.retry_after_s
    wait = min(FIRST_WAIT_S * 2**push.tries, LONGEST_WAIT_S) if asked is None else min(asked, LONGEST_WAIT_S)
    outbox.waits(push, why, wait, counts=asked is None)


def _waits_until(push: XeroPush, until: datetime, why: str) -> None:
    outbox.waits(push, why, max((until - timezone.now()) / timedelta(seconds=1), 0.0), counts=False)


def _money(cents: int | None) -> str:
    return "unknown" if cents is None else f"${cents / 100:,.2f}"
