"""Text that was not in force cannot be reached, nor move a result or a score: on histories made up at random.

The whole road is walked, over the law in memory. What PostgreSQL does is held to the same in the integration tests.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from asat_site.testing.embedder import WordHashEmbedder
from asat_site.testing.memory_store import MemoryCorpusStore, SharedWordsReranker
from asat_site.testing.passages import ACT, section
from research.adapters.generators.extractive import ExtractiveGenerator
from research.flow import Ports, answer_question
from research.law.income_year import IncomeYear
from research.retrieval.time_filter import is_certain
from research.terms import Decision, Outcome, Passage, Window

YEARS = range(2012, 2023)
COMPILED = {ACT: [date(year, 1, 1) for year in range(2010, 2025)]}  # one in every year: absence is absence
TODAY = date(2024, 5, 1)
SUBJECTS = ["netting", "fences", "poles", "quinces", "hail", "levy", "grafting", "birds"]
QUESTIONS = [
    "Can I deduct the cost of netting an orchard?",
    "Is hail a reason to pay the levy late?",
    "What is grafting?",
    "Are poles and fences fixtures of the orchard?",
]
LEXICAL, HYBRID = "lexical", "hybrid"


@dataclass(frozen=True)
class History:
    """Wordings of some sections; `changes` are the days on which any of them begins or ends."""

    passages: tuple[Passage, ...]
    changes: frozenset[date]

    def changes_between(self, first: date, last: date) -> bool:
        return any(first < change <= last for change in self.changes)


def wording(number: int, version: int, certain: tuple[date, date | None], subjects: Sequence[str]) -> list[Passage]:
    first, second = subjects
    return section(
        f"{number}-1",
        f"{first.capitalize()} in orchards",
        f"(1) You can deduct the cost of {first} in an orchard, up to ${1000 + 10 * version + number} a year.",
        f"(2) However, you cannot deduct the cost of {second} to the extent that it is paid back to you.",
        certain=certain,
        wording=version,
    )


@st.composite
def histories(draw: st.DrawFn) -> History:
    passages: list[Passage] = []
    changes: set[date] = set()
    for number in range(1, draw(st.integers(1, 4)) + 1):
        days = sorted(draw(st.sets(st.dates(date(2009, 1, 1), date(2023, 12, 31)), min_size=1, max_size=4)))
        bounds = [*days, draw(st.sampled_from([None, days[-1] + timedelta(days=400)]))]
        for version, (starts, ends) in enumerate(itertools.pairwise(bounds), 1):
            if len(days) > 1 and draw(st.integers(0, 4)) == 0:
                continue  # a gap: what the section said then is not known, or it was not there
            subjects = draw(st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(SUBJECTS)))
            passages += wording(number, version, (starts, ends), subjects)
            changes |= {starts, ends} - {None}  # type: ignore[arg-type]
    return History(tuple(passages), frozenset(changes))


def store_of(passages: Iterable[Passage], mode: str = HYBRID) -> MemoryCorpusStore:
    return MemoryCorpusStore(passages, WordHashEmbedder(64) if mode == HYBRID else None, COMPILED)


def ask(passages: Iterable[Passage], question: str, year: int, mode: str = HYBRID) -> Outcome:
    reranker = SharedWordsReranker()
    ports = Ports(store_of(passages, mode), {LEXICAL: reranker, HYBRID: reranker}, ExtractiveGenerator(), lambda: 0.0)
    return answer_question(question, IncomeYear(year), TODAY, ports)


def but_for_the_snapshot(outcome: Outcome) -> Outcome:
    """The outcome without the id that names the whole corpus: that must change when the corpus does."""
    assert outcome.snapshot is not None
    return replace(outcome, snapshot=replace(outcome.snapshot, snapshot_id=""))


def but_for_the_year(outcome: Outcome) -> Outcome:
    """The outcome without the words that name the year: the time and why, the message, the step, the first stage."""
    return replace(outcome, time=None, year_because="", message="", next_step="", stages=outcome.stages[1:])


def of(year: int) -> Window:
    return Window.of_year(IncomeYear(year))


year_numbers = st.sampled_from(list(YEARS))
questions = st.sampled_from(QUESTIONS)
modes = st.sampled_from([LEXICAL, HYBRID])


@settings(max_examples=40, deadline=None)
@given(histories(), questions, year_numbers)
def test_no_way_into_the_store_gives_text_that_was_not_in_force(history: History, question: str, year: int) -> None:
    store, window = store_of(history.passages), of(year)
    by_id = {passage.chunk_id: passage for passage in history.passages}
    everything = list(by_id)
    hits = store.search_lexical(question, window, 50) + store.search_dense(question, window, 50)
    found = [by_id[hit.chunk_id] for hit in hits]
    found += store.passages(everything, window) + store.siblings(history.passages, window)
    for number in range(1, 5):
        looked_up = store.look_up(ACT, "", f"{number}-1", window)
        found += looked_up.passages if looked_up.state == "found" else ()
    assert all(is_certain(passage, window) for passage in found)
    in_force = {passage.chunk_id for passage in history.passages if is_certain(passage, window)}
    assert {passage.chunk_id for passage in store.passages(everything, window)} == in_force
    assert not in_force & {passage.chunk_id for passage in store.undated_near(question, window, 50)}


@settings(max_examples=25, deadline=None)
@given(histories(), questions, year_numbers, modes)
def test_nothing_that_is_shown_was_out_of_force(history: History, question: str, year: int, mode: str) -> None:
    outcome = ask(history.passages, question, year, mode)
    in_force = {p.version_id for p in history.passages if is_certain(p, of(year))}
    assert {citation.version_id for claim in outcome.claims for citation in claim.citations} <= in_force
    assert {reading.version_id for reading in outcome.reading_list} <= in_force


@settings(max_examples=25, deadline=None)
@given(histories(), questions, year_numbers, modes, st.booleans())
def test_a_perfect_match_planted_outside_the_year_is_never_found(
    history: History, question: str, year: int, mode: str, is_later: bool
) -> None:
    window = of(year)
    certain = (window.last + timedelta(days=1), None) if is_later else (date(2000, 1, 1), window.first)
    planted = section("77-1", question, f"(1) {question} Yes, you can deduct it in every case.", certain=certain)
    outcome = ask([*history.passages, *planted], question, year, mode)
    assert planted[0].version_id not in {reading.version_id for reading in outcome.reading_list}
    assert "77-1" not in {citation.section for claim in outcome.claims for citation in claim.citations}
    assert but_for_the_snapshot(outcome) == but_for_the_snapshot(ask(history.passages, question, year, mode))


@settings(max_examples=25, deadline=None)
@given(
    histories(),
    questions,
    year_numbers,
    st.integers(1, 6),
    st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(SUBJECTS)),
)
def test_adding_a_version_outside_the_year_changes_no_result_and_no_score(
    history: History, question: str, year: int, number: int, subjects: tuple[str, str]
) -> None:
    window = of(year)
    added = [
        *wording(number, 91, (window.last + timedelta(days=1), None), subjects),
        *wording(number, 92, (date(1999, 1, 1), window.first), subjects),
    ]
    before, after = store_of(history.passages), store_of([*history.passages, *added])
    assert after.search_lexical(question, window, 50) == before.search_lexical(question, window, 50)
    assert after.search_dense(question, window, 50) == before.search_dense(question, window, 50)
    asked = ask(history.passages, question, year)
    assert but_for_the_snapshot(ask([*history.passages, *added], question, year)) == but_for_the_snapshot(asked)


@settings(max_examples=30, deadline=None)
@given(histories(), questions, st.data(), modes)
def test_moving_the_year_where_nothing_changed_changes_nothing_but_the_year(
    history: History, question: str, data: st.DataObject, mode: str
) -> None:
    alike = [
        pair for pair in itertools.pairwise(YEARS) if not history.changes_between(of(pair[0]).first, of(pair[1]).last)
    ]
    assume(alike)
    year, other = data.draw(st.sampled_from(alike))
    one, two = ask(history.passages, question, year, mode), ask(history.passages, question, other, mode)
    assert but_for_the_year(one) == but_for_the_year(two)


@settings(max_examples=25, deadline=None)
@given(st.dates(date(2013, 1, 1), date(2020, 6, 30)), year_numbers, modes)
def test_across_a_change_the_answer_is_in_the_words_of_its_own_year(changed: date, year: int, mode: str) -> None:
    old = wording(1, 1, (date(2009, 7, 1), changed), ("netting", "hail"))
    new = wording(1, 2, (changed, None), ("netting", "hail"))
    other = wording(2, 1, (date(2009, 7, 1), None), ("fences", "birds"))
    outcome = ask([*old, *new, *other], QUESTIONS[0], year, mode)
    assert outcome.decision is Decision.ANSWER
    quoted = [citation.quote for claim in outcome.claims for citation in claim.citations if "netting" in citation.quote]
    expected = [p.text for p in (old[0], new[0]) if is_certain(p, of(year))]
    assert quoted == expected  # both, the earlier first, in the year of the change


@pytest.mark.parametrize(("year", "amount"), [(2015, "$1,000"), (2016, "$1,000"), (2017, "$2,000"), (2020, "$2,000")])
def test_a_figure_changes_on_the_day_it_changed_and_not_before(year: int, amount: str) -> None:
    text = "(1) You can deduct the cost of netting an orchard, up to {} a year."
    old = section("1-1", "Netting", text.format("$1,000"), certain=(date(2014, 7, 1), date(2016, 7, 1)), wording=1)
    new = section("1-1", "Netting", text.format("$2,000"), certain=(date(2016, 7, 1), None), wording=2)
    outcome = ask([*old, *new], QUESTIONS[0], year)
    assert [c.quote for claim in outcome.claims for c in claim.citations] == [text.format(amount)]


def test_a_year_in_which_no_wording_is_certain_is_refused_and_none_is_picked() -> None:
    old = wording(1, 1, (date(2012, 7, 1), date(2014, 7, 1)), ("netting", "hail"))
    new = wording(1, 2, (date(2017, 7, 1), None), ("netting", "hail"))
    reranker = SharedWordsReranker()
    store = MemoryCorpusStore([*old, *new], None, {ACT: [date(2012, 7, 1), date(2014, 6, 30), date(2017, 7, 1)]})
    ports = Ports(store, {LEXICAL: reranker, HYBRID: reranker}, ExtractiveGenerator(), lambda: 0.0)
    outcome = answer_question(QUESTIONS[0], IncomeYear(2016), TODAY, ports)
    assert (outcome.decision, outcome.claims) == (Decision.WORDING_UNKNOWN, ())
    assert {reading.version_id for reading in outcome.reading_list} == {old[0].version_id, new[0].version_id}
