"""Consent, refresh and disconnection: one way in, one refresher at a time, and no token where it does not belong."""

from __future__ import annotations

import base64
import hashlib
import io
import logging
import pickle
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from asat_site.testing.xero_server import Contract, Fault, Xero, xero_server
from clients.models import Assignment, Client, Restriction
from integrations import services as connections_of
from integrations.models import Connection, XeroConsent, XeroGrant, XeroOrganisation, XeroPush
from integrations.terms import LacksScopes, ReconnectRequired, TryLater, VendorFailed
from integrations.tests.integration.xero_setup import (
    REDIRECT,
    SESSION,
    bill,
    connect,
    consent,
    make_app,
    queued,
    speaking,
    work,
)
from integrations.xero import access, api, consenting, outbox, tasks, words
from integrations.xero.consenting import NotConnected
from integrations.xero.problems import AppRefused

pytestmark = pytest.mark.security


@pytest.fixture
def xero(settings: Any, services: Any, practice: KnownPractice, request: Any) -> Iterator[Xero]:
    """A Xero that the practice's app is known to, held to the descriptions where this machine has them."""
    with xero_server(Contract.find()) as served:
        settings.ASAT_XERO_URL = served.url
        settings.ASAT_ORIGINALS = {"test": "integrations.tests.integration.xero_setup.read_original"}
        request.getfixturevalue("django_db_blocker").unblock()
        make_app(practice, served)
        yield served


def new_client() -> Client:
    return Client.objects.create(name="Somebody")


def back_from(xero: Xero, address: str, books: Any, **said: Any) -> dict[str, str]:
    """What comes back with the browser."""
    answer = parse_qs(urlsplit(xero.consents(address, books, **said)).query)
    return {name: values[0] for name, values in answer.items()}


# ── Consent ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_asked_for_is_exact(practice: KnownPractice, xero: Xero) -> None:
    with speaking(practice) as owner:
        address = consenting.begin(owner, SESSION, new_client(), REDIRECT)
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        kept = XeroConsent.objects.first()
    assert kept is not None and set(asked) == {
        "response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method",
        "acr_values",
    }  # fmt: skip
    assert asked["redirect_uri"] == REDIRECT == kept.redirect_uri
    assert asked["scope"] == (
        "offline_access accounting.invoices accounting.contacts accounting.attachments accounting.settings.read"
    )
    assert (asked["code_challenge_method"], asked["acr_values"]) == ("S256", "bulk_connect:false")
    assert len(asked["state"]) >= 43 and asked["state"] not in kept.state_digest
    assert kept.state_digest == hashlib.sha256(b"asat xero consent " + asked["state"].encode()).hexdigest()


def test_the_challenge_is_rfc_7636s_own_example() -> None:
    assert (
        api.challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    )


def test_one_organisation_of_this_consent_is_connected_at_once(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice):
        kept = Connection.objects.get(pk=organisation.connection_id)
        assert (kept.status, kept.account_id, kept.account_name) == ("connected", books.tenant_id, books.name)
        assert organisation.grant.vendor_user == f"ann-{xero.client_id[:8]}"
        attempt = XeroConsent.objects.get(client=organisation.client)
        assert attempt.ended_at is not None and attempt.sealed_secrets == ""
    (sent,) = xero.named("POST /connect/token")
    form = parse_qs(sent.body.decode())
    assert form["redirect_uri"] == [REDIRECT] and len(form["code_verifier"][0]) >= 43 and "client_secret" not in form
    basic = base64.b64encode(f"{xero.client_id}:{xero.client_secret}".encode()).decode()
    assert sent.headers["authorization"] == f"Basic {basic}"


@pytest.mark.parametrize("forged", ["", "x", "another"])
def test_a_state_that_is_not_ours_asks_xero_nothing(practice: KnownPractice, xero: Xero, forged: str) -> None:
    books = xero.organisation("A")
    with speaking(practice) as owner:
        back = back_from(xero, consenting.begin(owner, SESSION, new_client(), REDIRECT), [books])
        with pytest.raises(NotConnected) as refused:
            consenting.answered(owner, SESSION, state=forged, code=back["code"])
        assert refused.value.message == consenting.NOT_OURS and xero.requests == []


def test_a_state_is_good_once(practice: KnownPractice, xero: Xero) -> None:
    books = xero.organisation("A")
    with speaking(practice) as owner:
        back = back_from(xero, consenting.begin(owner, SESSION, new_client(), REDIRECT), [books])
        consenting.answered(owner, SESSION, **back)
        before = len(xero.requests)
        with pytest.raises(NotConnected):
            consenting.answered(owner, SESSION, **back)
        assert len(xero.requests) == before


def test_two_answers_at_once_ask_for_one_pair(practice: KnownPractice, xero: Xero) -> None:
    books, start, came = xero.organisation("A"), threading.Barrier(3), []
    with speaking(practice) as owner:
        back = back_from(xero, consenting.begin(owner, SESSION, new_client(), REDIRECT), [books])

    def answer() -> None:
        with speaking(practice) as owner:
            start.wait()
            try:
                consenting.answered(owner, SESSION, **back)
                came.append("in")
            except NotConnected:
                came.append("out")
        connection.close()

    threads = [threading.Thread(target=answer) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(came) == ["in", "out", "out"] and len(xero.named("POST /connect/token")) == 1


def test_a_state_of_another_session_person_or_practice_is_refused(
    practice: KnownPractice, other_practice: KnownPractice, xero: Xero
) -> None:
    books = xero.organisation("A")
    with speaking(practice) as owner:
        back = back_from(xero, consenting.begin(owner, SESSION, new_client(), REDIRECT), [books])
        for user, session in ((owner, "another session"), (owner, ""), (practice.users["agent"], SESSION)):
            with pytest.raises(NotConnected):
                consenting.answered(user, session, **back)
    make_app(other_practice, xero)
    with speaking(other_practice) as stranger:
        with pytest.raises(NotConnected):
            consenting.answered(stranger, SESSION, **back)
        assert XeroConsent.objects.count() == 0
    assert xero.requests == []
    with speaking(practice) as owner:  # it was not used up by them
        assert consenting.answered(owner, SESSION, **back).ended_at is not None


def test_a_state_is_good_for_a_quarter_of_an_hour(practice: KnownPractice, xero: Xero) -> None:
    books = xero.organisation("A")
    with speaking(practice) as owner:
        client = new_client()
        back = back_from(xero, consenting.begin(owner, SESSION, client, REDIRECT), [books])
        XeroConsent.objects.filter(client=client).update(made_at=timezone.now() - timedelta(minutes=16))
        with pytest.raises(NotConnected):
            consenting.answered(owner, SESSION, **back)
        assert xero.requests == []


@pytest.mark.parametrize("said", [{"says_no": True}, {}])
def test_no_and_nothing_connect_nothing(practice: KnownPractice, xero: Xero, said: dict[str, Any]) -> None:
    books = xero.organisation("A")
    with speaking(practice) as owner:
        client = new_client()
        back = back_from(xero, consenting.begin(owner, SESSION, client, REDIRECT), [books], **said)
        answer = {"state": back["state"], "code": "", "error": back.get("error", "")}
        with pytest.raises(NotConnected):
            consenting.answered(owner, SESSION, **answer)
        assert not Connection.objects.filter(client=client).exists() and xero.requests == []
        assert XeroConsent.objects.get(client=client).sealed_secrets == ""


def test_a_code_is_of_no_use_with_another_verifier_or_address(practice: KnownPractice, xero: Xero) -> None:
    books = xero.organisation("A")
    with speaking(practice) as owner:
        client = new_client()
        back = back_from(xero, consenting.begin(owner, SESSION, client, REDIRECT), [books])
        other = new_client()
        theirs = back_from(xero, consenting.begin(owner, SESSION, other, REDIRECT), [books])
        with pytest.raises(VendorFailed):
            consenting.answered(owner, SESSION, state=theirs["state"], code=back["code"])
        XeroConsent.objects.filter(client=client).update(redirect_uri=REDIRECT.rstrip("/"))
        with pytest.raises(VendorFailed):
            consenting.answered(owner, SESSION, **back)
        assert not Connection.objects.filter(client__in=[client, other]).exists()


def test_access_for_half_an_hour_only_is_no_connection(practice: KnownPractice, xero: Xero) -> None:
    xero.gives_refresh = False
    with speaking(practice) as owner:
        with pytest.raises(VendorFailed) as refused:
            consent(owner, xero, new_client(), [xero.organisation("A")])
        assert "half an hour only" in refused.value.message
        assert not XeroGrant.objects.filter(ended_at=None).exists()


def test_a_missing_scope_is_named(practice: KnownPractice, xero: Xero) -> None:
    with speaking(practice) as owner:
        client = new_client()
        back = back_from(xero, consenting.begin(owner, SESSION, client, REDIRECT), [xero.organisation("A")])
        xero.scopes = "offline_access accounting.invoices accounting.contacts"
        with pytest.raises(LacksScopes) as refused:
            consenting.answered(owner, SESSION, **back)
        assert refused.value.scopes == ("accounting.attachments",)
        assert not Connection.objects.filter(client=client).exists()


def test_of_several_organisations_a_person_chooses_one(practice: KnownPractice, xero: Xero) -> None:
    first, second = xero.organisation("First"), xero.organisation("Second")
    with speaking(practice) as owner:
        client = new_client()
        attempt = consent(owner, xero, client, [second, first])
        assert attempt.ended_at is None and not Connection.objects.filter(client=client).exists()
        again = consenting.open_consent(owner, SESSION, attempt.pk)
        assert [each.tenant.name for each in consenting.choices(again)] == ["First", "Second"]
        for user, session in ((owner, "another"), (practice.users["agent"], SESSION)):
            with pytest.raises(NotConnected):
                consenting.open_consent(user, session, attempt.pk)
        with pytest.raises(NotConnected):
            consenting.choose(again, owner, "not-one-of-them")
        organisation = consenting.choose(again, owner, second.tenant_id)
        assert organisation.tenant_id == second.tenant_id
        with pytest.raises(NotConnected):
            consenting.open_consent(owner, SESSION, attempt.pk)


def test_a_reconnection_with_an_old_event_is_confirmed_by_name(practice: KnownPractice, xero: Xero) -> None:
    books = xero.organisation("A")
    with speaking(practice) as owner:
        client = new_client()
        back = back_from(xero, consenting.begin(owner, SESSION, client, REDIRECT), [])
        xero.connect(books, "ann", "6f1ed002-ab55-4b8b-9a6b-000000000001")
        xero.connect(xero.organisation("A practice"), "ann", "6f1ed002-ab55-4b8b-9a6b-000000000001", kind="PRACTICE")
        attempt = consenting.answered(owner, SESSION, **back)
        assert attempt.ended_at is None
        assert [each.tenant.name for each in consenting.choices(attempt)] == ["A"]


def test_an_organisation_is_one_clients_and_a_client_has_one(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    another = xero.organisation("Another")
    with speaking(practice) as owner:
        other = new_client()
        attempt = consent(owner, xero, other, [books])
        (choice,) = consenting.choices(attempt)
        assert choice.taken
        with pytest.raises(NotConnected) as refused:
            consenting.choose(attempt, owner, books.tenant_id)
        assert "belongs to another client" in refused.value.message
        assert not Connection.objects.filter(client=other).exists()
        push = queued(organisation, owner, bill())
        with pytest.raises(NotConnected) as refused:
            consent(owner, xero, organisation.client, [another])
        assert "is connected with “Example Plumbing Pty Ltd”" in refused.value.message
        assert [each["tenantId"] for each in xero.connections] == [books.tenant_id]  # what nobody wanted was given back
        assert XeroOrganisation.objects.get(client=organisation.client).tenant_id == books.tenant_id
        assert work(push).state == "done" and another.bills == {}


# ── Refresh ──────────────────────────────────────────────────────────────────────────────────────────────────────


def grow_old(grant: XeroGrant, xero: Xero, **ago: float) -> None:
    """So much time passes for a grant, here and at Xero."""
    gone = timedelta(**ago)
    xero.clock += gone.total_seconds()
    now = XeroGrant.objects.get(pk=grant.pk)
    XeroGrant.objects.filter(pk=grant.pk).update(
        access_ends_at=now.access_ends_at - gone, refreshed_at=now.refreshed_at - gone
    )


def test_workers_together_refresh_once_and_all_use_what_came(practice: KnownPractice, xero: Xero) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice):
        grow_old(organisation.grant, xero, minutes=29)
    xero.slow_s, start, seen = 0.2, threading.Barrier(6), []

    def one() -> None:
        with speaking(practice):
            start.wait()
            seen.append(access.fresh(organisation.grant_id).sealed_secrets)
        connection.close()

    threads = [threading.Thread(target=one) for _ in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(set(seen)) == 1 and len(seen) == 6
    assert len(xero.named("POST /connect/token")) == 2  # the code, and one refresh


def test_a_pair_is_stored_before_it_is_used_and_a_lost_one_is_had_again_within_the_grace(
    practice: KnownPractice, xero: Xero
) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice) as owner:
        grow_old(organisation.grant, xero, minutes=29)
        xero.will(Fault(unheard=True), on="POST /connect/token")  # a worker died, or its line did
        push = work(queued(organisation, owner, bill()))
        assert push.state == "queued" and XeroGrant.objects.get(pk=organisation.grant_id).failing_since is not None
        assert [each for each in xero.requests if each.is_of_books] == []
        assert access.fresh(organisation.grant_id).failing_since is None  # the old token, some minutes later
        xero.clock += 3600  # and after the grace nothing but the new one is any good
        with speaking(practice):
            grant = XeroGrant.objects.get(pk=organisation.grant_id)
            access.fresh(grant.pk, grant.refreshed_at)
        assert books.name


def test_a_lost_pair_after_the_grace_asks_for_a_person(practice: KnownPractice, xero: Xero) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice) as owner:
        push = queued(organisation, owner, bill())
        grow_old(organisation.grant, xero, minutes=29)
        xero.will(Fault(unheard=True), on="POST /connect/token")
        with pytest.raises(TryLater):
            access.fresh(organisation.grant_id)
        grow_old(organisation.grant, xero, minutes=31)
        with pytest.raises(ReconnectRequired):
            access.fresh(organisation.grant_id)
        kept = Connection.objects.get(pk=organisation.connection_id)
        assert (kept.status, kept.why) == ("reconnect_required", words.CONNECT_AGAIN)
        asked = len(xero.requests)
        with pytest.raises(ReconnectRequired):
            access.fresh(organisation.grant_id)
        assert len(xero.requests) == asked  # no loop
        assert XeroPush.objects.get(pk=push.pk).state == "queued"


def test_the_token_before_is_tried_once_where_the_new_one_is_not_taken(practice: KnownPractice, xero: Xero) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice):
        grant = access.fresh(organisation.grant_id, organisation.grant.refreshed_at)
        xero.will(Fault(400, {"error": "invalid_grant"}), on="POST /connect/token")
        assert access.fresh(grant.pk, grant.refreshed_at).ended_at is None
        forms = [parse_qs(each.body.decode()) for each in xero.named("POST /connect/token")]
        assert forms[-1]["refresh_token"] == forms[1]["refresh_token"] != forms[2]["refresh_token"]
        grant = XeroGrant.objects.get(pk=grant.pk)
        xero.will(Fault(400, {"error": "invalid_grant"}), on="POST /connect/token", times=3)
        with pytest.raises(ReconnectRequired):
            access.fresh(grant.pk, grant.refreshed_at)
        assert len(xero.named("POST /connect/token")) == 6  # once with each, and no more


def test_a_consent_that_came_meanwhile_is_no_reason_to_reconnect(
    practice: KnownPractice, xero: Xero, monkeypatch: Any
) -> None:
    organisation, books = connect(practice, xero)
    true_pair = api.refreshed_pair

    def meanwhile(*given: Any) -> api.Pair:
        monkeypatch.setattr(api, "refreshed_pair", true_pair)
        with speaking(practice) as owner:
            consent(owner, xero, organisation.client, [books])
        raise access.GrantRefused("too old")

    with speaking(practice):
        grow_old(organisation.grant, xero, minutes=35)
        monkeypatch.setattr(api, "refreshed_pair", meanwhile)
        assert access.fresh(organisation.grant_id).ended_at is None
        assert Connection.objects.get(pk=organisation.connection_id).status == "connected"


def test_a_refresher_that_died_holds_nobody_up_for_long(practice: KnownPractice, xero: Xero) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice):
        grow_old(organisation.grant, xero, minutes=29)
        grant = XeroGrant.objects.get(pk=organisation.grant_id)
        assert access._take(grant) is not None and access._take(grant) is None
        XeroGrant.objects.filter(pk=grant.pk).update(held_until=timezone.now() - timedelta(seconds=1))
        assert access.fresh(grant.pk).refreshed_at > grant.refreshed_at


def test_a_wrong_secret_pauses_the_practice_and_no_clients_consent(practice: KnownPractice, xero: Xero) -> None:
    organisation, _ = connect(practice, xero)
    right = xero.client_secret
    with speaking(practice) as owner:
        grow_old(organisation.grant, xero, minutes=29)
        xero.client_secret = "rotated on Xero's side"
        push = work(queued(organisation, owner, bill()))
        assert (push.state, push.why) == ("queued", words.APP_REFUSED)
        app = access.app()
        assert app is not None and (app.status, app.why) == ("reconnect_required", words.APP_REFUSED)
        assert Connection.objects.get(pk=organisation.connection_id).status == "connected"
        with pytest.raises(AppRefused):
            consenting.begin(owner, SESSION, organisation.client, REDIRECT)
        xero.client_secret = right
        access.set_app(owner, xero.client_id, right)
        assert work(_due(push)).state == "done"


def _due(push: XeroPush) -> XeroPush:
    XeroPush.objects.filter(pk=push.pk).update(not_before=None)
    return XeroPush.objects.get(pk=push.pk)


def test_another_app_ends_what_was_given_to_the_first(practice: KnownPractice, xero: Xero) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice) as owner:
        access.set_app(owner, xero.client_id, xero.client_secret)  # the same again: nothing is lost
        assert Connection.objects.get(pk=organisation.connection_id).status == "connected"
        access.set_app(owner, "B" * 32, "another")
        assert Connection.objects.get(pk=organisation.connection_id).status == "reconnect_required"


def test_beat_refreshes_what_is_idle_and_pushes_the_sixty_days_out(practice: KnownPractice, xero: Xero) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice):
        XeroGrant.objects.exclude(pk=organisation.grant_id).update(ended_at=timezone.now())
        assert access.due(timezone.now()) == []
        grow_old(organisation.grant, xero, hours=21)
        before = XeroGrant.objects.get(pk=organisation.grant_id).refreshed_at
        assert access.due(timezone.now()) == [organisation.grant_id]
        tasks.refresh_grant(str(practice.id), str(organisation.grant_id))
        after = XeroGrant.objects.get(pk=organisation.grant_id).refreshed_at
        assert after - before > timedelta(hours=20) and access.due(timezone.now()) == []


@pytest.mark.parametrize(
    ("days", "status", "why"),
    [(46, "connected", words.LAPSES_SOON), (61, "reconnect_required", words.LAPSED)],
)
def test_a_grant_that_is_not_reached_warns_and_then_lapses(
    practice: KnownPractice, xero: Xero, days: int, status: str, why: str
) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice):
        grow_old(organisation.grant, xero, days=days)
        xero.will(Fault(503, b""), on="POST /connect/token")
        access.keep_alive(organisation.grant_id)
        kept = Connection.objects.get(pk=organisation.connection_id)
        assert (kept.status, kept.why) == (status, why)
        if days < 60:
            access.keep_alive(organisation.grant_id)
            kept = Connection.objects.get(pk=organisation.connection_id)
            assert (kept.status, kept.why) == ("connected", "")


def test_a_wrong_key_asks_to_reconnect_and_does_nothing_worse(
    practice: KnownPractice, xero: Xero, settings: Any
) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice) as owner:
        push = queued(organisation, owner, bill())
        held, settings.ENCRYPTION_KEYS = settings.ENCRYPTION_KEYS, (("dev", b"w" * 32),)
        push = work(push)
        assert (push.state, push.why) == ("queued", api.DOES_NOT_OPEN)
        kept = Connection.objects.get(pk=organisation.connection_id)
        assert (kept.status, kept.why) == ("reconnect_required", api.DOES_NOT_OPEN)
        settings.ENCRYPTION_KEYS = held
        app = access.app()
        assert app is not None and app.status == "connected"
        grant = XeroGrant.objects.get(pk=organisation.grant_id)
        access.fresh(grant.pk, grant.refreshed_at)
        assert Connection.objects.get(pk=organisation.connection_id).status == "connected"
        assert work(_due(push)).state == "done"


# ── Disconnecting ────────────────────────────────────────────────────────────────────────────────────────────────


def test_disconnecting_one_client_leaves_the_others_of_the_same_person(practice: KnownPractice, xero: Xero) -> None:
    (one, _), (other, others_books) = connect(practice, xero), connect(practice, xero, "Other")
    assert one.grant_id == other.grant_id
    with speaking(practice) as owner:
        push = queued(one, owner, bill())
        assert consenting.disconnect(one) is True
        assert not XeroOrganisation.objects.filter(pk=one.pk).exists()
        ended = Connection.objects.get(pk=one.connection_id)
        assert (ended.status, ended.sealed_secrets) == ("disconnected", "")
        assert xero.named("POST /connect/revocation") == []
        (told,) = [each for each in xero.requests if each.method == "DELETE"]
        assert told.path == f"/connections/{one.vendor_connection_id}"
        assert work(push).state == "failed"
        assert work(queued(other, owner, bill())).state == "done" and len(others_books.bills) == 1
        assert consenting.disconnect(other) is True
        assert len(xero.named("POST /connect/revocation")) == 1 and xero.connections == []
        grant = XeroGrant.objects.get(pk=one.grant_id)
        assert grant.sealed_secrets == "" and grant.ended_at is not None


def test_a_hidden_clients_access_is_not_taken_away_with_anothers(practice: KnownPractice, xero: Xero) -> None:
    (one, _), (hidden, _) = connect(practice, xero), connect(practice, xero, "Hidden")
    with speaking(practice) as owner:
        agent = practice.users["agent"]
        Assignment.objects.create(client=hidden.client, user=agent, by=owner)
        Restriction.objects.create(client=hidden.client, by=owner)
        assert not XeroOrganisation.objects.filter(pk=hidden.pk).exists()
        assert consenting.disconnect(one) is True
        assert xero.named("POST /connect/revocation") == []
    with speaking(practice, "agent") as agent:
        assert work(queued(hidden, agent, bill())).state == "done"
    with speaking(practice, "staff"):
        assert XeroPush.objects.filter(client_id=hidden.client_id).count() == 0


def test_whoever_stopped_seeing_the_client_sends_nothing(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice, "staff") as staff:
        push = queued(organisation, staff, bill())
    with speaking(practice) as owner:
        Assignment.objects.create(client=organisation.client, user=owner, by=owner)
        Restriction.objects.create(client=organisation.client, by=owner)
    tasks.push_bill(str(practice.id), str(push.pk))
    with speaking(practice):
        kept = XeroPush.objects.get(pk=push.pk)
        assert (kept.state, kept.why, books.bills) == ("failed", outbox.SEEN_NO_MORE, {})


def test_a_task_takes_a_bill_as_whoever_pushed_it(practice: KnownPractice, xero: Xero) -> None:
    organisation, books = connect(practice, xero)
    with speaking(practice, "staff") as staff:
        push = queued(organisation, staff, bill())
    for _ in range(2):
        tasks.push_bill(str(practice.id), str(push.pk))
    assert len(books.bills) == 1


@pytest.mark.parametrize(("status", "done"), [(404, True), (503, False)])
def test_what_is_gone_already_is_ended_and_an_outage_is_tried_again(
    practice: KnownPractice, xero: Xero, status: int, done: bool
) -> None:
    organisation, _ = connect(practice, xero)
    xero.will(Fault(status, b""), on="DELETE /connections", times=2)
    with speaking(practice):
        assert consenting.disconnect(organisation) is done
        assert Connection.objects.get(pk=organisation.connection_id).status == "disconnected"
        assert outbox.organisation_of(organisation.client) is None
        if not done:
            xero.faults.clear()
            (waiting,) = consenting.waiting_to_end()
            tasks.end_connection(str(practice.id), waiting.pk)
        assert consenting.waiting_to_end() == []


# ── Walls ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_nothing_of_xero_is_seen_by_another_practice(
    practice: KnownPractice, other_practice: KnownPractice, xero: Xero
) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice) as owner:
        push = work(queued(organisation, owner, bill()))
    with speaking(other_practice), connection.cursor() as cursor:
        for table in ("xerogrant", "xeroconsent", "xeroorganisation", "xerocontact", "xeropush"):
            cursor.execute(f"SELECT count(*) FROM {practice.practice.schema_name}.integrations_{table}")
            assert cursor.fetchone() == (0,)
        assert outbox.claim(push.pk, timezone.now()) is None
        with pytest.raises(XeroGrant.DoesNotExist):
            access.fresh(organisation.grant_id)


def test_a_grants_tokens_open_in_its_own_row_and_practice_alone(
    practice: KnownPractice, other_practice: KnownPractice, xero: Xero
) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice):
        grant = XeroGrant.objects.get(pk=organisation.grant_id)
    with speaking(other_practice):
        copied = XeroGrant.objects.create(
            id=grant.id, vendor_user="stolen", sealed_secrets=grant.sealed_secrets,
            access_ends_at=grant.access_ends_at, refreshed_at=grant.refreshed_at,
        )  # fmt: skip
        copied.refresh_from_db()
        with pytest.raises(ReconnectRequired):
            api.has_previous(copied)
        copied.id = organisation.grant_id
        XeroGrant.objects.filter(pk=copied.pk).update(sealed_secrets="", ended_at=timezone.now())


def test_nothing_that_must_stay_is_deleted(practice: KnownPractice, xero: Xero) -> None:
    organisation, _ = connect(practice, xero)
    with speaking(practice) as owner:
        push = queued(organisation, owner, bill())
        for row in (push, XeroGrant.objects.get(pk=organisation.grant_id), XeroConsent.objects.first()):
            with pytest.raises(DatabaseError, match="permission denied"):
                row._meta.model._default_manager.filter(pk=row.pk)._raw_delete("default")  # type: ignore[union-attr]


def test_no_token_or_secret_is_in_a_log_an_error_a_repr_or_a_stored_row(
    practice: KnownPractice, xero: Xero, settings: Any
) -> None:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    logging.getLogger().addHandler(handler)
    level = logging.getLogger().level
    logging.getLogger().setLevel(logging.DEBUG)
    said: list[str] = []
    try:
        organisation, _ = connect(practice, xero)
        with speaking(practice) as owner:
            for fault, on in (
                (Fault(500, b""), "PUT /Invoices"),
                (Fault(401, {"Detail": "TokenExpired"}), "GET /Contacts"),
                (Fault(400, {"error": "invalid_grant"}), "POST /connect/token"),
                (Fault(deaf=True), "PUT /Contacts"),
            ):
                xero.will(fault, on=on)
                said.append(work(queued(organisation, owner, bill(supplier=f"Supplier {on}"))).why)
            try:
                access.fresh(organisation.grant_id, XeroGrant.objects.get(pk=organisation.grant_id).refreshed_at)
            except VendorFailed as error:
                said += [str(error), repr(error), "".join(traceback.format_exception(error))]
            grant, app = XeroGrant.objects.get(pk=organisation.grant_id), access.app()
            assert app is not None
            said += [
                repr(grant),
                str(vars(grant)),
                repr(app),
                str(vars(app)),
                repr(api.Books(access.hosts(), grant, "t")),
            ]
            with connection.cursor() as cursor:
                for table in ("connection", "xerogrant", "xeroconsent", "xeroorganisation", "xeropush"):
                    cursor.execute(f"SELECT row_to_json(t)::text FROM integrations_{table} t")
                    said += [row[0] for row in cursor.fetchall()]
    finally:
        logging.getLogger().removeHandler(handler)
        logging.getLogger().setLevel(level)
    person = xero.people["ann"]
    hidden = [xero.client_secret, person.current, *person.before, *person.access, "Basic ", "Bearer "]
    for text in (written.getvalue(), *said):
        assert not [each for each in hidden if each and each in text]
    assert "Supplier" not in written.getvalue() and "invoice-" not in written.getvalue()
    pair = api.Pair("a-token", "r-token", 1.0, (), "", "")
    assert "token" not in repr(pair)
    with pytest.raises(TypeError):
        pickle.dumps(api.tokens.Secrets({"a": "b"}))


def test_no_other_part_opens_what_is_stored(practice: KnownPractice, xero: Xero) -> None:
    """The import contract says who may; here: what a service keeps in hand is sealed."""
    organisation, _ = connect(practice, xero)
    with speaking(practice):
        assert connections_of.connection_of("xero", organisation.client_id).sealed_secrets.startswith("1.")  # type: ignore[union-attr]
        assert XeroGrant.objects.get(pk=organisation.grant_id).sealed_secrets.startswith("1.")


def test_rotating_keys_seals_grants_anew(throwaway: Callable[[], KnownPractice], xero: Xero, settings: Any) -> None:
    known = throwaway()
    make_app(known, xero)
    organisation, _ = connect(known, xero)
    old, out = settings.ENCRYPTION_KEYS, io.StringIO()
    settings.ENCRYPTION_KEYS = (("newer", b"n" * 32), *old)
    with suppress(SystemExit):  # secrets of other tests' practices may be broken by design
        call_command("secrets", "rotate", stdout=out, stderr=io.StringIO())
    line = next(line for line in out.getvalue().splitlines() if line.startswith(known.practice.schema_name))
    assert line.endswith(": 0 under the first key, 3 sealed anew, 0 cannot be opened.")  # app, client's row and grant
    settings.ENCRYPTION_KEYS = settings.ENCRYPTION_KEYS[:1]
    with in_practice(known.practice):
        assert access.fresh(organisation.grant_id, early=timedelta(0)).ended_at is None
        assert api.has_previous(XeroGrant.objects.get(pk=organisation.grant_id)) is False
    settings.ENCRYPTION_KEYS = (*old, ("newer", b"n" * 32))
    with suppress(SystemExit):
        call_command("secrets", "rotate", stdout=io.StringIO(), stderr=io.StringIO())  # as other tests have them


def test_the_sweep_goes_on_with_what_waits_and_ends_what_is_to_be_ended(
    practice: KnownPractice, other_practice: KnownPractice, xero: Xero, monkeypatch: Any
) -> None:
    for task in (tasks.push_bill, tasks.end_connection, tasks.refresh_grant):
        monkeypatch.setattr(task, "apply_async", lambda args, task=task, **_: task(*args))
    make_app(other_practice, xero)
    (ours, our_books), (theirs, their_books) = connect(practice, xero), connect(other_practice, xero, "Theirs", "bob")
    for known, organisation in ((practice, ours), (other_practice, theirs)):
        with speaking(known, "owner") as owner:
            queued(organisation, owner, bill())
    tasks.sweep_bills()
    assert len(our_books.bills) == len(their_books.bills) == 1
    xero.will(Fault(503, b""), on="DELETE /connections", times=2)
    with speaking(practice):
        assert consenting.disconnect(ours) is False
    tasks.sweep_bills()
    assert [each["tenantId"] for each in xero.connections] == [their_books.tenant_id]
    with speaking(other_practice):
        grow_old(theirs.grant, xero, hours=21)
        before = XeroGrant.objects.get(pk=theirs.grant_id).refreshed_at
    tasks.refresh_xero()
    with speaking(other_practice):
        assert XeroGrant.objects.get(pk=theirs.grant_id).refreshed_at > before


def test_bills_wait_for_a_broker_that_is_out_of_reach(practice: KnownPractice, xero: Xero, monkeypatch: Any) -> None:
    organisation, books = connect(practice, xero)

    def unreachable(*_: Any, **__: Any) -> None:
        raise ConnectionError

    with speaking(practice) as owner:
        push = queued(organisation, owner, bill())
        monkeypatch.setattr(tasks.push_bill, "apply_async", unreachable)
        tasks.enqueue([push])
        assert XeroPush.objects.get(pk=push.pk).state == "queued" and books.bills == {}
        assert push in outbox.due(timezone.now(), 50)


def test_connecting_one_client_again_brings_back_the_others_of_that_person(practice: KnownPractice, xero: Xero) -> None:
    (one, books), (other, _), (gone, _) = (connect(practice, xero, name) for name in ("One", "Other", "Gone"))
    with speaking(practice) as owner:
        xero.people["ann"].current, xero.people["ann"].before = "withdrawn in Xero", {}
        with pytest.raises(ReconnectRequired):
            access.fresh(one.grant_id, XeroGrant.objects.get(pk=one.grant_id).refreshed_at)
        pks = [each.connection_id for each in (one, other, gone)]
        assert {each.status for each in Connection.objects.filter(pk__in=pks)} == {"reconnect_required"}
        xero.connections = [each for each in xero.connections if each["tenantId"] != gone.tenant_id]
        consent(owner, xero, one.client, [books])
        assert [Connection.objects.get(pk=pk).status for pk in pks] == ["connected", "connected", "reconnect_required"]
