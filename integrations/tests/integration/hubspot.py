"""What the tests of the import share: a practice that is connected with a fake HubSpot, and a worker's loop by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings as django_settings

from asat_site.tenancy.context import in_practice
from asat_site.testing.hubspot_server import TOKEN, Contract, HubSpotAccount, hubspot_server
from asat_site.testing.practices import KnownPractice
from integrations.hubspot import connecting, importing, runs
from integrations.hubspot.api import LIMITS, HubSpot
from integrations.models import Connection, ImportRun

QUICK = replace(LIMITS, read_s=2.0, total_s=4.0, first_wait_s=0.01)
GOOD = "51 824 753 556"


@contextmanager
def fake(contract: Contract | None, **account: Any) -> Iterator[HubSpotAccount]:
    """A fake that the code under test reaches, held to the description where that is on this machine."""
    before = django_settings.ASAT_HUBSPOT_URL
    with hubspot_server(contract, **account) as served:
        django_settings.ASAT_HUBSPOT_URL = served.url
        try:
            yield served
        finally:
            django_settings.ASAT_HUBSPOT_URL = before


def connected(known: KnownPractice, token: str = TOKEN) -> Connection:
    """The connection, made as an owner makes it; within the practice."""
    return connecting.connect(known.users["owner"], token)


class Waits(list[float]):
    """A sleep that does not: what was slept."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def work_off(run: ImportRun, slice_s: float = 60.0, waits: Waits | None = None) -> ImportRun:
    """Do piece after piece, as workers do, until nothing follows; the run as it is then."""
    follows, slept = ImportRun.objects.get(pk=run.pk).attempts, Waits() if waits is None else waits
    for _ in range(400):
        after = importing.work(run.pk, follows, slice_s, lambda found: HubSpot.of(found, sleep=slept, limits=QUICK))
        if after is None:
            return ImportRun.objects.get(pk=run.pk)
        follows = after[0]
        slept.append(after[1])
    raise AssertionError("the import goes on for ever")


def previewed(known: KnownPractice, abn_property: str = "abn", slice_s: float = 60.0) -> ImportRun:
    """A run that was read to its end, or as far as it came."""
    return work_off(runs.begin(known.users["owner"], Connection.objects.get(), abn_property, "ABN"), slice_s)


def imported(known: KnownPractice, slice_s: float = 60.0) -> ImportRun:
    """A run that was read, confirmed and brought in."""
    run = previewed(known, slice_s=slice_s)
    assert run.status == "previewed", run.why
    assert runs.confirm(known.users["owner"], run)
    return work_off(ImportRun.objects.get(pk=run.pk), slice_s)


def fates(run: ImportRun) -> list[tuple[str, str]]:
    """Name and outcome of each company, in the list's order."""
    return list(run.companies.values_list("name", "outcome"))


@contextmanager
def inside(known: KnownPractice) -> Iterator[UUID]:
    """Within the practice, speaking for nobody, as a worker does."""
    with in_practice(known.practice):
        yield known.id


@pytest.fixture(scope="session")
def contract() -> Contract | None:
    """The description of HubSpot's interface; tests of the contract itself are skipped where it is not here."""
    return Contract.find()
