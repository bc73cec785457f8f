"""Amounts of money as Australian documents write them, read into Decimals and nothing guessed.

1,234.50 has commas for thousands and a point for cents. What might be the other way round (1.234,50) is no amount.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
CURRENCIES = ("AUD", "USD", "NZD", "EUR", "GBP", "SGD", "JPY", "CAD", "HKD")
_SMALL = re.compile(r"(?<![A-Za-z])(?:aud|usd|nzd)(?![A-Za-z])")  # in small letters too; "cad" and "eur" may be words
_SIGNS = {
    "A$": "AUD",
    "AU$": "AUD",
    "US$": "USD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "€": "EUR",
    "£": "GBP",
    "S$": "SGD",
    "C$": "CAD",
}
_BEFORE = r"(?:(?:AUD|USD|NZD|EUR|GBP|SGD|CAD|HKD)\s?)?(?:A|AU|US|NZ|S|C|HK)?[$€£]?\s?"
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{2})"
AMOUNT = re.compile(  # an amount with its cents, wherever it stands in a text
    rf"(?<![\w.,/$-])(?P<open>\()?(?P<minus>[-–−])?\s?{_BEFORE}(?P<minus_in>[-–−])?(?P<number>{_NUMBER})(?![\d,%]|\.\d)"
    r"(?P<close>\))?(?P<after>-(?!\d)|\s?(?:CR|DR|Cr|Dr)\b)?"
)


def read_money(text: str) -> Decimal | None:
    """The amount that the whole text is, with its sign; None if it is none. "45.00 CR" and "45.00-" are below nil.

    Cents may be absent ("$1,200"), where the text has a sign of money. Half a pair of brackets is no amount: what is
    missing may have put it below nil.
    """
    cleaned = text.strip()
    found = whole_amount(cleaned)
    if found is None and re.search(r"[$€£]", cleaned) and re.fullmatch(r"[^\d]*(\d{1,3}(,\d{3})+|\d+)\)?", cleaned):
        found = whole_amount(re.sub(r"(\d)(\)?)$", r"\1.00\2", cleaned))
    return amount_of(found) if found else None


def whole_amount(text: str) -> re.Match[str] | None:
    """The match of AMOUNT that the whole text is, None if it is none or has half a pair of brackets."""
    found = AMOUNT.fullmatch(text)
    return found if found and bool(found["open"]) == bool(found["close"]) else None


def is_certain(found: re.Match[str]) -> bool:
    """Whether the brackets of a match within a text leave its sign certain: "(45.00" do not, nor "45.00)" alone.

    Those of "(GST included $4.50)" do: the text closes what it opened before the amount.
    """
    if found["open"] or not found["close"]:
        return bool(found["open"]) == bool(found["close"])
    before = found.string[: found.start()]
    return before.count("(") > before.count(")")


def amount_of(found: re.Match[str]) -> Decimal:
    """The Decimal of a match of AMOUNT."""
    amount = Decimal(found["number"].replace(",", ""))
    after = (found["after"] or "").strip().upper()
    is_below = bool(found["minus"] or found["minus_in"] or (found["open"] and found["close"])) or after in ("-", "CR")
    return -amount if is_below else amount


def as_text(amount: Decimal) -> str:
    """With two places and no thousands: 1234.50; rounded half away from nil."""
    return f"{amount.quantize(CENT, ROUND_HALF_UP):.2f}"


def currency_of(text: str) -> str:
    """The currency that a piece of text names, "" if none or more than one; a bare "$" names none."""
    named = currencies_in(text)
    return named.pop() if len(named) == 1 else ""


def currencies_in(text: str) -> set[str]:
    """Every currency that a piece of text names; a bare "$" names none."""
    text = _SMALL.sub(lambda found: found[0].upper(), text)
    named = {code for code in CURRENCIES if re.search(rf"(?<![A-Z]){code}(?![A-Z])", text)}
    return named | {code for sign, code in _SIGNS.items() if re.search(rf"(?<![A-Z]){re.escape(sign)}", text)}
