"""Amounts that may have to be turned round: those of a credit note printed above nil, those of a card's statement.

Paper often leaves a sign to its title. What the title or the column leaves open is asked, and never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from clients.extraction.layout import Row
from clients.extraction.sums import Sums
from clients.extraction.terms import Extraction, FoundField, LineItem, Name
from clients.rules.money import AMOUNT, as_text, read_money

_TITLE = re.compile(  # a stretch of a row that is nothing else; spaces may be missing
    r"(?:tax\s?)?(?:credit|adjustment)\s?(?:note|memo|advice)(?:\s?(?:no\b|number|num\b|#|date|ref|:|[A-Z]*-?\d).{0,40})?"
    r"|credit\s?invoice"
    r"|(?:tax\s?|cash\s?|customer\s?)?refund(?:\s?(?:receipt|note|advice|notice|slip|invoice))?(?:\s?(?:no\b|#|:).{0,40})?",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"^(?:(?:total|amount|net)\s?(?:amount\s?)?(?:credit(?:ed)?|refund(?:ed)?)|(?:credit|refund)\s?(?:total|amount|due))"
    r"(?!\s?card)(?![a-z])",
    re.IGNORECASE,
)
_MARKED = re.compile(r"(?:CR|DR)$", re.IGNORECASE)
_MONEY = (Name.TOTAL, Name.GST, Name.OPENING_BALANCE, Name.CLOSING_BALANCE)


def is_credit(rows: Sequence[Row], first: int, sums: Sums) -> bool:
    """Whether the document calls itself one that gives money back: by its title, or by what its total is called.

    first: the row of the headings of the lines, -1 for none. What a line or a sum says is no title.
    """
    if sums.total is not None and _TOTAL.search(sums.total.label):
        return True
    return any(_is_titled(row) for row in rows[: first if first >= 0 else sums.first])


def turned(read: Extraction) -> Extraction:
    """The same with its amounts turned round; those of a statement that say themselves what they are stay."""
    return replace(
        read,
        fields=tuple(_turned(found) if found.name in _MONEY else found for found in read.fields),
        lines=tuple(_turned_line(line) for line in read.lines),
        rows=tuple(
            replace(
                row,
                amount=against(row.amount) if row.amount_turns else row.amount,
                balance=against(row.balance) if row.balance_turns else row.balance,
            )
            for row in read.rows
        ),
    )


def against(value: str) -> str:
    """The amount of a field with the other sign; "" and nil stay."""
    return as_text(-Decimal(value)) if value and Decimal(value) else value


def _is_titled(row: Row) -> bool:
    parts = [part.text for part in row.segments]
    return any(
        _TITLE.fullmatch(part.strip()) and not AMOUNT.fullmatch(after)
        for part, after in zip(parts, [*parts[1:], ""], strict=True)
    )


def _turned(found: FoundField) -> FoundField:
    is_of_account = found.name in (Name.OPENING_BALANCE, Name.CLOSING_BALANCE)
    if is_of_account and _MARKED.search(found.raw.strip()):
        return found
    return replace(found, value=against(found.value))


def _turned_line(line: LineItem) -> LineItem:
    tax = against(line.gst) if read_money(line.gst) is not None else line.gst
    return replace(line, amount=against(line.amount), unit_price=against(line.unit_price), gst=tax)
