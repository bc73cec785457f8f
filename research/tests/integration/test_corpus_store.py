"""The store in PostgreSQL: what is found and in what order, what cannot be reached, and what it says of itself."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from math import log

import pytest
from django.db import ProgrammingError, connection, connections

from asat_site.tenancy.context import in_practice
from asat_site.testing.embedder import WordHashEmbedder
from asat_site.testing.practices import KnownPractice
from research import composition, services
from research.adapters import corpus_store
from research.adapters.corpus_store import EACH_UNDATED, PostgresCorpusStore
from research.adapters.law_sql import NOW, PASSAGE_COLUMNS, passage_of, rows
from research.corpus.index_settings import exact_lexemes_of_question
from research.corpus.ingest.index import TIDY
from research.law.income_year import IncomeYear
from research.terms import Decision, Measured, Passage, Pin, Window

pytestmark = pytest.mark.integration

YEAR = Window.of_year(IncomeYear(2020))
QUESTIONS = [
    "Can a harbour pilot deduct travel between ports?",
    "What is a vessel?",
    "When must harbour dues be paid and who must pay them?",
    "What records must the master of a vessel keep at each port?",
    "Is a lifeboat exempt from harbour dues on a vessel at a port?",
    "harbour",
    "the of and",
]


@pytest.fixture
def store(practice: KnownPractice, law: str) -> Iterator[PostgresCorpusStore]:
    with in_practice(practice.practice):
        yield PostgresCorpusStore(composition.embedder())


@pytest.mark.parametrize("question", QUESTIONS[:5])
def test_scores_are_bm25_over_the_chunks_in_force(store: PostgresCorpusStore, question: str) -> None:
    """Recomputed here from the formula, with frequencies counted among the chunks in force alone."""
    sql = """
        SELECT k.chunk_id, k.term_id, k.impact FROM corpus_posting k JOIN corpus_term t ON t.id = k.term_id
        WHERE k.from_day <= %(last)s AND k.to_day > %(first)s AND t.lexeme = ANY(
            ARRAY(SELECT lexeme FROM unnest(to_tsvector('english', %(question)s))) || %(exact)s::text[])
    """
    exact = exact_lexemes_of_question(question)
    found = rows(sql, {"question": question, "exact": exact, **NOW.parameters(YEAR)})
    documents = rows(
        "SELECT count(*) FROM corpus_chunk WHERE from_day <= %(last)s AND to_day > %(first)s", NOW.parameters(YEAR)
    )
    frequency = Counter(term for _, term, _ in found)
    scores: dict[int, float] = defaultdict(float)
    for chunk_id, term, impact in found:
        scores[chunk_id] += impact * log(1 + (documents[0][0] - frequency[term] + 0.5) / (frequency[term] + 0.5))
    hits = store.search_lexical(question, YEAR, 1000)
    assert hits and {hit.chunk_id: hit.score for hit in hits} == pytest.approx(dict(scores))


@pytest.mark.parametrize("search", ["search_lexical", "search_dense"])
def test_every_ranking_is_a_total_order_and_the_same_each_time(store: PostgresCorpusStore, search: str) -> None:
    for question in QUESTIONS[:4]:
        hits = getattr(store, search)(question, YEAR, 50)
        assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))
        assert hits == getattr(store, search)(question, YEAR, 50)


@pytest.mark.security
@pytest.mark.parametrize("search", ["search_lexical", "search_dense"])
@pytest.mark.parametrize("year", [1998, 2018, 2019, 2020, 2022, 2023, 2024])
def test_no_search_returns_a_passage_that_was_not_certainly_in_force(
    store: PostgresCorpusStore, search: str, year: int
) -> None:
    window = Window.of_year(IncomeYear(year))
    found = {hit.chunk_id for question in QUESTIONS for hit in getattr(store, search)(question, window, 1000)}
    passages = store.passages(sorted(found), window)
    assert {passage.chunk_id for passage in passages} == found
    for passage in passages:
        assert passage.certain_from <= window.last
        assert passage.certain_to is None or passage.certain_to > window.first


@pytest.mark.security
def test_ids_of_another_time_bring_nothing(store: PostgresCorpusStore) -> None:
    """A planted id, as a forged or stale answer could hold one: the filter stands in the reading statement too."""
    later = store.search_lexical("What is the rate of harbour dues?", Window.of_year(IncomeYear(2023)), 50)
    long_ago = Window.of_year(IncomeYear(1999))
    assert later
    assert store.passages([hit.chunk_id for hit in later], long_ago) == []
    then = store.passages([hit.chunk_id for hit in later], Window(date(2022, 7, 1), date(2022, 7, 1)))
    assert then and store.siblings(then, long_ago) == []


@pytest.mark.parametrize(
    "text", ["'; DROP TABLE corpus_chunk; --", "<script>alert(1)</script>", "%s %(x)s {0}", "\\", "☃" * 300]
)
def test_hostile_text_is_searched_for_and_nothing_else(store: PostgresCorpusStore, text: str) -> None:
    store.search_lexical(text, YEAR, 10)
    assert store.search_lexical("harbour", YEAR, 10)


@pytest.mark.parametrize(
    ("section", "schedule", "year", "state"),
    [
        ("5-10", "", 2020, "found"),
        ("5-999", "", 2019, "absent"),
        ("3-10", "", 2021, "gap"),
        ("13-1", "", 2019, "not_held"),
        ("77-1", "", 2019, "absent"),
    ],
)
def test_a_citation_is_found_absent_in_a_gap_or_not_held(
    store: PostgresCorpusStore, section: str, schedule: str, year: int, state: str
) -> None:
    found = store.look_up("HDFA99", schedule, section, Window.of_year(IncomeYear(year)))
    assert found.state == state
    assert bool(found.passages) is (state in ("found", "gap"))


@pytest.mark.parametrize(
    ("titled", "state"),
    [("Division 3", "found"), ("Subdivision 3-Z", "absent"), ("Division 13", "not_held"), ("Division 77", "absent")],
)
def test_a_part_is_ruled_out_by_its_neighbours_or_beyond_the_dictionary_alone(
    store: PostgresCorpusStore, titled: str, state: str
) -> None:
    assert store.part_state("HDFA99", titled, Window.of_year(IncomeYear(2019))) == state


def test_an_index_made_by_another_embedder_is_reported_and_not_searched(practice: KnownPractice, law: str) -> None:
    other = PostgresCorpusStore(WordHashEmbedder())
    with in_practice(practice.practice):
        mine, theirs = composition.store().snapshot(YEAR), other.snapshot(YEAR)
        assert (mine.mode, mine.degraded) == ("hybrid", ())
        assert theirs.mode == "lexical" and "built by" in theirs.degraded[0]
        assert theirs.snapshot_id != mine.snapshot_id
        assert other.search_dense("harbour", YEAR, 10) == []


def test_no_embedder_is_said_and_words_still_find(practice: KnownPractice, law: str) -> None:
    plain = PostgresCorpusStore(None)
    with in_practice(practice.practice):
        snapshot = plain.snapshot(YEAR)
        assert (snapshot.mode, snapshot.embedder) == ("lexical", "none") and snapshot.degraded
        assert plain.search_lexical("harbour", YEAR, 3) and plain.search_dense("harbour", YEAR, 3) == []


# Provisions that the subject index points at


TRAVEL, CLOTHING, DEFINITIONS, RATE = (("HDFA99", pin) for pin in ("5-10", "5-15", "20-1", "3-10"))
ADDED_LATER, REPEALED = ("HDFA99", "3-20"), ("HDFA99", "15-15")
UNHELD: list[Pin] = [("HDFA99", "77-1"), ("NOSUCH", "5-10"), ("hdfa99", "5-10"), ("HDFA99", "%s'; --"), ("", "")]


def reached(store: PostgresCorpusStore, pins: list[Pin], each: int, year: int = 2020) -> list[Passage]:
    """What the pins lead to, read past the time filter: by id alone."""
    hits = store.search_provisions(QUESTIONS[0], pins, Window.of_year(IncomeYear(year)), each)
    sql = f"SELECT {PASSAGE_COLUMNS} FROM {NOW.tables} WHERE c.id = ANY(%(ids)s)"
    by_id = {row[0]: passage_of(row) for row in rows(sql, {"ids": [hit.chunk_id for hit in hits]})}
    return [by_id[hit.chunk_id] for hit in hits]


def test_provisions_come_in_the_order_of_the_pins_and_their_passages_nearest_first(store: PostgresCorpusStore) -> None:
    pins = [CLOTHING, *UNHELD[:2], TRAVEL, RATE]
    hits = store.search_provisions(QUESTIONS[0], pins, Window.of_year(IncomeYear(2019)), 3)
    found = store.passages([hit.chunk_id for hit in hits], Window.of_year(IncomeYear(2019)))
    assert list(dict.fromkeys((passage.instrument, passage.pin) for passage in found)) == [CLOTHING, TRAVEL, RATE]
    assert [hit.score for hit in hits] == [1 / (1 + pins.index((passage.instrument, passage.pin))) for passage in found]
    near = store.similarities(QUESTIONS[0], [hit.chunk_id for hit in hits])
    for pin in (CLOTHING, TRAVEL, RATE):
        own = [near[passage.chunk_id] for passage in found if (passage.instrument, passage.pin) == pin]
        assert own == sorted(own, reverse=True)
    backwards = store.search_provisions(QUESTIONS[0], pins[::-1], Window.of_year(IncomeYear(2019)), 3)
    assert {hit.chunk_id for hit in backwards} == {hit.chunk_id for hit in hits}
    assert backwards[0].chunk_id in {passage.chunk_id for passage in found if passage.pin == "3-10"}


@pytest.mark.parametrize("each", [1, 2, 3, 5])
def test_at_most_so_many_passages_of_one_provision_come_and_they_are_its_nearest(
    store: PostgresCorpusStore, each: int
) -> None:
    whole = reached(store, [DEFINITIONS, TRAVEL], 1000, 2019)
    some = reached(store, [DEFINITIONS, TRAVEL], each, 2019)
    sizes = Counter(passage.pin for passage in whole)
    assert sizes["20-1"] > 5 and Counter(passage.pin for passage in some) == {
        pin: min(each, size) for pin, size in sizes.items()
    }
    assert some == [passage for pin in ("20-1", "5-10") for passage in [p for p in whole if p.pin == pin][:each]]


@pytest.mark.security
@pytest.mark.parametrize("year", [1998, 2018, 2019, 2020, 2021, 2023])
def test_a_pin_brings_only_what_was_in_force_on_the_days_asked_about(store: PostgresCorpusStore, year: int) -> None:
    """Every provision that there is, pointed at: also those that were added later, repealed before or open then."""
    everything = list(rows("SELECT instrument_id, split_part(document_id, '/', 2) FROM corpus_provision", {}))
    assert {ADDED_LATER, REPEALED, RATE} <= set(everything)
    window, found = Window.of_year(IncomeYear(year)), reached(store, everything, 1000, year)
    for passage in found:
        assert passage.certain_from <= window.last
        assert passage.certain_to is None or passage.certain_to > window.first
    pins = {(passage.instrument, passage.pin) for passage in found}
    assert (ADDED_LATER in pins, REPEALED in pins, RATE in pins) == {
        1998: (False, False, False),
        2018: (False, False, False),
        2019: (False, True, True),
        2020: (False, False, False),
        2021: (False, False, False),
        2023: (True, False, True),
    }[year]


@pytest.mark.parametrize("pins", [[], UNHELD])
def test_pins_that_name_nothing_held_bring_nothing(store: PostgresCorpusStore, pins: list[Pin]) -> None:
    assert store.search_provisions(QUESTIONS[0], pins, YEAR, 3) == []


def test_without_vectors_the_first_passages_of_a_provision_come(practice: KnownPractice, law: str) -> None:
    with in_practice(practice.practice):
        found = reached(PostgresCorpusStore(None), [TRAVEL, DEFINITIONS], 2, 2019)
        assert [(passage.pin, passage.ordinal) for passage in found] == [
            ("5-10", 0), ("5-10", 1), ("20-1", 0), ("20-1", 1),
        ]  # fmt: skip


# What the scorer is told of a passage


@pytest.mark.parametrize("question", QUESTIONS[:5])
def test_a_passage_is_measured_as_search_scores_it(store: PostgresCorpusStore, question: str) -> None:
    lexical = {hit.chunk_id: hit.score for hit in store.search_lexical(question, YEAR, 1000)}
    dense = {hit.chunk_id: hit.score for hit in store.search_dense(question, YEAR, 1000)}
    measured = store.measure(question, sorted(dense), YEAR)
    assert lexical and set(lexical) <= set(measured) == set(dense)
    assert {chunk_id: found.lexical for chunk_id, found in measured.items() if found.lexical} == lexical
    assert {chunk_id: found.cosine for chunk_id, found in measured.items()} == dense
    first = sorted(dense)[:3]
    assert store.measure(question, first, YEAR) == {chunk_id: measured[chunk_id] for chunk_id in first}


def test_without_vectors_or_words_known_there_is_nothing_to_measure_by(practice: KnownPractice, law: str) -> None:
    plain = PostgresCorpusStore(None)
    with in_practice(practice.practice):
        hits = plain.search_lexical("harbour", YEAR, 3)
        measured = plain.measure("harbour", [hit.chunk_id for hit in hits], YEAR)
        assert {chunk_id: found.lexical for chunk_id, found in measured.items()} == {h.chunk_id: h.score for h in hits}
        assert all(found.cosine is None for found in measured.values())
        unknown = plain.measure("xyzzy plugh", [hits[0].chunk_id], YEAR)
        assert unknown == {hits[0].chunk_id: Measured(0.0, None)}
        assert plain.measure("harbour", [], YEAR) == {}


# Wordings that nobody can date


OPEN = Window.of_year(IncomeYear(2021))


def test_of_what_is_pointed_at_only_undated_wordings_come(store: PostgresCorpusStore) -> None:
    """In FY2021 the rate is open: both its wordings may have been the law. Travel reads alike before and after."""
    plain = store.undated_near("the going tariff", OPEN, 5)
    assert "3-10" not in {passage.section for passage in plain}
    found = store.undated_near("the going tariff", OPEN, 5, [TRAVEL, RATE, CLOTHING, *UNHELD])
    assert found[: len(plain)] == plain
    assert {passage.section for passage in found[len(plain) :]} == {"3-10"}
    assert {passage.compilation_date for passage in found[len(plain) :]} == {date(2018, 7, 1), date(2022, 7, 1)}
    assert len(found) == len({passage.chunk_id for passage in found}) <= len(plain) + EACH_UNDATED


def test_what_is_found_by_words_is_not_given_twice(store: PostgresCorpusStore) -> None:
    question = "What is the rate of harbour dues?"
    plain = store.undated_near(question, OPEN, 50)
    assert "3-10" in {passage.section for passage in plain}
    found = store.undated_near(question, OPEN, 50, [RATE])
    assert found[: len(plain)] == plain and len(found) == len({passage.chunk_id for passage in found})


def test_words_that_no_law_holds_still_lead_to_what_is_pointed_at(store: PostgresCorpusStore) -> None:
    assert store.undated_near("xyzzy plugh", OPEN, 5) == []
    assert {passage.section for passage in store.undated_near("xyzzy plugh", OPEN, 5, [RATE])} == {"3-10"}


def test_a_year_with_a_compilation_leaves_nothing_open(store: PostgresCorpusStore) -> None:
    for year in (2019, 2023):
        assert store.undated_near("the rate", Window.of_year(IncomeYear(year)), 5, [RATE, ADDED_LATER, REPEALED]) == []


def as_owner(sql: str) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.security
@pytest.mark.parametrize("column", ["corpus_sha256", "settings", "chunks"])
def test_the_app_cannot_say_what_the_index_was_made_from(practice: KnownPractice, law: str, column: str) -> None:
    refused = pytest.raises(ProgrammingError, match="permission denied")
    with in_practice(practice.practice), refused, connection.cursor() as cursor:
        cursor.execute(f"UPDATE corpus_indexstate SET {column} = {column}")


def test_text_that_is_not_what_the_index_was_made_from_is_reported_and_not_answered_from(
    practice: KnownPractice, law: str
) -> None:
    spoil = "UPDATE corpus_indexstate SET corpus_sha256 = reverse(corpus_sha256)"  # twice is once and back again
    with in_practice(practice.practice):
        assert composition.store().snapshot(YEAR).degraded == ()
        try:
            as_owner(spoil)
            assert any("other text" in line for line in composition.store().snapshot(YEAR).degraded)
            assert "other text" in services.search_state()
            outcome = services.try_question(QUESTIONS[0], 2020, date(2026, 1, 1))
            assert outcome.decision is Decision.ERROR and "other text" in outcome.message and not outcome.claims
        finally:
            as_owner(spoil)
        assert composition.store().snapshot(YEAR).degraded == ()


def counted(asked: list[str]) -> bool:
    """Whether any of the statements counts how many chunks hold a term."""
    return any(sql.startswith(corpus_store.FREQUENCIES.split("{")[0]) for sql in asked)


def test_what_is_remembered_of_an_index_is_not_used_for_one_made_by_other_settings(
    store: PostgresCorpusStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil = "UPDATE corpus_indexstate SET settings = reverse(settings)"  # twice is once and back again
    asked: list[str] = []
    monkeypatch.setattr(corpus_store, "rows", lambda sql, parameters: asked.append(sql) or rows(sql, parameters))
    before = store.search_lexical("harbour", YEAR, 5)
    asked.clear()
    assert store.search_lexical("harbour", YEAR, 5) == before
    assert not counted(asked)
    named = store.snapshot(YEAR).snapshot_id
    try:
        as_owner(spoil)
        assert store.search_lexical("harbour", YEAR, 5) == before
        assert counted(asked)
        assert store.snapshot(YEAR).snapshot_id != named
    finally:
        as_owner(spoil)


def test_health_says_how_the_law_can_be_searched(practice: KnownPractice, law: str) -> None:
    assert practice.client(None).get("/health/").json()["search"] == "by word and meaning"


def test_an_import_counts_every_table_that_a_passage_is_read_from() -> None:
    read = set(re.findall(r"\bcorpus_\w+", NOW.tables))
    assert len(read) == 7 and read <= set(TIDY)
