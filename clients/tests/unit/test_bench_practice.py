"""The benchmark of a large practice: what everybody asks for, what is counted, and what the report says of it."""

from __future__ import annotations

import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4

import pytest

from asat_site.running.processes import free_port
from clients.bench import clicking
from clients.bench.clicking import NotServed, Seen
from clients.management.commands.bench_practice import section


class Server(BaseHTTPRequestHandler):
    asked: list[tuple[str, str, str]] = []

    def do_GET(self) -> None:
        Server.asked.append((self.path, str(self.headers["Host"]), str(self.headers["Cookie"])))
        self.send_response(500 if self.path == "/wrong/" else 200)
        self.end_headers()
        self.wfile.write(b"a page")

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(clicking, "THINKS_S", (0.01, 0.02))
    Server.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address
        server.shutdown()


def test_everybody_clicks_with_a_session_of_their_own(address: tuple[str, int]) -> None:
    seen = clicking.click(address, "a.localhost", ["s=1", "s=2"], [("a page", lambda chance: "/a/")], 0.3)
    assert len(seen.took["a page"]) == len(Server.asked) > 2
    assert set(Server.asked) == {("/a/", "a.localhost", "s=1"), ("/a/", "a.localhost", "s=2")}
    assert all(ms > 0 for ms in seen.took["a page"])


def test_a_page_that_is_not_served_ends_it(address: tuple[str, int]) -> None:
    with pytest.raises(NotServed, match=r"a page came with status 500\."):
        clicking.click(address, "a.localhost", ["s=1"], [("a page", lambda chance: "/wrong/")], 5)


def test_a_server_that_is_not_there_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clicking, "THINKS_S", (0.01, 0.02))
    with pytest.raises(NotServed, match=r"a page did not come: ConnectionRefusedError\."):
        clicking.click(("127.0.0.1", free_port()), "a.localhost", ["s=1"], [("a page", lambda chance: "/a/")], 15)


def test_every_page_has_an_address() -> None:
    clients, chance = [uuid4(), uuid4()], random.Random(1)
    paths = {path(chance) for _, path in clicking.pages(clients, "nail", has_documents=True) for _ in range(20)}
    assert all(path.startswith(("/clients/", "/transactions/", "/documents/")) for path in paths)
    assert "/transactions/?supplier=nail" in paths and not [path for path in paths if " " in path]
    assert not [name for name, _ in clicking.pages(clients, "nail", has_documents=False) if "documents" in name]


def test_the_report_says_how_long_each_page_took() -> None:
    seen = Seen({"clients": [10.0, 20.0, 30.0], "once": [900.0]})
    lines = section(seen)
    assert lines[0] == "## A large practice"
    assert "50 people click through 5,000 clients, 99 of them restricted, and 50,000 transactions" in lines[2]
    assert lines[-2:] == ["| clients | 3 | 20 | 29 |", "| **all** | 4 | 25 | 770 |"]
