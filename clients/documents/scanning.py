"""Whether a file is known to do harm: asked of a virus scanner before anything opens it.

Where no scanner is set nothing is asked, and files are opened in a bounded process all the same. An answer that did
not come, or is not understood, is none: the file waits.
"""

from __future__ import annotations

import socket
import struct
import time
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from django.conf import settings

CHUNK = 64 * 1024
MOST_ANSWER_BYTES = 4096


class NotScanned(Exception):
    """The scanner gave no verdict; says why in a sentence."""


class Scanner(Protocol):
    """What looks at the bytes of a file."""

    def look(self, content: bytes) -> str:
        """What was found, by its name; "" where nothing was. Raises NotScanned."""
        ...


class NoScanner:
    """Where none is set: nothing is looked for."""

    def look(self, content: bytes) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Clamd:
    """ClamAV's daemon, by its INSTREAM command. address: host and port, or the path of a socket. answer_s: for all."""

    address: tuple[str, int] | str
    connect_s: float = 5.0
    answer_s: float = 120.0

    def look(self, content: bytes) -> str:
        """As Scanner. A file longer than the daemon's StreamMaxLength gets no verdict."""
        try:
            answer = self._answer(content)
        except OSError as error:
            raise NotScanned("The virus scanner does not answer.") from error
        if answer == "stream: OK":
            return ""
        found = answer.removeprefix("stream: ").removesuffix(" FOUND")
        if answer == f"stream: {found} FOUND" and found.isprintable() and found.strip():
            return found[:100]
        if answer.startswith("INSTREAM size limit exceeded"):
            raise NotScanned("The file is longer than the virus scanner takes: its StreamMaxLength is below 50 MB.")
        raise NotScanned("The virus scanner’s answer is not understood.")

    def _answer(self, content: bytes) -> str:
        until = time.monotonic() + self.answer_s
        with self._connected() as to:

            def send(part: bytes) -> None:
                to.settimeout(max(0.001, until - time.monotonic()))
                to.sendall(part)

            try:
                send(b"zINSTREAM\0")
                for at in range(0, len(content), CHUNK):
                    part = content[at : at + CHUNK]
                    send(struct.pack("!L", len(part)) + part)
                send(struct.pack("!L", 0))
            except (BrokenPipeError, ConnectionResetError):
                pass  # one that refuses a long file says so and hangs up while it is still sent
            answer = b""
            while len(answer) < MOST_ANSWER_BYTES and not answer.endswith(b"\0"):
                to.settimeout(max(0.001, until - time.monotonic()))
                part = to.recv(MOST_ANSWER_BYTES)
                if not part:
                    break
                answer += part
        return answer.partition(b"\0")[0].decode("utf-8", "replace").strip()

    def _connected(self) -> socket.socket:
        if isinstance(self.address, tuple):
            return socket.create_connection(self.address, self.connect_s)
        to = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        to.settimeout(self.connect_s)
        try:
            to.connect(self.address)
        except OSError:
            to.close()
            raise
        return to


def scanner() -> Scanner:
    """The one that ASAT_VIRUS_SCANNER names. Raises ValueError for what names none."""
    return scanner_of(settings.ASAT_VIRUS_SCANNER)


def scanner_of(said: str) -> Scanner:
    """As `scanner`, of the setting's words: "", clamd://host:port, or clamd:///path/to/socket."""
    if not said:
        return NoScanner()
    wanted = f"ASAT_VIRUS_SCANNER is {said!r}; give clamd://HOST:PORT or clamd:///PATH/TO/SOCKET, or leave it out."
    parts = urlsplit(said)
    try:
        port = parts.port
    except ValueError:
        raise ValueError(wanted) from None
    if parts.scheme != "clamd" or parts.query or parts.fragment or parts.username:
        raise ValueError(wanted)
    if parts.hostname and port and parts.path in ("", "/"):
        return Clamd((parts.hostname, port))
    if not parts.netloc and len(parts.path) > 1:
        return Clamd(parts.path)
    raise ValueError(wanted)
