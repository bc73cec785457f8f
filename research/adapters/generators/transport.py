"""One guarded exchange with a provider of language models: its address, its time, its size, and its retries.

Knows HTTP and no protocol: the adapters beside it read what comes. Whatever goes wrong comes out as ModelFailed, whose
words hold no key and nothing that was sent. Reading is done in a thread of its own, so that whoever waits is told how
far it has come even while the provider says nothing, and can stop.
"""

from __future__ import annotations

import functools
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import httpx
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

from research.adapters.generators import refusals
from research.adapters.generators.addresses import Place, addresses_of
from research.adapters.generators.keys import Key
from research.model_terms import ModelFailed, ModelProblem
from research.ports import Waiting

T = TypeVar("T")
log = logging.getLogger(__name__)

ERROR_BYTES = 65_536  # of an error's page, which is read only for its code
LEAVE_S = 1.0  # how long a reader that was cut off may take to notice


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how much. Times in seconds.

    read_s: the longest silence. total_s: the whole exchange with its retries, however it drips. tries: all of them.
    longest_wait_s: a provider that asks for a longer one (Retry-After) is not asked again. tell_every_s: how often
    whoever waits is told.
    """

    connect_s: float = 10.0
    read_s: float = 120.0
    total_s: float = 300.0
    max_bytes: int = 8_000_000
    tries: int = 3
    first_wait_s: float = 0.5
    longest_wait_s: float = 20.0
    tell_every_s: float = 1.0


class _Again(Exception):
    """A failure after which the same request may be sent once more: nothing of it was taken up."""

    def __init__(self, failed: ModelFailed) -> None:
        super().__init__(failed.message)
        self.failed = failed


class Line:
    """One exchange while it lasts: its connections, its end, and how much was heard.

    Made by `talk`, which runs the reader of it in another thread; `cut` ends that thread's waiting from outside.
    """

    def __init__(self, place: Place, key: Key, limits: Limits) -> None:
        self.place, self.limits = place, limits
        self.characters = 0
        self.transport = GuardedTransport(self, key)
        self._ends_at = time.monotonic() + limits.total_s
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._is_cut = threading.Event()

    def heard(self, piece: str) -> None:
        """Take note of words that arrived."""
        self.characters += len(piece)

    @property
    def left_s(self) -> float:
        return max(0.0, self._ends_at - time.monotonic())

    def sleep(self, seconds: float) -> None:
        self._is_cut.wait(min(seconds, self.left_s))

    def client(self) -> httpx.Client:
        """An HTTP client over this line and nothing of the environment's."""
        return httpx.Client(transport=self.transport, trust_env=False, follow_redirects=False)

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Takes note of each socket as it is connected, and again when TLS wraps it (httpx's trace extension)."""
        if event not in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            return
        opened = info["return_value"].get_extra_info("socket")
        with self._lock:
            self._sockets.append(opened)
            if self._is_cut.is_set():
                _shut(opened)

    def cut(self) -> None:
        """Break every connection of this line off, and let none be made."""
        with self._lock:
            self._is_cut.set()
            for opened in self._sockets:
                _shut(opened)

    @property
    def is_cut(self) -> bool:
        return self._is_cut.is_set()


class GuardedTransport(httpx.BaseTransport):
    """What an HTTP client sends through: one place, pinned; every answer judged before it is handed on.

    key: put into each request here, and known to nobody else. Raises ModelFailed, which no client of httpx turns into
    something else.
    """

    def __init__(self, line: Line, key: Key) -> None:
        self._line, self._key = line, key
        self._wire = httpx.HTTPTransport(
            verify=_tls(), trust_env=False, limits=httpx.Limits(max_connections=2, max_keepalive_connections=0)
        )

    def __repr__(self) -> str:
        return f"GuardedTransport({self._line.place.host})"

    def close(self) -> None:
        self._wire.close()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        line, limits = self._line, self._line.limits
        retrying = Retrying(
            retry=retry_if_exception_type(_Again),
            stop=stop_after_attempt(limits.tries),
            wait=self._wait,
            sleep=line.sleep,
            reraise=True,
        )
        try:
            return retrying(self._once, self._prepared(request))
        except _Again as error:
            raise error.failed from None

    def _prepared(self, request: httpx.Request) -> httpx.Request:
        """The request with our key in place of any of its own: a client may have read one out of the environment."""
        for name in ("authorization", "x-api-key", "cookie"):
            request.headers.pop(name, None)
        request.headers.update({"Accept-Encoding": "identity", "Connection": "close", "User-Agent": "AsAt"})
        self._key.put_into(request.headers)
        limits = self._line.limits
        timeout = {"connect": limits.connect_s, "read": limits.read_s, "write": limits.read_s, "pool": limits.connect_s}
        request.extensions = {"timeout": timeout, "trace": self._line.trace, "sni_hostname": self._line.place.host}
        return request

    def _once(self, request: httpx.Request) -> httpx.Response:
        place = self._line.place
        answer = self._connected(request, addresses_of(place))
        if answer.status_code == 200:
            if answer.headers.get("content-encoding", "identity") != "identity":
                answer.close()
                raise refusals.not_json(place.host, "a compressed answer, which was not asked for")
            return httpx.Response(200, headers=answer.headers, stream=_Bounded(answer, self._line))
        failed, may_ask_again = self._judged(answer)
        if may_ask_again and (failed.retry_after_s or 0.0) <= min(self._line.limits.longest_wait_s, self._line.left_s):
            raise _Again(failed)
        raise failed

    def _connected(self, request: httpx.Request, addresses: list[str]) -> httpx.Response:
        """The answer of the first address that takes a connection. Raises ModelFailed, _Again where none does."""
        named, host = request.url, self._line.place.host
        for address in addresses:
            if self._line.is_cut:
                break
            request.url = named.copy_with(host=address)
            try:
                return self._wire.handle_request(request)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                log.info("No connection to the model at %s (%s).", host, type(error).__name__)
            except httpx.TimeoutException:
                raise refusals.too_slow(host, self._line.limits.read_s) from None
            except httpx.HTTPError:
                raise refusals.hung_up(host) from None
            finally:
                request.url = named
        raise _Again(refusals.unreachable(host))

    def _judged(self, answer: httpx.Response) -> tuple[ModelFailed, bool]:
        """What an answer other than 200 means, and whether the same request may be sent again."""
        body = bytearray()
        with suppress(httpx.HTTPError):  # the status is known; its page is only for the code
            for chunk in answer.iter_raw():
                body += chunk[: ERROR_BYTES - len(body)]
                if len(body) >= ERROR_BYTES:
                    break
        answer.close()
        log.warning("The model at %s answered %d (%d bytes).", self._line.place.host, answer.status_code, len(body))
        code = refusals.code_in(bytes(body))
        code = "" if self._key.holds(code) else code
        return refusals.of_status(self._line.place.host, answer.status_code, answer.headers, code)

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        limits = self._line.limits
        asked = error.failed.retry_after_s if isinstance(error, _Again) else None
        grows = wait_exponential(multiplier=limits.first_wait_s, max=limits.longest_wait_s)(state)
        return max(grows, asked or 0.0) + wait_random(0, limits.first_wait_s)(state)


class _Bounded(httpx.SyncByteStream):
    """An answer's body, no more of it than the limit; trouble with the connection comes out as ModelFailed."""

    def __init__(self, answer: httpx.Response, line: Line) -> None:
        self._answer, self._line = answer, line

    def __iter__(self) -> Iterator[bytes]:
        host, limits, received = self._line.place.host, self._line.limits, 0
        try:
            for chunk in self._answer.iter_raw():
                received += len(chunk)
                if received > limits.max_bytes:
                    raise refusals.too_large(host, limits.max_bytes)
                yield chunk
        except httpx.TimeoutException:
            raise refusals.too_slow(host, limits.read_s) from None
        except httpx.HTTPError:
            raise refusals.cut_off(host) from None

    def close(self) -> None:
        self._answer.close()


class _Reader(threading.Thread, Generic[T]):
    """Reads an exchange to its end; then `result` or `error` is set."""

    def __init__(self, read: Callable[[Line], T], line: Line) -> None:
        super().__init__(name="asat-model", daemon=True)
        self._read, self._line = read, line
        self.result: list[T] = []
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.result.append(self._read(self._line))
        except BaseException as error:  # handed to whoever waits, and raised there
            self.error = error
        finally:
            self._line.transport.close()


def talk(place: Place, key: Key, limits: Limits, read: Callable[[Line], T], waiting: Waiting) -> T:
    """What `read` makes of an exchange with this place. `waiting` is called in this thread, `read` in another.

    Raises ModelFailed, and whatever `waiting` raises; either way no connection is left open.
    """
    line = Line(place, key, limits)
    reader = _Reader(read, line)
    reader.start()
    try:
        while reader.is_alive():
            reader.join(min(limits.tell_every_s, line.left_s))
            if not reader.is_alive():
                break
            if line.left_s <= 0:
                raise ModelFailed(ModelProblem.TIMEOUT, refusals.TOOK_TOO_LONG.format(place.host, limits.total_s))
            waiting(f"{line.characters:,} characters")
    except BaseException:
        line.cut()
        reader.join(LEAVE_S)
        raise
    if reader.error is not None:
        raise reader.error
    return reader.result[0]


@functools.cache
def _tls() -> ssl.SSLContext:
    """The certificate authorities, read once: SSL_CERT_FILE names an installation's own."""
    return httpx.create_ssl_context()


def _shut(opened: socket.socket) -> None:
    with suppress(OSError):  # it is closed already, or TLS has taken it over
        opened.shutdown(socket.SHUT_RDWR)
