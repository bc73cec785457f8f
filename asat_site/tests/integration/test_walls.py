"""Attacks on the two walls round a practice, each as the app role and each really committed.

Every refusal also asserts that nothing was read or written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.core.cache import cache, caches
from django.db import DatabaseError, IntegrityError, ProgrammingError, connection, connections, transaction
from psycopg import sql

from asat_site.accounts.models import User
from asat_site.tenancy.catalogue import holes
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import PLATFORM_ID, Practice, TaskFailure, Upgrade
from asat_site.tenancy.tasks import record_failure
from asat_site.testing.practices import KnownPractice
from asat_site.testing.servers import Services

pytestmark = pytest.mark.security

ZEROS = "0" * 64


def ask(query: str, parameters: Any = None, *, using: str = "default") -> list[tuple[Any, ...]]:
    with connections[using].cursor() as cursor:
        cursor.execute(query, parameters)
        return list(cursor.fetchall()) if cursor.description else []


def tenant_tables(schema: str) -> list[str]:
    return [
        row[0]
        for row in ask(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = %s AND c.relkind IN ('r', 'p') ORDER BY 1",
            [schema],
        )
    ]


def count_rows(schema: str, table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT count(*) FROM {}.{}").format(sql.Identifier(schema), sql.Identifier(table)))
        return int(cursor.fetchone()[0])


def add_audit_row(number: int, prev: str, payload: str) -> str:
    digest = hashlib.sha256((prev + payload).encode()).hexdigest()
    ask(
        "INSERT INTO research_auditrow (number, recorded_at, kind, payload, prev_digest, digest)"
        " VALUES (%s, now(), 'answer', %s, %s, %s)",
        [number, payload, prev, digest],
    )
    return digest


# Without a practice, with a forged path, with another practice's id.


def test_without_a_practice_no_tenant_table_shows_a_row(practice: KnownPractice) -> None:
    tables = tenant_tables(practice.practice.schema_name)
    assert {"accounts_user", "django_session", "research_question", "research_auditrow"} <= set(tables)
    assert {table: count_rows(practice.practice.schema_name, table) for table in tables} == dict.fromkeys(tables, 0)


def test_a_forged_search_path_shows_no_row_of_the_other_practice(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    with in_practice(practice.practice):
        assert User.objects.count() == 4
        ask("SELECT set_config('search_path', %s, false)", [other_practice.practice.schema_name])
        for table in tenant_tables(other_practice.practice.schema_name):
            assert ask(f"SELECT count(*) FROM {table}") == [(0,)], table
        connection.close()


def test_qualified_names_show_no_row_of_the_other_practice(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    with in_practice(practice.practice):
        tables = tenant_tables(other_practice.practice.schema_name)
        assert {t: count_rows(other_practice.practice.schema_name, t) for t in tables} == dict.fromkeys(tables, 0)
        assert User.objects.count() == 4


def test_a_practice_set_without_its_path_finds_nothing_in_public(practice: KnownPractice) -> None:
    ask("SELECT set_config('asat.practice_id', %s, false)", [str(practice.id)])
    assert ask("SELECT count(*) FROM public.accounts_user") == [(0,)]
    assert ask("SELECT count(*) FROM public.django_session") == [(0,)]
    connection.close()


@pytest.mark.parametrize("forged", ["not-a-uuid", "' OR true --", "00000000-0000-0000-0000-000000000000"])
def test_a_forged_practice_setting_shows_nothing(practice: KnownPractice, forged: str) -> None:
    schema = practice.practice.schema_name
    ask("SELECT set_config('asat.practice_id', %s, false)", [forged])
    try:
        assert count_rows(schema, "accounts_user") == 0
    except DatabaseError as error:
        assert "invalid input syntax for type uuid" in str(error)
    connection.close()


def test_a_row_cannot_be_written_in_the_name_of_the_other_practice(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    question = (
        "INSERT INTO research_question (id, practice_id, asked_at, text, frameworks, status, attempts)"
        " VALUES (%s, %s, now(), 'theirs', '{}', 'queued', 0)"
    )
    with in_practice(practice.practice):
        before = count_rows(practice.practice.schema_name, "research_question")
        with pytest.raises(ProgrammingError, match="row-level security"):
            ask(question, [uuid4(), other_practice.id])
        assert count_rows(practice.practice.schema_name, "research_question") == before
    with in_practice(other_practice.practice):
        assert ask("SELECT count(*) FROM research_question WHERE text = 'theirs'") == [(0,)]


def test_a_row_cannot_be_written_into_the_other_practices_schema(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    schema = other_practice.practice.schema_name
    with in_practice(practice.practice):
        for owner in (other_practice.id, None):
            with pytest.raises(DatabaseError, match=r"row-level security|not-null"):
                ask(
                    f"INSERT INTO {schema}.research_question"
                    " (id, practice_id, asked_at, text, frameworks, status, attempts)"
                    " VALUES (%s, %s, now(), 'smuggled', '{}', 'queued', 0)",
                    [uuid4(), owner],
                )
        # In its own name the row passes the policy; the other practice never sees it.
        ask(
            f"INSERT INTO {schema}.research_question (id, asked_at, text, frameworks, status, attempts)"
            " VALUES (%s, now(), 'misplaced', '{}', 'queued', 0)",
            [uuid4()],
        )
    with in_practice(other_practice.practice):
        assert ask("SELECT count(*) FROM research_question WHERE text IN ('smuggled', 'misplaced')") == [(0,)]


def test_rows_of_the_other_practice_cannot_be_changed_or_deleted(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    schema = other_practice.practice.schema_name
    with in_practice(practice.practice), connection.cursor() as cursor:
        cursor.execute(f"UPDATE {schema}.accounts_user SET role = 'owner'")
        assert cursor.rowcount == 0
        cursor.execute(f"UPDATE {schema}.accounts_user SET practice_id = %s", [practice.id])
        assert cursor.rowcount == 0
        cursor.execute(f"DELETE FROM {schema}.django_session")
        assert cursor.rowcount == 0
    with in_practice(other_practice.practice):
        assert set(User.objects.values_list("role", flat=True)) == {"owner", "agent", "staff", "read_only"}


def test_a_row_cannot_be_given_away_to_the_other_practice(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    with in_practice(practice.practice):
        with pytest.raises(ProgrammingError, match="row-level security"):
            ask("UPDATE accounts_user SET practice_id = %s", [other_practice.id])
        assert User.objects.count() == 4


# What the app role may not do at all.


@pytest.mark.parametrize(
    "attack",
    [
        "SET ROLE asat_owner",
        "SET SESSION AUTHORIZATION asat_owner",
        "ALTER TABLE {schema}.accounts_user DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE {schema}.accounts_user NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY practice_rows ON {schema}.accounts_user",
        "CREATE POLICY open ON {schema}.accounts_user USING (true)",
        "ALTER TABLE {schema}.research_auditrow DISABLE TRIGGER ALL",
        "SET session_replication_role = replica",
        "CREATE TABLE {schema}.mine (id int)",
        "CREATE TABLE public.mine (id int)",
        "CREATE SCHEMA mine",
        "CREATE OR REPLACE FUNCTION asat.practice_id() RETURNS uuid LANGUAGE sql AS $$ SELECT NULL::uuid $$",
        "CREATE FUNCTION asat.mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$",
        "CREATE EXTENSION pg_trgm WITH SCHEMA {schema}",
        "TRUNCATE {schema}.accounts_user CASCADE",
        "INSERT INTO public.tenancy_practice (id, schema_name, name, created_at)"
        " VALUES (gen_random_uuid(), 'p_mine', 'Mine', now())",
        "UPDATE public.tenancy_practice SET name = 'Mine'",
        "DELETE FROM public.tenancy_domain",
        "UPDATE public.tenancy_domain SET domain = 'mine.localhost'",
        "DELETE FROM {schema}.django_migrations",
        "DROP SCHEMA {schema} CASCADE",
        "COPY {schema}.accounts_user TO '/tmp/taken'",
        "SELECT pg_read_file('/etc/passwd')",
    ],
)
def test_the_app_role_is_refused(practice: KnownPractice, attack: str) -> None:
    with in_practice(practice.practice):
        with pytest.raises(DatabaseError, match=r"permission denied|must be owner|must be able to SET ROLE"):
            ask(attack.format(schema=practice.practice.schema_name))
        assert User.objects.count() == 4
        assert Practice.objects.filter(name="Mine").count() == 0


# The audit chain.


@pytest.mark.parametrize("attack", ["UPDATE research_auditrow SET payload = 'x'", "DELETE FROM research_auditrow"])
@pytest.mark.parametrize("role", ["default", "owner"])
def test_audit_rows_refuse_change(throwaway: Callable[[], KnownPractice], attack: str, role: str) -> None:
    known = throwaway()
    with in_practice(known.practice):
        add_audit_row(1, ZEROS, "one")
    refusal = pytest.raises(DatabaseError, match=r"permission denied|cannot be changed")
    with in_practice(known.practice, using=role), refusal:
        ask(attack, using=role)
    with in_practice(known.practice):
        assert ask("SELECT number, payload FROM research_auditrow") == [(1, "one")]


@pytest.mark.parametrize("role", ["default", "owner"])
@pytest.mark.parametrize(
    "attack",
    ["TRUNCATE research_auditrow CASCADE", "TRUNCATE research_auditrow, research_answer, research_citedwording"],
)
def test_the_audit_table_refuses_truncate(throwaway: Callable[[], KnownPractice], attack: str, role: str) -> None:
    known = throwaway()
    with in_practice(known.practice):
        add_audit_row(1, ZEROS, "one")
    refusal = pytest.raises(DatabaseError, match=r"permission denied|cannot be changed")
    with in_practice(known.practice, using=role), refusal:
        ask(attack, using=role)
    with in_practice(known.practice):
        assert ask("SELECT count(*) FROM research_auditrow") == [(1,)]


def test_the_superuser_is_stopped_by_the_trigger_too(
    throwaway: Callable[[], KnownPractice], services: Services
) -> None:
    known = throwaway()
    with in_practice(known.practice):
        add_audit_row(1, ZEROS, "one")
    table = sql.Identifier(known.practice.schema_name, "research_auditrow")
    with psycopg.connect(services.superuser_url, autocommit=True) as superuser:
        for attack in ("UPDATE {} SET payload = 'x'", "DELETE FROM {}", "TRUNCATE {} CASCADE"):
            with pytest.raises(psycopg.Error, match="cannot be changed"):
                superuser.execute(sql.SQL(attack).format(table))
        assert superuser.execute(sql.SQL("SELECT payload FROM {}").format(table)).fetchall() == [("one",)]


def test_an_audit_row_that_breaks_the_chain_is_refused(throwaway: Callable[[], KnownPractice]) -> None:
    known = throwaway()
    with in_practice(known.practice):
        digest = add_audit_row(1, ZEROS, "one")
        for number, prev in ((2, ZEROS), (3, digest), (1, ZEROS)):
            with pytest.raises(IntegrityError):
                add_audit_row(number, prev, "forged")
        with pytest.raises(IntegrityError):
            ask(
                "INSERT INTO research_auditrow (number, recorded_at, kind, payload, prev_digest, digest)"
                " VALUES (2, now(), 'answer', 'forged', %s, %s)",
                [digest, ZEROS],
            )
        add_audit_row(2, digest, "two")
        assert ask("SELECT payload FROM research_auditrow ORDER BY number") == [("one",), ("two",)]


def test_a_practice_sees_no_audit_row_of_another(
    throwaway: Callable[[], KnownPractice], other_practice: KnownPractice
) -> None:
    known = throwaway()
    with in_practice(known.practice):
        add_audit_row(1, ZEROS, "one")
    with in_practice(other_practice.practice):
        assert count_rows(known.practice.schema_name, "research_auditrow") == 0


def test_a_recorded_answer_cannot_be_changed_by_the_app(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        for attack in ("UPDATE research_answer SET decision = 'answer'", "DELETE FROM research_answer"):
            with pytest.raises(ProgrammingError, match="permission denied"):
                ask(attack)


# The catalogue.


def test_postgres_itself_knows_of_no_hole(practice: KnownPractice, other_practice: KnownPractice) -> None:
    assert holes() == []


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("ALTER TABLE {s}.accounts_user NO FORCE ROW LEVEL SECURITY", "does not FORCE"),
        ("ALTER TABLE {s}.accounts_user DISABLE ROW LEVEL SECURITY", "does not ENABLE"),
        ("DROP POLICY practice_rows ON {s}.django_session", "has no policy that asks"),
        ("CREATE POLICY open ON {s}.django_session USING (true)", "lets every row through"),
        ("CREATE TABLE {s}.forgotten (id int)", "carries no practice"),
        ("CREATE TABLE {s}.forgotten (practice_id uuid NOT NULL)", "does not ENABLE"),
        ("ALTER TABLE {s}.django_session ALTER COLUMN practice_id DROP NOT NULL", "may be without a practice"),
        ("CREATE VIEW {s}.everyone AS SELECT * FROM {s}.accounts_user", "add security_invoker"),
        ("CREATE MATERIALIZED VIEW {s}.everyone AS SELECT * FROM {s}.accounts_user", "materialised"),
        ("CREATE FUNCTION {s}.mine() RETURNS int LANGUAGE sql SECURITY DEFINER AS $$ SELECT 1 $$", "runs as its owner"),
        ("CREATE EXTENSION pg_trgm WITH SCHEMA {s}", "extension outside public"),
        (
            "CREATE INDEX dead ON {s}.research_question USING gin (to_tsvector('english', text))",
            "keeps from being used",
        ),
    ],
)
def test_the_catalogue_walk_finds_each_kind_of_hole(
    practice: KnownPractice, services: Services, damage: str, said: str
) -> None:
    with transaction.atomic(using="owner"), in_practice(practice.practice, using="owner"):
        ask(damage.format(s=practice.practice.schema_name), using="owner")
        assert [hole for hole in holes("owner") if said in hole] != []
        transaction.set_rollback(True, using="owner")
    assert holes() == []


# Caches and failed tasks.


def test_every_cache_keeps_practices_apart(practice: KnownPractice, other_practice: KnownPractice) -> None:
    for alias in caches.settings:
        store = caches[alias]
        with in_practice(practice.practice):
            store.set("same-key", "ours", 30)
        with in_practice(other_practice.practice):
            assert store.get("same-key") is None
            store.set("same-key", "theirs", 30)
        assert store.get("same-key") is None
        with in_practice(practice.practice):
            assert store.get("same-key") == "ours"
            store.delete("same-key")


def test_the_stored_cache_key_names_the_practice(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        assert cache.make_key("k") == f"asat:{practice.id}::1:k"
    assert cache.make_key("k") == "asat:none::1:k"


def test_a_failed_task_is_seen_by_its_practice_and_the_platform_alone(
    practice: KnownPractice, other_practice: KnownPractice, platform: KnownPractice
) -> None:
    mark = uuid4().hex
    record_failure("some.task", mark, ValueError("TFN 123 456 782"), practice.id)
    record_failure("some.task", mark, ValueError("secret"), None)

    def seen() -> list[tuple[UUID | None, str]]:
        return sorted(TaskFailure.objects.filter(task_id=mark).values_list("practice_id", "error"), key=str)

    assert seen() == []
    with in_practice(practice.practice):
        assert seen() == [(practice.id, "ValueError")]
        with pytest.raises(DatabaseError, match="permission denied"):
            TaskFailure.objects.all().delete()
    with in_practice(other_practice.practice):
        assert seen() == []
    with in_practice(platform.practice):
        assert seen() == sorted([(practice.id, "ValueError"), (None, "ValueError")], key=str)
        row = TaskFailure.objects.filter(task_id=mark).values().first()
        assert "TFN" not in str(row) and "secret" not in str(row)


def test_the_public_tables_hold_no_user_that_a_practice_could_see(
    practice: KnownPractice, platform: KnownPractice
) -> None:
    with in_practice(practice.practice):
        assert ask("SELECT count(*) FROM public.accounts_user") == [(0,)]
        assert Upgrade.objects.count() >= 0  # readable, for the boot check
    with in_practice(platform.practice):
        assert list(User.objects.values_list("email", flat=True)) == ["admin@platform.example"]
        assert ask("SELECT asat.is_platform()") == [(True,)]
    assert platform.id == PLATFORM_ID
