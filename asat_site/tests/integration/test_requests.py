"""Requests: whose practice a host leads to, and what a stranger, a reader and a lapsed session get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
import redis
from django.conf import settings
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import URLPattern, URLResolver, get_resolver

from asat_site import errors
from asat_site.accounts.models import User
from asat_site.middleware import CONTENT_SECURITY_POLICY, PlainOutage, PracticeByHost
from asat_site.tenancy.context import current_practice_id, in_practice, practice_connection
from asat_site.testing.practices import PASSWORD, KnownPractice

pytestmark = pytest.mark.security

OPEN_TO_STRANGERS = {"/sign-in/", "/sign-in/code/", "/health/", "/sign-out/", "/invitation/", "/invitation/ITAA97/"}
OPEN_TO_READERS = {  # what they send there changes nothing
    "/quotes/",
    "/account/tokens/",
    "/account/password/",
    "/account/second-factor/",
    "/api/v1/quote-check/",
}
MISSING_ID = "5f0c7a52-6b8f-4a52-9d0e-3f1f5f9b7c11"
SAMPLES = {"uuid": MISSING_ID, "int": "7", "str": "ITAA97", "path": "s/1-1", "slug": "x", "instrumentcode": "ITAA97"}


def urls_of(urlconf: str) -> list[str]:
    """A concrete path for every pattern of an urlconf."""
    return sorted(set(_walk(get_resolver(urlconf).url_patterns, "/")))


def _walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[str]:
    for pattern in patterns:
        here = prefix + _sample(pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, here)
        else:
            yield here


def _sample(pattern: URLPattern | URLResolver) -> str:
    route = str(pattern.pattern)
    for name, converter in getattr(pattern.pattern, "converters", {}).items():
        kind = type(converter).__name__.removesuffix("Converter").lower().replace("string", "str")
        for spelling in (f"<{kind}:{name}>", f"<{name}>"):
            route = route.replace(spelling, SAMPLES[kind])
    if "(?P<" in route:  # the admin's list of applications, and its catch-all
        route = route.replace("^(?P<app_label>auth|accounts|research)/$", "accounts/")
        route = "accounts/" if "app_label" in route else "nowhere"
    return route


PRACTICE_URLS = urls_of("asat_site.urls")
PLATFORM_URLS = urls_of("asat_site.urls_public")


def is_sign_in(response: Any) -> bool:
    """Whether a stranger is turned away: to the sign-in page, or by the API with a 401, which programs understand."""
    if response.status_code == 401:
        return response["WWW-Authenticate"] == "Bearer" and response.json()["error"] == "You are not signed in"
    return response.status_code == 302 and response["Location"].partition("?next=")[0] == "/sign-in/"


def test_the_walk_covers_the_pages_there_are() -> None:
    assert {"/", "/ask/", "/audit/", "/audit/7/", "/audit/7/replay/", "/status/", "/admin/"} <= set(PRACTICE_URLS)
    assert f"/questions/{MISSING_ID}/stream" in PRACTICE_URLS
    assert "/admin/accounts/user/" in PRACTICE_URLS
    assert "/admin/tenancy/practice/" in PLATFORM_URLS
    assert "/ask/" not in PLATFORM_URLS


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_a_stranger_is_sent_to_sign_in(practice: KnownPractice, method: str) -> None:
    stranger = practice.client(None)
    for path in PRACTICE_URLS:
        response = getattr(stranger, method)(path)
        if path in OPEN_TO_STRANGERS:
            assert response.status_code in (200, 302, 405), path
            assert all(user.email not in response.content.decode() for user in practice.users.values())
        else:
            assert is_sign_in(response), (path, response.status_code, response.get("Location"))


def test_a_stranger_at_the_platform_is_sent_to_sign_in(platform: KnownPractice) -> None:
    stranger = platform.client(None)
    for path in PLATFORM_URLS:
        response = stranger.get(path)
        assert is_sign_in(response) or path in OPEN_TO_STRANGERS, (path, response.status_code)


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_session_of_one_practice_is_nothing_at_the_other(
    practice: KnownPractice, other_practice: KnownPractice, method: str
) -> None:
    taken = Client(headers={"host": other_practice.host})
    for path in PRACTICE_URLS:
        taken.cookies = practice.client("owner").cookies  # anew, for a refused cookie is taken away
        response = getattr(taken, method)(path)
        assert is_sign_in(response) or path in OPEN_TO_STRANGERS, (path, response.status_code)


def test_a_session_of_a_practice_is_nothing_at_the_platform(practice: KnownPractice, platform: KnownPractice) -> None:
    taken = Client(headers={"host": platform.host})
    for path in sorted({*PRACTICE_URLS, *PLATFORM_URLS}):
        taken.cookies = practice.client("owner").cookies
        response = taken.get(path)
        assert is_sign_in(response) or path in OPEN_TO_STRANGERS or response.status_code == 404, path
        assert b"Ashby" not in response.content


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_a_read_only_user_changes_nothing(practice: KnownPractice, method: str) -> None:
    with in_practice(practice.practice):
        before = _everything(practice)
    reader = practice.client("read_only")
    for path in PRACTICE_URLS:
        if path != "/sign-out/":
            response = getattr(reader, method)(path, {"question": "was this deductible?"})
            wanted = (302, 403, 404, 405, *((415, 422) if path in OPEN_TO_READERS else ()))
            assert response.status_code in wanted, (path, response.status_code)
    with in_practice(practice.practice):
        assert _everything(practice) == before


FOR_OWNERS = ("/admin/", "/settings/")


def test_a_reader_may_look_at_every_page_that_is_not_administration(practice: KnownPractice) -> None:
    reader = practice.client("read_only")
    for path in PRACTICE_URLS:
        status = reader.get(path).status_code
        wanted = (403, 404, 405) if path.startswith(FOR_OWNERS) else (200, 302, 404, 405)
        assert status in wanted, (path, status)


def _everything(known: KnownPractice) -> dict[str, int]:
    """How many rows each table holds, the two of sessions aside, for signing in makes one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace"
            " WHERE nspname = %s AND relkind = 'r' AND relname NOT IN ('django_session', 'accounts_opensession')",
            [known.practice.schema_name],
        )
        tables = [row[0] for row in cursor.fetchall()]
        counts = {}
        for table in tables:
            cursor.execute(f"SELECT count(*) FROM {table}")
            counts[table] = cursor.fetchone()[0]
    return counts


# Hosts.


@pytest.mark.parametrize(
    "host",
    [
        "nobody.localhost",
        "evil.example.com",
        "ashby.localhost.evil.com",
        "ashby.localhost@evil.com",
        "a b",
        "",
        "..",
        "[::1",
        "x" * 300,
    ],
)
def test_an_unknown_or_forged_host_gets_a_clear_page(practice: KnownPractice, host: str) -> None:
    response = Client(headers={"host": host}).get("/")
    assert response.status_code == 404
    assert errors.NO_PRACTICE.title in response.content.decode()
    assert current_practice_id() is None


@pytest.mark.parametrize("header", ["x-forwarded-host", "x-original-host", "forwarded"])
def test_a_forwarded_host_is_not_believed(practice: KnownPractice, other_practice: KnownPractice, header: str) -> None:
    value = f"host={other_practice.host}" if header == "forwarded" else other_practice.host
    browser = practice.client("staff")
    response = browser.get("/", headers={header: value})
    assert response.status_code == 200
    assert other_practice.practice.name.encode() not in response.content


@pytest.mark.parametrize("host", ["ASHBY.localhost", "ashby.localhost:8000", "ashby.localhost.", "Ashby.LocalHost.:80"])
def test_capitals_a_port_and_a_final_dot_change_no_practice(practice: KnownPractice, host: str) -> None:
    response = Client(headers={"host": host}).get("/sign-in/")
    assert response.status_code == 200


def test_a_session_cookie_is_bound_to_its_host(practice: KnownPractice) -> None:
    response = practice.client(None).post(
        "/sign-in/", {"username": practice.users["staff"].email.upper(), "password": PASSWORD}
    )
    assert response.status_code == 302
    cookie = response.cookies[settings.SESSION_COOKIE_NAME]
    assert (cookie["domain"], cookie["httponly"], cookie["samesite"]) == ("", True, "Lax")


def test_a_password_of_one_practice_opens_no_other(practice: KnownPractice, other_practice: KnownPractice) -> None:
    response = other_practice.client(None).post(
        "/sign-in/", {"username": practice.users["staff"].email, "password": PASSWORD}
    )
    assert response.status_code == 200
    assert settings.SESSION_COOKIE_NAME not in response.cookies
    assert b"do not belong together here" in response.content


def test_signing_in_leads_to_no_other_site(practice: KnownPractice) -> None:
    response = practice.client(None).post(
        "/sign-in/?next=https://evil.example.com/",
        {"username": practice.users["staff"].email, "password": PASSWORD, "next": "https://evil.example.com/"},
    )
    assert response["Location"] == "/"


def test_signing_out_takes_a_post_and_is_open_to_readers(practice: KnownPractice) -> None:
    browser = practice.client("read_only")
    assert browser.get("/sign-out/").status_code == 405
    assert browser.get("/").status_code == 200
    assert browser.post("/sign-out/").status_code == 302
    assert is_sign_in(browser.get("/"))


# Lapsed sessions, forms and sizes.


def test_a_lapsed_session_answers_htmx_with_a_redirect_header(practice: KnownPractice) -> None:
    response = practice.client(None).get(f"/questions/{uuid4()}/", headers={"hx-request": "true"})
    assert (response.status_code, response["HX-Redirect"], response.content) == (204, "/sign-in/", b"")


def test_a_lapsed_session_answers_a_stream_with_401(practice: KnownPractice) -> None:
    response = practice.client(None).get(f"/questions/{uuid4()}/stream", headers={"accept": "text/event-stream"})
    assert response.status_code == 401
    assert not response.streaming


def test_a_form_sent_after_a_session_lapsed_leads_back_to_a_page(practice: KnownPractice) -> None:
    response = practice.client(None).post("/ask/", {"question": "was this deductible?"})
    assert (response.status_code, response["Location"]) == (302, "/sign-in/")


def test_an_address_that_takes_forms_only_says_so_when_it_is_opened(practice: KnownPractice) -> None:
    response = practice.client("staff").get("/ask/")
    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert errors.NOT_TAKEN.title in response.content.decode()


def test_a_deleted_session_ends_at_once(practice: KnownPractice) -> None:
    browser = practice.client("staff")
    assert browser.get("/").status_code == 200
    with in_practice(practice.practice), connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_session")
    assert is_sign_in(browser.get("/"))


def test_a_user_who_was_made_inactive_is_out(practice: KnownPractice) -> None:
    browser = practice.client("agent")
    agent = User.objects.filter(pk=practice.users["agent"].pk)
    with in_practice(practice.practice):
        agent.update(is_active=False)
    try:
        assert is_sign_in(browser.get("/"))
    finally:
        with in_practice(practice.practice):
            agent.update(is_active=True)


def test_a_form_without_its_token_is_refused_in_plain_words(practice: KnownPractice) -> None:
    browser = Client(enforce_csrf_checks=True, headers={"host": practice.host})
    with in_practice(practice.practice):
        browser.force_login(practice.users["staff"])
    response = browser.post("/ask/", {"question": "was this deductible?"})
    assert response.status_code == 403
    assert errors.FORM_EXPIRED.title in response.content.decode()


def test_a_request_that_is_too_large_is_refused_in_plain_words(practice: KnownPractice) -> None:
    response = practice.client("staff").post("/ask/", {"question": "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)})
    assert response.status_code == 400
    assert b"Traceback" not in response.content


@pytest.mark.parametrize("path", ["/nowhere", "/audit/7", "/../../etc/passwd", "/%00", "/questions/' OR 1=1/"])
def test_an_address_that_is_not_there_gets_a_plain_page(practice: KnownPractice, path: str) -> None:
    response = practice.client("staff").get(path, follow=True)
    assert response.status_code == 404
    assert b"Traceback" not in response.content


# Administration.


@pytest.mark.parametrize("role", ["agent", "staff", "read_only"])
def test_only_an_owner_sees_the_administration(practice: KnownPractice, role: str) -> None:
    browser = practice.client(role)
    for path in ("/admin/", "/admin/accounts/user/", "/admin/login/"):
        assert browser.get(path).status_code == 403, path


def test_an_owner_sees_its_own_users_and_can_change_none(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    browser = practice.client("owner")
    page = browser.get("/admin/accounts/user/").content.decode()
    assert all(user.email in page for user in practice.users.values())
    assert not any(user.email in page for user in other_practice.users.values())
    staff = practice.users["staff"]
    for path in ("add/", f"{staff.pk}/delete/"):
        assert browser.get(f"/admin/accounts/user/{path}").status_code == 403
    response = browser.post(f"/admin/accounts/user/{staff.pk}/change/", {"role": "owner", "email": "x@x.example"})
    assert response.status_code == 403
    response = browser.post("/admin/accounts/user/", {"action": "delete_selected", "_selected_action": str(staff.pk)})
    assert response.status_code in (200, 302, 403)  # the list again; there are no actions
    with in_practice(practice.practice):
        assert User.objects.get(pk=staff.pk).role == "staff"
        assert User.objects.count() == 4


def test_an_owner_of_a_practice_sees_nothing_of_the_platform(practice: KnownPractice) -> None:
    browser = practice.client("owner")
    index = browser.get("/admin/").content.decode()
    assert "/admin/tenancy/" not in index
    for path in ("practice", "domain", "taskfailure", "upgrade"):
        assert browser.get(f"/admin/tenancy/{path}/").status_code == 403
    assert [url for url in PRACTICE_URLS if url.startswith("/admin/auth/")] == []


def test_a_platform_administrator_sees_practices_and_no_practices_users(
    platform: KnownPractice, practice: KnownPractice
) -> None:
    browser = platform.client("owner")
    assert practice.practice.name.encode() in browser.get("/admin/tenancy/practice/").content
    assert practice.host.encode() in browser.get("/admin/tenancy/domain/").content
    assert browser.get("/admin/tenancy/taskfailure/").status_code == 200
    users = browser.get("/admin/accounts/user/").content.decode()
    assert "admin@platform.example" in users
    assert "ashby" not in users
    for path in ("/admin/tenancy/practice/add/", "/admin/tenancy/domain/add/"):
        assert browser.post(path, {"name": "Mine", "domain": "mine.localhost"}).status_code == 403


@pytest.mark.parametrize("where", ["practice", "platform"])
def test_no_page_of_the_administration_writes(request: pytest.FixtureRequest, where: str) -> None:
    known: KnownPractice = request.getfixturevalue(where)
    browser = known.client("owner")
    urls = PRACTICE_URLS if where == "practice" else PLATFORM_URLS
    for path in [url for url in urls if url.startswith("/admin/") and ("/add/" in url or "/delete/" in url)]:
        assert browser.get(path).status_code in (302, 403, 404), path
        assert browser.post(path, {"post": "yes"}).status_code in (302, 403, 404), path


# Headers, outages, and what is left behind.


@pytest.mark.parametrize("path", ["/", "/sign-in/", "/nowhere", "/health/", "/admin/"])
def test_every_answer_carries_the_security_headers(practice: KnownPractice, path: str) -> None:
    response = practice.client("owner").get(path)
    assert response["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert "unsafe" not in response["Content-Security-Policy"]
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    assert "no-store" in response["Cache-Control"]


def test_pages_hold_no_inline_script_or_style(practice: KnownPractice, platform: KnownPractice) -> None:
    seen = [
        practice.client("owner").get(path) for path in ("/", "/audit/", "/status/", "/admin/", "/admin/accounts/user/")
    ]
    seen += [practice.client(None).get("/sign-in/"), platform.client("owner").get("/admin/tenancy/practice/")]
    for response in seen:
        page = response.content.decode()
        assert " style=" not in page, response.request["PATH_INFO"]
        assert "<style" not in page
        assert " onclick=" not in page and "javascript:" not in page
        assert "<script>" not in page


@pytest.mark.parametrize("error", [OperationalError("server closed the connection"), redis.ConnectionError("refused")])
def test_an_outage_in_a_view_is_a_503_in_plain_words(error: Exception) -> None:
    request = RequestFactory().get("/")
    response = PlainOutage(lambda _: HttpResponse()).process_exception(request, error)
    assert response is not None
    assert response.status_code == 503
    assert response["Retry-After"] == "30"
    assert "does not answer" in response.content.decode()
    assert str(error) not in response.content.decode()


def test_an_ordinary_fault_is_not_called_an_outage() -> None:
    request = RequestFactory().get("/")
    assert PlainOutage(lambda _: HttpResponse()).process_exception(request, ValueError("x")) is None


def test_a_broken_view_shows_no_trace(practice: KnownPractice, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("TFN 123 456 782")

    monkeypatch.setattr("research.queries.transcript", broken)
    browser = practice.client("staff")
    browser.raise_request_exception = False
    response = browser.get("/")
    assert response.status_code == 500
    page = response.content.decode()
    assert errors.BROKEN.title in page
    assert "TFN" not in page and "Traceback" not in page and "ValueError" not in page


@pytest.fixture
def nowhere(practice: KnownPractice) -> Iterator[None]:
    """The database address leads nowhere, as when the server is down."""
    wrapper = practice_connection()
    port = wrapper.settings_dict["PORT"]
    wrapper.close()
    wrapper.settings_dict["PORT"] = "1"
    yield
    wrapper.close()
    wrapper.settings_dict["PORT"] = port


@pytest.mark.parametrize("path", ["/", "/sign-in/", "/audit/"])
def test_a_database_that_is_down_is_a_503_in_plain_words(practice: KnownPractice, nowhere: None, path: str) -> None:
    response = Client(headers={"host": practice.host}).get(path)
    assert response.status_code == 503
    page = response.content.decode()
    assert errors.DATABASE_DOWN.title in page
    assert "Traceback" not in page and "refused" not in page


def test_health_says_that_the_database_is_down(practice: KnownPractice, nowhere: None) -> None:
    response = Client(headers={"host": "10.0.0.7"}).get("/health/")
    assert response.status_code == 503
    assert response.json()["database"] == "does not answer"


def test_health_answers_on_any_host_and_names_no_practice(practice: KnownPractice) -> None:
    response = Client(headers={"host": "10.0.0.7"}).get("/health/")
    assert response.status_code == 200
    assert response.json()["database"] == "ok"
    assert "ashby" not in response.content.decode().lower()


def test_a_request_leaves_no_practice_behind_however_it_ends(practice: KnownPractice) -> None:
    staff = practice.client("staff")
    for path in ("/", "/nowhere", "/admin/", f"/questions/{uuid4()}/"):
        staff.get(path)
        assert current_practice_id() is None, path
        assert practice_connection().user_id is None

    def broken(request: HttpRequest) -> HttpResponse:
        assert current_practice_id() == practice.id
        raise ValueError

    with pytest.raises(ValueError):
        PracticeByHost(broken)(RequestFactory().get("/", headers={"host": practice.host}))
    assert current_practice_id() is None


def test_a_stream_holds_no_connection(practice: KnownPractice) -> None:
    def stream(request: HttpRequest) -> StreamingHttpResponse:
        assert User.objects.count() == 4
        return StreamingHttpResponse(iter([b"data: x\n\n"]))

    response = PracticeByHost(stream)(RequestFactory().get("/", headers={"host": practice.host}))
    assert response.streaming
    assert connection.connection is None


@override_settings(SECURE_HSTS_SECONDS=31_536_000)
def test_tls_is_remembered_where_it_is_used(practice: KnownPractice) -> None:
    response = practice.client(None).get("/sign-in/", secure=True)
    assert response["Strict-Transport-Security"] == "max-age=31536000"
    assert "Strict-Transport-Security" not in practice.client(None).get("/sign-in/")
