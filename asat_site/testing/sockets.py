"""Forbids sockets to anything but this machine, for the whole suite: AsAt must work on a machine with no way out.

Python's own sockets are covered here, and those of child processes through `unplugged/sitecustomize.py`. libpq opens
its own; the suite gives it loopback addresses alone.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Any


class Unplugged(RuntimeError):
    """Something tried to reach beyond this machine."""


def forbid_outbound() -> None:
    """From now on connecting or resolving beyond loopback raises Unplugged. Calling it twice changes nothing."""
    if getattr(socket.socket, "asat_unplugged", False):
        return
    real_connect, real_connect_ex = socket.socket.connect, socket.socket.connect_ex
    real_sendto, real_getaddrinfo = socket.socket.sendto, socket.getaddrinfo

    def connect(self: socket.socket, address: Any) -> None:
        _refuse_far(self.family, address)
        real_connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        _refuse_far(self.family, address)
        return real_connect_ex(self, address)

    def sendto(self: socket.socket, data: Any, *rest: Any) -> int:
        _refuse_far(self.family, rest[-1])
        return real_sendto(self, data, *rest)

    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_near(host):
            raise Unplugged(f"The suite is unplugged; something asked for the address of {host!r}.")
        return real_getaddrinfo(host, *args, **kwargs)

    socket.socket.connect = connect  # type: ignore[assignment,method-assign]
    socket.socket.connect_ex = connect_ex  # type: ignore[assignment,method-assign]
    socket.socket.sendto = sendto  # type: ignore[assignment,method-assign]
    socket.getaddrinfo = getaddrinfo
    socket.socket.asat_unplugged = True  # type: ignore[attr-defined]


def is_near(host: Any) -> bool:
    """Whether this host is this machine: a loopback address, localhost or a name under it, or any address to bind."""
    if host is None or host in ("", b""):
        return True
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    text = text.lower().rstrip(".").split("%")[0]
    if text == "localhost" or text.endswith(".localhost") or text == socket.gethostname().lower():
        return True
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _refuse_far(family: int, address: Any) -> None:
    if family in (socket.AF_INET, socket.AF_INET6) and not is_near(address[0]):
        raise Unplugged(f"The suite is unplugged; something tried to reach {address[0]}.")
