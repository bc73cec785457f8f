"""The fake's HTTP: takes a request, asks Xero what is right, and does that or the fault that was set."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from asat_site.testing.xero_server.contract import Contract
from asat_site.testing.xero_server.faults import Answer, Fault, Received
from asat_site.testing.xero_server.world import Xero


@contextmanager
def xero_server(contract: Contract | None = None, port: int = 0) -> Iterator[Xero]:
    """A Xero that runs until the block ends, and fails it there for whatever must never be sent."""
    world = Xero(contract)
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"world": world}))
    server.daemon_threads, server.block_on_close = True, False
    world.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield world
    finally:
        world.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
    broken = [each for books in world.organisations.values() for each in books.breaks]
    if told := [*world.breaches, *broken]:
        raise AssertionError("\n".join(each[:2000] for each in told))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    world: Xero

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: `Xero.requests` keeps what came."""

    def handle_any(self) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.command, unquote(parts.path), dict(parse_qsl(parts.query)), headers, body)
        with self.world.lock:
            self.world.in_flight += 1
            self.world.most_in_flight = max(self.world.most_in_flight, self.world.in_flight)
        try:
            fault = self.world.take(received)
            if self.world.slow_s:
                self.world.closing.wait(self.world.slow_s)
            with suppress(BrokenPipeError, ConnectionResetError):
                self._answer(received, fault)
        finally:
            with self.world.lock:
                self.world.in_flight -= 1

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def _answer(self, received: Received, fault: Fault | None) -> None:
        if fault is not None and not (fault.unheard or fault.mangles):
            if fault.deaf:
                self.close_connection = True
            else:
                self._send(Answer(fault.status, fault.body, fault.headers, fault.kind))
            return
        answer = self.world.answer(received)
        if self.world.contract is not None:
            self.world.breaches += self.world.contract.breaches_of(received, answer)
        if fault is not None and fault.unheard:
            self.close_connection = True
            return
        self._send(Answer(fault.status, fault.body, fault.headers, fault.kind) if fault else answer)

    def _send(self, answer: Answer) -> None:
        content = answer.content()
        self.send_response(answer.status)
        for name, value in {"Content-Type": answer.kind, "Content-Length": str(len(content)), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
