"""One request to the Register, with its manners and its bounds: pace, retries, redirects, size and time.

Knows nothing of titles and versions: `client.py` does. Trouble comes out as one of two exceptions. `TryLater` has been
retried here already; `Refused` is an answer that asking again will not change.
"""

from __future__ import annotations

import json
import re
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import httpx
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

from research.corpus.ingest.fetch.deadline import Deadline
from research.corpus.ingest.fetch.hosts import ForeignAddress, RegisterHosts
from research.corpus.ingest.fetch.partial import Partial

T = TypeVar("T")

MAX_REDIRECTS = 3
OVERLOADED = b"The service is unavailable."  # sent with 200 as well as with 503
SHORT_BYTES = 4096  # an answer that says so is a line or a small page; no EPUB is that short
AGAIN = frozenset({408, 429})  # beside every 5xx


@dataclass(frozen=True, slots=True)
class Manners:
    """How the Register is asked. Times in seconds; a total is for one request, tries are all of them.

    gap_s: users of the interface left 0.25 to 1.5 between requests and were never told to slow down.
    longest_wait_s: a server that asks for a longer one (Retry-After) is left alone, and the request is not checked.
    """

    gap_s: float = 1.5
    tries: int = 5
    first_wait_s: float = 2.0
    longest_wait_s: float = 120.0
    connect_s: float = 10.0
    read_s: float = 60.0
    listing_total_s: float = 120.0
    file_total_s: float = 900.0
    max_listing_bytes: int = 16_000_000
    max_file_bytes: int = 100_000_000


class TryLater(Exception):
    """The Register could not answer just now. wait_s: how long it asks to be left alone."""

    def __init__(self, reason: str, wait_s: float | None = None) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


class NothingMore(TryLater):
    """There is nothing of a file after what was there of it: it must be asked for from the beginning."""


class Refused(Exception):
    """An answer that will not change by asking again. status: of HTTP, None for one that broke a bound."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True, slots=True)
class Arrived:
    """A whole answer that lies in a Partial. file_name: as the server calls it, "" if it does not."""

    partial: Partial
    file_name: str


class Transport:
    """HTTP to the Register's hosts.

    tls: None is the usual certificate authorities. sleep, clock: replaced in tests; clock is monotonic, in seconds.
    """

    def __init__(
        self,
        hosts: RegisterHosts,
        manners: Manners,
        user_agent: str,
        *,
        proxy: str | None = None,
        tls: ssl.SSLContext | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.hosts, self.manners = hosts, manners
        self._sleep, self._clock = sleep, clock
        self._free_at = float("-inf")
        self._http = httpx.Client(
            http2=False,
            follow_redirects=False,
            trust_env=False,
            proxy=proxy,
            verify=tls or True,
            timeout=httpx.Timeout(manners.read_s, connect=manners.connect_s),
            # One connection a request: at this pace a second handshake costs nothing, and `Deadline` sees each socket.
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=0),
            headers={"User-Agent": user_agent, "Accept-Encoding": "identity"},
        )

    def close(self) -> None:
        self._http.close()

    def json(self, address: str) -> object:
        """The JSON that an address answers. Raises TryLater, Refused."""
        return self._again(lambda: self._json_once(address))

    def file(self, address: str, partial: Partial) -> Arrived:
        """The bytes that an address answers, whole, in `partial`, going on with what is there. Raises as `json`."""
        try:
            return self._again(lambda: self._file_once(address, partial))
        except Refused:
            partial.discard()
            raise

    def _again(self, ask: Callable[[], T]) -> T:
        retrying = Retrying(
            retry=retry_if_exception_type(TryLater),
            stop=stop_after_attempt(self.manners.tries),
            wait=self._wait,
            sleep=self._sleep,
            reraise=True,
        )
        return retrying(ask)

    def _wait(self, state: RetryCallState) -> float:
        asked = state.outcome.exception() if state.outcome else None
        manners = self.manners
        grows = wait_exponential(multiplier=manners.first_wait_s, max=manners.longest_wait_s)
        backoff = (grows + wait_random(0, manners.first_wait_s / 2))(state)
        return max(backoff, asked.wait_s or 0.0) if isinstance(asked, TryLater) else backoff

    def _json_once(self, address: str) -> object:
        manners = self.manners
        with self._answer(address, {"Accept": "application/json"}, manners.listing_total_s) as answer:
            body = b"".join(_bounded(answer, manners.max_listing_bytes))
        _not_overloaded(body)
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            raise Refused(f"it answered {_shape_of(body)} where JSON was wanted") from error

    def _file_once(self, address: str, partial: Partial) -> Arrived:
        # "Accept: application/json" would bring a description of the file in place of the file.
        headers = {"Accept": "*/*"}
        if partial.received:
            headers |= {"Range": f"bytes={partial.received}-", "If-Range": partial.etag}
        try:
            with self._answer(address, headers, self.manners.file_total_s) as answer:
                _go_on_or_start(partial, answer)
                partial.append(_bounded(answer, self.manners.max_file_bytes - partial.path.stat().st_size))
                name = _file_name(answer.headers.get("content-disposition", ""))
        except NothingMore:  # all of it had arrived, or the file is shorter now
            partial.discard()
            raise
        except (TryLater, OSError):
            partial.keep_or_discard()
            raise
        if partial.path.stat().st_size <= SHORT_BYTES:
            try:
                _not_overloaded(partial.path.read_bytes())
            except TryLater:
                partial.discard()
                raise
        return Arrived(partial, name)

    @contextmanager
    def _answer(self, address: str, headers: dict[str, str], total_s: float) -> Iterator[httpx.Response]:
        """A good answer (200, 206), its body still to be read; redirects within the Register's hosts are followed."""
        with Deadline(total_s) as deadline:
            try:
                for _ in range(MAX_REDIRECTS + 1):
                    self._take_turn()
                    with self._http.stream(
                        "GET", address, headers=headers, extensions={"trace": deadline.trace}
                    ) as got:
                        if not got.has_redirect_location:
                            self._judge(got)
                            yield got
                            return
                        address = self.hosts.redirected(address, got.headers["location"])
                raise Refused(f"it redirected more than {MAX_REDIRECTS} times")
            except ForeignAddress as error:
                raise Refused(str(error)) from error
            except httpx.HTTPError as error:
                if deadline.is_over:
                    raise TryLater(f"the answer took more than {total_s:g} seconds") from error
                raise TryLater(_trouble(error)) from error
            finally:
                self._free_at = self._clock() + self.manners.gap_s

    def _take_turn(self) -> None:
        wait = self._free_at - self._clock()
        if wait > 0:
            self._sleep(wait)
        self._free_at = self._clock() + self.manners.gap_s

    def _judge(self, answer: httpx.Response) -> None:
        """Raises for anything but a good answer."""
        status = answer.status_code
        if status in (200, 206):
            return
        if status in AGAIN or status >= 500:
            wait_s = _retry_after(answer.headers.get("retry-after", ""))
            if wait_s is not None and wait_s > self.manners.longest_wait_s:
                raise Refused(f"it answered {status} and asks to be left alone for {wait_s:,.0f} seconds", status)
            raise TryLater(f"it answered {status}", wait_s)
        body = b"".join(_bounded(answer, SHORT_BYTES, cut=True))
        _not_overloaded(body)
        if status == 416:
            raise NothingMore("it has no more of the file than had arrived")
        said = {
            400: "it does not accept the question",
            403: "it turns this computer away, as government sites do with addresses of data centres",
        }.get(status, "")
        raise Refused(f"it answered {status}{f' ({said})' if said else ''}", status)


def _bounded(answer: httpx.Response, most: int, *, cut: bool = False) -> Iterator[bytes]:
    """The body in chunks, no more than `most` bytes of it: beyond, Refused, or the end if it may be cut."""
    length = answer.headers.get("content-length", "")
    too_long = f"it answered more than {most:,} bytes, the most that is taken"
    if not cut and length.isdigit() and int(length) > most:
        raise Refused(too_long)
    received = 0
    for chunk in answer.iter_bytes():
        received += len(chunk)
        if received > most:
            if cut:
                return
            raise Refused(too_long)
        yield chunk


def _go_on_or_start(partial: Partial, answer: httpx.Response) -> None:
    """Set `partial` to take the body: after what is there if the server goes on at that very byte, else anew."""
    etag = answer.headers.get("etag", "")
    if answer.status_code == 206:
        range_sent = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", answer.headers.get("content-range", "").strip())
        first, last, whole = map(int, range_sent.groups()) if range_sent else (0, 0, 0)
        goes_on = 0 < first == partial.received and last + 1 == whole and etag in ("", partial.etag)
        if not goes_on:
            partial.discard()
            raise TryLater("it went on with a file at another place than was asked")
        return
    # A weak ETag does not promise the same bytes, and ranges of a compressed body are ranges of another file.
    can_go_on = (
        etag.startswith('"')
        and answer.headers.get("accept-ranges", "").strip().lower() == "bytes"
        and answer.headers.get("content-encoding", "identity") == "identity"
    )
    partial.start(etag if can_go_on else "")


def _not_overloaded(body: bytes) -> None:
    if len(body) <= SHORT_BYTES and OVERLOADED in body:
        raise TryLater("it answered that the service is unavailable")


def _shape_of(body: bytes) -> str:
    if body.lstrip().startswith(b"<"):
        return "a page"
    return f"{len(body):,} bytes that are not JSON" if body else "nothing"


def _retry_after(value: str) -> float | None:
    """Seconds from a Retry-After header, given as seconds or as a date; None if there is none that can be read."""
    value = value.strip()
    if value.isdigit():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (moment - datetime.now(moment.tzinfo or UTC)).total_seconds()) if moment.tzinfo else None


def _file_name(disposition: str) -> str:
    """The name in a Content-Disposition header, "" without one."""
    found = re.search(r"""filename\*?=(?:UTF-8'')?"?([\w.\- ]{1,200})""", disposition, re.IGNORECASE | re.ASCII)
    return found[1].strip() if found else ""


def _trouble(error: httpx.HTTPError) -> str:
    """What went wrong with the connection, in plain words."""
    if isinstance(error, httpx.ConnectTimeout | httpx.ConnectError):
        return "no connection could be made"
    if isinstance(error, httpx.TimeoutException):
        return "the answer did not come in time"
    return "the connection broke off in the middle of the answer"
