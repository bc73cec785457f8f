"""`manage.py secrets rotate|check`: whether every stored secret opens, and all of them under the newest key.

To replace a key: put a new one in front of ASAT_ENCRYPTION_KEYS and restart, run `rotate`, and when it exits 0 take the
old one out. Running it twice, or beside people at work, does no harm. No secret is ever printed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import models, transaction

from asat_site import secrets
from asat_site.accounts import factors
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import KEEPER_ID
from asat_site.tenancy.models import PLATFORM_ID, Practice
from research.management.practices import all_practices

# What is sealed: the model by its label, its column, and the field that names the row for good.
SEALED: tuple[tuple[str, str, str], ...] = (
    ("research.ModelSettings", "sealed_key", "practice_id"),
    ("clients.Client", "sealed_tfn", "id"),
    ("clients.DocumentFile", "sealed_key", "document_id"),
    ("integrations.Connection", "sealed_secrets", "id"),
    ("integrations.XeroGrant", "sealed_secrets", "id"),
    ("integrations.XeroConsent", "sealed_secrets", "id"),
)


@dataclass(slots=True)
class Tally:
    """How many secrets were found under the newest key, sealed anew, and how many do not open: with what to say."""

    current: int = 0
    renewed: int = 0
    broken: list[str] = field(default_factory=list)


class Command(BaseCommand):
    help = "Seal every stored secret under the first key, or check that each opens. Exit 0: all do; 1: some do not."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("rotate", help="seal under the first of ASAT_ENCRYPTION_KEYS what is under another")
        actions.add_parser("check", help="open every secret and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        broken = 0
        for practice in [*all_practices(), Practice.objects.get(pk=PLATFORM_ID)]:
            tally = look_through(practice, renews=options["action"] == "rotate")
            broken += len(tally.broken)
            self.stdout.write(
                f"{practice.schema_name}: {tally.current} under the first key, {tally.renewed} "
                f"{'sealed anew' if options['action'] == 'rotate' else 'under another'}, "
                f"{len(tally.broken)} cannot be opened."
            )
            for words in tally.broken:
                self.stderr.write(f"{practice.schema_name}: {words}")
        if broken:
            sys.exit(1)


def look_through(practice: Practice, *, renews: bool) -> Tally:
    """Open every secret of the practice, and seal anew what is not under the first key if `renews`."""
    tally = Tally()
    with in_practice(practice, KEEPER_ID):
        for label, column, row in () if practice.is_platform else SEALED:
            model = apps.get_model(label)
            for pk in model._default_manager.exclude(**{column: ""}).values_list("pk", flat=True):
                _look_at(model, column, row, pk, tally, renews=renews)
        for pk in Authenticator.objects.values_list("pk", flat=True):
            _look_at_factor(practice.id, pk, tally, renews=renews)
    return tally


def _look_at(model: type[models.Model], column: str, row: str, pk: Any, tally: Tally, *, renews: bool) -> None:
    with transaction.atomic():
        found = model._default_manager.select_for_update().values("practice_id", column, row).get(pk=pk)
        place = {"practice": found["practice_id"], "table": model._meta.db_table, "column": column, "row": found[row]}
        anew = _judged(found[column], place, pk, tally)
        if anew is not None and renews:
            model._default_manager.filter(pk=pk).update(**{column: anew})


def _look_at_factor(practice: UUID, pk: Any, tally: Tally, *, renews: bool) -> None:
    """A user's second factor, whose secrets stand within JSON and are bound to the user."""
    with transaction.atomic():
        row = Authenticator.objects.select_for_update().get(pk=pk)
        place = {"practice": practice, "table": factors.TABLE, "column": factors.COLUMN, "row": row.user_id}
        for name in factors.SEALED:
            anew = _judged(row.data[name], place, pk, tally) if name in row.data else None
            if anew is not None and renews:
                row.data[name] = anew
                row.save(update_fields=["data"])


def _judged(sealed: str, place: dict[str, Any], pk: Any, tally: Tally) -> str | None:
    """The secret sealed under the first key, where it is under another; counted either way."""
    try:
        text = secrets.open_sealed(sealed, **place)
    except secrets.CannotOpen as error:
        tally.broken.append(f"row {pk}: {error}")
        return None
    if secrets.is_under_first_key(sealed):
        tally.current += 1
        return None
    tally.renewed += 1
    return secrets.seal(text, **place)
