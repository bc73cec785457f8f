"""The second factor: asked after the password, guessed at in vain, good once, sealed, and required where it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import make_password
from django.core.management import call_command
from django.db import ProgrammingError, connection
from django.test import Client

from asat_site import secrets
from asat_site.accounts import attempts, factors, tokens
from asat_site.accounts.models import AccountEvent, User
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import PLATFORM_ID, Practice
from asat_site.testing.practices import PASSWORD, KnownPractice, make_throwaway
from asat_site.testing.second_factor import code, forget_attempts, give_factor, give_password, is_in, take_factor
from asat_site.testing.servers import Services
from asat_site.tests.integration.test_requests import PRACTICE_URLS

pytestmark = pytest.mark.security

PICTURE = "/account/second-factor/picture.svg"


@pytest.fixture(scope="module")
def firm(services: Services, django_db_blocker: Any) -> KnownPractice:
    with django_db_blocker.unblock():
        return make_throwaway("Factors")


@pytest.fixture(autouse=True)
def as_before(firm: KnownPractice) -> Iterator[None]:
    """Nobody has a factor, nobody waits, and nothing is required."""
    yield
    forget_attempts()
    for user in firm.users.values():
        take_factor(user, firm)
    require(firm, False)


def require(known: KnownPractice, wanted: bool) -> None:
    with in_practice(known.practice):
        Practice.objects.filter(pk=known.id).update(requires_second_factor=wanted)


def give_code(browser: Client, given: str) -> str:
    response = browser.post("/sign-in/code/", {"code": given})
    if response.status_code == 302:
        return "in" if response["Location"] == "/" else response["Location"]
    return "wait" if b"Too many attempts" in response.content else "no"


def kinds(known: KnownPractice, role: str) -> list[str]:
    """The kinds of what was recorded about this user, oldest first."""
    with in_practice(known.practice):
        rows = AccountEvent.objects.filter(about=known.users[role]).order_by("id")
        return list(rows.values_list("kind", flat=True))


# Signing in.


def test_whoever_has_none_signs_in_with_the_password_alone(firm: KnownPractice) -> None:
    assert is_in(give_password(firm, "agent"))
    assert kinds(firm, "agent")[-1:] == ["signed_in"]


def test_the_code_is_asked_after_the_password_and_nothing_opens_before(firm: KnownPractice) -> None:
    key, _ = give_factor(firm, "staff")
    browser = firm.client(None)
    given = {"username": firm.users["staff"].email, "password": PASSWORD, "next": "/audit/"}
    response = browser.post("/sign-in/", given)
    assert (response.status_code, response["Location"]) == (302, "/sign-in/code/")
    assert not is_in(browser)
    assert browser.get("/api/v1/status/").status_code == 401
    response = browser.post("/sign-in/code/", {"code": code(key)})
    assert (response.status_code, response["Location"]) == (302, "/audit/")
    assert is_in(browser)


def test_a_code_may_be_typed_in_two_halves(firm: KnownPractice) -> None:
    key, _ = give_factor(firm, "staff")
    whole = code(key)
    assert give_code(give_password(firm, "staff"), f" {whole[:3]} {whole[3:]} ") == "in"


def test_a_code_works_once(firm: KnownPractice) -> None:
    key, _ = give_factor(firm, "staff")
    once = code(key)
    assert give_code(give_password(firm, "staff"), once) == "in"
    assert give_code(give_password(firm, "staff"), once) == "no"
    assert give_code(give_password(firm, "staff"), code(key, ahead=1)) == "in"


def test_the_code_that_set_it_up_signs_nobody_in(firm: KnownPractice) -> None:
    browser = firm.client("staff")
    browser.get("/account/second-factor/")
    with in_practice(firm.practice):
        key = pending_key(browser, firm.users["staff"])
        first = code(key)
        response = browser.post("/account/second-factor/", {"code": first, "password": PASSWORD})
    assert response.status_code == 200
    assert give_code(give_password(firm, "staff"), first) == "no"


def test_guessing_codes_has_to_wait_and_the_right_one_waits_too(firm: KnownPractice) -> None:
    key, codes = give_factor(firm, "staff")
    right = code(key)
    wrong = next(f"{number:06}" for number in range(100) if f"{number:06}" not in (right, code(key, 1), code(key, -1)))
    browser = give_password(firm, "staff")
    said = [give_code(browser, wrong) for _ in range(attempts.ACCOUNT_LIMIT)]
    assert said == ["no"] * (attempts.ACCOUNT_LIMIT - 1) + ["wait"]
    assert give_code(browser, right) == "/sign-in/"  # the password is asked anew
    assert give_code(give_password(firm, "staff"), right) == "wait"  # a fresh password forgives no guess of a code
    assert give_code(give_password(firm, "staff"), codes[0]) == "wait"
    assert not is_in(browser)
    recorded = kinds(firm, "staff")
    assert recorded[-11:] == ["factor_refused"] * 10 + ["locked_out"]
    assert is_in(give_password(firm, "agent"))  # and nobody else waits


def test_a_recovery_code_works_once_and_is_recorded(firm: KnownPractice) -> None:
    _, codes = give_factor(firm, "agent")
    assert len(set(codes)) == 10
    assert give_code(give_password(firm, "agent"), f"{codes[3][:4]} {codes[3][4:]}") == "in"
    assert kinds(firm, "agent")[-2:] == ["recovery_code_used", "signed_in"]
    assert give_code(give_password(firm, "agent"), codes[3]) == "no"
    assert give_code(give_password(firm, "agent"), codes[4]) == "in"
    with in_practice(firm.practice):
        factor = factors.factor_of(firm.users["agent"])
    assert factor is not None
    assert factor.codes_left == 8


def test_a_password_changed_between_the_two_steps_begins_anew(firm: KnownPractice) -> None:
    key, _ = give_factor(firm, "agent")
    browser = give_password(firm, "agent")
    with in_practice(firm.practice):
        User.objects.filter(pk=firm.users["agent"].pk).update(password=make_password("another one altogether"))
    try:
        assert give_code(browser, code(key)) == "/sign-in/"
        assert not is_in(browser)
    finally:
        with in_practice(firm.practice):
            User.objects.filter(pk=firm.users["agent"].pk).update(password=firm.users["agent"].password)


def test_a_user_deactivated_between_the_two_steps_stays_out(firm: KnownPractice) -> None:
    key, _ = give_factor(firm, "agent")
    browser = give_password(firm, "agent")
    with in_practice(firm.practice):
        User.objects.filter(pk=firm.users["agent"].pk).update(is_active=False)
    try:
        assert give_code(browser, code(key)) == "/sign-in/"
    finally:
        with in_practice(firm.practice):
            User.objects.filter(pk=firm.users["agent"].pk).update(is_active=True)


def test_a_factor_taken_away_between_the_two_steps_begins_anew(firm: KnownPractice) -> None:
    give_factor(firm, "agent")
    browser = give_password(firm, "agent")
    take_factor(firm.users["agent"], firm)
    assert give_code(browser, "000000") == "/sign-in/"
    assert kinds(firm, "agent")[-1] != "factor_refused"
    assert is_in(give_password(firm, "agent"))


def test_a_password_given_at_one_practice_takes_no_code_at_another(
    firm: KnownPractice, other_practice: KnownPractice
) -> None:
    key, _ = give_factor(firm, "staff")
    taken = Client(headers={"host": other_practice.host})
    taken.cookies = give_password(firm, "staff").cookies
    assert give_code(taken, code(key)) == "/sign-in/"
    assert not is_in(taken)


# Setting it up, and taking it away.


def pending_key(browser: Client, user: User) -> str:
    """The key that is being set up in this browser, as its session holds it: sealed."""
    with factors.sealed_for(user):
        return factors.unseal(browser.session[factors.PENDING])


def test_setting_it_up_takes_a_code_and_the_password(firm: KnownPractice) -> None:
    browser = firm.client("read_only")
    page = browser.get("/account/second-factor/").content.decode()
    with in_practice(firm.practice):
        key = pending_key(browser, firm.users["read_only"])
    assert " ".join(key[at : at + 4] for at in range(0, 32, 4)) in page
    for wrong in ({"code": "000000", "password": PASSWORD}, {"code": code(key), "password": "wrong guess"}):
        assert browser.post("/account/second-factor/", wrong).status_code == 422
    response = browser.post("/account/second-factor/", {"code": code(key), "password": PASSWORD})
    shown = re.findall(r"<code class=\"mono\">(\d{4} \d{4})</code>", response.content.decode())
    assert len(shown) == 10
    assert kinds(firm, "read_only")[-2:] == ["refused", "factor_set_up"]
    again = browser.get("/account/second-factor/").content.decode()
    assert not any(each in again for each in shown)
    assert "10 recovery codes left" in again
    assert give_code(give_password(firm, "read_only"), shown[0]) == "in"


def test_setting_it_up_ends_sessions_that_were_begun_without_it(firm: KnownPractice) -> None:
    other, browser = give_password(firm, "agent"), firm.client("agent")
    browser.get("/account/second-factor/")
    with in_practice(firm.practice):
        key = pending_key(browser, firm.users["agent"])
    browser.post("/account/second-factor/", {"code": code(key), "password": PASSWORD})
    assert is_in(browser)
    assert not is_in(other)


def test_the_picture_is_an_image_that_no_browser_keeps(firm: KnownPractice) -> None:
    browser = firm.client("agent")
    assert browser.get(PICTURE).status_code == 404
    browser.get("/account/second-factor/")
    response = browser.get(PICTURE)
    assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
    assert response["Cache-Control"] == "private, no-store"
    assert response.content.startswith(b"<?xml")
    assert firm.client("staff").get(PICTURE).status_code == 404


def test_new_recovery_codes_take_the_password_and_end_the_old(firm: KnownPractice) -> None:
    _, old = give_factor(firm, "staff")
    browser = firm.client("staff")
    assert browser.post("/account/second-factor/codes/", {"password": "wrong guess"}).status_code == 422
    page = browser.post("/account/second-factor/codes/", {"password": PASSWORD}).content.decode()
    new = re.findall(r"<code class=\"mono\">(\d{4} \d{4})</code>", page)
    assert len(new) == 10
    assert kinds(firm, "staff")[-1] == "codes_made"
    assert give_code(give_password(firm, "staff"), old[0]) == "no"
    assert give_code(give_password(firm, "staff"), new[0]) == "in"


def test_it_is_removed_with_the_password_unless_the_practice_requires_it(firm: KnownPractice) -> None:
    give_factor(firm, "staff")
    browser = firm.client("staff")
    require(firm, True)
    browser.post("/account/second-factor/remove/", {"password": PASSWORD})
    with in_practice(firm.practice):
        assert factors.has_factor(firm.users["staff"])
    require(firm, False)
    assert browser.post("/account/second-factor/remove/", {"password": "wrong guess"}).status_code == 422
    assert browser.post("/account/second-factor/remove/", {"password": PASSWORD}).status_code == 302
    with in_practice(firm.practice):
        assert Authenticator.objects.filter(user=firm.users["staff"]).count() == 0
    assert kinds(firm, "staff")[-1] == "factor_removed"


# Required.


def test_who_lacks_a_required_factor_reaches_nothing_but_the_way_to_it(firm: KnownPractice) -> None:
    require(firm, True)
    browser = firm.client("owner")
    open_all_the_same = {"/account/second-factor/", PICTURE, "/sign-out/", "/invitation/", "/invitation/ITAA97/"}
    on_the_way = {"/health/", "/sign-in/", "/sign-in/code/"}
    for method in ("get", "post"):
        for path in sorted(set(PRACTICE_URLS) - open_all_the_same - on_the_way):
            response = getattr(browser, method)(path)
            led = response.status_code == 302 and response["Location"] == "/account/second-factor/"
            assert led or response.status_code in (403, 404), (method, path, response.status_code)
            if response.status_code == 403:
                assert "requires a second factor" in response.content.decode(), path
    assert browser.get("/account/second-factor/").status_code == 200
    response = browser.get("/", headers={"hx-request": "true"})
    assert (response.status_code, response["HX-Redirect"]) == (204, "/account/second-factor/")


def test_setting_it_up_opens_everything(firm: KnownPractice) -> None:
    require(firm, True)
    browser = firm.client("agent")
    browser.get("/account/second-factor/")
    with in_practice(firm.practice):
        key = pending_key(browser, firm.users["agent"])
    assert browser.post("/account/second-factor/", {"code": code(key), "password": PASSWORD}).status_code == 200
    assert browser.get("/").status_code == 200


def test_a_token_of_a_user_without_a_required_factor_is_refused(firm: KnownPractice) -> None:
    with in_practice(firm.practice):
        _, secret = tokens.make(firm.users["agent"], "workpapers")
    program = Client(headers={"host": firm.host, "authorization": f"Bearer {secret}"})
    assert program.get("/api/v1/status/").status_code == 200
    require(firm, True)
    assert program.get("/api/v1/status/").status_code == 401
    give_factor(firm, "agent")
    assert program.get("/api/v1/status/").status_code == 200


def test_a_practice_is_required_of_by_its_own_owners_alone(firm: KnownPractice, other_practice: KnownPractice) -> None:
    address = "/settings/people/require-second-factor/"
    for role in ("agent", "staff", "read_only"):
        assert firm.client(role).post(address, {"required": "1"}).status_code == 403
    assert firm.client("owner").post(address, {"required": "1"}).status_code == 302
    required = dict(Practice.objects.values_list("pk", "requires_second_factor"))
    assert (required[firm.id], required[other_practice.id]) == (True, False)


@pytest.mark.parametrize("wanted", [True, False])
def test_a_new_practice_requires_it_where_the_setting_says_so(services: Services, settings: Any, wanted: bool) -> None:
    settings.ASAT_REQUIRE_SECOND_FACTOR = wanted
    made = make_throwaway("New")
    assert Practice.objects.get(pk=made.id).requires_second_factor is wanted


@pytest.mark.parametrize(
    "change",
    ["requires_second_factor = true WHERE id = %s", "name = 'Mine' WHERE id = %s", "schema_name = 'x' WHERE id = %s"],
)
def test_the_app_changes_nothing_of_another_practices_row(
    firm: KnownPractice, other_practice: KnownPractice, change: str
) -> None:
    refusal = pytest.raises(ProgrammingError, match=r"its own row alone|permission denied")
    with in_practice(firm.practice), refusal, connection.cursor() as cursor:
        cursor.execute(f"UPDATE public.tenancy_practice SET {change}", [other_practice.id])


# What is stored.


def test_no_key_and_no_code_is_readable_in_the_database(firm: KnownPractice) -> None:
    key, codes = give_factor(firm, "staff")
    browser = firm.client("agent")
    browser.get("/account/second-factor/")
    with in_practice(firm.practice):
        pending = pending_key(browser, firm.users["agent"])
        with connection.cursor() as cursor:
            cursor.execute("SELECT data::text FROM mfa_authenticator")
            stored = " ".join(row[0] for row in cursor.fetchall())
        session = json.dumps(dict(browser.session))
    assert not any(secret in stored for secret in (key, *codes))
    assert pending not in session
    assert stored.count('"1.dev.') == 2


def test_what_is_sealed_for_one_user_opens_for_no_other(firm: KnownPractice, other_practice: KnownPractice) -> None:
    give_factor(firm, "staff")
    with in_practice(firm.practice):
        sealed = Authenticator.objects.get(user=firm.users["staff"], type="totp").data["secret"]
        with factors.sealed_for(firm.users["agent"]), pytest.raises(secrets.CannotOpen):
            factors.unseal(sealed)
    with (
        in_practice(other_practice.practice),
        factors.sealed_for(firm.users["staff"]),
        pytest.raises(secrets.CannotOpen),
    ):
        factors.unseal(sealed)


def test_a_factor_copied_to_another_user_lets_nobody_in(firm: KnownPractice) -> None:
    key, _ = give_factor(firm, "staff")
    with in_practice(firm.practice):
        data = Authenticator.objects.get(user=firm.users["staff"], type="totp").data
        Authenticator.objects.create(user=firm.users["owner"], type="totp", data=data)
    browser = give_password(firm, "owner")
    response = browser.post("/sign-in/code/", {"code": code(key)})
    assert "cannot be read any more" in response.content.decode()
    assert not is_in(browser)


def test_no_row_of_another_practice_is_seen_or_written(firm: KnownPractice, other_practice: KnownPractice) -> None:
    give_factor(firm, "staff")
    with in_practice(other_practice.practice), connection.cursor() as cursor:
        for table in ("mfa_authenticator", "account_emailaddress", "accounts_invitation", "accounts_accountevent"):
            cursor.execute(f"SELECT count(*) FROM {firm.practice.schema_name}.{table}")
            assert cursor.fetchone() == (0,), table
    refusal = pytest.raises(ProgrammingError, match="row-level security")
    with in_practice(firm.practice), refusal, connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO mfa_authenticator (user_id, type, data, created_at, practice_id)"
            " VALUES (%s, 'totp', '{}', now(), %s)",
            [firm.users["staff"].pk, other_practice.id],
        )


def test_a_new_key_seals_second_factors_anew(firm: KnownPractice, settings: Any, capsys: Any) -> None:
    key, codes = give_factor(firm, "staff")
    old = settings.ENCRYPTION_KEYS
    settings.ENCRYPTION_KEYS = (("newer", b"n" * 32), *old)
    call_command("secrets", "rotate")
    said = capsys.readouterr().out
    line = next(line for line in said.splitlines() if line.startswith(firm.practice.schema_name))
    assert line.endswith(": 0 under the first key, 2 sealed anew, 0 cannot be opened.")
    assert any(line.startswith("public: ") for line in said.splitlines())
    try:
        settings.ENCRYPTION_KEYS = (("newer", b"n" * 32),)
        with in_practice(firm.practice):
            assert factors.takes(firm.users["staff"], code(key)) == "totp"
            assert factors.takes(firm.users["staff"], codes[0]) == "recovery_codes"
    finally:
        settings.ENCRYPTION_KEYS = (*old, ("newer", b"n" * 32))
        call_command("secrets", "rotate")


def test_the_platforms_administrators_have_one_too(platform: KnownPractice) -> None:
    assert platform.id == UUID(str(PLATFORM_ID))
    try:
        key, _ = give_factor(platform, "owner")
        browser = give_password(platform, "owner")
        assert not is_in(browser)
        assert give_code(browser, code(key)) == "in"
        assert is_in(browser)
        assert browser.get("/account/second-factor/").status_code == 200
    finally:
        take_factor(platform.users["owner"], platform)
