"""The fake's HTTP: takes a request, asks the account what is right, and does that or the fault that was set."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from asat_site.testing.hubspot_server.account import HubSpotAccount
from asat_site.testing.hubspot_server.contract import Contract
from asat_site.testing.hubspot_server.faults import Fault, Received


@contextmanager
def hubspot_server(contract: Contract | None = None, port: int = 0, **account: Any) -> Iterator[HubSpotAccount]:
    """The account's server, until the block ends. port: 0 for any; account: as HubSpotAccount takes it.

    With a contract, what breaks it is kept in `breaches` and fails the block at its end.
    """
    served = HubSpotAccount(**account)
    handler = type("Handler", (_Handler,), {"account": served, "contract": contract})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads, server.block_on_close = True, False
    served.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        served.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
    assert served.breaches == []


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    account: HubSpotAccount
    contract: Contract | None

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: `HubSpotAccount.requests` keeps what came."""

    def handle_any(self) -> None:
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.command, parts.path, dict(parse_qsl(parts.query)), headers)
        fault = self.account.take(received)
        with suppress(BrokenPipeError, ConnectionResetError):
            self._answer(received, fault)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def _answer(self, received: Received, fault: Fault | None) -> None:
        if fault is not None and fault.drops:
            self.close_connection = True
            return
        if fault is not None and fault.body is not None:
            text = fault.body if isinstance(fault.body, str) else json.dumps(fault.body)
            kind = "text/html" if isinstance(fault.body, str) else "application/json"
            self._hold_to_contract(received, fault.status, text.encode(), kind)
            self._send(fault.status, text.encode(), kind, dict(fault.headers))
            return
        status, body = self.account.answer(received)
        if fault is not None and fault.page is not None:
            body = {**body, **fault.page}
        if fault is not None and fault.slow_s:
            self.account.closing.wait(fault.slow_s)
        content = json.dumps(body).encode()
        self._hold_to_contract(received, status, content, "application/json")
        self._send(status, content, "application/json", self.account.headers(), fault.cuts_at if fault else None)

    def _hold_to_contract(self, received: Received, status: int, content: bytes, kind: str) -> None:
        if self.contract is not None and kind == "application/json":
            self.account.breaches += self.contract.breaches_of(received, status, content)

    def _send(
        self, status: int, content: bytes, kind: str, headers: dict[str, str], cuts_at: int | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content if cuts_at is None else content[:cuts_at])
        if cuts_at is not None:
            self.close_connection = True
