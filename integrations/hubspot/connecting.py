"""Connecting with HubSpot: a key is tried before it is kept, and what it lacks is named at once."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from asat_site.tenancy.context import current_practice_id
from integrations import services
from integrations.exchange import Bearer, Limits
from integrations.hubspot import mapping
from integrations.hubspot.api import HubSpot
from integrations.models import Connection, ImportRun
from integrations.services import Access
from integrations.terms import LacksScopes

KIND = Connection.Kind.HUBSPOT
WHILE_SOMEBODY_WAITS = Limits(connect_s=5.0, read_s=10.0, total_s=15.0, tries=2, longest_wait_s=2.0)
WITHOUT_ABNS = "Companies come in without an ABN: this key may not list the properties of companies. Add the scope {0}."


def connection() -> Connection | None:
    """The practice's connection with HubSpot; None for none ever made."""
    return services.connection_of(KIND)


@sensitive_variables("pasted", "token", "access")
def connect(user: Any, pasted: str) -> Connection:
    """The connection with this key, once HubSpot took it. Nothing is stored otherwise.

    Raises `mapping.TokenNotOne` for what is no such key; LacksScopes, which names all that is missing;
    ReconnectRequired for a key that is refused; TryLater and VendorFailed.
    """
    token = mapping.clean_token(pasted)
    practice = current_practice_id()
    assert practice is not None
    with HubSpot(Bearer(token), practice, limits=WHILE_SOMEBODY_WAITS) as hubspot:
        scopes, why = _tried(hubspot)
    access = Access({"token": token}, ends_with=token[-4:], scopes=scopes, why=why)
    return services.connect(user, KIND, access)


def check(found: Connection) -> None:
    """Ask HubSpot whether it still takes the key, and note the answer. Raises as `connect` does."""
    with services.marking(found), HubSpot.of(found, limits=WHILE_SOMEBODY_WAITS) as hubspot:
        _, why = _tried(hubspot)
    services.checked(found, why)


def abn_properties(found: Connection) -> tuple[mapping.Property, ...]:
    """The properties that may hold an ABN, for a person to choose from; () where the key may not list them."""
    with services.marking(found), HubSpot.of(found, limits=WHILE_SOMEBODY_WAITS) as hubspot:
        try:
            return hubspot.abn_properties()
        except LacksScopes:
            return ()


@transaction.atomic
def disconnect(found: Connection) -> None:
    """Erase the key. What came in stays; an import that still reads waits until there is a key again."""
    services.disconnect(found)


def open_import(found: Connection) -> ImportRun | None:
    """The import that goes on or waits, of which there is at most one."""
    return found.imports.filter(status__in=ImportRun.OPEN).first()


def _tried(hubspot: HubSpot) -> tuple[tuple[str, ...], str]:
    """The scopes that were seen to work, and what to say of those that did not. Raises LacksScopes."""
    missing: LacksScopes | None = None
    try:
        hubspot.page(limit=1)
    except LacksScopes as error:
        missing = error
    try:
        hubspot.abn_properties()
    except LacksScopes as error:
        if missing is not None:
            raise _both(missing, error) from None
        return (mapping.READ_COMPANIES,), WITHOUT_ABNS.format(", ".join(error.scopes) or mapping.READ_PROPERTIES)
    if missing is not None:
        raise missing
    return (mapping.READ_COMPANIES, mapping.READ_PROPERTIES), ""


def _both(first: LacksScopes, second: LacksScopes) -> LacksScopes:
    scopes = tuple(dict.fromkeys((*first.scopes, *second.scopes)))
    if len(scopes) < 2:
        return first
    named = " and ".join(scopes)
    return LacksScopes(f"This key lacks the scopes {named}. Add them to the key at HubSpot; the key stays.", scopes)
