"""Bank statements: two columns of money, one column with signs, and one whose dates lack their year."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from random import Random

from asat_site.testing.synthetic_documents.facts import TODAY, Truth, money, party
from asat_site.testing.synthetic_documents.paper import Paper
from clients.extraction.terms import Kind, Name
from clients.rules.identifiers import show_abn

_OUT = (
    "EFTPOS purchase",
    "Direct debit insurance",
    "Transfer to savings",
    "Card purchase fuel",
    "Account fee",
    "BPAY rates",
)
_IN = ("Deposit customer", "Transfer from hire", "Interest", "Direct credit invoice", "Refund")


@dataclass(frozen=True, slots=True)
class Shape:
    """One layout. dates: strftime form of a row's date; columns: two, signed."""

    name: str
    dates: str
    columns: str


SHAPES = (
    Shape("statement two columns", "%d/%m/%Y", "two"),
    Shape("statement signed", "%d %b %Y", "signed"),
    Shape("statement short dates", "%d %b", "two"),
)


def statement(rng: Random, shape: Shape) -> tuple[Paper, Truth]:
    """A statement in that shape and what it says."""
    bank, owner, truth = party(rng), party(rng), Truth(Kind.STATEMENT)
    bank_name = f"{bank.name.split()[0]} Mutual Bank"
    starts = TODAY - timedelta(days=rng.randrange(60, 500))
    ends = starts + timedelta(days=30)
    opening = balance = Decimal(rng.randrange(50_000, 900_000)) / 100
    paper = Paper("helv")
    paper.lines(50, [bank_name, f"ABN {show_abn(bank.abn)}"], 12, first_bold=True)
    paper.text(545, "Account Statement", 15, True, "right", y=52)
    paper.down(10)
    paper.lines(50, [owner.name, owner.street, owner.town])
    paper.text(
        545, f"BSB 999-{rng.randrange(100, 999)}  Account {rng.randrange(10_000_000, 99_999_999)}", 9, align="right"
    )
    paper.down(14)
    paper.text(545, f"Statement period {starts:%d %B %Y} to {ends:%d %B %Y}", 9, align="right")
    paper.down(24)
    _row(
        paper,
        shape,
        "Date",
        "Transaction",
        ("Debit", "Credit") if shape.columns == "two" else ("Amount", ""),
        "Balance",
        True,
    )
    paper.down(4)
    _row(paper, shape, starts.strftime(shape.dates), "Opening balance", ("", ""), money(opening), False)
    day = starts
    for _ in range(rng.randint(6, 34)):
        day = min(ends, day + timedelta(days=rng.choice((0, 0, 1, 1, 2))))
        is_out = rng.random() < 0.65
        amount = Decimal(rng.randrange(300, 90_000)) / 100
        balance += -amount if is_out else amount
        text = f"{rng.choice(_OUT if is_out else _IN)} {rng.randrange(1000, 9999)}"
        cells = (f"{amount:,.2f}", "") if is_out else ("", f"{amount:,.2f}")
        if shape.columns == "signed":
            cells = (money(-amount if is_out else amount), "")
        _row(paper, shape, day.strftime(shape.dates), text, cells, money(balance), False)
        truth.rows.append((day.isoformat(), f"{-amount if is_out else amount:.2f}", f"{balance:.2f}"))
        if paper.y > 780:
            paper.new_page()
    _row(paper, shape, ends.strftime(shape.dates), "Closing balance", ("", ""), money(balance), True)
    truth.fields = {
        Name.SUPPLIER: bank_name,
        Name.SUPPLIER_ABN: bank.abn,
        Name.OPENING_BALANCE: f"{opening:.2f}",
        Name.CLOSING_BALANCE: f"{balance:.2f}",
    }
    return paper, truth


def _row(paper: Paper, shape: Shape, day: str, text: str, amounts: tuple[str, str], balance: str, bold: bool) -> None:
    paper.text(50, day, 9, bold)
    paper.text(125, text, 9, bold)
    first, second = (390.0, 465.0) if shape.columns == "two" else (440.0, 465.0)
    paper.text(first, amounts[0], 9, bold, "right")
    paper.text(second, amounts[1], 9, bold, "right")
    paper.text(545, balance, 9, bold, "right")
    paper.down(15)


def last_day(truth: Truth) -> date:
    """The day of its last row."""
    return date.fromisoformat(truth.rows[-1][0])
