"""Brings every schema up to date: public first, then each practice, as the owner and inside that practice.

The practice must be set while its migrations run, for FORCEd policies bind the owner too. A practice that fails is
recorded and does not stop the next; running again resumes, since what is applied is applied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.core.management import call_command
from django.core.management.commands.migrate import Command as DjangoMigrate
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import PLATFORM_ID, PLATFORM_SCHEMA, Domain, Practice, Upgrade

OWNER_ALIAS = "owner"
_LOCK = 0x41734175


class NoOwner(Exception):
    """The owner's database address is not set."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an upgrade did for one practice: how many migrations, or why it failed ("" when it did not)."""

    practice: str
    schema: str
    applied: int
    error: str = ""


def require_owner() -> str:
    """The alias of the owner's connection; raises NoOwner with the remedy where there is none."""
    if OWNER_ALIAS not in settings.DATABASES:
        raise NoOwner("DATABASE_URL is not set; give the address of the role asat_owner, which owns the tables.")
    return OWNER_ALIAS


def upgrade_all(tell: Callable[[Outcome], None] = lambda outcome: None) -> list[Outcome]:
    """Upgrade public and every practice; tells each outcome as it comes. A failure of public stops everything."""
    alias = require_owner()
    expected = expected_migrations()
    outcomes = []
    with _alone(alias):
        platform = Practice(id=PLATFORM_ID, schema_name=PLATFORM_SCHEMA, name="Platform")
        first = _upgrade(platform, expected, alias)
        outcomes.append(first)
        tell(first)
        if first.error:
            return outcomes
        _host_the_platform(alias)
        for practice in list(Practice.objects.using(alias).exclude(id=PLATFORM_ID)):
            outcome = _upgrade(practice, expected, alias)
            outcomes.append(outcome)
            tell(outcome)
    return outcomes


def expected_migrations() -> frozenset[tuple[str, str]]:
    """Every migration that the code has."""
    return frozenset(MigrationLoader(None).graph.nodes)


def pending_migrations(
    practice: Practice, expected: frozenset[tuple[str, str]], *, using: str = DEFAULT_DB_ALIAS
) -> frozenset[tuple[str, str]]:
    """Those of the expected migrations that this practice's schema has not had."""
    with in_practice(practice, using=using):
        return expected - set(MigrationRecorder(connections[using]).applied_migrations())


def migrate_here(alias: str) -> None:
    """Run Django's own migrate in the practice the connection is in."""
    call_command(DjangoMigrate(), database=alias, interactive=False, verbosity=0)


def _upgrade(practice: Practice, expected: frozenset[tuple[str, str]], alias: str) -> Outcome:
    is_platform = practice.id == PLATFORM_ID
    try:
        pending = pending_migrations(practice, expected, using=alias)
        if not pending:
            return Outcome(practice.name, practice.schema_name, 0)
        if not is_platform:
            _note(practice, Upgrade.Status.RUNNING, "", alias)
        with in_practice(practice, using=alias):
            migrate_here(alias)
    except Exception as error:  # one practice's trouble must not keep the others from being upgraded
        detail = f"{type(error).__name__}: {error}"[:300]
        if not is_platform:
            _note(practice, Upgrade.Status.FAILED, detail, alias)
        return Outcome(practice.name, practice.schema_name, 0, detail)
    _note(practice, Upgrade.Status.DONE, "", alias)
    return Outcome(practice.name, practice.schema_name, len(pending))


def _note(practice: Practice, status: str, detail: str, alias: str) -> None:
    Upgrade.objects.using(alias).update_or_create(
        practice_id=practice.id, defaults={"status": status, "detail": detail}
    )


def _host_the_platform(alias: str) -> None:
    # bulk_create, since DomainMixin.save writes to the default database whatever the alias.
    hosts = Domain.objects.using(alias)
    if not hosts.filter(tenant_id=PLATFORM_ID).exists():  # made a moment ago: as every practice made from now on
        platform = Practice.objects.using(alias).filter(id=PLATFORM_ID)
        platform.update(requires_second_factor=settings.ASAT_REQUIRE_SECOND_FACTOR)
    if not hosts.filter(domain=settings.PLATFORM_HOST).exists():
        hosts.filter(tenant_id=PLATFORM_ID).update(is_primary=False)
        hosts.bulk_create([Domain(domain=settings.PLATFORM_HOST, tenant_id=PLATFORM_ID, is_primary=True)])


@contextmanager
def _alone(alias: str) -> Iterator[None]:
    """Hold the advisory lock, so that two upgrades never run at once; the second waits."""
    connection = connections[alias]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
    try:
        yield
    finally:
        if connection.connection is not None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])
