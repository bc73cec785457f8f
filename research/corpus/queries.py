"""How to read the law as at a date: what a page about one provision needs, and what is held at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.db import connection
from django.db.models import Max, Min

from research.corpus.models import Compilation, Instrument, Provision, ProvisionVersion, VersionDates
from research.law.income_year import IncomeYear, income_year_of
from research.terms import Window


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One wording in the list of versions. Ranges are half-open; None means no end known.

    basis_from and basis_to: how each end of the certain days is known, in a sentence, "" where only compilations say.
    """

    id: int
    heading: str
    certain_from: date
    certain_to: date | None
    possible_from: date | None
    possible_to: date | None
    dating: str
    basis_from: str
    basis_to: str
    is_retrospective: bool
    compilation_date: date
    register_id: str
    notice: str
    is_shown: bool
    is_in_force: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    pin: str
    section: str
    heading: str


@dataclass(frozen=True, slots=True)
class AmendmentLine:
    """One event that the newest endnotes list for a provision; see `ingest.history.Event`.

    application: where the amending Act says from when it applies, "" where nothing is noted.
    """

    effect: str
    act: str
    days: tuple[date, ...]
    unresolved: str
    assent: date | None
    is_applied: bool
    application: str = ""


@dataclass(frozen=True, slots=True)
class ProvisionPage:
    """One provision as at the days asked about. `shown` is None when no wording of then is known."""

    instrument: str
    instrument_title: str
    pin: str
    section: str
    schedule: str
    heading: str
    path: tuple[str, ...]
    window: Window
    versions: tuple[VersionLine, ...]
    shown: VersionLine | None
    text: str
    kind: str
    term_spans: tuple[tuple[int, int], ...]
    before: Neighbour | None
    after: Neighbour | None
    source_uri: str
    licence: str
    amendments: tuple[AmendmentLine, ...] = ()


def pin_of(document_id: str) -> str:
    """The part of a document id after the instrument: "sch1/12-35"."""
    return document_id.split("/", 1)[1]


def provision_page(instrument: str, pin: str, window: Window, version_id: int | None = None) -> ProvisionPage | None:
    """The provision with the wording certain on the days asked about, or the version asked for; None if not held.

    Where several are certain in the window the last is shown; where none is, all are listed and none is shown. A
    version of which nothing is known any more, because what was loaded has been corrected, is listed only when it is
    asked for: an answer that quotes it leads here.
    """
    provision = _provision(instrument, pin)
    if provision is None:
        return None
    dated = _dated(provision, version_id)
    if not dated:
        return None
    in_force = [row for row in dated if _is_certain(row, window) and row.recorded.upper is None]
    asked = next((row for row in dated if row.version_id == version_id), None)
    shown = asked or (in_force[-1] if in_force else None)
    lines = tuple(_line(row, shown, in_force) for row in dated)
    described = shown or dated[-1]
    words = described.version.words
    return ProvisionPage(
        instrument=instrument,
        instrument_title=provision.instrument.title,
        pin=pin,
        section=provision.section,
        schedule=provision.schedule,
        heading=words.heading,
        path=tuple(described.version.path),
        window=window,
        versions=lines,
        shown=next((line for line in lines if line.is_shown), None),
        text=words.text if shown else "",
        kind=words.kind,
        term_spans=tuple((start, end) for start, end in words.term_spans) if shown else (),
        before=_neighbour(provision, described, -1),
        after=_neighbour(provision, described, 1),
        source_uri=described.compilation.source_uri,
        licence=described.compilation.licence,
        amendments=_amendments(provision),
    )


def _provision(instrument: str, pin: str) -> Provision | None:
    found = Provision.objects.select_related("instrument").filter(
        instrument_id=instrument, document_id__endswith=f"/{pin}"
    )
    return found.extra(where=["substr(document_id, strpos(document_id, '/') + 1) = %s"], params=[pin]).first()


def _dated(provision: Provision, version_id: int | None) -> list[VersionDates]:
    """What is known of the provision's versions, oldest first, and what was last known of the one asked for."""
    rows = VersionDates.objects.filter(provision=provision).select_related("version__words", "compilation")
    known = list(rows.filter(recorded__upper_inf=True).order_by("certain", "id"))
    if version_id is not None and all(row.version_id != version_id for row in known):
        last = rows.filter(version_id=version_id).order_by("-recorded").first()
        known = sorted([*known, *([last] if last else [])], key=lambda row: (row.certain.lower, row.id))
    return known


def version_texts(version_ids: list[int]) -> dict[int, tuple[str, str]]:
    """(heading, text) of each version: what a comparison of two wordings reads."""
    rows = ProvisionVersion.objects.filter(id__in=version_ids).select_related("words")
    return {v.id: (v.words.heading, v.words.text) for v in rows}


def _is_certain(row: VersionDates, window: Window) -> bool:
    upper = row.certain.upper
    return row.certain.lower <= window.last and (upper is None or upper > window.first)


def _line(row: VersionDates, shown: VersionDates | None, in_force: list[VersionDates]) -> VersionLine:
    return VersionLine(
        id=row.version_id,
        heading=row.version.words.heading,
        certain_from=row.certain.lower,
        certain_to=row.certain.upper,
        possible_from=row.possible.lower,
        possible_to=row.possible.upper,
        dating=row.dating,
        basis_from=row.basis_from,
        basis_to=row.basis_to,
        is_retrospective=row.is_retrospective,
        compilation_date=row.compilation.dated,
        register_id=row.compilation.register_id,
        notice=row.compilation.notice,
        is_shown=shown is not None and row.version_id == shown.version_id,
        is_in_force=row in in_force,
    )


def _neighbour(provision: Provision, row: VersionDates, step: int) -> Neighbour | None:
    """The provision before or after in the compilation that the shown wording was read from."""
    sql = """
        SELECT q.document_id, q.section, w.heading
        FROM corpus_reading r
        JOIN corpus_reading s ON s.compilation_id = r.compilation_id AND s.position = r.position + %s
        JOIN corpus_provision q ON q.id = s.provision_id
        JOIN corpus_words w ON w.id = s.words_id
        WHERE r.compilation_id = %s AND r.provision_id = %s LIMIT 1
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, [step, row.compilation_id, provision.id])
        found = cursor.fetchone()
    return Neighbour(pin_of(found[0]), found[1], found[2]) if found else None


def _amendments(provision: Provision) -> tuple[AmendmentLine, ...]:
    """What the newest endnotes held list for the provision, in their own order."""
    newest = (
        Compilation.objects.filter(instrument_id=provision.instrument_id, has_endnotes=True).order_by("-dated").first()
    )
    if newest is None:
        return ()
    rows = newest.amendments.filter(schedule=provision.schedule, section=provision.section).order_by("position")
    return tuple(
        AmendmentLine(row.effect, row.act, tuple(row.days), row.unresolved, row.assent, row.is_applied, row.application)
        for row in rows
    )


def covered_years() -> list[IncomeYear]:
    """The income years that some compilation falls in or between, oldest first; empty without a corpus.

    Of everybody's law: a practice's own documents have no bearing on which years can be asked about.
    """
    held = Compilation.objects.filter(practice_id=None).aggregate(
        first=Min("dated"), dated=Max("dated"), stated=Max("ends")
    )
    if held["first"] is None:
        return []
    ends = held["stated"] - timedelta(days=1) if held["stated"] else held["dated"]
    first, last = income_year_of(held["first"]), income_year_of(max(held["dated"], ends))
    return [IncomeYear(year) for year in range(first.year, last.year + 1)]


def frameworks_held() -> list[str]:
    """What search can be narrowed to: the frameworks of what is loaded and may be read, in order."""
    return list(Instrument.objects.order_by("framework").values_list("framework", flat=True).distinct())


@dataclass(frozen=True, slots=True)
class InstrumentHeld:
    code: str
    title: str
    compilations: tuple[tuple[date, str, int], ...]  # (dated, register id, provisions)


def instruments_held() -> list[InstrumentHeld]:
    held: dict[str, InstrumentHeld] = {}
    for compilation in Compilation.objects.select_related("instrument").order_by("instrument_id", "dated"):
        code = compilation.instrument_id
        before = held[code].compilations if code in held else ()
        line = (compilation.dated, compilation.register_id, compilation.provisions)
        held[code] = InstrumentHeld(code, compilation.instrument.title, (*before, line))
    return list(held.values())
