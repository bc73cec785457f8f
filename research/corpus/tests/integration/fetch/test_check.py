"""Whether the Register has newer text than is held: found, absent or not checked, in words for the Status page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from asat_site.testing.register import FakeRegister
from asat_site.testing.register_catalogue import Trouble, Version
from research.corpus.ingest.fetch.check import Checked, check_title
from research.corpus.ingest.fetch.client import RegisterClient
from research.corpus.tests.integration.fetch.conftest import FERRIES, FIRST, LIGHTS, MADE, SECOND, TODAY

Make = Callable[..., RegisterClient]


@pytest.mark.parametrize(
    ("held", "newer"),
    [
        ([], True),
        ([MADE], True),
        ([MADE, FIRST], True),
        ([SECOND], False),
        ([SECOND, MADE], False),
        (["C2099C1"], True),
    ],
)
def test_newer_is_what_comes_after_the_last_text_held(client: RegisterClient, held: list[str], newer: bool) -> None:
    check = check_title(client, FERRIES, held, TODAY)
    assert (check.outcome, check.newer_than_held, check.in_force) == (Checked.FOUND, newer, True)
    assert (check.newest_register_id, check.newest_number, check.newest_starts) == (SECOND, "2", date(2015, 7, 1))


def test_an_amendment_without_a_text_is_told_with_its_day_and_its_act(client: RegisterClient) -> None:
    check = check_title(client, FERRIES, [SECOND], TODAY)
    assert check.text_not_current_from == date(2020, 1, 1)
    assert check.message == (
        "Compilation 2 (C2015C00200), in force from 1 July 2015, is the newest, and is held. An amendment (Ferries "
        "Amendment Act 2019) commenced on 1 January 2020 which is in no published text yet."
    )


@pytest.mark.parametrize("of_the_title", [True, False])
def test_amendments_flagged_by_title_or_by_version_are_told(
    client: RegisterClient, register: FakeRegister, of_the_title: bool
) -> None:
    lights = register.titles[1]
    lights.has_commenced_unincorporated_amendments = of_the_title
    lights.versions[0].has_unincorporated_amendments = not of_the_title
    check = check_title(client, LIGHTS, [LIGHTS], TODAY)
    assert check.text_not_current_from == date(2001, 3, 1)
    assert check.message == (
        f"The text ({LIGHTS}), in force from 1 March 2001, is the newest, and is held. "
        "The Register says that amendments have commenced which are in no published text yet."
    )


def test_a_text_registered_ahead_is_newer(client: RegisterClient, register: FakeRegister) -> None:
    lights = register.titles[1]
    lights.versions = [*lights.versions, Version(date(2024, 7, 1), "C2024C00100", "1")]
    check = check_title(client, LIGHTS, [LIGHTS], TODAY)
    assert (check.newer_than_held, check.text_not_current_from) == (True, None)
    assert check.message == "Compilation 1 (C2024C00100), to be in force on 1 July 2024, is newer than what is held."


@pytest.mark.parametrize("status", ["Ceased", "Repealed"])
def test_what_was_sunset_or_repealed_is_no_longer_in_force_which_is_no_failure(
    client: RegisterClient, register: FakeRegister, status: str
) -> None:
    lights = register.titles[1]
    lights.status, lights.versions[0].end = status, date(2011, 4, 1)
    check = check_title(client, LIGHTS, [LIGHTS], TODAY)
    assert (check.outcome, check.in_force, check.newer_than_held) == (Checked.FOUND, False, False)
    assert check.message.endswith("is the newest, and is held. It is no longer in force, since 1 April 2011.")


def test_what_the_register_does_not_know_is_absent(client: RegisterClient) -> None:
    check = check_title(client, "C1999A99999", [], TODAY)
    assert (check.outcome, check.in_force) == (Checked.ABSENT, None)
    assert check.message == "The Register has no title C1999A99999."


@pytest.mark.parametrize("on", ["Titles", "Versions"])
def test_trouble_is_not_checked_and_says_nothing_of_the_law(
    client: RegisterClient, register: FakeRegister, on: str
) -> None:
    register.misbehave(Trouble.STATUS, on, times=3)
    check = check_title(client, FERRIES, [SECOND], TODAY)
    assert check.outcome is Checked.NOT_CHECKED
    assert (check.in_force, check.newer_than_held, check.text_not_current_from) == (None, False, None)
    assert "could not be asked" in check.message


def test_nothing_is_downloaded(client: RegisterClient, register: FakeRegister) -> None:
    check_title(client, FERRIES, [], TODAY)
    assert len(register.asked) == 2
