"""Reads of the review: the document, what comes after it, and what was decided."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q

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


def entries_of(document: Document) -> list[Transaction]:
    """Every entry that came of it, in order, the reversing ones after what they reverse."""
    found = document.transactions.select_related("approval").order_by("approval__number", "position", "at")
    return sorted(found, key=lambda each: (each.approval.number, each.position, each.reverses_id is not None))
