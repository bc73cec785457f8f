"""The rows that versions, dates and chunks are written as, and what of a row is compared to see whether it changed.

Makes rows and copies them in; which of them are written is `store.py`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.backends.postgresql.psycopg_any import DateRange, DateTimeTZRange

from research.corpus import models
from research.corpus.ingest import index
from research.corpus.ingest.derive import Version, Words
from research.corpus.ingest.record import Record
from research.corpus.ingest.split import Piece
from research.law.identity import stable_id, text_sha256
from research.retrieval.time_filter import NO_END_DAY, day_number


def sort_key(record: Record) -> str:
    """Orders provisions as a reader expects: the Act before its Schedules, numbers by value."""
    numbered = [re.sub(r"\d+", lambda m: m.group().zfill(6), part) for part in (record.schedule, record.section)]
    return "/".join(numbered)[:400]


def copy_into(cursor: Any, into: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """COPY the rows. into: the table with its columns, as SQL."""
    with cursor.copy(f"COPY {into} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def insert_into(cursor: Any, table: str, columns: str, rows: Iterable[tuple[Any, ...]], only_new: bool = False) -> None:
    """Insert the rows by way of a temporary table: COPY does not go into one that row-level security guards.

    only_new: leave out those whose key is there already.
    """
    staged = f"staged_{table.removeprefix('corpus_')}"
    cursor.execute(f"CREATE TEMP TABLE {staged} ON COMMIT DROP AS SELECT {columns} FROM {table} WITH NO DATA")
    copy_into(cursor, f"{staged} ({columns})", rows)
    conflict = "ON CONFLICT DO NOTHING" if only_new else ""
    cursor.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {staged} {conflict}")
    cursor.execute(f"DROP TABLE {staged}")


def words_of(row: models.Words) -> Words:
    return Words(row.heading, row.kind, row.text, tuple((start, end) for start, end in row.term_spans))


DATES_COLUMNS = (
    "version_id, provision_id, certain, possible, dating, basis_from, basis_to, is_retrospective, compilation_id, "
    "recorded, practice_id"
)


def held_dates(row: models.VersionDates) -> tuple[object, ...]:
    """What of a row of dates is compared with `wanted_dates`: all but since when it is known."""
    return (
        row.certain.lower,
        row.certain.upper,
        row.possible.lower,
        row.possible.upper,
        row.dating,
        row.basis_from,
        row.basis_to,
        row.is_retrospective,
        row.compilation_id,
    )


def wanted_dates(version: Version, compilations: Mapping[date, int]) -> tuple[object, ...]:
    dated = version.dated
    return (
        dated.certain_from,
        dated.certain_to,
        dated.possible_from,
        dated.possible_to,
        dated.dating.value,
        dated.basis_from,
        dated.basis_to,
        dated.is_retrospective,
        compilations[dated.first_day],
    )


def dates_row(
    version: Version, compilations: Mapping[date, int], now: datetime, practice: UUID | None
) -> tuple[Any, ...]:
    dated = version.dated
    return (
        version.id,
        stable_id("provision", version.document_id),
        DateRange(dated.certain_from, dated.certain_to),
        DateRange(dated.possible_from, dated.possible_to),
        dated.dating.value,
        dated.basis_from,
        dated.basis_to,
        dated.is_retrospective,
        compilations[dated.first_day],
        DateTimeTZRange(now, None),
        practice,
    )


def days_of(certain_from: date, certain_to: date | None) -> tuple[int, int]:
    """A certain range as chunks and postings carry it: days since 1 January 1970, half-open."""
    return day_number(certain_from), NO_END_DAY if certain_to is None else day_number(certain_to)


CHUNK_COLUMNS = (
    "id, version_id, ordinal, parent, role, defined_term, context, text, offset_chars, token_count, "
    "input_sha256, from_day, to_day, practice_id"
)


def chunk_row(version_id: int, piece: Piece, days: tuple[int, int], practice: UUID | None) -> tuple[Any, ...]:
    """A practice's own text is embedded under a key of its own, even where the words are the same as another's."""
    embedded = text_sha256(practice.hex, piece.embedded) if practice else text_sha256(piece.embedded)
    return (
        stable_id("chunk", version_id, piece.ordinal, piece.text),
        version_id,
        piece.ordinal,
        piece.parent,
        piece.role.value,
        piece.defined_term,
        piece.context,
        piece.text,
        piece.offset_chars,
        piece.token_count,
        embedded,
        *days,
        practice,
    )


@dataclass(frozen=True, slots=True)
class Cut:
    """One version cut into pieces: its id, its words, its section number, and the days its chunks carry."""

    version_id: int
    words: Words
    section: str
    days: tuple[int, int]
    pieces: Sequence[Piece]


def exact_rows(cut: Sequence[Cut]) -> Iterator[tuple[int, str, int]]:
    """(chunk id, exact lexeme, frequency) for every piece."""
    for one in cut:
        for piece in one.pieces:
            end = piece.offset_chars + len(piece.text)
            terms = [one.words.text[a:b] for a, b in one.words.spans if piece.offset_chars <= a < end]
            chunk_id = stable_id("chunk", one.version_id, piece.ordinal, piece.text)
            for lexeme, tf in index.exact_lexemes(piece, one.section, terms).items():
                yield chunk_id, lexeme, tf
