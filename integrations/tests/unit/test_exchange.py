"""One exchange over real HTTP on loopback: its bounds, its retries, and what it never does or shows."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from asat_site.testing.hubspot_server import TOKEN, Fault, HubSpotAccount, company, hubspot_server
from integrations.exchange import Bearer, Exchange, Limits, Reply, checked_base, retry_after
from integrations.terms import LacksScopes, ReconnectRequired, TryLater, VendorFailed

PATH = "/crm/objects/2026-09/companies"


@pytest.fixture
def server() -> Iterator[HubSpotAccount]:
    with hubspot_server(companies=[company(1, "One")]) as served:
        yield served


def judged(reply: Reply) -> VendorFailed | None:
    if reply.status == 200:
        return None
    if reply.status in (429, 503):
        return TryLater("later", reply.retry_after_s)
    return VendorFailed(f"status {reply.status}")


def exchange(server: HubSpotAccount, waits: list[float] | None = None, **limits: object) -> Exchange:
    slept = waits if waits is not None else []
    quick = Limits(**{"read_s": 1.0, "total_s": 2.0, "first_wait_s": 0.1, **limits})  # type: ignore[arg-type]
    return Exchange("Vendor", server.url, judged, auth=Bearer(TOKEN), limits=quick, sleep=slept.append)


def test_a_right_answer_comes_back_whole(server: HubSpotAccount) -> None:
    with exchange(server) as opened:
        reply = opened.send("GET", PATH, params={"limit": "1"})
    assert reply.json()["results"][0]["id"] == "1"
    assert server.requests[0].headers["authorization"] == f"Bearer {TOKEN}"
    assert server.requests[0].headers["accept-encoding"] == "identity"


def test_retry_after_is_kept_and_what_is_asked_too_long_is_left(server: HubSpotAccount) -> None:
    waits: list[float] = []
    server.will(Fault(429, {}, {"Retry-After": "2"}), Fault(503, {}), None)
    with exchange(server, waits) as opened:
        assert opened.send("GET", PATH).status == 200
        assert 2.0 <= waits[0] <= 2.1 and 0.2 <= waits[1] <= 0.3
        server.will(Fault(429, {}, {"Retry-After": "3600"}))
        with pytest.raises(TryLater) as later:
            opened.send("GET", PATH)
    assert (later.value.retry_after_s, len(waits), len(server.requests)) == (3600.0, 2, 4)


def test_tries_end(server: HubSpotAccount) -> None:
    server.will(*[Fault(503, {})] * 9)
    with exchange(server, tries=3) as opened, pytest.raises(TryLater):
        opened.send("GET", PATH)
    assert len(server.requests) == 3


def test_what_must_not_be_sent_twice_is_sent_once(server: HubSpotAccount) -> None:
    server.will(Fault(503, {}))
    with exchange(server) as opened, pytest.raises(TryLater):
        opened.send("GET", PATH, tries=1)
    assert len(server.requests) == 1


@pytest.mark.parametrize("fault", [Fault(drops=True), Fault(cuts_at=20), Fault(slow_s=1.5)])
def test_trouble_with_the_connection_is_later_and_tried_again(server: HubSpotAccount, fault: Fault) -> None:
    server.will(fault)
    with exchange(server) as opened:
        assert opened.send("GET", PATH).status == 200
    assert len(server.requests) == 2


def test_an_answer_that_is_too_large_is_cut_off(server: HubSpotAccount) -> None:
    server.will(Fault(200, "x" * 3000))
    with exchange(server, max_bytes=2000) as opened, pytest.raises(VendorFailed, match="more than 2,000 bytes"):
        opened.send("GET", PATH)


@pytest.mark.security
def test_no_redirect_is_followed(server: HubSpotAccount) -> None:
    with hubspot_server() as elsewhere:
        server.will(Fault(307, "", {"Location": f"{elsewhere.url}{PATH}"}))
        with exchange(server) as opened, pytest.raises(VendorFailed, match="sent us elsewhere"):
            opened.send("GET", PATH)
        assert elsewhere.requests == []


@pytest.mark.security
def test_no_proxy_or_credentials_of_the_environment_are_used(
    server: HubSpotAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hubspot_server() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        with exchange(server) as opened:
            assert opened.send("GET", PATH).status == 200
        assert proxy.requests == []


@pytest.mark.security
def test_only_the_methods_that_were_allowed_are_sent(server: HubSpotAccount) -> None:
    with exchange(server) as opened:
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            with pytest.raises(ValueError, match="is not among what is sent"):
                opened.send(method, PATH)
    assert server.requests == []


@pytest.mark.security
def test_the_token_is_in_no_log_repr_error_or_pickle(server: HubSpotAccount, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server.will(Fault(500, f"<h1>{TOKEN}</h1>"), Fault(drops=True), Fault(drops=True))
    with exchange(server, tries=1) as opened:
        shown = [repr(opened), repr(Bearer(TOKEN)), str(Bearer(TOKEN))]
        for _ in range(2):
            with pytest.raises(VendorFailed) as failed:
                opened.send("GET", PATH)
            shown += [str(failed.value), repr(failed.value), failed.value.message]
    with pytest.raises(TypeError):
        pickle.dumps(Bearer(TOKEN))
    shown.append(repr(Reply(200, {"x": TOKEN}, TOKEN.encode())))
    assert [text for text in [*shown, caplog.text] if TOKEN in text] == []


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "ü"])
def test_a_token_that_no_header_holds_wants_another(token: str) -> None:
    with pytest.raises(ReconnectRequired) as refused:
        Bearer(token)
    assert not token or token not in refused.value.message


@pytest.mark.parametrize(
    "url",
    ["http://api.hubapi.com", "ftp://127.0.0.1", "https://", "https://x.example/?a=b", "", "http://10.0.0.1:80"],
)
def test_an_address_without_tls_is_refused_unless_it_is_this_machine(url: str) -> None:
    with pytest.raises(ValueError, match="is no address"):
        checked_base(url)
    assert checked_base("https://api.hubapi.com/") == "https://api.hubapi.com"
    assert checked_base("http://127.0.0.1:8000") == "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        ("1.5", 1.5),
        (" 3 ", 3.0),
        ("Mon, 30 Nov 2026 10:00:30 GMT", 30.0),
        ("Mon, 30 Nov 2026 09:00:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("9" * 30, None),
    ],
)
def test_retry_after_is_read_as_a_number_or_a_date(header: str, seconds: float | None) -> None:
    assert retry_after(header, datetime(2026, 11, 30, 10, tzinfo=UTC)) == seconds


def test_what_is_missing_is_kept_by_name() -> None:
    assert LacksScopes("x", ("a.read",)).scopes == ("a.read",)
