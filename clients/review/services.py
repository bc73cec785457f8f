"""A document decided on, approved and taken back: each a verb, each in one transaction with the document locked.

What is approved is computed in that transaction from what is stored, the reading and the decisions; a form names what
is to be done and never what the values are. Nothing here is ever written over: a decision follows a decision, and an
approval that is taken back gets entries that reverse its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clients.extraction import as_json
from clients.extraction.entries import Entry, EntryKind, entries_of
from clients.extraction.listed import listed
from clients.extraction.revised import ALTHOUGH, Revised, revised
from clients.extraction.rows_revised import PARTS, row_and_part
from clients.extraction.standing import Act, Decision
from clients.extraction.terms import Extraction, Page, StatementRow
from clients.extraction.typed import NotRead, read_typed
from clients.ledger import alike
from clients.models import Approval, Document, FieldDecision, Transaction
from clients.rules.matching import match_key
from clients.services import NotDone

MOST_KEPT = 400  # letters of a value, as the table of decisions has it
MOST_DECISIONS = 2_000  # on one document; more is a machine's doing
CHANGED = "Somebody decided something here since this page was loaded. Look at it as it stands now, then approve it."
NOT_IN_REVIEW = "This document is not under review any more. Load the page again."
_NO_VALUE = {"lines": (Act.EMPTIED, Act.RESET), "subtotal": (Act.EMPTIED, Act.RESET)}


class NotTaken(Exception):
    """What was typed into a field cannot be its value. `field`: which; `sentence`: why, and what to write."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field, self.sentence = field, sentence


@dataclass(frozen=True, slots=True)
class Wanted:
    """One act that a person wants. text: what was typed, or for ACCEPTED the value that is accepted."""

    field: str
    act: Act
    text: str = ""


@dataclass(frozen=True, slots=True)
class Stand:
    """A document as it stands. last: the id of the newest decision, 0 for none: whoever approves has seen that one."""

    document: Document
    pages: tuple[Page, ...]
    found: Revised
    last: int


def stand_of(document: Document, today: date | None = None) -> Stand:
    """The document as it stands now. Raises LookupError for one that was not read. today: None for today here."""
    if document.reading is None:
        raise LookupError("not read")
    read: Extraction = as_json.extraction_of(document.reading)
    pages = tuple(as_json.page_of(row.page) for row in document.pages.order_by("number"))
    rows = list(document.decisions.order_by("id").values_list("id", "field", "act", "value"))
    decisions = [Decision(field, Act(act), value) for _, field, act, value in rows]
    found = revised(read, pages, decisions, today or timezone.localdate())
    return Stand(document, pages, found, rows[-1][0] if rows else 0)


def alike_to(stand: Stand) -> list[Transaction]:
    """What of the client's is entered already and may be the same; [] for one that cannot be approved yet."""
    if stand.found.problems:
        return []
    return _alike(stand.document, entries_of(stand.found))


@transaction.atomic
def decide(user: Any, document_id: UUID, wanted: Sequence[Wanted]) -> None:
    """These acts, kept for good, all of them or none.

    Raises NotTaken for a text that is no value of its field, NotDone for what cannot be decided now.
    """
    document = _locked(document_id)
    if document.decisions.count() + len(wanted) > MOST_DECISIONS:
        raise NotDone("More was decided on this document than AsAt keeps. Keep it as a file instead.")
    found = stand_of(document).found
    FieldDecision.objects.bulk_create(_decision(user, document, *_decided(found, each)) for each in wanted)
    _write_listed(document, stand_of(document).found)


@transaction.atomic
def approve(user: Any, document_id: UUID, seen: int, although_alike: Collection[UUID] = ()) -> Approval:
    """Enters the document as it stands. seen: the newest decision on the page that was approved.

    although_alike: the transactions that the person has looked at and says are others. Raises NotDone, in words.
    """
    document = _locked(document_id)
    stand = stand_of(document)
    if stand.last != seen:
        raise NotDone(CHANGED)
    if stand.found.problems:
        more = len(stand.found.problems) - 1
        also = f" And {more} more." if more else ""
        raise NotDone(f"This is not approved yet. {stand.found.problems[0].sentence}{also}")
    entries = entries_of(stand.found)
    unlooked = [each for each in _alike(document, entries) if each.pk not in although_alike]
    if unlooked:
        raise NotDone("Something alike is entered already. Look at it, and tick that this is another.")
    approval = Approval.objects.create(
        document=document, client_id=document.client_id, number=document.approvals.count() + 1, by=user
    )
    Transaction.objects.bulk_create(_transaction(approval, at, entry) for at, entry in enumerate(entries))
    Document.objects.filter(pk=document.pk).update(status=Document.Status.APPROVED, **listed(stand.found))
    return approval


@transaction.atomic
def reverse(user: Any, document_id: UUID, why: str = "") -> Approval:
    """Takes the approval back: an entry against each of its own, and the document is under review again.

    why: in the person's words, kept to 400 letters. Raises NotDone where no approval stands.
    """
    document = Document.objects.select_for_update().get(pk=document_id)
    approval = Approval.objects.filter(document=document, reversed_at=None).first()
    if approval is None or document.status != Document.Status.APPROVED:
        raise NotDone("No approval of this document stands, so there is nothing to take back.")
    entered = approval.transactions.filter(reverses=None).order_by("position")
    Transaction.objects.bulk_create(_against(each) for each in entered)
    reason = " ".join(why.replace("\x00", "").split())[:400]
    Approval.objects.filter(pk=approval.pk).update(reversed_by=user, reversed_at=timezone.now(), reversed_why=reason)
    document.status = Document.Status.REVIEW
    document.save(update_fields=["status"])
    _write_listed(document, stand_of(document).found)
    return approval


def _locked(document_id: UUID) -> Document:
    """The document, locked. Raises NotDone for one that is not under review."""
    document = Document.objects.select_for_update().get(pk=document_id)
    if document.status != Document.Status.REVIEW or document.reading is None:
        raise NotDone(NOT_IN_REVIEW)
    return document


def _write_listed(document: Document, found: Revised) -> None:
    Document.objects.filter(pk=document.pk).update(**listed(found))


# ------------------------------------------------------------------------------------------------ decisions


def of_row(found: Revised, number: int, texts: dict[str, str]) -> list[Wanted]:
    """The acts that a row's form comes to: one for each part that is written otherwise than it stands.

    texts: by part; one that is left out stays. Raises NotTaken for a text that is no value.
    """
    row = next((each for each in found.rows if each.number == number), None)
    if row is None:
        raise NotDone("This document has no such row.")
    wanted = []
    for part, now in zip(PARTS, _parts(row.now), strict=True):
        text, field = texts.get(part, now).strip(), f"row-{number}-{part}"
        if not text and now:
            wanted.append(Wanted(field, Act.EMPTIED))
        elif text and text != now and _read(field, part, text) != now:
            wanted.append(Wanted(field, Act.CORRECTED, text))
    return wanted


def _decision(user: Any, document: Document, field: str, act: Act, was: str, value: str) -> FieldDecision:
    return FieldDecision(
        document=document, client_id=document.client_id, field=field, act=str(act), was=was[:400], value=value, by=user
    )


def _decided(found: Revised, wanted: Wanted) -> tuple[str, Act, str, str]:
    """(field, act, the value as it was read, the value from now on), as they are kept. Raises NotTaken or NotDone.

    Writing the value that stands already accepts it.
    """
    field, act, text = wanted.field, wanted.act, wanted.text
    row = row_and_part(field)
    if row is not None:
        return field, act, *_on_row(found, *row, wanted)
    if field in ALTHOUGH or field in _NO_VALUE:
        return field, act, "", _without_value(found, wanted)
    if field == "kind":
        return field, act, str(found.read_kind), _value(wanted, "kind", (Act.CORRECTED, Act.RESET))
    if field not in [each.name for each in found.fields]:
        raise NotDone("This document has no such field.")
    now = found.field(field)
    if act is Act.ACCEPTED:
        offered = (now.value, now.as_read, *(each.value for each in now.alternatives))
        if not text or text not in offered or len(text) > MOST_KEPT:
            raise NotTaken(field, "This value does not stand here any more. Look at it as it stands now.")
        return field, act, now.as_read, text
    value = _value(wanted, field)
    is_same = act is Act.CORRECTED and value == now.value
    return field, Act.ACCEPTED if is_same else act, now.as_read, value


def _value(wanted: Wanted, what: str, acts: Sequence[Act] = (Act.CORRECTED, Act.EMPTIED, Act.RESET)) -> str:
    """The value that an act brings; "" for one that brings none. what: the field or part, as `read_typed` knows it.

    Raises NotTaken for a text that is none, NotDone for an act that the field has not.
    """
    if wanted.act not in acts:
        raise NotDone("This cannot be done with that field.")
    return _read(wanted.field, what, wanted.text) if wanted.act is Act.CORRECTED else ""


def _read(field: str, what: str, text: str) -> str:
    try:
        return read_typed(what, text)
    except NotRead as error:
        raise NotTaken(field, error.sentence) from None


def _on_row(found: Revised, number: int, part: str, wanted: Wanted) -> tuple[str, str]:
    row = next((each for each in found.rows if each.number == number), None)
    if row is None:
        raise NotDone("This document has no such row.")
    if not part:
        return "", _value(wanted, "", (Act.EMPTIED, Act.RESET))
    was = dict(zip(PARTS, _parts(row.read), strict=True))[part]
    return was, _value(wanted, part)


def _parts(row: StatementRow) -> tuple[str, str, str, str]:
    return row.date, row.description, row.amount, row.balance


def _without_value(found: Revised, wanted: Wanted) -> str:
    """Lines or subtotal left out, or a check settled by saying so: only where there is such a thing."""
    field, act = wanted.field, wanted.act
    if field in ALTHOUGH:
        offered = {each.although for each in found.fields} | ({"check-pages"} if found.unread else set())
        if act is Act.RESET or (act is Act.ACCEPTED and field in offered):
            return ""
        raise NotDone("There is nothing of that kind to accept. Load the page again.")
    is_there = bool(found.read_lines) if field == "lines" else found.subtotal is not None
    if not is_there:
        raise NotDone("This document has no such field.")
    return _value(wanted, "", _NO_VALUE[field])


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
