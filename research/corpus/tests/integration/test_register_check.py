"""The Register asked now and then: what is written down as the app role, and what Status may say of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections
from django.utils import timezone

from asat_site.tenancy.context import current_practice_id
from asat_site.testing.register import FakeRegister, register_with
from asat_site.testing.register_catalogue import Trouble, Version
from research import composition, tasks
from research.corpus import register_check
from research.corpus.ingest.fetch.check import Checked
from research.corpus.ingest.fetch.client import RegisterClient
from research.corpus.ingest.fetch.hosts import RegisterHosts
from research.corpus.ingest.fetch.transport import Manners
from research.corpus.ingest.store import OWNER
from research.corpus.models import Compilation, Instrument, RegisterCheck
from research.corpus.register_check import RegisterLine, check_register, register_lines
from research.corpus.tests.integration.fetch.conftest import FERRIES, FIRST, LIGHTS, SECOND, TODAY, ferries, lights

QUICK = Manners(gap_s=0.0, tries=1, first_wait_s=0.0, read_s=5.0, listing_total_s=5.0)
FERRY_ACT, LIGHT_ACT, LOST_ACT = "T-FERRIES", "T-LIGHTS", "T-LOST"


@pytest.fixture
def register() -> Iterator[FakeRegister]:
    with register_with(ferries(), lights()) as running:
        yield running


@pytest.fixture
def client(register: FakeRegister) -> Iterator[RegisterClient]:
    with RegisterClient(RegisterHosts(register.api, register.site), QUICK) as asking:
        yield asking


@pytest.fixture
def held(services: Any) -> Iterator[None]:
    """Two Acts that the Register has, one older than its newest text, and one that it does not know."""
    mine = Instrument.objects.using(OWNER).filter(pk__in=(FERRY_ACT, LIGHT_ACT, LOST_ACT))
    rows = ((FERRY_ACT, FERRIES, FIRST), (LIGHT_ACT, LIGHTS, LIGHTS), (LOST_ACT, "C1999A99999", "C1999A99999"))
    for code, title_id, register_id in rows:
        act = Instrument.objects.using(OWNER).create(
            code=code, title=code.title(), document_prefix=code.lower(), title_id=title_id
        )
        load(act, register_id)
    yield
    Compilation.objects.using(OWNER).filter(instrument__in=mine).delete()
    mine.delete()


def load(act: Instrument, register_id: str) -> None:
    Compilation.objects.using(OWNER).create(
        instrument=act, dated=date(2015, 1, 1) + timedelta(days=act.compilations.using(OWNER).count()),
        register_id=register_id, licence="CC-BY-4.0", provisions=1, content_sha256=register_id,
    )  # fmt: skip


def lines() -> dict[str, RegisterLine]:
    return {line.instrument: line for line in register_lines() if line.instrument.startswith("T-")}


def ask(client: RegisterClient, **more: Any) -> int | None:
    return check_register(client, TODAY, **more)


def test_what_was_never_asked_about_is_not_checked(held: None) -> None:
    for line in lines().values():
        assert (line.outcome, line.is_up_to_date, line.tried_at) == (Checked.NOT_CHECKED, None, None)


def test_each_instrument_is_asked_about_and_written_down_by_the_app_role(held: None, client: RegisterClient) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == ("asat_app",)
    assert current_practice_id() is None
    assert ask(client) == 3
    found = lines()
    ferry, light, lost = found[FERRY_ACT], found[LIGHT_ACT], found[LOST_ACT]
    assert (ferry.outcome, ferry.is_newer, ferry.is_up_to_date) == (Checked.FOUND, True, False)
    assert (ferry.newest_register_id, ferry.newest_number, ferry.newest_start) == (SECOND, "2", date(2015, 7, 1))
    assert ferry.text_not_current_from == date(2020, 1, 1)
    assert (light.outcome, light.is_newer, light.is_up_to_date, light.in_force) == (Checked.FOUND, False, True, True)
    assert (lost.outcome, lost.is_up_to_date, lost.found_at) == (Checked.ABSENT, None, None)
    assert "no title C1999A99999" in lost.message


def test_what_has_been_loaded_since_is_not_newer_any_more(held: None, client: RegisterClient) -> None:
    ask(client)
    load(Instrument.objects.using(OWNER).get(pk=FERRY_ACT), SECOND)
    ferry = lines()[FERRY_ACT]
    assert (ferry.is_newer, ferry.is_up_to_date) == (False, False)  # its text is still behind the law


@pytest.mark.parametrize(
    "trouble",
    [Trouble.STATUS, Trouble.UNAVAILABLE, Trouble.SHELL, Trouble.NOT_JSON, Trouble.OTHER_TITLE, Trouble.CUT_SHORT],
)
def test_trouble_keeps_what_was_found_and_says_neither_absent_nor_up_to_date(
    held: None, register: FakeRegister, client: RegisterClient, trouble: Trouble
) -> None:
    ask(client)
    before = lines()[LIGHT_ACT]
    register.misbehave(trouble, on=LIGHTS, times=9)
    ask(client)
    after = lines()[LIGHT_ACT]
    assert (after.outcome, after.is_up_to_date) == (Checked.NOT_CHECKED, None)
    assert after.message != before.message
    assert before.tried_at and after.tried_at and after.tried_at > before.tried_at
    for kept in ("found_at", "newest_register_id", "newest_start", "is_newer", "in_force", "text_not_current_from"):
        assert getattr(after, kept) == getattr(before, kept)


def test_a_title_that_the_register_has_lost_keeps_what_was_found(
    held: None, register: FakeRegister, client: RegisterClient
) -> None:
    ask(client)
    before = lines()[LIGHT_ACT]
    del register.titles[1]
    ask(client)
    after = lines()[LIGHT_ACT]
    assert (after.outcome, after.is_up_to_date) == (Checked.ABSENT, None)
    assert (after.found_at, after.newest_register_id) == (before.found_at, LIGHTS)


def test_a_register_in_trouble_is_left_alone(held: None, client: RegisterClient, monkeypatch: Any) -> None:
    monkeypatch.setattr(register_check, "MOST_TROUBLE", 1)
    with RegisterClient(RegisterHosts("http://127.0.0.1:9/"), QUICK) as nobody:
        assert ask(nobody) == 1
    outcomes = [line.outcome for line in lines().values()]
    assert outcomes == [Checked.NOT_CHECKED] * 3
    assert sum(line.tried_at is not None for line in lines().values()) == 1


def test_the_longest_unasked_comes_first_and_none_after_the_time_is_up(held: None, client: RegisterClient) -> None:
    ask(client)
    RegisterCheck.objects.filter(instrument=LOST_ACT).update(tried_at=timezone.now() - timedelta(days=3))
    seen: list[str] = []
    assert ask(client, report=lambda check: seen.append(check.title_id)) == 3
    assert seen[0] == "C1999A99999"
    assert ask(client, seconds=0) == 0


def test_only_what_is_due_is_asked_about_again(held: None, register: FakeRegister, client: RegisterClient) -> None:
    assert ask(client, only_due=True) == 3
    assert ask(client, only_due=True) == 0
    Compilation.objects.using(OWNER).filter(instrument__code__startswith="T-").update(
        imported_at=timezone.now() - timedelta(days=9)
    )
    ago = {FERRY_ACT: timedelta(hours=21), LIGHT_ACT: timedelta(hours=4), LOST_ACT: timedelta(hours=4)}
    for code, age in ago.items():
        RegisterCheck.objects.filter(instrument=code).update(tried_at=timezone.now() - age)
    RegisterCheck.objects.filter(instrument=LOST_ACT).update(outcome=Checked.NOT_CHECKED)
    register.asked.clear()
    assert ask(client, only_due=True) == 2
    assert register.paths(FERRIES) and register.paths("C1999A99999") and not register.paths(LIGHTS)


def test_what_was_loaded_since_it_was_asked_about_is_due(held: None, client: RegisterClient) -> None:
    ask(client)
    load(Instrument.objects.using(OWNER).get(pk=FERRY_ACT), SECOND)
    seen: list[str] = []
    assert ask(client, only_due=True, report=lambda check: seen.append(check.title_id)) == 1
    assert seen == [FERRIES]


def test_one_at_a_time_asks(held: None, register: FakeRegister, client: RegisterClient) -> None:
    with connections[OWNER].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [register_check.CHECK_LOCK])
        try:
            assert ask(client) is None
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [register_check.CHECK_LOCK])
    assert register.asked == []
    assert ask(client) == 3  # and leaves the lock behind it
    assert ask(client) == 3


def test_a_title_id_that_is_none_is_not_asked_about(held: None, register: FakeRegister, client: RegisterClient) -> None:
    Instrument.objects.using(OWNER).filter(pk=LOST_ACT).update(title_id="nonsense")
    assert ask(client) == 3
    line = lines()[LOST_ACT]
    assert line.outcome is Checked.NOT_CHECKED and "'nonsense' is not a title id" in line.message
    assert register.paths("nonsense") == []


def test_a_newer_text_is_seen_by_the_task_that_beat_sends(
    held: None, register: FakeRegister, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(register_check, "MANNERS", QUICK)
    monkeypatch.setattr(settings, "ASAT_REGISTER_URL", register.api)
    monkeypatch.setattr(settings, "ASAT_REGISTER_CONTACT", "keeper@example.com")
    tasks.check_register()
    assert register.asked == []  # off, as everywhere but in production
    monkeypatch.setattr(settings, "ASAT_REGISTER_CHECK", "daily")
    tasks.check_register()
    assert lines()[LIGHT_ACT].is_up_to_date is True
    assert {asked.headers["User-Agent"] for asked in register.asked} == {
        "AsAt/0.1 (reads compilations as at a date; keeper@example.com)"
    }
    register.titles[1].versions = [*register.titles[1].versions, Version(date(2024, 1, 1), "C2024C00007", "1")]
    RegisterCheck.objects.update(tried_at=timezone.now() - timedelta(days=1))
    tasks.check_register()
    assert lines()[LIGHT_ACT].is_up_to_date is False


def test_an_address_that_is_not_safe_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "ASAT_REGISTER_URL", "http://register.example/")
    with pytest.raises(ImproperlyConfigured, match="ASAT_REGISTER_URL cannot be used"):
        composition.register_client()
