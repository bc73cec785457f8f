"""The gold set's own form: its size, its spread, its halves. Whether its authorities are there, `evaluate` measures."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

from research.evaluation.cases import BEHAVIOURS, REFUSALS, Case, cases_of
from research.evaluation.gates import MODES, ceiling_in

pytestmark = pytest.mark.unit

FOLDER = Path(__file__).resolve().parents[3] / "gold_set"
KINDS = (
    "lay",
    "practitioner",
    "citation",
    "definition",
    "figure",
    "multi",
    "trap",
    "false_premise",
    "out_of_scope",
    "out_of_corpus",
    "out_of_horizon",
    "ambiguous",
)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return cases_of(yaml.safe_load((FOLDER / "pit_suite.yaml").read_text(encoding="utf-8")))


def test_there_are_enough_cases_over_enough_topics_and_kinds(cases: list[Case]) -> None:
    assert len(cases) >= 500
    assert len({case.tags.topic for case in cases}) >= 25
    assert {case.tags.kind for case in cases} == set(KINDS)
    assert {case.tags.words for case in cases} == {"lay", "statutory"}


def test_at_least_half_are_asked_in_lay_words(cases: list[Case]) -> None:
    assert 2 * sum(case.tags.words == "lay" for case in cases) >= len(cases)


def test_the_split_is_in_halves_overall_and_within_each_kind(cases: list[Case]) -> None:
    splits = Counter(case.tags.split for case in cases)
    assert set(splits) == {"tune", "test"} and abs(splits["tune"] - splits["test"]) <= len(KINDS)
    for kind in KINDS:
        of_kind = Counter(case.tags.split for case in cases if case.tags.kind == kind)
        assert abs(of_kind["tune"] - of_kind["test"]) <= max(2, 0.2 * of_kind.total()), kind


def test_the_test_half_can_show_two_per_cent(cases: list[Case]) -> None:
    """With none wrong of 149 answers the bound is 2 %: more than that must be answerable."""
    assert sum(case.is_answerable and case.tags.split == "test" for case in cases) >= 149


def test_no_question_is_asked_twice_and_each_says_why(cases: list[Case]) -> None:
    asked = Counter((" ".join(case.question.casefold().split()), case.income_year) for case in cases)
    assert [question for question, times in asked.items() if times > 1] == []
    assert [case.id for case in cases if not case.why.strip()] == []


def test_income_years_reach_from_before_to_after_what_is_held(cases: list[Case]) -> None:
    years = {case.income_year for case in cases} - {None}
    assert years >= set(range(2013, 2026))


def test_what_is_expected_can_be_met(cases: list[Case]) -> None:
    for case in cases:
        assert set(case.also_acceptable_behaviours) <= {*BEHAVIOURS, *REFUSALS}, case.id
        assert not set(case.must_not_cite) & set(case.acceptable), case.id


def test_every_set_that_is_gated_has_a_ceiling() -> None:
    recorded = yaml.safe_load((FOLDER / "ceilings.yaml").read_text(encoding="utf-8"))
    for measured, mode in (("slice", "lexical"), ("small_acts", "hybrid"), ("tune", "hybrid"), ("test", "hybrid")):
        assert mode in MODES and 0 <= ceiling_in(recorded, measured, mode) < 1
