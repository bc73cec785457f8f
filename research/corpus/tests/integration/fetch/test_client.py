"""The Register asked over HTTP: three outcomes, whole lists or none, and manners that hold whatever it does."""

from __future__ import annotations

import ipaddress
import ssl
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from asat_site.testing.register import FakeRegister, register_with
from asat_site.testing.register_catalogue import Title, Trouble, Version
from research.corpus.ingest.fetch.client import RegisterClient
from research.corpus.ingest.fetch.hosts import RegisterHosts
from research.corpus.ingest.fetch.outcomes import Absent, Found, NotChecked
from research.corpus.ingest.fetch.transport import Manners, Transport
from research.corpus.tests.integration.fetch.conftest import FERRIES, LIGHTS, Waits, ferries
from research.law.instruments import KnownAct

Make = Callable[..., RegisterClient]


def not_checked(outcome: object) -> str:
    assert isinstance(outcome, NotChecked), outcome
    return outcome.reason


def test_a_title_is_found_by_its_id(client: RegisterClient, register: FakeRegister) -> None:
    found = client.title(FERRIES)
    assert isinstance(found, Found)
    assert (found.value.title_id, found.value.name) == (FERRIES, "Harbour Dues and Ferries Act 1999")
    assert register.paths() == [f"/v1/Titles('{FERRIES}')"]


def test_an_unknown_id_is_absent_only_when_an_empty_list_says_so(
    client: RegisterClient, register: FakeRegister
) -> None:
    """The Register answers 400 for it, and sometimes 400 when it is overloaded."""
    assert client.title("C1999A99999") == Absent("The Register has no title C1999A99999.")
    assert len(register.asked) == 2
    register.misbehave(Trouble.STATUS, "Titles('", status=400)
    assert isinstance(client.title(FERRIES), Found)
    register.misbehave(Trouble.STATUS, "Titles('", status=404)
    register.misbehave(Trouble.STATUS, "Titles?", status=400)
    assert "400" in not_checked(client.title("C1999A99999"))


@pytest.mark.parametrize(
    "title_id", ["", "x", "C1999A1234", "C1999A00123'", "../Titles", "c1999a00123", "C1999A00123/…"]
)
def test_what_is_no_title_id_is_refused_before_asking(
    client: RegisterClient, register: FakeRegister, title_id: str
) -> None:
    for ask in (client.title, client.versions):
        with pytest.raises(ValueError, match="is not a title id; give one like C2004A05138"):
            ask(title_id)
    assert register.asked == []


@pytest.mark.parametrize(
    ("name", "title_id"),
    [
        ("Harbour Dues and Ferries Act 1999", FERRIES),
        ("harbour dues AND ferries act 1999", FERRIES),
        ("Harbour Dues Act 1999", FERRIES),  # a former name: the Act found has another now
        ("Channel Lights", LIGHTS),
    ],
)
def test_an_act_is_found_by_a_name_it_has_or_had(client: RegisterClient, name: str, title_id: str) -> None:
    found = client.title_of(KnownAct("X", name, "", "x"))
    assert isinstance(found, Found)
    assert found.value.title_id == title_id


def test_a_name_that_several_acts_answer_to_is_not_guessed_at(client: RegisterClient, register: FakeRegister) -> None:
    register.titles.append(Title("C2002A00001", "Harbour Lights (Pilot's) Act 2002", []))
    register.titles.append(
        Title("F2003L00001", "Ferries' Timetable Rules 2003", [], collection="LegislativeInstrument")
    )
    assert "C2002A00001 Harbour Lights (Pilot's) Act 2002" in not_checked(client.title_named("Harbour"))
    exact = client.title_named("Harbour Lights (Pilot's) Act 2002")
    assert isinstance(exact, Found)
    assert exact.value.title_id == "C2002A00001"
    assert client.title_named("Ferries' Timetable") == Absent(
        'The Register has no Act by the name "Ferries\' Timetable", now or formerly.'
    )


def test_every_version_is_listed_in_order(client: RegisterClient) -> None:
    found = client.versions(FERRIES)
    assert isinstance(found, Found)
    assert [(row.start.year, row.register_id) for row in found.value] == [
        (1999, "C1999A00123"),
        (2015, "C2015C00001"),
        (2015, "C2015C00200"),
        (2020, None),
    ]


def many(count: int) -> Title:
    first = date(1990, 1, 1)
    rows = [Version(first + timedelta(days=10 * n), f"C{1990 + n // 90}C{n:05}", str(n)) for n in range(count)]
    return Title("C1990A00007", "Buoys Act 1990", rows)


@pytest.mark.parametrize(("count", "pages"), [(99, 1), (100, 2), (201, 3), (266, 3)])
def test_a_long_list_is_read_to_its_end_in_pages_of_a_hundred(
    client: RegisterClient, register: FakeRegister, count: int, pages: int
) -> None:
    register.titles.append(many(count))
    found = client.versions("C1990A00007")
    assert isinstance(found, Found)
    assert [row.compilation_number for row in found.value] == [str(n) for n in range(count)]
    assert len(register.asked) == pages
    assert all("$top=100" in path and "$orderby=start,retrospectiveStart" in path for path in register.paths())


def test_a_page_that_repeats_a_row_stops_the_list(client: RegisterClient, register: FakeRegister) -> None:
    register.titles.append(many(150))
    register.misbehave(Trouble.REPEATS_A_ROW, "$skip=100")
    assert "each row once; the pages overlap" in not_checked(client.versions("C1990A00007"))


def test_a_page_that_fails_stops_the_list(client: RegisterClient, register: FakeRegister) -> None:
    register.titles.append(many(150))
    register.misbehave(Trouble.STATUS, "$skip=100", times=3, status=500)
    assert "it answered 500. Try again later" in not_checked(client.versions("C1990A00007"))


def test_an_answer_of_another_title_is_not_taken(client: RegisterClient, register: FakeRegister) -> None:
    register.misbehave(Trouble.OTHER_TITLE)
    assert f"wanted {FERRIES}, as asked" in not_checked(client.versions(FERRIES))


@pytest.mark.parametrize(
    ("trouble", "more", "said"),
    [
        (Trouble.STATUS, {"status": 500}, "it answered 500. Try again later."),
        (Trouble.STATUS, {"status": 503}, "it answered 503. Try again later."),
        (Trouble.STATUS, {"status": 429}, "it answered 429. Try again later."),
        (Trouble.STATUS, {"status": 408}, "it answered 408. Try again later."),
        (Trouble.UNAVAILABLE, {}, "the service is unavailable. Try again later."),
        (Trouble.RESET, {}, "the connection broke off in the middle of the answer. Try again later."),
    ],
)
def test_trouble_upstream_is_tried_again_and_is_never_absence(
    client: RegisterClient, register: FakeRegister, trouble: Trouble, more: dict[str, Any], said: str
) -> None:
    register.misbehave(trouble, times=2, **more)
    assert isinstance(client.versions(FERRIES), Found)
    assert len(register.asked) == 3
    register.misbehave(trouble, times=3, **more)
    assert said in not_checked(client.versions(FERRIES))
    assert len(register.asked) == 6


@pytest.mark.parametrize(
    ("trouble", "more", "said"),
    [
        (Trouble.STATUS, {"status": 400}, "it answered 400 (it does not accept the question)"),
        (Trouble.STATUS, {"status": 403}, "it turns this computer away"),
        (Trouble.STATUS, {"status": 404}, "it answered 404"),
        (Trouble.STATUS, {"status": 304}, "it answered 304"),
        (Trouble.SHELL, {}, "it answered a page where JSON was wanted"),
        (Trouble.NOT_JSON, {}, "bytes that are not JSON"),
        (Trouble.OVERSIZE, {}, "it answered more than 100,000 bytes"),
        (Trouble.OVERSIZE_UNTOLD, {}, "it answered more than 100,000 bytes"),
        (
            Trouble.REDIRECT,
            {"location": "https://example.com/v1/Versions"},
            "leads to https://example.com, which is not",
        ),
        (Trouble.REDIRECT, {"location": "http://169.254.169.254/"}, "which is not the Register's"),
    ],
)
def test_an_answer_that_will_not_change_is_asked_for_once(
    client_of: Make, register: FakeRegister, trouble: Trouble, more: dict[str, Any], said: str
) -> None:
    client = client_of(max_listing_bytes=100_000)
    register.misbehave(trouble, **more)
    assert said in not_checked(client.versions(FERRIES))
    assert len(register.asked) == 1


def test_redirects_within_the_register_are_followed_three_times_at_most(
    client: RegisterClient, register: FakeRegister
) -> None:
    register.misbehave(Trouble.REDIRECT, "Titles(", times=3, location=f"/v1/Titles('{FERRIES}')")
    assert isinstance(client.title(FERRIES), Found)
    register.misbehave(Trouble.REDIRECT, "Titles(", times=4, location=f"/v1/Titles('{FERRIES}')")
    assert "it redirected more than 3 times" in not_checked(client.title(FERRIES))


def test_nobody_listening_is_not_checked(register: FakeRegister, client: RegisterClient) -> None:
    with register_with() as gone:
        hosts = RegisterHosts(gone.api, gone.site)
    with RegisterClient(hosts, Manners(gap_s=0, tries=2, first_wait_s=0.01)) as other:
        assert not_checked(other.title(FERRIES)) == (
            "The Register could not be asked: no connection could be made. Try again later."
        )


@pytest.mark.parametrize("trouble", [Trouble.DRIP, Trouble.DRIP_HEADERS])
def test_an_answer_that_drips_is_cut_off_when_its_time_is_up(
    client_of: Make, register: FakeRegister, trouble: Trouble
) -> None:
    client = client_of(listing_total_s=0.3, tries=1)
    register.misbehave(trouble)
    began = time.monotonic()
    assert "the answer took more than 0.3 seconds" in not_checked(client.versions(FERRIES))
    assert time.monotonic() - began < 2


def test_requests_keep_their_distance(client: RegisterClient, waits: Waits) -> None:
    for _ in range(3):
        client.title(FERRIES)
    assert waits.slept == [1.5, 1.5]


def test_the_wait_that_the_register_asks_for_is_kept(
    client: RegisterClient, register: FakeRegister, waits: Waits
) -> None:
    register.misbehave(Trouble.STATUS, status=429, headers={"Retry-After": "40"})
    assert isinstance(client.title(FERRIES), Found)
    assert waits.slept[0] == 40


def test_a_longer_wait_than_is_waited_is_not_cut_short(
    client: RegisterClient, register: FakeRegister, waits: Waits
) -> None:
    register.misbehave(Trouble.STATUS, status=503, headers={"Retry-After": "3600"})
    assert "asks to be left alone for 3,600 seconds" in not_checked(client.title(FERRIES))
    assert (len(register.asked), waits.slept) == (1, [])


def test_a_retry_after_date_is_read(client: RegisterClient, register: FakeRegister) -> None:
    register.misbehave(Trouble.STATUS, status=503, headers={"Retry-After": "Fri, 01 Jan 2100 00:00:00 GMT"})
    assert "asks to be left alone for" in not_checked(client.title(FERRIES))
    register.misbehave(Trouble.STATUS, status=503, headers={"Retry-After": "Fri, 01 Jan 1999 00:00:00 GMT"})
    assert isinstance(client.title(FERRIES), Found)
    register.misbehave(Trouble.STATUS, status=503, headers={"Retry-After": "soon"})
    assert isinstance(client.title(FERRIES), Found)


def test_waits_between_tries_grow(client_of: Make, register: FakeRegister, waits: Waits) -> None:
    client = client_of(gap_s=0, tries=4, first_wait_s=2)
    register.misbehave(Trouble.STATUS, times=4)
    client.title(FERRIES)
    assert [int(wait) for wait in waits.slept] == pytest.approx([2, 4, 8], abs=1)
    assert waits.slept == sorted(waits.slept)


def test_the_client_says_who_asks(register: FakeRegister) -> None:
    hosts = RegisterHosts(register.api, register.site)
    with RegisterClient(hosts, Manners(gap_s=0), contact="law@ashby.example") as client:
        client.title(FERRIES)
    agent = register.asked[0].headers["User-Agent"]
    assert agent.startswith("AsAt/")
    assert "law@ashby.example" in agent


def test_listed_files_are_those_of_the_day_on_which_a_version_starts(
    client: RegisterClient, register: FakeRegister
) -> None:
    versions = client.versions(FERRIES)
    assert isinstance(versions, Found)
    found = client.documents(versions.value[1])
    assert isinstance(found, Found)
    assert {row.register_id for row in found.value} == {"C2015C00001"}
    assert {row.format.value for row in found.value} == {"Epub", "Word", "Pdf"}
    assert not any("Z" in path for path in register.paths("Documents"))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1 that nobody vouches for, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "The tests' Register")])
    made = datetime.now(UTC)
    builder = x509.CertificateBuilder(
        name, name, key.public_key(), x509.random_serial_number(), made, made + timedelta(1)
    )
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = builder.add_extension(here, critical=False).sign(key, hashes.SHA256())
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path = tmp_path_factory.mktemp("tls") / "certificate.pem"
    path.write_bytes(signed.public_bytes(Encoding.PEM) + private)
    return path


@pytest.mark.parametrize("trouble", [Trouble.DRIP, Trouble.DRIP_HEADERS])
def test_time_is_up_over_tls_too(certificate: Path, trouble: Trouble) -> None:
    """TLS wraps the socket anew: closing the one that was connected would do nothing."""
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with register_with(ferries(), tls=serving) as register:
        hosts = RegisterHosts(register.api, register.site)
        transport = Transport(hosts, Manners(gap_s=0, tries=1, listing_total_s=0.5), "AsAt/test", tls=trusting)
        with RegisterClient(transport=transport) as client:
            assert isinstance(client.title(FERRIES), Found)
            register.misbehave(trouble)
            began = time.monotonic()
            assert "the answer took more than 0.5 seconds" in not_checked(client.title(FERRIES))
            assert time.monotonic() - began < 2


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(certificate: Path) -> None:
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate)
    with register_with(ferries(), tls=serving) as register:
        hosts = RegisterHosts(register.api, register.site)
        with RegisterClient(hosts, Manners(gap_s=0, tries=1)) as client:
            assert "no connection could be made" in not_checked(client.title(FERRIES))
        assert register.asked == []
