"""A test's practice has exactly the tables that migrations make, though its own were not migrated."""

from __future__ import annotations

import subprocess
from uuid import uuid4

import pytest
from django.db import connections

from asat_site.running.postgres import binaries
from asat_site.tenancy.models import Practice
from asat_site.tenancy.practices import create_practice
from asat_site.tenancy.upgrades import expected_migrations, pending_migrations
from asat_site.testing.servers import Services
from asat_site.testing.tables import Tables


def made_with(tables: Tables) -> Practice:
    mark = uuid4().hex[:8]
    return create_practice(f"Made {mark}", f"{mark}.localhost", make_tables=tables.make)


def dumped(services: Services, practice: Practice) -> str:
    """The practice's whole schema as PostgreSQL writes it down: tables, rights, policies, triggers, rows, sequences."""
    command = [str(binaries() / "pg_dump"), "--schema", practice.schema_name, "--inserts", "--restrict-key=none"]
    done = subprocess.run([*command, services.superuser_url], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.replace(practice.schema_name, "the_schema").replace(str(practice.id), "the_practice")


def test_tables_made_again_are_those_that_migrations_made(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Tables()
    migrated = dumped(services, made_with(tables))
    monkeypatch.setattr("asat_site.testing.tables.migrate_here", pytest.fail)
    again = made_with(tables)
    assert dumped(services, again) == migrated
    assert migrated.count("CREATE POLICY") > 30
    assert pending_migrations(again, expected_migrations()) == frozenset()


@pytest.mark.parametrize("what", ["schema_name", "practice_id"])
def test_a_migration_that_names_its_practice_is_not_repeated(
    services: Services, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def migrate(alias: str) -> None:
        with connections[alias].cursor() as cursor:
            cursor.execute("CREATE TABLE named AS SELECT %s AS name", [str(getattr(connections[alias], what))])

    monkeypatch.setattr("asat_site.testing.tables.migrate_here", migrate)
    with pytest.raises(ValueError, match="A migration names its practice"):
        made_with(Tables())
