"""What was done with a document, and the entries that came of it, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from clients.ledger import sending
from clients.ledger.filtering import Filter
from clients.ledger.words import money
from clients.models import Approval, Document, FieldDecision, Transaction
from clients.presentation import name_of
from clients.review import queries, words

MOST_SHOWN = 50  # entries; the rest is in the ledger
_PUT: dict[str, str] = {
    Document.Status.KEPT: "Kept as a file", Document.Status.REVIEW: "Put back to review",
    Document.Status.UNREADABLE: "Put back among those not read", Document.Status.WAITING: "Read again",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Done:
    """One thing that was done. was and now: the values, in words; "" for none. why: in the person's own."""

    at: datetime
    who: str
    what: str
    was: str = ""
    now: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry. is_reversing: it takes another back. sent: how far it got to where entries go, "" for not sent."""

    entry: Transaction
    total: str
    gst: str
    is_reversing: bool
    sent: str = ""
    address: str = ""


def history_context(document: Document, decisions: list[FieldDecision]) -> dict[str, Any]:
    """What was decided, approved and taken back, newest first, and the first entries that came of it.

    standing: the approval that stands. entry_count: of all entries; ledger: where the rest of them is listed, "" for no
    rest. is_sent: whether an entry of the standing approval was sent on; product: where to.
    """
    approvals = queries.approvals_of(document)
    done = [*map(_decided, decisions), *(each for approval in approvals for each in _approved(approval))]
    entries, count = queries.entries_of(document, MOST_SHOWN) if approvals else ([], 0)
    standing = next((each for each in approvals if each.reversed_at is None), None)
    may_be_sent = [each for each in entries if each.kind != Transaction.Kind.BANK]
    sender = sending.sending() if may_be_sent else None
    states = sender.states([each.pk for each in may_be_sent]) if sender else {}
    is_sent = standing is not None and any(each.approval_id == standing.pk and each.pk in states for each in entries)
    return {
        "history": sorted(done, key=lambda each: each.at, reverse=True),
        "standing": standing,
        "standing_by": name_of(standing.by) if standing else "",
        "entries": [entry_row(each, states.get(each.pk)) for each in entries],
        "entry_count": count,
        "ledger": _ledger(document, entries[0].kind) if count > len(entries) else "",
        "product": sender.name if sender else "",
        "is_sent": is_sent,
    }


def _ledger(document: Document, kind: str) -> str:
    """Where the document's entries are listed with their client's others of that kind and those days."""
    first, last = queries.span_of(document)
    narrowed = Filter(kind=kind, since=first, until=last, sort="date").address()
    return reverse("client_transactions", args=[document.client_id]) + narrowed


def entry_row(entry: Transaction, sent: sending.Sent | None = None) -> EntryRow:
    total = money(entry.total_cents, entry.currency)
    gst = "" if entry.gst_cents is None else money(entry.gst_cents, entry.currency)
    is_reversing = entry.reverses_id is not None
    return EntryRow(entry, total, gst, is_reversing, sent.words if sent else "", sent.address if sent else "")


def _approved(approval: Approval) -> list[Done]:
    done = [Done(approval.at, name_of(approval.by), "Approved")]
    if approval.reversed_at is not None:
        who = name_of(approval.reversed_by)
        done.append(Done(approval.reversed_at, who, "Approval taken back", why=approval.reversed_why))
    return done


def _decided(each: FieldDecision) -> Done:
    if each.field == FieldDecision.DOCUMENT:
        return Done(each.at, name_of(each.by), _PUT.get(each.value, each.value))
    was, now = words.shown(each.field, each.was), words.shown(each.field, each.value)
    return Done(each.at, name_of(each.by), _what(each), was if was != now else "", now)


def _what(each: FieldDecision) -> str:
    """ "Total: corrected", "Row 3: left out", "Date: accepted all the same"."""
    label, is_reset = words.label_of(each.field), each.act == FieldDecision.Act.RESET
    is_whole_row = each.field.startswith("row-") and each.field.count("-") == 1
    if each.field in ("lines", "subtotal") or is_whole_row:
        return f"{label}: {'taken in again' if is_reset else 'left out'}"
    if each.field == "check-pages":
        return f"{label} that were not read: {'to be looked at again' if is_reset else 'looked at'}"
    if each.field.startswith("check-") and not is_reset:
        return f"{label}: accepted all the same"
    return f"{label}: {each.get_act_display().lower()}"
