"""The decision table: each row what was found and checked, and the decision and reason it must give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from research.decision.decide import Evidence, Verdict, decide
from research.decision.thresholds import COSINE, OVERLAP, Thresholds, for_reranker
from research.decision.words import BADGES, words_for
from research.terms import Decision, Reason

pytestmark = pytest.mark.unit

BARS = Thresholds(floor=0.3, bar=0.5, clear=0.7, gap_margin=0.05, coverage=0.4, measured="for this test")
GOOD = Evidence(
    is_cited=False,
    lookup_state="",
    relevance=0.6,
    hits=1,
    in_both=True,
    coverage=0.5,
    verified_claims=1,
    failed_quotes=0,
    excess_prose=0,
)
ROWS = [
    ("all is well", {}, Decision.ANSWER, Reason.VERIFIED),
    ("a section that is not there", {"lookup_state": "absent"}, Decision.FALSE_PREMISE, Reason.PROVISION_NOT_THERE),
    ("a section in a gap", {"lookup_state": "gap"}, Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP),
    ("a section not held", {"lookup_state": "not_held"}, Decision.NO_BASIS, Reason.PROVISION_NOT_HELD),
    ("nothing retrieved", {"relevance": None, "verified_claims": 0}, Decision.NO_BASIS, Reason.NOTHING_FOUND),
    ("below the floor", {"relevance": 0.29}, Decision.NO_BASIS, Reason.BELOW_FLOOR),
    ("at the floor, below the bar", {"relevance": 0.3}, Decision.THIN_EVIDENCE, Reason.BELOW_BAR),
    ("just below the bar", {"relevance": 0.499}, Decision.THIN_EVIDENCE, Reason.BELOW_BAR),
    ("at the bar", {"relevance": 0.5}, Decision.ANSWER, Reason.VERIFIED),
    ("found by one list alone", {"in_both": False}, Decision.THIN_EVIDENCE, Reason.UNCORROBORATED),
    ("by one list, two passages", {"in_both": False, "hits": 2}, Decision.ANSWER, Reason.VERIFIED),
    ("the words do not fit", {"coverage": 0.39}, Decision.THIN_EVIDENCE, Reason.UNCORROBORATED),
    ("clear without corroboration", {"relevance": 0.7, "in_both": False, "coverage": 0.0}, Decision.ANSWER, None),
    ("no quote matched", {"verified_claims": 0, "failed_quotes": 1}, Decision.UNGROUNDED, Reason.QUOTE_NOT_IN_SOURCE),
    ("prose says more", {"verified_claims": 0, "excess_prose": 1}, Decision.UNGROUNDED, Reason.PROSE_EXCEEDS_QUOTES),
    ("nothing was proposed", {"verified_claims": 0}, Decision.NO_BASIS, Reason.NOTHING_FOUND),
    ("cited, however low", {"is_cited": True, "relevance": 0.01, "coverage": 0.0}, Decision.ANSWER, Reason.VERIFIED),
    ("cited, nothing matched", {"is_cited": True, "verified_claims": 0, "failed_quotes": 2}, Decision.UNGROUNDED, None),
    ("an undated wording fits better", {"rival": 0.65}, Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP),
    ("an undated wording fits as well", {"rival": 0.64}, Decision.ANSWER, Reason.VERIFIED),
    ("only an undated wording", {"relevance": None, "rival": 0.5}, Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP),
    ("an undated wording that fits badly", {"relevance": None, "rival": 0.49}, Decision.NO_BASIS, None),
    ("cited and a rival", {"is_cited": True, "rival": 0.99}, Decision.ANSWER, Reason.VERIFIED),
]


@pytest.mark.parametrize(("changes", "decision", "reason"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_each_row_of_the_table_gives_its_decision(
    changes: dict[str, object], decision: Decision, reason: Reason | None
) -> None:
    verdict = decide(replace(GOOD, **changes), BARS)  # type: ignore[arg-type]
    assert verdict.decision is decision
    assert reason is None or verdict == Verdict(decision, reason)


def test_thresholds_of_one_scale_are_refused_on_another() -> None:
    assert for_reranker("cosine:minilm@abc") is COSINE
    assert for_reranker("overlap:1") is OVERLAP
    with pytest.raises(LookupError, match="bge-reranker"):
        for_reranker("bge-reranker-v2-m3:1")


@pytest.mark.parametrize("bars", [COSINE, OVERLAP], ids=["cosine", "overlap"])
def test_committed_thresholds_stand_in_order_and_say_where_they_were_measured(bars: Thresholds) -> None:
    assert 0 < bars.floor <= bars.bar <= bars.clear < 1
    assert "first_questions.yaml" in bars.measured


def test_every_reason_and_decision_has_words_without_holes() -> None:
    known = {"when": "FY2020", "what": "section 8-1", "act": "ITAA97", "first": "FY2015", "last": "FY2024"}
    for reason in Reason:
        said = words_for(reason, **known)
        assert said.message and "{" not in said.message + said.next_step
    assert set(BADGES) == set(Decision)


def test_a_sentence_with_a_hole_is_never_made() -> None:
    with pytest.raises(KeyError, match="when"):
        words_for(Reason.NOTHING_FOUND)
