"""A recorded answer asked again: of the law as it is known now, and as it was known when the answer was given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from research import services
from research.adapters.embedders.wordpiece import count_tokens
from research.audit.replay import REPRODUCED, SUPERSEDED
from research.corpus.ingest.store import Loader
from research.corpus.models import ProvisionVersion
from research.corpus.queries import provision_page
from research.corpus.tests.forget import forget
from research.corpus.tests.records import record, write
from research.models import AuditRow
from research.terms import Decision, Pin, Window

pytestmark = pytest.mark.integration

QUESTION = "What does s 1-2 of the Bell Keepers (Fictional) Act 2001 say?"
TWO = "What changed in s 1-2 of the Bell Keepers (Fictional) Act 2001 between FY2011 and FY2013?"


def load(folder: Path, *wordings: tuple[str, str]) -> None:
    """Section 1-2 as it reads in the compilations of these days."""
    for day, words in wordings:
        path = write(folder / f"{day}.jsonl", record("1-2", words, dated=day), record("1-1", dated=day))
        Loader(count_tokens).import_file(path)


@pytest.fixture
def here(throwaway: Callable[[], KnownPractice], law: str) -> Iterator[KnownPractice]:
    yield throwaway()
    forget("BELL01")
    services.verify_examples()


def recorded(text: str, year: int | None) -> AuditRow:
    question = services.ask(user=None, text=text, year=year)
    claimed = services.claim(question.pk, timezone.now())
    assert claimed is not None
    services.run(claimed)
    return AuditRow.objects.select_related("answer__question").get(question_id=question.pk)


def test_a_correction_supersedes_an_answer_and_does_not_change_what_was_known(
    here: KnownPractice, tmp_path: Path
) -> None:
    load(tmp_path, ("2010-07-01", "A keeper may ring a cracked bell at noon and at no other hour of the day."))
    with in_practice(here.practice):
        row = recorded(QUESTION, 2011)
        assert row.answer.decision == Decision.ANSWER
        load(tmp_path, ("2010-07-01", "A keeper must not ring a cracked bell at any hour of the day or night."))
        _, now = services.replay_row(row)
        assert (now.verdict, now.result_changed) == (SUPERSEDED, True)
        outcome, then = services.replay_row(row, as_known_then=True)
        assert (then.verdict, then.moved, then.differences) == (REPRODUCED, (), ())
        assert "at noon" in str(outcome["claims"])


def test_a_refusal_for_a_gap_that_has_closed_since_is_given_again_as_known_then(
    here: KnownPractice, tmp_path: Path
) -> None:
    words = "A keeper may ring a cracked bell at noon and at no other hour of the day."
    load(tmp_path, ("2010-07-01", words), ("2013-07-01", f"{words} Nor at noon on a Sunday."))
    with in_practice(here.practice):
        row = recorded(QUESTION, 2013)
        assert row.answer.decision == Decision.WORDING_UNKNOWN
        load(tmp_path, ("2012-10-01", words))
        assert services.replay_row(row)[1].result_changed
        assert services.replay_row(row, as_known_then=True)[1].verdict == REPRODUCED


def test_a_compilation_loaded_since_takes_nothing_from_what_was_open_then(
    here: KnownPractice, tmp_path: Path, pointed_at: Callable[[str, Pin], None]
) -> None:
    pointed_at("ring a cracked bell", ("BELL01", "1-2"))
    words = "A keeper may ring a cracked bell at noon and at no other hour of the day."
    load(tmp_path, ("2010-07-01", words), ("2013-07-01", f"{words} Nor at noon on a Sunday."))
    with in_practice(here.practice):
        row = recorded("When may a keeper ring a cracked bell at noon?", 2013)
        assert row.answer.decision == Decision.WORDING_UNKNOWN
        load(tmp_path, ("2012-10-01", words))
        assert services.replay_row(row)[1].result_changed
        then = services.replay_row(row, as_known_then=True)[1]
        assert (then.verdict, then.differences) == (REPRODUCED, ())


def test_a_section_that_a_compilation_loaded_since_rules_out_was_not_held_then(
    here: KnownPractice, tmp_path: Path
) -> None:
    load(tmp_path, ("2010-07-01", "A keeper may ring a cracked bell at noon and at no other hour of the day."))
    with in_practice(here.practice):
        row = recorded("What does s 1-9 of the Bell Keepers (Fictional) Act 2001 say on 1 June 2012?", None)
        load(tmp_path, ("2012-06-01", "A keeper may ring a cracked bell at noon and at no other hour of the day."))
        assert services.replay_row(row, as_known_then=True)[1].verdict == REPRODUCED


def test_the_page_of_words_that_were_corrected_since_does_not_say_they_are_in_force(
    here: KnownPractice, tmp_path: Path
) -> None:
    load(tmp_path, ("2010-07-01", "A keeper may ring a cracked bell at noon and at no other hour of the day."))
    wrong = ProvisionVersion.objects.get(provision__document_id="bell01/1-2").pk
    load(tmp_path, ("2010-07-01", "A keeper must not ring a cracked bell at any hour of the day or night."))
    page = provision_page("BELL01", "1-2", Window(date(2010, 7, 1), date(2010, 7, 1)), version_id=wrong)
    assert page is not None and page.shown is not None
    assert (page.shown.id, page.shown.is_in_force) == (wrong, False)
    assert [line.is_in_force for line in page.versions if line.id != wrong] == [True]


def test_both_answers_of_a_question_for_two_times_are_given_again_as_known_then(
    here: KnownPractice, tmp_path: Path
) -> None:
    load(
        tmp_path,
        ("2010-07-01", "A keeper may ring a cracked bell at noon and at no other hour of the day."),
        ("2012-07-01", "A keeper may ring a cracked bell at noon and at dusk and at no other hour."),
    )
    with in_practice(here.practice):
        row = recorded(TWO, None)
        assert row.answer.decision == Decision.ANSWER and len(row.answer.outcome["sides"]) == 2
        load(tmp_path, ("2012-07-01", "A keeper may ring a cracked bell at midnight and at no other hour."))
        _, now = services.replay_row(row)
        assert now.verdict == SUPERSEDED
        assert now.differences and all(line.startswith("Later: ") for line in now.differences)
        assert services.replay_row(row, as_known_then=True)[1].verdict == REPRODUCED
