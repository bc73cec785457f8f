"""Word overlap: shares of content words between 0 and 1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.verification.overlap import OverlapScorer, content_stems, coverage, stem, word_overlap

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("deduct", "deduction"),
        ("deduct", "deductible"),
        ("deducted", "deducts"),
        ("lantern", "lanterns"),
        ("assess", "assessable"),
        ("keeper's", "keepers"),
    ],
)
def test_forms_of_one_word_share_a_stem(first: str, second: str) -> None:
    assert content_stems(first) == content_stems(second) != frozenset()


@pytest.mark.parametrize(("first", "second"), [("lantern", "levy"), ("a1", "a2"), ("car", "care")])
def test_different_words_do_not(first: str, second: str) -> None:
    assert content_stems(first) != content_stems(second)


def test_small_words_carry_nothing_and_numbers_are_kept_whole() -> None:
    assert content_stems("what is the law in this") == frozenset()
    assert stem("75000s") == "75000s"


def test_prose_within_its_quotes_scores_one_and_apart_from_them_nothing() -> None:
    assert word_overlap("the keeper burns oil", ["A keeper may burn oil in a lantern"]) == 1.0
    assert word_overlap("wicks glow", ["A keeper may burn oil in a lantern"]) == 0.0
    assert word_overlap("wicks and oil", ["oil is burnt"]) == 0.5
    assert word_overlap("it is so", []) == 1.0
    assert OverlapScorer().score("wicks and oil", ["oil is burnt"]) == 0.5


def test_coverage_leaves_out_citations_and_years_and_is_nothing_for_a_bare_citation() -> None:
    assert coverage("Is lantern oil deductible under s 8-1 ITAA 1997 in FY2020?", ["lantern oil is deducted"]) == 1.0
    assert coverage("Is lantern oil deductible?", ["wicks are deducted"]) == pytest.approx(1 / 3)
    assert coverage("s 8-1 ITAA 1997", ["lantern oil is deducted"]) == 0.0


@given(st.text(max_size=120), st.lists(st.text(max_size=120), max_size=4), st.text(max_size=120))
def test_overlap_is_a_share_and_more_quotes_never_lower_it(prose: str, quotes: list[str], more: str) -> None:
    share = word_overlap(prose, quotes)
    assert 0.0 <= share <= word_overlap(prose, [*quotes, more]) <= 1.0
    assert word_overlap(prose, [prose]) == 1.0
