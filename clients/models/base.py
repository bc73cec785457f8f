"""What every table of the practice's own shares."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Func, UUIDField


class NotInAPractice(Exception):
    """A client's secret was to be sealed where no practice is spoken for."""


def several(longest: int) -> ArrayField:  # type: ignore[type-arg]
    """A list of texts, empty where nothing is known."""
    return ArrayField(models.CharField(max_length=longest), default=list, blank=True)


class PracticeOwned(models.Model):
    """Carries the practice; the database fills it in from the session and its policies check it."""

    practice_id = models.UUIDField(
        editable=False, db_default=Func(function="asat.practice_id", output_field=UUIDField())
    )

    class Meta:
        abstract = True
