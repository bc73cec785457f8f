"""Where a language model may be asked: https anywhere, plain http on this machine alone, and of an address that a
practice gave only what is reached over the public Internet.

A name is resolved once and the connection made to what it resolved to, so that the address judged is the one used.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from research.model_terms import ModelFailed, ModelProblem

IP = ipaddress.IPv4Address | ipaddress.IPv6Address
NAT64 = ipaddress.ip_network("64:ff9b::/96")
PORTS = {"http": 80, "https": 443}
WRITABLE = re.compile(r"[!-\[\]-~]*")  # what is read one way by everybody: no blank, backslash or foreign letter


@dataclass(frozen=True, slots=True)
class Place:
    """A base URL taken apart. url: without a slash at its end. is_from_practice: given by a practice's own settings."""

    url: str
    scheme: str
    host: str
    port: int
    is_from_practice: bool = False


def place_of(base_url: str, is_from_practice: bool = False) -> Place:
    """The place that a base URL names. Raises ModelFailed (ADDRESS_REFUSED) for one that may not be asked."""
    try:
        parts = urlsplit(base_url.strip())
        port = parts.port
        if port == 0 or not WRITABLE.fullmatch(base_url.strip()):
            raise ValueError
    except ValueError as error:
        raise _refused(
            "the address of the model is not one that can be read", "give one like https://host/v1"
        ) from error
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme not in PORTS or not host:
        raise _refused("the address of the model is not a web address", "give one like https://host/v1")
    if parts.username is not None or parts.password is not None:
        raise _refused(
            "the address of the model holds a user name or a password", "give the key apart from the address"
        )
    if parts.query or parts.fragment:
        raise _refused("the address of the model has a query", "give only scheme, host and path, like https://host/v1")
    if parts.scheme == "http" and not _is_this_machine(host):
        raise _refused(
            f"{host} would be asked over plain http, where what is sent can be read on the way",
            "give an https address; plain http is for this machine alone",
        )
    place = Place(base_url.strip().rstrip("/"), parts.scheme, host, port or PORTS[parts.scheme], is_from_practice)
    literal = _as_ip(host)
    if is_from_practice and (_is_this_machine(host) or (literal and not _is_public(literal))):
        raise _not_public(host)
    return place


def host_of(base_url: str) -> str:
    """The host that a base URL names, "" where none can be read. Raises nothing."""
    try:
        return (urlsplit(base_url.strip()).hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_remote(base_url: str) -> bool:
    """Whether what is sent to a base URL leaves this machine, as far as its name says; True where it is unreadable."""
    return not _is_this_machine(host_of(base_url))


def addresses_of(place: Place) -> list[str]:
    """The IP addresses to connect to, in the resolver's order, every one of them allowed.

    Raises ModelFailed: ADDRESS_REFUSED where any is not, UNREACHABLE where the name has none.
    """
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        raise ModelFailed(
            ModelProblem.UNREACHABLE,
            f"The model could not be reached: the name {place.host} has no address. Check its address in the settings.",
        ) from error
    addresses = list(dict.fromkeys(str(sockaddr[0]).split("%")[0] for *_, sockaddr in found))
    _judge(place, [ipaddress.ip_address(address) for address in addresses])
    return addresses


def _judge(place: Place, addresses: Sequence[IP]) -> None:
    """Raises ModelFailed if any address is one that this place may not lead to."""
    if place.scheme == "http" and not all(address.is_loopback for address in addresses):
        raise _refused(
            f"{place.host} is asked over plain http and is not on this machine", "give an https address for it"
        )
    if place.is_from_practice and not all(_is_public(address) for address in addresses):
        raise _not_public(place.host)


def _is_public(address: IP) -> bool:
    """Whether an address is on the public Internet, and any address within it too (mapped, 6to4, NAT64)."""
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    if address.version == 6 and address in NAT64:
        inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    if inner is not None and not _is_public(inner):
        return False
    if inner is not None:
        return True
    is_local = isinstance(address, ipaddress.IPv6Address) and address.is_site_local
    return address.is_global and not (address.is_multicast or address.is_reserved or is_local)


def _is_this_machine(host: str) -> bool:
    literal = _as_ip(host)
    return literal.is_loopback if literal else host == "localhost" or host.endswith(".localhost")


def _as_ip(host: str) -> IP | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _not_public(host: str) -> ModelFailed:
    return _refused(
        f"{host} is an address inside a private network",
        "a practice can name only models on the public Internet; whoever runs this AsAt can name others",
    )


def _refused(what: str, advice: str) -> ModelFailed:
    return ModelFailed(ModelProblem.ADDRESS_REFUSED, f"The model was not asked: {what}. To do: {advice}.")
