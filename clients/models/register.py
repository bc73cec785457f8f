"""Whom a practice works for. What identifies a client leaves the practice nowhere: not by a page, a log or a model.

Tenant schema; every row carries the practice id, checked by policy (see the migrations). A restricted client and all
that hangs off it is seen by those assigned to it alone, also by policy: a table that points at a client is given the
policy of `clients/migrations/0002`, and what it points with is called `client`.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from asat_site import secrets
from asat_site.tenancy.context import current_practice_id
from clients.models.base import NotInAPractice, PracticeOwned, several
from clients.rules import identifiers, matching


class EntityType(models.TextChoices):
    """What a client is in law; blank where nobody said."""

    INDIVIDUAL = "individual", "Individual"
    SOLE_TRADER = "sole_trader", "Sole trader"
    COMPANY = "company", "Company"
    TRUST = "trust", "Trust"
    PARTNERSHIP = "partnership", "Partnership"
    SUPER_FUND = "super_fund", "Super fund"
    SMSF = "smsf", "Self-managed super fund"
    OTHER = "other", "Other"


class BasCycle(models.TextChoices):
    """How often a client gives an activity statement; blank where nobody said."""

    MONTHLY = "monthly", "Monthly"
    QUARTERLY = "quarterly", "Quarterly"
    ANNUAL = "annual", "Annual"


class Client(PracticeOwned):
    """A client of the practice. What is not known is blank; nothing is guessed.

    abn and acn: digits, check digits right. sealed_tfn: as `asat_site.secrets` seals; set and read by `set_tfn` and
    `tfn`. account_numbers: BSB and number together, as typed. allows_remote: whether a question for this client may be
    put to a model outside this machine at all, names masked. archived_at: None while the practice works for them.
    gst_registered: None for unknown. income_year_end: the month, 1 to 12, that its accounting period ends in; None
    where nobody said, which is taken as the ordinary 30 June. merged_into: the client that this one was found to be.
    match_key and sought: the name as duplicates are found by it, and the words and numbers that a search reads; kept
    by `save`, and by hand before a bulk_create.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=300)
    trading_names = several(300)
    entity_type = models.CharField(max_length=20, choices=EntityType, blank=True)
    abn = models.CharField("ABN", max_length=11, blank=True)
    acn = models.CharField("ACN", max_length=9, blank=True)
    sealed_tfn = models.TextField(blank=True)
    gst_registered = models.BooleanField("registered for GST", null=True, blank=True)
    bas_cycle = models.CharField("BAS cycle", max_length=10, choices=BasCycle, blank=True)
    income_year_end = models.PositiveSmallIntegerField(null=True, blank=True)
    addresses = several(300)
    emails = several(254)
    phones = several(40)
    account_numbers = several(40)
    tags = several(40)
    allows_remote = models.BooleanField(default=True)
    staff = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Assignment", through_fields=("client", "user"), related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey("self", on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    match_key = models.CharField(max_length=300, editable=False, blank=True)
    sought = models.TextField(editable=False, blank=True)

    class Meta:
        ordering = ["name", "id"]
        indexes = [
            models.Index(fields=["match_key"], name="client_match_key"),
            models.Index(fields=["abn"], name="client_abn"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(abn__regex=r"^([0-9]{11})?$"), name="client_abn_is_digits"),
            models.CheckConstraint(condition=Q(acn__regex=r"^([0-9]{9})?$"), name="client_acn_is_digits"),
            models.CheckConstraint(condition=~Q(name=""), name="client_has_a_name"),
            models.CheckConstraint(
                condition=Q(income_year_end=None) | Q(income_year_end__range=(1, 12)),
                name="client_year_ends_in_a_month",
            ),
            models.CheckConstraint(condition=Q(entity_type__in=["", *EntityType.values]), name="client_entity_known"),
            models.CheckConstraint(condition=Q(bas_cycle__in=["", *BasCycle.values]), name="client_bas_known"),
        ]

    def __str__(self) -> str:
        return f"client {self.id}"

    def save(self, *args: object, **kwargs: object) -> None:
        self.refold()
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "match_key", "sought"}  # type: ignore[misc]
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def refold(self) -> None:
        """Make match_key and sought of the names and numbers as they are now."""
        self.match_key = matching.match_key(self.name)
        self.sought = matching.sought([self.name, *self.trading_names, self.abn, self.acn])

    def clean(self) -> None:
        """Keep the digits of ABN and ACN; raise ValidationError where their check digits are wrong."""
        wrong = {}
        for field, read in (("abn", identifiers.read_abn), ("acn", identifiers.read_acn)):
            typed = getattr(self, field)
            digits = read(typed) if typed else ""
            if digits is None:
                wrong[field] = f"This is no {field.upper()}: a digit is wrong, missing or too many."
            else:
                setattr(self, field, digits)
        if wrong:
            raise ValidationError(wrong)

    def set_tfn(self, digits: str) -> None:
        """Seal the tax file number, digits alone, for this row; "" for none. The row is not saved.

        Raises ValueError if its check digit is wrong, and NotInAPractice.
        """
        if digits and identifiers.read_tfn(digits) != digits:
            raise ValueError("This is no TFN: a digit is wrong, missing or too many.")
        practice = self.practice_id if isinstance(self.practice_id, uuid.UUID) else current_practice_id()
        if practice is None:
            raise NotInAPractice("Enter the practice before a tax file number is sealed.")
        self.sealed_tfn = self._seal(digits, practice) if digits else ""

    def tfn(self) -> str:
        """The tax file number, digits alone, "" for none. Raises `secrets.CannotOpen`."""
        if not self.sealed_tfn:
            return ""
        return secrets.open_sealed(
            self.sealed_tfn, practice=self.practice_id, table="clients_client", column="sealed_tfn", row=self.id
        )

    def _seal(self, digits: str, practice: uuid.UUID) -> str:
        return secrets.seal(digits, practice=practice, table="clients_client", column="sealed_tfn", row=self.id)


class Assignment(PracticeOwned):
    """Somebody who works for a client: ids alone, so that policies may read it for everybody."""

    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="assignments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "id"]
        constraints = [models.UniqueConstraint(fields=["client", "user"], name="assigned_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} works for client {self.client_id}"


class Restriction(PracticeOwned):
    """The client is seen by those assigned to it alone. Ids alone, so that policies may read it for everybody."""

    client = models.OneToOneField(Client, on_delete=models.PROTECT, primary_key=True, related_name="restriction")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"client {self.client_id} is restricted"


class Contact(PracticeOwned):
    """Somebody to speak to at a client. role: in their own words ("Director", "Bookkeeper")."""

    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="contacts")
    name = models.CharField(max_length=200)
    role = models.CharField(max_length=100, blank=True)
    email = models.EmailField(blank=True)
    phone = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"contact {self.pk}"


class Note(PracticeOwned):
    """What somebody wrote down about a client. It stays as it was written."""

    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="notes")
    text = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"note {self.pk}"


class ClientEvent(PracticeOwned):
    """What was done with a client that somebody may have to account for; INSERT and SELECT only. No values in it.

    client: None for what concerned many at once. other: the user or client that it was done with. count: of clients,
    or of what was exported of them.
    """

    class Kind(models.TextChoices):
        ADDED = "added", "Added"
        CHANGED = "changed", "Changed"
        TFN_SEEN = "tfn_seen", "Tax file number shown"
        TFN_CHANGED = "tfn_changed", "Tax file number changed"
        EXPORTED = "exported", "Exported"
        ENTRIES_EXPORTED = "entries_exported", "Transactions exported"
        IMPORTED = "imported", "Imported"
        MERGED = "merged", "Merged"
        UNMERGED = "unmerged", "Merge undone"
        ARCHIVED = "archived", "Archived"
        RESTORED = "restored", "Taken back from the archive"
        RESTRICTED = "restricted", "Restricted"
        OPENED = "opened", "Restriction lifted"
        ASSIGNED = "assigned", "Assigned"
        UNASSIGNED = "unassigned", "Assignment ended"
        ASSIGNED_SELF = "assigned_self", "Owner assigned to a restricted client by themselves"

    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="events", null=True)
    kind = models.CharField(max_length=20, choices=Kind)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    other = models.UUIDField(null=True)
    count = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"client event {self.pk}: {self.kind}"


class Merge(PracticeOwned):
    """One client found to be another, and what it takes to undo that.

    moved: ids of what hung off `gone` and now hangs off `client`, by table. added: the people assigned by it. filled:
    the fields of `client` that were written, each with what stood there and what stands there now; of a tax file
    number, that it was blank. gone_archived_at: when `gone` had been archived before, if it had.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="merges")
    gone = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    moved = models.JSONField(default=dict)
    added = models.JSONField(default=list)
    filled = models.JSONField(default=dict)
    gone_archived_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-at", "id"]

    def __str__(self) -> str:
        return f"merge {self.id}"


class ClientImport(PracticeOwned):
    """A file of clients on its way in; seen by who sent it alone, also by policy.

    sealed_file: as `asat_site.secrets` seals, for a file may hold anything; "" once it came in or was given up.
    report: what was found by the dry run, and then what came in; see `clients.rules.incoming`.
    """

    class Status(models.TextChoices):
        CHECKING = "checking"
        CHECKED = "checked"
        COMING_IN = "coming_in"
        DONE = "done"
        GIVEN_UP = "given_up"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    filename = models.CharField(max_length=200)
    sealed_file = models.TextField(blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.CHECKING)
    report = models.JSONField(default=dict)

    class Meta:
        ordering = ["-at", "id"]

    def __str__(self) -> str:
        return f"import {self.id}"
