"""Total, GST and currency: amounts by the words that stand before them, and by what adds up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from clients.extraction import labels
from clients.extraction.heads import field
from clients.extraction.layout import Piece, Row, below
from clients.extraction.terms import FoundField, Name
from clients.rules import gst
from clients.rules.money import AMOUNT, CENT, amount_of, as_text, currency_of, is_certain, whole_amount


@dataclass(frozen=True, slots=True)
class Sum:
    """An amount with what it is called. kind: total, balance, gst, subtotal, other; at: its row's place."""

    kind: str
    label: str
    amount: Decimal
    at: int
    row: Row
    piece: Piece


@dataclass(frozen=True, slots=True)
class Sums:
    """What the document adds up to; each None where it is not found."""

    total: Sum | None
    gst: Sum | None
    subtotal: Sum | None
    first: int  # the row in which the sums begin: no line item stands below it


def sums_of(rows: Sequence[Row], start: int = 0) -> Sums:
    """Total, GST and subtotal. start: the row from which they are looked for, below the headings of the lines."""
    found = [each for each in _all(rows) if each.at >= start]
    if not any(each.kind in ("total", "balance") for each in found):
        found = list(_all(rows))
    taxes = [each for each in found if each.kind == "gst"]
    subtotals = [each for each in found if each.kind == "subtotal"]
    totals = [each for each in found if each.kind == "total"] or [each for each in found if each.kind == "balance"]
    total = _total(totals, taxes, subtotals)
    tax = _tax(taxes, total)
    subtotal = subtotals[-1] if subtotals else None
    kept = [each.at for each in (total, tax, subtotal) if each]
    return Sums(total, tax, subtotal, min(kept, default=len(rows)))


def sum_fields(sums: Sums) -> list[FoundField]:
    """The fields of the sums that were found."""
    found = []
    for name, each in ((Name.TOTAL, sums.total), (Name.GST, sums.gst)):
        if each:
            found.append(field(name, as_text(each.amount), each.row, each.piece, f"beside “{each.label}”"))
    return found


def currency(rows: Sequence[Row], total: Sum | None, has_abn: bool) -> FoundField | None:
    """The currency named at the total, else the only one named at all.

    A bare dollar sign is Australian on a document with an ABN that names no other currency, and unknown on any other.
    """
    if total:
        here = currency_of(total.row.text)
        if here:
            return _named(total.row, here, "named at the total")
    codes = {code: row for row in rows if (code := currency_of(row.text))}
    if len(codes) == 1:
        code, row = codes.popitem()
        return _named(row, code, "the only currency named")
    if not codes and has_abn and total and "$" in total.piece.text:
        return field(Name.CURRENCY, "AUD", total.row, total.piece, "a dollar sign on a document with an ABN")
    return None


def kind_of_label(label: str) -> str:
    """What an amount with that label is; other where it is none of the sums."""
    is_tax = bool(labels.GST.search(label))
    if labels.INCLUDES_GST.search(label):
        return "gst"
    if labels.SUBTOTAL.search(label):
        return "subtotal"
    if labels.TOTAL_WITH_GST.search(label):
        return "total"
    if is_tax or labels.TAX_ALONE.search(label):
        return "gst"
    if labels.NOT_A_SUM.search(label):
        return "other"
    if labels.BALANCE_DUE.search(label):
        return "balance"
    return "total" if labels.TOTAL.search(label) else "other"


def _all(rows: Sequence[Row]) -> Iterator[Sum]:
    """Every amount at the end of a row that has a label before it, or a label of a sum above it."""
    for at, row in enumerate(rows):
        amounts = list(AMOUNT.finditer(row.text))
        if amounts and is_certain(amounts[-1]) and not row.text[amounts[-1].end() :].strip(" .*"):
            before = row.text[: amounts[-1].start()]
            label = re.split(r"\s{3}", before.rstrip())[-1].strip() or before.strip()
            if not AMOUNT.search(label) and re.search(r"[A-Za-z]{2}", label):
                found = amounts[-1]
                yield Sum(kind_of_label(label), label, amount_of(found), at, row, row.piece(*_bare(found)))
        for part in row.segments:
            if kind_of_label(part.text) in ("total", "balance", "gst", "subtotal") and not AMOUNT.search(part.text):
                yield from _under(rows, at, row, part)


def _under(rows: Sequence[Row], at: int, row: Row, part: Piece) -> Iterator[Sum]:
    """An amount in the next row that stands under a label and has none of its own."""
    if AMOUNT.match(row.text[part.end :].lstrip(" :")):
        return
    for under, piece in below(rows, at, part.box, most=1):
        found = whole_amount(piece.text)
        if found and not re.search(r"[A-Za-z]{3}", under.text):
            yield Sum(kind_of_label(part.text), part.text, amount_of(found), at + 1, under, piece)


def _bare(found: re.Match[str]) -> tuple[int, int]:
    """The amount's offsets without the space before it."""
    return found.start() + len(found[0]) - len(found[0].lstrip()), found.end()


def _total(totals: Sequence[Sum], taxes: Sequence[Sum], subtotals: Sequence[Sum]) -> Sum | None:
    """The total that subtotal and GST add up to, else the largest."""
    for each in reversed(totals):
        for part in subtotals:
            if any(abs(part.amount + tax.amount - each.amount) <= CENT for tax in taxes):
                return each
    return max(totals, key=lambda each: (abs(each.amount), each.at), default=None)


def _tax(taxes: Sequence[Sum], total: Sum | None) -> Sum | None:
    """The GST that is a possible part of the total, the last such; else the last."""
    if total:
        whole = [each for each in taxes if gst.judge(total.amount, each.amount) is gst.Supplies.WHOLLY_TAXABLE]
        possible = [each for each in taxes if gst.judge(total.amount, each.amount) is not gst.Supplies.IMPOSSIBLE]
        taxes = whole or possible or taxes
    return taxes[-1] if taxes else None


def _named(row: Row, code: str, how: str) -> FoundField:
    found = re.search(rf"(?<![A-Za-z])(?:{code}|{code.lower()})(?![A-Za-z])", row.text) or re.search(
        r"(?:AU?|US|NZ|HK|S|C)\$|[€£]", row.text
    )
    assert found is not None  # currency_of has seen it
    return field(Name.CURRENCY, code, row, row.piece(*found.span()), how)
