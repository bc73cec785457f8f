"""A provision compared between any two times."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from research.corpus.queries import ProvisionPage, VersionLine
from research.law.income_year import IncomeYear
from research.presentation.as_at import as_at_of
from research.presentation.two_dates import Comparison, Dates, comparison_of, pair_of
from research.tests.unit.test_provision_view import DAY, page

pytestmark = pytest.mark.unit

YEAR = IncomeYear(2015)
A = replace(DAY, id=1, certain_from=date(2001, 7, 1), certain_to=date(2015, 6, 23), is_shown=False)
B = replace(DAY, id=2, certain_from=date(2018, 7, 1), certain_to=date(2020, 1, 1), is_shown=False)
C = replace(DAY, id=3, certain_from=date(2020, 1, 1), certain_to=None)


def dates(first: str, second: str) -> Dates:
    return Dates(as_at_of(first, YEAR), as_at_of(second, YEAR))


def held(*versions: VersionLine) -> ProvisionPage:
    return page(versions=versions or (A, B, C), shown=None)


def told(first: str, second: str, *versions: VersionLine, same_text: bool = False) -> Comparison:
    return comparison_of(held(*versions), dates(first, second), same_text)


@pytest.mark.parametrize(
    ("first", "second", "pair"),
    [
        ("FY2015", "FY2021", (1, 3)),
        ("2015-06-22", "2018-07-01", (1, 2)),
        ("FY2021", "FY2015", (3, 1)),  # backwards, as asked
        ("FY2020", "2030-01-01", (3, 3)),  # the last wording of a year counts
        ("FY2015", "2016-01-01", None),
        ("2017-12-31", "FY2021", None),
    ],
)
def test_the_wordings_compared_are_those_known_then(first: str, second: str, pair: tuple[int, int] | None) -> None:
    found = pair_of(held(), dates(first, second))
    assert (found and (found[0].id, found[1].id)) == pair


def test_one_wording_at_both_times_is_said_in_one_sentence() -> None:
    comparison = told("FY2003", "2015-06-22", same_text=True)
    assert comparison.is_same
    assert comparison.says == (
        "The words in FY2003 and on 22 June 2015 are the same: Wording A, in force at least 1 July 2001 – 22 June 2015."
    )


def test_equal_words_that_stand_elsewhere_are_the_same_words() -> None:
    comparison = told("FY2015", "FY2021", same_text=True)
    assert comparison.is_same and "stands elsewhere in the Act" in comparison.says


def test_a_heading_that_changed_over_equal_words_is_a_change() -> None:
    renamed = replace(C, heading="Berth levy")
    comparison = told("FY2015", "FY2021", A, B, renamed, same_text=True)
    assert not comparison.is_same
    assert [(piece.text, piece.change) for piece in comparison.heading] == [
        ("Berth ", ""),
        ("due", "deleted"),
        ("levy", "inserted"),
    ]


def test_a_time_whose_wording_is_not_known_says_so_and_offers_the_nearest() -> None:
    comparison = told("2016-03-01", "FY2021")
    (missing,) = comparison.unknown
    assert missing.says == "The wording on 1 March 2016 is not known, so it cannot be compared."
    assert [(offer.label, offer.query) for offer in missing.offers] == [
        ("Wording A, known until 22 June 2015", "from=2015-06-22&to=FY2021"),
        ("Wording B, known from 1 July 2018", "from=2018-07-01&to=FY2021"),
    ]
    assert (comparison.says, comparison.is_same) == ("", False)


def test_both_times_may_be_unknown_and_each_is_offered_its_own() -> None:
    comparison = told("1990-01-01", "2016-03-01")
    assert [len(missing.offers) for missing in comparison.unknown] == [1, 2]
    assert comparison.unknown[1].offers[0].query == "from=1990-01-01&to=2015-06-22"


def test_a_year_with_several_wordings_says_which_is_compared() -> None:
    assert told("FY2015", "FY2020").notes == ("FY2020 had 2 wordings; the last of them, Wording C, is compared.",)
