"""What is recorded of everybody's way in and of what leaves as a file: complete, unchangeable, for owners to read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DatabaseError, ProgrammingError, connection, connections
from django.test import RequestFactory, override_settings

from asat_site.accounts import attempts, events
from asat_site.accounts.models import AccountEvent
from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import PASSWORD, KnownPractice, make_throwaway
from asat_site.testing.second_factor import forget_attempts, give_password
from asat_site.testing.servers import Services
from clients.models import Client

pytestmark = pytest.mark.security

PAGE = "/settings/events/"


@pytest.fixture(scope="module")
def firm(services: Services, django_db_blocker: Any) -> KnownPractice:
    with django_db_blocker.unblock():
        return make_throwaway("Events")


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    yield
    forget_attempts()


def newest(known: KnownPractice, number: int) -> list[AccountEvent]:
    with in_practice(known.practice):
        return list(events.found(events.Sought())[:number])


def test_a_refused_sign_in_names_the_user_or_nobody_and_never_what_was_typed(firm: KnownPractice) -> None:
    browser = firm.client(None)
    for email in (firm.users["staff"].email.upper(), "nobody@somewhere.example"):
        browser.post("/sign-in/", {"username": email, "password": "wrong guess"}, REMOTE_ADDR="203.0.113.5")
    unknown, known = newest(firm, 2)
    assert [(event.kind, event.by_id, event.ip) for event in (known, unknown)] == [("refused", None, "203.0.113.5")] * 2
    assert (known.about_id, unknown.about_id) == (firm.users["staff"].pk, None)
    with in_practice(firm.practice), connection.cursor() as cursor:
        for typed in ("nobody@somewhere.example", "wrong guess"):
            cursor.execute("SELECT count(*) FROM accounts_accountevent e WHERE e::text LIKE %s", [f"%{typed}%"])
            assert cursor.fetchone() == (0,)


def test_a_lockout_is_recorded_once_and_the_waiting_not_at_all(firm: KnownPractice) -> None:
    for _ in range(attempts.ACCOUNT_LIMIT + 3):
        give_password(firm, "read_only", "wrong guess")
    kinds = [event.kind for event in newest(firm, 12)]
    assert kinds[:11] == ["locked_out"] + ["refused"] * 10
    assert {event.about_id for event in newest(firm, 11)} == {firm.users["read_only"].pk}


def test_signing_in_and_out_is_recorded_with_where_from(firm: KnownPractice) -> None:
    browser = firm.client(None)
    given = {"username": firm.users["agent"].email, "password": PASSWORD}
    browser.post("/sign-in/", given, REMOTE_ADDR="2001:db8::7", headers={"user-agent": "x" * 300})
    browser.post("/sign-out/", REMOTE_ADDR="2001:db8::7")
    out, signed_in = newest(firm, 2)
    assert (signed_in.kind, out.kind) == ("signed_in", "signed_out")
    assert (signed_in.by_id, signed_in.about_id) == (firm.users["agent"].pk, firm.users["agent"].pk)
    assert (signed_in.ip, signed_in.user_agent) == ("2001:db8::7", "x" * 200)


@override_settings(TRUSTED_PROXIES=1)
@pytest.mark.parametrize(("said", "wanted"), [("203.0.113.8", "203.0.113.8"), ("unknown", None), ("1.2.3", None)])
def test_an_address_is_that_which_a_trusted_proxy_says(said: str, wanted: str | None) -> None:
    assert events.ip_of(RequestFactory().get("/", headers={"x-forwarded-for": said})) == wanted


# Exports.


def test_every_file_that_is_taken_out_is_recorded(firm: KnownPractice) -> None:
    browser = firm.client("staff")
    with in_practice(firm.practice):
        Client.objects.create(name="One")
    assert browser.post("/clients/export.csv").status_code == 200
    event = newest(firm, 1)[0]
    assert (event.kind, event.detail, event.count) == ("exported", "clients", 1)
    assert event.by_id == firm.users["staff"].pk
    assert browser.post("/transactions/export.csv").status_code == 200
    assert [(row.kind, row.detail, row.count) for row in newest(firm, 1)] == [("exported", "transactions", 0)]
    assert browser.get("/account/tokens/").status_code == 200  # a page is no export
    assert newest(firm, 1)[0].detail == "transactions"


def test_the_export_of_events_is_one_of_them(firm: KnownPractice) -> None:
    give_password(firm, "agent")
    owner = firm.client("owner")
    response = owner.post(f"{PAGE}export/", {"kind": "signed_in", "person": str(firm.users["agent"].pk)})
    assert response["Content-Disposition"].startswith('attachment; filename="account-events-')
    assert "X-Exported-Rows" not in response
    head, *lines = csv.reader(io.StringIO(response.content.decode()))
    assert head[:3] == ["When", "What", "Who"]
    assert {(line[1], line[2]) for line in lines} == {("Signed in", firm.users["agent"].email)}
    event = newest(firm, 1)[0]
    assert (event.kind, event.detail, event.count) == ("exported", "account events", len(lines))


def test_a_cell_that_a_spreadsheet_would_run_is_text(firm: KnownPractice) -> None:
    browser = firm.client(None)
    given = {"username": firm.users["agent"].email, "password": PASSWORD}
    browser.post("/sign-in/", given, headers={"user-agent": '=HYPERLINK("http://evil.example")'})
    written = firm.client("owner").post(f"{PAGE}export/").content.decode()
    assert """"'=HYPERLINK(""" in written


# The page.


def test_the_page_shows_by_kind_and_person_and_pages(firm: KnownPractice, monkeypatch: pytest.MonkeyPatch) -> None:
    for role in ("agent", "staff"):
        give_password(firm, role)
    owner = firm.client("owner")
    page = owner.get(PAGE, {"kind": "signed_in", "person": str(firm.users["staff"].pk)}).content.decode()
    table = page.partition("<tbody>")[2].partition("</tbody>")[0]
    assert firm.users["staff"].email in table
    assert firm.users["agent"].email not in table
    monkeypatch.setattr("asat_site.accounts.views_people.EVENTS_PER_PAGE", 2)
    first, second = newest(firm, 2)
    page = owner.get(PAGE).content.decode()
    assert f"before={second.pk}" in page
    older = owner.get(PAGE, {"before": str(second.pk)}).content.decode()
    assert older.count("<tr data-row>") == 2
    assert first.pk > second.pk


@pytest.mark.parametrize("query", ["kind=x", "person=x", "before=x", "before=99999999999999999999", "kind=%00"])
def test_a_filter_that_is_none_shows_everything(firm: KnownPractice, query: str) -> None:
    assert firm.client("owner").get(f"{PAGE}?{query}").status_code == 200


# The rows stay.


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts_accountevent SET kind = 'signed_out'",
        "DELETE FROM accounts_accountevent",
        "TRUNCATE accounts_accountevent",
    ],
)
def test_no_row_is_changed_or_deleted_even_by_the_owner_of_the_tables(firm: KnownPractice, statement: str) -> None:
    before = [event.pk for event in newest(firm, 100)]
    for alias, refusal in (("default", "permission denied"), ("owner", "cannot be changed")):
        refused = pytest.raises(DatabaseError, match=refusal)
        with in_practice(firm.practice, using=alias), refused, connections[alias].cursor() as cursor:
            cursor.execute(statement)
    assert [event.pk for event in newest(firm, 100)] == before


def test_no_event_is_written_into_another_practice(firm: KnownPractice, other_practice: KnownPractice) -> None:
    refusal = pytest.raises(ProgrammingError, match="row-level security")
    with in_practice(firm.practice), refusal, connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO accounts_accountevent (practice_id, kind, at, detail, user_agent)"
            " VALUES (%s, 'signed_in', now(), '', '')",
            [other_practice.id],
        )


def test_the_platforms_administrators_see_their_own(platform: KnownPractice, firm: KnownPractice) -> None:
    give_password(platform, "owner")
    page = platform.client("owner").get(PAGE).content.decode()
    assert "Signed in" in page
    assert "admin@platform.example" in page
    assert not any(user.email in page for user in firm.users.values())


def test_an_owner_sees_nothing_of_another_practice(firm: KnownPractice, other_practice: KnownPractice) -> None:
    give_password(firm, "staff")
    page = other_practice.client("owner").get(PAGE).content.decode()
    assert not any(user.email in page for user in firm.users.values())
