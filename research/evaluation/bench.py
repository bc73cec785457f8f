"""Measures search and answers on the law that is loaded, beside an in-memory yardstick in the same run.

Database time is the time in SQL statements as the connection sees it, from sending to the last row. The
yardsticks (`bm25s`, and a matrix product in numpy) search the same chunks in force, with the same limit.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection, transaction

from research import composition, services
from research.adapters.corpus_store import PostgresCorpusStore, one_question
from research.adapters.law_sql import NOW, rows
from research.corpus.index_settings import exact_lexemes_of_question
from research.corpus.ingest.split import embedded_text
from research.flow import PER_LIST, PROVISIONS, TO_RERANK
from research.ports import Asked, Embedder
from research.retrieval.fusion import rrf
from research.terms import StageTime, Window

Search = Callable[[str], Any]
WARMING = 20  # questions whose time is not counted


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds over all questions and rounds."""

    name: str
    clients: int
    samples: tuple[float, ...]

    @property
    def p50(self) -> float:
        return statistics.median(self.samples)

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.samples, n=20)[-1]


@dataclass(slots=True)
class StatementClock:
    """Adds up the time that statements take on this thread's connection."""

    ms: float = 0.0
    statements: int = 0

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        started = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.ms += (time.perf_counter() - started) * 1000
            self.statements += 1


@contextmanager
def statement_clock() -> Iterator[StatementClock]:
    clock = StatementClock()
    with connection.execute_wrapper(clock):
        yield clock


def searches(store: PostgresCorpusStore, window: Window) -> dict[str, Search]:
    """What is measured, by name; "hybrid" is both searches, the passages, their vectors and their siblings."""

    def hybrid(question: str) -> None:
        with one_question():
            lexical = store.search_lexical(question, window, PER_LIST)
            dense = store.search_dense(question, window, PER_LIST)
            fused = rrf([lexical, dense])[:TO_RERANK]
            passages = store.passages([hit.chunk_id for hit in fused], window)
            store.similarities(question, [passage.chunk_id for passage in passages])
            store.siblings(passages[:PROVISIONS], window)

    return {
        "lexical": lambda question: store.search_lexical(question, window, PER_LIST),
        "dense": lambda question: store.search_dense(question, window, PER_LIST),
        "hybrid": hybrid,
    }


def database_time(
    name: str, search: Search, questions: Sequence[str], clients: int, rounds: int, enter: Callable[[], Any]
) -> Timing:
    """Database milliseconds of each question, asked by `clients` threads at once, each on its own connection.

    enter: gives the context in which a thread speaks for its practice.
    """

    def ask_all(offset: int) -> list[float]:
        try:
            with enter():
                search(questions[0])  # warm: connection, plans, the question's vector
                times = []
                for turn in range(rounds * len(questions)):
                    question = questions[(turn + offset) % len(questions)]
                    with statement_clock() as clock:
                        search(question)
                    times.append(clock.ms)
                return times
        finally:
            if clients > 1:
                connection.close()

    if clients == 1:
        return Timing(name, 1, tuple(ask_all(0)))
    with ThreadPoolExecutor(clients) as pool:
        step = max(1, len(questions) // clients)
        samples = [ms for times in pool.map(ask_all, range(0, step * clients, step)) for ms in times]
    return Timing(name, clients, tuple(samples))


def wall_time(name: str, search: Search, questions: Sequence[str], rounds: int) -> Timing:
    """Milliseconds of each call, one client, in this process."""
    for question in questions:
        search(question)
    samples = []
    for question in list(questions) * rounds:
        started = time.perf_counter()
        search(question)
        samples.append((time.perf_counter() - started) * 1000)
    return Timing(name, 1, tuple(samples))


def in_memory_searches(store: PostgresCorpusStore, window: Window) -> dict[str, Search]:
    """The yardsticks over the chunks in force in `window`: bm25s on the same lexemes, numpy on the same vectors."""
    import bm25s
    import numpy

    chunks = _lexemes_in_force(store, window)
    retriever = bm25s.BM25(k1=1.2, b=0.75)
    retriever.index(chunks, show_progress=False)
    # Lexemes and vectors of the questions are looked up once, on the warming call, so that only the search is timed.
    known: dict[str, list[str]] = {}

    def bm25(question: str) -> Any:
        if question not in known:
            known[question] = _lexemes_of(question)
        return retriever.retrieve([known[question]], k=min(PER_LIST, len(chunks)), show_progress=False)

    found: dict[str, Search] = {"bm25s": bm25}
    vectors = _vectors_in_force(store, window)
    if vectors:
        matrix = numpy.asarray(vectors, dtype=numpy.float32)
        asked: dict[str, Any] = {}

        def dense(question: str) -> Any:
            if question not in asked:
                assert store.embedder is not None
                asked[question] = numpy.asarray(store.embedder.embed_question(question), dtype=numpy.float32)
            scores = matrix @ asked[question]
            best = numpy.argpartition(scores, -PER_LIST)[-PER_LIST:]
            return best[numpy.argsort(-scores[best])]

        found["numpy"] = dense
    return found


def _lexemes_in_force(store: PostgresCorpusStore, window: Window) -> list[list[str]]:
    sql = """
        SELECT array_agg(t.lexeme) FROM corpus_posting k JOIN corpus_term t ON t.id = k.term_id
        WHERE k.from_day <= %(last)s AND k.to_day > %(first)s GROUP BY k.chunk_id
    """
    return [row[0] for row in rows(sql, NOW.parameters(window))]


def _lexemes_of(question: str) -> list[str]:
    sql = "SELECT lexeme FROM unnest(to_tsvector('english', %(question)s))"
    return [row[0] for row in rows(sql, {"question": question})] + exact_lexemes_of_question(question)


def _vectors_in_force(store: PostgresCorpusStore, window: Window) -> list[list[float]]:
    sql = """
        SELECT e.vector::real[] FROM corpus_chunkvector e
        WHERE e.from_day <= %(last)s AND e.to_day > %(first)s
    """
    return [row[0] for row in rows(sql, NOW.parameters(window))]


TABLES = (
    "corpus_words",
    "corpus_provisionversion",
    "corpus_versiondates",
    "corpus_chunk",
    "corpus_posting",
    "corpus_term",
    "corpus_chunkvector",
    "corpus_embedding",
)


def sizes() -> dict[str, tuple[int, int]]:
    """(bytes of the table, bytes of its indexes) by table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, pg_table_size(name::regclass), pg_indexes_size(name::regclass) "
            "FROM unnest(%s::text[]) AS name",
            [list(TABLES)],
        )
        return {name: (table, indexes) for name, table, indexes in cursor.fetchall()}


def embedding_rate(embedder: Embedder, passages: int = 256) -> float:
    """Passages embedded a second: some of the corpus, spread over it by their ids, which are hashes."""
    sql = "SELECT context, text FROM corpus_chunk WHERE role <> 'omitted' ORDER BY id LIMIT %(passages)s"
    texts = sorted((embedded_text(context, text) for context, text in rows(sql, {"passages": passages})), key=len)
    embedder.embed(texts[:1])
    started = time.perf_counter()
    embedder.embed(texts)
    return len(texts) / (time.perf_counter() - started)


# Chunks without a vector get that of another chunk: an exact scan takes the same time whatever the numbers are.
STAND_IN = """
INSERT INTO corpus_chunkvector (embedder_id, chunk_id, from_day, to_day, practice_id, vector)
SELECT %(embedder)s, missing.id, missing.from_day, missing.to_day, missing.practice_id, held.vector
FROM (SELECT c.*, row_number() OVER (ORDER BY c.id) AS place FROM corpus_chunk c
      WHERE NOT EXISTS (SELECT FROM corpus_chunkvector v WHERE v.embedder_id = %(embedder)s AND v.chunk_id = c.id)
     ) AS missing
JOIN (SELECT v.vector, row_number() OVER (ORDER BY v.chunk_id) AS place FROM corpus_chunkvector v
      WHERE v.embedder_id = %(embedder)s LIMIT 1000) AS held ON held.place = 1 + missing.place %% 1000
"""


class _Undone(Exception):
    """Takes back what was only put in to be measured."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Milliseconds of whole answers, and of each stage of the road; the last stage is the recording."""

    whole: Timing
    stages: dict[str, Timing]


def answers_recorded(asked: Sequence[tuple[str, int | None]], today: date) -> Answered:
    """Each question with its year asked once, answered, recorded with its audit row, and taken back.

    Once: what is remembered of a question, its vector above all, is not there yet, as for a person who asks. The first
    few warm the process and are not counted.
    """
    whole: list[float] = []
    stages: dict[str, list[float]] = {}
    for number, (text, year) in enumerate(asked):
        try:
            with transaction.atomic():
                question = services.ask(user=None, text=text, year=year)
                began = time.perf_counter()
                outcome = services.try_question(question.text, year, today, drafts=services.quoting)
                answered = time.perf_counter()
                record = Asked(str(question.pk), question.text, year, today, "")
                composition.audit_store().append(record, outcome)
                ended = time.perf_counter()
                raise _Undone
        except _Undone:
            pass
        if number < WARMING:
            continue
        whole.append((ended - began) * 1000)
        for stage in (*outcome.stages, StageTime("audit", (ended - answered) * 1000)):
            stages.setdefault(stage.stage, []).append(stage.ms)
    timings = {name: Timing(name, 1, tuple(samples)) for name, samples in stages.items()}
    return Answered(Timing("whole answer", 1, tuple(whole)), timings)


@contextmanager
def stand_in_vectors(embedder_id: int) -> Iterator[int]:
    """How many vectors stand in for ones not computed, on this connection alone; taken back at the end."""
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(STAND_IN, {"embedder": embedder_id})
                written = cursor.rowcount
            yield written
            raise _Undone
    except _Undone:
        pass
