"""The ledger in words and figures for its pages: rows, menus, totals, charts, and the lines of its CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from uuid import UUID

from clients.ledger import alike, charts, queries, sending
from clients.ledger.filtering import NEWEST, PAGE, Filter
from clients.ledger.sending import Place, Sending, Sent
from clients.ledger.words import counted, money
from clients.models import Client, Transaction
from clients.presentation import Choice
from clients.rules import identifiers, periods
from clients.rules.money import CENT
from clients.rules.money import as_text as amount_as_text

MOST_YEARS = 12
HEADINGS = (
    "Date", "Client", "Kind", "Supplier", "ABN", "Number", "Description", "Currency", "GST", "Total", "Due", "State",
    "Sent", "Document", "Entry",
)  # fmt: skip
REVERSED, REVERSING, MAY_BE_TWICE = "Reversed", "Reversing entry", "May be entered twice"


@dataclass(frozen=True, slots=True)
class Row:
    """An entry in the list. twice: the address of its client's list in which what it may be stands too, "" for none."""

    entry: Transaction
    total: str
    gst: str
    money_in: str
    money_out: str
    mark: str
    twice: str
    sent: Sent | None
    may_send: bool


@dataclass(frozen=True, slots=True)
class Total:
    """What stands of a list, in one currency. gst: "" where no entry says it; unsaid: entries that do not, in words."""

    currency: str
    count: str
    total: str
    gst: str
    unsaid: str
    money_in: str
    money_out: str


def list_context(wanted: Filter, client: Client | None, user: Any) -> dict[str, Any]:
    """What the page of a list shows."""
    found = queries.narrowed(wanted, client)
    groups, count = queries.groups_of(found)
    sender, pages = sending.sending(), max(1, -(-count // PAGE))
    wanted = replace(wanted, page=min(wanted.page, pages))
    rows = _rows(wanted, queries.page_of(found, wanted), sender)
    place = sender.place(client) if sender and client is not None else None
    first, last = queries.span_of(client)
    return {
        "wanted": wanted,
        "rows": rows,
        "count": count,
        "pages": pages,
        "first": (wanted.page - 1) * PAGE + 1,
        "last": (wanted.page - 1) * PAGE + len(rows),
        "previous": wanted.address(page=wanted.page - 1) if wanted.page > 1 else None,
        "next": wanted.address(page=wanted.page + 1) if wanted.page < pages else None,
        "sorts": {name: _sort(wanted, name) for name in ("date", "client", "supplier", "total")},
        "menus": _menus(wanted, client, first, last),
        "toggles": _toggles(wanted, sender),
        "hidden_fields": [(name, value) for name, value in wanted.said().items() if name not in ("q", "from", "to")],
        "supplier_name": queries.supplier_name(wanted.supplier, client) if wanted.supplier else "",
        "without_supplier": wanted.address(supplier=""),
        "lists": _lists(wanted),
        "totals": totals_of(groups),
        "charts": charts.charts_of(wanted, found, groups),
        "back": wanted.address()[1:],
        "has_any": first is not None,
        "product": sender.name if sender else "",
        "place": place,
        "may_send": _may_send(user, place, wanted),
    }


def _rows(wanted: Filter, entries: list[Transaction], sender: Sending | None) -> list[Row]:
    twice = {entry.pk for entry in entries} if wanted.is_alike else alike.alike_among(entries)
    sent = sender.states([entry.pk for entry in entries]) if sender else {}
    return [_row(wanted, entry, entry.pk in twice, sent) for entry in entries]


def _row(wanted: Filter, entry: Transaction, is_twice: bool, sent: Mapping[UUID, Sent]) -> Row:
    is_reversed, state = queries.is_reversed(entry), sent.get(entry.pk)
    cents = entry.total_cents
    return Row(
        entry=entry,
        total=money(cents, entry.currency),
        gst="" if entry.gst_cents is None else money(entry.gst_cents, entry.currency),
        money_in=money(cents, entry.currency) if cents > 0 else "",
        money_out=money(-cents, entry.currency) if cents < 0 else "",
        mark=_mark(entry, is_reversed),
        twice=Filter().address(kind=wanted.kind if wanted.is_bank else "", alike="1") if is_twice else "",
        sent=state,
        may_send=sending.may_go(entry, is_reversed) and not (state and (state.is_there or state.is_underway)),
    )


def _mark(entry: Transaction, is_reversed: bool) -> str:
    return REVERSED if is_reversed else REVERSING if entry.reverses_id else ""


def _may_send(user: Any, place: Place | None, wanted: Filter) -> bool:
    return bool(user.may_write and place and not place.problem and not (wanted.is_bank or wanted.is_reversed))


def totals_of(groups: list[queries.Group]) -> list[Total]:
    """What stands, by currency; the currency of most entries first."""
    by_currency: dict[str, list[queries.Group]] = {}
    for group in groups:
        by_currency.setdefault(group.currency, []).append(group)
    order = sorted(by_currency, key=lambda code: (-sum(group.count for group in by_currency[code]), code))
    return [_total(code, by_currency[code]) for code in order]


def _total(currency: str, groups: list[queries.Group]) -> Total:
    count, unknown = sum(group.count for group in groups), sum(group.gst_unknown for group in groups)
    return Total(
        currency=currency,
        count=counted(count),
        total=money(sum(group.total for group in groups), currency),
        gst=money(sum(group.gst for group in groups), currency) if unknown < count else "",
        unsaid=f"{counted(unknown)} without it" if unknown else "",
        money_in=money(sum(group.money_in for group in groups), currency),
        money_out=money(-sum(group.money_out for group in groups), currency),
    )


def _sort(wanted: Filter, name: str) -> dict[str, str]:
    """Where a column's head leads, and how it is sorted now, as aria-sort has it. Days and amounts begin at the top."""
    is_up, is_down = wanted.sort == name, wanted.sort == f"-{name}"
    falls_first = name in ("date", "total")
    to = f"-{name}" if is_up or (falls_first and not is_down) else name
    now = "ascending" if is_up else "descending" if is_down else "none"
    return {"address": wanted.address(sort="" if to == NEWEST else to), "now": now}


def _lists(wanted: Filter) -> list[Choice]:
    """The two lists: bills with receipts, and bank lines."""
    kept = {"supplier": "", "alike": "", "reversed": "", "unsent": "", "currency": "", "sort": ""}
    return [
        Choice("Bills and receipts", wanted.address(kind="", **kept), not wanted.is_bank),
        Choice("Bank lines", wanted.address(kind=Transaction.Kind.BANK, **kept), wanted.is_bank),
    ]


def _toggles(wanted: Filter, sender: Sending | None) -> list[Choice]:
    """What is plainly on or off."""
    said = [("Duplicates", "alike", wanted.is_alike), ("Reversed", "reversed", wanted.is_reversed)]
    if sender and not wanted.is_bank:
        said.append((f"Not in {sender.name}", "unsent", wanted.is_unsent))
    return [Choice(words, wanted.address(**{name: "" if is_on else "1"}), is_on) for words, name, is_on in said]


def _menus(
    wanted: Filter, client: Client | None, first: date | None, last: date | None
) -> list[tuple[str, list[Choice]]]:
    """The menus of the filter: (what, its choices)."""
    month, menus = queries.balance_month(client), []
    if not wanted.is_bank:
        kinds = [(value, words) for value, words in Transaction.Kind.choices if value != Transaction.Kind.BANK]
        menus.append(("Kind", _choices(wanted, "kind", wanted.kind, kinds)))
    if first and last:
        newest, oldest = periods.ends_in(last, month), periods.ends_in(first, month)
        years = range(newest, max(oldest, newest - MOST_YEARS + 1) - 1, -1)
        now = str(wanted.year or "")
        menus.append(("Year", _choices(wanted, "year", now, [(str(n), periods.year_words(n, month)) for n in years])))
    return menus


def _choices(wanted: Filter, name: str, now: str, choices: list[tuple[str, Any]]) -> list[Choice]:
    return [
        Choice(str(words), wanted.address(**{name: "" if value == now else value}), value == now)
        for value, words in choices
    ]


def csv_rows(wanted: Filter, client: Client | None) -> tuple[list[list[str]], int]:
    """(the cells of HEADINGS, a row an entry; how many)."""
    rows, reversed_ids, alike_ids = queries.exported(wanted, client)
    sender = sending.sending()
    states = sender.states([row[0] for row in rows]) if sender else {}
    return list(_csv_rows(rows, reversed_ids, alike_ids, states)), len(rows)


def _csv_rows(
    rows: list[tuple[Any, ...]], reversed_ids: set[UUID], alike_ids: set[UUID], states: Mapping[UUID, Sent]
) -> Iterator[list[str]]:
    kinds = dict(Transaction.Kind.choices)
    for pk, dated, client, kind, supplier, abn, number, text, currency, gst, total, due, reverses, document in rows:
        marks = [REVERSED] * (pk in reversed_ids) + [REVERSING] * bool(reverses) + [MAY_BE_TWICE] * (pk in alike_ids)
        yield [
            dated.isoformat(), client, str(kinds[kind]), supplier, identifiers.show_abn(abn), number, text, currency,
            "" if gst is None else amount_as_text(gst * CENT), amount_as_text(total * CENT),
            due.isoformat() if due else "", "; ".join(marks), states[pk].words if pk in states else "",
            str(document), str(pk),
        ]  # fmt: skip
