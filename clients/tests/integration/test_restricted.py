"""Attacks on the wall round a restricted client, as the app role and really committed: who is not assigned sees nothing
of it, changes nothing of it, and lets nobody in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice
from clients.models import Assignment, Client, ClientEvent, Contact, Note, Restriction

pytestmark = pytest.mark.security

HANGING = ("clients_client", "clients_contact", "clients_note", "clients_clientevent")


@dataclass
class Walled:
    """A practice with a client that `staff` alone is assigned to, and one that everybody sees."""

    known: KnownPractice
    hidden: Client
    open: Client

    def as_(self, role: str | None) -> Any:
        return in_practice(self.known.practice, self.known.users[role].pk if role else None)


@pytest.fixture(scope="module")
def walled(services: Any, django_db_blocker: Any) -> Iterator[Walled]:
    from asat_site.testing.practices import make_throwaway

    with django_db_blocker.unblock():
        known = make_throwaway("Walled")
        staff, owner = known.users["staff"], known.users["owner"]
        with in_practice(known.practice, owner.pk):
            hidden = Client.objects.create(name="Quiet Holdings Pty Ltd", abn="51824753556")
            seen = Client.objects.create(name="Loud Holdings Pty Ltd")
            for client in (hidden, seen):
                Contact.objects.create(client=client, name="Q. Uiet")
                Note.objects.create(client=client, text="a note", by=staff)
                ClientEvent.objects.create(client=client, kind="added", by=staff)
            Assignment.objects.create(client=hidden, user=staff, by=owner)
            Restriction.objects.create(client=hidden, by=owner)
        yield Walled(known, hidden, seen)


def counts() -> dict[str, int]:
    found = {}
    with connection.cursor() as cursor:
        for table in HANGING:
            cursor.execute(f"SELECT count(*) FROM {table}")
            found[table] = int(cursor.fetchone()[0])
    return found


@pytest.mark.parametrize(("role", "each"), [("staff", 2), ("agent", 1), ("owner", 1), ("read_only", 1), (None, 1)])
def test_who_is_not_assigned_reads_nothing_of_it(walled: Walled, role: str | None, each: int) -> None:
    with walled.as_(role):
        assert counts() == dict.fromkeys(HANGING, each)
        assert Client.objects.filter(pk=walled.hidden.pk).exists() is (each == 2)
        assert Client.objects.filter(abn="51824753556").count() == each - 1


def test_an_invented_user_and_another_practice_read_nothing(walled: Walled, other_practice: KnownPractice) -> None:
    with in_practice(walled.known.practice, uuid4()):
        assert counts() == dict.fromkeys(HANGING, 1)
    with in_practice(other_practice.practice, walled.known.users["staff"].pk), connection.cursor() as cursor:
        for table in HANGING:
            cursor.execute(f"SELECT count(*) FROM {walled.known.practice.schema_name}.{table}")
            assert cursor.fetchone() == (0,)


def test_the_keeper_reads_all_of_its_practice_and_no_other(walled: Walled, other_practice: KnownPractice) -> None:
    with in_practice(walled.known.practice):
        with as_keeper():
            assert counts() == dict.fromkeys(HANGING, 2)
        assert counts() == dict.fromkeys(HANGING, 1)
    with in_practice(other_practice.practice), as_keeper():
        assert not Client.objects.filter(pk=walled.hidden.pk).exists()


@pytest.mark.parametrize("role", ["agent", "read_only", None])
@pytest.mark.parametrize(
    "attack",
    [
        "INSERT INTO clients_assignment (client_id, user_id, by_id, at) VALUES ('{hidden}', '{user}', '{user}', now())",
        "INSERT INTO clients_contact (client_id, name, role, email, phone) VALUES ('{hidden}', 'x', '', '', '')",
        "INSERT INTO clients_note (client_id, text, by_id, at) VALUES ('{hidden}', 'x', '{user}', now())",
        "INSERT INTO clients_clientevent (client_id, kind, by_id, at) VALUES ('{hidden}', 'added', '{user}', now())",
        "UPDATE clients_note SET client_id = '{hidden}'",
        "UPDATE clients_contact SET client_id = '{hidden}'",
        "INSERT INTO clients_restriction (client_id, by_id, at) VALUES ('{open}', '{user}', now())",
    ],
)
def test_nobody_writes_to_it_or_lets_themselves_in(walled: Walled, role: str | None, attack: str) -> None:
    user = walled.known.users[role or "agent"].pk
    with walled.as_(role):
        with pytest.raises(DatabaseError, match="row-level security"), connection.cursor() as cursor:
            cursor.execute(attack.format(hidden=walled.hidden.pk, open=walled.open.pk, user=user))
        assert counts() == dict.fromkeys(HANGING, 1)
    with walled.as_("staff"):
        assert counts() == dict.fromkeys(HANGING, 2)


@pytest.mark.parametrize("role", ["agent", "owner", None])
@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE clients_client SET name = 'x' WHERE id = '{hidden}'",
        "DELETE FROM clients_assignment WHERE client_id = '{hidden}'",
        "DELETE FROM clients_restriction WHERE client_id = '{hidden}'",
        "DELETE FROM clients_contact WHERE client_id = '{hidden}'",
    ],
)
def test_what_is_hidden_is_neither_changed_nor_opened(walled: Walled, role: str | None, attack: str) -> None:
    with walled.as_(role), connection.cursor() as cursor:
        cursor.execute(attack.format(hidden=walled.hidden.pk))
        assert cursor.rowcount == 0


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE clients_clientevent SET kind = 'x'",
        "DELETE FROM clients_clientevent",
        "TRUNCATE clients_clientevent",
        "DELETE FROM clients_note",
        "UPDATE clients_note SET text = 'x'",
        "DELETE FROM clients_merge",
        "UPDATE clients_assignment SET user_id = by_id",
        "DELETE FROM clients_client",
        "DROP VIEW clients_hidden",
        "CREATE OR REPLACE VIEW clients_hidden AS SELECT id AS client_id FROM clients_client WHERE false",
    ],
)
def test_the_app_is_refused(walled: Walled, attack: str) -> None:
    with walled.as_("staff"):
        with pytest.raises(DatabaseError, match=r"permission denied|must be owner"), connection.cursor() as cursor:
            cursor.execute(attack)
        assert counts() == dict.fromkeys(HANGING, 2)


def test_events_stay_even_for_the_owner_role(walled: Walled) -> None:
    with (
        in_practice(walled.known.practice, walled.known.users["staff"].pk, using="owner"),
        pytest.raises(DatabaseError, match="cannot be changed"),
    ):
        ClientEvent.objects.using("owner").all().delete()


def test_a_forged_path_brings_no_view_of_ones_own(walled: Walled) -> None:
    with walled.as_("agent"), connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE clients_hidden (client_id uuid)")
        cursor.execute("SELECT set_config('search_path', 'pg_temp, ' || current_setting('search_path'), false)")
        cursor.execute("SELECT count(*) FROM clients_client")
        assert cursor.fetchone() == (1,)
        connection.close()


def test_an_owner_lets_themselves_in_and_nobody_else(throwaway: Callable[[], KnownPractice]) -> None:
    known = throwaway()
    owner, agent, staff = (known.users[role] for role in ("owner", "agent", "staff"))
    with in_practice(known.practice, owner.pk):
        client = Client.objects.create(name="Quiet")
        Assignment.objects.create(client=client, user=staff, by=owner)
        Restriction.objects.create(client=client, by=owner)
        assert not Client.objects.filter(pk=client.pk).exists()
        with pytest.raises(DatabaseError, match="row-level security"):
            Assignment.objects.create(client=client, user=agent, by=owner)
        assert list(Restriction.objects.values_list("client_id", flat=True)) == [client.pk]
        Assignment.objects.create(client=client, user=owner, by=owner)
        assert Client.objects.get(pk=client.pk).name == "Quiet"


OWN_RULES = {"clients_assignment", "clients_restriction", "clients_client"}  # tested above, each with a rule of its own


def test_every_table_that_points_at_a_client_is_behind_the_wall(walled: Walled) -> None:
    with walled.as_(None), connection.cursor() as cursor:
        cursor.execute(
            "SELECT t.relname, a.attname, EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = t.oid"
            "  AND NOT p.polpermissive AND p.polcmd = '*'"
            "  AND pg_get_expr(p.polqual, t.oid) LIKE '%%(' || a.attname || ' IN ( SELECT%%clients_hidden%%'"
            "  AND pg_get_expr(p.polwithcheck, t.oid) = pg_get_expr(p.polqual, t.oid))"
            " FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid"
            " JOIN pg_class r ON r.oid = f.confrelid AND r.relname = 'clients_client'"
            " JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = %s"
            " JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = f.conkey[1]"
            " WHERE f.contype = 'f' ORDER BY 1, 2",
            [walled.known.practice.schema_name],
        )
        found = [(table, column, is_walled) for table, column, is_walled in cursor.fetchall() if table not in OWN_RULES]
    assert {table for table, _, _ in found} >= {"clients_contact", "clients_note", "clients_merge", "research_question"}
    assert [(table, column) for table, column, is_walled in found if not is_walled] == []
