"""Companies come in as clients: each once, nothing guessed, nobody overwritten; and the count says so or refuses."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import redis
from django.conf import settings
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_user
from asat_site.testing.hubspot_server import ABN_PROPERTY, TOKEN, Contract, Fault, company
from asat_site.testing.hubspot_server.faults import missing_scopes, problem, too_often
from asat_site.testing.practices import KnownPractice, make_throwaway
from clients import services_merge
from clients.models import Assignment, Client, ClientEvent, Restriction
from integrations.hubspot import connecting, importing, reporting, runs
from integrations.hubspot.api import DAILY, REJECTED
from integrations.models import ClientOrigin, Connection, ImportRun
from integrations.tests.integration.hubspot import (
    GOOD,
    Waits,
    connected,
    fake,
    fates,
    imported,
    inside,
    previewed,
    work_off,
)

Made = Callable[[], KnownPractice]


@pytest.fixture(scope="module")
def shared(services: Any, django_db_blocker: Any) -> Iterator[KnownPractice]:
    with django_db_blocker.unblock():
        yield make_throwaway("Importers")


@pytest.fixture
def ours(shared: KnownPractice) -> Iterator[KnownPractice]:
    """A practice that several tests read lists into, one after the other; each ends what it began.

    Each begins with a pace of its own: together they ask more often than one account may.
    """
    client = redis.Redis.from_url(settings.REDIS_URL)
    for key in client.scan_iter("asat:pace:*"):
        client.delete(key)
    yield shared
    with inside(shared):
        for run in ImportRun.objects.filter(status__in=ImportRun.OPEN):
            runs.stop(run)
            work_off(run)


def many(count: int, first: int = 1) -> list[object]:
    return [company(number, f"Company {number} Pty Ltd") for number in range(first, first + count)]


def test_a_company_becomes_a_client_with_name_and_abn_and_nothing_else(
    throwaway: Made, contract: Contract | None
) -> None:
    known = throwaway()
    with fake(contract, companies=[company(9001, "Example Plumbing Pty Ltd", abn=GOOD)]), inside(known):
        connected(known)
        run = previewed(known)
        assert (run.status, run.report["outcomes"], Client.objects.count()) == ("previewed", {"new": 1}, 0)
        runs.confirm(known.users["owner"], run)
        run = work_off(ImportRun.objects.get())
        assert (run.status, run.report["outcomes"], run.report["abns"]) == ("done", {"came_in": 1}, 1)
        client = Client.objects.get()
        assert (client.name, client.abn) == ("Example Plumbing Pty Ltd", "51824753556")
        assert (client.entity_type, client.gst_registered, client.bas_cycle, client.income_year_end) == (
            "", None, "", None,
        )  # fmt: skip
        assert (client.acn, client.sealed_tfn, client.emails, client.match_key) == ("", "", [], "example plumbing")
        assert ClientOrigin.objects.get().vendor_id == "9001"
        events = ClientEvent.objects.order_by("id").values_list("kind", "by_id", "client_id", "count")
        owner = known.users["owner"].pk
        assert list(events) == [("imported", owner, client.pk, None), ("imported", owner, None, 1)]


@pytest.mark.parametrize(("count", "pages"), [(0, 1), (1, 1), (100, 1), (101, 2), (250, 3)])
def test_as_many_calls_as_there_are_pages(
    ours: KnownPractice, contract: Contract | None, count: int, pages: int
) -> None:
    with fake(contract, companies=many(count)) as hubspot, inside(ours):
        connected(ours)
        hubspot.requests.clear()
        run = imported(ours)
        listed = [each for each in hubspot.requests if each.path.endswith("/objects/2026-09/companies")]
        assert (len(listed), Client.objects.count(), run.report["listed"]) == (pages, count, count)
        assert {each.method for each in hubspot.requests} == {"GET"}
        assert all("/2026-09/" in each.path and "search" not in each.path for each in hubspot.requests)
        assert {each.query["archived"] for each in hubspot.requests} == {"false"}
        assert [each.query.get("after", "") for each in listed] == ["", "100", "200"][:pages]


def test_existing_clients_are_found_by_name_and_left_exactly_as_they_are(
    throwaway: Made, contract: Contract | None
) -> None:
    known, other = throwaway(), throwaway()
    listed = [
        company(1, "EXAMPLE  plumbing Pty. Ltd.", abn=GOOD),
        company(2, "Archived Co"),
        company(3, "Only Theirs"),
        company(4, "Ｅxample\u00a0Plumbing"),
    ]
    with in_practice(other.practice):
        Client.objects.create(name="Only Theirs")
    with fake(contract, companies=listed), inside(known):
        Client.objects.create(name="Example Plumbing Pty Ltd", tags=["kept"])
        Client.objects.create(name="Archived Co", archived_at=timezone.now())
        before = list(Client.objects.order_by("name").values())
        connected(known)
        run = imported(known)
        assert fates(run) == [
            ("EXAMPLE  plumbing Pty. Ltd.", "exists"),
            ("Archived Co", "archived"),
            ("Only Theirs", "came_in"),
            ("Ｅxample Plumbing", "exists"),
        ]
        assert list(Client.objects.exclude(name="Only Theirs").order_by("name").values()) == before
        assert run.companies.get(number=1).client.name == "Example Plumbing Pty Ltd"
        assert reporting.why_of(run.companies.get(number=1)) == reporting.REASONS["exists"]
    with in_practice(other.practice):
        assert (Client.objects.count(), ImportRun.objects.count(), ClientOrigin.objects.count()) == (1, 0, 0)


def test_importing_again_brings_only_what_is_new_and_knows_what_was_renamed(
    throwaway: Made, contract: Contract | None
) -> None:
    known = throwaway()
    with fake(contract, companies=many(3)) as hubspot, inside(known):
        connected(known)
        imported(known)
        hubspot.companies[1]["properties"]["name"] = "Renamed Since"
        hubspot.companies.append(company(4, "Company 4 Pty Ltd"))
        run = imported(known)
        assert [outcome for _, outcome in fates(run)] == ["came_earlier", "came_earlier", "came_earlier", "came_in"]
        assert Client.objects.count() == 4
        assert not Client.objects.filter(name="Renamed Since").exists()
        run = previewed(known)
        assert run.report["outcomes"] == {"came_earlier": 4}


def test_clients_that_were_merged_since_are_not_brought_in_again(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    with fake(contract, companies=many(2)), inside(known):
        connected(known)
        imported(known)
        kept, gone = Client.objects.order_by("name")
        services_merge.merge(known.users["owner"], kept, gone)
        assert set(ClientOrigin.objects.values_list("client_id", flat=True)) == {kept.pk}
        assert imported(known).report["outcomes"] == {"came_earlier": 2}
        ClientOrigin.objects.update(client=kept)
        run = previewed(known)
        assert set(run.companies.values_list("client_id", flat=True)) == {kept.pk}


def test_names_repeated_missing_long_and_strange(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    listed = [
        company(1, "Twice Pty Ltd", abn=GOOD),
        company(2, "TWICE", abn="53 004 085 616"),
        company(3, None, domain="nameless.example"),
        company(4, ""),
        company(5, " \u00a0 "),
        company(6, "n" * 300),
        company(7, "x" * 500),
        company(8, "=cmd|' /C calc'!A0"),
        company(9, "<script>alert(1)</script>"),
        company(10, "🌊"),
        company(11, "Line\nbreak\x00Co"),
    ]
    listed[2]["properties"]["domain"] = "nameless.example"
    del listed[3]["properties"]["name"]
    with fake(contract, companies=listed), inside(known):
        connected(known)
        run = imported(known)
        assert [outcome for _, outcome in fates(run)] == [
            "came_in", "repeated_name", "nameless", "nameless", "nameless", "came_in", "came_in", "came_in", "came_in",
            "came_in", "came_in",
        ]  # fmt: skip
        second = run.companies.get(number=2)
        assert reporting.why_of(second).endswith("Its ABN is not that of the first.")
        assert run.companies.get(number=3).domain == "nameless.example"
        names = set(Client.objects.values_list("name", flat=True))
        assert {"n" * 300, "x" * 300, "🌊", "Line breakCo", "<script>alert(1)</script>"} <= names
        assert run.report["shortened"] == 1
        text = reporting.csv_of(run.companies.select_related("client")).decode("utf-8-sig")
        assert "'=cmd|' /C calc'!A0" in text and ",=cmd" not in text
        assert run.report["listed"] == sum(run.report["outcomes"].values()) == 11


def test_an_abn_comes_in_only_where_it_passes_and_nobody_has_it(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    listed = [
        company(1, "One", abn="51824753556.0"),
        company(2, "Two", abn=GOOD),
        company(3, "Three", abn="51 824 753 557"),
        company(4, "Four", abn="004 085 616"),
        company(5, "Five", abn="n/a"),
        company(6, "Six", abn=None),
        company(7, "Seven", abn="53 004 085 616"),
    ]
    with fake(contract, companies=listed), inside(known):
        Client.objects.create(name="Holder", abn="53004085616")
        connected(known)
        run = imported(known)
        assert dict(Client.objects.exclude(name="Holder").values_list("name", "abn")) == {
            "One": "51824753556", "Two": "", "Three": "", "Four": "", "Five": "", "Six": "", "Seven": "",
        }  # fmt: skip
        assert run.report["abns_left_out"] == {"held": 2, "not_digits": 1, "wrong_check": 1, "wrong_length": 1}
        assert run.report["abns"] == 1
        assert Client.objects.get(name="Holder").abn == "53004085616"


def test_a_company_listed_on_two_pages_counts_once(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    listed = [*many(99), company(500, "Moved"), company(500, "Moved"), *many(20, 200)]
    with fake(contract, companies=listed), inside(known):
        connected(known)
        run = imported(known)
        assert (run.status, run.report["listed"], run.report["repeated"]) == ("done", 121, 1)
        assert Client.objects.count() == 120


@pytest.mark.parametrize("fault", [{"paging": {"next": {"after": "100"}}}, {"paging": {"next": {"after": "0"}}}])
def test_a_list_that_leads_back_is_never_called_whole(
    ours: KnownPractice, contract: Contract | None, fault: dict[str, object]
) -> None:
    with fake(contract, companies=many(250)) as hubspot, inside(ours):
        connected(ours)
        hubspot.will(None, None, *[Fault(page=fault)] * 8)
        run = previewed(ours)
        assert (run.status, run.why) == ("failed", importing.ROUND)
        assert not runs.confirm(ours.users["owner"], run)
        assert len(hubspot.requests) < 15


def test_an_empty_page_that_goes_on_is_gone_on_from_but_not_for_ever(
    throwaway: Made, contract: Contract | None
) -> None:
    known = throwaway()
    with fake(contract, companies=many(150)) as hubspot, inside(known):
        connected(known)
        hubspot.will(None, Fault(page={"results": [], "paging": {"next": {"after": "0"}}}))
        assert previewed(known).report["listed"] == 150
        runs.stop(ImportRun.objects.first())
        hubspot.will(None, *[Fault(page={"results": [], "paging": {"next": {"after": f"9{n}"}}}) for n in range(40)])
        assert (previewed(known).status, len(hubspot.requests) < 40) == ("failed", True)


@pytest.mark.parametrize("paging", [None, {}, {"next": None}])
def test_a_list_ends_where_no_next_is_told(
    ours: KnownPractice, contract: Contract | None, paging: dict[str, object] | None
) -> None:
    with fake(contract, companies=many(2)) as hubspot, inside(ours):
        connected(ours)
        hubspot.will(None, Fault(page={"paging": paging}))
        assert previewed(ours).report["listed"] == 2


def test_a_list_shorter_than_the_account_tells_is_not_complete(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    with fake(contract, companies=many(120)) as hubspot, inside(known):
        connected(known)
        hubspot.says_total = 121
        run = previewed(known)
        assert run.status == "failed"
        assert run.why.startswith("120 companies were listed, 120 are accounted for and HubSpot counts 121")
        hubspot.says_total = 120
        assert imported(known).status == "done"


def test_archived_companies_are_left_out_even_where_hubspot_lists_them(
    throwaway: Made, contract: Contract | None
) -> None:
    known = throwaway()
    with fake(contract, companies=[company(1, "Kept"), company(2, "Gone", archived=True)]) as hubspot, inside(known):
        connected(known)
        hubspot.will(None, Fault(page={"results": [company(1, "Kept"), company(3, "Listed", archived=True)]}))
        run = imported(known)
        assert fates(run) == [("Kept", "came_in")]
        assert run.report["archived"] == 1


def test_a_burst_limit_is_waited_out_on_the_same_cursor(throwaway: Made, contract: Contract | None) -> None:
    known, waits = throwaway(), Waits()
    with fake(contract, companies=many(250)) as hubspot, inside(known):
        connected(known)
        run = runs.begin(known.users["owner"], Connection.objects.get())
        hubspot.requests.clear()
        hubspot.will(None, too_often(retry_after="3"), too_often(retry_after=None), Fault(500, "<h1>"), None)
        run = work_off(run, waits=waits)
        assert [each.query.get("after", "") for each in hubspot.requests] == ["", "100", "100", "100", "100", "200"]
        assert run.report["listed"] == 250
        assert 3.0 <= waits[0] < 3.1 and 10.0 <= waits[1] < 10.1 and waits[2] < 1.0


@pytest.mark.parametrize(
    ("fault", "status", "why"),
    [
        (too_often("DAILY", None), "paused", DAILY),
        (Fault(477, problem("MIGRATION"), {"Retry-After": "7200"}), "paused", "HubSpot is moving"),
        (missing_scopes("crm.objects.companies.read"), "paused", "This key lacks a scope: crm.objects.companies.read."),
        (Fault(403, problem("USER_DOES_NOT_HAVE_PERMISSIONS")), "paused", "HubSpot refuses this key because"),
        (Fault(401, problem("EXPIRED_AUTHENTICATION")), "paused", "HubSpot says that this key has expired"),
        (Fault(404, problem("OBJECT_NOT_FOUND")), "failed", "HubSpot no longer knows the interface of 2026-09"),
        (Fault(302, "", {"Location": "http://127.0.0.1:9/"}), "failed", "HubSpot sent us elsewhere"),
        (Fault(200, {"results": "none"}), "failed", "HubSpot’s answer is not as documented"),
    ],
)
def test_what_ends_a_reading_is_told_apart_and_what_was_read_is_kept(
    ours: KnownPractice, fault: Fault, status: str, why: str
) -> None:
    with fake(None, companies=many(250)) as hubspot, inside(ours):
        connected(ours)
        hubspot.will(None, None, None, fault)
        run = previewed(ours)
        assert run.status == status
        assert run.why.startswith(why)
        assert run.companies.count() == 200
        if status == "paused":
            hubspot.requests.clear()
            connecting.connect(ours.users["owner"], TOKEN) if fault.status == 401 else None
            assert runs.go_on(run)
            assert work_off(run).report["listed"] == 250


@pytest.mark.parametrize(
    "fault",
    [Fault(drops=True), Fault(cuts_at=700), Fault(200, "<h1>Sign in</h1>"), Fault(502, "<h1>"), Fault(slow_s=3.0),
     Fault(423, problem("LOCKED")), Fault(403, "<h1>Blocked</h1>"), Fault(200, '{"results": [')],
)  # fmt: skip
def test_a_page_that_is_cut_slow_or_no_page_is_asked_again(ours: KnownPractice, fault: Fault) -> None:
    with fake(None, companies=many(150)) as hubspot, inside(ours):
        connected(ours)
        hubspot.will(None, None, fault)
        run = previewed(ours)
        assert (run.status, run.report["listed"], run.report["repeated"]) == ("previewed", 150, 0)


def test_an_outage_is_waited_out_and_then_left_to_a_person(throwaway: Made) -> None:
    known, waits = throwaway(), Waits()
    with fake(None, companies=many(5)) as hubspot, inside(known):
        connected(known)
        run = runs.begin(known.users["owner"], Connection.objects.get())
        hubspot.will(*[Fault(503, "<h1>")] * 4 * 6)
        run = work_off(run, waits=waits)
        assert (run.status, run.tally["troubles"]) == ("paused", 6)
        assert [wait for wait in waits if wait >= 15] == [15.0, 30.0, 45.0, 60.0, 75.0]
        assert runs.go_on(run)
        assert work_off(ImportRun.objects.get()).status == "previewed"


def test_a_key_refused_half_way_asks_for_another_and_the_import_goes_on_with_it(
    throwaway: Made, contract: Contract | None
) -> None:
    known, new_key = throwaway(), "pat-eu1-another-key-of-the-same-account-7777"
    with fake(contract, companies=many(350)) as hubspot, inside(known):
        connected(known)
        hubspot.will(None, None, None, Fault(401, problem("INVALID_AUTHENTICATION")))
        run = previewed(known, abn_property="")
        assert (run.status, run.why, run.companies.count()) == ("paused", REJECTED, 300)
        kept = Connection.objects.get()
        assert (kept.status, kept.why) == ("reconnect_required", REJECTED)
        hubspot.tokens = {new_key: hubspot.tokens[TOKEN]}
        connected(known, new_key)
        assert runs.go_on(run)
        run = work_off(ImportRun.objects.get())
        assert (run.status, run.report["listed"], run.companies.count()) == ("previewed", 350, 350)
        assert Connection.objects.get().status == "connected"


def test_a_key_of_another_account_begins_its_list_anew(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    with fake(contract, companies=many(150)) as hubspot, inside(known):
        connected(known)
        hubspot.will(None, too_often("DAILY"))
        run = previewed(known, abn_property="")
        assert run.companies.count() == 100
        hubspot.companies = many(3, 7000)
        connected(known)
        runs.go_on(run)
        run = work_off(ImportRun.objects.get())
        assert [name for name, _ in fates(run)] == [f"Company {n} Pty Ltd" for n in (7000, 7001, 7002)]


def test_a_lost_cursor_begins_the_list_anew_once(throwaway: Made, contract: Contract | None) -> None:
    known, lost = throwaway(), Fault(400, problem("VALIDATION_ERROR"))
    with fake(contract, companies=many(250)) as hubspot, inside(known):
        connected(known)
        hubspot.will(None, None, lost)
        run = previewed(known)
        assert (run.report["listed"], run.report["repeated"], run.companies.count()) == (250, 0, 250)
        runs.stop(run)
        hubspot.will(None, None, lost, None, lost)
        assert previewed(known).why == "HubSpot twice lost the place in its list where we were. Begin again."


def test_a_chosen_property_that_is_gone_is_noticed_before_anything_is_read(
    throwaway: Made, contract: Contract | None
) -> None:
    known = throwaway()
    with fake(contract, companies=many(2)) as hubspot, inside(known):
        connected(known)
        hubspot.properties.remove(ABN_PROPERTY)
        run = previewed(known)
        assert (run.status, run.why) == ("failed", importing.NO_PROPERTY.format("ABN"))
        assert run.companies.count() == 0


def test_a_worker_that_ends_anywhere_leaves_nothing_half_done(
    throwaway: Made, contract: Contract | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, real = throwaway(), importing._tallied

    def killed(*args: object) -> None:
        raise KeyboardInterrupt

    with fake(contract, companies=many(250)), inside(known):
        connected(known)
        run = runs.begin(known.users["owner"], Connection.objects.get())
        importing.work(run.pk, 0, 0.0)
        monkeypatch.setattr(importing, "_tallied", killed)
        with pytest.raises(KeyboardInterrupt):
            importing.work(run.pk, 1)
        monkeypatch.setattr(importing, "_tallied", real)
        run = ImportRun.objects.get()
        assert (run.companies.count(), run.cursor, run.attempts) == (100, "100", 2)
        assert importing.work(run.pk, 1) is None  # the same message once more, while the other may be alive
        ImportRun.objects.update(heartbeat_at=timezone.now() - runs.LOST_AFTER - timedelta(seconds=1))
        run = work_off(ImportRun.objects.get())
        assert (run.status, run.report["listed"], run.report["repeated"]) == ("previewed", 250, 0)
        runs.confirm(known.users["owner"], run)
        monkeypatch.setattr(importing.ClientOrigin.objects, "bulk_create", killed)
        with pytest.raises(KeyboardInterrupt):
            importing.work(run.pk, run.attempts)
        monkeypatch.undo()
        assert Client.objects.count() == 0
        ImportRun.objects.update(heartbeat_at=timezone.now() - runs.LOST_AFTER - timedelta(seconds=1))
        assert work_off(ImportRun.objects.get()).report["outcomes"] == {"came_in": 250}
        assert Client.objects.count() == ClientOrigin.objects.count() == 250


def test_a_worker_taken_for_dead_writes_nothing_more(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    with fake(contract, companies=many(5)), inside(known):
        connected(known)
        run = runs.begin(known.users["owner"], Connection.objects.get())
        first = runs.claim(run.pk, 0, timezone.now())
        assert first is not None
        second = runs.claim(run.pk, 0, timezone.now() + runs.LOST_AFTER + timedelta(seconds=1))
        assert second is not None and second.attempts == 2
        with pytest.raises(runs.Overtaken), runs.writing(first) as row:
            row.why = "late"
        assert ImportRun.objects.get().why == ""


def test_work_that_keeps_ending_unexpectedly_waits_for_a_person(throwaway: Made) -> None:
    known = throwaway()
    with fake(None, companies=many(5)), inside(known):
        connected(known)
        run = runs.begin(known.users["owner"], Connection.objects.get())
        for number in range(6):
            assert runs.claim(run.pk, number, timezone.now()) is not None
        assert runs.claim(run.pk, 6, timezone.now()) is None
        run = ImportRun.objects.get()
        assert (run.status, run.why) == ("paused", runs.GAVE_UP)


def test_two_imports_begun_together_are_one(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    with fake(contract, companies=many(5)), inside(known):
        connected(known)
        run = runs.begin(known.users["owner"], Connection.objects.get())
        with pytest.raises(runs.AlreadyOneOpen):
            runs.begin(known.users["owner"], Connection.objects.get())
        assert work_off(run).status == "previewed"
        assert runs.confirm(known.users["owner"], run)
        assert not runs.confirm(known.users["owner"], run)


def test_stopping_keeps_what_came_in_and_a_later_import_brings_the_rest(
    throwaway: Made, contract: Contract | None
) -> None:
    known = throwaway()
    with fake(contract, companies=many(450)), inside(known):
        connected(known)
        run = previewed(known)
        runs.confirm(known.users["owner"], run)
        run = ImportRun.objects.get()
        assert importing.work(run.pk, run.attempts, 0.0) is not None
        assert runs.stop(run)
        run = work_off(ImportRun.objects.get())
        assert (run.status, run.report["outcomes"]) == ("stopped", {"came_in": 200, "new": 250})
        assert ClientEvent.objects.get(client=None).count == 200
        assert imported(known).report["outcomes"] == {"came_earlier": 200, "came_in": 250}
        assert Client.objects.count() == 450


def test_a_preview_given_up_brings_nothing_in(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    with fake(contract, companies=many(3)), inside(known):
        connected(known)
        run = previewed(known)
        assert runs.stop(run) and not runs.stop(run)
        assert ImportRun.objects.get().status == "stopped"
        assert not runs.confirm(known.users["owner"], run)
        assert Client.objects.count() == 0


def test_a_client_added_between_preview_and_import_is_left_alone(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    with fake(contract, companies=[company(1, "One", abn=GOOD), company(2, "Two")]), inside(known):
        connected(known)
        run = previewed(known)
        Client.objects.create(name="Two")
        Client.objects.create(name="Three", abn="51824753556")
        runs.confirm(known.users["owner"], run)
        run = work_off(ImportRun.objects.get())
        assert fates(run) == [("One", "came_in"), ("Two", "exists")]
        assert run.report["abns_left_out"] == {"held": 1}
        assert Client.objects.get(name="One").abn == ""


def test_disconnecting_while_the_list_is_read_makes_it_wait(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    with fake(contract, companies=many(250)), inside(known):
        made = connected(known)
        run = runs.begin(known.users["owner"], made)
        after = importing.work(run.pk, 0, 0.0)
        assert after == (1, 0.0)
        connecting.disconnect(made)
        assert importing.work(run.pk, 1) is None
        run = ImportRun.objects.get()
        assert (run.status, run.why) == ("paused", "There is no access stored for this connection. Connect again.")
        assert Connection.objects.get().status == "disconnected"


@pytest.mark.alone
def test_more_than_ten_thousand_companies_come_in_within_a_minute(throwaway: Made) -> None:
    known, count = throwaway(), 10_050
    listed = [company(n, f"Company {n} Pty Ltd", abn=GOOD if n == 10_000 else None) for n in range(count)]
    with fake(None, companies=listed) as hubspot, inside(known):
        connected(known)
        began = time.monotonic()
        run = imported(known, slice_s=importing.SLICE_S)
        took = time.monotonic() - began
        assert (run.status, run.report["listed"], run.report["outcomes"]) == ("done", count, {"came_in": count})
        assert Client.objects.count() == ClientOrigin.objects.count() == count
        assert Client.objects.get(abn="51824753556").name == "Company 10000 Pty Ltd"
        assert len(hubspot.requests) == 2 + 1 + 101
        assert took < 60, took
    page = known.client("owner").get(f"/settings/connections/hubspot/imports/{run.pk}/?after=10000").content.decode()
    assert "Company 10000 Pty Ltd" in page and "Further companies" not in page


@pytest.mark.security
def test_a_restricted_client_is_not_brought_in_again_nor_shown_to_who_may_not_see_it(
    throwaway: Made, contract: Contract | None
) -> None:
    known = throwaway()
    owner, agent = known.users["owner"], known.users["agent"]
    with in_practice(known.practice, owner.pk):
        hidden = Client.objects.create(name="Secret Holdings Pty Ltd")
        Assignment.objects.create(client=hidden, user=agent, by=owner)
        Restriction.objects.create(client=hidden, by=owner)
    with fake(contract, companies=[company(1, "Secret Holdings"), company(2, "Open Co")]), inside(known):
        connected(known)
        run = imported(known)
        assert run.report["outcomes"] == {"came_in": 1, "exists": 1}
        with as_user(owner.pk):
            assert fates(run) == [("Open Co", "came_in")]
            assert Client.objects.count() == 1
        with as_user(agent.pk):
            assert len(fates(run)) == 2
    page = known.client("owner").get(f"/settings/connections/hubspot/imports/{run.pk}/").content.decode()
    assert "Open Co" in page and "Secret" not in page
    assert "1 of these is not shown" in page
    report = known.client("owner").get(f"/settings/connections/hubspot/imports/{run.pk}/report.csv").content.decode()
    assert "Open Co" in report and "Secret" not in report


@pytest.mark.security
def test_a_run_of_one_practice_cannot_be_worked_on_or_seen_from_another(
    throwaway: Made, contract: Contract | None
) -> None:
    ours, theirs = throwaway(), throwaway()
    with fake(contract, companies=many(3)) as hubspot:
        with inside(ours):
            connected(ours)
            run = runs.begin(ours.users["owner"], Connection.objects.get())
        hubspot.requests.clear()
        with inside(theirs):
            assert importing.work(run.pk, 0) is None
        assert hubspot.requests == []
        browser = theirs.client("owner")
        for address in ("", "report.csv"):
            found = browser.get(f"/settings/connections/hubspot/imports/{run.pk}/{address}")
            assert found.status_code == 404
        for verb in ("confirm", "go-on", "stop"):
            assert browser.post(f"/settings/connections/hubspot/imports/{run.pk}/{verb}/").status_code == 404
        with inside(ours):
            kept = ImportRun.objects.get()
            assert (kept.status, kept.attempts, kept.stop_asked_at) == ("reading", 0, None)
    assert uuid4() != run.pk
