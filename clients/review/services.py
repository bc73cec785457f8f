"""A document as it stands, approved, and taken back: each a verb, in one transaction with the document locked.

What is approved is computed in that transaction from what is stored, the reading and the decisions; a form names what
is to be done and never what the values are. An approval that is taken back stays: its entries get others that reverse
them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clients import holding
from clients.extraction import as_json
from clients.extraction.entries import Entry, EntryKind, entries_of
from clients.extraction.layout import Row, all_rows
from clients.extraction.listed import listed
from clients.extraction.revised import revised
from clients.extraction.revised_terms import Revised
from clients.extraction.standing import Act, Decision
from clients.extraction.terms import Extraction, Page
from clients.ledger import alike
from clients.models import Approval, Document, FieldDecision, Transaction
from clients.rules.matching import match_key
from clients.services import NotDone

CHANGED = "Somebody decided something here since this page was loaded. Look at it as it stands now, then approve it."
APPROVED_ANEW = "It was taken back and approved anew since this page was loaded. Look at it as it stands now."
NOT_IN_REVIEW = "This document is not under review any more. Load the page again."


@dataclass(frozen=True, slots=True)
class Stand:
    """A document as it stands. rows: of its pages. last: the id of the newest decision, 0 for none: whoever approves
    has seen that one.
    """

    document: Document
    read: Extraction
    pages: tuple[Page, ...]
    rows: tuple[Row, ...]
    found: Revised
    last: int


def stand_of(document: Document, today: date | None = None) -> Stand:
    """The document as it stands now. Raises LookupError for one that was not read. today: None for today here."""
    if document.reading is None:
        raise LookupError("not read")
    read: Extraction = as_json.extraction_of(document.reading)
    pages = tuple(as_json.page_of(row.page) for row in document.pages.order_by("number"))
    rows = tuple(all_rows(pages))
    decisions, last = _decisions(document)
    found = revised(read, pages, decisions, today or timezone.localdate(), rows)
    return Stand(document, read, pages, rows, found, last)


def after_deciding(stand: Stand) -> Stand:
    """The same document with what was decided since."""
    decisions, last = _decisions(stand.document)
    found = revised(stand.read, stand.pages, decisions, timezone.localdate(), stand.rows)
    return replace(stand, found=found, last=last)


def _decisions(document: Document) -> tuple[list[Decision], int]:
    """What was decided on its values, in order, and the id of the last."""
    on_values = document.decisions.exclude(field=FieldDecision.DOCUMENT)
    rows = list(on_values.order_by("id").values_list("id", "field", "act", "value"))
    return [Decision(field, Act(act), value) for _, field, act, value in rows], rows[-1][0] if rows else 0


def alike_to(stand: Stand) -> list[Transaction]:
    """What of the client's is entered already and may be the same; [] for one that cannot be approved yet."""
    if stand.found.problems:
        return []
    return _alike(stand.document, entries_of(stand.found))


def digest_of(found: Iterable[Transaction]) -> str:
    """These very entries, in whatever order: sha256 in hex of their ids."""
    return hashlib.sha256(" ".join(sorted(str(each.pk) for each in found)).encode()).hexdigest()


@transaction.atomic
def approve(
    user: Any, document_id: UUID, seen: int, although_alike: Collection[UUID] = (), although_all: str = ""
) -> Approval:
    """Enters the document as it stands. seen: the newest decision on the page that was approved.

    although_alike: the transactions that the person has looked at and says are others; although_all: the `digest_of`
    them, where they were too many to be ticked one by one. Approvals of one client's documents follow each other, so
    that what is alike is seen. Raises NotDone, in words.
    """
    document = locked_for_review(document_id, alone=True)
    stand = stand_of(document)
    if stand.last != seen:
        raise NotDone(CHANGED)
    if stand.found.problems:
        more = len(stand.found.problems) - 1
        also = f" And {more} more." if more else ""
        raise NotDone(f"This is not approved yet. {stand.found.problems[0].sentence}{also}")
    entries = entries_of(stand.found)
    found = _alike(document, entries)
    is_looked_at = all(each.pk in although_alike for each in found) or digest_of(found) == although_all
    if not is_looked_at:
        raise NotDone("Something alike is entered already. Look at it, and tick that this is another.")
    approval = Approval.objects.create(
        document=document, client_id=document.client_id, number=document.approvals.count() + 1, by=user
    )
    Transaction.objects.bulk_create(_transaction(approval, at, entry) for at, entry in enumerate(entries))
    Document.objects.filter(pk=document.pk).update(status=Document.Status.APPROVED, **listed(stand.found))
    return approval


@transaction.atomic
def reverse(user: Any, document_id: UUID, approval_id: UUID | None, why: str = "") -> Approval:
    """Takes this approval back: an entry against each of its own, and the document is under review again.

    why: in the person's words, kept to 400 letters. Raises NotDone where no approval stands, or another one does.
    """
    document = holding.locked_document(document_id)
    approval = Approval.objects.filter(document=document, reversed_at=None).first()
    if approval is None or document.status != Document.Status.APPROVED:
        raise NotDone("No approval of this document stands, so there is nothing to take back.")
    if approval.pk != approval_id:
        raise NotDone(APPROVED_ANEW)
    entered = approval.transactions.filter(reverses=None).order_by("position")
    Transaction.objects.bulk_create(_against(each) for each in entered)
    reason = " ".join(why.replace("\x00", "").split())[:400]
    Approval.objects.filter(pk=approval.pk).update(reversed_by=user, reversed_at=timezone.now(), reversed_why=reason)
    document.status = Document.Status.REVIEW
    document.save(update_fields=["status"])
    write_listed(document, stand_of(document).found)
    return approval


def locked_for_review(document_id: UUID, *, alone: bool = False) -> Document:
    """The document, locked as `holding` has it. Raises NotDone for one that is not under review."""
    document = holding.locked_document(document_id, alone=alone)
    if document.status != Document.Status.REVIEW or document.reading is None:
        raise NotDone(NOT_IN_REVIEW)
    return document


def write_listed(document: Document, found: Revised) -> None:
    Document.objects.filter(pk=document.pk).update(**listed(found))


# ------------------------------------------------------------------------------------------------ entries


def _alike(document: Document, entries: Sequence[Entry]) -> list[Transaction]:
    if entries and entries[0].kind is EntryKind.BANK:
        rows = [(each.dated, each.total_cents, each.description) for each in entries]
        return alike.bank_lines_alike(
            document.client_id, rows, excluding_document=document.pk, currency=entries[0].currency
        )
    found = []
    for each in entries:
        found += alike.alike_to(
            document.client_id,
            abn=each.abn,
            supplier_key=match_key(each.supplier),
            number=each.number,
            dated=each.dated,
            total_cents=each.total_cents,
            excluding_document=document.pk,
            currency=each.currency,
        )
    return found


def _transaction(approval: Approval, position: int, entry: Entry) -> Transaction:
    return Transaction(
        client_id=approval.client_id,
        document_id=approval.document_id,
        approval=approval,
        position=position,
        kind=str(entry.kind),
        supplier=entry.supplier,
        supplier_key=match_key(entry.supplier) if entry.supplier else "",
        abn=entry.abn,
        dated=entry.dated,
        due=entry.due,
        number=entry.number,
        currency=entry.currency,
        total_cents=entry.total_cents,
        gst_cents=entry.gst_cents,
        description=entry.description,
        lines=[asdict(line) for line in entry.lines],
    )


def _against(entry: Transaction) -> Transaction:
    """The entry that takes another one back: the same in all but its amounts, which are its negative."""
    lines = [line | {"amount_cents": -line["amount_cents"]} for line in entry.lines]
    return Transaction(
        client_id=entry.client_id,
        document_id=entry.document_id,
        approval_id=entry.approval_id,
        position=entry.position,
        kind=entry.kind,
        supplier=entry.supplier,
        supplier_key=entry.supplier_key,
        abn=entry.abn,
        dated=entry.dated,
        due=entry.due,
        number=entry.number,
        currency=entry.currency,
        total_cents=-entry.total_cents,
        gst_cents=None if entry.gst_cents is None else -entry.gst_cents,
        description=entry.description,
        lines=lines,
        reverses=entry,
    )
