"""Whether a normalised value follows from the words it quotes; a right quote with another value beside it does not."""

from __future__ import annotations

from clients.extraction.parties import read_printed_abn
from clients.extraction.quotes import plain
from clients.extraction.terms import FoundField, Name
from clients.rules.dates_au import read_date
from clients.rules.money import as_text, currency_of, read_money

_MONEY = (Name.TOTAL, Name.GST, Name.OPENING_BALANCE, Name.CLOSING_BALANCE)


def follows(found: FoundField) -> bool:
    """Whether the field's value, or each of its alternatives where it has none, is what its raw words say."""
    if found.alternatives and not found.value:
        return all(_is_said(found.name, each.value, each.raw) for each in found.alternatives)
    return _is_said(found.name, found.value, found.raw)


def _is_said(name: Name, value: str, raw: str) -> bool:
    if name in _MONEY:
        amount = read_money(raw)
        return amount is not None and value in (as_text(amount), as_text(-amount))
    if name in (Name.DATE, Name.DUE_DATE):
        reading = read_date(raw)
        return reading is not None and value in [day.isoformat() for day in reading.days]
    if name is Name.SUPPLIER_ABN:
        return value != "" and value == read_printed_abn(raw)
    if name is Name.CURRENCY:
        return value == (currency_of(raw) or ("AUD" if "$" in raw else ""))
    return plain(value) == plain(raw)
