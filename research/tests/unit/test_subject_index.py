"""The subject index: how lay words are read, in which years, and what an entry is evidence for."""

from __future__ import annotations

import pytest

from research.law.income_year import IncomeYear
from research.question.subject_index import Entry, Nearness, SubjectIndex
from research.terms import SubjectReading

pytestmark = pytest.mark.unit

YEAR = IncomeYear(2015)
NETTING = Entry(
    "protective covering",
    (("OLA20", "12-5"), ("OLA20", "12-10")),
    ("bird netting", "covering over fruit trees", "mesh against hail"),
    2000,
    limits=(("OLA20", "12-40"),),
)
FENCES = Entry("stock fence", (("OLA20", "14-1"),), ("fence around the orchard", "wire and posts"), 2000)
FROST = Entry("frost fan", (("OLA20", "16-1"),), ("wind machine", "frost fan"), 2016, 2019)
INDEX = SubjectIndex.of([NETTING, FENCES, FROST])


def read(question: str, year: IncomeYear = YEAR) -> SubjectReading:
    return INDEX.read(question, year)


def terms(reading: SubjectReading) -> list[str]:
    return [match.term for match in reading.matches]


def test_a_phrase_is_read_when_all_its_words_stand_close_together() -> None:
    reading = read("Can I claim the netting that keeps every bird off my trees?")
    assert [(m.phrase, m.term, m.is_by_words) for m in reading.matches] == [
        ("bird netting", "protective covering", True)
    ]


def test_and_not_when_a_word_is_missing_or_far_away() -> None:
    assert terms(read("Can I claim netting?")) == []
    far = "We bought netting in spring and later our neighbour planted pears, plums, figs and saw a bird."
    assert terms(read(far)) == []


def test_word_forms_do_not_matter() -> None:
    assert terms(read("Who pays for fences around orchards?")) == ["stock fence"]


def test_the_governing_provision_has_the_most_evidence_and_a_limit_the_least() -> None:
    evidence = read("Is bird netting deductible?").evidence
    first, second, limit = (evidence["OLA20", pin] for pin in ("12-5", "12-10", "12-40"))
    assert first.words > second.words > limit.words > 0
    assert first.votes > second.votes > limit.votes > 0
    assert second.words == pytest.approx(0.9 * first.words)
    assert limit.words == pytest.approx(0.6 * first.words)


def test_an_entry_counts_only_in_the_years_it_holds_for() -> None:
    question = "Can I write off a frost fan?"
    assert [terms(read(question, IncomeYear(year))) for year in (2015, 2016, 2019, 2020)] == [
        [],
        ["frost fan"],
        ["frost fan"],
        [],
    ]
    assert ("OLA20", "16-1") not in read(question).evidence


def test_words_that_an_entry_holds_only_in_part_are_evidence_but_no_reading() -> None:
    reading = read("Is mesh deductible?")
    assert reading.matches == ()
    assert reading.evidence["OLA20", "12-5"].together == 1.0
    assert reading.evidence["OLA20", "12-5"].words == 0.0


def test_by_meaning_the_nearest_phrase_of_each_entry_counts_and_is_said_last() -> None:
    near = {INDEX.phrases.index("wire and posts"): 0.8, INDEX.phrases.index("bird netting"): 0.1}
    reading = INDEX.read("Is bird netting deductible?", YEAR, Nearness(near, [0.2, 0.7, 0.1]))
    assert [(m.term, m.is_by_words) for m in reading.matches] == [("protective covering", True), ("stock fence", False)]
    assert reading.evidence["OLA20", "14-1"].meaning == 0.8
    assert reading.evidence["OLA20", "14-1"].middle == 0.7
    assert reading.evidence["OLA20", "12-5"].meaning == 0.1


def test_cosines_that_do_not_fit_the_index_are_refused() -> None:
    with pytest.raises(ValueError, match=r"2 cosines were given for 3 entries; give one each"):
        INDEX.read("Is bird netting deductible?", YEAR, Nearness({0: 0.1}, [0.1, 0.2]))


def test_a_question_of_no_subject_is_evidence_for_nothing() -> None:
    assert read("What should I do?") == SubjectReading({}, ())
    assert SubjectIndex.of([]).read("Is bird netting deductible?", YEAR) == SubjectReading({}, ())


def test_reading_does_not_hang_on_the_order_of_entries() -> None:
    other = SubjectIndex.of([FROST, FENCES, NETTING])
    question = "Is bird netting or a fence around the orchard deductible?"
    assert other.read(question, YEAR).evidence == read(question).evidence
