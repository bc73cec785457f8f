"""Prose says no more than its quotes: every number, date, rate, amount and citation is one that they hold."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.terms import CheckedClaim, Claim, Draft, Quote
from research.tests.unit.passages import passage
from research.verification.claims import verify
from research.verification.quotes import ALL_CHECKS, PROSE
from research.verification.values import values_in

pytestmark = pytest.mark.unit

TEXT = (
    "(2) A keeper may set off up to $75,000 of the cost of oil, or 10 per cent of the levy, for 30 days from"
    " 1 July 2015, if section 4-9 or the Dusk Act 1999 applies in two towns: (a) in the 2015-16 year;"
    " (b) from June 2014."
)
NOTHING = "Nothing in this section limits 99 lanterns or section 7-7."
SOURCES = {1: passage(1, TEXT, parent="(2)"), 2: passage(2, NOTHING)}
OWN, OTHER = Quote(1, TEXT), Quote(2, NOTHING)


def claim(prose: str, *quotes: Quote) -> CheckedClaim:
    draft = Draft((Claim(prose, quotes or (OWN,)),), "test", "test")
    (checked,) = verify(draft, SOURCES)
    return checked


@pytest.mark.parametrize(
    "prose",
    [
        "Oil may be set off.",
        "LTA01 s 3-1(2) says:",
        "Section 3-1(2) of the Lantern Tax Act 2001 provides:",
        "Under s 3-1(2)(b), oil may be set off.",
        "Up to $75,000 may be set off.",
        "Up to $75 000 may be set off.",
        "Up to $75\u00a0000 may be set off.",
        "Up to 75,000 dollars may be set off.",
        "Up to $75k may be set off.",
        "Up to $75,000.00 may be set off.",
        "At most 10% of the levy counts.",
        "At most 10 % of the levy counts.",
        "At most ten per cent of the levy counts.",
        "At most 10 percent of the levy counts.",
        "It runs for 30 days.",
        "It runs for thirty days.",
        "It runs from 1 July 2015.",
        "It runs from 1/7/2015.",
        "It runs from July 2015.",
        "It runs from 1 July.",
        "It runs in 2015.",
        "It runs in FY2016.",
        "It runs in 2015–16.",
        "It applies with s 4-9.",
        "It applies with the Dusk Act 1999.",
        "It needs 2 towns.",
        "If one of them applies, oil may be set off.",
    ],
)
def test_prose_that_its_quote_bears_out_holds(prose: str) -> None:
    checked = claim(prose)
    assert checked.excess == ()
    assert checked.is_verified


@pytest.mark.parametrize(
    ("prose", "excess"),
    [
        ("Up to $76,000 may be set off.", "$76,000"),
        ("Up to $75 may be set off.", "$75"),
        ("Up to $75 million may be set off.", "$75 million"),
        ("At most 10.5% of the levy counts.", "10.5%"),
        ("At most 30% of the levy counts.", "30%"),  # 30 days are not 30 per cent
        ("At most 10 days count.", "10 days"),  # nor 10 per cent 10 days
        ("At most eleven per cent counts.", "eleven per cent"),
        ("It runs for 31 days.", "31 days"),
        ("It runs for forty days.", "forty days"),
        ("It runs for 30 months.", "30 months"),
        ("It runs from 2 July 2015.", "2 July 2015"),
        ("It runs from 1 July 2016.", "1 July 2016"),
        ("It runs from August 2015.", "August 2015"),
        ("It runs in 2019.", "2019"),
        ("It runs in FY2020.", "FY2020"),
        ("It runs in 2014-15.", "2014-15"),
        ("It applies with s 4-10.", "s 4-10"),
        ("It applies with section 8-1.", "section 8-1"),
        ("See TR 2024/3.", "TR 2024/3"),
        ("See Division 40.", "Division 40"),
        ("It applies with the Dawn Act 2003.", "Dawn Act 2003"),
        ("Under s 3-1(7), oil may be set off.", "s 3-1(7)"),
        ("Under paragraph (d), oil may be set off.", "(d)"),
        ("Three towns are needed.", "Three"),
        ("Item 5A applies.", "Item 5A"),
        ("It is CGT event A1.", "A1"),
        ("Half of the levy counts.", "Half"),
        ("The levy is doubled.", "doubled"),
        ("A third of the levy counts.", "A third"),
        ("The levy is nil.", "nil"),
    ],
)
def test_prose_that_claims_more_than_its_quote_fails_and_names_the_excess(prose: str, excess: str) -> None:
    checked = claim(prose)
    assert checked.excess == (excess,)
    assert not checked.is_verified


@pytest.mark.parametrize("prose", ["It is halved.", "Half of it is due.", "One half is due."])
def test_a_share_in_words_is_borne_out_by_itself_in_another_spelling(prose: str) -> None:
    text = "(1) A keeper pays one half of the levy in the first year."
    sources = {9: passage(9, text)}
    (checked,) = verify(Draft((Claim(prose, (Quote(9, text),)),), "test", "test"), sources)
    assert checked.is_verified


def test_another_claims_quote_bears_nothing_out() -> None:
    assert claim("It limits 99 lanterns.").excess == ("99",)
    assert claim("It limits 99 lanterns.", OWN, OTHER).excess == ()


def test_a_quote_that_failed_bears_nothing_out() -> None:
    checked = claim("It limits 99 lanterns.", Quote(1, "Nothing in this section limits 99 lanterns"))
    assert checked.excess == ("99",)
    assert checked.quotes[0].problem == "found_elsewhere"


def test_a_claim_without_a_quote_is_never_verified() -> None:
    draft = Draft((Claim("Oil may be set off.", ()),), "test", "test")
    (checked,) = verify(draft, SOURCES)
    assert not checked.is_verified


def test_one_failed_quote_fails_its_claim_and_no_other() -> None:
    bad = Claim("Oil may be set off.", (OWN, Quote(2, "A keeper may set off anything whatever at dusk")))
    good = Claim("Nothing limits it.", (OTHER,))
    first, second = verify(Draft((bad, good), "test", "test"), SOURCES)
    assert (first.is_verified, second.is_verified) == (False, True)
    assert [quote.problem for quote in first.quotes] == ["", "not_in_source"]


def test_invented_figures_get_through_only_with_the_check_on_prose_switched_off() -> None:
    draft = Draft((Claim("Up to $76,000 may be set off.", (OWN,)),), "test", "test")
    assert not verify(draft, SOURCES)[0].is_verified
    assert verify(draft, SOURCES, enabled_checks=ALL_CHECKS - {PROSE})[0].is_verified


def test_an_unknown_check_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="tidiness"):
        verify(Draft((), "test", "test"), SOURCES, enabled_checks={"tidiness"})


def test_a_later_compilations_words_are_no_source() -> None:
    later = Quote(3, "A keeper may set off up to $90,000 of the cost of oil")
    checked = claim("Oil may be set off.", later)
    assert checked.quotes[0].problem == "unknown_source"


@pytest.mark.parametrize(
    ("text", "kind", "form"),
    [
        ("$1.5 million", "money", "1500000"),
        ("$2m", "money", "2000000"),
        ("A$1,234.50", "money", "2469/2"),
        ("one million dollars", "money", "1000000"),
        ("33⅓%", "percent", "100/3"),
        ("33 1/3 per cent", "percent", "100/3"),
        ("0.5%", "percent", "1/2"),
        ("twenty-five per cent", "percent", "25"),
        ("one hundred and five", "number", "105"),
        ("12-month period", "period", "12 month"),
        ("1 000 lanterns", "number", "1000"),
        ("2019-03-04", "date", "2019-03-04"),
        ("4th of March 2019", "date", "2019-03-04"),
        ("s 8-1(2)", "citation", "section 8-1"),
        ("Subdivision 328-D", "citation", "subdivision 328-D"),
    ],
)
def test_a_value_has_one_form_however_it_is_written(text: str, kind: str, form: str) -> None:
    assert (kind, form) in [(value.kind, value.form) for value in values_in(text)]


@given(st.integers(0, 10**7), st.integers(0, 99))
def test_an_amount_is_borne_out_by_itself_in_any_writing_and_by_no_other(dollars: int, more: int) -> None:
    text = f"A keeper of lanterns may set off ${dollars:,} against the levy of the year of dusk."
    sources = {1: passage(1, text)}
    for written in (f"${dollars:,}", f"${dollars:,}".replace(",", " "), f"{dollars} dollars", f"${dollars}.00"):
        (checked,) = verify(Draft((Claim(f"Up to {written} counts.", (Quote(1, text),)),), "t", "t"), sources)
        assert checked.is_verified
    (checked,) = verify(Draft((Claim(f"Up to ${dollars + more:,} counts.", (Quote(1, text),)),), "t", "t"), sources)
    assert checked.is_verified == (more == 0)


@given(st.dates(date(1901, 1, 1), date(2099, 12, 31)), st.dates(date(1901, 1, 1), date(2099, 12, 31)))
def test_a_date_is_borne_out_by_itself_alone(day: date, other: date) -> None:
    text = f"A keeper may set off the cost of oil burnt after {day.day} {day:%B} {day.year} in the lantern."
    draft = Draft((Claim(f"It began on {other.day}/{other.month}/{other.year}.", (Quote(1, text),)),), "t", "t")
    (checked,) = verify(draft, {1: passage(1, text)})
    assert checked.is_verified == (day == other)


_PIECES = (
    "$75,000;10%;ten per cent;s 8-1(2);1 July 2015;FY2020;30 days;(a);TR 2024/3;2015;two;may;the levy of the year;and"
    ";a lantern;1,5;33⅓%;May;section;5A;the 1997 Act;\u00a0"
)
PIECES = st.sampled_from(_PIECES.split(";"))


@given(st.lists(PIECES, min_size=6, max_size=25))
def test_prose_that_repeats_its_quote_says_no_more_than_it(pieces: list[str]) -> None:
    text = "Oil in lanterns " + " ".join(pieces)
    (checked,) = verify(Draft((Claim(text, (Quote(1, text),)),), "t", "t"), {1: passage(1, text)})
    assert checked.excess == ()


@given(st.text(max_size=200))
def test_any_prose_is_read_without_a_fault(text: str) -> None:
    for value in values_in(text):
        assert value.kind and value.form
    assert claim(text).quotes[0].is_verified


def test_an_act_named_beside_a_section_must_be_quoted_too() -> None:
    assert claim("It applies with section 4-9 of the ITAA 1997.").excess == ("ITAA 1997",)
