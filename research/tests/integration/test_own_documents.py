"""A practice's own documents: searched beside the law by itself, and by nobody else in any way."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from io import StringIO
from pathlib import Path
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import ProgrammingError, connection, transaction

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from research import composition, services, tasks
from research.adapters.corpus_store import PostgresCorpusStore
from research.adapters.embedders.wordpiece import count_tokens
from research.adapters.law_sql import View
from research.corpus import models, queries
from research.corpus.ingest.embed import embed_pending
from research.corpus.ingest.read import CorpusRejected
from research.corpus.ingest.sources import Own, documents_known
from research.corpus.ingest.store import Loader
from research.corpus.tests.forget import forget
from research.law.identity import own_code
from research.law.income_year import IncomeYear
from research.terms import Measured, Window

pytestmark = [pytest.mark.integration, pytest.mark.security]

YEAR = Window.of_year(IncomeYear(2021))
MEMO = """---
number: KB-7
tenant: us
title: Berth fees of the quokkasaurus fleet
effective: 2020-07-01
scope: House rules
---
# Who signs

A manager signs every letter about the quokkasaurus fleet before it leaves the practice.

# What is kept

The letter is kept for seven years beside the working papers of the quokkasaurus fleet.
"""
SECRET = "quokkasaurus"
LAW_TABLES = [
    "corpus_instrument",
    "corpus_compilation",
    "corpus_provision",
    "corpus_words",
    "corpus_reading",
    "corpus_provisionversion",
    "corpus_versiondates",
    "corpus_chunk",
    "corpus_term",
    "corpus_posting",
    "corpus_chunkvector",
    "corpus_embedding",
    "corpus_indexstate",
    "corpus_importrun",
]


def own_of(practice: KnownPractice) -> Own:
    return Own(practice.id, frozenset({"us"}))


def code_of(practice: KnownPractice, number: str = "KB-7") -> str:
    return own_code(number, own_of(practice).name)


@pytest.fixture
def memo(practice: KnownPractice, other_practice: KnownPractice, law: str, tmp_path: Path) -> Iterator[str]:
    """The code of a document of `practice`, really loaded and embedded, and taken away again."""
    path = tmp_path / "memo.md"
    path.write_text(MEMO)
    Loader(count_tokens, own=own_of(practice)).import_file(path)
    embedder = composition.embedder()
    assert embedder is not None
    with in_practice(practice.practice):
        assert embed_pending(embedder) is not None
    yield code_of(practice)
    forget(code_of(practice), practice=practice.id)


def store() -> PostgresCorpusStore:
    return PostgresCorpusStore(composition.embedder())


def test_its_own_practice_finds_it_by_word_and_by_meaning_and_reads_it(practice: KnownPractice, memo: str) -> None:
    with in_practice(practice.practice):
        lexical, dense = (search(SECRET, YEAR, 5) for search in (store().search_lexical, store().search_dense))
        found = store().passages([hit.chunk_id for hit in (*lexical, *dense)], YEAR)
        assert {passage.instrument for passage in store().passages([hit.chunk_id for hit in lexical], YEAR)} == {memo}
        assert any(passage.instrument == memo for passage in found)
        assert found[0].authority.startswith("KB-7, ")
        assert "House rules" in queries.frameworks_held()
        assert store().snapshot(YEAR).degraded == ()


def test_a_pin_of_it_brings_it_to_its_own_practice_alone(
    practice: KnownPractice, other_practice: KnownPractice, memo: str
) -> None:
    """As an entry of the subject index could name it: the same place, looked for by both."""
    mine = store()
    with in_practice(practice.practice):
        pins = [(memo, place) for (code, place) in mine._provision_ids() if code == memo]
        hits = mine.search_provisions(SECRET, pins, YEAR, 3)
        chunk_ids = [hit.chunk_id for hit in hits]
        assert len(pins) == 2 and {passage.instrument for passage in mine.passages(chunk_ids, YEAR)} == {memo}
        assert all(found.lexical > 0 for found in mine.measure(SECRET, chunk_ids, YEAR).values())
    with in_practice(other_practice.practice):  # the same store: what it remembers of one is not used for the other
        assert mine.search_provisions(SECRET, pins, YEAR, 3) == []
        assert mine.undated_near(SECRET, YEAR, 5, pins) == []
        assert mine.measure(SECRET, chunk_ids, YEAR) == dict.fromkeys(chunk_ids, Measured(0.0, None))
    with in_practice(practice.practice):
        assert mine.search_provisions(SECRET, pins, YEAR, 3) == hits


def test_nothing_of_it_reaches_another_practice(
    practice: KnownPractice, other_practice: KnownPractice, memo: str
) -> None:
    with in_practice(practice.practice):
        chunk_ids = [hit.chunk_id for hit in store().search_lexical(SECRET, YEAR, 50)]
        versions = list(models.ProvisionVersion.objects.filter(practice_id=practice.id).values_list("pk", flat=True))
    assert chunk_ids and versions
    with in_practice(other_practice.practice):
        theirs = store()
        assert theirs.search_lexical(SECRET, YEAR, 50) == []
        assert theirs.passages(chunk_ids, YEAR) == [] == list(theirs.similarities(SECRET, chunk_ids))
        assert set(chunk_ids).isdisjoint(hit.chunk_id for hit in theirs.search_dense(SECRET, YEAR, 500))
        assert theirs.look_up(memo, "", "who-signs", YEAR).state == "not_held"
        assert queries.version_texts(versions) == {}
        assert "House rules" not in queries.frameworks_held()
        assert memo not in {line.code for line in queries.instruments_held()}


@pytest.mark.parametrize("table", LAW_TABLES)
def test_no_row_of_it_is_read_by_another_practice_or_by_none(
    practice: KnownPractice, other_practice: KnownPractice, memo: str, table: str
) -> None:
    """By SQL as the app role, whatever the search path: the policies stand alone."""
    count = f"SELECT count(*) FROM public.{table} WHERE practice_id IS NOT NULL"

    def counted() -> int:
        with connection.cursor() as cursor:
            cursor.execute(count)
            return int(cursor.fetchone()[0])

    with in_practice(practice.practice):
        assert counted() > 0
    with in_practice(other_practice.practice):
        assert counted() == 0
        with connection.cursor() as cursor:
            cursor.execute(f"SET search_path = {practice.practice.schema_name}, public")
        assert counted() == 0
    assert counted() == 0


@pytest.mark.parametrize("table", LAW_TABLES)
def test_no_row_of_it_is_changed_by_the_app_role(practice: KnownPractice, memo: str, table: str) -> None:
    """Not even by its own practice; vectors may be added, and the state of its index marked complete."""
    with in_practice(practice.practice):
        for statement in (f"DELETE FROM public.{table}", f"UPDATE public.{table} SET practice_id = NULL"):
            refused = pytest.raises(ProgrammingError, match="permission denied")
            with refused, transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(statement)


def test_a_word_of_it_is_no_word_of_the_law(practice: KnownPractice, other_practice: KnownPractice, memo: str) -> None:
    with in_practice(practice.practice):
        assert models.Term.objects.filter(lexeme=SECRET).count() == 1
    with in_practice(other_practice.practice):
        assert models.Term.objects.filter(lexeme__startswith="quokka").count() == 0


def test_its_vectors_are_kept_under_a_key_that_its_words_alone_do_not_give(practice: KnownPractice, memo: str) -> None:
    from research.corpus.ingest.split import embedded_text
    from research.law.identity import text_sha256

    with in_practice(practice.practice):
        for chunk in models.Chunk.objects.filter(practice_id=practice.id):
            assert chunk.input_sha256 != text_sha256(embedded_text(chunk.context, chunk.text))


def test_it_moves_neither_the_snapshot_nor_a_score_of_another_practice(
    practice: KnownPractice, other_practice: KnownPractice, law: str, tmp_path: Path
) -> None:
    question = "Can a harbour pilot deduct travel between ports?"

    def of_the_other() -> tuple[object, ...]:
        with in_practice(other_practice.practice):
            return store().snapshot(YEAR), store().search_lexical(question, YEAR, 50)

    before = of_the_other()
    path = tmp_path / "memo.md"
    path.write_text(MEMO.replace("letter", "harbour pilot"))
    try:
        Loader(count_tokens, own=own_of(practice)).import_file(path)
        assert of_the_other() == before
        with in_practice(practice.practice):
            assert store().snapshot(YEAR).snapshot_id != before[0].snapshot_id  # type: ignore[attr-defined]
    finally:
        forget(code_of(practice), practice=practice.id)
    assert of_the_other() == before


def test_a_question_can_be_narrowed_to_it(practice: KnownPractice, memo: str) -> None:
    with in_practice(practice.practice):
        narrowed = PostgresCorpusStore(composition.embedder(), View(frameworks=("House rules",)))
        found = narrowed.passages([hit.chunk_id for hit in narrowed.search_dense("Who signs?", YEAR, 50)], YEAR)
        assert {passage.instrument for passage in found} == {memo}
        question = services.ask(user=None, text="Who signs a letter?", year=2021, frameworks=["House rules"])
        assert question.frameworks == ["House rules"]


def test_the_worker_gives_it_vectors_and_marks_its_index_complete(
    practice: KnownPractice, law: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_command("corpus", "embed", stdout=StringIO(), stderr=StringIO())  # what other tests left comes first
    path = tmp_path / "memo.md"
    path.write_text(f"{MEMO}\nOne more: a harbour pilot keeps the original of every chart.\n")  # words of no vector yet
    enqueued: list[object] = []
    monkeypatch.setattr(tasks.embed_pending, "apply_async", lambda *arguments, **_: enqueued.append(arguments))
    try:
        Loader(count_tokens, own=own_of(practice)).import_file(path)
        with in_practice(practice.practice):
            assert "Your own documents are searched by words only" in store().snapshot(YEAR).degraded[0]
        tasks.embed_pending()
        with in_practice(practice.practice):
            assert store().snapshot(YEAR).degraded == ()
        assert enqueued == []
    finally:
        forget(code_of(practice), practice=practice.id)


def test_another_practice_cannot_narrow_to_it_and_is_not_told_of_it(
    practice: KnownPractice, other_practice: KnownPractice, memo: str
) -> None:
    with in_practice(other_practice.practice), pytest.raises(services.NotAskable) as refused:
        services.ask(user=None, text="Who signs a letter?", year=2021, frameworks=["House rules"])
    assert "Nothing is loaded of House rules" in refused.value.message


@pytest.mark.parametrize(
    "question", ["Which planets have rings made of ice and dust?", "Can a pilot deduct a lifejacket?"]
)
def test_being_all_that_is_searched_makes_a_document_no_answer(
    practice: KnownPractice, memo: str, question: str
) -> None:
    """Relevance among what was found says nothing of whether any of it is to the point: here two sections are all."""
    with in_practice(practice.practice):
        outcome = services.try_question(question, 2021, date(2026, 11, 30), view=View(frameworks=("House rules",)))
    assert {line.act for line in outcome.retrieved} <= {memo}
    assert outcome.decision.is_abstention


def test_two_practices_may_have_documents_of_one_number(
    practice: KnownPractice, other_practice: KnownPractice, memo: str, tmp_path: Path
) -> None:
    path = tmp_path / "theirs.md"
    path.write_text(MEMO.replace(SECRET, "wombatosaurus"))
    try:
        Loader(count_tokens, own=own_of(other_practice)).import_file(path)
        for whose, word in ((practice, SECRET), (other_practice, "wombatosaurus")):
            with in_practice(whose.practice):
                hits = store().search_lexical(f"{SECRET} wombatosaurus", YEAR, 50)
                texts = {passage.text for passage in store().passages([hit.chunk_id for hit in hits], YEAR)}
                assert texts and all(word in text for text in texts)
    finally:
        forget(code_of(other_practice), practice=other_practice.id)


def test_a_word_of_two_practices_documents_finds_each_practice_its_own(
    practice: KnownPractice, other_practice: KnownPractice, memo: str, tmp_path: Path
) -> None:
    path = tmp_path / "theirs.md"
    path.write_text(MEMO)
    try:
        Loader(count_tokens, own=own_of(other_practice)).import_file(path)
        for whose in (practice, other_practice):
            with in_practice(whose.practice):
                hits = store().search_lexical(SECRET, YEAR, 50)
                found = {passage.instrument for passage in store().passages([hit.chunk_id for hit in hits], YEAR)}
                assert found == {code_of(whose)}
    finally:
        forget(code_of(other_practice), practice=other_practice.id)


def test_a_document_is_never_loaded_over_another_practices(practice: KnownPractice, memo: str, tmp_path: Path) -> None:
    """Names of practices are the first 48 bits of their ids; two that have the same keep apart all the same."""
    path = tmp_path / "theirs.md"
    path.write_text(MEMO.replace(SECRET, "wombatosaurus"))
    namesake = Own(UUID(practice.id.hex[:12] + "f" * 20), frozenset({"us"}))
    with pytest.raises(CorpusRejected, match="belongs to somebody else"):
        Loader(count_tokens, own=namesake).import_file(path)
    with in_practice(practice.practice):
        assert store().search_lexical(SECRET, YEAR, 50) and not store().search_lexical("wombatosaurus", YEAR, 50)


def test_a_document_is_not_loaded_for_everybody_and_law_not_for_one(practice: KnownPractice, tmp_path: Path) -> None:
    path = tmp_path / "memo.md"
    path.write_text(MEMO)
    with pytest.raises(CorpusRejected, match="say whose with --practice"):
        Loader(count_tokens).import_file(path)
    assert not models.Instrument.objects.filter(code__startswith="KB-7").exists()


def test_a_document_given_again_ends_on_the_day_of_a_successor_that_came_later(
    practice: KnownPractice, law: str, tmp_path: Path
) -> None:
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    old.write_text(MEMO.replace("scope:", "superseded-by: KB-8\nscope:"))
    new.write_text(MEMO.replace("KB-7", "KB-8").replace("2020-07-01", "2021-01-01"))
    own = own_of(practice)
    try:
        assert [report.state for report in Loader(count_tokens, own=own).import_file(old)] == ["loaded"]
        later = Loader(count_tokens, own=documents_known([old, new], own))
        assert [later.import_file(path)[0].state for path in (old, new)] == ["loaded", "loaded"]
        with in_practice(practice.practice):
            held = models.Compilation.objects.get(instrument=code_of(practice))
            assert (held.ends, held.stated_alone) == (date(2021, 1, 1), True)
        assert [later.import_file(path)[0].state for path in (old, new)] == ["unchanged", "unchanged"]
    finally:
        for number in ("KB-7", "KB-8"):
            forget(code_of(practice, number), practice=practice.id)
