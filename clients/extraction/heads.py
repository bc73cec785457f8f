"""Number, dates and terms: the fields at the head of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from clients.extraction import labels
from clients.extraction.labelled import Labelled, labelled
from clients.extraction.layout import Piece, Row
from clients.extraction.terms import Alternative, FoundField, Name
from clients.rules.dates_au import DATE, DateReading, find_dates, read_date

_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]?\s*)?"
DATE_VALUE = re.compile(rf"{_WEEKDAY}(?:{DATE.pattern})", re.IGNORECASE)
NUMBER_VALUE = re.compile(r"(?=[^\s]*\d)[A-Z0-9][A-Z0-9\-/_.]*[A-Z0-9]|\d", re.IGNORECASE)
_HASH_NUMBER = re.compile(r"(?:^|(?<=\s))#\s?(?P<number>(?=\S*\d{3})[A-Z0-9][A-Z0-9\-/]{2,19})(?!\S)")
_DAYS = re.compile(r"(\d{1,3})\s?days", re.IGNORECASE)
OLDEST = timedelta(days=365 * 20)


def invoice_number(rows: Sequence[Row]) -> FoundField | None:
    """The number the supplier gave the document."""
    for pattern in (labels.INVOICE_NUMBER, labels.BARE_NUMBER, labels.INVOICE_ALONE):
        for found in labelled(rows, pattern, NUMBER_VALUE):
            if not DATE.fullmatch(found.piece.text):
                return field(Name.INVOICE_NUMBER, found.piece.text, found.row, found.piece, f"labelled “{found.label}”")
    for row in rows:
        hashed = _HASH_NUMBER.search(row.text)
        if hashed:
            piece = row.piece(*hashed.span("number"))
            return field(Name.INVOICE_NUMBER, piece.text, row, piece, "after a number sign")
    return None


def dates(rows: Sequence[Row], today: date) -> list[FoundField]:
    """The date and the due date, where they are found. today: nothing that was issued is dated after it."""
    due = _first(labelled(rows, labels.DUE_DATE, DATE_VALUE))
    dated = _dated(rows, due)
    order = _order(rows)
    due_days = _plausible(due, order, None) if due else ()
    days = _plausible(dated, order, today) if dated else ()
    days, due_days = _settled(days, due_days, _terms_days(rows))
    found = []
    if dated:
        found.append(_date_field(Name.DATE, dated, days))
    if due:
        found.append(_date_field(Name.DUE_DATE, due, due_days))
    return found


def payment_terms(rows: Sequence[Row]) -> FoundField | None:
    """The terms as they are written, where they are terms and not conditions of trade."""
    found = _first(labelled(rows, labels.TERMS, labels.TERMS_VALUE))
    if found is None:
        return None
    return field(Name.PAYMENT_TERMS, found.piece.text, found.row, found.piece, f"labelled “{found.label}”")


def field(name: Name, value: str, row: Row, piece: Piece, how: str) -> FoundField:
    """A field that quotes a piece of a row."""
    return FoundField(name, value, piece.text, row.page, piece.box, how, piece.confidence)


# ------------------------------------------------------------------------------------------------ dates


def _dated(rows: Sequence[Row], due: Labelled | None) -> Labelled | None:
    """The labelled date; on a document without one, the first that is written in it and is not the due date."""
    found = _first(labelled(rows, labels.DATE, DATE_VALUE, labels.NOT_THE_DATE))
    if found:
        return found
    for order, row in enumerate(rows):
        for start, end, _ in find_dates(row.text):
            piece = row.piece(start, end)
            if due is None or piece.box != due.piece.box:
                return Labelled("", row, piece, order)
    return None


def _first(found: Iterator[Labelled]) -> Labelled | None:
    return next(found, None)


def _order(rows: Sequence[Row]) -> str:
    """day or month: which comes first in the numeric dates that have one reading; "" where none shows it."""
    shown = set()
    for row in rows:
        for _, _, reading in find_dates(row.text):
            if not re.fullmatch(r"\d{1,2}\D\d{1,2}\D\d+", reading.raw):
                continue
            if reading.month_first is None:
                shown.add("day")
            elif reading.day_first is None:
                shown.add("month")
    return shown.pop() if len(shown) == 1 else ""


def _plausible(found: Labelled, order: str, today: date | None) -> tuple[date, ...]:
    """The days that the date may be. today: those after it, and those long before it, are not."""
    reading = read_date(found.piece.text)
    if reading is None:
        return ()
    days = _ordered(reading, order)
    if today is not None and len(days) > 1:
        days = tuple(day for day in days if today - OLDEST <= day <= today) or days
    return days


def _ordered(reading: DateReading, order: str) -> tuple[date, ...]:
    only = {"day": reading.day_first, "month": reading.month_first}.get(order)
    return (only,) if only else reading.days


def _settled(
    days: tuple[date, ...], due_days: tuple[date, ...], terms_days: int | None
) -> tuple[tuple[date, ...], tuple[date, ...]]:
    """Both dates, where terms of so many days fit one pair of readings alone; a due date is never before the date."""
    pairs = [(day, due) for day in days for due in due_days if day <= due]
    if terms_days is not None:
        pairs = [pair for pair in pairs if (pair[1] - pair[0]).days == terms_days]
    if len(pairs) == 1:
        return (pairs[0][0],), (pairs[0][1],)
    return days, due_days


def _terms_days(rows: Sequence[Row]) -> int | None:
    terms = payment_terms(rows)
    found = _DAYS.search(terms.value) if terms else None
    return int(found[1]) if found else None


def _date_field(name: Name, found: Labelled, days: tuple[date, ...]) -> FoundField:
    """The field; with two readings left it has no value, and both are its alternatives."""
    how = f"labelled “{found.label}”" if found.label else "the first date on the document"
    value = days[0].isoformat() if len(days) == 1 else ""
    open_days = zip(days, ("day first", "month first"), strict=True) if len(days) == 2 else ()
    others = tuple(
        Alternative(day.isoformat(), found.piece.text, found.row.page, found.piece.box, why) for day, why in open_days
    )
    return FoundField(
        name, value, found.piece.text, found.row.page, found.piece.box, how, found.piece.confidence, others
    )
