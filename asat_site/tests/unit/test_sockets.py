"""What counts as this machine, and what the unplugged suite refuses."""

from __future__ import annotations

import socket

import pytest

from asat_site.testing.sockets import Unplugged, is_near


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.9.9.9", "::1", "localhost", "ashby.localhost", "0.0.0.0", "", None, b"127.0.0.1"]
)
def test_this_machine_is_near(host: object) -> None:
    assert is_near(host)


@pytest.mark.parametrize(
    "host", ["10.0.0.1", "192.0.2.1", "example.com", "localhost.example.com", "2001:db8::1", "notlocalhost", b"1.1.1.1"]
)
def test_everything_else_is_far(host: object) -> None:
    assert not is_near(host)


@pytest.mark.security
def test_a_socket_to_anywhere_else_is_refused() -> None:
    with socket.socket() as outgoing, pytest.raises(Unplugged):
        outgoing.connect(("192.0.2.1", 80))
    with socket.socket() as outgoing, pytest.raises(Unplugged):
        outgoing.connect_ex(("192.0.2.1", 80))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outgoing, pytest.raises(Unplugged):
        outgoing.sendto(b"x", ("192.0.2.1", 53))
    with pytest.raises(Unplugged):
        socket.create_connection(("example.com", 443), 1)
