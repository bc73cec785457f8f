"""Where a language model may be asked: what an address may look like, and what it may resolve to."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from research.adapters.generators.addresses import addresses_of, host_of, is_remote, place_of
from research.model_terms import ModelFailed, ModelProblem

pytestmark = pytest.mark.unit


def resolve_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    def getaddrinfo(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr("research.adapters.generators.addresses.socket.getaddrinfo", getaddrinfo)


@pytest.mark.parametrize(
    ("address", "url", "host", "port"),
    [
        ("https://api.example.com/v1", "https://api.example.com/v1", "api.example.com", 443),
        (" https://api.example.com/v1/ ", "https://api.example.com/v1", "api.example.com", 443),
        ("https://api.example.com:8443", "https://api.example.com:8443", "api.example.com", 8443),
        ("https://10.0.0.8/v1", "https://10.0.0.8/v1", "10.0.0.8", 443),
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1", "127.0.0.1", 8080),
        ("http://localhost", "http://localhost", "localhost", 80),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1", "::1", 8080),
        ("http://model.localhost:1234", "http://model.localhost:1234", "model.localhost", 1234),
    ],
)
def test_an_installation_may_name_https_anywhere_and_http_on_this_machine(
    address: str, url: str, host: str, port: int
) -> None:
    place = place_of(address)
    assert (place.url, place.host, place.port) == (url, host, port)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("http://api.example.com/v1", "api.example.com would be asked over plain http"),
        ("http://192.168.1.20:11434", "192.168.1.20 would be asked over plain http"),
        ("http://localhost.example.com", "over plain http"),
        ("http://127.0.0.1.example.com", "over plain http"),
        ("ftp://127.0.0.1/v1", "not a web address"),
        ("file:///etc/passwd", "not a web address"),
        ("api.example.com/v1", "not a web address"),
        ("https:///v1", "not a web address"),
        ("", "not a web address"),
        ("https://user:secret-word@api.example.com/v1", "holds a user name or a password"),
        ("https://api.example.com/v1?key=secret-word", "has a query"),
        ("https://api.example.com/v1#secret-word", "has a query"),
        ("https://api.example.com:port/v1", "not one that can be read"),
        ("https://[::1/v1", "not one that can be read"),
        ("https://api.example.com:0/v1", "not one that can be read"),
        ("https://api.exa\nmple.com/v1", "not one that can be read"),
        ("https://api example.com/v1", "not one that can be read"),
        ("https://api.example.com\\.evil.example/v1", "not one that can be read"),
        ("https://１２７.0.0.1/v1", "not one that can be read"),
    ],
)
def test_any_other_address_is_refused_without_repeating_what_may_be_secret(address: str, says: str) -> None:
    with pytest.raises(ModelFailed) as caught:
        place_of(address)
    assert caught.value.problem is ModelProblem.ADDRESS_REFUSED
    assert says in caught.value.message
    assert "secret-word" not in caught.value.message


PRIVATE = [
    "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1",
    "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1", "2001:db8::1",
    "fec0::1",
]  # fmt: skip


@pytest.mark.security
@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_a_practice_gave_may_not_resolve_into_a_private_network(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    resolve_to(monkeypatch, address)
    place = place_of("https://models.example.com/v1", is_from_practice=True)
    with pytest.raises(ModelFailed) as caught:
        addresses_of(place)
    assert caught.value.problem is ModelProblem.ADDRESS_REFUSED
    assert "models.example.com is an address inside a private network" in caught.value.message


@pytest.mark.security
@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_a_practice_gave_may_not_be_private_itself(address: str) -> None:
    written = f"[{address}]" if ":" in address else address
    with pytest.raises(ModelFailed) as caught:
        place_of(f"https://{written}/v1", is_from_practice=True)
    assert caught.value.problem is ModelProblem.ADDRESS_REFUSED


@pytest.mark.security
@pytest.mark.parametrize("address", ["http://localhost:8080/v1", "https://localhost/v1", "https://a.localhost/v1"])
def test_a_practice_may_not_name_this_machine(address: str) -> None:
    with pytest.raises(ModelFailed) as caught:
        place_of(address, is_from_practice=True)
    assert caught.value.problem is ModelProblem.ADDRESS_REFUSED


@pytest.mark.security
def test_one_private_address_among_public_ones_is_enough_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, "93.184.215.14", "10.0.0.1")
    with pytest.raises(ModelFailed):
        addresses_of(place_of("https://models.example.com/v1", is_from_practice=True))


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:4700::1111", "::ffff:93.184.215.14", "64:ff9b::808:808"])
def test_a_public_address_is_connected_to_as_it_resolved(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    resolve_to(monkeypatch, address, address)
    place = place_of("https://models.example.com/v1", is_from_practice=True)
    assert addresses_of(place) == [address]


def test_an_installation_may_name_a_private_network_over_https(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, "10.0.0.1")
    assert addresses_of(place_of("https://models.internal/v1")) == ["10.0.0.1"]


@pytest.mark.security
def test_plain_http_to_a_name_of_this_machine_that_resolves_elsewhere_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resolve_to(monkeypatch, "93.184.215.14")
    with pytest.raises(ModelFailed) as caught:
        addresses_of(place_of("http://localhost:8080/v1"))
    assert caught.value.problem is ModelProblem.ADDRESS_REFUSED


def test_a_name_without_an_address_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    def getaddrinfo(*args: Any, **kwargs: Any) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr("research.adapters.generators.addresses.socket.getaddrinfo", getaddrinfo)
    with pytest.raises(ModelFailed) as caught:
        addresses_of(place_of("https://models.example.com/v1"))
    assert caught.value.problem is ModelProblem.UNREACHABLE
    assert "models.example.com has no address" in caught.value.message


@pytest.mark.parametrize(
    ("address", "host", "remote"),
    [
        ("http://127.0.0.1:8080/v1", "127.0.0.1", False),
        ("http://localhost/v1", "localhost", False),
        ("http://[::1]/v1", "::1", False),
        ("https://api.example.com./v1", "api.example.com", True),
        ("https://10.0.0.1/v1", "10.0.0.1", True),
        ("https://[::1/v1", "", True),
        ("", "", True),
    ],
)
def test_host_and_whether_it_is_remote_can_be_said_of_any_address(address: str, host: str, remote: bool) -> None:
    assert (host_of(address), is_remote(address)) == (host, remote)
