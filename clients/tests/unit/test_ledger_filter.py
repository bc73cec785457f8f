"""A list's address, read and written: what is not understood counts as not said, and what is said comes back."""

from __future__ import annotations

from datetime import date

import pytest

from clients.ledger.filtering import Filter
from clients.ledger.words import counted, money


def test_an_address_reads_back() -> None:
    wanted = Filter(
        "nail", "receipt", 2026, date(2026, 1, 2), date(2026, 3, 4), "nail and", "NZD", True, True, True, "total", 1
    )
    assert Filter.of(wanted.said()) == wanted
    assert Filter.of({}) == Filter() and Filter().address() == "?"
    assert wanted.address(page=3).endswith("&sort=total&page=3")


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ({"kind": "cash", "sort": "secret", "page": "-1"}, "?"),
        ({"year": "²026", "from": "2026-02-30", "to": "20260301"}, "?"),
        ({"year": "1066", "currency": "aud", "alike": "yes"}, "?"),
        ({"q": "\x00 a \x00", "supplier": "x" * 400}, "?q=a&supplier=" + "x" * 300),
        ({"kind": "bank", "sort": "-date"}, "?kind=bank"),
    ],
)
def test_what_is_not_understood_counts_as_not_said(given: dict[str, str], address: str) -> None:
    assert Filter.of(given).address() == address


def test_bank_lines_are_a_list_and_no_narrowing() -> None:
    assert not Filter(kind="bank").is_narrowed and not Filter(sort="total", currency="NZD").is_narrowed
    assert Filter(kind="bill").is_narrowed and Filter(kind="bank", year=2026).is_narrowed


@pytest.mark.parametrize(
    ("cents", "currency", "words"),
    [
        (123450, "AUD", "$1,234.50"), (-1200, "AUD", "−$12.00"), (5, "AUD", "$0.05"), (-5, "NZD", "−NZD 0.05"),
        (9007199254740993, "AUD", "$90,071,992,547,409.93"),
    ],
)  # fmt: skip
def test_money_is_exact(cents: int, currency: str, words: str) -> None:
    assert money(cents, currency) == words
    assert (counted(1), counted(1234)) == ("1 entry", "1,234 entries")
