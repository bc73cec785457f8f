"""Two times in one table: the days on which words were the law, and the time at which that was known."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connections, transaction
from django.db.backends.postgresql.psycopg_any import DateRange, DateTimeTZRange

from asat_site.testing.embedder import WordHashEmbedder
from research.adapters import law_sql
from research.adapters.corpus_store import PostgresCorpusStore
from research.adapters.embedders.wordpiece import count_tokens
from research.adapters.law_sql import View
from research.corpus import models
from research.corpus.ingest.embed import embed_pending
from research.corpus.ingest.store import OWNER, Loader
from research.corpus.tests.records import record, write
from research.terms import Hit, Passage, Snapshot, Window

pytestmark = pytest.mark.integration

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
Y10, Y12 = date(2010, 7, 1), date(2012, 7, 1)
ON_Y10, BETWEEN, ON_Y12 = Window(Y10, Y10), Window(date(2011, 7, 1), date(2011, 7, 1)), Window(Y12, Y12)
QUESTION = "May a keeper ring the cracked bell at night?"
EMBEDDER = WordHashEmbedder(64, "bitemporal")


class Law:
    """Files loaded one after another, an hour apart."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now, self.files = folder, START, 0

    def load(self, *records: dict[str, Any]) -> datetime:
        """Loads the records as one file; a moment at which that is known, and nothing later yet."""
        self.now += HOUR
        self.files += 1
        Loader(count_tokens, clock=lambda: self.now).import_file(write(self.folder / f"{self.files}.jsonl", *records))
        assert embed_pending(EMBEDDER, using=OWNER) is not None
        return self.now + HOUR / 2


@pytest.fixture
def law(services: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Law]:
    """An empty corpus in a transaction that is rolled back, which the store reads as well."""
    with transaction.atomic(using=OWNER):
        monkeypatch.setattr(law_sql, "connection", connections[OWNER])
        with connections[OWNER].cursor() as cursor:
            for table in ("posting", "chunkvector", "chunk", "versiondates", "indexstate"):
                cursor.execute(f"DELETE FROM corpus_{table}")
        yield Law(tmp_path)
        transaction.set_rollback(True, using=OWNER)


def known() -> list[tuple[str, date, date, str, datetime, datetime | None]]:
    """(first words, certain from, certain to, dating, known from, known until) of every row of dates."""
    rows = models.VersionDates.objects.using(OWNER).filter(provision__instrument="BELL01")
    return sorted(
        (
            (
                row.version.words.text[:24],
                row.certain.lower,
                row.certain.upper,
                row.dating,
                row.recorded.lower,
                row.recorded.upper,
            )
            for row in rows.select_related("version__words")
        ),
        key=lambda row: (row[4], row[1]),
    )


Seen = tuple[list[Hit], list[Hit], list[Passage], str, str, Snapshot]


def seen(view: View = law_sql.NOW, window: Window = ON_Y10) -> Seen:
    """All that a question is answered from."""
    store = PostgresCorpusStore(EMBEDDER, view)
    lexical = store.search_lexical(QUESTION, window, 50)
    dense = store.search_dense(QUESTION, window, 50)
    passages = store.passages([hit.chunk_id for hit in dense], window)
    looked_up = store.look_up("BELL01", "", "1-2", window)
    quoted = "|".join(passage.text for passage in looked_up.passages)
    return lexical, dense, passages, looked_up.state, quoted, store.snapshot(window)


def test_a_correction_ends_what_was_known_and_begins_what_is(law: Law) -> None:
    law.load(record("1-2", "The cracked bell may not be rung."))
    law.load(record("1-2", "The cracked bell may be rung."))
    first, second = START + HOUR, START + 2 * HOUR
    assert known() == [
        ("The cracked bell may not", Y10, Y10 + timedelta(days=1), "unknown", first, second),
        ("The cracked bell may be ", Y10, Y10 + timedelta(days=1), "unknown", second, None),
    ]


def test_a_later_compilation_ends_what_was_known_of_the_days_of_a_wording(law: Law) -> None:
    law.load(record("1-2", "The cracked bell may be rung."))
    law.load(record("1-2", "The cracked bell may be rung.", dated="2012-07-01"))
    assert [row[2:] for row in known()] == [
        (Y10 + timedelta(days=1), "unknown", START + HOUR, START + 2 * HOUR),
        (Y12 + timedelta(days=1), "inferred", START + 2 * HOUR, None),
    ]


def test_what_was_known_at_a_moment_is_found_again_whatever_was_loaded_since(law: Law) -> None:
    other = record("1-1", "(1) A keeper may ring the bell at night.")
    moment = law.load(other, record("1-2", "The cracked bell may not be rung by a keeper."))
    before = seen()
    law.load(other, record("1-2", "The cracked bell may be rung by a keeper."))  # a corrected file
    law.load(record("1-2", "No cracked bell is rung.", dated="2012-07-01"))  # and a later compilation
    law.load(record("7-1", "A keeper of a gong may ring it at night.", short="GONG02"))  # and another Act
    assert seen(View(known_at=moment)) == before
    assert seen()[4] == "The cracked bell may be rung by a keeper." != before[4]


def test_a_gap_that_a_compilation_has_closed_since_is_a_gap_as_it_was_known_then(law: Law) -> None:
    moment = law.load(record("1-2", "The cracked bell may be rung."))
    law.load(record("1-2", "The cracked bell may be rung.", dated="2012-07-01"))
    assert (seen(window=BETWEEN)[3], seen(View(known_at=moment), BETWEEN)[3]) == ("found", "gap")


def test_words_that_were_corrected_are_reached_by_no_search_of_what_is_known_now(law: Law) -> None:
    law.load(record("1-2", "The cracked bell may not be rung by a campanologist."))
    law.load(record("1-2", "The cracked bell may be rung."))
    store = PostgresCorpusStore(EMBEDDER)
    for window in (ON_Y10, Window(date(1970, 1, 1), date(1970, 1, 1)), Window(date(1902, 1, 1), date(2199, 1, 1))):
        assert store.search_lexical("campanologist", window, 50) == []
        assert all("campanologist" not in passage.text for passage in seen(window=window)[2])
    assert store.undated_near("campanologist", Window(date(2011, 1, 1), date(2011, 1, 1)), 50) == []
    # What is not searched is not lost either: the words stand, for whoever cited them.
    assert models.Words.objects.using(OWNER).filter(text__contains="campanologist").count() == 1


def test_a_file_given_again_after_its_correction_is_loaded_again(law: Law) -> None:
    first = [record("1-2", "The cracked bell may not be rung.")]
    law.load(*first)
    law.load(record("1-2", "The cracked bell may be rung."))
    law.load(*first)
    assert [(row[0], row[5] is None) for row in known()] == [
        ("The cracked bell may not", False),
        ("The cracked bell may be ", False),
        ("The cracked bell may not", True),
    ]
    assert seen()[4] == "The cracked bell may not be rung."


def test_the_database_itself_refuses_two_wordings_of_one_day_known_at_one_moment(law: Law) -> None:
    law.load(record("1-2", "The cracked bell may be rung."), record("1-3", "A gong is no bell."))
    here, there = (
        models.VersionDates.objects.using(OWNER).get(provision__document_id=f"bell01/1-{number}") for number in (2, 3)
    )
    tomorrow = Y10 + timedelta(days=1)
    for certain, since, until, refused in [
        ((Y10, tomorrow), START + 2 * HOUR, None, True),
        ((Y10, tomorrow), START, START + 2 * HOUR, True),  # known otherwise for an hour
        ((tomorrow, Y12), START + 2 * HOUR, None, False),
        ((Y10, tomorrow), START, START + HOUR, False),  # known otherwise before
    ]:
        attempt = models.VersionDates(
            version_id=there.version_id,
            provision_id=here.provision_id,
            certain=DateRange(*certain),
            possible=DateRange(*certain),
            dating="unknown",
            compilation_id=here.compilation_id,
            recorded=DateTimeTZRange(since, until),
        )
        models.VersionDates.objects.using(OWNER).filter(pk=there.pk).delete()  # else a version has two rows at once
        with transaction.atomic(using=OWNER):
            attempt.save(using=OWNER)
            with connections[OWNER].cursor() as cursor:
                if refused:
                    with pytest.raises(IntegrityError, match="version_alone"), transaction.atomic(using=OWNER):
                        cursor.execute("SET CONSTRAINTS version_alone IMMEDIATE")
                else:
                    cursor.execute("SET CONSTRAINTS version_alone IMMEDIATE")
                cursor.execute("SET CONSTRAINTS version_alone DEFERRED")
            attempt.delete(using=OWNER)


def test_what_is_certain_must_be_possible(law: Law) -> None:
    law.load(record("1-2", "The cracked bell may be rung."))
    row = models.VersionDates.objects.using(OWNER).get(provision__document_id="bell01/1-2")
    row.possible = DateRange(Y12, None)
    with pytest.raises(IntegrityError, match="version_certain_is_possible"), transaction.atomic(using=OWNER):
        row.save(using=OWNER)


@pytest.mark.parametrize("step", [-3 * HOUR, -HOUR, timedelta(0)])
def test_what_was_known_is_kept_though_a_clock_is_set_back_or_stands(law: Law, step: timedelta) -> None:
    law.load(record("1-2", "The cracked bell may not be rung."))
    before, moment = seen(), law_sql.View(known_at=seen()[5].known_at)
    law.now += step - HOUR
    law.load(record("1-2", "The cracked bell may be rung."))
    first = START + HOUR
    assert [(row[0], row[4], row[5]) for row in known()] == [
        ("The cracked bell may not", first, first + timedelta(microseconds=1)),
        ("The cracked bell may be ", first + timedelta(microseconds=1), None),
    ]
    assert seen(moment) == before
    assert seen()[4] == "The cracked bell may be rung."


BEHIND, LATER = date(2011, 3, 1), date(2011, 9, 1)
AFTER = Window(date(2013, 1, 1), date(2013, 6, 30))
ABOUT_NOW = timedelta(days=400)


@pytest.mark.parametrize(
    ("said_then", "checked", "says_now", "wanted"),
    [
        (None, None, None, None),
        (BEHIND, None, None, BEHIND),  # never asked since
        (BEHIND, ABOUT_NOW, None, None),  # asked since, and it is not
        (BEHIND, -ABOUT_NOW, None, BEHIND),  # asked before that text was loaded
        (None, ABOUT_NOW, LATER, LATER),
        (None, -ABOUT_NOW, LATER, LATER),
        (None, ABOUT_NOW, date(2010, 5, 1), None),  # a text of later than that is held
        (None, -ABOUT_NOW, Y10, None),  # and of that very day
        (BEHIND, ABOUT_NOW, LATER, LATER),
        (date(2014, 1, 1), None, None, None),  # after the days asked about
    ],
)
def test_the_later_word_of_the_register_says_since_when_a_text_is_behind(
    law: Law, said_then: date | None, checked: timedelta | None, says_now: date | None, wanted: date | None
) -> None:
    """said_then: with the newest text held; says_now: of the instrument, at `checked` from when that was loaded."""
    law.load(record("1-2", "The cracked bell may be rung."))
    held = models.Compilation.objects.using(OWNER).get(instrument="BELL01")
    models.Compilation.objects.using(OWNER).filter(pk=held.pk).update(text_not_current_from=said_then)
    if checked is not None:
        at = held.imported_at + checked
        models.RegisterCheck.objects.using(OWNER).create(
            instrument_id="BELL01", tried_at=at, outcome="found", found_at=at, text_not_current_from=says_now
        )
    assert PostgresCorpusStore(EMBEDDER).not_current_from(AFTER).get("BELL01") == wanted
