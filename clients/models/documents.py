"""The documents of a client, what was read and decided of them, and the transactions that came of it.

Tenant schema, within the walls of the register (see `register`): every row points at its client. A file, a decision, an
approval and a transaction stay as they were written; what was wrong is undone by a row that says so.
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from clients.models.base import PracticeOwned
from clients.models.register import Client


class Document(PracticeOwned):
    """One file of a client's as it came, and how far it has got.

    sha256: hex, of the file as it came. sent_key: client and sha256 as they were then; one file comes in once, also
    under two clicks. media_type: by content. by: None for what came by the folder. problem: why it was not read or not
    taken, in a sentence. notes: what whoever reviews it must see. kind: `extraction.terms.Kind`, "" until it was read.
    reading: what `extraction.as_json` makes of an Extraction, as read and never as corrected. supplier, dated,
    total_cents, failing: as it stands after corrections, for lists; failing counts what blocks approval. attempts,
    heartbeat_at: the worker that reads it.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", "Waiting to be read"
        READING = "reading", "Being read"
        REVIEW = "review", "To review"
        APPROVED = "approved", "Approved"
        KEPT = "kept", "Kept as a file"
        UNREADABLE = "unreadable", "Not read"
        UNSAFE = "unsafe", "Not safe to open"

    class CameBy(models.TextChoices):
        UPLOAD = "upload", "Uploaded"
        FOLDER = "folder", "Folder"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="documents")
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=60)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    sent_key = models.CharField(max_length=101)
    came_by = models.CharField(max_length=10, choices=CameBy)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)
    at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    problem = models.CharField(max_length=400, blank=True)
    notes = ArrayField(models.CharField(max_length=400), default=list, blank=True)
    kind = models.CharField(max_length=10, blank=True)
    page_count = models.PositiveSmallIntegerField(null=True)
    pages_done = models.PositiveSmallIntegerField(default=0)
    read_at = models.DateTimeField(null=True)
    reading = models.JSONField(null=True)
    supplier = models.CharField(max_length=300, blank=True)
    dated = models.DateField(null=True)
    total_cents = models.BigIntegerField(null=True)
    failing = models.PositiveSmallIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["practice_id", "sent_key"], name="document_sent_once"),
            models.CheckConstraint(
                condition=Q(
                    status__in=["waiting", "reading", "review", "approved", "kept", "unreadable", "unsafe"],
                ),
                name="document_status_known",
            ),
        ]
        indexes = [
            models.Index(fields=["client", "status", "at"], name="document_of_client"),
            models.Index(fields=["status", "at"], name="document_queue"),
        ]

    def __str__(self) -> str:
        return f"document {self.id}"


class DocumentFile(PracticeOwned):
    """The bytes of a document. sealed_key: the key that they are encrypted under, sealed for this row; "" where the
    bytes are plain. Only `documents.storing` reads and writes them.
    """

    document = models.OneToOneField(Document, on_delete=models.PROTECT, primary_key=True, related_name="file")
    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="+")
    content = models.BinaryField()
    sealed_key = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"file of document {self.document_id}"


class DocumentPage(PracticeOwned):
    """One page as it was read: `extraction.terms.Page`, its words as `extraction.as_json` writes them."""

    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="pages")
    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    page = models.JSONField()

    class Meta:
        ordering = ["document", "number"]
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="document_page_once")]

    def __str__(self) -> str:
        return f"page {self.number} of document {self.document_id}"


class FieldDecision(PracticeOwned):
    """What a person decided on one field; the newest one of a field counts, and all of them stay.

    field: a name of `extraction.terms.Name`, "kind", "lines", or a row and its part ("row-3-amount"). was: the value
    as it was read. value: as it is from now on, normalised; "" for none. DOCUMENT: on the document as a whole, where
    both are its status: kept as a file, put back, read again.
    """

    DOCUMENT: ClassVar[str] = "document"

    class Act(models.TextChoices):
        ACCEPTED = "accepted", "Accepted"
        CORRECTED = "corrected", "Corrected"
        EMPTIED = "emptied", "Emptied"
        RESET = "reset", "Taken back"

    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="decisions")
    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="+")
    field = models.CharField(max_length=40)
    act = models.CharField(max_length=10, choices=Act)
    was = models.CharField(max_length=400, blank=True)
    value = models.CharField(max_length=400, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["document", "id"], name="decision_of_document")]

    def __str__(self) -> str:
        return f"decision {self.pk} on {self.field}"


class Approval(PracticeOwned):
    """A document approved as it stood. number: from 1, the how-manieth of it. reversed_at: when it was taken back;
    reversed_why: in the words of whoever did, who may have had none.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="approvals")
    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    reversed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)
    reversed_at = models.DateTimeField(null=True)
    reversed_why = models.CharField(max_length=400, blank=True)

    class Meta:
        ordering = ["document", "number"]
        constraints = [
            models.UniqueConstraint(fields=["document", "number"], name="approval_number_once"),
            models.UniqueConstraint(fields=["document"], condition=Q(reversed_at=None), name="approval_stands_once"),
        ]

    def __str__(self) -> str:
        return f"approval {self.number} of document {self.document_id}"


class Transaction(PracticeOwned):
    """One bill, receipt or bank line as it was approved. Nobody changes it; a reversing entry takes it back.

    position: from 0, within its approval. supplier_key: the supplier as duplicates are found by it
    (`matching.match_key`). abn: digits or "". total_cents: with GST; below nil for a credit note, a reversing entry of
    a bill, and money out of a bank account. gst_cents: None where the document does not say. currency: ISO code.
    description: of a bank line. lines: of a bill, [{description, amount_cents, is_taxable}], is_taxable None where
    nobody said. reverses: the entry that this one takes back.
    """

    class Kind(models.TextChoices):
        BILL = "bill", "Bill"
        RECEIPT = "receipt", "Receipt"
        BANK = "bank", "Bank line"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="transactions")
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="transactions")
    approval = models.ForeignKey(Approval, on_delete=models.PROTECT, related_name="transactions")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    supplier = models.CharField(max_length=300, blank=True)
    supplier_key = models.CharField(max_length=300, blank=True)
    abn = models.CharField(max_length=11, blank=True)
    dated = models.DateField()
    due = models.DateField(null=True)
    number = models.CharField(max_length=100, blank=True)
    currency = models.CharField(max_length=3)
    total_cents = models.BigIntegerField()
    gst_cents = models.BigIntegerField(null=True)
    description = models.CharField(max_length=400, blank=True)
    lines = models.JSONField(default=list)
    reverses = models.OneToOneField("self", on_delete=models.PROTECT, related_name="reversed_by_entry", null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-dated", "-at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["approval", "position"], condition=Q(reverses=None), name="transaction_once"
            ),
            models.CheckConstraint(condition=Q(kind__in=["bill", "receipt", "bank"]), name="transaction_kind_known"),
            models.CheckConstraint(condition=Q(currency__regex=r"^[A-Z]{3}$"), name="transaction_currency_is_code"),
        ]
        indexes = [
            models.Index(fields=["client", "dated", "id"], name="transaction_of_client"),
            models.Index(fields=["dated", "id"], name="transaction_by_day"),
            models.Index(fields=["client", "supplier_key"], name="transaction_of_supplier"),
        ]

    def __str__(self) -> str:
        return f"transaction {self.id}"
