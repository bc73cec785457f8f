"""How the law's tables are asked in SQL: as what is known now or at an earlier moment, in all frameworks or some.

A `View` gives the pieces of SQL that differ; `corpus_store` puts them together. Every piece carries the time filter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import connection

from research.retrieval.time_filter import day_bounds
from research.terms import Dating, Passage, Role, Window

PASSAGE_COLUMNS = """
    c.id, c.version_id, v.provision_id, p.instrument_id, i.title, p.section, p.schedule, w.heading, v.path, c.role,
    c.parent, c.ordinal, c.offset_chars, c.text, lower(d.certain), upper(d.certain), d.dating, m.dated,
    m.register_id, m.source_uri, c.defined_term, p.document_id, m.licence, m.notice, d.basis_from, d.basis_to
"""
_TABLES = """
    corpus_chunk c
    JOIN corpus_provisionversion v ON v.id = c.version_id
    JOIN corpus_words w ON w.id = v.words_id
    JOIN corpus_provision p ON p.id = v.provision_id
    JOIN corpus_instrument i ON i.code = p.instrument_id
    JOIN corpus_versiondates d ON d.version_id = v.id AND {known}
    JOIN corpus_compilation m ON m.id = d.compilation_id
"""
_KNOWN_NOW = "upper_inf({0}.recorded)"
_KNOWN_THEN = "{0}.recorded @> %(known_at)s::timestamptz"
_ON_THE_DAYS = "{0}.from_day <= %(last)s AND {0}.to_day > %(first)s"
_NARROWED = """
    AND {0}.{1} IN (SELECT nc.id FROM corpus_chunk nc JOIN corpus_provisionversion nv ON nv.id = nc.version_id
                    JOIN corpus_provision np ON np.id = nv.provision_id
                    JOIN corpus_instrument ni ON ni.code = np.instrument_id
                    WHERE ni.framework = ANY(%(frameworks)s))
"""
# What was known then of the days of a chunk: not what it carries, which is what is known now.
_IN_FORCE_THEN = """
    {0}.{1} IN (SELECT tc.id FROM corpus_chunk tc JOIN corpus_versiondates td ON td.version_id = tc.version_id
                WHERE td.recorded @> %(known_at)s::timestamptz AND td.certain && daterange(%(from)s, %(until)s))
"""

# Among what was loaded then, as the index's state lists it: a compilation that came since says nothing of what was open
# then. By Act and day: a correction may have given it another register id.
_LOADED_THEN = """
    AND EXISTS (SELECT FROM corpus_indexstate ls CROSS JOIN LATERAL unnest(ls.compilations) AS line
                WHERE ls.recorded @> %(known_at)s::timestamptz
                  AND starts_with(line || ' ', {0}.instrument_id || ' ' || {0}.dated || ' '))
"""


@dataclass(frozen=True, slots=True)
class View:
    """What of the law is looked at. known_at: as it was known then (None: now). frameworks: only these, () for all."""

    known_at: datetime | None = None
    frameworks: tuple[str, ...] = ()

    @property
    def tables(self) -> str:
        """The tables of a passage, joined, with the dates known at the view's moment as `d`."""
        return _TABLES.format(known=self.known("d"))

    def known(self, alias: str) -> str:
        """That a row of dates, or of the index's state, was what was known."""
        return (_KNOWN_THEN if self.known_at else _KNOWN_NOW).format(alias)

    def in_force(self, alias: str, chunk_id: str = "chunk_id") -> str:
        """That a chunk, posting or vector was in force on a day asked about. chunk_id: the column that names it."""
        wanted = _IN_FORCE_THEN if self.known_at else _ON_THE_DAYS
        return wanted.format(alias, chunk_id) + self.narrowed(alias, chunk_id)

    def narrowed(self, alias: str, chunk_id: str = "chunk_id") -> str:
        """That it is of one of the frameworks, as a further condition; nothing where all are searched."""
        return _NARROWED.format(alias, chunk_id) if self.frameworks else ""

    def loaded(self, alias: str) -> str:
        """That a compilation was loaded at the view's moment, as a further condition; nothing where that is now."""
        return _LOADED_THEN.format(alias) if self.known_at else ""

    def parameters(self, window: Window | None = None) -> dict[str, Any]:
        """What the pieces of SQL ask for. window: the days asked about, None for any day."""
        if window is None:
            first, last, starts, until = -(2**31), 2**31 - 1, date.min, date.max
        else:
            days = day_bounds(window)
            first, last = days.first_day, days.last_day
            starts, until = window.first, _day_after(window.last)
        return {
            "first": first,
            "last": last,
            "from": starts,
            "until": until,
            "known_at": self.known_at,
            "frameworks": list(self.frameworks),
        }


NOW = View()


def _day_after(day: date) -> date:
    return day if day == date.max else day + timedelta(days=1)


def practice_name() -> str:
    """The practice that the connection speaks for, as a key to remember things by."""
    return str(getattr(connection, "practice_id", None))


def array_of(numbers: Iterable[int | float]) -> str:
    """An array as PostgreSQL writes it, for a parameter that the statement casts: a list is dumped item by item."""
    return "{" + ",".join(map(repr, numbers)) + "}"


def rows(sql: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def passage_of(row: tuple[Any, ...]) -> Passage:
    (
        chunk_id, version_id, provision_id, instrument, title, section, schedule, heading, path, role,
        parent, ordinal, offset_chars, text, certain_from, certain_to, dating, dated,
        register_id, source_uri, defined_term, document_id, licence, notice, basis_from, basis_to,
    ) = row  # fmt: skip
    return Passage(
        chunk_id=chunk_id,
        version_id=version_id,
        provision_id=provision_id,
        instrument=instrument,
        instrument_title=title,
        section=section,
        schedule=schedule,
        heading=heading,
        path=tuple(path),
        role=Role(role),
        parent=parent,
        ordinal=ordinal,
        offset_chars=offset_chars,
        text=text,
        certain_from=certain_from,
        certain_to=certain_to,
        dating=Dating(dating),
        compilation_date=dated,
        register_id=register_id,
        source_uri=source_uri,
        defined_term=defined_term,
        document_id=document_id,
        licence=licence,
        notice=notice,
        basis="; ".join(filter(None, (basis_from, basis_to))),
    )
