"""The law in PostgreSQL behind the `CorpusStore` port: every statement carries the time filter itself.

Lexical search is BM25 over impact-weighted postings: document frequencies and the number of documents are
those of the chunks in force on the days asked about, so text outside them moves neither rank nor score. Dense
search is exact: a scan of the vectors in force. Both orders are total (score, then id).
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from research.adapters.law_sql import NOW, PASSAGE_COLUMNS, View, array_of, passage_of, practice_name, rows
from research.corpus import index_settings
from research.corpus.index_settings import exact_lexemes_of_question
from research.law.citation import CODES
from research.law.identity import text_sha256
from research.ports import Embedder, Horizon, Lookup
from research.terms import Hit, Measured, Passage, Pin, Snapshot, Window

MAX_QUERY_LEXEMES = 48  # the first of a long question; more adds time and no meaning
FREQUENCIES_KEPT = 200_000
SCORE_UNITS = 50_000_000  # to 1.0 of score; one term adds K1 + 1 = 2.2 times its idf, which fits an int4 up to idf 19
FEW_UNDATED = 1_000  # are scored one by one; more are looked for among the best of all days
WINDOWS_KEPT = 32
EACH_UNDATED = 3  # passages of a provision that the subject index points at
NEAR_ANY_DAY = 200  # best of all days, among which a refusal's undated wordings are looked for

# One pass over the postings of the question's terms, each weighted by its idf. Arrays and no join: the planner has no
# figures for how many chunks hold a term, and chose nested loops a hundred times slower. Gathering candidates by the
# rare terms first (MaxScore) took as long on 41,000 chunks and was left out.
# Whole numbers are added, not floats: a sum of those hangs in its last digit on the order of the rows, which a plan
# chooses, so that equal scores would part and ties fall another way on another day.
SCORES = """
SELECT k.chunk_id, sum((k.impact * (%(weights)s::float8[])[array_position(%(terms)s::int[], k.term_id)])::int) AS score
FROM corpus_posting k
WHERE k.term_id = ANY(%(terms)s::int[]) AND {in_force}
"""
IN_ORDER = "GROUP BY k.chunk_id ORDER BY score DESC, k.chunk_id LIMIT %(limit)s"
THESE = "AND k.chunk_id = ANY(%(chunks)s::bigint[])"

# The question's lexemes as the index has them: english stems, and exact tokens for pinpoints and defined terms. A
# practice's own lexeme may stand beside everybody's.
TERMS = """
SELECT t.id, t.lexeme FROM corpus_term t WHERE t.lexeme = ANY(ARRAY(
    SELECT lexeme FROM unnest(to_tsvector('english', %(question)s)) ORDER BY positions[1] LIMIT %(most)s
) || %(exact)s::text[]) ORDER BY t.id
"""

FREQUENCIES = """
SELECT k.term_id, count(*) FROM corpus_posting k
WHERE k.term_id = ANY(%(terms)s::int[]) AND {in_force} GROUP BY k.term_id
"""

# Exact. The vectors are of length one, so the inner product is their cosine at half the work; the distance is named
# once, inside, because a target list is computed for every row before it is sorted.
DENSE = """
SELECT near.chunk_id, -near.distance FROM (
    SELECT e.chunk_id, e.vector <#> %(vector)s::halfvec AS distance FROM corpus_chunkvector e
    WHERE e.embedder_id = %(embedder)s AND {in_force}
    ORDER BY distance, e.chunk_id LIMIT %(limit)s
) AS near ORDER BY near.distance, near.chunk_id
"""

# A compilation tells of its own day, and of the days on which its publisher says that it was in force.
OF_THE_DAYS = """
daterange(least(m.dated, m.starts), CASE WHEN m.starts IS NULL OR m.ends IS NOT NULL
          THEN greatest(m.dated + 1, m.ends) END) && daterange(%(from)s, %(until)s)
"""

# Possibly in force on those days, of a provision with no wording certain then, in an Act with no compilation of then.
UNDATED = """
SELECT c.id FROM corpus_chunk c
JOIN corpus_versiondates d ON d.version_id = c.version_id AND {known_d}
JOIN corpus_provision p ON p.id = d.provision_id
WHERE c.role <> 'omitted' AND d.possible && daterange(%(from)s, %(until)s)
  AND NOT EXISTS (SELECT 1 FROM corpus_compilation m WHERE m.instrument_id = p.instrument_id AND {of_the_days} {loaded})
  AND NOT EXISTS (SELECT 1 FROM corpus_versiondates o
                  WHERE o.provision_id = d.provision_id AND {known_o}
                    AND o.certain && daterange(%(from)s, %(until)s)) {narrowed}
"""

# The Acts and regulations say what years are covered; a ruling that reaches back to 1901 does not.
HORIZON = """
SELECT p.instrument_id, min(lower(d.certain)),
       CASE WHEN NOT bool_or(upper_inf(d.certain)) THEN max(upper(d.certain)) - 1 END
FROM corpus_versiondates d JOIN corpus_provision p ON p.id = d.provision_id
JOIN corpus_instrument i ON i.code = p.instrument_id
WHERE {known} {narrowed} GROUP BY 1 ORDER BY 1
"""


@dataclass(slots=True)
class _Remembered:
    """What is read once for one question. states: by view and practice; weights: of its lexemes, by view and days."""

    states: dict[tuple[View, str], tuple[_State | None, _State | None]] = field(default_factory=dict)
    weights: dict[tuple[object, ...], dict[int, float]] = field(default_factory=dict)


_of_this_question: ContextVar[_Remembered | None] = ContextVar("of_this_question", default=None)


@contextmanager
def one_question() -> Iterator[None]:
    """What is loaded, and what the question's words weigh, is read once within; `snapshot` looks again at the first.

    Without it each step asks the database anew, a dozen times on one road.
    """
    token = _of_this_question.set(_Remembered())
    try:
        yield
    finally:
        _of_this_question.reset(token)


def _remembered() -> _Remembered:
    return _of_this_question.get() or _Remembered()


class PostgresCorpusStore:
    """The real store. Uses the connection of the calling thread, with whatever practice is set on it.

    view: as what is known now, or was at an earlier moment; in all frameworks, or some.
    """

    def __init__(self, embedder: Embedder | None, view: View = NOW) -> None:
        self.embedder = embedder
        self.view = view
        self._embed_one = functools.lru_cache(maxsize=256)(self._embed_uncached)
        self._known_embedder_id: int | None = None
        self._counts: dict[tuple[object, ...], int] = {}
        self._frequencies: dict[tuple[object, ...], int] = {}
        self._undated_chunks: dict[tuple[object, ...], frozenset[int]] = {}
        self._titles: dict[tuple[object, ...], dict[str, str]] = {}
        self._pins: dict[tuple[object, ...], dict[Pin, int]] = {}
        self._horizons: dict[tuple[object, ...], Horizon | None] = {}

    def seeing(self, view: View) -> PostgresCorpusStore:
        """The same law and embedder, seen otherwise; what is remembered of a question's vector is shared."""
        other = PostgresCorpusStore(self.embedder, view)
        other._embed_one = self._embed_one
        return other

    # What is held

    def horizon(self) -> Horizon | None:
        scope = (*self._built_from(), practice_name())
        if scope in self._horizons:
            return self._horizons[scope]
        if len(self._horizons) >= WINDOWS_KEPT:
            self._horizons.clear()
        found = self._horizons[scope] = self._read_horizon()
        return found

    def _read_horizon(self) -> Horizon | None:
        narrowed = "AND i.framework = ANY(%(frameworks)s)" if self.view.frameworks else ""
        sql = HORIZON.format(known=self.view.known("d"), narrowed=narrowed)
        held = [(code, first, last or date.max) for code, first, last in rows(sql, self.view.parameters())]
        if not held:
            return None
        acts = {row[0] for row in rows("SELECT code FROM corpus_instrument WHERE kind IN ('act', 'regulation')", {})}
        telling = [row for row in held if row[0] in acts] or held
        instruments = tuple(row for row in held if row[0] in acts)
        return Horizon(min(row[1] for row in telling), max(row[2] for row in telling), instruments)

    def titles(self) -> dict[str, str]:
        scope = (*self._built_from(), practice_name())
        found = self._titles.get(scope)
        if found is None:
            if len(self._titles) >= WINDOWS_KEPT:
                self._titles.clear()
            sql = f"""
                SELECT i.title, i.code FROM corpus_instrument i
                WHERE i.kind IN ('act', 'regulation') AND NOT i.code = ANY(%(codes)s)
                  AND EXISTS (SELECT FROM corpus_compilation m WHERE m.instrument_id = i.code {self.view.loaded("m")})
                ORDER BY i.code DESC
            """
            found = self._titles[scope] = dict(rows(sql, {"codes": list(CODES), **self.view.parameters()}))
        return found

    def snapshot(self, window: Window) -> Snapshot:
        """What would be searched, with every reason not to trust a part of it.

        The index's own record of what it was built from is compared with what is configured and loaded now; of an
        earlier moment with what is configured alone.
        """
        law, own = self._states(anew=True)
        wanted = self.embedder.identity if self.embedder else ""
        degraded: list[str] = []
        settings = {state.settings for state in (law, own) if state}
        is_trusted = settings <= {index_settings.fingerprint()} and (
            self.view.known_at is not None or self._is_of_what_is_loaded(law, own)
        )
        if not settings <= {index_settings.fingerprint()}:
            degraded.append(
                "The word index was built with other settings than this version's; run `manage.py corpus import` again."
            )
        elif not is_trusted:
            degraded.append("The index was built from other text than is loaded; run `manage.py corpus import` again.")
        ready = self._ready(law, is_law=True) if law else self._ready(own, is_law=False) if own else ""
        if not wanted:
            degraded.append("Search by words only: no embedder is configured.")
        elif not ready:
            degraded.append("Search by words only, until the index by meaning is complete.")
        elif ready != wanted:
            degraded.append(f"Search by words only: the index by meaning was built by {ready}, not by {wanted}.")
        elif own and self._ready(own, is_law=False) != wanted:
            degraded.append("Your own documents are searched by words only, until their index by meaning is complete.")
        return Snapshot(
            snapshot_id=text_sha256(_together(law, own), *(sorted(settings) or [index_settings.fingerprint()]), wanted),
            mode="hybrid" if wanted and ready == wanted else "lexical",
            embedder=wanted or "none",
            passages_in_force=self._documents(self._scope(window), window),
            degraded=tuple(degraded),
            compilations=tuple(sorted(line for state in (law, own) if state for line in state.compilations)),
            is_trusted=is_trusted,
            known_at=max((state.since for state in (law, own) if state), default=None),
        )

    def _ready(self, state: _State, is_law: bool) -> str:
        """The embedder whose vectors are complete, the configured one where it is.

        The state names the one that was completed last: while another is computed beside the one in use, both can be.
        Where it names none, none is taken for complete before that is recorded: a replay as known then goes by it.
        """
        embedder_id = self.embedder_id()
        if self.embedder is None or embedder_id is None or self.view.known_at is not None:
            return state.embedder
        if state.embedder in ("", self.embedder.identity):
            return state.embedder
        sql = f"""
            SELECT NOT EXISTS (
                SELECT FROM corpus_chunk c WHERE c.role <> 'omitted' AND c.practice_id IS {"" if is_law else "NOT"} NULL
                AND NOT EXISTS (SELECT FROM corpus_chunkvector v WHERE v.embedder_id = %(id)s AND v.chunk_id = c.id))
        """
        return self.embedder.identity if rows(sql, {"id": embedder_id})[0][0] else state.embedder

    def _states(self, anew: bool = False) -> tuple[_State | None, _State | None]:
        """What the index of the law was built from, and that of the practice's own documents.

        anew: read though it is known from a moment ago, and what was remembered beside it dropped where it has changed.
        """
        key, known = (self.view, practice_name()), _remembered()
        found = known.states.get(key)
        if found is None or anew:
            before, found = found, self._read_states()
            if found != before:
                known.weights.clear()
            known.states[key] = found
        return found

    def _read_states(self) -> tuple[_State | None, _State | None]:
        sql = f"""
            SELECT s.practice_id IS NULL, s.corpus_sha256, s.settings, s.embedder, s.compilations, lower(s.recorded)
            FROM corpus_indexstate s WHERE {self.view.known("s")}
        """
        found = {is_law: _State(*of) for is_law, *of in rows(sql, self.view.parameters())}
        return found.get(True), found.get(False)

    @staticmethod
    def _is_of_what_is_loaded(law: _State | None, own: _State | None) -> bool:
        """Whether the digests are those of what the compilations themselves say was loaded."""
        held: dict[bool, list[tuple[str, str, str]]] = {True: [], False: []}
        sql = "SELECT practice_id IS NULL, instrument_id, dated::text, content_sha256 FROM corpus_compilation"
        for is_law, *line in rows(sql, {}):
            held[is_law].append((line[0], line[1], line[2]))
        return all(
            (state.corpus_sha256 if state else "") == (index_settings.corpus_sha256(lines) if lines or state else "")
            for state, lines in ((law, held[True]), (own, held[False]))
        )

    def _built_from(self) -> tuple[str, str]:
        """The digest of the text and the settings that the index was made of: what is remembered holds for these."""
        law, own = self._states()
        first = law or own
        return (_together(law, own), first.settings if first else "")

    def _scope(self, window: Window | None) -> tuple[object, ...]:
        days = self.view.parameters(window)
        return (*self._built_from(), practice_name(), days["first"], days["last"])

    # Search

    def search_lexical(self, question: str, window: Window, limit: int) -> list[Hit]:
        idfs = self._idfs(question, window)
        return self._best(idfs, window, limit) if idfs else []

    def _best(
        self, idfs: dict[int, float], window: Window | None, limit: int, chunks: Sequence[int] | None = None
    ) -> list[Hit]:
        """The best by BM25 on the days asked about, None for any; of `chunks` alone where they are given."""
        sql = SCORES.format(in_force=self.view.in_force("k"))
        sql = f"{sql} {THESE if chunks is not None else ''} {IN_ORDER}"
        parameters = {
            "terms": array_of(idfs),
            "weights": array_of(idf * SCORE_UNITS for idf in idfs.values()),
            "limit": limit,
            "chunks": array_of(chunks or ()),
            **self.view.parameters(window),
        }
        return [Hit(chunk_id, score / SCORE_UNITS) for chunk_id, score in rows(sql, parameters)]

    def _idfs(self, question: str, window: Window | None) -> dict[int, float]:
        """The inverse document frequency among the chunks of those days of each lexeme that the index knows.

        By term id, in order. Frequencies are remembered while the index, the practice and the days are the same. A
        lexeme that everybody's law and the practice's documents each have under an id of their own is one lexeme.
        """
        scope = self._scope(window)
        key, known_weights = (self.view, *scope, question), _remembered().weights
        if key not in known_weights:
            known_weights[key] = self._read_idfs(question, window, scope)
        return known_weights[key]

    def _read_idfs(self, question: str, window: Window | None, scope: tuple[object, ...]) -> dict[int, float]:
        asked = {"question": question, "most": MAX_QUERY_LEXEMES, "exact": exact_lexemes_of_question(question)}
        lexemes: dict[int, str] = dict(rows(TERMS, asked))
        known = {term: self._frequencies.get((*scope, term)) for term in lexemes}
        unknown = [term for term, count in known.items() if count is None]
        if unknown:
            if len(self._frequencies) > FREQUENCIES_KEPT:
                self._frequencies.clear()
            sql = FREQUENCIES.format(in_force=self.view.in_force("k"))
            counted = dict(rows(sql, {"terms": array_of(unknown), **self.view.parameters(window)}))
            known |= {term: counted.get(term, 0) for term in unknown}
            self._frequencies |= {(*scope, term): counted.get(term, 0) for term in unknown}
        documents = self._documents(scope, window)
        together: dict[str, int] = {}
        for term, count in known.items():
            together[lexemes[term]] = together.get(lexemes[term], 0) + (count or 0)
        counts = {term: together[lexemes[term]] for term, count in known.items() if count}
        return {term: math.log(1 + (documents - count + 0.5) / (count + 0.5)) for term, count in counts.items()}

    def _documents(self, scope: tuple[object, ...], window: Window | None) -> int:
        """How many chunks are in force on those days; remembered like the frequencies."""
        count = self._counts.get(scope)
        if count is None:
            if len(self._counts) > 1000:
                self._counts.clear()
            sql = f"SELECT count(*) FROM corpus_chunk c WHERE {self.view.in_force('c', 'id')}"
            count = rows(sql, self.view.parameters(window))[0][0]
            self._counts[scope] = count
        return count

    def search_dense(self, question: str, window: Window, limit: int) -> list[Hit]:
        embedder_id = self.embedder_id()
        if embedder_id is None:
            return []
        parameters = {
            "vector": self._embed_one(question),
            "embedder": embedder_id,
            "limit": limit,
            **self.view.parameters(window),
        }
        sql = DENSE.format(in_force=self.view.in_force("e"))
        return [Hit(chunk_id, float(score)) for chunk_id, score in rows(sql, parameters)]

    def vector_of(self, question: str) -> list[float]:
        """The question's vector, as it is searched with; remembered for a while."""
        return [float(number) for number in self._embed_one(question).strip("[]").split(",")]

    def search_provisions(self, question: str, pins: Sequence[Pin], window: Window, each: int) -> list[Hit]:
        return self._nearest_of(question, pins, each, self.view.in_force("c", "id"), self.view.parameters(window))

    def _nearest_of(
        self, question: str, pins: Sequence[Pin], each: int, which: str, parameters: dict[str, Any]
    ) -> list[Hit]:
        """Of each provision the passages nearest to the question, `each` at most, in the pins' order.

        which: the condition, in SQL, on the passages looked at.
        """
        known = self._provision_ids()
        wanted = {known[pin]: place for place, pin in enumerate(pins) if pin in known}
        embedder_id = self.embedder_id()
        parameters = {**parameters, "ids": array_of(wanted), "embedder": embedder_id}
        nearness = "NULL::float8"
        if embedder_id is not None:
            parameters["vector"] = self._embed_one(question)
            nearness = """(SELECT e.vector <#> %(vector)s::halfvec FROM corpus_chunkvector e
                           WHERE e.embedder_id = %(embedder)s AND e.chunk_id = c.id)"""
        sql = f"""
            SELECT provision_id, id FROM (
                SELECT provision_id, id,
                       row_number() OVER (PARTITION BY provision_id ORDER BY near, ordinal, id) AS place
                FROM (SELECT v.provision_id, c.id, c.ordinal, {nearness} AS near FROM corpus_provisionversion v
                      JOIN corpus_chunk c ON c.version_id = v.id
                      WHERE v.provision_id = ANY(%(ids)s::bigint[]) AND c.role <> 'omitted' AND {which}
                     ) AS measured
            ) AS placed WHERE place <= {int(each)} ORDER BY place
        """
        found = [(wanted[provision], chunk_id) for provision, chunk_id in rows(sql, parameters)] if wanted else []
        return [Hit(chunk_id, 1.0 / (1 + place)) for place, chunk_id in sorted(found, key=lambda pair: pair[0])]

    def _provision_ids(self) -> dict[Pin, int]:
        """The provision that each place in an instrument is, remembered while the same law is loaded."""
        scope = (*self._built_from(), practice_name())
        found = self._pins.get(scope)
        if found is None:
            self._pins.clear()
            sql = """
                SELECT instrument_id, substring(document_id FROM position('/' IN document_id) + 1), id
                FROM corpus_provision
            """
            found = self._pins[scope] = {(code, pin): number for code, pin, number in rows(sql, {})}
        return found

    def measure(self, question: str, chunk_ids: Sequence[int], window: Window | None) -> dict[int, Measured]:
        idfs = self._idfs(question, window) if chunk_ids else {}
        # Of any day: the passages were let through by their days, or are looked at because those are not known.
        by_words = self._best(idfs, None, len(chunk_ids), chunks=chunk_ids) if idfs else []
        lexical = {hit.chunk_id: hit.score for hit in by_words}
        cosines = self.similarities(question, chunk_ids)
        return {chunk_id: Measured(lexical.get(chunk_id, 0.0), cosines.get(chunk_id)) for chunk_id in chunk_ids}

    def similarities(self, question: str, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Cosine of the question with each chunk that has a vector; what the default reranker scores by."""
        embedder_id = self.embedder_id()
        if embedder_id is None or not chunk_ids:
            return {}
        sql = """
            SELECT e.chunk_id, -(e.vector <#> %(vector)s::halfvec) FROM corpus_chunkvector e
            WHERE e.embedder_id = %(embedder)s AND e.chunk_id = ANY(%(ids)s::bigint[])
        """
        parameters = {"vector": self._embed_one(question), "embedder": embedder_id, "ids": array_of(chunk_ids)}
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
        vector = self.embedder.embed_question(question)
        return "[" + ",".join(f"{value:.6g}" for value in vector) + "]"

    # Reading

    def passages(self, chunk_ids: Sequence[int], window: Window) -> list[Passage]:
        """The passages in the order asked for; one that is not in force on the days asked about is not there."""
        found = self._passages("c.id = ANY(%(ids)s::bigint[])", "c.id", window, ids=array_of(chunk_ids))
        by_id = {passage.chunk_id: passage for passage in found}
        return [by_id[chunk_id] for chunk_id in chunk_ids if chunk_id in by_id]

    def siblings(self, passages: Sequence[Passage], window: Window) -> list[Passage]:
        """All passages of the same versions, in reading order; of a dictionary, only pieces of the same definitions."""
        wanted = {(passage.version_id, passage.defined_term) for passage in passages}
        return self._passages(
            "c.version_id = ANY(%(ids)s::bigint[]) AND c.defined_term = ANY(%(terms)s)",
            "c.version_id, c.ordinal",
            window,
            ids=array_of(sorted({version for version, _ in wanted})),
            terms=sorted({term for _, term in wanted} | {""}),
        )

    def _passages(self, which: str, order: str, window: Window, **parameters: Any) -> list[Passage]:
        """The passages that `which` names and that were in force on a day asked about, in `order`."""
        sql = f"""
            SELECT {PASSAGE_COLUMNS} FROM {self.view.tables}
            WHERE {which} AND {self.view.in_force("c", "id")} ORDER BY {order}
        """
        return [passage_of(row) for row in rows(sql, {**parameters, **self.view.parameters(window)})]

    def look_up(self, instrument: str, schedule: str, section: str, window: Window) -> Lookup:
        cited = "p.instrument_id = %(instrument)s AND p.schedule = %(schedule)s"
        cited += " AND lower(p.section) = %(section)s" if section else ""
        provision = {"instrument": instrument, "schedule": schedule, "section": section.lower()}
        found = self._passages(cited, "c.version_id, c.ordinal", window, **provision)
        if found:
            return Lookup("found", tuple(found))
        asked = {**provision, **self.view.parameters(window)}
        sql = f"""
            SELECT {PASSAGE_COLUMNS} FROM {self.view.tables}
            WHERE {cited} AND d.possible && daterange(%(from)s, %(until)s) ORDER BY lower(d.certain), c.ordinal
        """
        around = rows(sql, asked)
        if around:
            return Lookup("gap", tuple(map(passage_of, around)))
        return Lookup("absent" if self._is_ruled_out(cited, asked) else "not_held", ())

    def _is_ruled_out(self, cited: str, asked: dict[str, Any]) -> bool:
        """Whether what is held says that there was no such provision on those days.

        Either its own dates leave those days out: it was added later, or repealed before. Or a compilation of those
        days holds the section's neighbours. Neighbours are of the same Division ("8" of "8-1"): a source may lack whole
        Divisions, and then nothing is said of theirs. A number without a Division in it ("109D") has all of its
        instrument or Schedule for neighbours.
        """
        sql = f"""
            SELECT 1 FROM corpus_versiondates d JOIN corpus_provision p ON p.id = d.provision_id
            WHERE {cited} AND {self.view.known("d")} LIMIT 1
        """
        if rows(sql, asked):
            return True
        sql = f"""
            SELECT 1 FROM corpus_reading r JOIN corpus_compilation m ON m.id = r.compilation_id
            JOIN corpus_provision p ON p.id = r.provision_id
            WHERE m.instrument_id = %(instrument)s AND {OF_THE_DAYS} {self.view.loaded("m")}
              AND p.schedule = %(schedule)s AND starts_with(p.section, %(division)s) LIMIT 1
        """
        division, hyphen, _ = asked["section"].partition("-")
        if rows(sql, {**asked, "division": f"{division}-" if hyphen else ""}):
            return True
        number = re.match(r"[0-9]+", division)
        last = self._last_division(asked) if hyphen else None
        return number is not None and last is not None and int(number[0]) > last

    def _last_division(self, asked: dict[str, Any]) -> int | None:
        """The number of the last Division of an instrument, in any compilation held: an Act's dictionary stays its end.

        None where the last is no dictionary: a source may lack the end of an Act.
        """
        sql = f"""
            SELECT substring(title FROM '^Division ([0-9]+)')::int AS number, title FROM (
                SELECT DISTINCT unnest(r.path) AS title FROM corpus_reading r
                JOIN corpus_compilation m ON m.id = r.compilation_id
                WHERE m.instrument_id = %(instrument)s {self.view.loaded("m")}) AS held
            WHERE title ~ '^Division [0-9]' ORDER BY number DESC LIMIT 1
        """
        last = rows(sql, asked)
        return int(last[0][0]) if last and re.search(r"Dictionary|Definitions", last[0][1]) else None

    def part_state(self, instrument: str, titled: str, window: Window) -> str:
        asked = {**self.view.parameters(window), "instrument": instrument}
        unit, _, number = titled.partition(" ")
        base = re.match(r"[0-9]+[A-Z]*-|[IVX]+", number)
        sql = f"""
            SELECT coalesce(bool_or(title ~* %(exactly)s), false), coalesce(bool_or(title ~* %(beside)s), false) FROM (
                SELECT DISTINCT unnest(r.path) AS title FROM corpus_reading r
                JOIN corpus_compilation m ON m.id = r.compilation_id
                WHERE m.instrument_id = %(instrument)s AND {OF_THE_DAYS} {self.view.loaded("m")}) AS held
        """
        exactly = rf"^{unit} {re.escape(number)}(?![A-Za-z0-9-])"
        beside = rf"^{unit} {re.escape(base[0])}" if base else "^$"
        ((is_there, has_neighbours),) = rows(sql, {**asked, "exactly": exactly, "beside": beside})
        if is_there:
            return "found"
        if unit == "Division" and number.isdigit():
            last = self._last_division(asked)
            return "absent" if last is not None and int(number) > last else "not_held"
        return "absent" if has_neighbours else "not_held"

    def not_current_from(self, window: Window) -> dict[str, date]:
        """From what the Register said last: of the instrument when it was asked, or of the newest text held.

        A day on which it said that the text was behind is past once a text of that day or a later one is held; that it
        was not behind holds of the text that was held then.
        """
        sql = """
            SELECT code, since FROM (
                SELECT i.code, CASE WHEN r.text_not_current_from > m.dated THEN r.text_not_current_from
                                    WHEN r.text_not_current_from IS NULL AND r.found_at >= m.imported_at THEN NULL
                                    ELSE m.text_not_current_from END AS since
                FROM corpus_instrument i LEFT JOIN corpus_registercheck r ON r.instrument_id = i.code
                JOIN LATERAL (SELECT text_not_current_from, dated, imported_at FROM corpus_compilation c
                              WHERE c.instrument_id = i.code ORDER BY dated DESC LIMIT 1) m ON true
            ) AS told WHERE since <= %(last_day)s
        """
        return dict(rows(sql, {"last_day": window.last}))

    def undated_near(self, question: str, window: Window, limit: int, pointed_at: Sequence[Pin] = ()) -> list[Passage]:
        """Passages that may have been in force, of provisions with no wording certain on the days asked about.

        A ground to refuse, never to answer from. An instrument with a compilation of those days leaves nothing open.
        """
        undated = self._undated(window)
        best = self._undated_by_words(question, undated, limit) if undated else []
        best += [chunk_id for chunk_id in self._undated_of(question, undated, pointed_at) if chunk_id not in best]
        if not best:
            return []
        sql = f"SELECT {PASSAGE_COLUMNS} FROM {self.view.tables} WHERE c.id = ANY(%(ids)s::bigint[])"
        passages = {row[0]: passage_of(row) for row in rows(sql, {"ids": array_of(best), **self.view.parameters()})}
        return [passages[chunk_id] for chunk_id in best]

    def _undated_by_words(self, question: str, undated: frozenset[int], limit: int) -> list[int]:
        idfs = self._idfs(question, None)
        if not idfs:
            return []
        if len(undated) <= FEW_UNDATED:
            found = self._best(idfs, None, limit, chunks=sorted(undated))
        else:
            found = self._best(idfs, None, NEAR_ANY_DAY)
        return [hit.chunk_id for hit in found if hit.chunk_id in undated][:limit]

    def _undated_of(self, question: str, undated: frozenset[int], pins: Sequence[Pin]) -> list[int]:
        """Of the provisions named; wordings of other days than those asked about take no undated one's place."""
        known = self._provision_ids() if undated and pins else {}
        named = [known[pin] for pin in pins if pin in known]
        sql = """
            SELECT c.id FROM corpus_provisionversion v JOIN corpus_chunk c ON c.version_id = v.id
            WHERE v.provision_id = ANY(%(named)s::bigint[])
        """
        those = [row[0] for row in rows(sql, {"named": array_of(named)}) if row[0] in undated] if named else []
        if not those:
            return []
        hits = self._nearest_of(
            question, pins, EACH_UNDATED, "c.id = ANY(%(those)s::bigint[])", {"those": array_of(those)}
        )
        return [hit.chunk_id for hit in hits]

    def _undated(self, window: Window) -> frozenset[int]:
        """The chunks that only may have been in force, remembered for the windows asked about last."""
        key = self._scope(window)
        found = self._undated_chunks.get(key)
        if found is None:
            if len(self._undated_chunks) >= WINDOWS_KEPT:
                self._undated_chunks.clear()
            sql = UNDATED.format(
                known_d=self.view.known("d"),
                known_o=self.view.known("o"),
                of_the_days=OF_THE_DAYS,
                loaded=self.view.loaded("m"),
                narrowed=self.view.narrowed("c", "id"),
            )
            found = frozenset(row[0] for row in rows(sql, self.view.parameters(window)))
            self._undated_chunks[key] = found
        return found


@dataclass(frozen=True, slots=True)
class _State:
    """What one index was built from, as its row says."""

    corpus_sha256: str
    settings: str
    embedder: str
    compilations: Sequence[str]
    since: datetime


def _together(law: _State | None, own: _State | None) -> str:
    """The digest of the law, and of the practice's own documents where it has some."""
    if own is None:
        return law.corpus_sha256 if law else ""
    return text_sha256(law.corpus_sha256 if law else "", own.corpus_sha256)
