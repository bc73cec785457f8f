"""The rows that versions and their chunks are written as, and what of a row is compared to see whether it changed.

Makes rows and copies them in; which of them are written is `store.py`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any

from research.corpus import models
from research.corpus.ingest import index
from research.corpus.ingest.derive import Version, Words
from research.corpus.ingest.record import Record
from research.corpus.ingest.split import Piece
from research.law.identity import stable_id, text_sha256
from research.retrieval.time_filter import day_number


def sort_key(record: Record) -> str:
    """Orders provisions as a reader expects: the Act before its Schedules, numbers by value."""
    numbered = [re.sub(r"\d+", lambda m: m.group().zfill(6), part) for part in (record.schedule, record.section)]
    return "/".join(numbered)[:400]


def copy_into(cursor: Any, into: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """COPY the rows. into: the table with its columns, as SQL."""
    with cursor.copy(f"COPY {into} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def words_of(row: models.ProvisionVersion) -> Words:
    return Words(row.heading, row.kind, row.text, tuple((start, end) for start, end in row.term_spans))


def held_chunked(row: models.ProvisionVersion) -> tuple[object, ...]:
    """What the chunks of a version follow from, the instrument's title apart."""
    return (words_of(row), tuple(row.path), row.certain.lower, row.certain.upper)


def wanted_chunked(version: Version) -> tuple[object, ...]:
    return (version.words, version.path, version.dated.certain_from, version.dated.certain_to)


def held_row(row: models.ProvisionVersion) -> tuple[object, ...]:
    """What of a version's row is compared with `wanted_row`: all but when it was recorded."""
    return (*held_chunked(row), row.possible.lower, row.possible.upper, row.dating, row.compilation_id)


def wanted_row(version: Version, compilations: dict[date, int]) -> tuple[object, ...]:
    dated = version.dated
    return (
        *wanted_chunked(version),
        dated.possible_from,
        dated.possible_to,
        dated.dating.value,
        compilations[dated.first_day],
    )


def chunk_row(version: Version, piece: Piece) -> tuple[Any, ...]:
    return (
        stable_id("chunk", version.id, piece.ordinal, piece.text),
        version.id,
        piece.ordinal,
        piece.parent,
        piece.role.value,
        piece.defined_term,
        piece.context,
        piece.text,
        piece.offset_chars,
        piece.token_count,
        text_sha256(piece.embedded),
        day_number(version.dated.certain_from),
        day_number(version.dated.certain_to),
    )


def exact_rows(cut: Sequence[tuple[Version, str, Piece]]) -> Iterator[tuple[int, str, int]]:
    """(chunk id, exact lexeme, frequency) for pieces with their version and section number."""
    for version, section, piece in cut:
        words, end = version.words, piece.offset_chars + len(piece.text)
        terms = [words.text[a:b] for a, b in words.spans if piece.offset_chars <= a < end]
        chunk_id = stable_id("chunk", version.id, piece.ordinal, piece.text)
        for lexeme, tf in index.exact_lexemes(piece, section, terms).items():
            yield chunk_id, lexeme, tf
