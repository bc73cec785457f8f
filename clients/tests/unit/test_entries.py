"""What an approved document is entered as, to the cent."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.extraction.entries import EntryKind, EntryLine, entries_of, entry_lines, spread
from clients.extraction.standing import Act, Decision
from clients.extraction.terms import Box, LineItem
from clients.tests.unit.test_extraction_rules import INVOICE, STATEMENT
from clients.tests.unit.test_revised import stands

pytestmark = pytest.mark.unit


def line(amount: str, gst: str = "", description: str = "Item") -> LineItem:
    return LineItem(description, "", "", gst, amount, amount, 1, Box(0, 0, 1, 1))


def test_an_invoice_is_one_bill_with_its_lines_in_gst() -> None:
    (entry,) = entries_of(stands(INVOICE))
    assert (entry.kind, entry.dated, entry.due) == (EntryKind.BILL, date(2026, 2, 23), date(2026, 3, 25))
    assert (entry.supplier, entry.abn, entry.number) == ("Ockley Timber Pty Ltd", "51824753556", "SI-10441")
    assert (entry.currency, entry.total_cents, entry.gst_cents) == ("AUD", 110000, 10000)
    assert entry.lines == (EntryLine("Hardwood decking", 104500, True), EntryLine("Freight to site", 5500, True))


def test_what_was_corrected_is_entered_and_lines_left_out_are_not() -> None:
    decisions = (
        Decision("lines", Act.EMPTIED),
        Decision("kind", Act.CORRECTED, "receipt"),
        Decision("gst", Act.EMPTIED),
    )
    (entry,) = entries_of(stands(INVOICE, *decisions, Decision("subtotal", Act.EMPTIED)))
    assert (entry.kind, entry.gst_cents, entry.lines) == (EntryKind.RECEIPT, None, ())


def test_a_statement_is_a_bank_line_for_each_row() -> None:
    entries = entries_of(stands(STATEMENT, Decision("currency", Act.CORRECTED, "AUD")))
    assert [(each.kind, each.dated, each.total_cents, each.description, each.supplier) for each in entries] == [
        (EntryKind.BANK, date(2025, 12, 30), -5000, "Card purchase 11", ""),
        (EntryKind.BANK, date(2026, 1, 2), 20000, "Deposit customer", ""),
    ]


def test_what_something_blocks_is_not_entered() -> None:
    with pytest.raises(ValueError, match="currency"):
        entries_of(stands(STATEMENT))


@pytest.mark.parametrize(
    ("lines", "total", "gst", "wanted"),
    [
        ([line("110.00")], 11000, 1000, [(11000, True)]),
        ([line("110.00")], 11000, 0, [(11000, False)]),
        ([line("110.00")], 11000, None, [(11000, None)]),
        ([line("100.00")], 11000, 1000, [(11000, True)]),
        ([line("110.00", "GST"), line("50.00", "FRE")], 16000, 1000, [(11000, True), (5000, False)]),
        ([line("100.00", "10.00"), line("50.00", "0.00")], 16000, 1000, [(11000, True), (5000, False)]),
        ([line("110.00"), line("50.00")], 16000, 1000, []),  # nothing says that the first bears it
        ([line("110.00"), line("50.00")], 16000, None, [(11000, None), (5000, None)]),
        ([line("110.00", "5.00"), line("55.00", "0.00")], 16500, 500, []),  # an eleventh of the first is not 5.00
        ([line("110.00", "FRE"), line("55.00", "GST")], 16500, 500, [(11000, False), (5500, True)]),
        ([line("100.00", "5.00"), line("50.00", "0.00")], 15500, 500, []),
        ([line("100.00"), line("50.00")], 16000, 1000, []),  # which of them bears it is not known
        ([line("-110.00")], -11000, -1000, [(-11000, True)]),
        ([line("-100.00")], -11000, -1000, [(-11000, True)]),
        ([line("0.05"), line("0.05"), line("0.05")], 17, 2, [(6, True), (6, True), (5, True)]),
        ([line("110.01")], 11000, 1000, []),  # a cent off the total: the total alone
        ([], 11000, 1000, []),
    ],
)
def test_lines_come_to_the_total_or_are_left_out(
    lines: list[LineItem], total: int, gst: int | None, wanted: list[tuple[int, bool | None]]
) -> None:
    found = entry_lines(lines, total, gst)
    assert [(each.amount_cents, each.is_taxable) for each in found] == wanted
    assert not found or sum(each.amount_cents for each in found) == total


@given(st.integers(-(10**9), 10**9), st.lists(st.integers(-(10**7), 10**7), min_size=1, max_size=30))
def test_what_is_spread_comes_to_the_whole(cents: int, over: list[int]) -> None:
    found = spread(cents, over)
    if sum(over) == 0:
        assert found is None
    else:
        assert found is not None
        assert sum(found) == cents
        assert all(abs(part - cents * of / sum(over)) < 1.001 for part, of in zip(found, over, strict=True))
