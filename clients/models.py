"""Whom a practice works for. What identifies a client leaves the practice nowhere: not by a page, a log or a model.

Tenant schema; every row carries the practice id, checked by policy (see the migrations).
"""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Func, Q, UUIDField

from asat_site import secrets
from asat_site.tenancy.context import current_practice_id
from clients.rules import identifiers


class NotInAPractice(Exception):
    """A client's secret was to be sealed where no practice is spoken for."""


def _several(longest: int) -> ArrayField:  # type: ignore[type-arg]
    """A list of texts, empty where nothing is known."""
    return ArrayField(models.CharField(max_length=longest), default=list, blank=True)


class Client(models.Model):
    """A client of the practice. What is not known is blank; nothing is guessed.

    abn and acn: digits, check digits right. sealed_tfn: as `asat_site.secrets` seals; set and read by `set_tfn` and
    `tfn`. account_numbers: BSB and number together, as typed. allows_remote: whether a question for this client may be
    put to a model outside this machine at all, names masked. archived_at: None while the practice works for them.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    practice_id = models.UUIDField(
        editable=False, db_default=Func(function="asat.practice_id", output_field=UUIDField())
    )
    name = models.CharField(max_length=300)
    trading_names = _several(300)
    abn = models.CharField("ABN", max_length=11, blank=True)
    acn = models.CharField("ACN", max_length=9, blank=True)
    sealed_tfn = models.TextField(blank=True)
    addresses = _several(300)
    emails = _several(254)
    phones = _several(40)
    account_numbers = _several(40)
    allows_remote = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(condition=Q(abn__regex=r"^([0-9]{11})?$"), name="client_abn_is_digits"),
            models.CheckConstraint(condition=Q(acn__regex=r"^([0-9]{9})?$"), name="client_acn_is_digits"),
            models.CheckConstraint(condition=~Q(name=""), name="client_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"client {self.id}"

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
