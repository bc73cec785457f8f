"""What an ambiguous question could mean, and the question that asks for it alone."""

from datetime import date
from typing import Any

import pytest

from research.law.citation import find_citations
from research.presentation.answer import answer_view
from research.presentation.meant import question_of_provision, years_meant
from research.question.resolve import ResolvedTime, YearConflict, resolve

pytestmark = pytest.mark.unit


def candidates_in(question: str) -> list[str]:
    """As an outcome records them."""
    found = resolve(question, None, date(2026, 11, 30))
    assert isinstance(found, YearConflict)
    return [
        time.year.label if time.read_from == time.year.label else f"{time.year.label} ({time.read_from})"
        for time in found.candidates
    ]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Was it deductible in FY2015 or FY2024?", "Was it deductible in FY2015?"),
        ("Was it deductible in 2015 or 2024?", "Was it deductible in FY2015?"),
        ("Was it deductible in 2014-15 or in 2023-24?", "Was it deductible in FY2015?"),
    ],
)
def test_a_question_of_two_years_can_be_asked_of_one(question: str, asked: str) -> None:
    found = years_meant(question, candidates_in(question))
    assert [(each.label, each.year) for each in found] == [("FY2015", 2015), ("FY2024", 2024)]
    assert found[0].question == asked
    for each in found:
        time = resolve(each.question, each.year, date(2026, 11, 30))
        assert isinstance(time, ResolvedTime) and time.year.year == each.year


def test_years_that_stand_in_two_places_of_the_sentence_are_left_to_the_reader() -> None:
    question = "In FY2015 the rate was one thing; what was it in FY2024?"
    assert [each.question for each in years_meant(question, candidates_in(question))] == ["", ""]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What does section 45 say?", "What does ITAA36 s 45 say?"),
        ("Does s 45(2) apply to me?", "Does ITAA36 s 45(2) apply to me?"),
        ("What does section 46 say?", "What does section 46 say?"),
    ],
)
def test_a_number_that_several_bear_is_replaced_by_the_one_meant(question: str, asked: str) -> None:
    assert question_of_provision(question, "ITAA36 s 45", "45") == asked


def test_the_question_of_one_provision_names_its_act() -> None:
    (found,) = find_citations(question_of_provision("What does section 45 say?", "FBTAA86 s 45", "45"))
    assert (found.citation.instrument, found.assumed) == ("FBTAA86", False)


def meant(*pins: str) -> dict[str, Any]:
    reading = [
        {"act": "HLA01", "section": "12", "schedule": "", "heading": "Due", "version_id": at, "note": "", "pin": pin}
        for at, pin in enumerate(pins)
    ]
    recorded = {"question": "What does section 12 say?", "decision": "ambiguous"}
    return recorded | {"reading_list": reading, "candidates": ["HLA01 s 12 Due"] * len(pins)}


def test_provisions_that_bear_one_number_in_one_act_can_only_be_opened() -> None:
    shown = answer_view(meant("12", "12~2"))
    assert [(each.pin, each.question) for each in shown.candidates] == [("12", ""), ("12~2", "")]
    assert shown.further == ()
