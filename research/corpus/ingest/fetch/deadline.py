"""Cuts a connection off when its time is up, however slowly it drips.

httpx bounds each read, so that a server that sends a byte before every time-out could hold a request for ever, in its
headers as in its body. This closes the socket under it.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any


class Deadline:
    """A context in which connections live `seconds` at most; `trace` goes into the request's httpx extensions."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.is_over = seconds, False
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Takes note of each socket as it is connected, and again when TLS wraps it."""
        if event not in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            return
        opened = info["return_value"].get_extra_info("socket")
        with self._lock:
            self._sockets.append(opened)
            if self.is_over:
                _shut(opened)

    def _cut(self) -> None:
        with self._lock:
            self.is_over = True
            for opened in self._sockets:
                _shut(opened)


def _shut(opened: socket.socket) -> None:
    with suppress(OSError):  # it is closed already, or TLS has taken it over
        opened.shutdown(socket.SHUT_RDWR)
