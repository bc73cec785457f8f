"""What the ledger asks of whoever sends its entries on. ASAT_LEDGER_SENDING names that by its dotted path.

The ledger knows entries, and not where they go; a site without such a product sends nothing and says nothing of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from clients.models import Client, Transaction


@dataclass(frozen=True, slots=True)
class Sent:
    """How far one entry has got. tone: as badges have it. address: its page. is_there: it arrived."""

    words: str
    tone: str
    address: str
    is_there: bool
    is_underway: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a client's entries go. address: the page that says so. problem: why nothing can be sent now, "" if it can.

    send: where the form that sends them leads.
    """

    name: str
    address: str
    send: str
    problem: str


class Sending(Protocol):
    """name: the product's."""

    name: str

    def states(self, ids: Collection[UUID]) -> Mapping[UUID, Sent]:
        """How far each of these has got; those that were never sent are not in it."""

    def ids_there(self) -> Any:
        """A query of the ids of all that arrived, for `pk__in`."""

    def moved(self, ids: Collection[UUID], of: Client, to: Client) -> None:
        """These entries were one client's and are another's now: what was sent of them goes along."""

    def place(self, client: Client) -> Place:
        """Where this client's entries go."""


def sending() -> Sending | None:
    """Whoever sends entries on; None where nobody does."""
    path = settings.ASAT_LEDGER_SENDING
    return cast(Sending, import_string(path)) if path else None


def may_go(entry: Transaction, is_reversed: bool) -> bool:
    """Whether an entry is one to send: a bill or receipt that stands, and no credit note. What else keeps it back, is
    said when it is sent.
    """
    stands = entry.reverses_id is None and not is_reversed
    return stands and entry.kind != Transaction.Kind.BANK and entry.total_cents > 0
