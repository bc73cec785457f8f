"""Bank statements: rows of date, description, money in or out, and the balance after it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal

from clients.extraction import labels
from clients.extraction.heads import DATE_VALUE, field
from clients.extraction.layout import Piece, Row
from clients.extraction.tables import Column, cells, headings
from clients.extraction.terms import FoundField, Name, StatementRow
from clients.rules.dates_au import DAY_AND_MONTH, DateReading, find_dates, read_date, read_day_and_month
from clients.rules.money import AMOUNT, amount_of, as_text, whole_amount

_PERIOD = re.compile(r"period|statement (?:from|dates?)|from .* to ", re.IGNORECASE)
_CARD = re.compile(
    r"credit\s?card|credit\s?limit|available\s?credit|minimum\s?(?:payment|amount|repayment)|(?:amount|balance)\s?ow(?:ing|ed)",
    re.IGNORECASE,
)
_START = re.compile(rf"(?:{DATE_VALUE.pattern})|{DAY_AND_MONTH.pattern}", re.IGNORECASE)


def is_statement(rows: Sequence[Row]) -> bool:
    """Whether a row names a column of balances beside one of money."""
    for row in rows:
        holds = {column.holds for column in headings(row)}
        if "balance" in holds and holds & {"out", "in", "amount"}:
            return True
    return False


def statement_rows(rows: Sequence[Row]) -> tuple[list[StatementRow], list[FoundField]]:
    """The rows, and the opening and closing balance as printed."""
    period = period_of(rows)
    found: list[StatementRow] = []
    balances: list[FoundField] = []
    dated = list(_dated(rows))
    readings = [each for row, _ in dated if (each := read_date(_start(row)))]
    first = _order(readings, period)
    for row, in_columns in dated:
        text = in_columns["description"].text if "description" in in_columns else row.text
        balance = _amount(in_columns.get("balance"))
        name = _balance_name(text)
        if name:
            balances.extend(_balance(name, row, in_columns))
            continue
        amount = _signed(in_columns)
        if amount is not None or _is_half(in_columns):
            day = _day(_start(row), period, first)
            shown = as_text(balance) if balance is not None else ""
            is_single = not in_columns.keys() & {"out", "in"}
            turns = [is_single and _is_unmarked(in_columns.get(name)) for name in ("amount", "balance")]
            moved = as_text(amount) if amount is not None else ""
            found.append(StatementRow(day, text, moved, shown, row.text, row.page, row.box, *turns))
    return found, balances


def runs_either_way(found: Sequence[StatementRow], rows: Sequence[Row]) -> bool:
    """Whether nothing says which amounts of a single column are money in.

    So where none has a sign, where some say CR or DR and others nothing, and on a statement of a card, whose balance is
    what is owed. found: the rows of the statement; rows: of its pages.
    """
    turning = [row for row in found if row.amount_turns]
    if not turning:
        return False
    is_signed = any(row.amount.startswith("-") for row in turning)
    is_card = any(_CARD.search(row.text) and not _start(row) for row in rows)
    return is_card or not is_signed or len(turning) < sum(row.amount != "" for row in found)


def _dated(rows: Sequence[Row]) -> Iterator[tuple[Row, dict[str, Piece]]]:
    """The rows below headings that begin with a date, or name a balance, each with its cells."""
    columns: tuple[Column, ...] = ()
    for row in rows:
        named = headings(row)
        if named and any(column.holds == "balance" for column in named):
            columns = named
        elif columns and (_start(row) or _balance_name(row.text)):
            yield row, _cells(row, columns)


def _cells(row: Row, columns: tuple[Column, ...]) -> dict[str, Piece]:
    """The cells of a row without the date that it begins with."""
    start = len(_start(row))
    found = {}
    for name, piece in cells(row, columns).items():
        if name in ("date", "description") and piece.start < start < piece.end:
            text = row.text[start : piece.end]
            begins = start + len(text) - len(text.lstrip())
            found["description"] = row.piece(begins, piece.end)
        elif not (name == "date" or piece.end <= start):
            found[name] = piece
    return found


def _start(row: Row) -> str:
    """The date that a row begins with, as written; "" if none."""
    found = _START.match(row.text)
    return found[0] if found else ""


def _balance_name(text: str) -> Name | None:
    if labels.OPENING.search(text):
        return Name.OPENING_BALANCE
    return Name.CLOSING_BALANCE if labels.CLOSING.search(text) else None


def _balance(name: Name, row: Row, in_columns: dict[str, Piece]) -> Iterator[FoundField]:
    piece = in_columns.get("balance") or in_columns.get("amount")
    amount = _amount(piece)
    if piece is not None and amount is not None:
        yield field(name, as_text(amount), row, piece, "in the column of balances")


def _signed(in_columns: dict[str, Piece]) -> Decimal | None:
    """The amount of a row: below nil for money out."""
    out, into, amount = (_amount(in_columns.get(name)) for name in ("out", "in", "amount"))
    if out is not None and into is None:
        return -abs(out)
    if into is not None and out is None:
        return abs(into)
    return amount if out is None else None


def _is_half(in_columns: dict[str, Piece]) -> bool:
    """Whether an amount stands there with half a pair of brackets, so that its sign is not known."""
    texts = [in_columns[name].text for name in ("out", "in", "amount") if name in in_columns]
    return any(AMOUNT.fullmatch(text) and not whole_amount(text) for text in texts)


def _amount(piece: Piece | None) -> Decimal | None:
    match = whole_amount(piece.text) if piece else None
    if match is None:
        return None
    amount, mark = amount_of(match), _mark(match)
    if mark == "CR":  # on an account: in credit
        return abs(amount)
    return -abs(amount) if mark == "DR" else amount


def _mark(match: re.Match[str]) -> str:
    return (match["after"] or "").strip(" -").upper()


def _is_unmarked(piece: Piece | None) -> bool:
    match = whole_amount(piece.text) if piece else None
    return match is not None and not _mark(match)


def period_of(rows: Sequence[Row]) -> tuple[date, date] | None:
    """The first and last day that the statement says that it covers."""
    for row in rows:
        found = [reading for _, _, reading in find_dates(row.text)] if _PERIOD.search(row.text) else []
        if len(found) >= 2:
            starts, ends = found[0].days[0], found[1].days[0]
            if starts <= ends <= starts + timedelta(days=400):
                return starts, ends
    return None


def _order(readings: Sequence[DateReading], period: tuple[date, date] | None) -> str:
    """day or month: the only order in which every date of the rows is one, lies in the period and none goes back."""
    fits = []
    for order in ("day", "month"):
        days = [reading.day_first if order == "day" else reading.month_first for reading in readings]
        known = [day for day in days if day is not None]
        is_within = period is None or all(period[0] <= day <= period[1] for day in known)
        if len(known) == len(days) and is_within and (known == sorted(known) or known == sorted(known, reverse=True)):
            fits.append(order)
    return fits[0] if len(fits) == 1 else ""


def _day(text: str, period: tuple[date, date] | None, order: str) -> str:
    """The ISO day of a row; "" where it has two readings, or no year that is known."""
    reading = read_date(text)
    if reading is None:
        day = read_day_and_month(text, *period) if period else None
        return day.isoformat() if day else ""
    days = reading.days
    if len(days) == 2 and order:
        chosen = reading.day_first if order == "day" else reading.month_first
        days = (chosen,) if chosen else days
    return days[0].isoformat() if len(days) == 1 else ""
