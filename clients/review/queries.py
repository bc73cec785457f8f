"""Reads of the review: the document, what comes after it, and what was decided."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from django.db.models import F, Max, Min, Q

from clients.models import Approval, Document, FieldDecision, Transaction

REVIEW = Document.Status.REVIEW


def document_of(document_id: UUID) -> Document | None:
    """The document with its client; None where there is none or it is not to be seen, which reads the same."""
    return Document.objects.select_related("client", "by").filter(pk=document_id).first()


def next_after(document: Document) -> Document | None:
    """The next document to review: of this client after this one, then the oldest of others, then this client's first.

    Who skips one so comes to every other before it comes again. None where there is no other.
    """
    waiting = Document.objects.filter(status=REVIEW).exclude(pk=document.pk).order_by("at", "id").defer("reading")
    later = Q(at__gt=document.at) | Q(at=document.at, id__gt=document.pk)
    own = waiting.filter(client_id=document.client_id)
    others = waiting.exclude(client_id=document.client_id)
    return own.filter(later).first() or others.first() or own.first()


def waiting_counts(client_id: UUID) -> tuple[int, int]:
    """How many documents are to be reviewed: of this client, and of all."""
    waiting = Document.objects.filter(status=REVIEW).order_by()
    return waiting.filter(client_id=client_id).count(), waiting.count()


def decisions_of(document: Document) -> list[FieldDecision]:
    """What was decided, oldest first."""
    return list(document.decisions.select_related("by").order_by("id"))


def approvals_of(document: Document) -> list[Approval]:
    """Its approvals, those that were taken back among them."""
    return list(document.approvals.select_related("by", "reversed_by").order_by("number"))


def entries_of(document: Document, most: int) -> tuple[list[Transaction], int]:
    """The first entries that came of it, and how many there are: the newest approval's before others, in the order of
    the document, the reversing ones after what they reverse.
    """
    after = F("reverses_id").asc(nulls_first=True)
    found = document.transactions.order_by("-approval__number", "position", after)
    return list(found[:most]), found.count()


def span_of(document: Document) -> tuple[date | None, date | None]:
    """The first and the last day of its entries."""
    ends = document.transactions.aggregate(first=Min("dated"), last=Max("dated"))
    return ends["first"], ends["last"]
