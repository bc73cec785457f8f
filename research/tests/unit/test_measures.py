"""Cases read strictly, and the counts over them: a wrong answer can never be counted as anything else."""

from __future__ import annotations

from typing import Any

import pytest

from research.evaluation.cases import Authority, Case, CasesRejected, cases_of
from research.evaluation.measures import judge, summary, upper_bound

pytestmark = pytest.mark.unit


def case(**changes: Any) -> Case:
    fields = {
        "id": "a",
        "question": "Is it?",
        "income_year": 2015,
        "behaviour": "answer",
        "also_acceptable_behaviours": (),
        "acceptable": (Authority("HDFA99", "12"),),
        "must_not_cite": (),
    }
    return Case(**{**fields, **changes})


def result(
    decision: str = "answer", section: str = "12", starts: str = "2015-06-22", ends: str | None = None
) -> dict[str, Any]:
    citation = {"act": "HDFA99", "section": section, "in_force_from": starts, "in_force_to": ends}
    cited = [citation] if decision == "answer" else []
    return {"id": "a", "decision": decision, "income_year": 2015, "citations": cited}


@pytest.mark.parametrize(
    ("of_case", "given", "kind"),
    [
        (case(), result(), "right"),
        (case(), result(section="13"), "wrong"),
        (case(), result("abstain_no_basis"), "refused"),
        (case(), result("error"), "error"),
        (case(must_not_cite=(Authority("HDFA99", "12"),)), result(), "wrong"),
        (case(behaviour="abstain_out_of_scope", acceptable=()), result(), "wrong"),
        (case(behaviour="abstain_out_of_scope", acceptable=()), result("abstain_out_of_scope"), "rightly_refused"),
        (case(behaviour="abstain_out_of_corpus", acceptable=()), result("abstain_thin_evidence"), "rightly_refused"),
        (case(behaviour="abstain_false_premise", acceptable=()), result("abstain_no_basis"), "refused"),
        (
            case(behaviour="ambiguous", also_acceptable_behaviours=("abstain_no_basis",)),
            result("abstain_no_basis"),
            "rightly_refused",
        ),
    ],
)
def test_a_result_is_judged_against_its_case(of_case: Case, given: dict[str, Any], kind: str) -> None:
    assert judge(of_case, given).kind == kind


@pytest.mark.parametrize(
    ("starts", "ends", "is_out"),
    [
        ("2015-06-22", None, False),
        ("2015-06-30", "2015-07-01", False),
        ("2015-07-01", None, True),
        ("2010-01-01", "2014-07-01", True),
        ("2010-01-01", "2014-07-02", False),
    ],
)
def test_a_citation_that_was_never_in_force_in_the_year_is_counted(starts: str, ends: str | None, is_out: bool) -> None:
    assert judge(case(), result(starts=starts, ends=ends)).is_out_of_period is is_out


def test_both_denominators_are_reported_together() -> None:
    results = [result(), result(section="13"), result("abstain_no_basis")]
    counted = summary([judge(case(), line) for line in results], results)
    assert (counted["wrong_over_answered"], counted["wrong_over_all"]) == ("1/2", "1/3")
    assert (counted["right"], counted["wrong"], counted["refused"], counted["answered"]) == (1, 1, 1, 2)


def test_no_wrong_among_149_answers_bounds_the_share_at_two_per_cent() -> None:
    assert upper_bound(0, 149) == pytest.approx(0.0199, abs=0.0001)
    assert upper_bound(0, 0) == 1.0
    assert upper_bound(3, 3) == 1.0


@pytest.mark.parametrize(
    ("plain", "says"),
    [
        ([], "no list of cases"),
        ({"id": "x"}, "no list of cases"),
        ([{"question": "?"}], "Case 1 has no id"),
        ([{"id": "x", "question": " "}], "'x': question"),
        ([{"id": "x", "question": "q", "income_year": "FY2015"}], "income_year"),
        ([{"id": "x", "question": "q", "expected": {"behaviour": "guess"}}], "'guess'"),
        ([{"id": "x", "question": "q", "expected": {"behaviour": "answer"}}], "gold is empty"),
        ([{"id": "x", "question": "q", "expected": {"behaviour": "answer", "gold": ["8-1"]}}], "act, section"),
        (
            [{"id": "x", "question": "q", "expected": {"behaviour": "ambiguous"}}] * 2,
            "stands twice",
        ),
    ],
)
def test_a_case_of_another_form_is_refused_by_name(plain: Any, says: str) -> None:
    with pytest.raises(CasesRejected, match=says):
        cases_of(plain)
