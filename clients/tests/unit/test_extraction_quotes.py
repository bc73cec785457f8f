"""A value's quote stands on its page, at its place, whole; what an OCR or a model that lies says is caught."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clients.extraction.quotes import Quoted, check_quote, is_near
from clients.extraction.terms import Name, Source
from clients.extraction.values import follows
from clients.tests.unit.papers import page, quoting

FIRST = page("Ockley Timber Pty Ltd\nTotal  $1,234.50\nFreight  $20.00")
SECOND = page("Conditions of sale\nDeposit  $500.00", number=2)


def test_a_quote_that_stands_where_it_is_said_to_is_matched() -> None:
    checked = check_quote(quoting("$1,234.50", FIRST), (FIRST, SECOND))
    assert (checked.state, checked.page, checked.sentence) == (Quoted.MATCHED, 1, "Quote matched.")
    assert checked.region == quoting("$1,234.50", FIRST).region


@pytest.mark.security
def test_right_text_on_the_wrong_page_fails_and_names_where_it_stands() -> None:
    lying = replace(quoting("$500.00", SECOND), page=1)
    checked = check_quote(lying, (FIRST, SECOND))
    assert (checked.state, checked.page) == (Quoted.ELSEWHERE, 2)
    assert not checked.is_matched
    assert checked.sentence == "The words quoted stand on page 2, not where they are said to."


@pytest.mark.security
def test_right_text_at_the_wrong_place_of_the_page_fails() -> None:
    lying = replace(quoting("$1,234.50", FIRST), region=quoting("$20.00", FIRST).region)
    checked = check_quote(lying, (FIRST, SECOND))
    assert (checked.state, checked.is_matched) == (Quoted.MISPLACED, False)


@pytest.mark.security
@pytest.mark.parametrize("raw", ["$1,284.50", "1,234.5", "234.50", "$1,234.50 CR", "Ockley Timber Pty Limited", ""])
def test_words_that_are_not_on_the_page_are_absent(raw: str) -> None:
    lying = replace(quoting("$1,234.50", FIRST), raw=raw)
    assert check_quote(lying, (FIRST, SECOND)).state is Quoted.ABSENT


def test_dashes_and_spaces_are_read_alike() -> None:
    on = page("Invoice  SI–10 441")
    assert check_quote(replace(quoting("SI–10 441", on), raw="SI-10  441"), (on,)).state is Quoted.MATCHED


@pytest.mark.parametrize(
    ("there", "wanted", "near"),
    [
        ("Ockley Tirnber Pty Ltd", "Ockley Timber Pty Ltd", True),
        ("Ockley Timber Pty Ltd", "Ockley Timber Pty Limited", False),  # longer by more than 15 %
        ("Oakley Lumber Pty Ltd", "Ockley Timber Pty Ltd", False),  # 17 of 21 letters
        ("INV 10441", "INV 10447", False),  # a digit is another
        ("INV 1044l", "INV 10441", False),  # a digit is a letter
        ("", "", False),
    ],
)
def test_near_is_bounded_in_length_and_in_letters_and_never_in_digits(there: str, wanted: str, near: bool) -> None:
    assert is_near(wanted, there) is near


def test_only_a_page_that_ocr_read_is_matched_nearly() -> None:
    for source, state in ((Source.OCR, Quoted.NEARLY), (Source.TEXT, Quoted.ABSENT)):
        on = page("Ockley Tirnber Pty Ltd\nTotal  $5.00", source=source)
        said = replace(quoting("Ockley Tirnber Pty Ltd", on), raw="Ockley Timber Pty Ltd")
        assert check_quote(said, (on,)).state is state


@pytest.mark.security
@pytest.mark.parametrize(
    ("name", "raw", "value", "right"),
    [
        (Name.TOTAL, "$1,234.50", "1234.50", True),
        (Name.TOTAL, "$1,234.50", "1284.50", False),
        (Name.TOTAL, "EUR 1,234.50", "1234.50", True),
        (Name.SUPPLIER_ABN, "51 824 753 556", "51824753556", True),
        (Name.SUPPLIER_ABN, "5l 824 753 556", "51824753556", True),
        (Name.SUPPLIER_ABN, "51 824 753 557", "51824753557", False),
        (Name.DATE, "03/02/2021", "2021-02-03", True),
        (Name.DATE, "03/02/2021", "2021-03-02", True),
        (Name.DATE, "03/02/2021", "2021-02-04", False),
        (Name.CURRENCY, "$5.00", "AUD", True),
        (Name.CURRENCY, "US$5.00", "AUD", False),
        (Name.INVOICE_NUMBER, "SI-10441", "SI-10441", True),
        (Name.INVOICE_NUMBER, "SI-10441", "SI-10447", False),
    ],
)
def test_a_value_follows_from_the_words_it_quotes(name: Name, raw: str, value: str, right: bool) -> None:
    on = page(raw)
    assert follows(quoting(raw, on, name, value)) is right
