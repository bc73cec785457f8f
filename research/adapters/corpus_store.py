"""The law in PostgreSQL behind the `CorpusStore` port: every statement carries the time filter itself.

Lexical search is BM25 over impact-weighted postings: document frequencies and the number of documents are
those of the chunks in force on the days asked about, so text outside them moves neither rank nor score. Dense
search is exact: a scan of the vectors in force. Both orders are total (score, then id).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import connection

from research.corpus import index_settings
from research.corpus.index_settings import exact_lexemes_of_question
from research.law.identity import text_sha256
from research.ports import Embedder, Horizon, Lookup
from research.retrieval.time_filter import day_bounds
from research.terms import Dating, Hit, Passage, Role, Snapshot, Window

MAX_QUERY_LEXEMES = 48  # the first of a long question; more adds time and no meaning
FREQUENCIES_KEPT = 200_000
SCORE_UNITS = 50_000_000  # to 1.0 of score; one term adds K1 + 1 = 2.2 times its idf, which fits an int4 up to idf 19

PASSAGE_COLUMNS = """
    c.id, c.version_id, v.provision_id, p.instrument_id, i.title, p.section, p.schedule, v.heading, v.path, c.role,
    c.parent, c.ordinal, c.offset_chars, c.text, lower(v.certain), upper(v.certain), v.dating, m.dated,
    m.register_id, m.source_uri, c.defined_term, p.document_id
"""
PASSAGE_TABLES = """
    corpus_chunk c
    JOIN corpus_provisionversion v ON v.id = c.version_id
    JOIN corpus_provision p ON p.id = v.provision_id
    JOIN corpus_instrument i ON i.code = p.instrument_id
    JOIN corpus_compilation m ON m.id = v.compilation_id
"""
ANY_DAY = {"first": -(2**31), "last": 2**31 - 1}
FEW_UNDATED = 1_000  # are scored one by one; more are looked for among the best of all days
WINDOWS_KEPT = 32
NEAR_ANY_DAY = 200  # best of all days, among which a refusal's undated wordings are looked for
IN_FORCE = "{0}.from_day <= %(last)s AND {0}.to_day > %(first)s"

# One pass over the postings of the question's terms, each weighted by its idf. Arrays and no join: the planner has no
# figures for how many chunks hold a term, and chose nested loops a hundred times slower. Gathering candidates by the
# rare terms first (MaxScore) took as long on 41,000 chunks and was left out.
# Whole numbers are added, not floats: a sum of those hangs in its last digit on the order of the rows, which a plan
# chooses, so that equal scores would part and ties fall another way on another day.
SCORES = """
SELECT k.chunk_id, sum((k.impact * (%(weights)s::float8[])[array_position(%(terms)s::int[], k.term_id)])::int) AS score
FROM corpus_posting k
WHERE k.term_id = ANY(%(terms)s::int[]) AND k.from_day <= %(last)s AND k.to_day > %(first)s
"""
IN_ORDER = "GROUP BY k.chunk_id ORDER BY score DESC, k.chunk_id LIMIT %(limit)s"
BEST = f"{SCORES} {IN_ORDER}"
BEST_OF_THESE = f"{SCORES} AND k.chunk_id = ANY(%(chunks)s::bigint[]) {IN_ORDER}"

# The question's lexemes as the index has them: english stems, and exact tokens for pinpoints and defined terms.
TERMS = """
SELECT t.id FROM corpus_term t WHERE t.lexeme = ANY(ARRAY(
    SELECT lexeme FROM unnest(to_tsvector('english', %(question)s)) ORDER BY positions[1] LIMIT %(most)s
) || %(exact)s::text[]) ORDER BY t.id
"""

FREQUENCIES = f"""
SELECT k.term_id, count(*) FROM corpus_posting k
WHERE k.term_id = ANY(%(terms)s) AND {IN_FORCE.format("k")} GROUP BY k.term_id
"""

# Exact. The vectors are of length one, so the inner product is their cosine at half the work; the distance is named
# once, inside, because a target list is computed for every row before it is sorted.
DENSE = f"""
SELECT near.chunk_id, -near.distance FROM (
    SELECT e.chunk_id, e.vector <#> %(vector)s::halfvec AS distance FROM corpus_chunkvector e
    WHERE e.embedder_id = %(embedder)s AND {IN_FORCE.format("e")}
    ORDER BY distance, e.chunk_id LIMIT %(limit)s
) AS near ORDER BY near.distance, near.chunk_id
"""


def bounds(window: Window) -> dict[str, int]:
    days = day_bounds(window)
    return {"first": days.first_day, "last": days.last_day}


# Possibly in force on those days, of a provision with no wording certain then, in an Act with no compilation of then.
UNDATED = """
SELECT c.id FROM corpus_chunk c
JOIN corpus_provisionversion v ON v.id = c.version_id JOIN corpus_provision p ON p.id = v.provision_id
WHERE c.role <> 'omitted' AND v.possible && daterange(%(from)s, %(until)s)
  AND NOT EXISTS (SELECT 1 FROM corpus_compilation m WHERE m.instrument_id = p.instrument_id
                  AND m.dated >= %(from)s AND m.dated < %(until)s)
  AND NOT EXISTS (SELECT 1 FROM corpus_provisionversion o
                  WHERE o.provision_id = v.provision_id AND o.certain && daterange(%(from)s, %(until)s))
"""


def _practice() -> str:
    return str(getattr(connection, "practice_id", None))


def rows(sql: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def passage_of(row: tuple[Any, ...]) -> Passage:
    (
        chunk_id, version_id, provision_id, instrument, title, section, schedule, heading, path, role,
        parent, ordinal, offset_chars, text, certain_from, certain_to, dating, dated,
        register_id, source_uri, defined_term, document_id,
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
    )


class PostgresCorpusStore:
    """The real store. Uses the connection of the calling thread, with whatever practice is set on it."""

    def __init__(self, embedder: Embedder | None) -> None:
        self.embedder = embedder
        self._embed_one = functools.lru_cache(maxsize=256)(self._embed_uncached)
        self._known_embedder_id: int | None = None
        self._counts: dict[tuple[object, ...], int] = {}
        self._frequencies: dict[tuple[object, ...], int] = {}
        self._undated_chunks: dict[tuple[object, ...], frozenset[int]] = {}

    # What is held

    def horizon(self) -> Horizon | None:
        held = rows("SELECT instrument_id, min(dated), max(dated) FROM corpus_compilation GROUP BY 1 ORDER BY 1", {})
        if not held:
            return None
        return Horizon(min(row[1] for row in held), max(row[2] for row in held), tuple(map(tuple, held)))

    def snapshot(self, window: Window) -> Snapshot:
        """What would be searched now, with every reason not to trust a part of it.

        The index's own record of what it was built from is compared with what is configured and loaded now.
        """
        compilations = tuple(
            f"{code} {dated} {register_id}".strip()
            for code, dated, register_id in rows(
                "SELECT instrument_id, dated, register_id FROM corpus_compilation ORDER BY 1, 2", {}
            )
        )
        state = rows("SELECT corpus_sha256, settings, embedder FROM corpus_indexstate WHERE id = 1", {})
        corpus_sha256, settings, ready_embedder = state[0] if state else ("", "", "")
        wanted = self.embedder.identity if self.embedder else ""
        degraded = []
        is_trusted = not state or (settings == index_settings.fingerprint() and corpus_sha256 == self._loaded_sha256())
        if state and settings != index_settings.fingerprint():
            degraded.append(
                "The word index was built with other settings than this version's; run `manage.py corpus import` again."
            )
        elif not is_trusted:
            degraded.append("The index was built from other text than is loaded; run `manage.py corpus import` again.")
        if not wanted:
            degraded.append("Search by words only: no embedder is configured.")
        elif not ready_embedder:
            degraded.append("Search by words only, until the index by meaning is complete.")
        elif ready_embedder != wanted:
            degraded.append(
                f"Search by words only: the index by meaning was built by {ready_embedder}, not by {wanted}."
            )
        days = bounds(window)
        mode = "hybrid" if wanted and ready_embedder == wanted else "lexical"
        snapshot_id = text_sha256(corpus_sha256, settings or index_settings.fingerprint(), wanted)
        return Snapshot(
            snapshot_id=snapshot_id,
            mode=mode,
            embedder=wanted or "none",
            passages_in_force=self._documents((corpus_sha256, settings, _practice(), *days.values()), days),
            degraded=tuple(degraded),
            compilations=compilations,
            is_trusted=is_trusted,
        )

    def _loaded_sha256(self) -> str:
        """The digest of what the compilations themselves say was loaded, in a fixed order."""
        held = rows("SELECT instrument_id, dated::text, content_sha256 FROM corpus_compilation ORDER BY 1, 2", {})
        return index_settings.corpus_sha256(held)

    # Search

    def search_lexical(self, question: str, window: Window, limit: int) -> list[Hit]:
        days = bounds(window)
        idfs = self._idfs(question, days)
        return self._best(BEST, idfs, days, limit) if idfs else []

    @staticmethod
    def _best(sql: str, idfs: dict[int, float], days: dict[str, int], limit: int, **more: Any) -> list[Hit]:
        weights = [idf * SCORE_UNITS for idf in idfs.values()]
        parameters = {"terms": list(idfs), "weights": weights, "limit": limit, **days, **more}
        return [Hit(chunk_id, score / SCORE_UNITS) for chunk_id, score in rows(sql, parameters)]

    def _idfs(self, question: str, days: dict[str, int]) -> dict[int, float]:
        """The inverse document frequency among the chunks of those days of each lexeme that the index knows.

        By term id, in order. Frequencies are remembered while the index, the practice and the days are the same.
        """
        asked = {"question": question, "most": MAX_QUERY_LEXEMES, "exact": exact_lexemes_of_question(question)}
        terms = [row[0] for row in rows(TERMS, asked)]
        scope = (*self._built_from(), _practice(), *days.values())
        known = {term: self._frequencies.get((*scope, term)) for term in terms}
        unknown = [term for term, count in known.items() if count is None]
        if unknown:
            if len(self._frequencies) > FREQUENCIES_KEPT:
                self._frequencies.clear()
            counted = dict(rows(FREQUENCIES, {"terms": unknown, **days}))
            known |= {term: counted.get(term, 0) for term in unknown}
            self._frequencies |= {(*scope, term): counted.get(term, 0) for term in unknown}
        documents = self._documents(scope, days)
        return {term: math.log(1 + (documents - count + 0.5) / (count + 0.5)) for term, count in known.items() if count}

    def _documents(self, scope: tuple[object, ...], days: dict[str, int]) -> int:
        """How many chunks are in force on those days; remembered like the frequencies."""
        count = self._counts.get(scope)
        if count is None:
            if len(self._counts) > 1000:
                self._counts.clear()
            count = rows(f"SELECT count(*) FROM corpus_chunk c WHERE {IN_FORCE.format('c')}", days)[0][0]
            self._counts[scope] = count
        return count

    def _built_from(self) -> tuple[str, str]:
        """The digest of the text and the settings that the index was made of: what is remembered holds for these."""
        state = rows("SELECT corpus_sha256, settings FROM corpus_indexstate WHERE id = 1", {})
        return (state[0][0], state[0][1]) if state else ("", "")

    def search_dense(self, question: str, window: Window, limit: int) -> list[Hit]:
        embedder_id = self.embedder_id()
        if embedder_id is None:
            return []
        parameters = {
            "vector": self._embed_one(question),
            "embedder": embedder_id,
            "limit": limit,
            **bounds(window),
        }
        return [Hit(chunk_id, float(score)) for chunk_id, score in rows(DENSE, parameters)]

    def similarities(self, question: str, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Cosine of the question with each chunk that has a vector; what the default reranker scores by."""
        embedder_id = self.embedder_id()
        if embedder_id is None or not chunk_ids:
            return {}
        sql = """
            SELECT e.chunk_id, -(e.vector <#> %(vector)s::halfvec) FROM corpus_chunkvector e
            WHERE e.embedder_id = %(embedder)s AND e.chunk_id = ANY(%(ids)s)
        """
        parameters = {"vector": self._embed_one(question), "embedder": embedder_id, "ids": list(chunk_ids)}
        return {chunk_id: float(score) for chunk_id, score in rows(sql, parameters)}

    def embedder_id(self) -> int | None:
        """The small number that the embedder's vectors are kept under; None before the first is computed."""
        if self._known_embedder_id is None and self.embedder is not None:
            sql = "SELECT id FROM corpus_embedderrecord WHERE identity = %(identity)s"
            found = rows(sql, {"identity": self.embedder.identity})
            self._known_embedder_id = found[0][0] if found else None
        return self._known_embedder_id

    def _embed_uncached(self, question: str) -> str:
        assert self.embedder is not None
        vector = self.embedder.embed([question])[0]
        return "[" + ",".join(f"{value:.6g}" for value in vector) + "]"

    # Reading

    def passages(self, chunk_ids: Sequence[int], window: Window) -> list[Passage]:
        """The passages in the order asked for; one that is not in force on the days asked about is not there."""
        sql = f"SELECT {PASSAGE_COLUMNS} FROM {PASSAGE_TABLES} WHERE c.id = ANY(%(ids)s) AND {IN_FORCE.format('c')}"
        found = {row[0]: passage_of(row) for row in rows(sql, {"ids": list(chunk_ids), **bounds(window)})}
        return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]

    def siblings(self, passages: Sequence[Passage], window: Window) -> list[Passage]:
        """All passages of the same versions, in reading order; of a dictionary, only pieces of the same definitions."""
        sql = f"""
            SELECT {PASSAGE_COLUMNS} FROM {PASSAGE_TABLES}
            WHERE c.version_id = ANY(%(ids)s) AND c.defined_term = ANY(%(terms)s) AND {IN_FORCE.format("c")}
            ORDER BY c.version_id, c.ordinal
        """
        wanted = {(passage.version_id, passage.defined_term) for passage in passages}
        parameters = {
            "ids": sorted({version for version, _ in wanted}),
            "terms": sorted({term for _, term in wanted} | {""}),
        }
        return [passage_of(row) for row in rows(sql, {**parameters, **bounds(window)})]

    def look_up(self, instrument: str, schedule: str, section: str, window: Window) -> Lookup:
        provision = {"instrument": instrument, "schedule": schedule, "section": section.lower()}
        cited = """p.instrument_id = %(instrument)s AND p.schedule = %(schedule)s
                   AND lower(p.section) = %(section)s"""
        sql = f"SELECT {PASSAGE_COLUMNS} FROM {PASSAGE_TABLES} WHERE {cited} AND {IN_FORCE.format('c')}"
        found = rows(f"{sql} ORDER BY c.version_id, c.ordinal", {**provision, **bounds(window)})
        if found:
            return Lookup("found", tuple(map(passage_of, found)))
        days = {"from": window.first, "until": window.last + timedelta(days=1)}
        sql = f"""
            SELECT {PASSAGE_COLUMNS} FROM {PASSAGE_TABLES}
            WHERE {cited} AND v.possible && daterange(%(from)s, %(until)s) ORDER BY lower(v.certain), c.ordinal
        """
        around = rows(sql, {**provision, **days})
        if around:
            return Lookup("gap", tuple(map(passage_of, around)))
        return Lookup("absent" if self._is_covered(instrument, schedule, section, days) else "not_held", ())

    def _is_covered(self, instrument: str, schedule: str, section: str, days: dict[str, Any]) -> bool:
        """Whether a compilation of those days holds the section's neighbours, and so says that it is not there.

        Neighbours are of the same Division ("8" of "8-1"): a source may lack whole Divisions, and then nothing is said
        of theirs. A number without a Division in it ("109D") has all of its instrument or Schedule for neighbours.
        """
        sql = """
            SELECT 1 FROM corpus_reading r JOIN corpus_compilation m ON m.id = r.compilation_id
            JOIN corpus_provision p ON p.id = r.provision_id
            WHERE m.instrument_id = %(instrument)s AND m.dated >= %(from)s AND m.dated < %(until)s
              AND p.schedule = %(schedule)s AND starts_with(p.section, %(division)s) LIMIT 1
        """
        division = section.split("-", 1)[0] + "-" if "-" in section else ""
        return bool(rows(sql, {"instrument": instrument, "schedule": schedule, "division": division, **days}))

    def undated_near(self, question: str, window: Window, limit: int) -> list[Passage]:
        """Passages that may have been in force, of provisions with no wording certain on the days asked about.

        A ground to refuse, never to answer from. An instrument with a compilation of those days leaves nothing open.
        """
        undated = self._undated(window)
        idfs = self._idfs(question, ANY_DAY) if undated else {}
        if not idfs:
            return []
        if len(undated) <= FEW_UNDATED:
            found = self._best(BEST_OF_THESE, idfs, ANY_DAY, limit, chunks=sorted(undated))
        else:
            found = self._best(BEST, idfs, ANY_DAY, NEAR_ANY_DAY)
        best = [hit.chunk_id for hit in found if hit.chunk_id in undated][:limit]
        sql = f"SELECT {PASSAGE_COLUMNS} FROM {PASSAGE_TABLES} WHERE c.id = ANY(%(ids)s)"
        passages = {row[0]: passage_of(row) for row in rows(sql, {"ids": best})}
        return [passages[chunk_id] for chunk_id in best]

    def _undated(self, window: Window) -> frozenset[int]:
        """The chunks that only may have been in force, remembered for the windows asked about last."""
        key = (*self._built_from(), _practice(), window)
        found = self._undated_chunks.get(key)
        if found is None:
            if len(self._undated_chunks) >= WINDOWS_KEPT:
                self._undated_chunks.clear()
            days = {"from": window.first, "until": window.last + timedelta(days=1)}
            found = frozenset(row[0] for row in rows(UNDATED, days))
            self._undated_chunks[key] = found
        return found
