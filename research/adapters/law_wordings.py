"""Whole wordings of provisions: for words looked for in all of a text, and on other days than those asked about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from research.adapters.law_sql import rows
from research.terms import Dating, Passage, Role

NO_WORDS = "\ufffc"  # stands for each character of a placeholder: in it no words of the law are found

WORDINGS = """
SELECT v.id, v.provision_id, p.instrument_id, i.title, p.section, p.schedule, w.heading, v.path, w.text,
       lower(d.certain), upper(d.certain), d.dating, m.dated, m.register_id, m.source_uri, p.document_id, m.licence,
       m.notice
FROM corpus_provisionversion v
JOIN corpus_words w ON w.id = v.words_id
JOIN corpus_provision p ON p.id = v.provision_id
JOIN corpus_instrument i ON i.code = p.instrument_id
JOIN corpus_versiondates d ON d.version_id = v.id AND upper_inf(d.recorded)
JOIN corpus_compilation m ON m.id = d.compilation_id
WHERE v.provision_id = ANY(%(ids)s) ORDER BY v.provision_id, lower(d.certain), v.id
"""
OMITTED = """
SELECT version_id, offset_chars, length(text) FROM corpus_chunk
WHERE role = 'omitted' AND version_id = ANY(%(ids)s)
"""


class PostgresWholeTexts:
    """The port of `quote_check`, on the connection of the calling thread with whatever practice is set on it."""

    def wordings_of(self, provision_ids: Sequence[int]) -> list[Passage]:
        """Every wording known now of these provisions, by provision, oldest first; chunk_id is 0."""
        found = rows(WORDINGS, {"ids": list(provision_ids)})
        omitted: dict[int, list[tuple[int, int]]] = {}
        for version_id, start, length in rows(OMITTED, {"ids": [row[0] for row in found]}):
            omitted.setdefault(version_id, []).append((start, length))
        return [_whole(row, omitted.get(row[0], ())) for row in found]


def _whole(row: tuple[Any, ...], omitted: Sequence[tuple[int, int]]) -> Passage:
    (
        version_id, provision_id, instrument, title, section, schedule, heading, path, text,
        certain_from, certain_to, dating, dated, register_id, source_uri, document_id, licence, notice,
    ) = row  # fmt: skip
    for start, length in omitted:
        text = text[:start] + NO_WORDS * length + text[start + length :]
    return Passage(
        chunk_id=0,
        version_id=version_id,
        provision_id=provision_id,
        instrument=instrument,
        instrument_title=title,
        section=section,
        schedule=schedule,
        heading=heading,
        path=tuple(path),
        role=Role.OPERATIVE,
        parent="",
        ordinal=0,
        offset_chars=0,
        text=text,
        certain_from=certain_from,
        certain_to=certain_to,
        dating=Dating(dating),
        compilation_date=dated,
        register_id=register_id,
        source_uri=source_uri,
        document_id=document_id,
        licence=licence,
        notice=notice,
    )
