"""One guarded exchange with a vendor's HTTP interface: its time, its size, its pace and its retries.

Knows HTTP and no vendor: the two `api.py` say how an answer is judged. Whatever goes wrong comes out as VendorFailed,
whose words hold no secret and nothing that was sent. No redirect is followed, no proxy of the environment is used, and
no address out of an answer is asked.
"""

from __future__ import annotations

import functools
import json
import logging
import re
import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import httpx
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_exponential, wait_random

from integrations.pace import Pace
from integrations.terms import ReconnectRequired, TryLater, VendorFailed

log = logging.getLogger(__name__)
WRITABLE = re.compile(r"[!-~]{1,8192}")
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Bearer(httpx.Auth):
    """An access token in its header. It shows itself to nobody."""

    __slots__ = ("_token",)

    def __init__(self, token: str) -> None:
        if not WRITABLE.fullmatch(token):
            raise ReconnectRequired("The access holds a space, a line break or another character that no access has.")
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Any:
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request

    def __repr__(self) -> str:
        return "Bearer(…)"

    def __reduce__(self) -> str:
        raise TypeError("A secret is not written anywhere.")


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how much. read_s: the longest silence; total_s: one answer, however it drips; tries: all of them.

    longest_wait_s: a vendor that asks for a longer one (Retry-After) is not asked again here.
    """

    connect_s: float = 10.0
    read_s: float = 30.0
    total_s: float = 60.0
    max_bytes: int = 8_000_000
    tries: int = 5
    first_wait_s: float = 0.5
    longest_wait_s: float = 30.0


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, whole. headers: names in lower case. `repr` shows neither headers nor content."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)

    def json(self) -> Any:
        """What the content says. Raises ValueError where it is no JSON."""
        return json.loads(self.content)

    @property
    def problem(self) -> dict[str, Any]:
        """The content where it is a JSON object, else {}: what a vendor says of an error, to be read with care."""
        try:
            found = self.json()
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def retry_after_s(self) -> float | None:
        """The seconds that Retry-After asks for, by number or by date; None for none that can be read."""
        return retry_after(self.headers.get("retry-after", ""), datetime.now(UTC))


Judge = Callable[[Reply], VendorFailed | None]
"""What an answer means: None where it is one to be used. A TryLater that is not far off is tried again here."""


class Exchange:
    """Asks one vendor, on behalf of one connection. methods: those that may be sent; every other is a fault of ours.

    vendor: its name, as people know it. Not to be shared between practices; make one for each piece of work.
    """

    def __init__(
        self,
        vendor: str,
        base_url: str,
        judge: Judge,
        *,
        auth: httpx.Auth | None = None,
        pace: Pace | None = None,
        limits: Limits | None = None,
        methods: tuple[str, ...] = ("GET",),
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._vendor, self._base, self._judge, self._pace = vendor, checked_base(base_url), judge, pace
        self._limits, self._methods, self._sleep = limits or Limits(), methods, sleep
        timeout = httpx.Timeout(self._limits.read_s, connect=self._limits.connect_s)
        self._client = httpx.Client(
            auth=auth,
            timeout=timeout,
            trust_env=False,
            follow_redirects=False,
            verify=_tls(),
            headers={"User-Agent": "AsAt", "Accept": "application/json", "Accept-Encoding": "identity"},
        )

    def __repr__(self) -> str:
        return f"Exchange({self._vendor})"

    def __enter__(self) -> Exchange:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._client.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        tries: int | None = None,
        named: str | None = None,
        **sent: Any,
    ) -> Reply:
        """The answer, judged to be one of use. sent: as httpx takes it (json, data, content, headers, auth).

        tries: 1 for what must not be sent twice. named: what a log calls the path, where that holds something of a
        client's. Raises VendorFailed and its kinds.
        """
        if method not in self._methods:
            raise ValueError(f"{method} is not among what is sent to {self._vendor}: {', '.join(self._methods)}.")
        retrying = Retrying(
            retry=retry_if_exception(self._is_soon),
            stop=stop_after_attempt(tries or self._limits.tries),
            wait=self._wait,
            sleep=self._sleep,
            reraise=True,
        )
        return retrying(self._once, method, path, named or path, params, sent)

    def _once(
        self, method: str, path: str, named: str, params: Mapping[str, str] | None, sent: dict[str, Any]
    ) -> Reply:
        with self._pace.turn(self._limits.longest_wait_s) if self._pace else nullcontext():
            reply = self._asked(method, path, params, sent)
        if 300 <= reply.status < 400:
            raise VendorFailed(f"{self._vendor} sent us elsewhere, where we do not go with your access.")
        failed = self._judge(reply)
        if failed is not None:
            log.warning("%s answered %d to %s %s", self._vendor, reply.status, method, named)
            raise failed
        return reply

    def _asked(self, method: str, path: str, params: Mapping[str, str] | None, sent: dict[str, Any]) -> Reply:
        ends_at = time.monotonic() + self._limits.total_s
        try:
            with self._client.stream(method, self._base + path, params=params, **sent) as answer:
                content = bytearray()
                for chunk in answer.iter_raw():
                    content += chunk
                    if len(content) > self._limits.max_bytes:
                        raise VendorFailed(f"{self._vendor} sent more than {self._limits.max_bytes:,} bytes at once.")
                    if time.monotonic() > ends_at:
                        raise TryLater(f"{self._vendor} took longer than {self._limits.total_s:g} s to answer.")
                headers = {name.lower(): value for name, value in answer.headers.items()}
                return Reply(answer.status_code, headers, bytes(content))
        except httpx.TimeoutException:
            raise TryLater(f"{self._vendor} did not answer within {self._limits.read_s:g} s.") from None
        except httpx.HTTPError as error:
            log.warning("%s could not be asked: %s", self._vendor, type(error).__name__)
            raise TryLater(f"{self._vendor} could not be reached, or broke off. Try again in a few minutes.") from None

    def _is_soon(self, error: BaseException) -> bool:
        if not isinstance(error, TryLater) or error.is_far_off:
            return False
        return (error.retry_after_s or 0.0) <= self._limits.longest_wait_s

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after_s if isinstance(error, TryLater) else None
        grows = wait_exponential(multiplier=self._limits.first_wait_s, max=self._limits.longest_wait_s)(state)
        return max(asked if asked is not None else grows, 0.0) + wait_random(0, self._limits.first_wait_s)(state)


def checked_base(url: str) -> str:
    """The address that paths are put behind. Raises ValueError for one without https, unless it is this machine."""
    parts = urlsplit(url)
    is_here = parts.scheme == "http" and parts.hostname in LOOPBACK
    if not parts.hostname or not (parts.scheme == "https" or is_here) or parts.query or parts.fragment:
        raise ValueError(f"{url!r} is no address to send a practice's access to; give one that begins with https://.")
    return url.rstrip("/")


def retry_after(header: str, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks to wait: a number, or until a date; None for what cannot be read."""
    text = header.strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,6})?", text):
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - now).total_seconds())


@functools.cache
def _tls() -> ssl.SSLContext:
    """The certificate authorities, read once: SSL_CERT_FILE names an installation's own."""
    return httpx.create_ssl_context()
