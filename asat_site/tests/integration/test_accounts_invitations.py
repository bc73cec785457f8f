"""Links that let somebody join or choose a new password: good once, for a while, in one practice, and in no log."""

from __future__ import annotations

import logging
import logging.config
import re
from collections.abc import Iterator
from datetime import timedelta
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.db import DatabaseError, ProgrammingError, connection
from django.test import Client
from django.utils import timezone

from asat_site.accounts import invitations, tokens
from asat_site.accounts.models import AccountEvent, Invitation, OpenSession, User
from asat_site.accounts.tasks import MailNotTaken, send_invitation
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice
from asat_site.testing.practices import PASSWORD, KnownPractice, make_throwaway
from asat_site.testing.second_factor import code, forget_attempts, give_factor, give_password, is_in, take_factor
from asat_site.testing.servers import Services

pytestmark = pytest.mark.security

NEW_PASSWORD = "seven quiet harbour pilots"
GONE = "This link no longer works"
JOINING = {"first_name": "Nell", "last_name": "Marsh", "new_password": NEW_PASSWORD, "repeated": NEW_PASSWORD}


@pytest.fixture(scope="module")
def firm(services: Services, django_db_blocker: Any) -> KnownPractice:
    with django_db_blocker.unblock():
        return make_throwaway("Inviting")


@pytest.fixture(autouse=True)
def as_before(firm: KnownPractice) -> Iterator[None]:
    """No link is open, nobody waits."""
    yield
    forget_attempts()
    with in_practice(firm.practice):
        invitations.open_ones().update(revoked_at=timezone.now())


def invite(known: KnownPractice, email: str, role: str = "staff") -> str:
    """The path of the link that the owner is shown."""
    response = known.client("owner").post("/settings/people/", {"email": email, "role": role, "password": PASSWORD})
    found = re.search(r"<code class=\"mono\">http://[^/]+(/invitation/[\w-]{43}/)</code>", response.content.decode())
    assert found is not None, response.status_code
    return found[1]


def follow(known: KnownPractice, link: str) -> tuple[Client, str]:
    """A stranger's browser that followed the link, and the page it is shown."""
    browser = known.client(None)
    return browser, browser.get(link, follow=True).content.decode()


def a_week() -> dict[str, Any]:
    made_at = timezone.now()
    return {"made_at": made_at, "expires_at": made_at + timedelta(days=7)}


def last_event(known: KnownPractice) -> AccountEvent:
    with in_practice(known.practice):
        return AccountEvent.objects.select_related("by", "about").order_by("-id")[0]


def test_who_is_invited_joins_with_a_password_of_their_own_and_is_in(firm: KnownPractice) -> None:
    link = invite(firm, "Nell@marsh.example", "agent")
    event = last_event(firm)
    assert (event.kind, event.by_id, event.detail) == (
        "invited",
        firm.users["owner"].pk,
        "nell@marsh.example as Tax agent",
    )
    browser, page = follow(firm, link)
    assert f"Join {firm.practice.name}" in page
    assert "nell@marsh.example" in page
    response = browser.post("/invitation/", JOINING)
    assert (response.status_code, response["Location"]) == (302, "/")
    assert is_in(browser)
    with in_practice(firm.practice):
        made = User.objects.get(email="nell@marsh.example")
        assert (made.role, made.get_full_name(), made.is_staff, made.is_superuser) == (
            "agent",
            "Nell Marsh",
            False,
            False,
        )
        kinds = list(AccountEvent.objects.filter(by=made).order_by("id").values_list("kind", flat=True))
    assert kinds == ["invitation_accepted", "signed_in"]
    again = firm.client(None)
    again.post("/sign-in/", {"username": "nell@marsh.example", "password": NEW_PASSWORD})
    assert is_in(again)


def test_the_link_itself_is_kept_nowhere(firm: KnownPractice) -> None:
    token = invite(firm, "kept@x.example").split("/")[2]
    with in_practice(firm.practice):
        found = Invitation.objects.get(email="kept@x.example")
        assert found.digest == invitations.digest_of(token)
        for table in ("accounts_invitation", "accounts_accountevent", "django_session"):
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text LIKE %s", [f"%{token}%"])
                assert cursor.fetchone() == (0,), table
    assert token not in firm.client("owner").get("/settings/people/").content.decode()


def test_a_link_works_once(firm: KnownPractice) -> None:
    link = invite(firm, "once@x.example")
    first, _ = follow(firm, link)
    second, page = follow(firm, link)
    assert "Join" in page  # both have the form before them
    assert first.post("/invitation/", JOINING).status_code == 302
    assert GONE in second.post("/invitation/", JOINING).content.decode()
    assert not is_in(second)
    assert GONE in follow(firm, link)[1]
    with in_practice(firm.practice):
        assert User.objects.filter(email="once@x.example").count() == 1


def test_a_revoked_and_an_expired_link_let_nobody_in(firm: KnownPractice) -> None:
    revoked, expired = invite(firm, "revoked@x.example"), invite(firm, "expired@x.example")
    held, _ = follow(firm, revoked)
    with in_practice(firm.practice):
        one = Invitation.objects.get(email="revoked@x.example")
        other = Invitation.objects.get(email="expired@x.example")
    address = f"/settings/people/invitations/{one.pk}/revoke/"
    assert firm.client("owner").post(address).status_code == 302
    assert firm.client("owner").post(address).status_code == 404
    assert last_event(firm).kind == "invitation_revoked"
    assert GONE in follow(firm, revoked)[1]
    assert GONE in held.post("/invitation/", JOINING).content.decode()
    with in_practice(firm.practice):
        soon = {"digest": other.digest, "email": other.email, "role": "staff", "purpose": "join"}
        invitations.open_ones().update(revoked_at=timezone.now())
        Invitation.objects.filter(pk=other.pk).update(digest=None)
        made_at = timezone.now() - timedelta(days=7)
        Invitation.objects.create(
            **soon, made_by=firm.users["owner"], made_at=made_at, expires_at=made_at + timedelta(days=7)
        )
    assert GONE in follow(firm, expired)[1]
    with in_practice(firm.practice):
        assert not User.objects.filter(email__in=["revoked@x.example", "expired@x.example"]).exists()


def test_the_database_lets_no_link_live_longer_than_a_week(firm: KnownPractice) -> None:
    now = timezone.now()
    with in_practice(firm.practice), pytest.raises(DatabaseError, match="invitation_expires_in_a_week"):
        Invitation.objects.create(
            purpose="join",
            email="long@x.example",
            role="staff",
            made_by=firm.users["owner"],
            made_at=now,
            expires_at=now + timedelta(days=8),
        )


def test_a_link_of_one_practice_is_nothing_at_another(firm: KnownPractice, other_practice: KnownPractice) -> None:
    link = invite(firm, "theirs@x.example")
    browser, page = follow(other_practice, link)
    assert GONE in page
    assert GONE in browser.post("/invitation/", JOINING).content.decode()
    followed, _ = follow(firm, link)  # the browser that followed it takes it nowhere else
    taken = Client(headers={"host": other_practice.host})
    taken.cookies = followed.cookies
    assert GONE in taken.post("/invitation/", JOINING).content.decode()
    with in_practice(other_practice.practice):
        assert User.objects.count() == 4


@pytest.mark.parametrize(
    "change", ["role = 'owner'", "email = 'me@x.example'", "expires_at = now()", "purpose = 'password'"]
)
def test_the_app_changes_no_link_into_another(firm: KnownPractice, change: str) -> None:
    invite(firm, "fixed@x.example")
    refusal = pytest.raises(ProgrammingError, match="permission denied")
    with in_practice(firm.practice), refusal, connection.cursor() as cursor:
        cursor.execute(f"UPDATE accounts_invitation SET {change}")


@pytest.mark.parametrize(
    ("purpose", "role", "change"),
    [
        ("password", "staff", "user_id = %s"),
        ("password", "staff", "user_id = NULL"),
        ("join", None, "user_id = %s"),  # nobody has joined by it yet
    ],
)
def test_the_app_points_no_link_at_another_user(
    firm: KnownPractice, purpose: str, role: str | None, change: str
) -> None:
    with in_practice(firm.practice):
        row = Invitation.objects.create(
            purpose=purpose, email="fixed@x.example", role="staff", user=firm.users[role] if role else None, **a_week()
        )
    refusal = pytest.raises(ProgrammingError, match="a link stays what it is")
    with in_practice(firm.practice), refusal, connection.cursor() as cursor:
        given = [firm.users["owner"].pk] if "%s" in change else []
        cursor.execute(f"UPDATE accounts_invitation SET {change} WHERE id = %s", [*given, row.pk])


@pytest.mark.parametrize("column", ["accepted_at", "revoked_at"])
@pytest.mark.parametrize("change", ["NULL", "now()"])
def test_the_app_opens_no_link_again(firm: KnownPractice, column: str, change: str) -> None:
    with in_practice(firm.practice):
        row = Invitation.objects.create(
            purpose="join", email="over@x.example", role="staff", **a_week(), **{column: timezone.now()}
        )
    refusal = pytest.raises(ProgrammingError, match="a link stays what it is")
    with in_practice(firm.practice), refusal, connection.cursor() as cursor:
        cursor.execute(f"UPDATE accounts_invitation SET {column} = {change} WHERE id = %s", [row.pk])


def test_who_joins_cannot_choose_a_role_or_an_address(firm: KnownPractice) -> None:
    browser, _ = follow(firm, invite(firm, "meek@x.example", "read_only"))
    forged = {**JOINING, "role": "owner", "email": "owner@x.example", "is_superuser": "1"}
    assert browser.post("/invitation/", forged).status_code == 302
    with in_practice(firm.practice):
        assert User.objects.get(email="meek@x.example").role == "read_only"
    assert browser.get("/settings/people/").status_code == 403


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"new_password": "short", "repeated": "short"}, "too short"),
        ({"new_password": "password1234", "repeated": "password1234"}, "too common"),
        ({"new_password": "rules@x.example", "repeated": "rules@x.example"}, "too similar"),
        ({"repeated": "something else instead"}, "The two are not the same."),
        ({"first_name": ""}, "This field is required."),
    ],
)
def test_the_new_password_is_held_to_the_rules(firm: KnownPractice, given: dict[str, str], says: str) -> None:
    browser, _ = follow(firm, invite(firm, "rules@x.example"))
    response = browser.post("/invitation/", {**JOINING, **given})
    assert response.status_code == 422
    assert says in response.content.decode()
    with in_practice(firm.practice):
        assert not User.objects.filter(email="rules@x.example").exists()


def test_whoever_is_a_user_already_is_not_invited(firm: KnownPractice) -> None:
    given = {"email": firm.users["staff"].email.upper(), "role": "staff"}
    response = firm.client("owner").post("/settings/people/", given)
    assert response.status_code == 422
    assert "There is a user with that address already" in response.content.decode()


def test_an_address_in_another_alphabet_is_not_invited(firm: KnownPractice) -> None:
    """The sign-in would not take it, and it may look like somebody else's."""
    response = firm.client("owner").post("/settings/people/", {"email": "mi\u017fs@x.example", "role": "staff"})
    assert response.status_code == 422
    assert "without accents or letters of other alphabets" in response.content.decode()
    with in_practice(firm.practice):
        assert not Invitation.objects.filter(email__contains="\u017f").exists()


def test_a_second_invitation_ends_the_first(firm: KnownPractice) -> None:
    first = invite(firm, "twice@x.example", "owner")
    second = invite(firm, "twice@x.example", "staff")
    assert GONE in follow(firm, first)[1]
    assert "with the role Staff" in follow(firm, second)[1]


def test_a_link_shown_anew_ends_the_one_before(firm: KnownPractice) -> None:
    first = invite(firm, "anew@x.example")
    held, _ = follow(firm, first)
    with in_practice(firm.practice):
        found = Invitation.objects.get(email="anew@x.example")
    page = (
        firm.client("owner")
        .post(f"/settings/people/invitations/{found.pk}/link/", {"password": PASSWORD})
        .content.decode()
    )
    second = re.search(r"(/invitation/[\w-]{43}/)</code>", page)
    assert second is not None
    event = last_event(firm)
    assert (event.kind, event.by_id, event.detail) == ("link_shown", firm.users["owner"].pk, "anew@x.example")
    assert GONE in follow(firm, first)[1]
    assert GONE in held.post("/invitation/", JOINING).content.decode()  # whoever had the form before them too
    browser, page = follow(firm, second[1])
    assert "Join" in page
    assert browser.post("/invitation/", JOINING).status_code == 302


def test_a_link_shown_between_the_form_and_its_answer_ends_the_one_before(firm: KnownPractice) -> None:
    invite(firm, "between@x.example")
    with in_practice(firm.practice):
        held = Invitation.objects.get(email="between@x.example")
        invitations.link_to(held, "https://smith.example.com")
        with pytest.raises(invitations.InvitationRefused):
            invitations.join(None, held, first_name="Nell", last_name="Marsh", password=NEW_PASSWORD)
        assert not User.objects.filter(email="between@x.example").exists()


def test_following_a_link_gives_the_session_another_key(firm: KnownPractice) -> None:
    browser = firm.client(None)
    with in_practice(firm.practice):
        before = browser.session.session_key  # made, and its cookie given to the browser
    browser.get(invite(firm, "fixation@x.example"))
    assert browser.cookies["asat_session"].value != before
    fixed = firm.client(None)
    fixed.cookies["asat_session"] = str(before)
    assert GONE in fixed.get("/invitation/").content.decode()


def test_who_is_signed_in_takes_no_link_for_somebody_else(firm: KnownPractice) -> None:
    browser = firm.client("staff")
    page = browser.get(invite(firm, "else@x.example"), follow=True).content.decode()
    assert "You are signed in already" in page
    assert browser.post("/invitation/", JOINING)["Location"] == "/"
    with in_practice(firm.practice):
        assert not User.objects.filter(email="else@x.example").exists()


def test_who_joins_a_practice_that_requires_it_is_led_to_the_second_factor(firm: KnownPractice) -> None:
    browser, _ = follow(firm, invite(firm, "led@x.example"))
    with in_practice(firm.practice):
        Practice.objects.filter(pk=firm.id).update(requires_second_factor=True)
    try:
        response = browser.post("/invitation/", JOINING, follow=True)
        assert response.redirect_chain[-1] == ("/account/second-factor/", 302)
        assert "requires a second factor" in response.content.decode()
    finally:
        with in_practice(firm.practice):
            Practice.objects.filter(pk=firm.id).update(requires_second_factor=False)


# A forgotten password.


def password_link(known: KnownPractice, role: str) -> str:
    address = f"/settings/people/{known.users[role].pk}/password-link/"
    response = known.client("owner").post(address, {"password": PASSWORD})
    found = re.search(r"(/invitation/[\w-]{43}/)</code>", response.content.decode())
    assert found is not None
    return found[1]


def test_a_link_for_a_password_changes_it_and_ends_every_session_and_token(firm: KnownPractice) -> None:
    before = give_password(firm, "agent")
    with in_practice(firm.practice):
        _, secret = tokens.make(firm.users["agent"], "workpapers")
    assert is_in(before)
    browser, page = follow(firm, password_link(firm, "agent"))
    assert "Choose a new password" in page
    assert "your access tokens end" in page
    try:
        given = {"new_password": NEW_PASSWORD, "repeated": NEW_PASSWORD}
        assert browser.post("/invitation/", given).status_code == 302
        assert is_in(browser)
        assert not is_in(before)
        assert not is_in(give_password(firm, "agent", PASSWORD))
        with in_practice(firm.practice):
            assert OpenSession.objects.filter(user=firm.users["agent"]).count() == 1
            rows = AccountEvent.objects.filter(about=firm.users["agent"]).order_by("-id")
            assert list(rows.values_list("kind", "by", "detail", "count"))[:5] == [
                ("refused", None, "", None),
                ("signed_in", firm.users["agent"].pk, "", None),
                ("token_revoked", firm.users["agent"].pk, "with the password", 1),
                ("password_changed", firm.users["agent"].pk, "by a link", None),
                ("password_link", firm.users["owner"].pk, "", None),
            ]
            assert tokens.token_of(secret) is None
    finally:
        restore(firm, "agent")


def test_a_link_for_a_password_steps_round_no_second_factor(firm: KnownPractice) -> None:
    key, _ = give_factor(firm, "agent")
    browser, _ = follow(firm, password_link(firm, "agent"))
    try:
        response = browser.post("/invitation/", {"new_password": NEW_PASSWORD, "repeated": NEW_PASSWORD})
        assert response["Location"] == "/sign-in/code/"
        assert not is_in(browser)
        browser.post("/sign-in/code/", {"code": code(key)})
        assert is_in(browser)
    finally:
        restore(firm, "agent")
        take_factor(firm.users["agent"], firm)


def test_a_link_for_a_password_ends_when_its_user_is_deactivated(firm: KnownPractice) -> None:
    link = password_link(firm, "agent")
    held, _ = follow(firm, link)
    owner, agent = firm.client("owner"), firm.users["agent"]
    owner.post(f"/settings/people/{agent.pk}/deactivate/")
    try:
        assert GONE in follow(firm, link)[1]
        assert GONE in held.post("/invitation/", JOINING).content.decode()
        response = owner.post(f"/settings/people/{agent.pk}/password-link/", {"password": PASSWORD})
        assert response.status_code == 302
    finally:
        owner.post(f"/settings/people/{agent.pk}/reactivate/")
    assert GONE in follow(firm, link)[1]


def restore(known: KnownPractice, role: str) -> None:
    user = known.users[role]
    with in_practice(known.practice):
        User.objects.filter(pk=user.pk).update(password=user.password)


# Mail and logs.


@pytest.fixture
def mailed(settings: Any) -> None:
    settings.ASAT_EMAIL_URL = "smtp://mail.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    mail.outbox = []


def test_where_mail_is_set_up_a_worker_makes_the_link_as_it_sends_it(firm: KnownPractice, mailed: None) -> None:
    owner = firm.client("owner")
    response = owner.post("/settings/people/", {"email": "post@x.example", "role": "staff"})
    assert (response.status_code, response["Location"]) == (302, "/settings/people/")
    with in_practice(firm.practice):
        found = Invitation.objects.get(email="post@x.example")
    assert (found.digest, found.sent_at) == (None, None)  # nobody can follow it yet
    send_invitation(str(firm.id), str(found.pk), "https://smith.example.com")
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["post@x.example"], f"Your invitation to AsAt at {firm.practice.name}")
    link = re.search(r"https://smith\.example\.com(/invitation/[\w-]{43}/)\n", str(sent.body))
    assert link is not None
    browser, page = follow(firm, link[1])
    assert "Join" in page
    assert browser.post("/invitation/", JOINING).status_code == 302
    send_invitation(str(firm.id), str(found.pk), "https://smith.example.com")  # a task may come twice
    assert len(mail.outbox) == 1


def test_a_mail_that_is_not_taken_is_tried_again_and_then_given_up(
    firm: KnownPractice, mailed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    again: list[tuple[Any, ...]] = []

    def refused(*_: Any, **__: Any) -> None:
        raise SMTPServerDisconnected("not now")

    firm.client("owner").post("/settings/people/", {"email": "late@x.example", "role": "staff"})
    monkeypatch.setattr("django.core.mail.EmailMessage.send", refused)
    monkeypatch.setattr(send_invitation, "apply_async", lambda given, countdown: again.append((*given, countdown)))
    with in_practice(firm.practice):
        found = Invitation.objects.get(email="late@x.example")
    given = (str(firm.id), str(found.pk), "https://smith.example.com")
    send_invitation(*given)
    send_invitation(*given, 2)
    assert again == [(*given, 1, 15), (*given, 3, 240)]
    with pytest.raises(MailNotTaken) as given_up:
        send_invitation(*given, 3)
    assert given_up.value.__suppress_context__  # the library's own error may name who it was for
    assert "late@x.example" not in str(given_up.value)
    with in_practice(firm.practice):
        assert Invitation.objects.get(pk=found.pk).sent_at is None


def test_a_mail_that_is_late_ends_no_link_that_was_shown_meanwhile(firm: KnownPractice, mailed: None) -> None:
    firm.client("owner").post("/settings/people/", {"email": "shown@x.example", "role": "staff"})
    with in_practice(firm.practice):
        found = Invitation.objects.get(email="shown@x.example")
    page = (
        firm.client("owner")
        .post(f"/settings/people/invitations/{found.pk}/link/", {"password": PASSWORD})
        .content.decode()
    )
    link = re.search(r"(/invitation/[\w-]{43}/)</code>", page)
    assert link is not None
    send_invitation(str(firm.id), str(found.pk), "https://smith.example.com")
    assert mail.outbox == []
    assert "Join" in follow(firm, link[1])[1]


def test_a_worker_of_another_practice_sends_nothing(
    firm: KnownPractice, other_practice: KnownPractice, mailed: None
) -> None:
    firm.client("owner").post("/settings/people/", {"email": "not@x.example", "role": "staff"})
    with in_practice(firm.practice):
        found = Invitation.objects.get(email="not@x.example")
    send_invitation(str(other_practice.id), str(found.pk), "https://smith.example.com")
    assert mail.outbox == []


def test_no_link_password_or_code_is_in_the_log(firm: KnownPractice, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    wired = logging.config.DictConfigurator(settings.LOGGING)
    assert all("links" in handler["filters"] for handler in settings.LOGGING["handlers"].values())
    caplog.handler.addFilter(wired.configure_filter(settings.LOGGING["filters"]["links"]))
    link = invite(firm, "quiet@x.example")
    wrong = f"/invitation/{'x' * 43}/"
    browser, _ = follow(firm, link)
    browser.get(wrong)
    browser.get(f"{link}nowhere")  # a 404, which is logged with its address
    browser.post("/invitation/", {**JOINING, "repeated": "a second wrong one"})
    browser.post("/invitation/", JOINING)
    key, codes = give_factor(firm, "staff")
    try:
        second = give_password(firm, "staff")
        given = code(key)
        second.post("/sign-in/code/", {"code": "12 not a code"})
        second.post("/sign-in/code/", {"code": given})
        said = caplog.text
        assert "/invitation/…" in said
        secrets = [link.split("/")[2], "x" * 43, NEW_PASSWORD, "a second wrong one", PASSWORD, key, given, codes[0]]
        assert [secret for secret in secrets if secret in said] == []
    finally:
        take_factor(firm.users["staff"], firm)
