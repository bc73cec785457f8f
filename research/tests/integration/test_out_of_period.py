"""PostgreSQL itself cannot be led to text of another time: histories made up at random, and matches planted in them.

The same properties as for the road in memory, held here by the SQL that searches. Everything happens in a transaction
of the owner that is rolled back.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.db import connections, transaction

from asat_site.testing.embedder import WordHashEmbedder
from research.adapters import law_sql
from research.adapters.corpus_store import PostgresCorpusStore
from research.adapters.embedders.wordpiece import count_tokens
from research.adapters.generators.extractive import ExtractiveGenerator
from research.adapters.rerankers import LearnedReranker
from research.adapters.subject_index import SubjectIndexReader
from research.corpus.ingest.embed import embed_pending
from research.corpus.ingest.store import OWNER, Loader
from research.corpus.tests.records import record, write
from research.decision import thresholds
from research.flow import Ports, answer_question, retrieve
from research.law.income_year import IncomeYear
from research.question.subject_index import Entry, SubjectIndex
from research.shown import Searched
from research.terms import Hit, ResolvedTime, Window

pytestmark = [pytest.mark.integration, pytest.mark.security]

SUBJECTS = ["netting", "fences", "poles", "quinces", "hail", "levy", "grafting", "birds", "ropes", "bells"]
QUESTION = "Can a keeper deduct the cost of netting against birds and hail?"
EMBEDDER = WordHashEmbedder(64, "out-of-period")
POINTING_LATER = SubjectIndex.of(
    [
        Entry(
            "netting", (("BELL01", "77-1"), *(("BELL01", f"1-{number}") for number in range(1, 5))), (QUESTION,), 1999
        ),
        Entry("birds", (("BELL01", "77-1"),), ("keep birds off",), 1999),
    ]
)
HELD, ASKED, LATER = "2014-03-01", Window.of_year(IncomeYear(2014)), "2019-03-01"


@pytest.fixture
def store(services: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgresCorpusStore]:
    with transaction.atomic(using=OWNER):
        monkeypatch.setattr(law_sql, "connection", connections[OWNER])
        with connections[OWNER].cursor() as cursor:  # what other tests loaded is law of some of these days too
            for table in ("corpus_posting", "corpus_chunkvector", "corpus_chunk"):
                cursor.execute(f"DELETE FROM {table}")
        yield PostgresCorpusStore(EMBEDDER)
        transaction.set_rollback(True, using=OWNER)


def load(path: Path, *records: dict[str, Any]) -> None:
    Loader(count_tokens).import_file(write(path, *records))
    assert embed_pending(EMBEDDER, using=OWNER) is not None


def wording(draw: random.Random) -> str:
    first, second = draw.sample(SUBJECTS, 2)
    return f"(1) A keeper can deduct the cost of {first}, up to ${draw.randint(1, 9) * 100}.\n(2) No cost of {second}."


def compilation(draw: random.Random, dated: str, earlier: dict[str, str]) -> list[dict[str, Any]]:
    """Sections kept, changed, left out and new; `earlier` is brought up to date."""
    for number in range(1, 13):
        section = f"1-{number}"
        fate = draw.choice(["keep", "change", "change", "leave out"])
        if fate == "leave out":
            earlier.pop(section, None)
        elif fate == "change" or section not in earlier:
            earlier[section] = wording(draw)
    return [record(section, text, dated=dated) for section, text in sorted(earlier.items())]


def found(store: PostgresCorpusStore) -> tuple[list[Hit], list[Hit], list[int], int]:
    lexical, dense = store.search_lexical(QUESTION, ASKED, 200), store.search_dense(QUESTION, ASKED, 200)
    passages = store.passages([hit.chunk_id for hit in (*lexical, *dense)], ASKED)
    siblings = store.siblings(passages, ASKED)
    reached = sorted({passage.chunk_id for passage in (*passages, *siblings)})
    return lexical, dense, reached, store.snapshot(ASKED).passages_in_force


@pytest.mark.parametrize("seed", range(8))
def test_law_of_another_year_changes_no_result_and_no_score(
    store: PostgresCorpusStore, tmp_path: Path, seed: int
) -> None:
    draw = random.Random(seed)
    sections: dict[str, str] = {}
    load(tmp_path / "held.jsonl", *compilation(draw, HELD, sections))
    before = found(store)
    assert before[0] and before[1]
    planted = record("77-1", f"(1) {QUESTION} Yes, in every case.", dated=LATER, title=QUESTION)
    load(tmp_path / "later.jsonl", *compilation(draw, LATER, sections), planted)
    assert found(store) == before
    there = Window(date(2019, 3, 1), date(2019, 3, 1))
    best = store.passages([store.search_lexical(QUESTION, there, 1)[0].chunk_id], there)
    assert [passage.section for passage in best] == ["77-1"]  # it is there, and the best there is, in its own time
    assert store.look_up("BELL01", "", "77-1", ASKED).state != "found"
    assert "77-1" not in {passage.section for passage in store.passages([best[0].chunk_id], ASKED)}


def road(store: PostgresCorpusStore, mode: str) -> tuple[Any, ...]:
    """What comes of the question on the whole road by the learned scorer, but for how long words are known to stand."""
    scorer = LearnedReranker(store, mode)
    thresholds.put(scorer.identity, thresholds.LEARNED_HYBRID)  # its scale is its own: the embedder is a test's
    subjects = SubjectIndexReader(None, None, POINTING_LATER)
    ports = Ports(store, {mode: scorer}, ExtractiveGenerator(), time.perf_counter, subjects)
    asked = Searched(QUESTION, ResolvedTime(ASKED, IncomeYear(2014), "field", ""), store.snapshot(ASKED))
    retrieved = retrieve(asked, [], ports)
    fits = scorer.score(retrieved.sought, retrieved.passages)
    outcome = answer_question(QUESTION, IncomeYear(2014), date(2026, 11, 30), ports)
    cited = [(citation.chunk_id, citation.quote) for claim in outcome.claims for citation in claim.citations]
    read = [(reading.section, reading.score) for reading in outcome.reading_list]
    said = (outcome.decision, outcome.reason, cited, read, outcome.retrieved, outcome.read_as, outcome.confidence)
    return (retrieved.sought, retrieved.fused, [passage.chunk_id for passage in retrieved.passages], fits, *said)


@pytest.mark.parametrize("mode", ["hybrid", "lexical"])
@pytest.mark.parametrize("seed", range(4))
def test_law_of_another_year_moves_no_relevance_and_no_confidence(
    store: PostgresCorpusStore, tmp_path: Path, seed: int, mode: str
) -> None:
    """Not even law that the subject index points at by the very question."""
    draw = random.Random(seed)
    sections: dict[str, str] = {}
    load(tmp_path / "held.jsonl", *compilation(draw, HELD, sections))
    store.embedder = EMBEDDER if mode == "hybrid" else None
    before = road(store, mode)
    sought, fits = before[0], before[3]
    assert store.snapshot(ASKED).mode == mode and len(fits) > 5
    assert sought.subjects.evidence["BELL01", "77-1"].words > 0
    assert max(fit.signs["subject_words"] for fit in fits) > 0  # the index has its say in what is held
    planted = record("77-1", f"(1) {QUESTION} Yes, in every case.", dated=LATER, title=QUESTION)
    load(tmp_path / "later.jsonl", *compilation(draw, LATER, sections), planted)
    assert road(store, mode) == before
    there = Window(date(2019, 3, 1), date(2019, 3, 1))
    assert len(store.search_provisions(QUESTION, [("BELL01", "77-1")], there, 3)) == 1
    assert store.search_provisions(QUESTION, [("BELL01", "77-1")], ASKED, 3) == []


@pytest.mark.parametrize("seed", range(3))
def test_moving_the_day_inside_what_is_certain_changes_nothing(
    store: PostgresCorpusStore, tmp_path: Path, seed: int
) -> None:
    """The same words in both compilations: every day between finds the same, by the same scores."""
    draw = random.Random(seed)
    sections: dict[str, str] = {}
    kept = compilation(draw, HELD, sections)
    load(tmp_path / "held.jsonl", *kept)
    load(tmp_path / "later.jsonl", *(record(s, text, dated=LATER) for s, text in sorted(sections.items())))
    days = [date(2014, 3, 1), date(2016, 2, 29), date(2019, 3, 1)]
    results = [store.search_lexical(QUESTION, Window(day, day), 200) for day in days]
    mine = {row[0] for row in law_sql.rows(
        "SELECT c.id FROM corpus_chunk c JOIN corpus_provisionversion v ON v.id = c.version_id"
        " JOIN corpus_provision p ON p.id = v.provision_id WHERE p.instrument_id = 'BELL01'", {})}  # fmt: skip
    ranked = [[hit for hit in result if hit.chunk_id in mine] for result in results]
    assert ranked[0] == ranked[1] == ranked[2] and ranked[0]
    dense = [store.search_dense(QUESTION, Window(day, day), 500) for day in days]
    assert len({tuple(hit for hit in result if hit.chunk_id in mine) for result in dense}) == 1
