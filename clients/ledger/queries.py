"""Reads of the ledger: lists narrowed and sorted by the database, and what they come to.

What was reversed, and what reversed it, is listed and counts nil. Currencies are never added together.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Case, Count, Max, Min, Q, QuerySet, Sum, Value, When
from django.db.models.functions import TruncMonth

from clients.ledger import alike
from clients.ledger.filtering import PAGE, SORTS, Filter
from clients.ledger.sending import sending
from clients.models import Client, Transaction
from clients.rules import periods
from clients.rules.matching import fold
from clients.rules.money import read_money

MOST_SUPPLIERS = 10
BANK = Transaction.Kind.BANK


def narrowed(wanted: Filter, client: Client | None = None) -> QuerySet[Transaction]:
    """The entries that the filter leaves, of one client or of all that are seen. Which are alike is asked at once."""
    found = Transaction.objects.all() if client is None else Transaction.objects.filter(client=client)
    found = found.filter(kind=wanted.kind) if wanted.kind else found.exclude(kind=BANK)
    if wanted.year:
        first, last = periods.year_of(wanted.year, balance_month(client))
        found = found.filter(dated__range=(first, last))
    if wanted.since:
        found = found.filter(dated__gte=wanted.since)
    if wanted.until:
        found = found.filter(dated__lte=wanted.until)
    if wanted.supplier:
        found = found.filter(supplier_key=wanted.supplier)
    if wanted.words:
        found = found.filter(_holds(wanted.words))
    if wanted.is_alike:
        found = found.filter(pk__in=alike_ids(client))
    if wanted.is_reversed:
        found = found.filter(~STANDS)
    if wanted.is_unsent:
        found = unsent(found)
    return found.order_by()


def alike_ids(client: Client | None) -> set[UUID]:
    """The entries that have another one alike, of one client or of all that are seen."""
    within = alike.ids_alike(None if client is None else [client.pk])
    return set(Transaction.objects.filter(pk__in=within).order_by().values_list("pk", flat=True))


def unsent(found: QuerySet[Transaction]) -> QuerySet[Transaction]:
    """Those that could be sent on and have not arrived: bills and receipts that stand, credit notes left out."""
    sender = sending()
    found = found.filter(STANDS, total_cents__gt=0).exclude(kind=BANK)
    return found.exclude(pk__in=sender.ids_there()) if sender else found


def _reversed() -> QuerySet[Transaction, UUID | None]:
    return Transaction.objects.filter(reverses__isnull=False).order_by().values_list("reverses_id", flat=True)


STANDS = Q(reverses__isnull=True) & ~Q(pk__in=_reversed())


def _holds(words: str) -> Q:
    """Entries of whose supplier, number or description the words are a part, or whose amount they are."""
    folded = fold(words)
    holds = Q(number__icontains=words) | Q(description__icontains=words)
    if folded:
        holds |= Q(supplier_key__contains=folded)
    digits = "".join(words.split())
    if digits.isascii() and digits.isdecimal() and len(digits) == 11:
        holds |= Q(abn=digits)
    amount = read_money(words)
    if amount is not None and abs(amount) < 10**15:
        cents = int(abs(amount) * 100)
        holds |= Q(total_cents__in=(cents, -cents))
    return holds


def page_of(found: QuerySet[Transaction], wanted: Filter) -> list[Transaction]:
    """The page's entries in the filter's order, each with its client and what reversed it."""
    start = (wanted.page - 1) * PAGE
    ordered = found.order_by(*SORTS[wanted.sort]).prefetch_related("client", "reversed_by_entry")
    return list(ordered[start : start + PAGE])


def is_reversed(entry: Transaction) -> bool:
    """Whether another entry took this one back."""
    return hasattr(entry, "reversed_by_entry")


@dataclass(frozen=True, slots=True)
class Group:
    """What stands of one month, kind and currency. gst_unknown: how many entries do not say their GST."""

    currency: str
    kind: str
    month: date
    count: int
    total: int
    gst: int
    gst_unknown: int
    money_in: int
    money_out: int


def groups_of(found: QuerySet[Transaction]) -> tuple[list[Group], int]:
    """(what stands, by month, kind and currency; how many entries the filter leaves, with those that count nil)."""
    stands = Case(When(STANDS, then=Value(True)), default=Value(False), output_field=BooleanField())
    rows = (
        found.annotate(stands=stands, month=TruncMonth("dated"))
        .values("stands", "currency", "kind", "month")
        .annotate(
            n=Count("pk"),
            total=Sum("total_cents", default=0),
            gst=Sum("gst_cents", default=0),
            gst_unknown=Count("pk", filter=Q(gst_cents=None)),
            money_in=Sum("total_cents", filter=Q(total_cents__gt=0), default=0),
            money_out=Sum("total_cents", filter=Q(total_cents__lt=0), default=0),
        )
    )
    groups, count = [], 0
    for row in rows:
        count += row["n"]
        if row["stands"]:
            groups.append(
                Group(
                    currency=row["currency"],
                    kind=row["kind"],
                    month=row["month"],
                    count=row["n"],
                    total=int(row["total"]),
                    gst=int(row["gst"]),
                    gst_unknown=row["gst_unknown"],
                    money_in=int(row["money_in"]),
                    money_out=int(row["money_out"]),
                )
            )
    return groups, count


@dataclass(frozen=True, slots=True)
class SupplierTotal:
    key: str
    name: str
    count: int
    total: int


def suppliers_of(found: QuerySet[Transaction], currency: str) -> list[SupplierTotal]:
    """The suppliers that what stands comes to most with, in one currency; a supplier without a name is left out."""
    rows = (
        found.filter(STANDS, currency=currency)
        .exclude(supplier_key="")
        .values("supplier_key")
        .annotate(name=Max("supplier"), n=Count("pk"), total=Sum("total_cents"))
        .order_by("-total", "supplier_key")[:MOST_SUPPLIERS]
    )
    return [SupplierTotal(row["supplier_key"], row["name"], row["n"], int(row["total"])) for row in rows]


def supplier_name(key: str, client: Client | None) -> str:
    """The name that the newest entry has for this supplier; the key itself where there is none."""
    found = Transaction.objects.all() if client is None else Transaction.objects.filter(client=client)
    newest = found.filter(supplier_key=key).order_by("-dated", "-id").values_list("supplier", flat=True).first()
    return newest or key


def span_of(client: Client | None) -> tuple[date | None, date | None]:
    """The first and the last day that an entry bears."""
    found = Transaction.objects.all() if client is None else Transaction.objects.filter(client=client)
    ends = found.aggregate(first=Min("dated"), last=Max("dated"))
    return ends["first"], ends["last"]


def balance_month(client: Client | None) -> int:
    """The month that years end in: the client's own, else June."""
    return (client.income_year_end if client else None) or periods.JUNE


def exported(wanted: Filter, client: Client | None) -> tuple[list[tuple[Any, ...]], set[UUID], set[UUID]]:
    """(all that the filter leaves, as the columns of a CSV are made of it; ids of the reversed; ids of the alike)."""
    columns = (
        "pk", "dated", "client__name", "kind", "supplier", "abn", "number", "description", "currency", "gst_cents",
        "total_cents", "due", "reverses_id", "document_id",
    )  # fmt: skip
    rows = list(narrowed(wanted, client).order_by(*SORTS[wanted.sort]).values_list(*columns))
    return rows, {each for each in _reversed() if each}, alike_ids(client)
