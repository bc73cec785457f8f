"""What a person types into a field: read by the same rules as a page, refused in words, and looked for on the pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from clients.extraction.layout import Row, all_rows
from clients.extraction.parties import read_printed_abn
from clients.extraction.quotes import find_text
from clients.extraction.terms import Box, Kind, Name, Page
from clients.rules.currencies import ISO_CODES
from clients.rules.dates_au import find_dates, read_date
from clients.rules.identifiers import read_abn
from clients.rules.money import AMOUNT, amount_of, as_text, currencies_in, read_money

MONEY = frozenset({"total", "gst", "opening_balance", "closing_balance", "amount", "balance"})
DATES = frozenset({"date", "due_date"})
LONGEST = {"supplier": 300, "invoice_number": 100, "payment_terms": 200, "description": 400}
MOST_CENTS = 10**15  # 10 thousand billion dollars; more is no amount of a client's
TURNS = ("sign", "direction")  # fields that say which way the amounts of the document are
_KINDS = (Kind.INVOICE, Kind.RECEIPT, Kind.STATEMENT)
AS_PRINTED, TURNED = "as printed", "turned"  # what a person may say of them
_DIGITS = re.compile(r"(?<!\d)\d(?:[\s.\-]?\d){10}(?!\d)")


class NotRead(Exception):
    """What was typed cannot be a value of its field; `sentence` says why and what to write."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands on the pages, and the words that say it there."""

    page: int
    region: Box
    raw: str
    confidence: float = 1.0


def read_typed(field: str, text: str, currency: str | None = None) -> str:
    """The normalised value, as fields hold it. field: a name of `Name`, "kind", or a part of a row of a statement.

    currency: the one that stands, "" for none: an amount that names another is refused; None asks nothing of it.
    Raises NotRead; also for nothing at all, which is another decision.
    """
    cleaned = " ".join("".join(letter if _is_printed(letter) else " " for letter in text).split())
    if not cleaned:
        raise NotRead("Nothing is written here. Write a value, or empty the field.")
    if field in MONEY:
        return _money(cleaned, currency)
    if field in DATES:
        return _date(cleaned)
    if field == Name.SUPPLIER_ABN:
        return _abn(cleaned)
    if field == Name.CURRENCY:
        return _currency(cleaned)
    if field == "kind":
        return _kind(cleaned)
    if field in TURNS:
        return _turn(cleaned)
    return _words(field, cleaned)


def is_normal(field: str, value: str) -> bool:
    """Whether the value is one that `read_typed` gives."""
    try:
        return read_typed(field, value) == value
    except NotRead:
        return False


def cents_of(value: str) -> int | None:
    """An amount of a field in cents; None for "", and for one that is too large to be any."""
    cents = int(Decimal(value) * 100) if value else None
    return cents if cents is not None and abs(cents) < MOST_CENTS else None


def find_value(field: str, value: str, pages: Sequence[Page], rows: Sequence[Row] | None = None) -> Place | None:
    """The first place on the pages whose words say the value; None if none do. rows: those of the pages, if known."""
    if field in (Name.SUPPLIER, Name.INVOICE_NUMBER, Name.PAYMENT_TERMS):
        found = find_text(value, pages)
        return Place(found[0], found[1], value) if found else None
    for row in all_rows(pages) if rows is None else rows:
        for start, end in _said(field, value, row):
            piece = row.piece(start, end)
            return Place(row.page, piece.box, piece.text, piece.confidence)
    return None


def _said(field: str, value: str, row: Row) -> Iterator[tuple[int, int]]:
    """The offsets of what says the value in a row; of an amount without regard to its sign, which a column may give."""
    if field in MONEY:
        for found in AMOUNT.finditer(row.text):
            if as_text(abs(amount_of(found))) == value.lstrip("-"):
                yield found.start() + len(found[0]) - len(found[0].lstrip()), found.end()
    elif field in DATES:
        for start, end, reading in find_dates(row.text):
            if value in [day.isoformat() for day in reading.days]:
                yield start, end
    elif field == Name.SUPPLIER_ABN:
        for found in _DIGITS.finditer(row.text):
            if read_printed_abn(found[0]) == value:
                yield found.span()
    elif field == Name.CURRENCY:
        for found in re.finditer(rf"(?<![A-Za-z]){re.escape(value)}(?![A-Za-z])", row.text):
            yield found.span()


def _is_printed(letter: str) -> bool:
    return unicodedata.category(letter)[0] != "C"


def _money(text: str, currency: str | None) -> str:
    whole = re.fullmatch(r"[-–−(]?\s?[$€£]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)\)?", text)
    amount = read_money(re.sub(r"(\d)(\)?)$", r"\1.00\2", text) if whole else text)
    if amount is None or re.search(r"[A-Za-z]{2}\.?$", text):
        raise NotRead("This is no amount. Write it with its cents, as 1,234.50; below nil with a minus before it.")
    others = sorted(currencies_in(text) - {currency}) if currency is not None else []
    if others:
        stands = f"the document is in {currency}" if currency else "the currency of the document is not known"
        raise NotRead(f"This amount is in {others[0]}, and {stands}. Put the currency right first.")
    if abs(amount) * 100 >= MOST_CENTS:
        raise NotRead("This amount is too large.")
    return as_text(amount) if amount else "0.00"


def _date(text: str) -> str:
    """The day first, as Australian custom has it; what can only be read with the month first is refused."""
    reading = read_date(text)
    if reading is None:
        raise NotRead("This is no date. Write it as 3/2/2026, 3 Feb 2026 or 2026-02-03.")
    if reading.day_first is None:
        raise NotRead("There is no such day. Write the day before the month, as 25/2/2026.")
    return reading.day_first.isoformat()


def _abn(text: str) -> str:
    digits = read_abn(re.sub(r"^a\.?b\.?n\.?[\s:]*", "", text, flags=re.IGNORECASE))
    if digits is None:
        raise NotRead("This is no ABN: its 11 digits do not check. Look at the document again.")
    return digits


def _currency(text: str) -> str:
    code = text.upper()
    if code not in ISO_CODES:
        raise NotRead("This is no currency. Write its code of three letters, as AUD.")
    return code


def _kind(text: str) -> str:
    if text not in _KINDS:
        raise NotRead("Choose invoice, receipt or statement.")
    return text


def _turn(text: str) -> str:
    if text not in (AS_PRINTED, TURNED):
        raise NotRead("Choose whether the amounts are as printed, or turned round.")
    return text


def _words(field: str, text: str) -> str:
    longest = LONGEST.get(field)
    if longest is None:
        raise NotRead("There is no such field.")
    if len(text) > longest:
        raise NotRead(f"This is longer than the {longest} characters that are kept.")
    return text
