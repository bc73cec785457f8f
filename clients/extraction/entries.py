"""What an approved document is entered as: one bill or receipt, or one bank line for each row of a statement kept.

Only values that stand are entered; nothing is worked out but the GST within lines that are printed without it. Lines
are entered with GST and come to the total to the cent, and one eleventh of the taxable ones to the GST, as whoever
works it out from them will find; or they are left out and the total alone is entered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from clients.extraction.revised_terms import Revised
from clients.extraction.terms import Kind, LineItem, Name
from clients.extraction.typed import LONGEST, cents_of
from clients.rules.gst import Supplies, gst_in, judge, tolerance
from clients.rules.money import read_money

MOST_LINE_CHARS = 400


class EntryKind(StrEnum):
    """Spelt as the table of transactions has it."""

    BILL = "bill"
    RECEIPT = "receipt"
    BANK = "bank"


@dataclass(frozen=True, slots=True)
class EntryLine:
    """One line of a bill. amount_cents: with GST. is_taxable: None where nothing says."""

    description: str
    amount_cents: int
    is_taxable: bool | None


@dataclass(frozen=True, slots=True)
class Entry:
    """What becomes one transaction; the meanings and units are those of `models.Transaction`."""

    kind: EntryKind
    dated: date
    currency: str
    total_cents: int
    supplier: str = ""
    abn: str = ""
    due: date | None = None
    number: str = ""
    gst_cents: int | None = None
    description: str = ""
    lines: tuple[EntryLine, ...] = ()


def entries_of(found: Revised) -> tuple[Entry, ...]:
    """The entries of a document that nothing blocks. Raises ValueError for one that something does."""
    if found.problems:
        raise ValueError(found.problems[0].sentence)
    currency = found.value(Name.CURRENCY)
    if found.kind is Kind.STATEMENT:
        return tuple(
            Entry(
                EntryKind.BANK,
                date.fromisoformat(row.now.date),
                currency,
                _cents(row.now.amount),
                description=row.now.description[: LONGEST["description"]],
            )
            for row in found.rows
            if row.is_entered
        )
    total, tax = _cents(found.value(Name.TOTAL)), cents_of(found.value(Name.GST))
    entry = Entry(
        EntryKind.RECEIPT if found.kind is Kind.RECEIPT else EntryKind.BILL,
        date.fromisoformat(found.value(Name.DATE)),
        currency,
        total,
        supplier=found.value(Name.SUPPLIER),
        abn=found.value(Name.SUPPLIER_ABN),
        due=date.fromisoformat(due) if (due := found.value(Name.DUE_DATE)) else None,
        number=found.value(Name.INVOICE_NUMBER),
        gst_cents=tax,
        lines=entry_lines(found.lines, total, tax),
    )
    return (entry,)


def entry_lines(lines: Sequence[LineItem], total_cents: int, gst_cents: int | None) -> tuple[EntryLine, ...]:
    """The lines with their GST in them; () where they do not come to the total, or nothing says which of them bear it.

    Also () where one eleventh of those that bear it is not the GST, give or take what rounding by line may do.

    Printed with GST they stay as they are. Printed without it, that of the document is spread over the taxable ones in
    proportion, the cents that remain to the largest remainders.
    """
    printed = [_cents(line.amount) for line in lines]
    taxable = _taxable(lines, total_cents, gst_cents)
    if lines and sum(printed) == total_cents:
        amounts = printed
    elif lines and gst_cents and sum(printed) + gst_cents == total_cents and None not in taxable:
        added = spread(gst_cents, [cents if bears else 0 for cents, bears in zip(printed, taxable, strict=True)])
        if added is None:
            return ()
        amounts = [cents + tax for cents, tax in zip(printed, added, strict=True)]
    else:
        return ()
    if not _hold(amounts, taxable, gst_cents):
        return ()
    return tuple(
        EntryLine(line.description[:MOST_LINE_CHARS], cents, bears)
        for line, cents, bears in zip(lines, amounts, taxable, strict=True)
    )


def spread(cents: int, over: Sequence[int]) -> list[int] | None:
    """`cents` in proportion over the amounts, whole cents that come to it exactly; None where they come to nil."""
    whole = sum(over)
    if not whole:
        return None
    shares = [Fraction(cents * part, whole) for part in over]
    floors = [share.numerator // share.denominator for share in shares]
    order = sorted(range(len(over)), key=lambda at: (floors[at] - shares[at], at))
    for at in order[: cents - sum(floors)]:
        floors[at] += 1
    return floors


def _hold(amounts: Sequence[int], taxable: Sequence[bool | None], gst_cents: int | None) -> bool:
    """Whether the elevenths of the taxable lines, each to the cent, come to the GST; so too where no GST is said."""
    if gst_cents is None:
        return True
    if None in taxable:
        return False
    held = [gst_in(Decimal(cents) / 100) for cents, bears in zip(amounts, taxable, strict=True) if bears]
    return abs(sum(held, Decimal(0)) - Decimal(gst_cents) / 100) <= tolerance(len(amounts))


def _taxable(lines: Sequence[LineItem], total_cents: int, gst_cents: int | None) -> list[bool | None]:
    """Which lines bear GST: all or none where the amounts say so, else as they are marked, else not known."""
    if gst_cents is None:
        return [None] * len(lines)
    judged = judge(Decimal(total_cents) / 100, Decimal(gst_cents) / 100, max(1, len(lines)))
    if judged in (Supplies.WHOLLY_TAXABLE, Supplies.NOT_TAXABLE):
        return [judged is Supplies.WHOLLY_TAXABLE] * len(lines)
    marks = [_marked(line.gst) for line in lines]
    return [bool(mark) for mark in marks] if any(marks) else [None] * len(lines)


def _marked(text: str) -> bool:
    """Whether a line is marked as bearing GST: by the code, or by an amount of it."""
    amount = read_money(text)
    return text == "GST" if amount is None else amount != 0


def _cents(text: str) -> int:
    found = cents_of(text)
    if found is None:
        raise ValueError("an amount is missing")
    return found
