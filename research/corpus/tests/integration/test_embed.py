"""Vectors: computed once for each text, resumed where they stopped, and named complete only when they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from django.db import connections

from asat_site.testing.embedder import WordHashEmbedder
from research.corpus import models
from research.corpus.ingest import embed
from research.corpus.ingest.embed import EmbedderUnfit, embed_pending, progress_of
from research.corpus.ingest.state import current_state
from research.corpus.ingest.store import OWNER, Loader
from research.corpus.tests.records import record, write


@pytest.fixture
def law(loader: Loader, tmp_path: Path) -> Loader:
    """A dozen sections beside whatever other tests have loaded, 2 of them with one wording."""
    records = [record(f"1-{n}", f"(1) Bell number {n} may be rung.") for n in range(1, 12)]
    loader.import_file(write(tmp_path / "a.jsonl", *records))
    return loader


def run(embedder: WordHashEmbedder, seconds: float | None = None) -> embed.EmbedProgress:
    told = embed_pending(embedder, seconds=seconds, using=OWNER)
    assert told is not None
    return told


def distinct_texts() -> int:
    """Two versions may have a chunk in common; it is computed once."""
    chunks = models.Chunk.objects.using(OWNER).exclude(role="omitted")
    return chunks.values("input_sha256").distinct().count()


def state() -> str:
    held = current_state(OWNER, None)
    assert held is not None
    return held.embedder


def test_every_chunk_gets_a_vector_and_the_index_says_so(law: Loader) -> None:
    embedder = WordHashEmbedder(name="all")
    told = run(embedder)
    assert told.is_complete
    assert told.done == told.total >= told.computed == len(embedder.embedded) == distinct_texts()
    assert state() == embedder.identity
    assert progress_of(embedder.identity, OWNER).is_complete


def test_nothing_is_computed_twice(law: Loader, tmp_path: Path) -> None:
    embedder = WordHashEmbedder(name="once")
    run(embedder)
    computed = len(embedder.embedded)
    assert run(embedder).computed == 0
    # The same law again in a later compilation: the versions are rewritten, the words are not new.
    again = [record(f"1-{n}", f"(1) Bell number {n} may be rung.", dated="2012-07-01") for n in range(1, 12)]
    law.import_file(write(tmp_path / "b.jsonl", *again))
    assert state() == embedder.identity  # the import itself took the vectors over
    assert run(embedder).computed == 0
    assert len(embedder.embedded) == len(set(embedder.embedded)) == computed


def test_new_text_makes_the_index_incomplete_until_it_is_embedded(law: Loader, tmp_path: Path) -> None:
    embedder = WordHashEmbedder(name="more")
    run(embedder)
    law.import_file(write(tmp_path / "b.jsonl", record("2-1", "A gong is no bell at all.", dated="2012-07-01")))
    assert state() == ""
    assert not progress_of(embedder.identity, OWNER).is_complete
    told = run(embedder)
    assert (told.computed, told.is_complete) == (1, True)
    assert state() == embedder.identity


def test_a_run_that_was_stopped_is_taken_up_where_it_stopped(law: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "BATCH", 3)
    embedder = WordHashEmbedder(name="stopped")

    class Killed(Exception):
        pass

    def die_after_two(now: embed.EmbedProgress) -> None:
        if now.computed >= 6:
            raise Killed

    with pytest.raises(Killed):
        embed_pending(embedder, report=die_after_two, using=OWNER)
    held = progress_of(embedder.identity, OWNER)
    assert 6 <= held.done <= 9 and not held.is_complete and state() != embedder.identity
    computed = len(embedder.embedded)
    told = run(embedder)
    assert told.is_complete and told.computed == distinct_texts() - computed
    assert len(embedder.embedded) == len(set(embedder.embedded))


def test_a_run_ends_when_its_time_is_up(law: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "BATCH", 2)
    told = run(WordHashEmbedder(name="slice"), seconds=0)
    assert told.computed == 2 and not told.is_complete


def test_two_embedders_live_side_by_side(law: Loader) -> None:
    one, two = WordHashEmbedder(name="one"), WordHashEmbedder(dimensions=64, name="two")
    run(one)
    run(two)
    assert state() == two.identity
    assert progress_of(one.identity, OWNER).is_complete
    assert progress_of(two.identity, OWNER).is_complete


def test_an_identity_with_another_size_of_vector_is_refused(law: Loader) -> None:
    run(WordHashEmbedder(name="sized"))
    other = WordHashEmbedder(name="sized")
    other.dimensions = 64
    with pytest.raises(EmbedderUnfit, match="makes 64 numbers a vector, but 384 before"):
        embed_pending(other, using=OWNER)


def test_an_embedder_that_would_cut_a_chunk_off_is_refused(law: Loader) -> None:
    narrow = WordHashEmbedder(name="narrow")
    narrow.max_tokens = 8
    with pytest.raises(EmbedderUnfit, match="reads 8 tokens and a passage has"):
        embed_pending(narrow, using=OWNER)
    assert narrow.embedded == []
    assert progress_of(narrow.identity, OWNER).done == 0


def test_a_chunk_that_an_import_wrote_again_meanwhile_gets_no_vector_of_its_words_of_before(law: Loader) -> None:
    """The embedder is at work while an import renames the Act: ids stay, what is embedded does not."""

    class Interrupted(WordHashEmbedder):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            if not self.embedded:
                with connections[OWNER].cursor() as cursor:
                    cursor.execute("UPDATE corpus_chunk SET context = 'Renamed', input_sha256 = md5(id::text)")
            return super().embed(texts)

    embedder = Interrupted(name="interrupted")
    told = embed_pending(embedder, seconds=0, using=OWNER)
    assert told is not None and told.computed > 0
    assert told.done == 0 and not told.is_complete


def test_only_one_job_runs_at_a_time(law: Loader) -> None:
    with connections["default"].cursor() as other:
        other.execute("SELECT pg_advisory_lock(%s)", [embed.EMBED_LOCK])
        try:
            assert embed_pending(WordHashEmbedder(name="second"), using=OWNER) is None
        finally:
            other.execute("SELECT pg_advisory_unlock(%s)", [embed.EMBED_LOCK])
