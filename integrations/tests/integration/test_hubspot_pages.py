"""HubSpot's pages: for owners alone, a key that is tried and never shown, and an import followed to its report."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from asat_site.testing.hubspot_server import ALL_SCOPES, TOKEN, Contract, Fault, company
from asat_site.testing.hubspot_server.faults import missing_scopes, problem, too_often
from asat_site.testing.practices import KnownPractice
from clients.models import Client, ClientEvent
from integrations import tokens
from integrations.hubspot import tasks
from integrations.models import Connection, ImportRun
from integrations.tests.integration.hubspot import GOOD, connected, fake, inside, work_off

Made = Callable[[], KnownPractice]
ROOT = "/settings/connections/"
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[ImportRun]:
    """No worker takes what is begun here: the tests do the work themselves. What was enqueued."""
    taken: list[ImportRun] = []
    monkeypatch.setattr(tasks, "enqueue", lambda run: taken.append(run) or True)
    return taken


def test_from_key_to_report(throwaway: Made, contract: Contract | None, enqueued: list[ImportRun]) -> None:
    known = throwaway()
    browser = known.client("owner")
    listed = [company(1, "One & Sons", abn=GOOD), company(2, "Two"), company(3, None), company(4, "Have Already")]
    with fake(contract, companies=listed):
        with inside(known):
            Client.objects.create(name="Have Already")
        assert "Not connected" in browser.get(ROOT).content.decode()
        given = browser.post(f"{ROOT}hubspot/connect/", {"key": f" Bearer {TOKEN}\n"}, follow=True)
        words = given.content.decode()
        assert "HubSpot is connected." in words and TOKEN[-4:] in words and TOKEN not in words
        begin = browser.get(f"{ROOT}hubspot/imports/").content.decode()
        assert '<option value="abn" selected>ABN (abn)</option>' in begin
        started = browser.post(f"{ROOT}hubspot/imports/", {"abn_property": "abn"})
        with inside(known):
            run = ImportRun.objects.get()
        assert (started["Location"], [each.pk for each in enqueued]) == (f"{ROOT}hubspot/imports/{run.pk}/", [run.pk])
        page = f"{ROOT}hubspot/imports/{run.pk}/"
        waiting = browser.get(page)
        assert 'hx-trigger="every 1s"' in waiting.content.decode()
        seen = waiting.context["progress"].seen
        assert browser.get(f"{page}?seen={seen}", headers=HTMX).status_code == 204
        with inside(known):
            work_off(run)
        previewed = browser.get(page).content.decode()
        assert "<b>2 companies</b> would come in as clients, 1 of them with an ABN" in previewed
        assert "One &amp; Sons" in previewed and "hx-trigger" not in previewed
        part = browser.get(f"{page}?seen={seen}", headers=HTMX)
        assert (part.status_code, part["Vary"]) == (200, "HX-Request, Cookie")
        assert part.content.decode().startswith('<section id="hubspot-now"')
        browser.post(f"{page}confirm/")
        assert len(enqueued) == 2
        with inside(known):
            work_off(ImportRun.objects.get())
            assert Client.objects.count() == 3
        done = browser.get(f"{page}?show=came_in").content.decode()
        assert "<b>2</b> came in as clients" in done and "Have Already" not in done
        report = browser.get(f"{page}report.csv")
        lines = report.content.decode("utf-8-sig").split("\r\n")
        assert lines[0] == "HubSpot id,Name,Domain,Outcome,Why,ABN,Note on the ABN,Client"
        assert lines[1] == "1,One & Sons,,Came in,,51 824 753 556,,One & Sons"
        assert lines[3] == "3,,,No name,HubSpot holds no name for this company.,,,"
        assert lines[4].startswith("4,Have Already,,Client already,")
        with inside(known):
            assert list(ClientEvent.objects.filter(client=None).order_by("id").values_list("kind", "count")) == [
                ("imported", 2), ("exported", 4),
            ]  # fmt: skip
        assert "2 came in" in browser.get(f"{ROOT}hubspot/imports/").content.decode()
        gone = browser.post(f"{ROOT}hubspot/disconnect/", follow=True).content.decode()
        assert "its key erased" in gone and "Not connected" in gone and TOKEN[-4:] not in gone
        with inside(known):
            assert Connection.objects.get().sealed_secrets == ""


@pytest.mark.security
@pytest.mark.parametrize("role", ["agent", "staff", "read_only"])
def test_nobody_but_an_owner_reaches_any_of_it(throwaway: Made, role: str) -> None:
    known = throwaway()
    browser = known.client(role)
    with fake(None, companies=[company(1, "One")]) as hubspot:
        with inside(known):
            connected(known)
            before = Connection.objects.values().get()
        hubspot.requests.clear()
        run = "imports/00000000-0000-4000-8000-000000000001/"
        for address in ("connect/", "imports/", run, f"{run}report.csv"):
            assert browser.get(f"{ROOT}hubspot/{address}").status_code == 403
        verbs = ("connect/", "check/", "disconnect/", "imports/", f"{run}confirm/", f"{run}go-on/", f"{run}stop/")
        for address in verbs:
            assert browser.post(f"{ROOT}hubspot/{address}", {"key": TOKEN}).status_code == 403
        with inside(known):
            assert Connection.objects.values().get() == before
            assert ImportRun.objects.count() == 0
        assert hubspot.requests == []


@pytest.mark.security
@pytest.mark.parametrize(
    ("faults", "said"),
    [
        ([Fault(401, problem("INVALID_AUTHENTICATION"))], "HubSpot does not take this key"),
        ([missing_scopes(ALL_SCOPES[0]), missing_scopes(ALL_SCOPES[1])],
         "lacks the scopes crm.objects.companies.read and crm.schemas.companies.read"),
        ([missing_scopes(ALL_SCOPES[0])], "lacks a scope: crm.objects.companies.read"),
        ([Fault(403, problem("MISSING_SCOPES"))], "it needs crm.objects.companies.read"),
        ([Fault(403, "<h1>Blocked</h1>")] * 2, "Something in front of HubSpot"),
        ([too_often(retry_after="60")], "HubSpot has trouble answering"),
        ([too_often("DAILY")], "has had its calls for today"),
        ([Fault(503, "<h1>")] * 2, "HubSpot has trouble answering"),
        ([Fault(drops=True)] * 2, "could not be reached"),
    ],
)  # fmt: skip
def test_a_key_that_does_not_work_is_not_stored_and_its_reason_is_said(
    practice: KnownPractice, faults: list[Fault], said: str
) -> None:
    with fake(None, companies=[company(1, "One")]) as hubspot:
        hubspot.will(*faults)
        answer = practice.client("owner").post(f"{ROOT}hubspot/connect/", {"key": TOKEN})
        assert answer.status_code == 422
        words = answer.content.decode()
        assert said in words and TOKEN not in words
        with inside(practice):
            assert Connection.objects.count() == 0


@pytest.mark.security
def test_what_is_no_key_never_leaves_this_machine(practice: KnownPractice) -> None:
    with fake(None) as hubspot:
        for pasted in ("", "0a1b2c3d-1111-2222-3333-444455556666", "some-secret-of-another-product", "p" * 700):
            answer = practice.client("owner").post(f"{ROOT}hubspot/connect/", {"key": pasted})
            assert answer.status_code == 422
            assert not pasted or pasted not in answer.content.decode()
        assert hubspot.requests == []


def test_a_key_that_may_not_list_properties_connects_and_says_what_is_missing(
    throwaway: Made, contract: Contract | None
) -> None:
    known = throwaway()
    with fake(contract, companies=[company(1, "One", abn=GOOD)]) as hubspot, inside(known):
        hubspot.tokens[TOKEN] = ALL_SCOPES[:1]
        made = connected(known)
        assert (made.status, made.scopes) == ("connected", [ALL_SCOPES[0]])
        assert made.why.endswith("Add the scope crm.schemas.companies.read.")
    with fake(contract, companies=[company(1, "One", abn=GOOD)]) as hubspot:
        hubspot.tokens[TOKEN] = ALL_SCOPES[:1]
        begin = known.client("owner").get(f"{ROOT}hubspot/imports/").content.decode()
        assert "Companies come in without an ABN" in begin and "abn_property" not in begin


def test_checking_says_how_it_stands_and_marks_a_key_that_is_refused(throwaway: Made) -> None:
    known = throwaway()
    browser = known.client("owner")
    with fake(None, companies=[company(1, "One")]) as hubspot:
        with inside(known):
            connected(known)
        assert "HubSpot takes the key." in browser.post(f"{ROOT}hubspot/check/", follow=True).content.decode()
        hubspot.tokens.clear()
        refused = browser.post(f"{ROOT}hubspot/check/", follow=True).content.decode()
        assert "HubSpot does not take this key" in refused and "Reconnect required" in refused


@pytest.mark.security
def test_under_a_wrong_key_pages_stand_and_ask_for_a_new_connection(throwaway: Made, settings: Any) -> None:
    known = throwaway()
    browser = known.client("owner")
    with fake(None, companies=[company(1, "One")]) as hubspot:
        with inside(known):
            connected(known)
        settings.ENCRYPTION_KEYS = (("dev", b"w" * 32),)
        hubspot.requests.clear()
        assert browser.get(ROOT).status_code == 200
        begin = browser.get(f"{ROOT}hubspot/imports/")
        assert (begin.status_code, tokens.DOES_NOT_OPEN in begin.content.decode()) == (200, True)
        assert "Reconnect required" in browser.get(ROOT).content.decode()
        assert hubspot.requests == []
        browser.post(f"{ROOT}hubspot/connect/", {"key": TOKEN})
        with inside(known):
            assert Connection.objects.get().status == "connected"


@pytest.mark.security
def test_the_key_is_in_no_page_log_or_table_but_sealed(
    throwaway: Made, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    known = throwaway()
    browser = known.client("owner")
    pages: list[str] = []
    with fake(None, companies=[company(1, "One")]) as hubspot:
        pages.append(browser.post(f"{ROOT}hubspot/connect/", {"key": TOKEN}, follow=True).content.decode())
        hubspot.will(None, Fault(500, f"<h1>{TOKEN}</h1>"), Fault(401, problem("X", f"bad {TOKEN}")))
        pages.append(browser.get(f"{ROOT}hubspot/imports/").content.decode())
        pages.append(browser.post(f"{ROOT}hubspot/imports/", {"abn_property": ""}, follow=True).content.decode())
        with inside(known):
            work_off(ImportRun.objects.get())
        pages += [browser.get(address).content.decode() for address in (ROOT, "/admin/integrations/connection/")]
        with inside(known):
            rows = [*Connection.objects.values(), *ImportRun.objects.values()]
    shown = [*pages, caplog.text, *capfd.readouterr(), str(rows)]
    assert [text[:200] for text in shown if TOKEN in text or TOKEN[8:30] in text] == []


@pytest.mark.security
def test_one_practice_s_key_is_never_used_for_another(throwaway: Made) -> None:
    ours, theirs = throwaway(), throwaway()
    other_key = "pat-eu1-the-other-practice-s-own-key-8888"
    with fake(None, companies=[company(1, "One")]) as hubspot:
        hubspot.tokens[other_key] = ALL_SCOPES
        with inside(ours):
            connected(ours)
        with inside(theirs):
            connected(theirs, other_key)
        hubspot.requests.clear()
        for known, key in ((ours, TOKEN), (theirs, other_key), (ours, TOKEN)):
            hubspot.requests.clear()
            known.client("owner").post(f"{ROOT}hubspot/check/")
            assert {each.headers["authorization"] for each in hubspot.requests} == {f"Bearer {key}"}
        page = theirs.client("owner").get(ROOT).content.decode()
        assert TOKEN[-4:] not in page and other_key[-4:] in page


def test_a_property_that_was_not_offered_is_not_asked_for(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    with fake(contract, companies=[company(1, "One")]):
        with inside(known):
            connected(known)
        known.client("owner").post(f"{ROOT}hubspot/imports/", {"abn_property": "hs_secret_notes"})
        with inside(known):
            assert ImportRun.objects.get().options["abn_property"] == ""


def test_a_second_beginning_leads_to_the_import_that_is_open(throwaway: Made, contract: Contract | None) -> None:
    known = throwaway()
    browser = known.client("owner")
    with fake(contract, companies=[company(1, "One")]):
        with inside(known):
            connected(known)
        first = browser.post(f"{ROOT}hubspot/imports/", {"abn_property": ""})
        second = browser.post(f"{ROOT}hubspot/imports/", {"abn_property": ""})
        assert first["Location"] == second["Location"]
        assert "One is under way" in browser.get(f"{ROOT}hubspot/imports/").content.decode()


def test_pages_of_what_is_not_there_are_not_found(practice: KnownPractice) -> None:
    browser = practice.client("owner")
    assert browser.get(f"{ROOT}hubspot/imports/").status_code == 404
    assert browser.post(f"{ROOT}hubspot/check/").status_code == 404
    assert browser.get(f"{ROOT}hubspot/imports/00000000-0000-4000-8000-000000000001/").status_code == 404
