"""A connection's secret: sealed, seen by its practice alone, opened in its own row alone, shown to nobody."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from clients.models import Client
from integrations import services, tokens
from integrations.models import Connection, NotInAPractice
from integrations.terms import ReconnectRequired

pytestmark = pytest.mark.security

TOKEN = "pat-na1-0000-of-nobody-at-all-q9z8"


def connected(known: KnownPractice, token: str = TOKEN, client: Client | None = None) -> Connection:
    kind = Connection.Kind.XERO if client else Connection.Kind.HUBSPOT
    access = services.Access({"token": token}, ends_with=token[-4:], scopes=("a.read",), why="")
    made = services.connect(known.users["owner"], kind, access, client.pk if client else None)
    made.refresh_from_db()
    return made


def test_a_connection_is_seen_by_its_practice_alone(throwaway: Callable[[], KnownPractice]) -> None:
    ours, theirs = throwaway(), throwaway()
    with in_practice(ours.practice):
        made = connected(ours)
    with in_practice(theirs.practice):
        assert services.connection_of("hubspot") is None
        services.disconnect(made)
        services.require_reconnect(made, "theirs")
        with connection.cursor() as cursor:
            for table in ("connection", "importrun", "importedcompany", "clientorigin"):
                cursor.execute(f"SELECT count(*) FROM {ours.practice.schema_name}.integrations_{table}")
                assert cursor.fetchone() == (0,)
    with in_practice(ours.practice):
        kept = Connection.objects.get()
        assert (kept.status, kept.why, tokens.opened(kept)["token"]) == ("connected", "", TOKEN)


def test_a_secret_opens_in_its_own_row_and_practice_alone(throwaway: Callable[[], KnownPractice]) -> None:
    ours, theirs = throwaway(), throwaway()
    with in_practice(ours.practice):
        made = connected(ours)
        other = connected(ours, "another", Client.objects.create(name="Ours"))
        assert TOKEN not in made.sealed_secrets
        other.sealed_secrets = made.sealed_secrets
        with pytest.raises(ReconnectRequired):
            tokens.opened(other)
    with in_practice(theirs.practice):
        copied = Connection.objects.create(
            id=made.id, kind="hubspot", status="connected", sealed_secrets=made.sealed_secrets
        )
        copied.refresh_from_db()
        with pytest.raises(ReconnectRequired):
            tokens.opened(copied)


def test_a_wrong_key_asks_for_a_new_connection_and_does_nothing_worse(
    throwaway: Callable[[], KnownPractice], settings: Any
) -> None:
    known = throwaway()
    with in_practice(known.practice):
        made = connected(known)
        held, settings.ENCRYPTION_KEYS = settings.ENCRYPTION_KEYS, (("dev", b"w" * 32),)
        with pytest.raises(ReconnectRequired) as refused, services.marking(made):
            tokens.opened(made)
        assert refused.value.message == tokens.DOES_NOT_OPEN
        kept = Connection.objects.get()
        assert (kept.status, kept.why) == ("reconnect_required", tokens.DOES_NOT_OPEN)
        assert kept.sealed_secrets == made.sealed_secrets
        settings.ENCRYPTION_KEYS = held
        assert tokens.opened(kept)["token"] == TOKEN
        services.checked(kept)
        assert Connection.objects.get().status == "connected"


def test_disconnecting_erases_the_secret_and_keeps_who_connected(throwaway: Callable[[], KnownPractice]) -> None:
    known = throwaway()
    with in_practice(known.practice):
        made = connected(known)
        services.disconnect(made)
        ended = Connection.objects.get()
        assert (ended.status, ended.sealed_secrets, ended.ends_with, ended.scopes) == ("disconnected", "", "", [])
        assert ended.connected_by == known.users["owner"]
        with pytest.raises(ReconnectRequired):
            tokens.opened(ended)
        services.require_reconnect(made, "late news of the one that was ended")
        services.checked(made)
        assert Connection.objects.get().status == "disconnected"
        assert connected(known).pk == made.pk


def test_a_connection_that_ended_cannot_hold_a_secret_and_none_is_deleted(
    throwaway: Callable[[], KnownPractice],
) -> None:
    known = throwaway()
    with in_practice(known.practice):
        made = connected(known)
        with pytest.raises(IntegrityError, match="connection_ended_without_secrets"):
            Connection.objects.filter(pk=made.pk).update(status="disconnected")
        with pytest.raises(IntegrityError, match="connection_once"):
            Connection.objects.create(kind="hubspot")
        with pytest.raises(DatabaseError, match="permission denied"):
            made.delete()
        assert Connection.objects.count() == 1


def test_no_repr_text_error_or_pickle_holds_the_secret(throwaway: Callable[[], KnownPractice]) -> None:
    known = throwaway()
    with in_practice(known.practice):
        made = connected(known)
        held = tokens.opened(made)
    access = services.Access({"token": TOKEN})
    for shown in (repr(made), str(made), repr(held), str(held), repr(access), str(vars(made))):
        assert TOKEN not in shown
    with pytest.raises(TypeError):
        pickle.dumps(held)


def test_a_new_key_seals_it_anew_and_the_old_one_is_not_needed_then(
    throwaway: Callable[[], KnownPractice], settings: Any
) -> None:
    known = throwaway()
    with in_practice(known.practice):
        before = connected(known)
    old = settings.ENCRYPTION_KEYS
    settings.ENCRYPTION_KEYS = (("newer", b"n" * 32), *old)
    out = StringIO()
    with suppress(SystemExit):  # secrets of other tests' practices may be broken by design
        call_command("secrets", "rotate", stdout=out, stderr=StringIO())
    line = next(line for line in out.getvalue().splitlines() if line.startswith(known.practice.schema_name))
    assert line.endswith(": 0 under the first key, 1 sealed anew, 0 cannot be opened.")
    settings.ENCRYPTION_KEYS = settings.ENCRYPTION_KEYS[:1]
    with in_practice(known.practice):
        after = Connection.objects.get()
        assert after.sealed_secrets != before.sealed_secrets and TOKEN not in out.getvalue()
        assert (after.status, tokens.opened(after)["token"]) == ("connected", TOKEN)
    settings.ENCRYPTION_KEYS = (*old, ("newer", b"n" * 32))
    with suppress(SystemExit):
        call_command("secrets", "rotate", stdout=StringIO(), stderr=StringIO())  # back under what other tests have


def test_a_secret_is_sealed_within_a_practice_only() -> None:
    with pytest.raises(NotInAPractice):
        Connection(id=uuid4()).seal_secrets({"token": TOKEN})


def test_the_administration_shows_no_secret_sealed_or_not(throwaway: Callable[[], KnownPractice]) -> None:
    known = throwaway()
    with in_practice(known.practice):
        made = connected(known)
    for address in ("", f"{made.pk}/change/"):
        page = known.client("owner").get(f"/admin/integrations/connection/{address}")
        assert page.status_code == 200
        words = page.content.decode()
        assert TOKEN not in words and made.sealed_secrets not in words and TOKEN[-4:] not in words


@pytest.mark.parametrize(("role", "status"), [("owner", 200), ("agent", 403), ("staff", 403), ("read_only", 403)])
def test_connections_are_for_owners(practice: KnownPractice, role: str, status: int) -> None:
    assert practice.client(role).get("/settings/connections/").status_code == status
