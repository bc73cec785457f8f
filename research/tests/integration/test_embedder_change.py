"""Another embedder, with vectors of another size: computed beside the one in use, and switched to when complete."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from asat_site.tenancy.context import in_practice
from asat_site.testing.embedder import WordHashEmbedder
from asat_site.testing.practices import KnownPractice
from research import composition
from research.adapters.corpus_store import PostgresCorpusStore
from research.corpus.ingest import embed
from research.corpus.ingest.embed import embed_pending
from research.law.income_year import IncomeYear
from research.ports import Embedder
from research.terms import Window

pytestmark = pytest.mark.integration

YEAR = Window.of_year(IncomeYear(2020))
QUESTION = "Can a harbour pilot deduct travel between ports?"


@pytest.fixture
def in_use(practice: KnownPractice, law: str) -> Iterator[PostgresCorpusStore]:
    """A store of the embedder that the law is searched by, which it is again afterwards."""
    embedder = composition.embedder()
    assert embedder is not None
    with in_practice(practice.practice):
        store = PostgresCorpusStore(embedder)
        assert store.snapshot(YEAR).mode == "hybrid"
        yield store
        embed_pending(embedder)


def complete(embedder: Embedder) -> None:
    told = embed_pending(embedder)
    assert told is not None and told.is_complete


def test_a_question_is_answered_by_meaning_before_during_and_after_the_change(
    in_use: PostgresCorpusStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = in_use.search_dense(QUESTION, YEAR, 10)
    other = WordHashEmbedder(dimensions=48, name="next")
    monkeypatch.setattr(embed, "BATCH", 5)
    begun = embed_pending(other, seconds=0)
    assert begun is not None and not begun.is_complete
    assert in_use.snapshot(YEAR).mode == "hybrid" and in_use.search_dense(QUESTION, YEAR, 10) == before
    coming = PostgresCorpusStore(other)
    assert coming.snapshot(YEAR).mode == "lexical"
    assert "the index by meaning was built by minilm" in coming.snapshot(YEAR).degraded[0]
    complete(other)
    # The index names the new one; whoever still asks with the one of before has all of its vectors, and uses them.
    assert in_use.snapshot(YEAR).mode == "hybrid" and in_use.snapshot(YEAR).degraded == ()
    assert in_use.search_dense(QUESTION, YEAR, 10) == before
    assert (coming.snapshot(YEAR).mode, coming.snapshot(YEAR).embedder) == ("hybrid", other.identity)
    assert coming.snapshot(YEAR).snapshot_id != in_use.snapshot(YEAR).snapshot_id


def test_vectors_of_another_size_are_searched_by_their_own_cosine(in_use: PostgresCorpusStore) -> None:
    other = WordHashEmbedder(dimensions=48, name="sized-48")
    complete(other)
    store = PostgresCorpusStore(other)
    hits = store.search_dense(QUESTION, YEAR, 5)
    asked = other.embed_question(QUESTION)
    assert len(hits) == 5 and len(asked) == 48
    cosines = store.similarities(QUESTION, [hit.chunk_id for hit in hits])
    assert [hit.score for hit in hits] == pytest.approx([cosines[hit.chunk_id] for hit in hits])
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))
    assert 0.1 < hits[0].score <= 1.0


def test_a_model_of_the_models_extra_embeds_and_searches_the_law(in_use: PostgresCorpusStore, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed: pip install .[models]")
    from research.adapters.embedders.sentence_transformer import SentenceTransformerEmbedder
    from research.adapters.model_folder import model_folder
    from research.tests.tiny_models import WIDTH, tiny_embedder

    tiny_embedder(tmp_path / "bge-m3", prompts={"query": "asked: "}, most=4000)
    embedder = SentenceTransformerEmbedder(model_folder(str(tmp_path), "bge-m3", {}))
    complete(embedder)
    store = PostgresCorpusStore(embedder)
    assert store.snapshot(YEAR).mode == "hybrid" and store.snapshot(YEAR).embedder == embedder.identity
    hits = store.search_dense(QUESTION, YEAR, 5)
    assert len(hits) == 5 and len(store.vector_of(QUESTION)) == WIDTH
    (passage,) = store.passages([hits[0].chunk_id], YEAR)
    assert store.search_dense(QUESTION, YEAR, 5) == hits and passage.instrument == "HDFA99"
