"""What a page of law looks up in other provisions: which of those it names are held, and terms that it borrows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection

from research.corpus.models import Chunk, Instrument
from research.law.citation import CODES
from research.retrieval.time_filter import day_bounds
from research.terms import Window

Place = tuple[str, str, str]
"""(instrument, schedule, number): a section, or a Division where the number ends in "-"."""

# Acts whose expressions have the meanings of another's. Source: TAA53 s 3AA(2); ITTPA97 s 1-10(1).
BORROWED_FROM = {("TAA53", "1"): "ITAA97", ("ITTPA97", ""): "ITAA97"}

MOST_PIECES = 400  # of definitions, for the terms of one page

_HELD = """
    WITH wanted AS (
        SELECT * FROM unnest(%(instruments)s::text[], %(schedules)s::text[], %(numbers)s::text[])
            AS w(instrument, schedule, number)
    ), named AS (
        SELECT w.*, p.id, p.document_id, p.sort_key FROM wanted w
        JOIN corpus_provision p ON (p.instrument_id, p.schedule, p.section) = (w.instrument, w.schedule, w.number)
        UNION ALL
        SELECT w.*, p.id, p.document_id, p.sort_key FROM wanted w
        JOIN corpus_provision p ON (p.instrument_id, p.schedule) = (w.instrument, w.schedule)
            AND starts_with(p.section, w.number)
        WHERE right(w.number, 1) = '-'
    )
    SELECT DISTINCT ON (instrument, schedule, number) instrument, schedule, number,
        substr(document_id, strpos(document_id, '/') + 1)
    FROM named n
    WHERE EXISTS (SELECT FROM corpus_versiondates d WHERE d.provision_id = n.id AND upper_inf(d.recorded))
    ORDER BY instrument, schedule, number, sort_key, document_id
"""


def titles_held() -> dict[str, str]:
    """By title, the code of each Act that is held and has no short code of its own."""
    named = Instrument.objects.filter(kind="act").exclude(code__in=CODES)
    return {title: code for code, title in named.values_list("code", "title")}


def pins_held(places: Collection[Place]) -> dict[Place, str]:
    """By place, the pin of the provision that stands there, for those held; of a Division, its first section's."""
    if not places:
        return {}
    instruments, schedules, numbers = zip(*sorted(set(places)), strict=True)
    wanted = {"instruments": list(instruments), "schedules": list(schedules), "numbers": list(numbers)}
    with connection.cursor() as cursor:
        cursor.execute(_HELD, wanted)
        return {(instrument, schedule, number): pin for instrument, schedule, number, pin in cursor.fetchall()}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a term means, word for word. act: the title of the Act that says so, "" where it is the provision's own."""

    words: str
    act: str


def meanings(instrument: str, schedule: str, terms: Collection[str], window: Window) -> dict[str, Meaning]:
    """By lower-case term, its definition in force then in its own Act, else in the Act whose meanings it borrows."""
    lender = BORROWED_FROM.get((instrument, schedule))
    days = day_bounds(window)
    found = (
        Chunk.objects.filter(
            version__provision__instrument_id__in=[instrument, *([lender] if lender else [])],
            from_day__lte=days.last_day,
            to_day__gt=days.first_day,
            role="definition",
        )
        .extra(where=["lower(defined_term) = ANY(%s)"], params=[sorted(terms)])
        .select_related("version__provision__instrument")
        .order_by("version__provision__sort_key", "-from_day", "version_id", "ordinal")
    )
    entries: dict[tuple[bool, str], list[Chunk]] = {}
    for chunk in found[:MOST_PIECES] if terms else []:
        is_borrowed = chunk.version.provision.instrument_id != instrument
        pieces = entries.setdefault((is_borrowed, chunk.defined_term.lower()), [])
        if not pieces or pieces[0].version_id == chunk.version_id:  # of one wording: a definition may be in pieces
            pieces.append(chunk)
    told: dict[str, Meaning] = {}
    for (is_borrowed, term), pieces in sorted(entries.items(), key=lambda entry: entry[0]):
        act = pieces[0].version.provision.instrument.title if is_borrowed else ""
        told.setdefault(term, Meaning("\n".join(piece.text for piece in pieces), act))
    return told
