"""Amounts and counts of entries as pages write them."""

from __future__ import annotations


def money(cents: int, currency: str) -> str:
    """ "$1,234.50", "−$12.00", "NZD 8.00"; exact, out of whole cents."""
    whole, rest = divmod(abs(cents), 100)
    sign = "−" if cents < 0 else ""
    return f"{sign}{'$' if currency == 'AUD' else currency + ' '}{whole:,}.{rest:02}"


def counted(number: int) -> str:
    return "1 entry" if number == 1 else f"{number:,} entries"
