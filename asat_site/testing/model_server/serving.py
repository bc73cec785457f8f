"""The fake provider's HTTP: takes a request, asks the script what to do with it, and does that."""

from __future__ import annotations

import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from asat_site.testing.model_server.protocols import (
    PROTOCOLS,
    Frames,
    Said,
    asks_for_tool,
    error_body,
    error_frame,
    frames_of,
    schema_in,
)
from asat_site.testing.model_server.script import ModelServer, Received, Trouble, Turn, least_of

DRIP_S = 0.02
PAGE = b"<!doctype html><title>Sign in</title><p>Please sign in to use this network."
ELSEWHERE = "http://127.0.0.1:9/elsewhere"


@contextmanager
def model_server(tls: ssl.SSLContext | None = None) -> Iterator[ModelServer]:
    """A provider that runs until the block ends; over https if `tls` is given. The package shows its use."""
    script = ModelServer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"script": script}))
    server.daemon_threads = True
    server.block_on_close = False  # one that is silent for a client that has gone would hold the test
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    script.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield script
    finally:
        script.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: ModelServer

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: `ModelServer.requests` keeps what came."""

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        protocol = PROTOCOLS.get(self.path, "")
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.path, protocol, headers, text)
        self.close_connection = True
        with suppress(BrokenPipeError, ConnectionResetError):
            try:
                turn = self.script.take(received)
            except Exception as error:
                turn = Turn(status=500, detail=f"the test's own answer raised {error!r}")
            self._do(turn if protocol else Turn(status=404), received)

    def _do(self, turn: Turn, received: Received) -> None:
        if turn.status != 200:
            self._send(
                turn.status, error_body(received.protocol, turn.status, turn.detail), "application/json", turn.headers
            )
            return
        match turn.trouble:
            case Trouble.SILENCE:
                self.script.closing.wait()
            case Trouble.SLOW_HEADERS:
                self._drip(b"HTTP/1.1 200 OK\r\n" + b"X-Slow: 1\r\n" * 10_000)
            case Trouble.REDIRECT:
                self._send(307, b"", "text/plain", {"Location": ELSEWHERE})
            case Trouble.NO_JSON_AT_ALL:
                self._send(200, PAGE, "text/html")
            case _:
                self._say(turn, received)

    def _say(self, turn: Turn, received: Received) -> None:
        body, trouble = received.body, turn.trouble
        text = turn.says if isinstance(turn.says, str) else json.dumps(turn.says, ensure_ascii=False)
        text = _spoilt(text, trouble, schema_in(body))
        is_truncated = trouble is Trouble.TRUNCATED or self.script.is_too_long(received, text)
        said = Said(
            text=text[: len(text) // 2] if is_truncated else text,
            as_tool=asks_for_tool(body) and trouble is not Trouble.NO_TOOL_CALL,
            is_truncated=is_truncated,
            model=self.script.model_named or body["model"],
            prompt_tokens=len(received.text) // 4,
        )
        frames = frames_of(received.protocol, said, _tool_in(body), body.get("stream", received.protocol == "ollama"))
        self._stream(frames, trouble, received.protocol)

    def _stream(self, frames: Frames, trouble: Trouble | None, protocol: str) -> None:
        if not frames.end:  # not asked to stream: the whole, or half of it
            whole = b"".join(frames.middle)
            if trouble is Trouble.ERROR_IN_STREAM:
                whole = error_body(protocol, 502, "")
            is_cut = trouble in (Trouble.CUT_STREAM, Trouble.RESET)
            if trouble is None or not (is_cut or trouble in (Trouble.SLOW_DRIP, Trouble.OVERSIZED)):
                self._send(200, whole, frames.content_type)
                return
            frames = Frames(frames.content_type, [whole[: len(whole) // 2]], [])
        self.send_response(200)
        self.send_header("Content-Type", frames.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        nothing = b" " if "ndjson" in frames.content_type else b"\n"  # a byte that says nothing yet
        half = frames.middle[: max(1, len(frames.middle) // 2)]
        match trouble:
            case Trouble.SLOW_DRIP:
                self._chunks(frames.middle[:1])
                while not self.script.closing.wait(DRIP_S):
                    self._chunks([nothing])
            case Trouble.CUT_STREAM:
                self._chunks(half, last=True)
            case Trouble.RESET:
                self._chunks(half)
                time.sleep(0.05)  # let it be read
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            case Trouble.OVERSIZED:
                while not self.script.closing.is_set():
                    self._chunks([*frames.middle, nothing * 65_536])
            case Trouble.ERROR_IN_STREAM:
                self._chunks([*half, error_frame(protocol)], last=True)
            case _:
                self._chunks([*frames.middle, *frames.end], last=True)

    def _chunks(self, parts: Iterable[bytes], last: bool = False) -> None:
        body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts if part)
        self.wfile.write(body + (b"0\r\n\r\n" if last else b""))

    def _send(self, status: int, body: bytes, content_type: str, headers: Any = ()) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": content_type, "Content-Length": str(len(body)), **dict(headers)}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _drip(self, plain: bytes) -> None:
        for at in range(len(plain)):
            if self.script.closing.wait(DRIP_S):
                return
            self.wfile.write(plain[at : at + 1])


def _spoilt(text: str, trouble: Trouble | None, schema: dict[str, Any]) -> str:
    """What is said in place of `text` where its words themselves are the trouble."""
    match trouble:
        case Trouble.FENCED:
            return f"```json\n{text}\n```"
        case Trouble.TRAILING_PROSE:
            return f"{text}\n\nI hope that this helps."
        case Trouble.BLANK:
            return " \n" * 40
        case Trouble.BROKEN_JSON:
            return text[:-1]
        case Trouble.A_LIST:
            return f"[{text}]"
        case Trouble.SCHEMA_IGNORED:
            return '{"reply": "Certainly. The words are in the first source."}'
        case Trouble.ENUM_IGNORED:
            return json.dumps(least_of(schema, offered=False))
        case Trouble.NO_TOOL_CALL:
            return "Certainly. Which of the sources do you mean?"
    return text


def _tool_in(body: dict[str, Any]) -> str:
    for tool in body.get("tools", ()):
        return tool.get("name") or tool["function"]["name"]
    return ""
