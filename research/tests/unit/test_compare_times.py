"""When a question with two years asks for both, and what is asked for each."""

from __future__ import annotations

from datetime import date

import pytest

from research.question.compare import two_times
from research.question.resolve import YearConflict, resolve

pytestmark = pytest.mark.unit

TODAY = date(2026, 11, 30)


def read(question: str) -> tuple[str, str, str] | None:
    """(what is asked of each, earlier, later), or None where it is not for two times."""
    found = resolve(question, None, TODAY)
    both = two_times(question, found) if isinstance(found, YearConflict) else None
    return (both.text, both.earlier.year.label, both.later.year.label) if both else None


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What changed in s 25-10 between FY2015 and FY2024?", "s 25-10"),
        ("what changed in s 25-10 between FY2024 and FY2015", "s 25-10"),
        ("Has s 26-5 changed between FY2015 and FY2024?", "s 26-5"),
        ("What is the difference in s 8-1 ITAA 1997 from 2015 to 2024?", "s 8-1 ITAA 1997"),
        ("s 25-10 in 2014-15 compared with 2023-24", "s 25-10"),
        ("Compare section 8-1 in FY2015 with FY2024", "section 8-1"),
        ("Did s 108-5 stay the same in FY2015 and FY2024?", "s 108-5"),
        ("Is rent deductible in FY2015 and FY2024?", "Is rent deductible"),
        ("Is rent deductible in FY2015 and in FY2024?", "Is rent deductible"),
        ("Is rent deductible in 2015 and 2024?", "Is rent deductible"),
        ("FY2015 vs FY2024: is rent deductible", "is rent deductible"),
    ],
)
def test_a_question_for_two_times_is_asked_of_each_without_them(question: str, asked: str) -> None:
    assert read(question) == (asked, "FY2015", "FY2024")


@pytest.mark.parametrize(
    "question",
    [
        "Was netting deductible in FY2015 or in FY2024?",  # which is meant stays open
        "Was the deduction for interest the same in FY2015 or FY2024?",
        "In FY2015 I bought a ute. Is it deductible in FY2024?",
        "Is rent deductible in FY2015, FY2016 and FY2024?",  # three
        "what changed between FY2015 and FY2024",  # in what?
        "Between FY2015 and FY2020 I lived in Perth. Is my rent deductible?",  # a period
        "I carried forward losses from FY2015 to FY2020, may I deduct them?",
        "I changed jobs in FY2015; is travel in FY2020 deductible?",  # not the law
        "In FY2015 my circumstances changed. Is rent deductible in FY2020?",
        "Is the same deduction available in FY2015 that I claimed in FY2020?",
        "FY2015 and FY2024",
    ],
)
def test_any_other_question_with_two_years_is_not_for_both(question: str) -> None:
    assert read(question) is None
