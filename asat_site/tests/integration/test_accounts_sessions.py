"""One's own account: where one is signed in, ended one by one or all at once; and a password changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.utils import timezone

from asat_site.accounts import open_sessions
from asat_site.accounts.models import AccountEvent, OpenSession, User
from asat_site.housekeeping import clear_sessions
from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import PASSWORD, KnownPractice, make_throwaway
from asat_site.testing.second_factor import forget_attempts, give_password, is_in
from asat_site.testing.servers import Services

pytestmark = pytest.mark.security

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
NEW_PASSWORD = "seven quiet harbour pilots"


@pytest.fixture(scope="module")
def firm(services: Services, django_db_blocker: Any) -> KnownPractice:
    with django_db_blocker.unblock():
        return make_throwaway("Sessions")


@pytest.fixture(autouse=True)
def as_before(firm: KnownPractice) -> Iterator[None]:
    """Nobody is signed in, and every password is the one that is known."""
    yield
    forget_attempts()
    with in_practice(firm.practice):
        for user in firm.users.values():
            open_sessions.end_all(user)
            User.objects.filter(pk=user.pk).update(password=user.password)


def rows(known: KnownPractice, role: str) -> list[OpenSession]:
    with in_practice(known.practice):
        return list(OpenSession.objects.filter(user=known.users[role]).order_by("id"))


def test_a_session_is_listed_with_its_browser_and_address(firm: KnownPractice) -> None:
    browser = Client(headers={"host": firm.host, "user-agent": FIREFOX})
    browser.post("/sign-in/", {"username": firm.users["staff"].email, "password": PASSWORD}, REMOTE_ADDR="203.0.113.9")
    page = browser.get("/account/").content.decode()
    assert "Firefox on Windows" in page
    assert "203.0.113.9" in page
    assert "this one" in page
    (row,) = rows(firm, "staff")
    assert (row.practice_id, row.ip, row.user_agent) == (firm.id, "203.0.113.9", FIREFOX)


@pytest.mark.parametrize(
    ("user_agent", "wanted"),
    [
        (FIREFOX, "Firefox on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari on an iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Linux"),
        ("python-httpx/0.28.1", "python-httpx"),
        ("", "An unnamed program"),
    ],
)
def test_a_browser_is_named_as_far_as_it_says_what_it_is(user_agent: str, wanted: str) -> None:
    assert open_sessions.browser_of(user_agent) == wanted


def test_a_session_that_is_ended_is_out_with_its_next_request(firm: KnownPractice) -> None:
    lost, here = give_password(firm, "staff"), give_password(firm, "staff")
    assert is_in(lost) and is_in(here)
    first, second = rows(firm, "staff")
    assert here.post(f"/account/sessions/{first.pk}/end/").status_code == 302
    assert not is_in(lost)
    assert is_in(here)
    assert [row.pk for row in rows(firm, "staff")] == [second.pk]
    with in_practice(firm.practice):
        assert AccountEvent.objects.order_by("-id")[0].kind == "session_ended"
        assert Session.objects.filter(session_key=first.session_key).count() == 0
    assert here.post(f"/account/sessions/{first.pk}/end/").status_code == 404


def test_all_others_end_and_this_one_goes_on(firm: KnownPractice) -> None:
    others = [give_password(firm, "staff") for _ in range(3)]
    here, colleague = give_password(firm, "staff"), give_password(firm, "agent")
    response = here.post("/account/sessions/end-others/", follow=True)
    assert "3 other sessions are ended." in response.content.decode()
    assert [is_in(other) for other in others] == [False] * 3
    assert is_in(here) and is_in(colleague)


def test_nobody_ends_a_session_of_somebody_else(firm: KnownPractice, other_practice: KnownPractice) -> None:
    browser = give_password(firm, "staff")
    (row,) = rows(firm, "staff")
    for stranger in (firm.client("owner"), firm.client("agent"), other_practice.client("owner")):
        assert stranger.post(f"/account/sessions/{row.pk}/end/").status_code == 404
    assert firm.client("agent").post(f"/account/sessions/{2**63}/end/").status_code == 404
    assert is_in(browser)


def test_a_session_ends_in_time_however_busy_it_is(firm: KnownPractice) -> None:
    browser = give_password(firm, "staff")
    assert is_in(browser)
    with in_practice(firm.practice):
        begun = timezone.now() - timedelta(seconds=settings.SESSION_COOKIE_AGE + 1)
        OpenSession.objects.filter(user=firm.users["staff"]).update(started_at=begun)
    assert not is_in(browser)
    assert not is_in(browser)


def test_use_is_noted_to_the_minute(firm: KnownPractice) -> None:
    browser = give_password(firm, "staff")
    (first,) = rows(firm, "staff")
    browser.get("/account/")
    assert rows(firm, "staff")[0].seen_at == first.seen_at
    with in_practice(firm.practice):
        OpenSession.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    browser.get("/account/")
    assert rows(firm, "staff")[0].seen_at > first.seen_at


def test_signing_out_takes_the_session_off_the_list(firm: KnownPractice) -> None:
    browser = give_password(firm, "staff")
    browser.post("/sign-out/")
    assert not is_in(browser)
    with in_practice(firm.practice):
        assert open_sessions.places_of(firm.users["staff"], None) == []
        assert AccountEvent.objects.order_by("-id")[0].kind == "signed_out"
    clear_sessions()
    assert rows(firm, "staff") == []


def test_a_changed_password_ends_every_other_session(firm: KnownPractice) -> None:
    other, here = give_password(firm, "agent"), give_password(firm, "agent")
    given = {"password": PASSWORD, "new_password": NEW_PASSWORD, "repeated": NEW_PASSWORD}
    response = here.post("/account/password/", given, follow=True)
    assert "One other session is ended." in response.content.decode()
    assert is_in(here)
    assert not is_in(other)
    assert not is_in(give_password(firm, "agent", PASSWORD))
    assert is_in(give_password(firm, "agent", NEW_PASSWORD))
    assert len([row for row in rows(firm, "agent") if row.session_key == here.session.session_key]) == 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"password": "wrong guess"}, "That is not your password."),
        ({"new_password": "short", "repeated": "short"}, "too short"),
        ({"repeated": "another one again"}, "The two are not the same."),
    ],
)
def test_a_password_that_is_not_changed_says_why(firm: KnownPractice, given: dict[str, str], says: str) -> None:
    browser = give_password(firm, "agent")
    whole = {"password": PASSWORD, "new_password": NEW_PASSWORD, "repeated": NEW_PASSWORD, **given}
    response = browser.post("/account/password/", whole)
    assert response.status_code == 422
    assert says in response.content.decode()
    assert not any(typed in response.content.decode() for typed in (PASSWORD, NEW_PASSWORD))
    with in_practice(firm.practice):
        assert User.objects.get(pk=firm.users["agent"].pk).password == firm.users["agent"].password


def test_a_cookie_from_before_the_sign_in_is_worth_nothing_after_it(firm: KnownPractice) -> None:
    browser = firm.client(None)
    with in_practice(firm.practice):
        session = browser.session  # made, and its cookie given to the browser
    browser.post("/sign-in/", {"username": firm.users["staff"].email, "password": PASSWORD})
    assert browser.cookies[settings.SESSION_COOKIE_NAME].value != session.session_key
    fixed = firm.client(None)
    fixed.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    assert not is_in(fixed)


def test_no_list_of_sessions_crosses_to_another_practice(firm: KnownPractice, other_practice: KnownPractice) -> None:
    give_password(firm, "staff")
    with in_practice(other_practice.practice), connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {firm.practice.schema_name}.accounts_opensession")
        assert cursor.fetchone() == (0,)
