"""What AsAt keeps of Xero: who granted access, which organisation is which client's, and the bills on their way there.

The practice's own app and each client's organisation are rows of `models.Connection`; what Xero alone has is here.
Access belongs to a person of Xero's and reaches every organisation that they connected, so its tokens are kept once
(XeroGrant) and not with each client.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from asat_site.secrets import seal
from asat_site.tenancy.context import current_practice_id
from clients.models import NotInAPractice, PracticeOwned


class Sealing(PracticeOwned):
    """Holds secrets, a JSON object of texts sealed as one for this very row; `tokens` alone opens them. "" for none."""

    TABLE: ClassVar[str]
    COLUMN: ClassVar[str] = "sealed_secrets"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    sealed_secrets = models.TextField(blank=True)

    class Meta:
        abstract = True

    def seal_secrets(self, secrets: Mapping[str, str]) -> None:
        """Seal these for this row; the row is not saved. Raises NotInAPractice."""
        practice = self.practice_id if isinstance(self.practice_id, uuid.UUID) else current_practice_id()
        if practice is None:
            raise NotInAPractice("Enter the practice before a secret is sealed.")
        text = json.dumps(dict(secrets))
        self.sealed_secrets = seal(text, practice=practice, table=self.TABLE, column=self.COLUMN, row=self.id)


class XeroGrant(Sealing):
    """What one person of Xero's let the practice's app do; it may reach several clients' organisations.

    vendor_user: that person, as Xero names them. access_ends_at: when the access token lapses. refreshed_at: when the
    pair that is stored came, from which Xero counts 60 days. held_until and holder: the one who refreshes it just now.
    failing_since: the first of the refreshes that did not come through, None after one that did. ended_at: when it
    lapsed or was withdrawn; its secrets are erased then only by a person who disconnects or connects anew.
    """

    TABLE: ClassVar[str] = "integrations_xerogrant"

    vendor_user = models.CharField(max_length=64)
    scopes = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    access_ends_at = models.DateTimeField()
    refreshed_at = models.DateTimeField()
    held_until = models.DateTimeField(null=True)
    holder = models.UUIDField(null=True)
    failing_since = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["practice_id", "vendor_user"], name="xero_grant_once")]

    def __str__(self) -> str:
        return f"Xero grant {self.id}"

    def __repr__(self) -> str:
        return f"<XeroGrant: {self}>"


class XeroConsent(Sealing):
    """One attempt to connect one client: from the button here to Xero and back, once, in the session it began in.

    state_digest, session_digest: sha256 hex of the state that was sent along and of the session's key. sealed: the
    PKCE verifier. redirect_uri: the very text that was sent. taken_at: when its answer came; a second is refused.
    grant and event: what came of it, until a person has said which organisation is meant. ended_at: when that was.
    """

    TABLE: ClassVar[str] = "integrations_xeroconsent"

    client = models.ForeignKey("clients.Client", on_delete=models.PROTECT, related_name="xero_consents")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    state_digest = models.CharField(max_length=64, unique=True)
    session_digest = models.CharField(max_length=64)
    redirect_uri = models.CharField(max_length=300)
    made_at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True)
    grant = models.ForeignKey(XeroGrant, on_delete=models.PROTECT, related_name="+", null=True)
    event = models.CharField(max_length=64, blank=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at", "id"]

    def __str__(self) -> str:
        return f"Xero consent {self.id}"


class XeroOrganisation(PracticeOwned):
    """Which organisation of Xero's is which client's: one each way. Removed when the client is disconnected.

    tenant_id: the organisation; vendor_connection_id: what Xero calls the connection to it, by which it is ended.
    parked_until and parked_why: when it may be asked again, where Xero or its day's calls said to wait.
    ending: a person disconnected it, and Xero could not be told yet.
    """

    client = models.OneToOneField("clients.Client", on_delete=models.PROTECT, related_name="xero_organisation")
    connection = models.OneToOneField("integrations.Connection", on_delete=models.PROTECT, related_name="xero")
    grant = models.ForeignKey(XeroGrant, on_delete=models.PROTECT, related_name="organisations")
    tenant_id = models.CharField(max_length=36)
    vendor_connection_id = models.CharField(max_length=36)
    parked_until = models.DateTimeField(null=True)
    parked_why = models.CharField(max_length=400, blank=True)
    ending = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["practice_id", "tenant_id"], name="xero_tenant_once")]

    def __str__(self) -> str:
        return f"Xero organisation of client {self.client_id}"


class XeroContact(PracticeOwned):
    """The contact that a supplier's name was found or made to be. name_key: as `mapping.name_key` folds it."""

    client = models.ForeignKey("clients.Client", on_delete=models.PROTECT, related_name="xero_contacts")
    tenant_id = models.CharField(max_length=36)
    name_key = models.CharField(max_length=600)
    contact_id = models.CharField(max_length=36)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["practice_id", "tenant_id", "name_key"], name="xero_contact_once")
        ]

    def __str__(self) -> str:
        return f"Xero contact {self.contact_id}"


class XeroPush(PracticeOwned):
    """One approved bill on its way to one organisation, once: the outbox. `xero.machine` says how it goes on.

    source_kind, source_id: what it was made from, which this table does not point at. bill: `mapping.as_record`.
    generation: how many keys were begun; body: the very text that was sent under this one, and sent_at when first; ""
    and None before. may_exist: Xero may have it though we did not hear. why: what failed, or why it waits, in words.
    notes: what Xero warned of, and what to look at. attempt, claimed_until: the worker that has it; what a worker
    writes is bound to its attempt. not_before: when it may go on. by: who pushed it, as whom the worker goes on.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "Waiting"
        CONTACT_RESOLVED = "contact_resolved", "Contact found"
        BILL_SENT = "bill_sent", "Sent, not confirmed yet"
        BILL_CONFIRMED = "bill_confirmed", "In Xero, original to follow"
        ATTACHMENT_SENT = "attachment_sent", "Original sent, not confirmed yet"
        DONE = "done", "In Xero as a draft"
        FAILED = "failed", "Not sent"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    client = models.ForeignKey("clients.Client", on_delete=models.PROTECT, related_name="xero_pushes")
    tenant_id = models.CharField(max_length=36)
    source_kind = models.CharField(max_length=40)
    source_id = models.CharField(max_length=64)
    bill = models.JSONField()
    state = models.CharField(max_length=20, choices=State, default=State.QUEUED)
    why = models.CharField(max_length=1000, blank=True)
    notes = ArrayField(models.CharField(max_length=400), default=list, blank=True)
    contact_id = models.CharField(max_length=36, blank=True)
    invoice_id = models.CharField(max_length=36, blank=True)
    generation = models.PositiveIntegerField(default=0)
    body = models.TextField(blank=True)
    sent_at = models.DateTimeField(null=True)
    may_exist = models.BooleanField(default=False)
    url = models.CharField(max_length=300, blank=True)
    attachment_name = models.CharField(max_length=100, blank=True)
    attachment_bytes = models.PositiveIntegerField(null=True)
    attempt = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    claimed_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    queued_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-queued_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["practice_id", "tenant_id", "source_kind", "source_id"], name="xero_push_once"
            ),
            models.UniqueConstraint(
                fields=["practice_id", "tenant_id", "invoice_id"],
                condition=~Q(invoice_id=""),
                name="xero_bill_adopted_once",
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "queued", "contact_resolved", "bill_sent", "bill_confirmed", "attachment_sent",
                        "done", "failed",
                    ]
                ),
                name="xero_push_state_known",
            ),
        ]  # fmt: skip
        indexes = [models.Index(fields=["client", "state", "queued_at"], name="xero_push_of_client")]

    def __str__(self) -> str:
        return f"Xero push {self.id}"

    @property
    def is_working(self) -> bool:
        """Whether a worker has it, or should have."""
        return self.state not in (self.State.DONE, self.State.FAILED)
