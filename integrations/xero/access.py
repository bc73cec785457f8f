"""The practice's app and the access that it holds: made, kept alive, refreshed by one worker at a time, ended.

A refresh token is used up by its use, so whoever refreshes first takes the grant's row for a while (`held_until`, by
one UPDATE), and whoever comes second reads what the first stored. The new pair is stored before it is used. Where a
worker died with a pair that nobody stored, Xero takes the old token for 30 minutes more, and so does the next worker.
No transaction is open while Xero is asked.
"""

from __future__ import annotations

import functools
import logging
import time
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

import redis
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from asat_site.tenancy.keeper import as_keeper
from integrations import services
from integrations.models import Connection, XeroGrant, XeroOrganisation
from integrations.pace import Limit, Pace
from integrations.terms import LacksScopes, ReconnectRequired, TryLater, VendorFailed
from integrations.xero import api, words
from integrations.xero.problems import AccessStale, AppRefused, GrantRefused, TenantGone, TooMany

logger = logging.getLogger(__name__)

HOLD = timedelta(seconds=90)  # longer than an exchange with Xero may take
EARLY = timedelta(minutes=5)
GRACE = timedelta(minutes=29)  # in which Xero takes the refresh token before; it says 30
LIFE = timedelta(days=60)
IDLE = timedelta(hours=20)  # then a grant is refreshed though nobody needs it, so that its 60 days begin anew
WARN_AFTER = timedelta(days=45)
FAILING_FOR = timedelta(minutes=20)
WAIT_S = 60.0
LOOK_EVERY_S = 0.1
PER_MINUTE = Limit(60, 60.0)
AT_ONCE = 5
T = TypeVar("T")


def hosts() -> api.Hosts:
    """Where Xero is; one address for all of it where a test or a gateway stands in."""
    one = settings.ASAT_XERO_URL
    return api.Hosts(one, one, one) if one else api.Hosts()


# ── The practice's app ───────────────────────────────────────────────────────────────────────────────────────────


def app() -> Connection | None:
    """The practice's own app, as its owner entered it; None for none ever entered."""
    return services.connection_of(Connection.Kind.XERO)


def usable_app() -> Connection:
    """The app, ready to be used. Raises AppRefused where there is none, or where Xero does not take it."""
    found = app()
    if found is None or found.status == Connection.Status.DISCONNECTED:
        raise AppRefused(words.NO_APP)
    if not found.is_connected:
        raise AppRefused(found.why or words.APP_REFUSED)
    return found


def set_app(user: Any, client_id: str, client_secret: str) -> Connection:
    """Keep the app, its id and secret sealed. Consents given to another app are of no use to this one, and end."""
    before = app()
    is_other = before is not None and not api.is_same_app(before, client_id)
    made = services.connect(
        user,
        Connection.Kind.XERO,
        services.Access({"client_id": client_id, "client_secret": client_secret}, ends_with=client_id[-4:]),
    )
    if is_other:
        for grant in XeroGrant.objects.filter(ended_at=None):
            end(grant, words.CONNECT_AGAIN)
    return made


# ── Grants ───────────────────────────────────────────────────────────────────────────────────────────────────────


def keep(pair: api.Pair) -> XeroGrant:
    """The grant of whoever consented, with this pair; one that is being refreshed meanwhile keeps this one."""
    user = pair.user or uuid.uuid4().hex
    grant = XeroGrant.objects.filter(vendor_user=user).first() or XeroGrant(vendor_user=user)
    grant.seal_secrets({"access": pair.access, "refresh": pair.refresh, "previous": ""})
    now = timezone.now()
    kept = {
        "sealed_secrets": grant.sealed_secrets,
        "scopes": list(pair.scopes),
        "access_ends_at": now + timedelta(seconds=pair.expires_in_s),
        "refreshed_at": now,
        "held_until": None,
        "holder": None,
        "failing_since": None,
        "ended_at": None,
    }
    XeroGrant.objects.update_or_create(vendor_user=user, defaults=kept, create_defaults={**kept, "id": grant.id})
    stored = XeroGrant.objects.get(vendor_user=user)
    if stored.id != grant.id:  # another consent of the same person was stored first; sealed for another row
        return keep(pair)
    return stored


def fresh(grant_id: uuid.UUID, stale_since: datetime | None = None, *, early: timedelta = EARLY) -> XeroGrant:
    """The grant with an access token that is good for some minutes, refreshed where it is not.

    stale_since: the `refreshed_at` of a pair that Xero did not take; a pair that came since is used as it is.
    Raises ReconnectRequired, AppRefused, TryLater.
    """
    ends_at = time.monotonic() + WAIT_S
    while True:
        grant = XeroGrant.objects.get(pk=grant_id)
        if grant.ended_at is not None:
            raise ReconnectRequired(words.CONNECT_AGAIN)
        if grant.refreshed_at != stale_since and grant.access_ends_at > timezone.now() + early:
            return grant
        if holder := _take(grant):
            return _refresh(grant, holder)
        if time.monotonic() > ends_at:
            raise TryLater("Access to Xero is being renewed. Try again in a minute.")
        time.sleep(LOOK_EVERY_S)


def _take(grant: XeroGrant) -> uuid.UUID | None:
    """Take this very pair to refresh it; None where another has it, or has refreshed it already."""
    now, holder = timezone.now(), uuid.uuid4()
    free = XeroGrant.objects.filter(pk=grant.pk, ended_at=None, refreshed_at=grant.refreshed_at)
    taken = free.filter(Q(held_until=None) | Q(held_until__lt=now)).update(holder=holder, held_until=now + HOLD)
    return holder if taken else None


def _refresh(grant: XeroGrant, holder: uuid.UUID) -> XeroGrant:
    held = XeroGrant.objects.filter(pk=grant.pk, holder=holder)
    try:
        pair = _new_pair(usable_app(), grant)
    except GrantRefused:
        if held.update(holder=None, held_until=None):
            end(grant, words.LAPSED if timezone.now() - grant.refreshed_at > LIFE else words.CONNECT_AGAIN)
            raise ReconnectRequired(words.CONNECT_AGAIN) from None
        return fresh(grant.pk)  # somebody consented anew meanwhile
    except AppRefused as error:
        held.update(holder=None, held_until=None)
        if (refused := app()) is not None:
            services.require_reconnect(refused, error.message)
        raise
    except ReconnectRequired as error:  # what is stored does not open
        held.update(holder=None, held_until=None)
        _mark(grant, error.message)
        raise
    except VendorFailed:
        held.update(holder=None, held_until=None, failing_since=grant.failing_since or timezone.now())
        _warn(grant)
        raise
    grant.seal_secrets(api.sealed_with(grant, pair))
    now = timezone.now()
    held.update(
        sealed_secrets=grant.sealed_secrets,
        access_ends_at=now + timedelta(seconds=pair.expires_in_s),
        refreshed_at=now,
        scopes=list(pair.scopes) or grant.scopes,
        holder=None,
        held_until=None,
        failing_since=None,
    )
    _said_well(grant)
    return XeroGrant.objects.get(pk=grant.pk)


def _new_pair(found: Connection, grant: XeroGrant) -> api.Pair:
    """A new pair; once by the refresh token before, where that was replaced within its grace."""
    try:
        return api.refreshed_pair(hosts(), found, grant)
    except GrantRefused:
        if timezone.now() - grant.refreshed_at > GRACE or not api.has_previous(grant):
            raise
        return api.refreshed_pair(hosts(), found, grant, "previous")


def end(grant: XeroGrant, why: str) -> None:
    """Take note that Xero takes this grant no more, at every client that it reached. Its bills wait."""
    XeroGrant.objects.filter(pk=grant.pk).update(ended_at=timezone.now())
    _mark(grant, why)


def erase(grant: XeroGrant) -> None:
    """Forget the tokens of a grant that nobody needs."""
    XeroGrant.objects.filter(pk=grant.pk).update(
        sealed_secrets="", ended_at=timezone.now(), holder=None, held_until=None
    )


def due(now: datetime) -> list[uuid.UUID]:
    """The grants to refresh in the background: idle for long, or not reached the last time."""
    grants = XeroGrant.objects.filter(ended_at=None, organisations__isnull=False).exclude(sealed_secrets="")
    late = grants.filter(Q(refreshed_at__lt=now - IDLE) | Q(failing_since__isnull=False))
    return list(late.distinct().values_list("pk", flat=True))


def keep_alive(grant_id: uuid.UUID) -> None:
    """Refresh a grant that is due, so that its 60 days begin anew. What went wrong stands with its connections."""
    grant = XeroGrant.objects.filter(pk=grant_id, ended_at=None).first()
    if grant is None:
        return
    if timezone.now() - grant.refreshed_at > LIFE:
        end(grant, words.LAPSED)
        return
    try:
        fresh(grant.pk, grant.refreshed_at)
    except VendorFailed as error:
        logger.warning("a grant of Xero's was not refreshed: %s", type(error).__name__)


def _connections(grant: XeroGrant) -> list[Connection]:
    return list(Connection.objects.filter(xero__grant=grant, xero__ending=False))


def _mark(grant: XeroGrant, why: str) -> None:
    with as_keeper():  # whoever is at work may not see all of the clients that it stands with
        for connection in _connections(grant):
            services.require_reconnect(connection, why)


def _warn(grant: XeroGrant) -> None:
    now = timezone.now()
    is_long = grant.failing_since is not None and now - grant.failing_since > FAILING_FOR
    if is_long or now - grant.refreshed_at > WARN_AFTER:
        with as_keeper():
            connected = Connection.objects.filter(xero__grant=grant, status=Connection.Status.CONNECTED)
            connected.update(why=words.LAPSES_SOON)


def _said_well(grant: XeroGrant) -> None:
    """Xero took what is stored: say so where it is connected, and where only its opening had failed."""
    with as_keeper():
        for connection in _connections(grant):
            if connection.is_connected or connection.why == api.DOES_NOT_OPEN:
                services.checked(connection)


# ── An organisation's books ──────────────────────────────────────────────────────────────────────────────────────


def with_books(organisation: XeroOrganisation, ask: Callable[[api.Books], T]) -> T:
    """What `ask`, a single call, comes to. Access that Xero finds old is refreshed once, and the call made once more.

    What concerns the connection as a whole is written there before it is raised: reconnect required, removed in Xero,
    or to be left in peace for a while.
    """
    grant = fresh(organisation.grant_id)
    try:
        try:
            return _asked(organisation, grant, ask)
        except AccessStale:
            return _asked(organisation, fresh(organisation.grant_id, grant.refreshed_at), ask)
    except AccessStale as error:
        services.require_reconnect(organisation.connection, error.message)
        raise ReconnectRequired(error.message) from None
    except (LacksScopes, ReconnectRequired) as error:
        services.require_reconnect(organisation.connection, error.message)
        raise
    except TenantGone:
        raise _gone(organisation) from None
    except TooMany as error:
        _park(organisation, error)
        raise


def _asked(organisation: XeroOrganisation, grant: XeroGrant, ask: Callable[[api.Books], T]) -> T:
    name = f"{grant.practice_id}:xero:{organisation.tenant_id}"
    pace = Pace(_redis(settings.REDIS_URL), name, (PER_MINUTE,), AT_ONCE)
    with api.Books(hosts(), grant, organisation.tenant_id, pace) as books:
        return ask(books)


def _gone(organisation: XeroOrganisation) -> VendorFailed:
    """Whether the connection was removed in Xero: only where Xero's own list of them says so."""
    reached = api.tenants(hosts(), fresh(organisation.grant_id))
    if any(each.tenant_id == organisation.tenant_id for each in reached):
        return TryLater("Xero does not let us into this organisation just now. Try again in a few minutes.")
    services.require_reconnect(organisation.connection, words.REMOVED)
    return ReconnectRequired(words.REMOVED)


def _park(organisation: XeroOrganisation, error: TooMany) -> None:
    wait = timedelta(seconds=min(error.retry_after_s if error.retry_after_s is not None else 5.0, 86_400.0))
    XeroOrganisation.objects.filter(pk=organisation.pk).update(
        parked_until=timezone.now() + wait, parked_why=error.message if error.is_day else ""
    )


@functools.cache
def _redis(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)
