"""One form for a value however it is written, and another for every other value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.terms import CheckedClaim, Claim, Draft, Quote
from research.tests.unit.passages import passage
from research.verification.claims import verify
from research.verification.values import values_in

pytestmark = pytest.mark.unit


def forms(text: str) -> list[tuple[str, str]]:
    return [(value.kind, value.form) for value in values_in(text)]


SAME = [
    ("money", "75000", ["$75,000", "$75 000", "75,000 dollars", "75 000 dollars", "75 thousand dollars", "$75k"]),
    ("money", "75000", ["A$75,000", "AUD 75,000", "seventy-five thousand dollars", "$75,000.00", "$75\u00a0000"]),
    ("money", "1500000", ["$1.5 million", "$1,500,000", "1.5 million dollars", "$1.5m"]),
    ("money", "3/4", ["75 cents", "75c", "$0.75", "seventy-five cents"]),
    ("number", "1500000", ["1,500,000", "1.5 million", "1 500 000"]),
    ("percent", "40", ["40%", "40 %", "40 per cent", "40 percent", "forty per cent"]),
    ("percent", "25/2", ["12.5%", "12½ per cent", "12 1/2 %"]),
    ("points", "2", ["2 percentage points", "two percentage points", "2 per cent points"]),
    ("period", "12 month", ["12 months", "12-month", "twelve months", "12 consecutive months"]),
    ("period", "28 day", ["28 days", "28-day", "twenty-eight days"]),
    ("period", "10 business day", ["10 business days", "ten working days"]),
    ("period", "2 income year", ["2 income years", "two financial years"]),
    ("period", "5 kilometre", ["5 km", "5 kilometres", "five kilometers"]),
    ("age", "60", ["aged 60", "age of 60", "60 years of age", "60 years old", "aged sixty years", "a 60-year-old"]),
    ("share", "1/2", ["half", "one half", "one-half", "halved"]),
    ("share", "2/5", ["two-fifths", "two fifths"]),
    ("share", "1/3", ["a third", "one third", "one-third"]),
    ("multiple", "2", ["twice", "double", "doubled", "2 times", "two times"]),
    ("ordinal", "3", ["the third year", "the 3rd year"]),
    ("date", "2015-07-01", ["1 July 2015", "1st of July 2015", "July 1, 2015", "2015-07-01", "1/7/2015", "1.7.2015"]),
    ("year_span", "2017-2018", ["2017-18", "2017–18", "2017-2018", "FY2018", "FY 2017-18"]),
    ("rate", "year", ["per annum", "per year", "annually", "each year", "yearly"]),
    ("item", "item 5A", ["item 5A", "Item 5a"]),
    ("citation", "section 8-1", ["s 8-1", "section 8-1"]),
    ("citation", "division 40", ["Division 40", "Div 40"]),
    ("citation", "TR 2024/3", ["TR 2024/3", "Taxation Ruling TR 2024/3"]),
    ("foreign_money", "US 75000", ["US$75,000", "USD 75,000"]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "form", "text"), [(kind, form, text) for kind, form, texts in SAME for text in texts])
def test_a_value_has_one_form_however_it_is_written(kind: str, form: str, text: str) -> None:
    assert (kind, form) in forms(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("12 months", "one year"),  # a year may be an income year
        ("14 days", "2 weeks"),
        ("28 days", "28 business days"),
        ("2 years", "2 income years"),
        ("2 percentage points", "2 per cent"),
        ("200%", "twice"),
        ("$75,000", "US$75,000"),
        ("$75,000", "75,000"),
        ("$75", "75 cents"),
        ("5 hectares", "5 acres"),
        ("60 years", "aged 60"),
        ("the third year", "a third of it"),
        ("33%", "one third"),
        ("8% per annum", "8% per month"),
        ("item 5", "step 5"),
    ],
)
def test_what_is_not_plainly_the_same_is_not_one_value(one: str, other: str) -> None:
    assert set(forms(one)) != set(forms(other))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10 to 12 per cent", [("percent", "10"), ("percent", "12")]),
        ("between 10 and 15%", [("percent", "10"), ("percent", "15")]),
        ("28 or 30 days", [("period", "28 day"), ("period", "30 day")]),
        ("five or six years", [("period", "5 year"), ("period", "6 year")]),
        ("one hundred and five days", [("period", "105 day")]),
        ("10-15 years", [("period", "10 year"), ("period", "15 year")]),
        ("one quarter of its tolls", [("share", "1/4")]),
        ("if one of them applies", []),
        ("8% per annum", [("percent", "8"), ("rate", "year")]),
    ],
)
def test_ranges_share_their_unit_and_a_pronoun_counts_nothing(text: str, expected: list[tuple[str, str]]) -> None:
    assert sorted(forms(text)) == sorted(expected)


def composed(prose: str, quoted: str) -> CheckedClaim:
    draft = Draft((Claim(prose, (Quote(1, quoted),), is_composed=True),), "m", "m")
    return verify(draft, {1: passage(1, quoted)})[0]


@pytest.mark.parametrize(
    ("prose", "quoted"),
    [
        ("A keeper pays 50% of the levy.", "A keeper pays one half of the levy on a lantern."),
        ("A keeper pays two-fifths of the levy.", "A keeper pays 40 per cent of the levy on a lantern."),
        ("A keeper pays one third of the levy.", "A keeper pays 33⅓% of the levy on a lantern."),
        ("It needs 2 towns.", "It needs two separate towns on a coast."),
    ],
)
def test_a_share_and_its_percentage_bear_each_other_out(prose: str, quoted: str) -> None:
    assert composed(prose, quoted).excess == ()


@pytest.mark.parametrize(
    ("prose", "excess"),
    [
        ("It limits 99 towns.", "99 towns"),
        ("It limits 99 dollars.", "99 dollars"),
        ("It limits 99 days.", "99 days"),
        ("It limits ninety-nine per cent.", "ninety-nine per cent"),
    ],
)
def test_a_number_belongs_to_what_its_quote_counts(prose: str, excess: str) -> None:
    assert composed(prose, "It limits 99 lanterns that stand in the towns of the coast.").excess == (excess,)


@given(
    st.integers(1, 400), st.sampled_from(["day", "week", "month", "year"]), st.sampled_from(["day", "month", "year"])
)
def test_a_period_is_borne_out_by_its_number_and_its_unit_alone(number: int, unit: str, other: str) -> None:
    quoted = f"A keeper lights the lantern of the coast for {number} {unit}s."
    held = composed(f"A keeper lights the lantern for {number} {other}s.", quoted)
    assert held.is_verified == (unit == other)
