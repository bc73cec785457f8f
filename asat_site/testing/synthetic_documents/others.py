"""Layouts of other trades: a fee note, a utility's bill, a web shop's invoice, a fuel docket.

They name things otherwise and place them otherwise than the rest. The rules were first measured on them unseen.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from asat_site.testing.synthetic_documents.facts import Facts, facts, money
from asat_site.testing.synthetic_documents.paper import A4, Paper
from clients.extraction.terms import Kind, Name
from clients.rules.identifiers import show_abn

Other = Callable[[Random], tuple[Paper, Facts]]


def fee_note(rng: Random) -> tuple[Paper, Facts]:
    """A professional's memorandum: prose, a reference in place of a number, one sum at the end."""
    known = facts(rng, Kind.INVOICE, lines=rng.randint(2, 4))
    paper = Paper("tiro")
    paper.lines(
        545,
        [
            known.supplier.name,
            "Barristers' chambers and registered agents",
            known.supplier.street,
            known.supplier.town,
            f"ABN {show_abn(known.supplier.abn)}",
        ],
        10,
        "right",
        True,
    )
    paper.down(20)
    paper.lines(50, ["MEMORANDUM OF FEES", "Tax invoice"], 13)
    paper.down(10)
    paper.lines(50, [known.customer.name, known.customer.street, known.customer.town], 10)
    paper.down(14)
    paper.lines(
        50,
        [
            f"Issued {known.day(known.dated)}",
            f"Tax invoice number {known.number}",
            "For professional services rendered:",
        ],
        10,
    )
    paper.down(8)
    for item in known.items:
        paper.text(60, f"{item.description}, being {item.quantity} hours at {money(item.price)}", 10)
        paper.text(545, money(item.amount), 10, align="right")
        paper.down(15)
    paper.down(6)
    for label, amount in (
        ("Our fees", known.subtotal),
        ("Goods and services tax (GST)", known.gst),
        ("Amount now due", known.total),
    ):
        paper.text(60, label, 10)
        paper.text(545, money(amount), 10, align="right")
        paper.down(16)
    paper.lines(50, [f"Kindly remit within 14 days to BSB 999-{rng.randrange(100, 999)}."], 9)
    return _filled(paper, known, has_lines=False)


def utility(rng: Random) -> tuple[Paper, Facts]:
    """A utility's bill: a box with what is due and when, charges without headings, several numbers of many kinds."""
    known = facts(rng, Kind.INVOICE, lines=rng.randint(2, 4), includes_gst=False)
    paper = Paper("helv")
    paper.text(50, known.supplier.name, 19, True, colour=(0.1, 0.45, 0.2))
    paper.down(14)
    paper.text(50, f"ABN {show_abn(known.supplier.abn)}", 8)
    paper.down(30)
    paper.lines(50, [known.customer.name, known.customer.street, known.customer.town], 10)
    for at, (label, value) in enumerate(
        (
            ("Account number", f"{rng.randrange(10**8, 10**9)}"),
            ("Bill number", known.number),
            ("Bill issued", known.day(known.dated)),
        )
    ):
        paper.text(340, label, 9, y=94 + at * 15)
        paper.text(545, value, 9, align="right", y=94 + at * 15)
    paper.box(340, 150, 545, 205)
    paper.text(350, "Total amount due", 10, True, y=168)
    paper.text(535, money(known.total), 13, True, "right", y=168)
    paper.text(350, "Please pay by", 10, y=192)
    paper.text(535, known.day(known.due), 10, align="right", y=192)
    paper.y = 240
    paper.text(50, "Charges this period", 11, True)
    paper.down(18)
    for item in known.items:
        paper.text(60, item.description, 9)
        paper.text(545, money(item.amount), 9, align="right")
        paper.down(14)
    for label, amount in (
        ("Total charges excluding GST", known.subtotal),
        ("GST", known.gst),
        ("Total of this bill", known.total),
    ):
        paper.text(60, label, 9, True)
        paper.text(545, money(amount), 9, True, "right")
        paper.down(15)
    known.truth.fields[Name.DUE_DATE] = known.due.isoformat()
    return _filled(paper, known, has_lines=False)


def web_shop(rng: Random) -> tuple[Paper, Facts]:
    """A web shop's invoice: headings on two lines of words, shipping among the sums, the ABN at the very end."""
    known = facts(rng, Kind.INVOICE, lines=rng.randint(1, 5), includes_gst=True)
    paper = Paper("helv")
    paper.text(50, known.supplier.name, 16, True)
    paper.text(545, "Tax Invoice / Receipt", 12, align="right")
    paper.down(26)
    paper.lines(
        50, [f"Order {rng.randrange(10**6, 10**7)} placed {known.day(known.dated)}", f"Invoice {known.number}"], 9
    )
    paper.down(10)
    paper.lines(50, ["Shipping address", known.customer.name, known.customer.street, known.customer.town], 9)
    paper.down(12)
    for x, heading, align in (
        (50, "Product", "left"),
        (360, "Quantity", "right"),
        (450, "Item price", "right"),
        (545, "Line total", "right"),
    ):
        paper.text(x, heading, 9, True, align)
    paper.down(16)
    for item in known.items:
        paper.text(50, item.description, 9)
        paper.text(360, f"{item.quantity}", 9, align="right")
        paper.text(450, money(item.price), 9, align="right")
        paper.text(545, money(item.amount), 9, align="right")
        paper.down(15)
    paper.down(8)
    for label, amount in (
        ("Shipping", "Free"),
        ("Order total", money(known.total)),
        ("Order total includes GST", money(known.gst)),
        ("Paid by card", money(known.total)),
    ):
        paper.text(450, label, 9, align="right")
        paper.text(545, amount, 9, align="right")
        paper.down(14)
    paper.text(
        297,
        f"{known.supplier.name} ABN {show_abn(known.supplier.abn)} {known.supplier.email}",
        7.5,
        align="centre",
        y=A4[1] - 24,
    )
    return _filled(paper, known, has_lines=True)


def docket(rng: Random) -> tuple[Paper, Facts]:
    """A fuel or hardware docket: lower case, amounts without signs, the tax above the total."""
    known = facts(rng, Kind.RECEIPT, lines=rng.randint(1, 4), includes_gst=True)
    paper = Paper("cour", (240.0, 330.0 + 14 * len(known.items)))
    paper.y = 24
    paper.lines(12, [known.supplier.name, known.supplier.town, f"abn: {show_abn(known.supplier.abn)}"], 8)
    paper.down(8)
    paper.lines(12, [f"docket no {known.number}", f"{known.day(known.dated)} served by till {rng.randrange(1, 6)}"], 8)
    paper.down(8)
    for item in known.items:
        paper.text(12, item.description[:22], 8)
        paper.text(228, f"{item.amount:,.2f}", 8, align="right")
        paper.down(12)
    for label, amount in (("gst incl.", known.gst), ("total aud", known.total), ("eftpos savings", known.total)):
        paper.text(12, label, 8)
        paper.text(228, f"{amount:,.2f}", 8, align="right")
        paper.down(12)
    paper.text(12, "tax invoice - please retain", 8)
    _filled(paper, known, has_lines=True)
    known.truth.lines = [(item.description[:22], f"{item.amount:.2f}") for item in known.items]
    return paper, known


OTHERS: dict[str, Other] = {"fee note": fee_note, "utility bill": utility, "web shop": web_shop, "docket": docket}


def _filled(paper: Paper, known: Facts, has_lines: bool) -> tuple[Paper, Facts]:
    known.truth.fields |= {
        Name.SUPPLIER: known.supplier.name,
        Name.SUPPLIER_ABN: known.supplier.abn,
        Name.DATE: known.dated.isoformat(),
        Name.INVOICE_NUMBER: known.number,
        Name.CURRENCY: "AUD",
        Name.TOTAL: f"{known.total:.2f}",
        Name.GST: f"{known.gst:.2f}",
    }
    known.truth.fields.setdefault(Name.DUE_DATE, "")
    if has_lines:
        known.truth.lines = [(item.description, f"{item.amount:.2f}") for item in known.items]
    return paper, known
