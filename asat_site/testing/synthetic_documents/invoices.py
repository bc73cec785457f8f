"""Invoices in many layouts: where the parties, the facts and the sums stand, and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random

from asat_site.testing.synthetic_documents.facts import Facts, Item, facts, money
from asat_site.testing.synthetic_documents.paper import Paper
from clients.extraction.terms import Kind, Name
from clients.rules.identifiers import show_abn

Meta = list[tuple[str, str]]
_NUMBER = ("Invoice No.", "Invoice Number", "Invoice #", "Tax Invoice No:", "Invoice No:", "Inv No.", "Number:")
_DATE = ("Date", "Invoice Date", "Date:", "Issue Date", "Date of issue", "Dated", "Tax Invoice Date")
_DUE = ("Due Date", "Payment Due", "Due", "Due By", "Pay by", "Date due")
_TOTAL = (
    "Total",
    "Total (inc GST)",
    "Amount Due",
    "Balance Due",
    "Invoice Total",
    "Total Payable",
    "TOTAL AUD",
    "Total inc. GST",
    "Total Amount Due",
)
_GST = ("GST", "GST (10%)", "GST 10%", "Total GST", "GST Amount", "Plus GST", "Includes GST of")
_SUBTOTAL = ("Subtotal", "Sub-total", "Sub Total", "Total ex GST", "Net amount")


@dataclass(frozen=True, slots=True)
class Style:
    """One layout. supplier: left, right, centre, bar or footer; meta: pairs, boxes or inline; columns: of `_TABLES`."""

    name: str
    supplier: str = "left"
    meta: str = "pairs"
    customer: str = "left"
    columns: str = "plain"
    font: str = "helv"
    gst: str = "all"
    includes_gst: bool = False
    lines: tuple[int, int] = (1, 6)
    currency: str = "AUD"
    sign: str = "$"
    is_credit: bool = False
    title: str = "TAX INVOICE"
    customer_abn: bool = False
    has_due: bool = True


STYLES = (
    Style("classic"),
    Style("letterhead", supplier="centre", meta="boxes", font="tiro"),
    Style("bar", supplier="bar", customer="right", columns="quantity first"),
    Style("footer", supplier="footer", columns="plain", customer_abn=True),
    Style("right", supplier="right", columns="coded", customer_abn=True, includes_gst=True),
    Style("tradesman", supplier="left", meta="inline", columns="two", font="tiro", lines=(1, 3), has_due=False),
    Style("long", columns="plain", lines=(48, 70)),
    Style("mixed", columns="coded", gst="mixed", includes_gst=True, lines=(4, 9)),
    Style("mixed ex", supplier="right", columns="plain", gst="mixed", lines=(3, 7)),
    Style("hours", supplier="centre", columns="hours", meta="pairs", font="tiro"),
    Style("no gst", columns="plain", gst="none", title="INVOICE"),
    Style("foreign", supplier="right", columns="plain", gst="none", title="INVOICE", currency="USD", sign="US$"),
    Style("credit", title="CREDIT NOTE", is_credit=True, has_due=False, columns="quantity first"),
    Style("bill", supplier="bar", meta="boxes", columns="two", includes_gst=True, lines=(2, 5)),
)
_TABLES: dict[str, tuple[tuple[str, float, str], ...]] = {  # heading, where it stands, how it is aligned
    "plain": (
        ("Description", 50, "left"), ("Qty", 345, "right"), ("Unit Price", 435, "right"), ("Amount", 545, "right"),
    ),
    "quantity first": (
        ("Qty", 70, "right"), ("Item", 90, "left"), ("Price", 400, "right"), ("GST", 465, "right"),
        ("Total", 545, "right"),
    ),
    "coded": (
        ("Code", 50, "left"), ("Description", 110, "left"), ("Quantity", 345, "right"), ("Price", 420, "right"),
        ("Tax", 450, "left"), ("Amount", 545, "right"),
    ),
    "two": (("Description of work", 50, "left"), ("Amount", 545, "right")),
    "hours": (("Details", 50, "left"), ("Hours", 345, "right"), ("Rate", 435, "right"), ("Amount ($)", 545, "right")),
}  # fmt: skip


def invoice(rng: Random, style: Style) -> tuple[Paper, Facts]:
    """An invoice in that style and what it says; its truth is filled in."""
    known = facts(rng, Kind.INVOICE, lines=rng.randint(*style.lines), gst=style.gst, includes_gst=style.includes_gst)
    known.currency, known.is_credit = style.currency, style.is_credit
    if style.is_credit:
        known.items = [replace(item, price=-item.price, amount=-item.amount) for item in known.items]
    paper = Paper(style.font)
    _heads(paper, known, style)
    _table(paper, known, style)
    _sums(paper, known, style)
    _foot(paper, known, style)
    _fill(known, style)
    return paper, known


def _heads(paper: Paper, known: Facts, style: Style) -> None:
    supplier, title_x = known.supplier, 545.0
    own = [supplier.name, f"ABN {show_abn(supplier.abn)}", supplier.street, supplier.town, supplier.phone]
    if style.supplier == "bar":
        paper.bar(0, 70, (0.1, 0.2, 0.45))
        paper.text(50, supplier.name, 17, True, y=42, colour=(1, 1, 1))
        paper.text(50, f"ABN: {show_abn(supplier.abn)}   {supplier.phone}", 9, y=60, colour=(1, 1, 1))
        paper.y = 105
    elif style.supplier == "centre":
        paper.text(297, supplier.name, 18, True, "centre")
        paper.down(18)
        paper.lines(297, [f"{supplier.street}, {supplier.town}", f"A.B.N. {show_abn(supplier.abn)}"], align="centre")
        paper.down(18)
    elif style.supplier == "right":
        paper.text(50, style.title, 18, True)
        paper.lines(545, own, align="right", first_bold=True)
        paper.down(12)
    elif style.supplier == "footer":
        paper.text(50, supplier.name, 20, True)
        paper.down(40)
    else:
        paper.lines(50, own, first_bold=True)
        paper.text(title_x, style.title, 18, True, "right", y=52)
        paper.down(12)
    if style.supplier in ("bar", "centre", "footer"):
        paper.text(
            50 if style.supplier != "centre" else 297,
            style.title,
            14,
            True,
            "centre" if style.supplier == "centre" else "left",
        )
        paper.down(24)
    _meta(paper, known, style, _pairs(known, style))


def _pairs(known: Facts, style: Style) -> Meta:
    rng = known.rng
    number = "Credit Note No." if style.is_credit else rng.choice(_NUMBER)
    pairs = [(number, known.number), (rng.choice(_DATE), known.day(known.dated))]
    if style.has_due:
        pairs.append((rng.choice(_DUE), known.day(known.due)))
        known.truth.fields[Name.DUE_DATE] = known.due.isoformat()
    if rng.random() < 0.5:
        pairs.insert(rng.randrange(3), ("Customer No.", f"C{rng.randrange(1000, 9999)}"))
    if rng.random() < 0.4:
        pairs.append(("Your order", f"PO-{rng.randrange(10_000, 99_999)}"))
    if rng.random() < 0.6 and style.has_due:
        pairs.append((rng.choice(("Terms", "Payment Terms", "Terms:")), known.terms))
        known.truth.fields[Name.PAYMENT_TERMS] = known.terms
    return pairs


def _meta(paper: Paper, known: Facts, style: Style, pairs: Meta) -> None:
    customer = [known.customer.name, known.customer.street, known.customer.town]
    if style.customer_abn:
        customer.insert(1, f"ABN {show_abn(known.customer.abn)}")
    heading = known.rng.choice(("Bill To", "Invoice To:", "To:", "Customer", "Sold to", "Bill to:"))
    if style.meta == "inline":
        paper.lines(50, [f"{label.rstrip(':')}: {value}" for label, value in pairs])
        paper.down(8)
        paper.lines(50, [f"{heading.rstrip(':')}: {customer[0]}", *customer[1:]])
    elif style.meta == "boxes":
        paper.lines(50, [heading, *customer])
        paper.down(14)
        step = 495 / len(pairs)
        paper.box(50, paper.y - 12, 545, paper.y + 22)
        for at, (label, value) in enumerate(pairs):
            paper.text(54 + at * step, label.rstrip(":"), 8, True)
            paper.text(54 + at * step, value if len(value) < 24 else value[:0] + value, 8, y=paper.y + 14)
        paper.down(34)
    else:
        top = paper.y
        labels, values = (370, 455) if style.customer == "left" else (50, 150)
        for at, (label, value) in enumerate(pairs):
            paper.text(labels, label, 9, y=top + at * 14)
            paper.text(values, value, 9, y=top + at * 14)
        paper.lines(50 if style.customer == "left" else 350, [heading, *customer])
        paper.y = max(paper.y, top + len(pairs) * 14)
    paper.down(24)


def _table(paper: Paper, known: Facts, style: Style) -> None:
    columns = _TABLES[style.columns]
    _headings(paper, columns)
    for item in known.items:
        if paper.y > 770:
            paper.text(545, "Continued overleaf", 8, align="right", y=815)
            paper.new_page()
            paper.text(50, f"{known.supplier.name} - {style.title.lower()} {known.number}", 8)
            paper.down(24)
            _headings(paper, columns)
        for (_, x, align), cell in zip(columns, _cells(item, style), strict=True):
            paper.text(x, cell, 9, align=align)
        paper.down(15)
    paper.rule(50, 545)
    paper.down(10)


def _headings(paper: Paper, columns: Sequence[tuple[str, float, str]]) -> None:
    for heading, x, align in columns:
        paper.text(x, heading, 9, True, align)
    paper.down(16)
    paper.rule(50, 545)
    paper.down(4)


def _cells(item: Item, style: Style) -> list[str]:
    plain = f"{item.amount:,.2f}"
    gst = (
        (item.amount / (11 if style.includes_gst else 10)).quantize(Decimal("0.01")) if item.is_taxable else Decimal(0)
    )
    price, quantity = f"{item.price:,.2f}", f"{item.quantity}"
    return {
        "plain": [item.description, quantity, price, money(item.amount, style.sign)],
        "quantity first": [quantity, item.description, price, f"{gst:,.2f}", plain],
        "coded": [f"X{abs(hash_of(item.description)) % 900 + 100}", item.description, quantity, price,
                  "GST" if item.is_taxable else "FRE", plain],
        "two": [item.description, money(item.amount, style.sign)],
        "hours": [item.description, f"{item.quantity}.00", price, plain],
    }[style.columns]  # fmt: skip


def hash_of(text: str) -> int:
    """A number of the text that is the same in every process."""
    return sum(ord(letter) * (at + 7) for at, letter in enumerate(text))


def _sums(paper: Paper, known: Facts, style: Style) -> None:
    rng, rows = known.rng, []
    if paper.y > 740:
        paper.new_page()
    if style.gst == "none":
        rows = [("Total", known.total)] if style.currency == "AUD" else [(f"Total {style.currency}", known.total)]
        known.truth.fields[Name.GST] = ""
        if rng.random() < 0.4 and style.currency == "AUD":
            rows.insert(0, ("GST", Decimal("0.00")))
            known.truth.fields[Name.GST] = "0.00"
    elif style.includes_gst:
        total = "Credit Total" if style.is_credit else rng.choice(_TOTAL)
        rows = [(total, known.total), (rng.choice(("Includes GST of", "GST included", "GST")), known.gst)]
        rows = rows if rng.random() < 0.5 else rows[::-1]
    else:
        total = "Credit Total" if style.is_credit else rng.choice(_TOTAL)
        rows = [(rng.choice(_SUBTOTAL), known.subtotal), (rng.choice(_GST[:-1]), known.gst), (total, known.total)]
    if style.name == "bill":
        rows = [("Previous balance", Decimal("84.10")), ("Payment received - thank you", Decimal("-84.10")), *rows]
    for label, amount in rows:
        is_total = amount == known.total and "GST " not in label
        paper.text(430, label, 9.5, is_total, "right")
        paper.text(545, money(amount, style.sign), 9.5, is_total, "right")
        paper.down(16)


def _foot(paper: Paper, known: Facts, style: Style) -> None:
    paper.down(20)
    if style.gst == "none" and style.currency == "AUD":
        paper.text(50, "No GST has been charged.", 8)
        paper.down(14)
    lines = [
        f"Please pay by direct deposit. BSB 999-{known.rng.randrange(100, 999)} Account "
        f"{known.rng.randrange(10_000_000, 99_999_999)}",
        f"Queries: {known.supplier.email} or {known.supplier.phone}",
    ]
    if style.currency != "AUD":
        lines.append(f"All amounts in {style.currency}.")
    paper.lines(50, lines, 8)
    if style.supplier == "footer":
        paper.text(
            297,
            f"{known.supplier.name}  |  ABN {show_abn(known.supplier.abn)}  |  {known.supplier.street}",
            8,
            align="centre",
            y=822,
        )


def _fill(known: Facts, style: Style) -> None:
    known.truth.fields |= {
        Name.SUPPLIER: known.supplier.name,
        Name.SUPPLIER_ABN: known.supplier.abn,
        Name.DATE: known.dated.isoformat(),
        Name.INVOICE_NUMBER: known.number,
        Name.CURRENCY: style.currency,
        Name.TOTAL: f"{known.total:.2f}",
    }
    known.truth.fields.setdefault(Name.GST, f"{known.gst:.2f}")
    for absent in (Name.DUE_DATE, Name.PAYMENT_TERMS):
        known.truth.fields.setdefault(absent, "")
    known.truth.lines = [(item.description, f"{item.amount:.2f}") for item in known.items]
