"""The only place where a connection's secret is opened. Only the two `api.py` may ask: see the import contracts."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import ClassVar, Protocol

from asat_site.secrets import CannotOpen, open_sealed
from integrations.terms import ReconnectRequired

DOES_NOT_OPEN = "The stored access does not open here any more. Connect again; nothing else is lost."


class Sealed(Protocol):
    """A row that holds sealed secrets: a Connection, or what Xero keeps for a person or an attempt to connect."""

    TABLE: ClassVar[str]
    COLUMN: ClassVar[str]
    id: uuid.UUID
    practice_id: uuid.UUID
    sealed_secrets: str


class Secrets:
    """A connection's opened secrets by name. It shows them to whoever asks for one, and never as a whole."""

    __slots__ = ("_held",)

    def __init__(self, held: Mapping[str, str]) -> None:
        self._held = dict(held)

    def __getitem__(self, name: str) -> str:
        return self._held[name]

    def get(self, name: str) -> str:
        """The secret of this name, "" for none."""
        return self._held.get(name, "")

    def __repr__(self) -> str:
        return "Secrets(…)"

    def __reduce__(self) -> str:
        raise TypeError("A secret is not written anywhere.")


def opened(connection: Sealed) -> Secrets:
    """The secrets of this row, for one exchange with its vendor; do not keep them.

    Raises ReconnectRequired where there are none, or where they do not open: sealed under a key that is gone, for
    another row, or for another practice. Whoever catches it marks the connection (`services.marking`).
    """
    if not connection.sealed_secrets:
        raise ReconnectRequired("There is no access stored for this connection. Connect again.")
    try:
        text = open_sealed(
            connection.sealed_secrets,
            practice=connection.practice_id,
            table=connection.TABLE,
            column=connection.COLUMN,
            row=connection.id,
        )
    except CannotOpen:
        raise ReconnectRequired(DOES_NOT_OPEN) from None
    return Secrets(json.loads(text))
