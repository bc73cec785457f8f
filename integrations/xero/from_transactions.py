"""Entries of the ledger as bills for Xero, and how far each has got: what `clients.ledger.sending` asks for.

Bills and receipts that stand go; bank lines, and what was reversed or reverses, do not. An entry is one bill for good:
its id is what the outbox knows it by.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, UUIDField
from django.db.models.functions import Cast
from django.urls import reverse

from clients import holding
from clients.ledger import queries
from clients.ledger.sending import Place, Sent
from clients.models import Client, Document, Transaction
from integrations.models import Connection, XeroContact, XeroOrganisation, XeroPush
from integrations.xero import outbox, presentation, words
from integrations.xero.mapping import ApprovedBill, BillLine, Original, Treatment

SOURCE_KIND = "transaction"
MOST_AT_ONCE = 200  # some five seconds' work for one request; the rest is asked for again
MOST_NAMED = 1_000  # of more entries, as an export has them, all that was sent is looked through
BANK_LINE = "This is a bank line. Only bills and receipts are sent."
WAS_REVERSED = "It was reversed. A draft that is in Xero already stays there; delete it in Xero yourself."
REVERSES = "It takes another entry back and is not sent. A draft that is in Xero already stays there."
_TREATMENTS = {True: Treatment.TAXABLE, False: Treatment.GST_FREE, None: None}


@dataclass(slots=True)
class Pushed:
    """What became of entries that were to be sent, each with its push or why it was refused. left: not looked at.

    twice: those of whose document Xero has a draft from an approval that was taken back.
    """

    new: list[tuple[Transaction, XeroPush]] = field(default_factory=list)
    again: list[tuple[Transaction, XeroPush]] = field(default_factory=list)
    skipped: list[tuple[Transaction, XeroPush]] = field(default_factory=list)
    refused: list[tuple[Transaction, str]] = field(default_factory=list)
    left: int = 0
    twice: frozenset[UUID] = frozenset()


def bill_of(entry: Transaction) -> ApprovedBill:
    """The entry as a bill. Lines that do not come to its total are left out, and the total goes alone."""
    lines = tuple(
        BillLine(str(each["description"]), int(each["amount_cents"]), _TREATMENTS[each.get("is_taxable")])
        for each in entry.lines
    )
    document = entry.document
    return ApprovedBill(
        source_kind=SOURCE_KIND,
        source_id=str(entry.pk),
        supplier=entry.supplier,
        dated=entry.dated,
        total_cents=entry.total_cents,
        abn=entry.abn,
        due=entry.due,
        number=entry.number,
        currency=entry.currency,
        gst_cents=entry.gst_cents,
        lines=lines if sum(line.amount_cents for line in lines) == entry.total_cents else (),
        original=Original(document.name, document.media_type, f"document:{document.pk}"),
        supplies=max(1, len(entry.lines) or len((document.reading or {}).get("lines", ()))),
    )


def why_not(entry: Transaction) -> str:
    """What kind of entry keeps it from being sent at all, in words; "" for none."""
    if entry.kind == Transaction.Kind.BANK:
        return BANK_LINE
    if entry.reverses_id is not None:
        return REVERSES
    return WAS_REVERSED if queries.is_reversed(entry) else ""


def not_there(client: Client) -> list[UUID]:
    """The client's entries that are to go and have not arrived, oldest first."""
    found = queries.unsent(Transaction.objects.filter(client=client))
    return list(found.order_by("dated", "id").values_list("pk", flat=True))


@transaction.atomic
def push(user: Any, client: Client, ids: Collection[UUID], page: str) -> Pushed:
    """Take these entries of the client's to be sent as drafts, up to MOST_AT_ONCE; page as `outbox.queue` has it.

    Client and documents are held meanwhile, so that what is reversed at the same time is either seen as reversed or is
    in the outbox before it is. Raises VendorFailed where the client has no organisation.
    """
    holding.hold(client.pk)
    entries = Transaction.objects.filter(client=client, pk__in=list(ids)[:MOST_AT_ONCE])
    held = Document.objects.select_for_update().filter(pk__in=entries.order_by().values("document_id"))
    list(held.order_by("pk").values_list("pk", flat=True))
    done, going = Pushed(left=max(0, len(ids) - MOST_AT_ONCE)), {}
    for entry in entries.select_related("document", "reversed_by_entry").order_by("dated", "id"):
        if why := why_not(entry):
            done.refused.append((entry, why))
        else:
            going[str(entry.pk)] = entry
    queued = outbox.queue(user, client, [bill_of(entry) for entry in going.values()], page)
    for found, pushes in ((done.new, queued.new), (done.again, queued.again), (done.skipped, queued.skipped)):
        found.extend((going[one.source_id], one) for one in pushes)
    done.twice = _sent_earlier([entry for entry, _ in done.new + done.again])
    done.refused += [(going[source_id], why) for source_id, why in queued.refused.items()]
    return done


def _sent_earlier(entries: list[Transaction]) -> frozenset[UUID]:
    """Those of whose document Xero has, or may have, a bill that was made of another entry."""
    documents = {entry.document_id for entry in entries}
    others = Transaction.objects.filter(document_id__in=documents, reverses=None).exclude(kind=Transaction.Kind.BANK)
    document_of = {str(pk): document for pk, document in others.values_list("pk", "document_id")}
    there = XeroPush.objects.filter(~Q(invoice_id="") | Q(may_exist=True), source_kind=SOURCE_KIND)
    sent = dict(there.filter(source_id__in=list(document_of)).values_list("source_id", "pk"))
    return frozenset(
        entry.pk
        for entry in entries
        if any(document_of[each] == entry.document_id for each in sent if each != str(entry.pk))
    )


class Sending:
    """What the ledger is told of Xero."""

    name = "Xero"

    def states(self, ids: Collection[UUID]) -> Mapping[UUID, Sent]:
        """How far each has got; at several organisations, what arrived counts before what did not."""
        wanted = {str(each) for each in ids}
        pushes = XeroPush.objects.filter(source_kind=SOURCE_KIND).defer("body")
        if len(wanted) <= MOST_NAMED:
            pushes = pushes.filter(source_id__in=wanted)
        order = sorted(pushes, key=lambda one: (bool(one.invoice_id), one.queued_at))
        return {UUID(one.source_id): self._sent(one) for one in order if one.source_id in wanted}

    def ids_there(self) -> Any:
        """The ids of the entries that Xero has as bills, or may have: those are looked for first."""
        there = XeroPush.objects.filter(~Q(invoice_id=""), source_kind=SOURCE_KIND)
        return there.order_by().annotate(entry=Cast("source_id", UUIDField())).values("entry")

    def moved(self, ids: Collection[UUID], of: Client, to: Client) -> None:
        """Bills made of these entries are the other client's; so are contacts of an organisation that is."""
        wanted = {str(each) for each in ids}
        pushes = XeroPush.objects.filter(client=of, source_kind=SOURCE_KIND).values_list("pk", "source_id")
        XeroPush.objects.filter(pk__in=[pk for pk, source_id in pushes if source_id in wanted]).update(client=to)
        theirs = XeroOrganisation.objects.filter(client=to).values("tenant_id")
        XeroContact.objects.filter(client=of, tenant_id__in=theirs).update(client=to)

    def place(self, client: Client) -> Place:
        """The client's organisation, or that it has none."""
        organisation = outbox.organisation_of(client)
        address, send = (reverse(name, args=[client.pk]) for name in ("client_xero", "xero_push"))
        if organisation is None:
            return Place("", address, send, words.NOT_CONNECTED)
        connection = organisation.connection
        needs = connection.status == Connection.Status.RECONNECT_REQUIRED
        problem = "Xero must be connected again before bills can be sent." if needs else ""
        return Place(connection.account_name, address, send, problem)

    def _sent(self, one: XeroPush) -> Sent:
        line = presentation.line_of(one)
        return Sent(line.words, line.tone, reverse("bill", args=[one.pk]), bool(one.invoice_id), one.is_working)


sending = Sending()
