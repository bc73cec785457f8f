"""What the tests of the ledger share: approved documents with their entries, and reversing ones."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from clients.documents import storing
from clients.models import Approval, Client, Document, Transaction
from clients.rules.matching import match_key


@contextmanager
def speaking(known: KnownPractice, role: str = "staff") -> Iterator[Any]:
    """In the practice, as its user of that role."""
    user = known.users[role]
    with in_practice(known.practice, user.pk):
        yield user


def approval(client: Client, user: Any, content: bytes = b"", **fields: Any) -> Approval:
    """The approval of a new document of the client's; its file is kept where it has content."""
    sha256 = hashlib.sha256(content or uuid.uuid4().bytes).hexdigest()
    told: dict[str, Any] = {
        "name": "invoice.pdf", "media_type": "application/pdf", "size": 9, "kind": "invoice", "status": "approved",
    } | fields  # fmt: skip
    document = Document.objects.create(
        client=client, by=user, came_by="upload", sha256=sha256, sent_key=f"{client.pk}:{sha256}", **told
    )
    if content:
        storing.keep(document, content)
    return Approval.objects.create(document=document, client=client, number=1, by=user)


def entry(client: Client, user: Any, *, of: Approval | None = None, position: int = 0, **fields: Any) -> Transaction:
    """One entry of an approval: a bill of 110.00 with its GST, unless it is told otherwise."""
    of = of or approval(client, user)
    told: dict[str, Any] = {
        "kind": "bill", "supplier": "Quay Timber Pty Ltd", "dated": date(2026, 10, 4), "number": "QT-100",
        "currency": "AUD", "total_cents": 11000, "gst_cents": 1000,
    } | fields  # fmt: skip
    told.setdefault("supplier_key", match_key(told["supplier"]))
    return Transaction.objects.create(client=client, document=of.document, approval=of, position=position, **told)


def reverse(one: Transaction, user: Any) -> Transaction:
    """The entry that takes this one back."""
    Approval.objects.filter(pk=one.approval_id).update(reversed_by=user, reversed_at=timezone.now())
    same = {
        name: getattr(one, name)
        for name in ("client", "document", "approval", "position", "kind", "supplier", "supplier_key", "abn", "dated")
    }
    same |= {name: getattr(one, name) for name in ("due", "number", "currency", "description", "lines")}
    gst = None if one.gst_cents is None else -one.gst_cents
    return Transaction.objects.create(**same, total_cents=-one.total_cents, gst_cents=gst, reverses=one)
