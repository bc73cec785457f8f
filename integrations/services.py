"""What becomes of a connection: made, checked, in need of a person, ended. Its vendor's package says when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from integrations.models import Connection
from integrations.terms import ReconnectRequired

WHY_CHARS = 400


@dataclass(frozen=True, slots=True)
class Access:
    """What a vendor granted, once it was tried. secrets are shown by no repr; why: what the page should say of it."""

    secrets: Mapping[str, str]
    ends_with: str = ""
    scopes: tuple[str, ...] = ()
    account_id: str = ""
    account_name: str = ""
    expires_at: datetime | None = None
    why: str = ""

    def __repr__(self) -> str:
        return "Access(…)"


def connection_of(kind: str, client_id: Any = None) -> Connection | None:
    """The practice's connection of this kind, for this client or for nobody in particular; None for none ever made."""
    return Connection.objects.select_related("connected_by").filter(kind=kind, client_id=client_id).first()


@transaction.atomic
def connect(user: Any, kind: str, access: Access, client_id: Any = None) -> Connection:
    """The connection, saved with its secrets sealed. One that was there before takes them, whatever its state."""
    rows = Connection.objects.select_for_update().filter(kind=kind, client_id=client_id)
    row = rows.first() or Connection(kind=kind, client_id=client_id)
    row.seal_secrets(access.secrets)
    row.ends_with, row.scopes, row.expires_at = access.ends_with, list(access.scopes), access.expires_at
    row.account_id, row.account_name = access.account_id, access.account_name
    row.status, row.why = Connection.Status.CONNECTED, access.why[:WHY_CHARS]
    row.connected_by, row.connected_at = user, timezone.now()
    row.checked_at = row.connected_at
    row.save()
    return row


def disconnect(connection: Connection) -> None:
    """End it: its secrets are erased and the row stays. Whether the vendor is told first is for its package to say."""
    Connection.objects.filter(pk=connection.pk).update(
        sealed_secrets="", ends_with="", scopes=[], expires_at=None, why="", status=Connection.Status.DISCONNECTED
    )


def require_reconnect(connection: Connection, why: str) -> None:
    """Say that a person must connect anew. Its secrets stay, for a key that comes back opens them again.

    A connection that was ended or made anew meanwhile stays as it is.
    """
    Connection.objects.filter(
        pk=connection.pk, status=Connection.Status.CONNECTED, sealed_secrets=connection.sealed_secrets
    ).update(status=Connection.Status.RECONNECT_REQUIRED, why=why[:WHY_CHARS])


def checked(connection: Connection, why: str = "") -> None:
    """Take note that the vendor took the secret just now."""
    Connection.objects.filter(pk=connection.pk, sealed_secrets=connection.sealed_secrets).exclude(
        status=Connection.Status.DISCONNECTED
    ).update(status=Connection.Status.CONNECTED, checked_at=timezone.now(), why=why[:WHY_CHARS])


@contextmanager
def marking(connection: Connection) -> Iterator[None]:
    """Work that needs the connection's secret: where that does not open, or is refused, the connection says so.

    Not inside a transaction that the same exception ends: the mark would be undone with it.
    """
    try:
        yield
    except ReconnectRequired as error:
        require_reconnect(connection, error.message)
        raise
