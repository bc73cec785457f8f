"""Reads the practice's clients into the register that the masker needs, archived ones too: what identified somebody
once still does, and restricted ones too, whoever asks: what the asker may not see must not leave either. The only place
where tax file numbers are opened for it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from asat_site.secrets import CannotOpen
from asat_site.tenancy.context import current_practice_id
from asat_site.tenancy.keeper import as_keeper
from clients.models import Client, Contact
from research.model_terms import ModelFailed, ModelProblem
from research.privacy.register import ClientEntry, Register

REMEMBERED = 16  # practices whose register a process keeps indexed; making one anew takes a second at 5,000 clients

_remembered: OrderedDict[UUID, tuple[list[tuple[Any, ...]], Register]] = OrderedDict()
_FIELDS = (
    "id", "practice_id", "name", "trading_names", "abn", "acn", "sealed_tfn", "addresses", "emails", "phones",
    "account_numbers", "allows_remote",
)  # fmt: skip


def read_register() -> Register:
    """The register of the practice that is spoken for, in the order of client ids.

    Raises ModelFailed, NOT_ALLOWED, where a tax file number cannot be opened or no practice is spoken for: what cannot
    be looked for could not be masked. A register is remembered for as long as none of its rows has changed.
    """
    practice = current_practice_id()
    if practice is None:
        raise ModelFailed(ModelProblem.NOT_ALLOWED, "Nothing may be sent to a remote model outside a practice.")
    with as_keeper():
        rows = list(Client.objects.order_by("id").values_list(*_FIELDS))
        contacts = list(Contact.objects.order_by("id").values_list("client_id", "name", "email", "phone"))
    known = _remembered.get(practice)
    read = [*rows, *contacts]
    if known is None or known[0] != read:
        known = read, Register((*map(_entry, rows), *_people(rows, contacts)))
        _remembered[practice] = known
        while len(_remembered) > REMEMBERED:
            _remembered.popitem(last=False)
    _remembered.move_to_end(practice)
    return known[1]


def _entry(row: tuple[Any, ...]) -> ClientEntry:
    client = Client(**dict(zip(_FIELDS, row, strict=True)))
    try:
        tfn = client.tfn()
    except CannotOpen:
        raise ModelFailed(
            ModelProblem.NOT_ALLOWED,
            "A client's tax file number cannot be opened, so it could not be masked, and nothing was sent. "
            "`manage.py secrets check` names the rows.",
        ) from None
    return ClientEntry(
        name=client.name,
        trading_names=tuple(client.trading_names),
        abn=client.abn,
        acn=client.acn,
        tfn=tfn,
        addresses=tuple(client.addresses),
        emails=tuple(client.emails),
        phones=tuple(client.phones),
        account_numbers=tuple(client.account_numbers),
        allows_remote=client.allows_remote,
    )


def _people(rows: list[tuple[Any, ...]], contacts: list[tuple[Any, ...]]) -> Iterator[ClientEntry]:
    """The contacts, each as an entry of its own, sent or kept as its client is."""
    allowed = {row[0]: row[_FIELDS.index("allows_remote")] for row in rows}
    for client_id, name, email, phone in contacts:
        yield ClientEntry(
            name=name,
            emails=(email,) if email else (),
            phones=(phone,) if phone else (),
            allows_remote=allowed.get(client_id, False),
        )
