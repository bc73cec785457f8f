"""How to read the law as at a date: what a page about one provision needs, and what is held at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import connection
from django.db.models import Max, Min

from research.corpus.models import Chunk, Compilation, Provision, ProvisionVersion
from research.law.income_year import IncomeYear, income_year_of
from research.retrieval.time_filter import day_bounds
from research.terms import Window


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One wording in the list of versions. Ranges are half-open; None means no end known."""

    id: int
    certain_from: date
    certain_to: date | None
    possible_from: date | None
    possible_to: date | None
    dating: str
    compilation_date: date
    register_id: str
    is_shown: bool
    is_in_force: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    pin: str
    section: str
    heading: str


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
    definitions: dict[str, str]
    before: Neighbour | None
    after: Neighbour | None
    source_uri: str
    licence: str


def pin_of(document_id: str) -> str:
    """The part of a document id after the instrument: "sch1/12-35"."""
    return document_id.split("/", 1)[1]


def provision_page(instrument: str, pin: str, window: Window, version_id: int | None = None) -> ProvisionPage | None:
    """The provision with the wording certain on the days asked about, or the version asked for; None if not held.

    Where several are certain in the window the last is shown; where none is, all are listed and none is shown.
    """
    provision = (
        Provision.objects.select_related("instrument")
        .filter(instrument_id=instrument, document_id__endswith=f"/{pin}")
        .extra(where=["substr(document_id, strpos(document_id, '/') + 1) = %s"], params=[pin])
        .first()
    )
    if provision is None:
        return None
    versions = list(provision.versions.select_related("compilation").order_by("certain", "id"))
    in_force = [version for version in versions if _is_certain(version, window)]
    asked = next((version for version in versions if version.id == version_id), None)
    shown = asked or (in_force[-1] if in_force else None)
    lines = tuple(_line(version, shown, in_force) for version in versions)
    described = shown or versions[-1]
    return ProvisionPage(
        instrument=instrument,
        instrument_title=provision.instrument.title,
        pin=pin,
        section=provision.section,
        schedule=provision.schedule,
        heading=described.heading,
        path=tuple(described.path),
        window=window,
        versions=lines,
        shown=next((line for line in lines if line.is_shown), None),
        text=shown.text if shown else "",
        kind=described.kind,
        term_spans=tuple((start, end) for start, end in described.term_spans) if shown else (),
        definitions=_definitions(shown, window) if shown else {},
        before=_neighbour(provision, described, -1),
        after=_neighbour(provision, described, 1),
        source_uri=described.compilation.source_uri,
        licence=described.compilation.licence,
    )


def version_texts(version_ids: list[int]) -> dict[int, tuple[str, str]]:
    """(heading, text) of each version: what a comparison of two wordings reads."""
    return {v.id: (v.heading, v.text) for v in ProvisionVersion.objects.filter(id__in=version_ids)}


def _is_certain(version: ProvisionVersion, window: Window) -> bool:
    upper = version.certain.upper
    return version.certain.lower <= window.last and (upper is None or upper > window.first)


def _line(version: ProvisionVersion, shown: ProvisionVersion | None, in_force: list[ProvisionVersion]) -> VersionLine:
    return VersionLine(
        id=version.id,
        certain_from=version.certain.lower,
        certain_to=version.certain.upper,
        possible_from=version.possible.lower,
        possible_to=version.possible.upper,
        dating=version.dating,
        compilation_date=version.compilation.dated,
        register_id=version.compilation.register_id,
        is_shown=shown is not None and version.id == shown.id,
        is_in_force=version in in_force,
    )


def _definitions(version: ProvisionVersion, window: Window) -> dict[str, str]:
    """Meaning by lower-case term for the terms marked in the text, from the definitions in force in its own Act."""
    terms = {version.text[start:end].lower() for start, end in version.term_spans}
    if not terms:
        return {}
    days = day_bounds(window)
    found = Chunk.objects.filter(
        version__provision__instrument_id=version.provision.instrument_id,
        from_day__lte=days.last_day,
        to_day__gt=days.first_day,
        role="definition",
    ).extra(where=["lower(defined_term) = ANY(%s)"], params=[sorted(terms)])
    return {chunk.defined_term.lower(): chunk.text for chunk in found.order_by("-id")[:200]}


def _neighbour(provision: Provision, version: ProvisionVersion, step: int) -> Neighbour | None:
    """The provision before or after in the compilation that the shown wording was read from."""
    sql = """
        SELECT q.document_id, q.section, v.heading
        FROM corpus_reading r
        JOIN corpus_reading s ON s.compilation_id = r.compilation_id AND s.position = r.position + %s
        JOIN corpus_provision q ON q.id = s.provision_id
        JOIN corpus_provisionversion v ON v.provision_id = q.id AND v.wording_sha256 = s.wording_sha256
        WHERE r.compilation_id = %s AND r.provision_id = %s LIMIT 1
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, [step, version.compilation_id, provision.id])
        row = cursor.fetchone()
    return Neighbour(pin_of(row[0]), row[1], row[2]) if row else None


def covered_years() -> list[IncomeYear]:
    """The income years that some compilation falls in or between, oldest first; empty without a corpus."""
    held = Compilation.objects.aggregate(first=Min("dated"), last=Max("dated"))
    if held["first"] is None:
        return []
    first, last = income_year_of(held["first"]), income_year_of(held["last"])
    return [IncomeYear(year) for year in range(first.year, last.year + 1)]


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
