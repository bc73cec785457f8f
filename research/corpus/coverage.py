"""How well the law that is held is dated, when the Register was last asked of it, and what the last imports brought.

For the Status page. A provision counts in an income year under the dating of the wording that is certain on some day
of it (the last such, as its page shows it), as unknown where a wording is only possible in it, and not at all where
neither is so.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from research.corpus.models import ImportRun, IndexState, Instrument
from research.law.identity import shown_code
from research.law.income_year import IncomeYear

MOST_YEARS = 30
MOST_IMPORTS = 10

_Run = tuple[str, str, int, int, int]
"""(instrument, dating, first income year, last, how many provisions)"""

# Income years as numbers: a wording counts from the year of its first certain day to that of its last, or until the
# year before another wording of the provision is certain, so that each provision counts once a year.
_PASS = """
    WITH dated AS (
        SELECT p.instrument_id, d.provision_id, d.dating,
            {first_certain} AS y1, {last_certain} AS y2, {first_possible} AS p1, {last_possible} AS p2
        FROM corpus_versiondates d JOIN corpus_provision p ON p.id = d.provision_id
        WHERE upper_inf(d.recorded)
    ), once AS (
        SELECT *, least(y2, lead(y1) OVER (PARTITION BY provision_id ORDER BY y1, y2) - 1) AS until FROM dated
    ), certain AS (
        SELECT instrument_id, dating, y1 AS starts, until AS ends, count(*) AS provisions
        FROM once WHERE until >= y1 GROUP BY 1, 2, 3, 4
    ), doubtful AS (
        SELECT instrument_id, unnest(
            range_agg(int4range(least(p1, y1), greatest(p2, y2), '[]')) - range_agg(int4range(y1, y2, '[]'))
        ) AS years FROM dated GROUP BY instrument_id, provision_id
    )
    SELECT instrument_id, dating, starts, ends, provisions FROM certain
    UNION ALL
    SELECT instrument_id, 'unknown', lower(years), upper(years) - 1, count(*) FROM doubtful GROUP BY 1, 3, 4
"""
_YEAR = "extract(year FROM {day} + interval '6 months')::int"
_SQL = _PASS.format(
    first_certain="coalesce(" + _YEAR.format(day="lower(d.certain)") + ", %(first)s)",
    last_certain="coalesce(" + _YEAR.format(day="upper(d.certain) - 1") + ", %(last)s)",
    first_possible="coalesce(" + _YEAR.format(day="lower(d.possible)") + ", %(first)s)",
    last_possible="coalesce(" + _YEAR.format(day="upper(d.possible) - 1") + ", %(last)s)",
)


@dataclass(frozen=True, slots=True)
class Coverage:
    """One instrument. counts: by income year, how many provisions are dated in each way; years with none are absent."""

    code: str
    title: str
    counts: Mapping[int, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One file that an import was given. what: it held. outcome: loaded, unchanged or refused; message: why refused."""

    started_at: datetime
    what: str
    outcome: str
    message: str
    seconds: float


def coverage(years: Sequence[IncomeYear]) -> list[Coverage]:
    """By instrument, in order of code, for the thirty income years up to the last of `years`."""
    if not years:
        return []
    last = years[-1].year
    first = last - MOST_YEARS + 1
    counts = _by_year(_runs(first, last, _state()), first, last)
    titles = dict(Instrument.objects.values_list("code", "title"))
    return [Coverage(code, titles[code], counts[code]) for code in sorted(counts) if code in titles]


def last_imports() -> list[ImportLine]:
    """The last files given to an import that this practice may know of, newest first."""
    return [
        ImportLine(run.started_at, _what(run), run.outcome, run.message, run.seconds)
        for run in ImportRun.objects.all()[:MOST_IMPORTS]
    ]


def _what(run: ImportRun) -> str:
    """What a file held, "ITAA97 as at 2015-06-22"; its name, where it was refused. A digest names a fetched file."""
    held = [f"{shown_code(line['instrument'])} as at {line['compilation']}" for line in run.report]
    if not held:
        return run.file_name
    return held[0] if len(held) == 1 else f"{held[0]} and {len(held) - 1} more"


@functools.lru_cache(maxsize=32)
def _runs(first: int, last: int, state: str) -> tuple[_Run, ...]:
    """Counts of runs of years. 40 ms for 11,700 wordings of 15 Acts, and remembered for as long as `state` stands."""
    with connection.cursor() as cursor:
        cursor.execute(_SQL, {"first": first, "last": last})
        return tuple(cursor.fetchall())


def _state() -> str:
    """Names the practice, and the state of the law and of its own documents."""
    states = IndexState.objects.filter(recorded__upper_inf=True).order_by("pk")
    held = " ".join(f"{state.pk}:{state.updated_at.timestamp()}" for state in states)
    return f"{getattr(connection, 'practice_id', None)} {held}"


def _by_year(found: Sequence[_Run], first: int, last: int) -> dict[str, dict[int, dict[str, int]]]:
    counts: dict[str, dict[int, dict[str, int]]] = {}
    for code, dating, starts, ends, provisions in found:
        years = counts.setdefault(code, {})
        for year in range(max(starts, first), min(ends, last) + 1):
            ways = years.setdefault(year, {})
            ways[dating] = ways.get(dating, 0) + provisions
    return counts
