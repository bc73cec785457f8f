"""Rows of a table by the headings of its columns: line items, and what a statement's rows are read with.

A cell belongs to the column whose heading it overlaps or is nearest to; text that stands before the first column of
figures is the description, whatever its width.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clients.extraction import labels
from clients.extraction.layout import Piece, Row
from clients.extraction.sums import kind_of_label
from clients.extraction.terms import Box, LineItem
from clients.rules.money import AMOUNT, amount_of, as_text, is_certain, whole_amount

_QUANTITY = re.compile(r"\d{1,6}(?:\.\d{1,3})?")
_TENDER = re.compile(r"\b(?:cash|change|eftpos|visa|mastercard|card|tender|amex)\b", re.IGNORECASE)
_EACH = re.compile(r"@|\beach\b|\bper\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """One heading: what stands under it, and where it is."""

    holds: str
    box: Box


def headings(row: Row) -> tuple[Column, ...]:
    """The columns that a row names; empty where it is no row of headings."""
    found = []
    for part in row.segments:
        for start, end in _heading_spans(part):
            holds = labels.column_of(row.text[start:end])
            if holds:
                found.append(Column(holds, row.piece(start, end).box))
    holds_all = {column.holds for column in found}
    has_money = holds_all & {"amount", "balance", "price"}
    is_table = len(found) >= 2 and has_money and holds_all & {"description", "date", "quantity", "code"}
    return tuple(found) if is_table else ()


def cells(row: Row, columns: Sequence[Column]) -> dict[str, Piece]:
    """What stands in each column of a row; the first piece for each, the description's pieces together."""
    found: dict[str, Piece] = {}
    figures = [
        column.box.left for column in columns if column.holds in ("quantity", "price", "gst", "amount", "out", "in")
    ]
    for part in _split(row):
        column = _nearest(part, columns)
        is_text = not AMOUNT.fullmatch(part.text) and re.search(r"[A-Za-z]{2}", part.text)
        if is_text and column.holds not in ("code", "date") and any(each.holds == "description" for each in columns):
            column = next(each for each in columns if each.holds == "description")
        if column.holds == "description" and "description" in found:
            first = found["description"]
            if part.box.left < max(figures, default=part.box.right):
                found["description"] = row.piece(first.start, part.end)
        else:
            found.setdefault(column.holds, part)
    return found


def line_items(rows: Sequence[Row], end: int) -> tuple[int, list[LineItem]]:
    """The row of the first headings (-1 for none) and the items below them. end: the row in which the sums begin."""
    first, columns, found = -1, tuple[Column, ...](), []
    for at, row in enumerate(rows[:end]):
        named = headings(row)
        if named:
            first, columns = (at if first < 0 else first), named
        elif columns and first >= 0:
            item = _item(row, columns)
            if item:
                found.append(item)
    return first, found


def loose_items(rows: Sequence[Row], start: int, end: int) -> list[LineItem]:
    """Items of a receipt, which has no headings: a text with an amount at the end of its row."""
    found = []
    for row in rows[start:end]:
        amounts = list(AMOUNT.finditer(row.text))
        if len(amounts) != 1 or not is_certain(amounts[0]) or row.text[amounts[0].end() :].strip(" *"):
            continue
        label = row.text[: amounts[0].start()].strip()
        if re.search(r"[A-Za-z]{2}", label) and kind_of_label(label) == "other" and not _is_no_item(label):
            text = row.text.index(label)
            description = row.piece(text, text + len(label))
            found.append(_made(row, description.text.lstrip("*% "), amounts[0], {}))
    return found


def _is_no_item(label: str) -> bool:
    return bool(
        _TENDER.search(label) or _EACH.search(label) or labels.DATE.match(label) or labels.NO_ITEM.search(label)
    )


def _item(row: Row, columns: Sequence[Column]) -> LineItem | None:
    """The item of a row, None where it has no amount or no description."""
    in_columns = cells(row, columns)
    last, text = in_columns.get("amount"), in_columns.get("description")
    amount = whole_amount(last.text) if last else None
    if amount is None or text is None or not last or labels.NO_ITEM.search(text.text):
        return None
    if kind_of_label(text.text) not in ("other", "gst"):
        return None
    return _made(row, text.text, amount, in_columns)


def _made(row: Row, description: str, amount: re.Match[str], in_columns: dict[str, Piece]) -> LineItem:
    def money_in(column: str) -> str:
        match = whole_amount(in_columns[column].text) if column in in_columns else None
        return as_text(amount_of(match)) if match else ""

    quantity = in_columns["quantity"].text if "quantity" in in_columns else ""
    tax = money_in("gst") or (in_columns["code"].text if "code" in in_columns else "")
    return LineItem(
        description,
        quantity if _QUANTITY.fullmatch(quantity) else "",
        money_in("price"),
        tax if tax in ("GST", "FRE") or money_in("gst") else _mark(row.text),
        as_text(amount_of(amount)),
        row.text,
        row.page,
        row.box,
    )


def _mark(text: str) -> str:
    """GST or FRE, where a row says so of itself; a star before or after an item marks a taxable one."""
    code = re.search(r"\s(GST|FRE)\s", text)
    return code[1] if code else ("GST" if re.search(r"^\*|\*$", text.strip()) else "")


def _heading_spans(part: Piece) -> list[tuple[int, int]]:
    """A segment as one heading, or as the several that stand close together in it."""
    if labels.column_of(part.text):
        return [(part.start, part.end)]
    spans, at = [], 0
    words = [(found.start(), found.end()) for found in re.finditer(r"\S+", part.text)]
    while at < len(words):
        for until in range(min(len(words), at + 3), at, -1):
            start, end = words[at][0], words[until - 1][1]
            if labels.column_of(part.text[start:end]):
                spans.append((part.start + start, part.start + end))
                at = until
                break
        else:
            return []
    return spans


def _split(row: Row) -> list[Piece]:
    """The segments of a row; figures that stand close together are parted."""
    found = []
    for part in row.segments:
        words = part.text.split(" ")
        if len(words) > 1 and all(AMOUNT.fullmatch(word) or _QUANTITY.fullmatch(word) for word in words):
            at = part.start
            for word in words:
                found.append(row.piece(at, at + len(word)))
                at += len(word) + 1
        else:
            found.extend(_figures_off(row, part))
    return found


def _figures_off(row: Row, part: Piece) -> list[Piece]:
    """A text with the figure that runs into its start or end parted from it."""
    after = re.search(r"\s(?=(\S+)$)", part.text)
    if after and AMOUNT.fullmatch(after[1]) and len(part.text.split(" ")) > 1:
        middle = part.start + after.start()
        return [*_figures_off(row, row.piece(part.start, middle)), row.piece(middle + 1, part.end)]
    return [part]


def _nearest(part: Piece, columns: Sequence[Column]) -> Column:
    def apart(column: Column) -> float:
        gap = max(column.box.left - part.box.right, part.box.left - column.box.right)
        if gap > 0:
            return gap
        ends = min(abs(column.box.left - part.box.left), abs(column.box.right - part.box.right))
        return -1000 + ends  # overlapping: by the nearer end

    return min(columns, key=apart)
