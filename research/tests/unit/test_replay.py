"""Replay: reproduced, superseded with what moved, diverged; times never count."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from research.audit.replay import compare

pytestmark = pytest.mark.unit

CITED = {
    "chunk_id": 1,
    "version_id": 2,
    "act": "LTA01",
    "act_title": "Lantern Tax Act 2001",
    "section": "3-5",
    "schedule": "",
    "heading": "Lanterns",
    "quote": "A keeper may set off the cost of oil",
    "start_chars": 0,
    "end_chars": 36,
    "compilation_date": "2015-06-22",
    "register_id": "",
    "in_force_from": "2015-06-22",
    "in_force_to": None,
    "dating": "inferred",
    "role": "operative",
}
OUTCOME: dict[str, Any] = {
    "question": "May oil be set off?",
    "decision": "answer",
    "reason": "verified",
    "message": "Answered.",
    "time": {"window": {"first": "2014-07-01", "last": "2015-06-30"}, "year": 2015, "source": "field", "read_from": ""},
    "claims": [{"prose": "LTA01 s 3-5 says:", "kind": "rule", "citations": [CITED]}],
    "reading_list": [{"act": "LTA01", "section": "3-5", "schedule": "", "version_id": 2, "score": 0.5, "note": ""}],
    "snapshot": {
        "snapshot_id": "a" * 64,
        "mode": "hybrid",
        "embedder": "minilm@1",
        "passages_in_force": 10,
        "degraded": [],
        "compilations": ["LTA01 2015-06-22 C1"],
    },
    "provider": "extractive",
    "model": "1",
    "reranker": "cosine:minilm@1",
    "stages": [{"stage": "resolve", "ms": 1.0, "detail": ""}],
    "candidates": [],
    "settings": {"top": "50"},
}


def changed(**changes: Any) -> dict[str, Any]:
    return copy.deepcopy(OUTCOME) | changes


def with_citation(**changes: Any) -> dict[str, Any]:
    return changed(claims=[{"prose": "LTA01 s 3-5 says:", "kind": "rule", "citations": [CITED | changes]}])


def with_snapshot(**changes: Any) -> dict[str, Any]:
    return changed(snapshot=OUTCOME["snapshot"] | {"snapshot_id": "b" * 64} | changes)


def test_the_same_outcome_is_reproduced() -> None:
    replay = compare(OUTCOME, copy.deepcopy(OUTCOME))
    assert (replay.verdict, replay.moved, replay.differences, replay.result_changed) == ("reproduced", (), (), False)


@pytest.mark.parametrize(
    "replayed",
    [
        changed(stages=[{"stage": "resolve", "ms": 99.0, "detail": "slow"}]),
        changed(message="Answered, in other words."),
        changed(reading_list=[OUTCOME["reading_list"][0] | {"score": 0.50001}]),
    ],
)
def test_times_scores_and_fixed_wording_are_no_part_of_a_result(replayed: dict[str, Any]) -> None:
    assert compare(OUTCOME, replayed).verdict == "reproduced"


@pytest.mark.parametrize(
    ("replayed", "named"),
    [
        (changed(decision="abstain_no_basis"), "The decision was answer and is abstain_no_basis."),
        (changed(reason="below_bar"), "The reason was verified"),
        (with_citation(section="3-6"), "Citation new: LTA01 s 3-6"),
        (with_citation(quote="A keeper may set off the cost of wicks"), "Citation gone: LTA01 s 3-5 “A keeper"),
        (with_citation(start_chars=1), "Citation new"),
        (with_citation(dating="unknown"), "Citation new"),
        (with_citation(in_force_to="2016-01-01"), "Citation new"),
        (changed(claims=[]), "Citation gone"),
        (changed(claims=[*OUTCOME["claims"], *OUTCOME["claims"]]), "another order or number (1, then 2)"),
        (changed(reading_list=[]), "The reading list differs."),
        (changed(claims=[OUTCOME["claims"][0] | {"prose": "other"}]), "The words around the quotes differ."),
        (changed(time=OUTCOME["time"] | {"year": 2016}), "read differently"),
        (changed(candidates=["FY2015"]), "candidates"),
    ],
)
def test_another_result_from_the_same_law_has_diverged(replayed: dict[str, Any], named: str) -> None:
    replay = compare(OUTCOME, replayed)
    assert replay.verdict == "diverged"
    assert any(named in difference for difference in replay.differences), replay.differences
    assert compare(replayed, OUTCOME).verdict == "diverged"


@pytest.mark.parametrize(
    ("replayed", "moved"),
    [
        (
            with_snapshot(compilations=["LTA01 2015-06-22 C1", "LTA01 2024-01-01 C2"]),
            "Compilation added: LTA01 2024-01-01 C2.",
        ),
        (with_snapshot(compilations=[]), "Compilation removed: LTA01 2015-06-22 C1."),
        (with_snapshot(embedder="minilm@2"), "The embedder was minilm@1 and is minilm@2."),
        (with_snapshot(mode="lexical"), "The search was hybrid and is lexical."),
        (with_snapshot(), "The text of a compilation, or how it is cut and indexed, has changed"),
        (changed(settings={"top": "60"}), "The setting top was 50 and is 60."),
        (changed(model="2"), "The model was 1 and is 2."),
    ],
)
def test_moved_law_or_index_supersedes_and_is_named(replayed: dict[str, Any], moved: str) -> None:
    replay = compare(OUTCOME, replayed)
    assert (replay.verdict, replay.result_changed) == ("superseded", False)
    assert len(replay.moved) == 1 and moved in replay.moved[0]


def test_a_result_that_changed_with_the_law_is_superseded_and_says_so() -> None:
    replay = compare(OUTCOME, with_snapshot() | {"decision": "abstain_no_basis"})
    assert (replay.verdict, replay.result_changed) == ("superseded", True)


def test_an_outage_now_proves_nothing_either_way() -> None:
    replay = compare(OUTCOME, changed(decision="error", reason="component_failed", message="The database is down."))
    assert replay.verdict == "not_replayed"
    assert "The database is down." in replay.moved[0]


def test_an_outage_then_is_named_as_what_moved() -> None:
    replay = compare(changed(decision="error", snapshot=None, claims=[]), OUTCOME)
    assert (replay.verdict, replay.result_changed) == ("superseded", True)
    assert replay.moved == ("A component had failed when this was recorded.",)


def test_a_refusal_before_any_search_is_reproduced_without_a_snapshot() -> None:
    refusal = changed(decision="abstain_out_of_scope", reason="not_federal_tax", snapshot=None, claims=[])
    assert compare(refusal, copy.deepcopy(refusal)).verdict == "reproduced"


def for_two_times(earlier: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    return changed(claims=[], sides=[earlier, later])


def test_a_side_of_a_question_for_two_times_that_changed_is_named_by_its_time() -> None:
    recorded = for_two_times(OUTCOME, OUTCOME)
    assert compare(recorded, copy.deepcopy(recorded)).verdict == "reproduced"
    for which, now in (
        ("Earlier", for_two_times(with_citation(start_chars=1), OUTCOME)),
        ("Later", for_two_times(OUTCOME, with_citation(start_chars=1))),
    ):
        replay = compare(recorded, now)
        assert replay.verdict == "diverged"
        assert all(difference.startswith(f"{which}: Citation") for difference in replay.differences)


def test_a_question_that_is_answered_for_two_times_now_and_was_for_one_has_changed() -> None:
    replay = compare(changed(), for_two_times(OUTCOME, OUTCOME) | {"claims": OUTCOME["claims"]})
    assert replay.differences == ("The question was answered for one time and is for two times.",)
