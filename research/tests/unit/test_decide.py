"""The decision: each row of the table, in its order, and what more evidence can never do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.decision.decide import Evidence, confidence, decide
from research.decision.thresholds import COSINE, OVERLAP, Thresholds, for_reranker
from research.decision.words import BADGES, words_for
from research.logistic import Weights
from research.terms import Decision, Reason

pytestmark = pytest.mark.unit

BARS = Thresholds(floor=0.3, bar=0.5, clear=0.7, lead=0.0, gap_margin=0.05, coverage=0.4, measured="for this test")
GOOD = Evidence(
    is_cited=False,
    lookup_state="",
    relevance=0.6,
    hits=2,
    in_both=True,
    coverage=0.5,
    verified_claims=1,
    failed_quotes=0,
    excess_prose=0,
)


@pytest.mark.parametrize(
    ("changes", "decision", "reason"),
    [
        ({}, Decision.ANSWER, Reason.VERIFIED),
        ({"lookup_state": "absent"}, Decision.FALSE_PREMISE, Reason.PROVISION_NOT_THERE),
        ({"lookup_state": "gap"}, Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP),
        ({"rival": 0.65}, Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP),
        ({"rival": 0.62}, Decision.ANSWER, Reason.VERIFIED),  # not better by the margin
        ({"rival": 0.9, "is_cited": True}, Decision.ANSWER, Reason.VERIFIED),
        ({"rival": 0.45, "relevance": 0.2}, Decision.NO_BASIS, Reason.BELOW_FLOOR),  # the rival is below the bar
        ({"relevance": None, "verified_claims": 0}, Decision.NO_BASIS, Reason.NOTHING_FOUND),
        ({"relevance": None, "rival": 0.5}, Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP),
        ({"relevance": 0.29}, Decision.NO_BASIS, Reason.BELOW_FLOOR),
        ({"relevance": 0.0, "is_cited": True}, Decision.ANSWER, Reason.VERIFIED),
        ({"lead": -0.01}, Decision.THIN_EVIDENCE, Reason.RIVAL_PROVISION),
        ({"lead": 0.0}, Decision.ANSWER, Reason.VERIFIED),
        ({"lead": -0.5, "is_cited": True}, Decision.ANSWER, Reason.VERIFIED),
        ({"verified_claims": 0, "failed_quotes": 1}, Decision.UNGROUNDED, Reason.QUOTE_NOT_IN_SOURCE),
        ({"verified_claims": 0, "excess_prose": 1}, Decision.UNGROUNDED, Reason.PROSE_EXCEEDS_QUOTES),
        ({"verified_claims": 0}, Decision.NO_BASIS, Reason.NOTHING_FOUND),
        (
            {"verified_claims": 0, "failed_quotes": 1, "is_cited": True},
            Decision.UNGROUNDED,
            Reason.QUOTE_NOT_IN_SOURCE,
        ),
        ({"relevance": 0.49}, Decision.THIN_EVIDENCE, Reason.BELOW_BAR),
        ({"relevance": 0.5}, Decision.ANSWER, Reason.VERIFIED),
        ({"in_both": False, "hits": 1}, Decision.THIN_EVIDENCE, Reason.UNCORROBORATED),
        ({"in_both": False}, Decision.ANSWER, Reason.VERIFIED),
        ({"coverage": 0.39}, Decision.THIN_EVIDENCE, Reason.UNCORROBORATED),
        ({"coverage": 0.0, "hits": 1, "in_both": False, "relevance": 0.7}, Decision.ANSWER, Reason.VERIFIED),
    ],
)
def test_each_row_of_the_table_is_decided_in_its_order(
    changes: dict[str, object], decision: Decision, reason: Reason
) -> None:
    verdict = decide(replace(GOOD, **changes), BARS)  # type: ignore[arg-type]
    assert (verdict.decision, verdict.reason) == (decision, reason)


EVIDENCE = st.builds(
    Evidence,
    is_cited=st.booleans(),
    lookup_state=st.sampled_from(["", "absent", "gap", "not_held"]),
    relevance=st.none() | st.floats(0, 1),
    hits=st.integers(0, 5),
    in_both=st.booleans(),
    coverage=st.floats(0, 1),
    verified_claims=st.integers(0, 3),
    failed_quotes=st.integers(0, 3),
    excess_prose=st.integers(0, 3),
    lead=st.none() | st.floats(-1, 1),
    rival=st.none() | st.floats(0, 1),
)


@given(EVIDENCE, st.sampled_from([BARS, COSINE, OVERLAP]))
def test_nothing_is_answered_without_a_verified_claim_or_below_the_bar(evidence: Evidence, bars: Thresholds) -> None:
    verdict = decide(evidence, bars)
    assert (verdict.decision is Decision.ANSWER) == (verdict.reason is Reason.VERIFIED)
    if verdict.decision is Decision.ANSWER:
        assert evidence.verified_claims > 0
        assert evidence.lookup_state not in ("absent", "gap")
        assert evidence.is_cited or (evidence.relevance is not None and evidence.relevance >= bars.bar)
        assert evidence.is_cited or evidence.lead is None or evidence.lead >= bars.lead


@given(EVIDENCE, st.floats(0, 1))
def test_raising_relevance_never_turns_an_answer_into_a_refusal(evidence: Evidence, more: float) -> None:
    if decide(evidence, BARS).decision is Decision.ANSWER and evidence.relevance is not None:
        raised = replace(evidence, relevance=max(evidence.relevance, more))
        assert decide(raised, BARS).decision is Decision.ANSWER


def test_every_reranker_has_bars_in_order_and_a_stranger_has_none() -> None:
    for bars in (for_reranker("cosine:minilm-l6-v2-int8@0123"), for_reranker("overlap:1")):
        assert 0 <= bars.floor <= bars.bar <= bars.clear
        assert "first_questions.yaml" in bars.measured or "the same questions" in bars.measured
    with pytest.raises(LookupError, match="crystal"):
        for_reranker("crystal:1")


KNOWN = {"when": "FY2015", "what": "section 3-5", "act": "LTA01", "first": "FY2010", "last": "FY2024"}
KNOWN |= {"said": "8%", "who": "the revenue office", "told": "GST rate: 10%.", "held": "since 1 July 2000"}


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_words_without_holes_and_a_next_step(reason: Reason) -> None:
    words = words_for(reason, **KNOWN)
    assert words.message and "{" not in words.message + words.next_step
    assert "!" not in words.message + words.next_step
    assert words.next_step or reason in (Reason.VERIFIED, Reason.FIGURE_FOUND)


def test_every_decision_has_a_badge() -> None:
    assert set(BADGES) == set(Decision)
    assert all("failed" not in badge.lower() for decision, badge in BADGES.items() if decision.is_abstention)


# A scale of probabilities, with a confidence of its own.

SURE = replace(
    BARS, floor=0.02, bar=0.1, gap_margin=0.0, confidence=Weights(0.0, {"odds_of_all": 1.0}, "for this test"), sure=0.9
)
LIKELY = replace(GOOD, relevance=0.9, together=0.95, lead=0.8)


@pytest.mark.parametrize(
    ("changes", "decision", "reason"),
    [
        ({}, Decision.ANSWER, Reason.VERIFIED),
        ({"together": 0.91}, Decision.ANSWER, Reason.VERIFIED),
        ({"together": 0.89}, Decision.THIN_EVIDENCE, Reason.BELOW_BAR),
        ({"together": 0.5, "coverage": 0.1}, Decision.THIN_EVIDENCE, Reason.UNCORROBORATED),
        ({"together": 0.5, "lead": -0.1}, Decision.THIN_EVIDENCE, Reason.RIVAL_PROVISION),
        ({"takes_law_as_given": True}, Decision.THIN_EVIDENCE, Reason.PREMISE_UNCONFIRMED),
        ({"takes_law_as_given": True, "is_cited": True}, Decision.ANSWER, Reason.VERIFIED),
        ({"together": 0.1, "is_cited": True}, Decision.ANSWER, Reason.VERIFIED),
        ({"relevance": 0.01}, Decision.NO_BASIS, Reason.BELOW_FLOOR),
        ({"rival": 0.95}, Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP),
        ({"rival": 0.4, "beside": 0.3}, Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP),  # judged together it fits better
        ({"rival": 0.3, "beside": 0.4, "relevance": 0.2}, Decision.ANSWER, Reason.VERIFIED),
        ({"rival": 0.05, "beside": 0.01}, Decision.ANSWER, Reason.VERIFIED),  # the rival is below the bar
    ],
)
def test_where_there_is_a_confidence_it_decides(changes: dict[str, object], decision: Decision, reason: Reason) -> None:
    verdict = decide(replace(LIKELY, **changes), SURE)  # type: ignore[arg-type]
    assert (verdict.decision, verdict.reason) == (decision, reason)


def test_the_confidence_is_the_fitted_probability_and_none_for_a_citation() -> None:
    assert confidence(LIKELY, SURE) == pytest.approx(0.95)
    assert confidence(replace(LIKELY, is_cited=True), SURE) is None
    assert confidence(replace(LIKELY, relevance=None), SURE) is None
    assert confidence(LIKELY, BARS) is None


@pytest.mark.parametrize("prefix", ["learned-hybrid", "learned-lexical"])
def test_the_bars_of_the_learned_scale_stand_with_where_they_were_measured(prefix: str) -> None:
    bars = for_reranker(f"{prefix}:0123456789ab")
    assert bars.confidence is not None and 0.5 < bars.sure < 1.0
    assert "pit_suite.yaml" in bars.measured and "tune" in bars.confidence.measured
    assert set(bars.confidence.coefficients) <= set(LIKELY.signs)
