"""Values of fields as the review writes them, and as they are offered for correcting."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from clients.extraction.terms import Kind, Name
from clients.extraction.typed import DATES, MONEY
from clients.rules.identifiers import show_abn

LABELS = {
    "supplier": "Supplier", "supplier_abn": "ABN", "invoice_number": "Number", "date": "Date", "due_date": "Due",
    "currency": "Currency", "total": "Total", "gst": "GST", "payment_terms": "Terms", "opening_balance": "Opens with",
    "closing_balance": "Closes with", "subtotal": "Subtotal", "kind": "Kind", "lines": "Lines", "rows": "Rows",
    "pages": "Pages", "check-date": "Date", "check-due-date": "Due", "check-pages": "Pages",
    "sign": "Amounts", "direction": "Amounts", "check-row-days": "Days of rows", "check-balances": "Balances",
}  # fmt: skip
KINDS = {Kind.INVOICE: "Invoice", Kind.RECEIPT: "Receipt", Kind.STATEMENT: "Bank statement", Kind.UNKNOWN: "Not known"}


def label_of(field: str) -> str:
    """What a field is called: "Total", "Row 3, amount"."""
    if field.startswith("row-"):
        _, number, *part = field.split("-")
        return f"Row {number}{', ' + part[0] if part else ''}"
    return LABELS.get(field, field)


def shown(field: str, value: str) -> str:
    """A value for reading: 23 February 2026, 1,234.50, 51 824 753 556; "" stays ""."""
    if not value:
        return ""
    what = field.rpartition("-")[2] if field.startswith("row-") else field
    if what in DATES:
        return day(value)
    if what in MONEY or what == "subtotal":
        return amount(value)
    if what == Name.SUPPLIER_ABN:
        return show_abn(value)
    return KINDS[Kind(value)] if what == "kind" else value


def typed_as(field: str, value: str) -> str:
    """A value as somebody would type it: 23/02/2026, 1,234.50; `read_typed` reads it back as the same."""
    if not value:
        return ""
    if field in DATES:
        found = date.fromisoformat(value)
        return f"{found:%d/%m}/{found.year:04d}"
    if field in MONEY:
        return f"{Decimal(value):,.2f}"
    return show_abn(value) if field == Name.SUPPLIER_ABN else value


def day(value: str) -> str:
    """2026-02-23 as 23 February 2026."""
    found = date.fromisoformat(value)
    return f"{found.day} {found:%B} {found.year}"


def short_day(value: str) -> str:
    """2026-02-23 as 23 Feb 2026; "" stays ""."""
    return f"{(found := date.fromisoformat(value)).day} {found:%b} {found.year}" if value else ""


def amount(value: str) -> str:
    """1234.50 as 1,234.50, with a true minus below nil; "" stays ""."""
    return f"{Decimal(value):,.2f}".replace("-", "−") if value else ""
