"""In-force ranges, and how they are said."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.law.provision import (
    DATING_WORDS,
    Compilation,
    InForce,
    Instrument,
    Provision,
    ProvisionVersion,
    day_from_epoch,
    days_since_epoch,
    describe_range,
)
from research.terms import Dating

pytestmark = pytest.mark.unit

DAYS = st.dates(date(1901, 1, 1), date(2100, 12, 31))
ACT = Instrument("LTA01", "Lantern Tax Act 2001 (fictional)", is_fictional=True)
COMPILED = Compilation(ACT, "1", date(2015, 6, 22), "")


def test_a_range_is_half_open() -> None:
    range_ = InForce(date(2015, 6, 22), date(2016, 1, 1))
    assert range_.covers(date(2015, 6, 22)) and range_.covers(date(2015, 12, 31))
    assert not range_.covers(date(2016, 1, 1)) and not range_.covers(date(2015, 6, 21))


def test_a_range_without_an_end_goes_on() -> None:
    assert InForce(date(2015, 6, 22), None).covers(date(9999, 12, 31))


@pytest.mark.parametrize("ends", [date(2015, 6, 22), date(2015, 6, 21)])
def test_a_range_that_holds_no_day_is_refused(ends: date) -> None:
    with pytest.raises(ValueError, match="holds no day"):
        InForce(date(2015, 6, 22), ends)


@given(st.lists(DAYS, min_size=3, max_size=8, unique=True), DAYS)
def test_adjoining_wordings_never_both_answer_and_leave_no_day_between(borders: list[date], day: date) -> None:
    borders.sort()
    ranges = [InForce(*pair) for pair in pairwise(borders)] + [InForce(borders[-1], None)]
    covering = [range_ for range_ in ranges if range_.covers(day)]
    assert len(covering) == (1 if day >= borders[0] else 0)


@given(DAYS, st.integers(1, 4000), DAYS, st.integers(0, 4000))
def test_overlap_with_a_window_means_some_day_of_it_is_covered(
    starts: date, length: int, first: date, days: int
) -> None:
    range_ = InForce(starts, starts + timedelta(days=length))
    last = first + timedelta(days=days)
    nearest = max(first, starts)
    assert range_.overlaps(first, last) == (nearest <= last and range_.covers(nearest))


@given(DAYS)
def test_days_since_the_epoch_go_there_and_back(day: date) -> None:
    assert day_from_epoch(days_since_epoch(day)) == day


@pytest.mark.parametrize(
    ("day", "number"), [(date(1970, 1, 1), 0), (date(1969, 12, 31), -1), (date(2015, 6, 22), 16608)]
)
def test_day_numbers_are_as_published(day: date, number: int) -> None:
    assert days_since_epoch(day) == number


def test_certain_must_lie_within_possible() -> None:
    certain, possible = InForce(date(2015, 1, 1), date(2016, 1, 1)), InForce(date(2015, 6, 1), None)
    with pytest.raises(ValueError, match="not within possible"):
        ProvisionVersion(Provision("LTA01", "3-5"), "Lanterns", "…", certain, possible, "inferred", COMPILED)
    version = ProvisionVersion(Provision("LTA01", "3-5"), "Lanterns", "…", certain, certain, "inferred", COMPILED)
    assert version.provision.authority == "LTA01 s 3-5"
    assert Provision("TAA53", "12-35", "1").authority == "TAA53 sch 1 s 12-35"


@pytest.mark.parametrize(
    ("certain_from", "certain_to", "dating", "words"),
    [
        (
            date(2015, 6, 22),
            date(2024, 1, 2),
            "inferred",
            "in force at least 22 June 2015 – 1 January 2024 · same words in both compilations",
        ),
        (date(2015, 6, 22), date(2015, 6, 23), "unknown", "in force on 22 June 2015, the date of its compilation"),
        (date(2015, 7, 1), None, "register", "in force since at least 1 July 2015 · consecutive compilations"),
        (
            date(2015, 7, 1),
            date(2016, 7, 1),
            "endnote",
            "in force at least 1 July 2015 – 30 June 2016 · dated by an endnote",
        ),
    ],
)
def test_a_range_is_described_by_its_last_certain_day(
    certain_from: date, certain_to: date | None, dating: str, words: str
) -> None:
    assert describe_range(certain_from, certain_to, dating) == words


def test_every_way_of_dating_has_words() -> None:
    assert set(DATING_WORDS) == {dating.value for dating in Dating}
