"""Connecting a client with its organisation: there, back, and which one is meant; and disconnecting it.

The state that comes back is good once, for a quarter of an hour, in the session that it began in, for the person and
in the practice that began. Nothing is asked of Xero otherwise.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from asat_site.tenancy.keeper import as_keeper
from clients.models import Client
from integrations import services
from integrations.models import Connection, XeroConsent, XeroGrant, XeroOrganisation
from integrations.terms import LacksScopes, ReconnectRequired, VendorFailed
from integrations.xero import access, api

logger = logging.getLogger(__name__)

GOOD_FOR = timedelta(minutes=15)
NEEDED = ("accounting.invoices", "accounting.contacts", "accounting.attachments")
NOT_OURS = (
    "This answer of Xero’s belongs to nothing that you began here: it is too old, was used before, or came to another "
    "browser. Nothing was connected. Begin again."
)
SAID_NO = "Nothing was connected: the question was not agreed to in Xero."
NONE_REACHED = "No organisation was connected in Xero. Begin again, and choose one there."


class NotConnected(Exception):
    """Nothing was connected, for this reason."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Choice:
    """An organisation that may be meant. taken: another client has it already."""

    tenant: api.Tenant
    taken: bool


def begin(user: Any, session_key: str, client: Client, redirect_uri: str) -> str:
    """The address at Xero where a person says yes. Raises AppRefused, ReconnectRequired."""
    app = access.usable_app()
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(64)
    consent = XeroConsent(
        client=client,
        by=user,
        state_digest=_digest(state),
        session_digest=_digest(session_key),
        redirect_uri=redirect_uri,
    )
    consent.seal_secrets({"verifier": verifier})
    consent.save()
    return api.consent_url(access.hosts(), app, state=state, verifier=verifier, redirect_uri=redirect_uri)


def answered(user: Any, session_key: str, *, state: str, code: str, error: str = "") -> XeroConsent:
    """The attempt that this answer belongs to, with the access that came of it kept.

    Where exactly one organisation came of this very consent, the client is connected with it (`ended_at`); otherwise
    a person is to `choose`. Raises NotConnected, VendorFailed.
    """
    consent = _taken(user, session_key, state)
    if error or not code:
        _close(consent)
        raise NotConnected(SAID_NO if error == "access_denied" else f"Nothing was connected. Xero: “{error[:100]}”")
    try:
        pair = api.pair_of_code(
            access.hosts(), access.usable_app(), consent, code=code, redirect_uri=consent.redirect_uri
        )
    finally:
        _close(consent, ended=False)
    missing = tuple(each for each in NEEDED if pair.scopes and each not in pair.scopes)
    if missing:
        raise LacksScopes(f"Xero did not give us leave for {', '.join(missing)}. Begin again.", missing)
    consent.grant, consent.event = access.keep(pair), pair.event
    consent.save(update_fields=["grant", "event"])
    _revive(consent.grant)
    of_this = [each for each in choices(consent) if each.tenant.event == consent.event]
    if consent.event and len(of_this) == 1 and not of_this[0].taken:
        _link(consent, user, of_this[0].tenant)
    return consent


def open_consent(user: Any, session_key: str, consent_id: uuid.UUID) -> XeroConsent:
    """An attempt of this person's that waits for a choice. Raises NotConnected."""
    found = XeroConsent.objects.select_related("client", "grant").filter(
        pk=consent_id,
        by=user,
        session_digest=_digest(session_key),
        grant__isnull=False,
        ended_at=None,
        made_at__gt=timezone.now() - 2 * GOOD_FOR,
    )
    if (consent := found.first()) is None:
        raise NotConnected(NOT_OURS)
    return consent


def choices(consent: XeroConsent) -> list[Choice]:
    """The organisations that this consent reaches: its own where Xero names them, else all of the person's."""
    if consent.grant_id is None:
        raise NotConnected(NOT_OURS)
    grant = access.fresh(consent.grant_id)
    found = api.tenants(access.hosts(), grant, consent.event) if consent.event else []
    found = found or api.tenants(access.hosts(), grant)
    taken = set(
        XeroOrganisation.objects.exclude(client_id=consent.client_id)
        .filter(tenant_id__in=[each.tenant_id for each in found])
        .values_list("tenant_id", flat=True)
    )
    return [Choice(each, each.tenant_id in taken) for each in sorted(found, key=lambda each: each.name)]


def choose(consent: XeroConsent, user: Any, tenant_id: str) -> XeroOrganisation:
    """Connect the client with the organisation that a person named. Raises NotConnected, VendorFailed."""
    for each in choices(consent):
        if each.tenant.tenant_id == tenant_id:
            return _link(consent, user, each.tenant)
    raise NotConnected(NONE_REACHED)


def _taken(user: Any, session_key: str, state: str) -> XeroConsent:
    waiting = XeroConsent.objects.filter(
        state_digest=_digest(state),
        session_digest=_digest(session_key),
        by=user,
        taken_at=None,
        made_at__gt=timezone.now() - GOOD_FOR,
    )
    if not state or not session_key or not waiting.update(taken_at=timezone.now()):
        raise NotConnected(NOT_OURS)
    return XeroConsent.objects.get(state_digest=_digest(state))


def _link(consent: XeroConsent, user: Any, tenant: api.Tenant) -> XeroOrganisation:
    before = XeroOrganisation.objects.select_related("connection").filter(client_id=consent.client_id).first()
    if before is not None and before.tenant_id != tenant.tenant_id:
        _give_back(consent, tenant)
        raise NotConnected(
            f"This client is connected with “{before.connection.account_name}”, and you chose “{tenant.name}”. "
            "Disconnect the first if it is to be another; nothing was changed."
        )
    if (grant := consent.grant) is None:
        raise NotConnected(NOT_OURS)
    granted = services.Access(
        {}, scopes=tuple(grant.scopes), account_id=tenant.tenant_id, account_name=tenant.name[:300]
    )
    try:
        with transaction.atomic():
            connection = services.connect(user, Connection.Kind.XERO, granted, consent.client_id)
            organisation, _ = XeroOrganisation.objects.update_or_create(
                client_id=consent.client_id,
                defaults={
                    "connection": connection,
                    "grant": grant,
                    "tenant_id": tenant.tenant_id,
                    "vendor_connection_id": tenant.connection_id,
                    "parked_until": None,
                    "parked_why": "",
                    "ending": False,
                },
            )
            _close(consent)
    except IntegrityError:
        raise NotConnected(f"“{tenant.name}” belongs to another client here. Disconnect it there first.") from None
    return organisation


def _revive(grant: XeroGrant) -> None:
    """The other clients of whoever consented are reached again too, where Xero lists them."""
    with as_keeper():  # also those that the owner does not see
        waiting = XeroOrganisation.objects.select_related("connection").filter(grant=grant, ending=False)
        waiting = waiting.filter(connection__status=Connection.Status.RECONNECT_REQUIRED)
        if not waiting.exists():
            return
        reached = {each.tenant_id for each in api.tenants(access.hosts(), access.fresh(grant.pk))}
        for organisation in waiting.filter(tenant_id__in=reached):
            services.checked(organisation.connection)


def _give_back(consent: XeroConsent, tenant: api.Tenant) -> None:
    """End a connection that nobody here wanted: it would count among those that the app may have."""
    with as_keeper():
        is_used = XeroOrganisation.objects.filter(tenant_id=tenant.tenant_id).exists()
    if consent.grant_id is not None and not is_used:
        with suppress(VendorFailed):
            api.end_connection(access.hosts(), access.fresh(consent.grant_id), tenant.connection_id)


def _close(consent: XeroConsent, *, ended: bool = True) -> None:
    consent.sealed_secrets = ""
    consent.ended_at = timezone.now() if ended else None
    consent.save(update_fields=["sealed_secrets", "ended_at"])


# ── Disconnecting ────────────────────────────────────────────────────────────────────────────────────────────────


def disconnect(organisation: XeroOrganisation) -> bool:
    """End a client's connection here at once, and at Xero; whether Xero could be told. The rest is tried again.

    Only the connection to this organisation is ended. The grant goes too where it reaches no other client.
    """
    XeroOrganisation.objects.filter(pk=organisation.pk).update(ending=True)
    services.disconnect(organisation.connection)
    return finish_ending(organisation)


def finish_ending(organisation: XeroOrganisation) -> bool:
    """Tell Xero that a connection has ended, forget it, and whether that was done."""
    grant = organisation.grant
    try:
        if grant.ended_at is None:
            api.end_connection(access.hosts(), access.fresh(grant.pk), organisation.vendor_connection_id)
    except ReconnectRequired:
        pass  # Xero takes nothing from us any more; there is nothing left to end
    except VendorFailed as error:
        logger.warning("Xero was not told of a connection's end: %s", type(error).__name__)
        return False
    with as_keeper():  # a client that whoever is at work does not see may need the same grant
        is_last = not XeroOrganisation.objects.filter(grant=grant).exclude(pk=organisation.pk).exists()
    if is_last:
        _revoke(organisation)
    organisation.delete()
    return True


def _revoke(organisation: XeroOrganisation) -> None:
    grant = organisation.grant
    grant.refresh_from_db()
    try:
        if grant.ended_at is None:
            api.revoke(access.hosts(), access.usable_app(), grant)
    except VendorFailed as error:  # it lapses by itself, and what opens it is erased here
        logger.warning("a grant of Xero's was not revoked: %s", type(error).__name__)
    access.erase(grant)


def waiting_to_end() -> list[XeroOrganisation]:
    """The organisations whose end Xero could not be told yet."""
    return list(XeroOrganisation.objects.select_related("grant", "connection").filter(ending=True))


def _digest(text: str) -> str:
    return hashlib.sha256(b"asat xero consent " + text.encode()).hexdigest()
