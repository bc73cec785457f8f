"""The extractor by rules and layout: what kind of document it is, its fields, its lines, and the checks over them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from clients.extraction import heads, parties, statements, sums, tables
from clients.extraction.account import Account
from clients.extraction.checks import Amounts, all_checks
from clients.extraction.layout import Row, all_rows
from clients.extraction.terms import Extraction, FoundField, Kind, LineItem, Page
from clients.extraction.turning import is_credit

_TILL = re.compile(  # spaces may be missing
    r"\b(?:receipt|eftpos|change|cash|tender|customer ?copy|merchant ?copy|card ?payment|approved"
    r"|register ?\d|reg ?\d)",
    re.IGNORECASE,
)
_BILL = re.compile(r"\b(?:due date|payment terms|bill(?:ed)? to|invoice to|sold to|bsb|remittance)\b", re.IGNORECASE)
_INVOICE = re.compile(
    r"\b(?:tax ?)?invoice\b|\bcredit ?note\b|\badjustment ?note\b|\bbill ?(?:number|no\b|issued|date)", re.IGNORECASE
)


class RulesExtractor:
    """Finds fields by their labels and places; the default, and no model."""

    def extract(self, pages: Sequence[Page], today: date) -> Extraction:
        """What stands on the pages, each value with its quote; what is not found is absent."""
        rows = all_rows(pages)
        abn, wrong_abn = parties.supplier_abn(rows)
        kind = kind_of(rows, pages)
        shared = [found for found in (parties.supplier(rows, kind is not Kind.UNKNOWN), abn) if found]
        if kind is Kind.STATEMENT:
            found_rows, balances = statements.statement_rows(rows)
            read = Extraction(kind, (*shared, *balances), rows=tuple(found_rows))
            is_open = statements.runs_either_way(found_rows, rows)
            account = Account(statements.period_of(rows), is_direction_open=is_open)
            return replace(read, checks=all_checks(read, pages, None, wrong_abn is not None, today, account))
        first, _ = tables.line_items(rows, len(rows))
        added = sums.sums_of(rows, max(first, 0))
        lines = _lines(rows, first, added, kind)
        fields = [*shared, *_heads(rows, today), *sums.sum_fields(added)]
        currency = sums.currency(rows, added.total, abn is not None)
        read = Extraction(kind, tuple([*fields, currency] if currency else fields), tuple(lines))
        amounts = amounts_of(added, is_credit(rows, first, added))
        return replace(read, checks=all_checks(read, pages, amounts, wrong_abn is not None, today))


def amounts_of(added: sums.Sums, is_a_credit: bool) -> Amounts:
    """The amounts of the sums that were found."""
    total, tax, subtotal = (each.amount if each else None for each in (added.total, added.gst, added.subtotal))
    return Amounts(total, tax, subtotal, is_a_credit)


def kind_of(rows: Sequence[Row], pages: Sequence[Page]) -> Kind:
    """What sort of document it is; unknown where nothing says so."""
    if statements.is_statement(rows):
        return Kind.STATEMENT
    text = "\n".join(row.text for row in rows)
    is_narrow = bool(pages) and pages[0].width < 0.68 * pages[0].height  # A4 is 0.71
    tills, bills = len(_TILL.findall(text)), len(_BILL.findall(text))
    is_invoice = bool(_INVOICE.search(text))
    if tills and (is_narrow or not is_invoice or (tills > 2 and not bills)):
        return Kind.RECEIPT
    return Kind.INVOICE if is_invoice else Kind.UNKNOWN


def _heads(rows: Sequence[Row], today: date) -> list[FoundField]:
    found = [heads.invoice_number(rows), *heads.dates(rows, today), heads.payment_terms(rows)]
    return [each for each in found if each is not None]


def _lines(rows: Sequence[Row], first: int, added: sums.Sums, kind: Kind) -> list[LineItem]:
    """The items of the table; on a receipt without one, the texts with an amount above the sums."""
    if first >= 0:
        return tables.line_items(rows, added.first)[1]
    if kind is Kind.RECEIPT:
        return tables.loose_items(rows, 0, added.first)
    return []
