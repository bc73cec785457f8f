"""The figure suite reaches what is asked of it, and its measures can fail."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
import yaml

from research.adapters.figure_ledger import ledger
from research.evaluation.figure_measures import FigureCase, SuiteRejected, failures, judge, suite_of, summary
from research.evaluation.no_law import NoLaw
from research.figured import answered
from research.figures.names import FigureIndex
from research.law.income_year import IncomeYear
from research.question.resolve import resolve
from research.terms import Outcome, ResolvedTime

pytestmark = pytest.mark.unit
SUITE = Path(__file__).resolve().parents[3] / "gold_set" / "figure_suite.yaml"
INDEX = FigureIndex(ledger())


def outcome_of(question: str, year: int | None = None) -> Outcome | None:
    when = resolve(question, IncomeYear(year) if year else None, date(2026, 6, 15))
    return answered(question, when, NoLaw(), INDEX) if isinstance(when, ResolvedTime) else None


def test_the_suite_is_answered_as_it_must_be() -> None:
    cases = suite_of(yaml.safe_load(SUITE.read_text(encoding="utf-8")))
    judged = [judge(case, outcome_of(case.question, case.income_year), 1.0) for case in cases]
    assert [each.case.id for each in judged if not (each.is_right and each.is_routed)] == []
    assert failures(summary(judged)) == [] and len(cases) >= 500


def test_a_wrong_value_a_wrong_route_and_a_false_answer_are_each_counted() -> None:
    right = FigureCase("a", "answerable", "GST rate FY2015", figures={"gst_rate": "10%"})
    wrong = FigureCase("b", "trap", "GST rate FY2015", figures={"gst_rate": "11%"})
    false = FigureCase("c", "research", "GST rate FY2015")
    silent = FigureCase("d", "ambiguous", "What is a taxable supply?", could_be=("gst_rate",))
    judged = [judge(case, outcome_of(case.question), 2.0) for case in (right, wrong, false, silent)]
    counted = summary(judged)
    assert (counted["exact_match"], counted["traps_survived"], counted["ambiguity_detected"]) == (0.5, 0.0, 0.0)
    assert (counted["routing_accuracy"], counted["false_answers"], counted["p95_ms"]) == (0.5, 1.0, 2.0)
    assert len(failures(counted)) == 5


@pytest.mark.parametrize(
    ("plain", "says"),
    [
        ({"cases": []}, "no list of cases"),
        ({"cases": [{"kind": "trap"}]}, "has no id"),
        ({"cases": [{"id": "x", "kind": "odd", "question": "y"}]}, "x: kind is 'odd'"),
        ({"cases": [{"id": "x", "kind": "trap", "question": "y"}]}, "x: an answer needs figures"),
        ({"cases": [{"id": "x", "kind": "research", "question": " "}]}, "x: question is ' '"),
        ({"cases": [{"id": "x", "kind": "research", "question": "y"}] * 2}, "An id stands twice"),
    ],
)
def test_a_suite_that_cannot_be_measured_is_refused(plain: object, says: str) -> None:
    with pytest.raises(SuiteRejected, match=says):
        suite_of(plain)
