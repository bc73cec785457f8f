"""The real web server: many browsers of two practices at once over a small pool of connections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg
import pytest

from asat_site.testing.practices import PASSWORD, KnownPractice
from asat_site.testing.processes import web as start_web
from asat_site.testing.servers import Services
from asat_site.testing.sockets import Unplugged

pytestmark = pytest.mark.security


def browser(port: int, known: KnownPractice) -> httpx.Client:
    """A browser at the practice's host."""
    return httpx.Client(
        base_url=f"http://127.0.0.1:{port}",
        headers={"host": f"{known.host}:{port}"},
        timeout=30,
        follow_redirects=False,
    )


def sign_in(client: httpx.Client, email: str) -> httpx.Response:
    page = client.get("/sign-in/")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert token is not None
    form = {"username": email, "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
    return client.post("/sign-in/", data=form)


@pytest.fixture
def signed_in(web: int, practice: KnownPractice, other_practice: KnownPractice) -> Iterator[list[httpx.Client]]:
    clients = [browser(web, practice), browser(web, other_practice)]
    for client, known in zip(clients, (practice, other_practice), strict=True):
        response = sign_in(client, known.users["owner"].email)
        assert (response.status_code, response.headers["location"]) == (302, "/")
    yield clients
    for client in clients:
        client.close()


def test_two_practices_at_once_never_see_each_other(
    signed_in: list[httpx.Client], practice: KnownPractice, other_practice: KnownPractice, services: Services
) -> None:
    emails = [{user.email for user in known.users.values()} for known in (practice, other_practice)]

    def look(turn: int) -> bool:
        mine = turn % 2
        page = signed_in[mine].get("/admin/accounts/user/").text
        return all(email in page for email in emails[mine]) and not any(email in page for email in emails[1 - mine])

    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(look, range(120))) == [True] * 120
    with psycopg.connect(services.superuser_url) as superuser:
        row = superuser.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE usename = 'asat_app' AND application_name = 'asat'"
        ).fetchone()
    assert row is not None
    assert row[0] <= 8 + 2  # the pool, and what this process itself holds


def test_a_session_is_refused_at_the_other_host(
    web: int, signed_in: list[httpx.Client], other_practice: KnownPractice
) -> None:
    with browser(web, other_practice) as taken:
        cookie = "; ".join(f"{name}={value}" for name, value in signed_in[0].cookies.items())
        response = taken.get("/audit/", headers={"cookie": cookie})
    assert (response.status_code, response.headers["location"]) == (302, "/sign-in/?next=/audit/")


def test_an_unknown_host_gets_a_clear_page(web: int) -> None:
    for host in ("nobody.localhost", "evil.example.com"):
        response = httpx.get(f"http://127.0.0.1:{web}/", headers={"host": host})
        assert response.status_code == 404
        assert "There is no practice here" in response.text
        assert "server" not in response.headers or "Python" not in response.headers["server"]


def test_static_files_are_served_with_the_headers(web: int, practice: KnownPractice) -> None:
    with browser(web, practice) as client:
        response = client.get("/static/plain.css")
    assert response.status_code == 200
    assert response.headers["x-content-type-options"] == "nosniff"


def test_the_suite_itself_is_unplugged(services: Services) -> None:
    for address in ("http://192.0.2.1/", "http://example.com/", "http://[2001:db8::1]/"):
        with pytest.raises((Unplugged, httpx.ConnectError)) as refusal:
            httpx.get(address, timeout=2)
        assert "unplugged" in str(refusal.value)


def test_several_web_processes_start_and_serve(services: Services, practice: KnownPractice) -> None:
    with (
        start_web(services.directory / "web-of-two.log", WEB_CONCURRENCY="2") as port,
        browser(port, practice) as anyone,
    ):
        assert anyone.get("/sign-in/").status_code == 200
