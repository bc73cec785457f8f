"""Fields, lines and rows as they stand beside the page: values in words, where they come from, what can be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from clients.extraction.revised_terms import Quote, RevisedField
from clients.extraction.rows_revised import PARTS, RevisedRow
from clients.extraction.terms import LineItem
from clients.models import FieldDecision
from clients.presentation import name_of
from clients.review import words
from clients.review.looking import Look, Place, place_of
from clients.review.services import Stand

LEAST_SURE = 0.9  # below it, how sure OCR was is said beside the value
_CURRENCIES = ("AUD", "NZD", "USD")
_TONES = {
    Quote.MATCHED: "matched", Quote.FOUND: "found", Quote.TYPED: "typed", Quote.UNMATCHED: "wrong", Quote.NONE: "none",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Option:
    """A reading that can be chosen. value: as it is sent. is_now: it is the one that stands."""

    act: str
    value: str
    shown: str
    why: str
    is_now: bool


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field. tone: of where its value comes from; said: that in words. sure: how sure OCR was, "" where it was.

    was: what was read, where something else stands now. typed: what its box holds. by: who decided what. error: why
    what was typed was not taken. can: the acts that are offered.
    """

    name: str
    label: str
    value: str
    shown: str
    typed: str
    tone: str
    said: str
    sure: str
    was: str
    by: str
    failed: tuple[str, ...]
    although: str
    settled: str
    options: tuple[Option, ...]
    can: frozenset[str]
    place: Place | None
    error: str

    @property
    def settled_by(self) -> str:
        """The decision that a check of this field is settled by, as `blocking.ALTHOUGH` calls it."""
        return f"check-{self.name.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line of an invoice. gst: its mark or amount."""

    number: int
    description: str
    quantity: str
    price: str
    gst: str
    amount: str
    place: Place


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a row of a statement. was: what was read, where something else stands. error: as in FieldRow."""

    part: str
    shown: str
    typed: str
    was: str
    error: str


@dataclass(frozen=True, slots=True)
class StatementLine:
    """A row of a statement as it stands. is_edited: its boxes are open."""

    number: int
    cells: tuple[Cell, ...]
    is_left_out: bool
    failed: tuple[str, ...]
    is_edited: bool
    place: Place


def field_row(each: RevisedField, by: Mapping[str, FieldDecision], look: Look, is_open: bool, stand: Stand) -> FieldRow:
    """by: the newest decision on each field. is_open: whether anything can be done."""
    name, decided = str(each.name), by.get(each.name) if each.decision else None
    error = look.errors.get(name, "")
    was = each.as_read if each.read is not None and each.as_read != each.value else ""
    return FieldRow(
        name=name,
        label=words.label_of(name),
        value=each.value,
        shown=words.shown(name, each.value),
        typed=look.typed.get(name, "") if error else words.typed_as(name, each.value),
        tone="accepted" if decided and decided.act == "accepted" else _TONES[each.quote],
        said="" if decided and not each.value else each.said,
        sure=f"OCR is {each.confidence:.0%} sure of it." if each.value and each.confidence < LEAST_SURE else "",
        was=words.shown(name, was),
        by=f"{decided.get_act_display()} by {name_of(decided.by)}" if decided else "",
        failed=each.failed,
        although=each.although,
        settled=each.settled,
        options=_options(each),
        can=_can(each, each.name in stand.found.needed) if is_open else frozenset(),
        place=place_of(name, each.page, each.region, look, stand) if each.page and each.region else None,
        error=error,
    )


def line_row(number: int, line: LineItem, look: Look, stand: Stand) -> LineRow:
    place = place_of(f"line-{number}", line.page, line.region, look, stand)
    gst = words.amount(line.gst) if line.gst[-1:].isdigit() else line.gst
    price, amount = words.amount(line.unit_price), words.amount(line.amount)
    return LineRow(number, line.description, line.quantity, price, gst, amount, place)


def statement_line(row: RevisedRow, look: Look, stand: Stand) -> StatementLine:
    place = place_of(f"row-{row.number}", row.read.page, row.read.region, look, stand)
    cells = tuple(_cell(row, part, look) for part in PARTS)
    return StatementLine(row.number, cells, row.is_left_out, row.failed, look.row == row.number, place)


def _cell(row: RevisedRow, part: str, look: Look) -> Cell:
    now, read, name = getattr(row.now, part), getattr(row.read, part), f"row-{row.number}-{part}"
    shown: dict[str, Callable[[str], str]] = {"date": words.short_day, "description": str}
    show = shown.get(part, words.amount)
    was = (show(read) or "nothing") if part in row.typed and now != read else ""
    return Cell(part, show(now), look.typed.get(name, words.typed_as(part, now)), was, look.errors.get(name, ""))


def _options(each: RevisedField) -> tuple[Option, ...]:
    """The readings that were left open; for a currency that was not found, the usual ones, which a person names."""
    if each.name == "currency" and not each.value:
        return tuple(Option("corrected", code, code, "", False) for code in _CURRENCIES)
    return tuple(
        Option("accepted", other.value, words.shown(each.name, other.value), other.why, other.value == each.value)
        for other in each.alternatives
    )


def _can(each: RevisedField, is_needed: bool) -> frozenset[str]:
    """What is offered: nothing that would change nothing, nor empty what must not be."""
    is_accepted = each.decision is not None and each.decision.act == "accepted"
    offered = {
        "edit": True,
        "accept": bool(each.value) and not is_accepted and not each.although,
        "empty": not is_needed and bool(each.value or (each.failed and each.decision is None)),
        "reset": each.decision is not None,
    }
    return frozenset(act for act, is_offered in offered.items() if is_offered)
