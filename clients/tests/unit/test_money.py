"""Amounts as documents write them: read exactly or not at all."""

from __future__ import annotations

from decimal import Decimal

import pytest

from clients.rules import money


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("$1,234.50", "1234.50"),
        ("1234.50", "1234.50"),
        ("(45.00)", "-45.00"),
        ("-$45.00", "-45.00"),
        ("$-45.00", "-45.00"),
        ("45.00-", "-45.00"),
        ("45.00 CR", "-45.00"),
        ("45.00 DR", "45.00"),
        ("−45.00", "-45.00"),
        ("US$12.00", "12.00"),
        ("AUD 1,200.00", "1200.00"),
        ("$1,200", "1200.00"),
        ("1,200", None),
        ("1.234,50", None),
        ("1,23.00", None),
        ("12.5", None),
        ("10.00%", None),
        ("(45.00", None),
        ("45.00)", None),
        ("($1,200", None),
        ("(45.00-", None),
        ("03.02.2021", None),
        ("", None),
    ],
)
def test_an_amount_is_read_whole_or_not_at_all(written: str, amount: str | None) -> None:
    assert money.read_money(written) == (Decimal(amount) if amount else None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Total   $1,234.50", ["1234.50"]),
        ("2 x 4.50   9.00", ["4.50", "9.00"]),
        ("Paid 02.03.2021   9.00", ["9.00"]),
        ("v1.2.30 build 4.5", []),
    ],
)
def test_amounts_are_found_in_a_row_and_dates_are_not(text: str, found: list[str]) -> None:
    assert [str(money.amount_of(match)) for match in money.AMOUNT.finditer(text)] == found


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Total AUD", "AUD"),
        ("US$45.00", "USD"),
        ("€ 45.00", "EUR"),
        ("$45.00", ""),
        ("HK$5.00", "HKD"),
        ("USD or NZD", ""),
        ("SAUDI", ""),
    ],
)
def test_a_currency_is_named_or_unknown(text: str, code: str) -> None:
    assert money.currency_of(text) == code


@pytest.mark.parametrize(
    ("text", "is_certain"),
    [
        ("Total (45.00)", True),
        ("Total (45.00", False),
        ("Total 45.00)", False),
        ("(GST included $4.50)", True),
        ("Total (inc. GST) 4.50)", False),
        ("Total 45.00", True),
    ],
)
def test_half_a_pair_of_brackets_leaves_a_sign_uncertain(text: str, is_certain: bool) -> None:
    (found,) = money.AMOUNT.finditer(text)
    assert money.is_certain(found) is is_certain


def test_half_a_cent_is_rounded_away_from_nil() -> None:
    assert [money.as_text(Decimal(each)) for each in ("1.005", "-1.005", "7")] == ["1.01", "-1.01", "7.00"]
