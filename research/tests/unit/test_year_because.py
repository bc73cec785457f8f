"""Why an answer is for the year that it is for, in one sentence."""

from __future__ import annotations

from datetime import date

import pytest

from research.law.income_year import IncomeYear
from research.question.resolve import resolve
from research.question.year_because import year_because
from research.terms import ResolvedTime

pytestmark = pytest.mark.unit

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("question", "because"),
    [
        ("Is it deductible in 2014–15?", "FY2015, read from the words “2014–15”."),
        ("Is it deductible in FY2015?", "FY2015, read from the words “FY2015”."),
        ("Was it deductible in 2015?", "FY2015, the income year that ends in the calendar year named: “in 2015”."),
        ("Is it deductible?", "FY2027, today’s year, because the question names none."),
        (
            "Was it deductible on 3 March 2019?",
            "3 March 2019, the day named: “3 March 2019”. It falls in FY2019.",
        ),
        (
            "What was the rate in March 2019?",
            "1 March 2019 – 31 March 2019, the days named: “March 2019”. They fall in FY2019.",
        ),
        (
            "What was the rate for the FBT year 2019?",
            "1 April 2018 – 31 March 2019, the FBT year read from “FBT year 2019”.",
        ),
        (
            "Is it deductible for the year ended 31 December 2018?",
            "1 January 2018 – 31 December 2018, a substituted accounting period read from "
            "“year ended 31 December 2018”: it stands for FY2019.",
        ),
        (
            "Are payments on 3 July 2018 and on 4 May 2019 taxed?",
            "FY2019, the one year that holds all the days named: “3 July 2018 … 4 May 2019”.",
        ),
    ],
)
def test_the_sentence_says_what_was_read(question: str, because: str) -> None:
    time = resolve(question, None, TODAY)
    assert isinstance(time, ResolvedTime)
    assert year_because(time) == because


def test_the_field_is_named_where_the_words_say_nothing() -> None:
    time = resolve("Is it deductible?", IncomeYear(2020), TODAY)
    assert isinstance(time, ResolvedTime)
    assert year_because(time) == "FY2020, because the year field says so and the question names no time."
