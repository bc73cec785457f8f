"""A practice's connections to other products, and what came in through them.

Tenant schema; every row carries the practice id, checked by policy (see the migrations). A connection's secrets are
sealed here and opened in `tokens` alone.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Func, Q, UUIDField

from asat_site.secrets import seal
from asat_site.tenancy.context import current_practice_id
from integrations.models_xero import XeroConsent as XeroConsent
from integrations.models_xero import XeroContact as XeroContact
from integrations.models_xero import XeroGrant as XeroGrant
from integrations.models_xero import XeroOrganisation as XeroOrganisation
from integrations.models_xero import XeroPush as XeroPush


class NotInAPractice(Exception):
    """A connection's secret was to be sealed where no practice is spoken for."""


class PracticeOwned(models.Model):
    """Carries the practice; the database fills it in from the session and its policies check it."""

    practice_id = models.UUIDField(
        editable=False, db_default=Func(function="asat.practice_id", output_field=UUIDField())
    )

    class Meta:
        abstract = True


class Connection(PracticeOwned):
    """One way into one account of another product. Kept when it ends, without its secrets; connecting again uses it.

    client: the client whose organisation it is (Xero), None for one of the whole practice. sealed_secrets: a JSON
    object of texts, sealed as one by `seal_secrets`; "" for none. ends_with: the last characters of what was pasted, so
    that a person knows which it was; "" for what nobody pasted. why: the state in words, "" where nothing needs saying.
    checked_at: when the vendor last took the secret. expires_at: when it lapses by itself, None for never.
    """

    TABLE: ClassVar[str] = "integrations_connection"
    COLUMN: ClassVar[str] = "sealed_secrets"

    class Kind(models.TextChoices):
        HUBSPOT = "hubspot", "HubSpot"
        XERO = "xero", "Xero"

    class Status(models.TextChoices):
        CONNECTED = "connected", "Connected"
        RECONNECT_REQUIRED = "reconnect_required", "Reconnect required"
        DISCONNECTED = "disconnected", "Not connected"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=Kind)
    client = models.ForeignKey("clients.Client", on_delete=models.PROTECT, related_name="connections", null=True)
    sealed_secrets = models.TextField(blank=True)
    ends_with = models.CharField(max_length=4, blank=True)
    status = models.CharField(max_length=20, choices=Status, default=Status.DISCONNECTED)
    why = models.CharField(max_length=400, blank=True)
    scopes = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    account_id = models.CharField(max_length=100, blank=True)
    account_name = models.CharField(max_length=300, blank=True)
    connected_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)
    connected_at = models.DateTimeField(null=True)
    checked_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["kind", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["practice_id", "kind", "client"], nulls_distinct=False, name="connection_once"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["connected", "reconnect_required", "disconnected"]),
                name="connection_status_known",
            ),
            models.CheckConstraint(
                condition=~Q(status="disconnected") | Q(sealed_secrets=""), name="connection_ended_without_secrets"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} connection {self.id}"

    def __repr__(self) -> str:
        return f"<Connection: {self}>"

    @property
    def is_connected(self) -> bool:
        return self.status == self.Status.CONNECTED

    def seal_secrets(self, secrets: Mapping[str, str]) -> None:
        """Seal these for this row; the row is not saved. Raises NotInAPractice."""
        practice = self.practice_id if isinstance(self.practice_id, uuid.UUID) else current_practice_id()
        if practice is None:
            raise NotInAPractice("Enter the practice before a connection's secrets are sealed.")
        text = json.dumps(dict(secrets))
        self.sealed_secrets = seal(text, practice=practice, table=self.TABLE, column=self.COLUMN, row=self.id)


class ImportRun(PracticeOwned):
    """One import through a connection: read, looked at by a person, then brought in. At most one goes on at a time.

    cursor: where the vendor's list goes on, "" at its beginning. tally: counts by name while it runs; report: what it
    came to, for its page. The claim (attempts, heartbeat_at) lets a sweep find what was lost: what a worker writes is
    bound to its attempt. stop_asked_at: when a person wanted it to end. why: why it waits or failed, in words.
    """

    class Status(models.TextChoices):
        READING = "reading", "Reading"
        PREVIEWED = "previewed", "Ready to import"
        IMPORTING = "importing", "Importing"
        PAUSED = "paused", "Paused"
        DONE = "done", "Complete"
        STOPPED = "stopped", "Stopped"
        FAILED = "failed", "Failed"

    WORKING: ClassVar[tuple[str, ...]] = ("reading", "importing")
    OPEN: ClassVar[tuple[str, ...]] = ("reading", "previewed", "importing", "paused")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    connection = models.ForeignKey(Connection, on_delete=models.PROTECT, related_name="imports")
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.READING)
    why = models.CharField(max_length=400, blank=True)
    options = models.JSONField(default=dict)
    cursor = models.CharField(max_length=1000, blank=True)
    tally = models.JSONField(default=dict)
    report = models.JSONField(default=dict)
    attempts = models.PositiveIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True)
    stop_asked_at = models.DateTimeField(null=True)
    read_at = models.DateTimeField(null=True)
    confirmed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)
    confirmed_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-started_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["connection"],
                condition=Q(status__in=["reading", "previewed", "importing", "paused"]),
                name="import_one_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"import {self.id}"

    @property
    def is_working(self) -> bool:
        """Whether a worker has it, or should have."""
        return self.status in self.WORKING

    @property
    def is_open(self) -> bool:
        return self.status in self.OPEN


class ImportedCompany(PracticeOwned):
    """One company of an import's list: what was read of it, and what became of it.

    number: its place in the list, from 1. match_key: as `clients.rules.matching` makes it, "" without a name. abn:
    digits that pass the check, "" for none. outcome, abn_note and name_note: codes of `hubspot.mapping`; a note is ""
    where there is nothing to say. client: the client that came in, or that was there already.
    """

    run = models.ForeignKey(ImportRun, on_delete=models.PROTECT, related_name="companies")
    number = models.PositiveIntegerField()
    vendor_id = models.CharField(max_length=64)
    name = models.CharField(max_length=300, blank=True)
    match_key = models.CharField(max_length=300, blank=True)
    domain = models.CharField(max_length=255, blank=True)
    abn = models.CharField(max_length=11, blank=True)
    abn_note = models.CharField(max_length=20, blank=True)
    name_note = models.CharField(max_length=20, blank=True)
    outcome = models.CharField(max_length=20)
    client = models.ForeignKey("clients.Client", on_delete=models.PROTECT, related_name="+", null=True)

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "imported companies"
        constraints = [
            models.UniqueConstraint(fields=["run", "vendor_id"], name="company_once_a_run"),
            models.UniqueConstraint(fields=["run", "number"], name="company_number_once"),
        ]
        indexes = [
            models.Index(fields=["run", "outcome", "number"], name="company_outcomes"),
            models.Index(fields=["run", "match_key"], name="company_names"),
        ]

    def __str__(self) -> str:
        return f"company {self.vendor_id}"


class ClientOrigin(PracticeOwned):
    """Which company of another product a client came from, so that a second import leaves it alone, renamed or not."""

    kind = models.CharField(max_length=10, choices=Connection.Kind)
    vendor_id = models.CharField(max_length=64)
    client = models.ForeignKey("clients.Client", on_delete=models.PROTECT, related_name="origins")
    run = models.ForeignKey(ImportRun, on_delete=models.PROTECT, related_name="+")
    came_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["kind", "vendor_id"]
        constraints = [models.UniqueConstraint(fields=["practice_id", "kind", "vendor_id"], name="client_origin_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.vendor_id}"
