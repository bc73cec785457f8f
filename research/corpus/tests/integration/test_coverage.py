"""How many provisions are dated, and how, against a count by hand of everything that is held."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import pytest
from django.core.management import call_command

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from research.corpus import coverage as read
from research.corpus.models import VersionDates
from research.law.income_year import IncomeYear
from research.terms import Window

YEARS = [IncomeYear(2018), IncomeYear(2024)]


@pytest.fixture(scope="module")
def held(services: Any, django_db_blocker: Any) -> None:
    from django.conf import settings

    with django_db_blocker.unblock():
        folder = settings.BASE_DIR / "research" / "corpus" / "fictional"
        call_command("corpus", "import", str(folder), "--no-embed", "--json")


def touches(days: Any, window: Window) -> bool:
    lower, upper = days.lower or date.min, days.upper or date.max
    return bool(lower <= window.last and upper > window.first)


def by_hand(code: str, year: int) -> dict[str, int]:
    """Each provision once: the last wording certain in the year, else unknown where one is possible."""
    window = Window.of_year(IncomeYear(year))
    certain: dict[int, tuple[date, str]] = {}
    possible = set()
    for row in VersionDates.objects.filter(provision__instrument_id=code).extra(where=["upper_inf(recorded)"]):
        if touches(row.certain, window):
            found = (row.certain.lower, row.dating)
            certain[row.provision_id] = max(certain.get(row.provision_id, found), found)
        elif touches(row.possible, window):
            possible.add(row.provision_id)
    counts = Counter(dating for _, dating in certain.values())
    if doubtful := len(possible - set(certain)):
        counts["unknown"] += doubtful
    return dict(counts)


def test_every_year_counts_each_provision_once_under_its_last_wording(held: None, practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        (found,) = [each for each in read.coverage(YEARS) if each.code == "HDFA99"]
        for year in range(YEARS[-1].year - read.MOST_YEARS + 1, YEARS[-1].year + 1):
            assert dict(found.counts.get(year, {})) == by_hand("HDFA99", year), year


def test_without_years_nothing_is_counted(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        assert read.coverage([]) == []


def test_the_last_imports_are_few_and_newest_first(held: None, practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        runs = read.last_imports()
    assert 1 <= len(runs) <= read.MOST_IMPORTS
    assert [run.started_at for run in runs] == sorted((run.started_at for run in runs), reverse=True)
