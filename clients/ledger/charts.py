"""Two small charts of a list, by month and by supplier, each with the table it is drawn from. One currency each."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.utils.formats import date_format

from clients.ledger import queries
from clients.ledger.filtering import Filter
from clients.ledger.queries import Group
from clients.ledger.words import money
from clients.models import Transaction
from clients.presentation import Choice
from clients.rules import bars

MOST_MONTHS = 24
WIDTH, HEIGHT = 720, 150
MOST_LABELS = 8


@dataclass(frozen=True, slots=True)
class Month:
    """A column: its first day, and what the series come to, in cents and in words."""

    first: date
    amounts: tuple[int, ...]
    words: tuple[str, ...]
    address: str


@dataclass(frozen=True, slots=True)
class SupplierBar:
    name: str
    count: int
    total: str
    share: int
    address: str


def charts_of(wanted: Filter, found: QuerySet[Transaction], groups: list[Group]) -> dict[str, Any] | None:
    """What the charts show; None where nothing stands. Of the currency that is asked for, else of that of most entries.

    Of many months the last MOST_MONTHS are drawn.
    """
    counts: dict[str, int] = {}
    for group in groups:
        counts[group.currency] = counts.get(group.currency, 0) + group.count
    if not counts:
        return None
    order = sorted(counts, key=lambda code: (-counts[code], code))
    currency = wanted.currency if wanted.currency in counts else order[0]
    shown = _months(wanted, [group for group in groups if group.currency == currency], currency)
    drawn = bars.columns([month.amounts for month in shown], WIDTH, HEIGHT)
    return {
        "currency": currency,
        "currencies": [Choice(code, wanted.address(currency=code), code == currency) for code in order],
        "heads": ("In", "Out") if wanted.is_bank else ("Total",),
        "months": list(reversed(shown)),
        "is_cut": min(group.month for group in groups if group.currency == currency) < shown[0].first,
        "bars": drawn.bars,
        "nil": drawn.nil,
        "labels": _labels(shown, drawn.middles),
        "width": WIDTH,
        "height": HEIGHT,
        "tall": HEIGHT + 24,
        "says": _says(shown, wanted.is_bank),
        "suppliers": [] if wanted.is_bank else _suppliers(wanted, found, currency),
    }


def _months(wanted: Filter, groups: list[Group], currency: str) -> list[Month]:
    """Every month from the first to the last with an entry, those without one among them; the last MOST_MONTHS."""
    amounts: dict[date, list[int]] = {}
    for group in groups:
        held = amounts.setdefault(group.month, [0, 0])
        held[0] += group.money_in if wanted.is_bank else group.total
        held[1] -= group.money_out
    counts = [_count(month) for month in amounts]
    shown = range(max(min(counts), max(counts) - MOST_MONTHS + 1), max(counts) + 1)
    return [_month(wanted, date(count // 12, count % 12 + 1, 1), amounts, currency) for count in shown]


def _month(wanted: Filter, first: date, amounts: dict[date, list[int]], currency: str) -> Month:
    both = tuple(amounts.get(first, [0, 0]))
    these = both if wanted.is_bank else both[:1]
    ends = first.replace(day=monthrange(first.year, first.month)[1])
    address = wanted.address(**{"year": "", "from": first.isoformat(), "to": ends.isoformat()})
    return Month(first, these, tuple(money(each, currency) for each in these), address)


def _count(month: date) -> int:
    """Which month this is, counted through."""
    return month.year * 12 + month.month - 1


def _labels(months: list[Month], middles: tuple[float, ...]) -> list[tuple[float, str]]:
    """(place, words) under some of the columns, the last among them."""
    every = -(-len(months) // MOST_LABELS)
    places = range(len(months) - 1, -1, -every)
    return [(middles[place], date_format(months[place].first, "M y")) for place in places]


def _says(months: list[Month], is_bank: bool) -> str:
    """The chart in a sentence, for who does not see it."""
    first, last = (date_format(month.first, "F Y") for month in (months[0], months[-1]))
    span = f"in {first}" if len(months) == 1 else f"from {first} to {last}"
    highest = max(months, key=lambda month: max(month.amounts))
    what = "Money in and out" if is_bank else "Total"
    most = highest.words[highest.amounts.index(max(highest.amounts))]
    return f"{what} by month {span}; the highest is {most} in {date_format(highest.first, 'F Y')}."


def _suppliers(wanted: Filter, found: QuerySet[Transaction], currency: str) -> list[SupplierBar]:
    highest = queries.suppliers_of(found, currency)
    most = max((each.total for each in highest), default=0)
    return [
        SupplierBar(
            each.name, each.count, money(each.total, currency), bars.share(each.total, most),
            wanted.address(supplier=each.key),
        )
        for each in highest
    ]  # fmt: skip
