"""Who works in the practice: changed by its owners alone, and never so that no owner is left."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone

from asat_site.accounts import factors, invitations, people, tokens
from asat_site.accounts.models import AccountEvent, ApiToken, Invitation, User
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice
from asat_site.testing.practices import PASSWORD, ROLES, KnownPractice, make_throwaway
from asat_site.testing.second_factor import code, forget_attempts, give_factor, give_password, is_in, take_factor
from asat_site.testing.servers import Services

pytestmark = pytest.mark.security

PEOPLE = "/settings/people/"
OTHERS = ("agent", "staff", "read_only")


@pytest.fixture(scope="module")
def firm(services: Services, django_db_blocker: Any) -> KnownPractice:
    with django_db_blocker.unblock():
        return make_throwaway("People")


@pytest.fixture(autouse=True)
def as_before(firm: KnownPractice) -> Iterator[None]:
    """Everybody is active, in their own role, and without a token."""
    yield
    forget_attempts()
    with in_practice(firm.practice):
        for role, user in firm.users.items():
            User.objects.filter(pk=user.pk).update(role=role, is_active=True)
        ApiToken.objects.all().delete()


def about(known: KnownPractice, role: str) -> str:
    return f"{PEOPLE}{known.users[role].pk}/"


def now(known: KnownPractice) -> dict[str, tuple[str, bool]]:
    """(role, is active) of each user by the role that they were made with."""
    with in_practice(known.practice):
        found = {user.pk: (user.role, user.is_active) for user in User.objects.all()}
    return {role: found[user.pk] for role, user in known.users.items()}


def shown(response: Any) -> str:
    """The path of the link that the page shows."""
    found = re.search(r"(/invitation/[\w-]{43}/)</code>", response.content.decode())
    assert found is not None, response.status_code
    return found[1]


def a_week() -> dict[str, Any]:
    made_at = timezone.now()
    return {"made_at": made_at, "expires_at": made_at + timedelta(days=7)}


AS_MADE = {role: (role, True) for role in ROLES}


@pytest.mark.parametrize("role", OTHERS)
def test_whoever_is_no_owner_changes_nothing_whatever_they_send(firm: KnownPractice, role: str) -> None:
    with in_practice(firm.practice):
        open_one = Invitation.objects.create(
            purpose="join", email=f"{role}@x.example", role="staff", made_by=firm.users["owner"], **a_week()
        )
        before = AccountEvent.objects.count()
    sent = {
        PEOPLE: {"email": "mine@x.example", "role": "owner"},
        f"{PEOPLE}require-second-factor/": {"required": "1"},
        f"{PEOPLE}invitations/{open_one.pk}/revoke/": {},
        f"{PEOPLE}invitations/{open_one.pk}/link/": {},
        "/settings/events/export/": {},
    }
    for target in ROLES:
        here = about(firm, target)
        sent |= {
            f"{here}role/": {"role": "owner"},
            f"{here}deactivate/": {},
            f"{here}reactivate/": {},
            f"{here}password-link/": {},
            f"{here}take-factor-away/": {},
        }
    browser = firm.client(role)
    for address, given in sent.items():
        assert browser.post(address, given).status_code == 403, address
    for address in (PEOPLE, "/settings/events/"):
        assert browser.get(address).status_code == 403
    assert now(firm) == AS_MADE
    with in_practice(firm.practice):
        assert AccountEvent.objects.count() == before
        assert Invitation.objects.filter(email="mine@x.example").count() == 0
        assert Invitation.objects.get(pk=open_one.pk).revoked_at is None


def test_an_owner_of_one_practice_changes_nobody_at_another(firm: KnownPractice, other_practice: KnownPractice) -> None:
    browser = other_practice.client("owner")
    for address in ("role/", "deactivate/", "password-link/", "take-factor-away/"):
        assert browser.post(about(firm, "staff") + address, {"role": "owner"}).status_code == 404
    assert now(firm) == AS_MADE


def test_another_role_holds_from_the_next_request_on(firm: KnownPractice) -> None:
    browser = firm.client("staff")
    assert browser.get(PEOPLE).status_code == 403
    response = firm.client("owner").post(
        about(firm, "staff") + "role/", {"role": "owner", "password": PASSWORD}, follow=True
    )
    assert "has the role “Owner” now" in response.content.decode()
    assert browser.get(PEOPLE).status_code == 200
    with in_practice(firm.practice):
        event = AccountEvent.objects.order_by("-id")[0]
    assert (event.kind, event.detail) == ("role_changed", "Owner")
    assert (event.by_id, event.about_id) == (firm.users["owner"].pk, firm.users["staff"].pk)


@pytest.mark.parametrize("role", ["", "root", "OWNER"])
def test_a_role_that_is_none_changes_nothing(firm: KnownPractice, role: str) -> None:
    firm.client("owner").post(about(firm, "staff") + "role/", {"role": role})
    assert now(firm) == AS_MADE
    assert firm.client("owner").post(f"{PEOPLE}{uuid4()}/role/", {"role": "staff"}).status_code == 404


def test_the_last_active_owner_stays_one(firm: KnownPractice) -> None:
    browser = firm.client("owner")
    for address in ("role/", "deactivate/"):
        response = browser.post(about(firm, "owner") + address, {"role": "staff"}, follow=True)
        assert people.LAST_OWNER in response.content.decode()
    assert now(firm) == AS_MADE
    browser.post(about(firm, "agent") + "role/", {"role": "owner", "password": PASSWORD})
    browser.post(about(firm, "agent") + "deactivate/")
    browser.post(about(firm, "owner") + "role/", {"role": "staff"})  # an owner who is not active is none
    assert now(firm)["owner"] == ("owner", True)
    browser.post(about(firm, "agent") + "reactivate/", {"password": PASSWORD})
    browser.post(about(firm, "owner") + "role/", {"role": "staff"})
    assert now(firm)["owner"] == ("staff", True)
    assert browser.get(PEOPLE).status_code == 403


def test_two_owners_who_demote_each_other_at_once_leave_one(firm: KnownPractice) -> None:
    with in_practice(firm.practice):
        User.objects.filter(pk=firm.users["agent"].pk).update(role="owner")

    both_are_there = threading.Barrier(2)

    def demote(by: str, whom: str) -> None:
        request: Any = RequestFactory().post("/")
        request.user = firm.users[by]
        try:
            with in_practice(firm.practice):
                both_are_there.wait(20)
                people.change_role(request, firm.users[whom], "staff")
        except people.PeopleRefused:
            pass
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(demote, ("owner", "agent"), ("agent", "owner")))
    owners = [role for role, (found, _) in now(firm).items() if found == "owner"]
    assert len(owners) == 1


def test_who_is_deactivated_is_out_at_once_with_every_token(firm: KnownPractice) -> None:
    browser = give_password(firm, "staff")
    with in_practice(firm.practice):
        _, secret = tokens.make(firm.users["staff"], "workpapers")
    program = Client(headers={"host": firm.host, "authorization": f"Bearer {secret}"})
    assert is_in(browser)
    assert program.get("/api/v1/status/").status_code == 200
    owner = firm.client("owner")
    owner.post(about(firm, "staff") + "deactivate/")
    assert not is_in(browser)
    assert program.get("/api/v1/status/").status_code == 401
    assert not is_in(give_password(firm, "staff"))
    owner.post(about(firm, "staff") + "reactivate/")
    assert not is_in(browser)  # what was ended stays ended
    assert program.get("/api/v1/status/").status_code == 401
    assert is_in(give_password(firm, "staff"))
    with in_practice(firm.practice):
        rows = AccountEvent.objects.filter(about=firm.users["staff"]).order_by("-id")
        assert list(rows.values_list("kind", flat=True))[:4] == ["signed_in", "reactivated", "refused", "deactivated"]


@pytest.mark.parametrize("change", ["role", "deactivate"])
def test_who_is_no_owner_any_more_has_no_link_out(firm: KnownPractice, change: str) -> None:
    """Else an owner who was sent away would come back as somebody they invited meanwhile."""
    with in_practice(firm.practice):
        User.objects.filter(pk=firm.users["agent"].pk).update(role="owner")
    leaving, staying = firm.client("agent"), firm.client("owner")
    theirs = shown(leaving.post(PEOPLE, {"email": f"mine-{change}@x.example", "role": "staff"}))
    held = firm.client(None)
    assert "Join" in held.get(theirs, follow=True).content.decode()
    ours = shown(staying.post(PEOPLE, {"email": f"ours-{change}@x.example", "role": "staff"}))
    staying.post(about(firm, "agent") + f"{change}/", {"role": "staff"})
    if change == "deactivate":
        staying.post(about(firm, "agent") + "reactivate/", {"password": PASSWORD})
    staying.post(about(firm, "agent") + "role/", {"role": "owner", "password": PASSWORD})  # it stays ended
    assert now(firm)["agent"] == ("owner", True)
    for browser, link in ((held, "/invitation/"), (firm.client(None), theirs)):
        assert "This link no longer works" in browser.get(link, follow=True).content.decode()
    assert "Join" in firm.client(None).get(ours, follow=True).content.decode()


@pytest.mark.parametrize("change", [{"role": "staff"}, {"is_active": False}])
def test_a_link_is_open_while_who_made_it_is_an_owner(firm: KnownPractice, change: dict[str, Any]) -> None:
    with in_practice(firm.practice):
        made = Invitation.objects.create(
            purpose="join", email="wall@x.example", role="staff", made_by=firm.users["owner"], **a_week()
        )
        assert invitations.open_ones().filter(pk=made.pk).exists()
        User.objects.filter(pk=firm.users["owner"].pk).update(**change)
        assert not invitations.open_ones().filter(pk=made.pk).exists()


def test_an_owner_takes_a_lost_factor_away(firm: KnownPractice) -> None:
    give_factor(firm, "agent")
    assert not is_in(give_password(firm, "agent"))
    firm.client("owner").post(about(firm, "agent") + "take-factor-away/", {"password": PASSWORD})
    assert is_in(give_password(firm, "agent"))
    with in_practice(firm.practice):
        event = AccountEvent.objects.filter(kind="factor_removed").order_by("-id")[0]
    assert (event.by_id, event.about_id) == (firm.users["owner"].pk, firm.users["agent"].pk)


# The password again.


def acts(known: KnownPractice) -> dict[str, dict[str, str]]:
    """Everything that lets somebody in, or in with less: what is sent, by its address."""
    with in_practice(known.practice):
        User.objects.filter(pk=known.users["staff"].pk).update(role="owner", is_active=False)
        Practice.objects.filter(pk=known.id).update(requires_second_factor=True)
        made = Invitation.objects.create(
            purpose="join", email="acts@x.example", role="staff", made_by=known.users["owner"], **a_week()
        )
    return {
        PEOPLE: {"email": "partner@x.example", "role": "owner"},
        about(known, "agent") + "role/": {"role": "owner"},
        about(known, "staff") + "reactivate/": {},
        about(known, "agent") + "password-link/": {},
        about(known, "agent") + "take-factor-away/": {},
        f"{PEOPLE}invitations/{made.pk}/link/": {},
        f"{PEOPLE}require-second-factor/": {"required": "0"},
    }


@pytest.fixture
def two_factors(firm: KnownPractice) -> Iterator[str]:
    """The owner's key; the agent has a second factor too."""
    give_factor(firm, "agent")
    yield give_factor(firm, "owner")[0]
    for role in ("agent", "owner"):
        take_factor(firm.users[role], firm)
    with in_practice(firm.practice):
        Practice.objects.filter(pk=firm.id).update(requires_second_factor=False)


def test_a_session_left_open_lets_nobody_in_anew(firm: KnownPractice, two_factors: str) -> None:
    browser = firm.client("owner")
    for address, given in acts(firm).items():
        page = browser.post(address, given)
        assert (page.status_code, "Your password again" in page.content.decode()) == (200, True), address
        for name, value in given.items():
            assert f'<input type="hidden" name="{name}" value="{value}">' in page.content.decode()
        for wrong in ({"password": "wrong guess", "code": code(two_factors)}, {"password": PASSWORD}):
            assert browser.post(address, {**given, **wrong}).status_code == 422, address
        forget_attempts()
    assert browser.post(PEOPLE, {"email": "x@x.example", "role": "owner", "password": PASSWORD, "code": "000000"})
    with in_practice(firm.practice):
        assert Invitation.objects.filter(email__in=["partner@x.example", "x@x.example"]).count() == 0
        assert Invitation.objects.get(email="acts@x.example").digest is None
        assert factors.has_factor(firm.users["agent"])
        assert Practice.objects.get(pk=firm.id).requires_second_factor
        last = AccountEvent.objects.order_by("-id")[0]
    assert (last.kind, last.about_id) == ("factor_refused", firm.users["owner"].pk)
    assert (now(firm)["agent"], now(firm)["staff"]) == (("agent", True), ("owner", False))


def test_the_password_and_a_code_do_what_was_asked(firm: KnownPractice, two_factors: str) -> None:
    given = {"email": "partner@y.example", "role": "owner", "password": PASSWORD, "code": code(two_factors)}
    firm.client("owner").post(PEOPLE, given)
    with in_practice(firm.practice):
        assert Invitation.objects.get(email="partner@y.example").role == "owner"
        Invitation.objects.filter(email="partner@y.example").update(revoked_at=timezone.now())
    assert firm.client("owner").post(PEOPLE, given).status_code == 422  # a code works once here too


def test_whoever_is_no_owner_comes_without_a_password(firm: KnownPractice) -> None:
    for role in OTHERS:
        link = shown(firm.client("owner").post(PEOPLE, {"email": f"plain-{role}@x.example", "role": role}))
        assert "Join" in firm.client(None).get(link, follow=True).content.decode()


@pytest.mark.parametrize("act", ["password-link/", "take-factor-away/"])
def test_an_owner_does_neither_to_themselves(firm: KnownPractice, act: str) -> None:
    response = firm.client("owner").post(about(firm, "owner") + act, {"password": PASSWORD}, follow=True)
    assert "under Your account." in response.content.decode()
    with in_practice(firm.practice):
        assert not Invitation.objects.filter(user=firm.users["owner"], revoked_at=None, made_by__isnull=False).exists()


def test_an_owner_is_shown_no_link_to_their_own_password(firm: KnownPractice) -> None:
    with in_practice(firm.practice):
        owner = firm.users["owner"]
        made = Invitation.objects.create(purpose="password", email=owner.email, role="owner", user=owner, **a_week())
    address = f"{PEOPLE}invitations/{made.pk}/link/"
    response = firm.client("owner").post(address, {"password": PASSWORD}, follow=True)
    assert "under Your account." in response.content.decode()
    with in_practice(firm.practice):
        assert Invitation.objects.get(pk=made.pk).digest is None


def test_the_page_says_who_is_there_and_nobody_of_another_practice(
    firm: KnownPractice, other_practice: KnownPractice
) -> None:
    page = firm.client("owner").get(PEOPLE).content.decode()
    assert all(user.email in page for user in firm.users.values())
    assert not any(user.email in page for user in other_practice.users.values())


# For whoever looks after the server.


def run(*arguments: str) -> str:
    said = io.StringIO()
    call_command("account", *arguments, stdout=said)
    return said.getvalue()


def test_the_server_lets_an_only_owner_in_again(firm: KnownPractice) -> None:
    email = firm.users["owner"].email
    give_factor(firm, "owner")
    assert not is_in(give_password(firm, "owner"))
    assert run("take-factor-away", firm.host, email.upper()).startswith("Taken away.")
    assert is_in(give_password(firm, "owner"))
    link = run("password-link", f"{firm.host}:8000", email, "--http").splitlines()[0]
    assert link.startswith(f"http://{firm.host}:8000/invitation/")
    page = firm.client(None).get(link.partition(":8000")[2], follow=True).content.decode()
    assert "Choose a new password" in page
    with in_practice(firm.practice):
        rows = AccountEvent.objects.filter(detail="on the server").order_by("id")
        assert list(rows.values_list("kind", "by", "about")) == [
            ("factor_removed", None, firm.users["owner"].pk),
            ("password_link", None, firm.users["owner"].pk),
        ]


def test_the_server_lets_an_administrator_of_the_platform_in_again(platform: KnownPractice) -> None:
    link = run("password-link", platform.host, platform.users["owner"].email, "--http").splitlines()[0]
    browser = platform.client(None)
    page = browser.get(link.partition(platform.host)[2], follow=True).content.decode()
    assert "Choose a new password" in page
    given = {"new_password": "seven quiet harbour pilots", "repeated": "seven quiet harbour pilots"}
    try:
        assert browser.post("/invitation/", given).status_code == 302
        assert is_in(browser)
    finally:
        with in_practice(platform.practice):
            user = platform.users["owner"]
            User.objects.filter(pk=user.pk).update(password=user.password)


def test_the_server_requires_a_factor_of_the_platforms_administrators(platform: KnownPractice) -> None:
    assert "is required at" in run("require-second-factor", platform.host)
    try:
        response = platform.client("owner").get("/admin/")
        assert (response.status_code, response["Location"]) == (302, "/account/second-factor/")
        with pytest.raises(CommandError, match="so already"):
            run("require-second-factor", platform.host)
    finally:
        run("require-second-factor", platform.host, "--off")
    assert platform.client("owner").get("/admin/").status_code == 200
    with in_practice(platform.practice):
        rows = AccountEvent.objects.filter(kind="requirement_changed").order_by("id")
        said = list(rows.values_list("by", "detail"))
    assert said == [(None, "required, on the server"), (None, "not required, on the server")]


def test_the_command_says_what_it_cannot_do(firm: KnownPractice, other_practice: KnownPractice) -> None:
    email = firm.users["agent"].email
    for host, whom, says in (
        ("nobody.localhost", email, "There is no practice at"),
        (other_practice.host, email, "Nobody at"),
        (firm.host, email, "has no second factor"),
    ):
        with pytest.raises(CommandError, match=says):
            run("take-factor-away", host, whom)
