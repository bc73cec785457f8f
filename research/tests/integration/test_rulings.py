"""A ruling in the corpus: cited by paragraph, reached for the years it applied in, and never without its notice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from research import services
from research.adapters.embedders.wordpiece import count_tokens
from research.adapters.law_sql import View
from research.corpus.ingest.store import Loader
from research.corpus.tests.forget import forget
from research.corpus.tests.unit.ato.pages import page
from research.terms import Citation, ClaimKind, Decision, Outcome

pytestmark = pytest.mark.integration

TODAY, SAVED = date(2026, 11, 30), date(2024, 3, 1)
RULING = "TR 2008/1"
WITHDRAWN = "This Ruling has been Withdrawn. This Ruling is withdrawn with effect from 1 July 2019."


def load(tmp_path: Path, html: str) -> None:
    path = tmp_path / "ruling.html"
    path.write_text(html, encoding="utf-8")
    Loader(count_tokens, saved_on=SAVED).import_file(path)


@pytest.fixture
def ruling(law: str, tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    forget(RULING)
    services.verify_examples()


def asked(practice: KnownPractice, question: str, year: int) -> Outcome:
    with in_practice(practice.practice):
        return services.try_question(question, year, TODAY)


def cited(outcome: Outcome) -> list[Citation]:
    return [citation for claim in outcome.claims for citation in claim.citations]


@pytest.mark.parametrize("year", [2005, 2015, 2023])
def test_a_current_ruling_is_quoted_by_its_paragraph(ruling: Path, practice: KnownPractice, year: int) -> None:
    load(ruling, page(RULING))
    outcome = asked(practice, "What does paragraph 3 of TR 2008/1 say?", year)
    assert outcome.decision is Decision.ANSWER
    (citation,) = cited(outcome)
    assert citation.authority == "TR 2008/1 at [3]"
    assert citation.quote == "The cost of a berth is deductible in the income year in which the berth is used."
    assert citation.notice == "" and outcome.cautions == ()
    assert "© Australian Taxation Office for the Commonwealth of Australia" in outcome.attribution
    assert "Federal Register" not in outcome.attribution


def test_a_ruling_that_is_named_without_a_paragraph_is_searched_alone(ruling: Path, practice: KnownPractice) -> None:
    load(ruling, page(RULING))
    outcome = asked(practice, "When is the cost of a berth deductible under TR 2008/1?", 2015)
    assert {hit.act for hit in outcome.retrieved} == {RULING}
    assert outcome.decision is Decision.ANSWER


def test_a_withdrawn_ruling_is_reached_for_the_years_in_which_it_applied_and_says_so(
    ruling: Path, practice: KnownPractice
) -> None:
    load(ruling, page(RULING, alert=WITHDRAWN))
    before = asked(practice, "What does paragraph 3 of TR 2008/1 say?", 2019)
    assert before.decision is Decision.ANSWER
    assert {citation.notice for citation in cited(before)} == {"Withdrawn with effect from 1 July 2019."}
    assert before.cautions == ("TR 2008/1 at [3]: Withdrawn with effect from 1 July 2019.",)
    after = asked(practice, "What does paragraph 3 of TR 2008/1 say?", 2021)
    assert after.decision is not Decision.ANSWER and not cited(after)


def test_a_ruling_that_is_not_held_refuses_nothing_that_an_act_answers(law: str, practice: KnownPractice) -> None:
    plain = asked(practice, "Can a harbour pilot deduct travel between ports?", 2020)
    named = asked(practice, "Can a harbour pilot deduct travel between ports? See TR 2031/9.", 2020)
    assert plain.decision is named.decision is Decision.ANSWER


def test_the_ruling_that_cites_a_section_follows_the_words_of_the_act(ruling: Path, practice: KnownPractice) -> None:
    berth = "The cost of a berth is deductible in the income year in which the berth is used."
    travel = "A harbour pilot deducts travel between ports under section 5-10 of the Harbour Dues (Fictional) Act 1999."
    load(ruling, page(RULING).replace(berth, travel))
    outcome = asked(practice, "Can a harbour pilot deduct travel between ports?", 2020)
    assert outcome.decision is Decision.ANSWER
    first, last = outcome.claims[0], outcome.claims[-1]
    assert (first.kind, first.citations[0].authority) == (ClaimKind.RULE, "HDFA99 s 5-10")
    assert (last.kind, last.prose) == (ClaimKind.RULING, "On this, TR 2008/1 at [3] says:")
    assert [citation.quote for citation in last.citations] == [travel]


def test_the_number_of_a_section_is_not_looked_for_among_paragraphs(ruling: Path, practice: KnownPractice) -> None:
    load(ruling, page(RULING))
    outcome = asked(practice, "What does section 3 say?", 2015)
    assert all(citation.act != RULING for citation in cited(outcome))
    assert outcome.decision is not Decision.AMBIGUOUS


def test_search_can_be_narrowed_to_rulings(ruling: Path, practice: KnownPractice) -> None:
    load(ruling, page(RULING))
    with in_practice(practice.practice):
        outcome = services.try_question(
            "When is the cost of a berth deductible?", 2015, TODAY, view=View(frameworks=("ATO public rulings",))
        )
    assert {hit.act for hit in outcome.retrieved} == {RULING}
    assert outcome.frameworks == ("ATO public rulings",)


def test_a_page_saved_again_as_it_was_is_current_up_to_that_day(ruling: Path, practice: KnownPractice) -> None:
    load(ruling, page(RULING))
    again = Loader(count_tokens, saved_on=date(2025, 3, 1))
    assert [report.state for report in again.import_file(ruling / "ruling.html")] == ["loaded"]
    assert [report.state for report in again.import_file(ruling / "ruling.html")] == ["unchanged"]
