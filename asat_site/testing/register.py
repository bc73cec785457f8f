"""A Federal Register of Legislation on loopback, over real HTTP, that misbehaves on request (`Trouble`).

What is on it and how it answers is `register_catalogue.py`'s.

    with register_with(Title("C1999A00123", "Ferries Act 1999", [Version(…)])) as register:
        hosts = RegisterHosts(register.api, register.site)
        register.misbehave(Trouble.STATUS, on="Versions", times=2, status=503)
"""

from __future__ import annotations

import re
import socket
import ssl
import struct
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

from asat_site.testing.register_catalogue import SHELL, Answer, Catalogue, Order, Title, Trouble


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came, its path decoded."""

    path: str
    headers: Mapping[str, str]


class FakeRegister:
    """What is on the Register, what it was asked, and how it is to misbehave next."""

    def __init__(self, titles: Sequence[Title]) -> None:
        self.titles = list(titles)
        self.asked: list[Asked] = []
        self.orders: list[Order] = []
        self.etag = '"{}"'  # "" for none; 'W/"{}"' is weak
        self.accept_ranges = "bytes"
        self.address = ""

    @property
    def api(self) -> str:
        return f"{self.address}/v1/"

    @property
    def site(self) -> str:
        return f"{self.address}/"

    def misbehave(self, trouble: Trouble, on: str = "", times: int = 1, **more: Any) -> None:
        self.orders.append(Order(trouble, on, times, **more))

    def paths(self, part: str = "") -> list[str]:
        """The paths asked so far that hold `part`."""
        return [asked.path for asked in self.asked if part in asked.path]

    def order_for(self, path: str) -> Order | None:
        for order in self.orders:
            if order.times > 0 and order.on in path:
                order.times -= 1
                return order
        return None


@contextmanager
def register_with(*titles: Title, tls: ssl.SSLContext | None = None) -> Iterator[FakeRegister]:
    """A Register that runs, with these titles on it; over https if `tls` is given."""
    register = FakeRegister(titles)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"register": register}))
    server.daemon_threads = True
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    register.address = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield register
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    register: FakeRegister

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: `FakeRegister.asked` keeps what came."""

    def do_GET(self) -> None:
        path = unquote(self.path)
        self.register.asked.append(Asked(path, dict(self.headers.items())))
        order = self.register.order_for(path)
        answer = self._answer(path, order)
        with suppress(BrokenPipeError, ConnectionResetError):
            self._send(answer, order)

    def _answer(self, path: str, order: Order | None) -> Answer:
        match order.trouble if order else None:
            case Trouble.STATUS if order:
                return Answer(order.status, b"", "text/plain", dict(order.headers))
            case Trouble.UNAVAILABLE:
                return Answer(200, b"The service is unavailable.", "text/html")
            case Trouble.SHELL:
                return Answer(200, SHELL, "text/html")
            case Trouble.REDIRECT if order:
                return Answer(302, b"", "text/plain", {"Location": order.location})
            case Trouble.NOT_JSON:
                return Answer(200, b'{"value": [', "application/json")
        if not path.startswith("/v1/"):
            return Answer(200, SHELL, "text/html")  # the site answers any address with its shell
        return Catalogue(self.register.titles, order).answer(path.removeprefix("/v1/"))

    def _send(self, answer: Answer, order: Order | None) -> None:
        trouble = order.trouble if order else None
        body, headers = answer.body, {"Content-Type": answer.content_type, **answer.headers}
        status = answer.status
        if answer.content_type == "application/octet-stream" and self.register.etag:
            etag = self.register.etag.format(f"{hash(body) & 0xFFFFFFFF:x}")
            headers |= {"ETag": etag, "Accept-Ranges": self.register.accept_ranges}
            asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            if asked and int(asked[1]) >= len(body):
                status, body = 416, b""
            elif asked and self.headers.get("If-Range") == etag:
                first, whole = int(asked[1]) - (10 if trouble is Trouble.OTHER_RANGE else 0), len(body)
                status, body = 206, body[first:]
                headers["Content-Range"] = f"bytes {first}-{whole - 1}/{whole}"
        if trouble is Trouble.CUT_SHORT:
            body = body[: len(body) // 2]
        length = 10**12 if trouble is Trouble.OVERSIZE else len(body)
        if trouble is Trouble.OVERSIZE_UNTOLD:
            headers["Connection"] = "close"
        else:
            headers["Content-Length"] = str(length)
        if trouble is Trouble.DRIP_HEADERS:
            self._drip(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-Slow: %d\r\n" % n for n in range(10_000)))
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self._send_body(body, trouble)

    def _send_body(self, body: bytes, trouble: Trouble | None) -> None:
        if trouble is Trouble.DRIP:
            self._drip(body)
        elif trouble is Trouble.RESET:
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            time.sleep(0.05)  # let it be read: what has arrived must be there to go on from
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
        elif trouble in (Trouble.OVERSIZE, Trouble.OVERSIZE_UNTOLD):
            for _ in range(4000):
                self.wfile.write(b"PK\x03\x04" + bytes(65_532))
            self.close_connection = True
        else:
            self.wfile.write(body)

    def _drip(self, plain: bytes) -> None:
        for at in range(len(plain)):
            self.wfile.write(plain[at : at + 1])
            self.wfile.flush()
            time.sleep(0.02)
        self.close_connection = True
