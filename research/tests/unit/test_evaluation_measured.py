"""Verdicts, shares, strata, gates: a wrong answer is counted as one, and what cannot be measured does not pass."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from research.evaluation.cases import Authority, Case, CasesRejected, Tags, cases_of, of_split
from research.evaluation.gates import CeilingRejected, Integrity, QuoteFound, ceiling_in, gates
from research.evaluation.measured import Line, by_year, confidence, headline, latencies, retrieval
from research.evaluation.measures import Verdict, judge

pytestmark = pytest.mark.unit

WANTED, OTHER = Authority("HDFA99", "12"), Authority("HDFA99", "13")


def case(name: str = "a", **changes: Any) -> Case:
    fields: dict[str, Any] = {
        "question": "Is it?",
        "income_year": 2015,
        "behaviour": "answer",
        "also_acceptable_behaviours": (),
        "acceptable": (WANTED,),
        "must_not_cite": (),
        "gold": (WANTED,),
        "tags": Tags("dues", "lay", "lay", "tune"),
    }
    return Case(id=name, **{**fields, **changes})


def result(decision: str = "answer", *sections: str, **changes: Any) -> dict[str, Any]:
    citations = [
        {"act": "HDFA99", "section": section, "in_force_from": "2015-06-22", "in_force_to": None}
        for section in sections or (("12",) if decision == "answer" else ())
    ]
    return {"id": "a", "decision": decision, "reason": "", "income_year": 2015, "citations": citations, **changes}


def figure(section: str = "12", starts: str = "2014-07-01", ends: str | None = "2015-06-30") -> dict[str, Any]:
    return {"act": "HDFA99", "section": section, "starts": starts, "ends": ends}


def line(of: Case, of_result: dict[str, Any]) -> Line:
    return Line(of, of_result, judge(of, of_result))


# Verdicts


def test_the_first_and_every_citation_are_judged_beside_any() -> None:
    verdict = judge(case(), result("answer", "13", "12"))
    assert (verdict.kind, verdict.is_first_right, verdict.is_all_acceptable) == ("right", False, False)
    verdict = judge(case(), result("answer", "12", "13"))
    assert (verdict.kind, verdict.is_first_right, verdict.is_all_acceptable) == ("right", True, False)
    verdict = judge(case(acceptable=(WANTED, OTHER)), result("answer", "12", "13"))
    assert verdict.is_all_acceptable


def test_an_answered_figure_is_right_by_the_provision_that_sets_it() -> None:
    of_ledger = result("answer", figures=[figure()]) | {"citations": []}
    assert judge(case(), of_ledger).kind == "right"
    assert judge(case(), {**of_ledger, "figures": [figure("13")]}).kind == "wrong"


@pytest.mark.parametrize(
    ("starts", "ends", "is_out"),
    [
        ("2014-07-01", "2015-06-30", False),
        ("2015-07-01", None, True),
        ("2013-07-01", "2014-06-30", True),
        ("2013-07-01", "2014-07-01", False),
    ],
)
def test_a_figure_of_a_neighbouring_year_is_out_of_period(starts: str, ends: str | None, is_out: bool) -> None:
    told = result("answer", figures=[figure(starts=starts, ends=ends)]) | {"citations": []}
    assert judge(case(), told).is_out_of_period is is_out


def test_a_question_about_two_times_is_held_to_the_days_of_each_side() -> None:
    early = {"act": "HDFA99", "section": "12", "in_force_from": "2015-06-22", "in_force_to": "2015-06-23"}
    late = {"act": "HDFA99", "section": "12", "in_force_from": "2024-01-01", "in_force_to": None}
    told = result("answer") | {"citations": [early, late], "income_year": 2024}
    days = ((date(2014, 7, 1), date(2015, 6, 30)), (date(2023, 7, 1), date(2024, 6, 30)))
    assert judge(case(), told).is_out_of_period
    assert not judge(case(), told, days).is_out_of_period
    assert judge(case(), told, days[::-1]).is_out_of_period


def test_a_citation_is_held_to_the_very_day_that_was_asked_about() -> None:
    told = result("answer") | {"citations": [{**result("answer")["citations"][0], "in_force_from": "2015-06-22"}]}
    day = (date(2015, 6, 21), date(2015, 6, 21))
    assert not judge(case(), told).is_out_of_period
    assert judge(case(), told, (day,)).is_out_of_period


def test_an_answer_that_does_not_say_for_when_is_out_of_period() -> None:
    assert judge(case(), result("answer", income_year=None)).is_out_of_period


def test_an_answer_where_a_refusal_is_wanted_is_right_only_if_it_is_accepted_and_rests_on_what_is() -> None:
    refusal = case(behaviour="abstain_out_of_corpus")
    assert judge(refusal, result()).kind == "wrong"
    either = case(behaviour="abstain_out_of_corpus", also_acceptable_behaviours=("answer",))
    assert judge(either, result()).kind == "right"
    assert judge(either, result("answer", "13")).kind == "wrong"
    assert judge(either, result("abstain_thin_evidence")).kind == "rightly_refused"


# Shares


def test_wrong_has_both_denominators_and_silence_scores_nothing() -> None:
    lines = [
        line(case("a"), result()),
        line(case("b"), result("answer", "13")),
        line(case("c"), result("abstain_no_basis")),
        line(case("d", behaviour="abstain_out_of_scope", acceptable=(), gold=()), result("answer", "12")),
        line(case("e", behaviour="abstain_out_of_scope", acceptable=(), gold=()), result("abstain_out_of_scope")),
    ]
    found = headline(lines)
    shares = {share.name: (share.count, share.n) for share in found.shares}
    assert shares["wrong authority, of the answers given"] == (2, 3)
    assert shares["wrong authority, of all cases"] == (2, 5)
    assert shares["answered, of the answerable (coverage)"] == (2, 3)
    assert shares["answered, of the unanswerable (false answers)"] == (1, 2)
    assert shares["out of scope: not answered"] == (1, 2)
    scores = dict(found.truthfulness)
    assert scores["all cases"] is not None and scores["all cases"].value == pytest.approx((1 - 1 - 1) / 5)
    assert scores["answerable"] is not None and scores["answerable"].value == 0.0


def test_a_rejection_under_another_name_is_a_rejection_but_not_rightly_named() -> None:
    of = case(behaviour="abstain_false_premise", acceptable=(), gold=())
    shares = {one.name: one.count for one in headline([line(of, result("abstain_no_basis"))]).shares}
    assert shares["false premise: not answered"] == 1
    assert shares["false premise: refused under an accepted name"] == 0


def test_a_failed_component_is_no_rejection() -> None:
    of = case(behaviour="abstain_false_premise", acceptable=(), gold=())
    shares = {one.name: one.count for one in headline([line(of, result("error"))]).shares}
    assert shares["false premise: not answered"] == 0 and shares["component failed, of all cases"] == 1


# Strata, confidence, time


@pytest.mark.parametrize(
    ("year", "stratum"),
    [(2015, "2015"), (2016, "2016–2023"), (2023, "2016–2023"), (2024, "2024"), (2014, "outside"), (2025, "outside")],
)
def test_income_years_fall_into_four_strata(year: int, stratum: str) -> None:
    assert by_year(line(case(income_year=year), result("abstain_no_basis"))) == stratum


def test_a_year_in_the_questions_words_is_read_off_the_result() -> None:
    assert by_year(line(case(income_year=None), result(income_year=2024))) == "2024"
    assert by_year(line(case(income_year=None), result("ambiguous", income_year=None))) == "no year"


def ranked(*sections: str, **changes: Any) -> dict[str, Any]:
    of = [{"act": "HDFA99", "section": section, "schedule": "", "score": 1.0} for section in sections]
    return result("abstain_thin_evidence", retrieved=of, **changes)


def test_retrieval_is_told_apart_by_stratum_and_leaves_out_what_was_not_searched() -> None:
    practitioner = case("b", tags=Tags("dues", "practitioner", "statutory"))
    of_ledger = result("answer", figures=[figure()], retrieved=[]) | {"citations": []}
    lines = [
        line(case("a"), ranked("12")),
        line(practitioner, ranked("13", "12")),
        line(case("c"), ranked()),
        line(case("d"), of_ledger),
        line(case("e", behaviour="abstain_out_of_scope", acceptable=(), gold=()), ranked("13")),
    ]
    lay, statutory = retrieval(lines, lambda one: one.case.tags.words)
    assert (lay.stratum, lay.n, lay.unranked, lay.measures["hit@1"].value) == ("lay", 2, 1, 0.5)
    assert (statutory.stratum, statutory.n, statutory.measures["hit@1"].value) == ("statutory", 1, 0.0)
    assert statutory.measures["hit@3"].value == 1.0


def test_confidence_is_judged_by_the_first_of_the_ranking_and_by_the_answers_given() -> None:
    lines = [
        line(case("a"), ranked("12", confidence=0.9)),
        line(case("b"), ranked("13", "12", confidence=0.4)),
        line(case("c"), {**result("answer", "13"), "retrieved": ranked("13")["retrieved"], "confidence": 0.8}),
        line(case("d", behaviour="abstain_out_of_scope", acceptable=(), gold=()), ranked("12", confidence=0.2)),
        line(case("e"), ranked("12")),
    ]
    found = confidence(lines)
    assert found.would_be is not None and found.unstated == 1
    assert [risk for _, risk, _ in found.would_be.points] == pytest.approx([0, 1 / 2, 2 / 3, 2 / 4])
    assert found.given == ((0.25, 1.0, 0.25),)
    assert sum(band.n for band in found.of_all[0].bands) == 4
    assert sum(band.n for band in found.of_answers[0].bands) == 1


def test_what_is_held_back_is_judged_by_the_quotes_it_carries_and_a_look_up_is_sure() -> None:
    held_back = ranked("13", confidence=0.7) | {"citations": result("answer", "12")["citations"]}
    looked_up = result("answer", "12") | {"retrieved": [], "confidence": None}
    assert line(case("a"), held_back).would_be_right
    assert not line(case("b"), ranked("13", confidence=0.7)).would_be_right
    assert (line(case("c"), looked_up).sureness, line(case("d"), ranked("12")).sureness) == (1.0, None)


def test_stages_keep_their_order_and_all_of_them_come_last() -> None:
    lines = [line(case(), result(timings_ms={"resolve": 1.0, "retrieve": 9.0})), line(case("b"), result())]
    assert [(one.stage, one.n, one.p50.value) for one in latencies(lines)] == [
        ("resolve", 1, 1.0),
        ("retrieve", 1, 9.0),
        ("all stages", 1, 10.0),
    ]


# Cases


def test_tags_are_kept_and_may_be_missing_or_of_another_form() -> None:
    plain = {"id": "a", "question": "q", "expected": {"behaviour": "ambiguous"}}
    tagged = {**plain, "id": "b", "tags": {"topic": "cars", "kind": "lay", "words": "lay", "split": "test"}}
    bare, told, odd = cases_of([plain, tagged, {**plain, "id": "c", "tags": ["cars"]}])
    assert bare.tags == odd.tags == Tags("untagged", "untagged", "untagged", "")
    assert told.tags == Tags("cars", "lay", "lay", "test")
    assert [one.id for one in of_split([bare, told], "test")] == ["b"]
    with pytest.raises(CasesRejected, match="'tune'"):
        of_split([bare, told], "tune")


def test_gold_stands_before_its_alternatives_and_each_once() -> None:
    expected = {
        "behaviour": "answer",
        "gold": [{"act": "HDFA99", "section": "12"}],
        "also_acceptable": [{"act": "HDFA99", "section": "13"}, {"act": "HDFA99", "section": "12"}],
    }
    (found,) = cases_of([{"id": "a", "question": "q", "expected": expected}])
    assert (found.gold, found.acceptable) == ((WANTED,), (WANTED, OTHER))


# Gates


ALL_THERE = Integrity(True, 1, 1, (), (), ())
GOOD = QuoteFound("a", WANTED, stands=True, is_respelt=False, was_in_force=True)


def states(*changes: Any, ceiling: float | None = None) -> list[bool]:
    integrity, verdicts, quotes = ALL_THERE, [Verdict("a", "right", False, False)], [GOOD]
    for change in changes:
        if isinstance(change, Integrity):
            integrity = change
        elif isinstance(change, Verdict):
            verdicts.append(change)
        else:
            quotes.append(change)
    return [gate.passed for gate in gates(integrity, verdicts, quotes, ceiling)]


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        (Integrity(True, 2, 1, (("a", OTHER),), (), ()), 0),
        (Integrity(False, 0, 0, (), (), ()), 0),  # nothing is loaded: not measurable is not passed
        (Verdict("b", "right", True, False), 1),
        (QuoteFound("b", WANTED, stands=True, is_respelt=False, was_in_force=False), 1),
        (QuoteFound("b", WANTED, stands=False, is_respelt=False, was_in_force=False), 2),
    ],
)
def test_each_gate_fails_by_itself(change: Any, failed: int) -> None:
    assert states() == [True, True, True]
    assert states(change) == [at != failed for at in range(3)]


def test_where_no_case_may_be_answered_there_is_nothing_to_resolve_but_the_law_must_be_there() -> None:
    held, failed = (gates(Integrity(there, 0, 0, (), (), ()), [], [], None)[0] for there in (True, False))
    assert (held.passed, held.says) == (True, "No case may be answered, so none is named.")
    assert not failed.passed


def test_wrong_authority_may_reach_its_ceiling_and_not_pass_it() -> None:
    assert states(Verdict("b", "wrong", False, False), ceiling=0.5)[3]
    assert not states(Verdict("b", "wrong", False, False), ceiling=0.49)[3]


def test_a_ceiling_that_is_not_recorded_fails() -> None:
    rejected = CeilingRejected("no ceiling for mixed")
    last = gates(ALL_THERE, [Verdict("a", "right", False, False)], [GOOD], rejected)[3]
    assert (last.passed, last.says) == (False, "It could not be measured: no ceiling for mixed.")


def test_integrity_is_no_share_where_there_is_no_law() -> None:
    assert Integrity(False, 3, 0, (), (), ()).share is None
    assert Integrity(True, 4, 3, (("a", OTHER),), (), ()).share == 0.75


def test_a_ceiling_is_read_by_set_and_mode_or_refused() -> None:
    recorded = {"test": {"hybrid": 0.02, "lexical": True}}
    assert ceiling_in(recorded, "test", "hybrid") == 0.02
    for measured, mode in (("test", "lexical"), ("test", "mixed"), ("tune", "hybrid")):
        with pytest.raises(CeilingRejected, match=f"{measured}: {mode}"):
            ceiling_in(recorded, measured, mode)
    with pytest.raises(CeilingRejected):
        ceiling_in(None, "test", "hybrid")
