"""A fictional law on a fake Register, and a client that asks it without waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

import pytest

from asat_site.testing.register import FakeRegister, register_with
from asat_site.testing.register_catalogue import Title, Version, small_epub
from research.corpus.ingest.fetch.client import RegisterClient
from research.corpus.ingest.fetch.hosts import RegisterHosts
from research.corpus.ingest.fetch.transport import Manners, Transport

FERRIES = "C1999A00123"
LIGHTS = "C2001A00044"
MADE, FIRST, SECOND = "C1999A00123", "C2015C00001", "C2015C00200"
TODAY = date(2024, 3, 1)


def now() -> datetime:
    return datetime(2024, 3, 1, 2, 0, tzinfo=UTC)


def ferries() -> Title:
    """Three texts, and an amendment commenced in 2020 whose text is not published."""
    return Title(
        FERRIES,
        "Harbour Dues and Ferries Act 1999",
        [
            Version(date(1999, 12, 1), MADE, "0", epub={0: small_epub("As made. " * 40)}),
            Version(date(2015, 1, 1), FIRST, "1", epub={0: small_epub("First compilation. " * 40)}),
            Version(date(2015, 7, 1), SECOND, "2", epub={0: small_epub("Second compilation. " * 40)}),
            Version(date(2020, 1, 1), amended_by="Ferries Amendment Act 2019"),
        ],
        former_names=("Harbour Dues Act 1999",),
    )


def lights() -> Title:
    """A law of one version, whose files come in envelopes."""
    made = Version(date(2001, 3, 1), LIGHTS, None, epub={0: small_epub("Lights are lit at dusk.")})
    return Title(LIGHTS, "Channel Lights Act 2001", [made], as_envelope=True)


@dataclass
class Waits:
    """A clock that moves by what is slept."""

    at: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds

    def clock(self) -> float:
        return self.at


@pytest.fixture
def register() -> Iterator[FakeRegister]:
    with register_with(ferries(), lights()) as running:
        yield running


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def client_of(register: FakeRegister, waits: Waits) -> Iterator[Callable[..., RegisterClient]]:
    """Makes a client of the fake Register; its arguments are those of Manners."""
    opened = []

    def make(**manners: float) -> RegisterClient:
        bounds = {"connect_s": 2.0, "read_s": 2.0, "listing_total_s": 5.0, "file_total_s": 5.0, "tries": 3} | manners
        hosts = RegisterHosts(register.api, register.site)
        transport = Transport(hosts, Manners(**bounds), "AsAt/test", sleep=waits.sleep, clock=waits.clock)  # type: ignore[arg-type]
        opened.append(RegisterClient(transport=transport))
        return opened[-1]

    yield make
    for client in opened:
        client.close()


@pytest.fixture
def client(client_of: Callable[..., RegisterClient]) -> RegisterClient:
    return client_of()
