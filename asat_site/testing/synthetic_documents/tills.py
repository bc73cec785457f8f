"""Receipts: a till's narrow roll, a shop's with GST marks, and a card terminal's slip."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from random import Random

from asat_site.testing.synthetic_documents.facts import Facts, facts
from asat_site.testing.synthetic_documents.paper import Paper
from clients.extraction.terms import Kind, Name
from clients.rules.identifiers import show_abn

Till = Callable[[Random], tuple[Paper, Facts]]


def roll(rng: Random) -> tuple[Paper, Facts]:
    """A till roll: name and amount, the quantity on a line of its own, tender and change after the total."""
    known = facts(rng, Kind.RECEIPT, lines=rng.randint(2, 8), gst="all", includes_gst=True)
    paper = _paper(known, "cour", len(known.items))
    paper.text(113, "TAX INVOICE", 9, True, "centre")
    paper.down(16)
    paper.text(10, f"{known.day(known.dated)}  {rng.randrange(8, 20):02d}:{rng.randrange(60):02d}", 8)
    paper.down(12)
    paper.text(10, f"Receipt No {known.number}  Reg {rng.randrange(1, 9)}", 8)
    paper.down(16)
    for item in known.items:
        _pair(paper, item.description[:24], f"{item.amount:.2f}")
        if item.quantity > 1:
            paper.text(20, f"{item.quantity} @ {item.price:.2f} each", 7.5)
            paper.down(11)
    paper.down(6)
    _pair(paper, "TOTAL", f"${known.total:.2f}", bold=True)
    if rng.random() < 0.5:
        tender = (known.total / 50).to_integral_value(rounding="ROUND_CEILING") * 50
        _pair(paper, "CASH", f"${tender:.2f}")
        _pair(paper, "CHANGE", f"${tender - known.total:.2f}")
    else:
        _pair(paper, "EFTPOS", f"${known.total:.2f}")
    _pair(paper, rng.choice(("GST INCLUDED", "Total includes GST", "GST")), f"${known.gst:.2f}")
    _thanks(paper)
    _fill(known, cut=24)
    return paper, known


def grocer(rng: Random) -> tuple[Paper, Facts]:
    """A shop whose taxable items bear a mark, with the GST in the total below."""
    known = facts(rng, Kind.RECEIPT, lines=rng.randint(3, 9), gst="mixed", includes_gst=True)
    paper = _paper(known, "helv", len(known.items))
    paper.text(113, "Tax Invoice", 9, align="centre")
    paper.down(14)
    _pair(paper, f"Date {known.day(known.dated)}", f"#{known.number}")
    paper.down(4)
    for item in known.items:
        _pair(paper, ("*" if item.is_taxable else " ") + item.description, f"{item.amount:.2f}")
    paper.down(4)
    _pair(paper, f"{len(known.items)} ITEMS SUBTOTAL", f"${known.total:.2f}")
    _pair(paper, "TOTAL", f"${known.total:.2f}", bold=True)
    _pair(paper, "Card payment", f"${known.total:.2f}")
    paper.text(10, "* Taxable items", 7.5)
    paper.down(11)
    _pair(paper, rng.choice(("GST included in total", "TOTAL includes GST", "GST Amount")), f"${known.gst:.2f}")
    _thanks(paper)
    _fill(known, cut=60)
    return paper, known


def slip(rng: Random) -> tuple[Paper, Facts]:
    """A card terminal's slip: who, when, how much; no GST, no items."""
    known = facts(rng, Kind.RECEIPT, lines=1, gst="all", includes_gst=True)
    paper = _paper(known, "cour", 2)
    paper.text(113, "CUSTOMER COPY", 8, align="centre")
    paper.down(14)
    _pair(paper, "TERMINAL", f"{rng.randrange(10_000_000, 99_999_999)}")
    _pair(paper, "DATE", known.day(known.dated))
    _pair(paper, "REFERENCE", f"{rng.randrange(100_000, 999_999)}")
    _pair(paper, "CARD", f"....{rng.randrange(1000, 9999)}")
    _pair(paper, "PURCHASE", f"${known.total:.2f}")
    _pair(paper, "TOTAL AUD", f"${known.total:.2f}", bold=True)
    paper.text(113, "APPROVED 00", 8, align="centre")
    _thanks(paper)
    _fill(known, cut=0)
    known.truth.fields |= {Name.GST: "", Name.INVOICE_NUMBER: ""}
    return paper, known


TILLS: dict[str, Till] = {"till roll": roll, "grocer": grocer, "card slip": slip}


def _paper(known: Facts, font: str, lines: int) -> Paper:
    paper = Paper(font, (226.0, 300.0 + 26 * lines))
    paper.y = 28
    supplier = known.supplier
    size = 11 if paper.width(supplier.name, 11, True) < 210 else 8
    paper.text(113, supplier.name, size, True, "centre")
    paper.down(14)
    paper.lines(113, [supplier.street, supplier.town, f"ABN {show_abn(supplier.abn)}"], 8, "centre")
    paper.down(8)
    return paper


def _pair(paper: Paper, left: str, right: str, bold: bool = False) -> None:
    paper.text(10, left, 8, bold)
    paper.text(216, right, 8, bold, "right")
    paper.down(12.5)


def _thanks(paper: Paper) -> None:
    paper.down(16)
    paper.text(113, "Thank you for your custom", 8, align="centre")


def _fill(known: Facts, cut: int) -> None:
    known.truth.fields |= {
        Name.SUPPLIER: known.supplier.name,
        Name.SUPPLIER_ABN: known.supplier.abn,
        Name.DATE: known.dated.isoformat(),
        Name.INVOICE_NUMBER: known.number,
        Name.CURRENCY: "AUD",
        Name.TOTAL: f"{known.total:.2f}",
        Name.GST: f"{known.gst:.2f}" if known.gst != Decimal(0) else "",
    }
    known.truth.lines = [(item.description[:cut], f"{item.amount:.2f}") for item in known.items] if cut else []
