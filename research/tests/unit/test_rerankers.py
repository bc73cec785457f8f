"""Word overlap as a reranker: what it prefers, and that its scale stays within its bounds."""

from __future__ import annotations

from datetime import date

import pytest

from asat_site.testing.passages import section
from research.adapters.rerankers import OverlapReranker
from research.decision.thresholds import OVERLAP, for_reranker
from research.terms import Fit, Sought, Window

pytestmark = pytest.mark.unit

QUESTION = "Can a grower deduct the cost of netting an orchard?"
RULE = section("12-5", "Netting an orchard", "(1) A grower can deduct the cost of netting an orchard.")[0]
ASIDE = section("14-1", "Fences", "(1) A grower can deduct the cost of a fence, of netting an orchard and of poles.")[0]
OTHER = section("16-1", "Bells", "(1) A keeper rings the bell at noon.")[0]


def sought(question: str) -> Sought:
    return Sought(question, Window(date(2014, 7, 1), date(2015, 6, 30)))


def test_a_rule_under_a_heading_of_its_own_comes_before_one_that_mentions_it() -> None:
    rule, aside, other = OverlapReranker().score(sought(QUESTION), [RULE, ASIDE, OTHER])
    assert rule.relevance > aside.relevance > other.relevance == 0.0


def test_scores_lie_between_0_and_1_and_do_not_hang_on_the_order_offered() -> None:
    reranker = OverlapReranker()
    forwards = reranker.score(sought(QUESTION), [RULE, ASIDE, OTHER])
    assert forwards == reranker.score(sought(QUESTION), [OTHER, ASIDE, RULE])[::-1]
    assert all(0.0 <= fit.relevance == fit.closeness <= 1.0 for fit in forwards)


def test_the_year_and_the_section_asked_about_are_no_words_that_a_rule_must_hold() -> None:
    plain, dated = QUESTION, "Could a grower deduct the cost of netting an orchard in FY2015 under s 12-5?"
    offered = [RULE, ASIDE]
    assert OverlapReranker().score(sought(dated), offered) == OverlapReranker().score(sought(plain), offered)


def test_a_question_without_content_and_no_passages_score_nothing() -> None:
    assert OverlapReranker().score(sought("what is the"), [RULE]) == [Fit(0.0, 0.0)]
    assert OverlapReranker().score(sought(QUESTION), []) == []


def test_its_scale_has_bars_of_its_own() -> None:
    assert for_reranker(OverlapReranker.identity) is OVERLAP
