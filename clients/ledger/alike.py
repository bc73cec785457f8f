"""Transactions that may be one and the same twice. Nothing here says that they are: a person looks, and decides.

Compared are entries that stand, of one client, from two documents. Reversed and reversing ones are left out, and a
credit note is never alike what it credits. Two bills or receipts are alike where the supplier is one (the same ABN; or
the same name as names are compared, unless each has an ABN and they differ) and
- the numbers are one, without regard to case, spaces and strokes; or
- the totals are one in one currency, on one day; or within three days, unless each has a number and they differ.
A receipt is so found beside the bill that it pays. Two bank lines are alike where day, amount and words are one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from uuid import UUID

from django.db.models import F, Func, Q, QuerySet, TextField, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Collate, Upper

from clients.models import Transaction

DAYS_APART = 3
_LEFT_OUT = " \t\u00a0-–—/\\._#:,()"
STANDS = Q(reverses=None, reversed_by_entry=None)
_NUMBER_KEY = "translate(upper({} COLLATE \"C\"), %s, '')"
# Those that stand; then those that share an amount or a number with another of their client's; then who is alike.
_NEAR = f"""
    WITH standing AS MATERIALIZED (
        SELECT t.id, t.client_id, t.document_id, t.kind = 'bank' AS is_bank, t.supplier_key, t.abn, t.dated, t.currency,
            t.total_cents, t.total_cents >= 0 AS is_owed, t.description,
            CASE t.number WHEN '' THEN '' ELSE {_NUMBER_KEY.format("t.number")} END AS number_key
        FROM clients_transaction t
        WHERE t.reverses_id IS NULL
            AND t.id NOT IN (SELECT r.reverses_id FROM clients_transaction r WHERE r.reverses_id IS NOT NULL)
            AND (%s::uuid[] IS NULL OR t.client_id = ANY(%s::uuid[]))
    ), near AS MATERIALIZED (
        SELECT * FROM standing s
        WHERE (s.client_id, s.total_cents) IN (
            SELECT o.client_id, o.total_cents FROM standing o GROUP BY o.client_id, o.total_cents HAVING count(*) > 1
        ) OR (s.client_id, s.number_key) IN (
            SELECT o.client_id, o.number_key FROM standing o WHERE o.number_key <> ''
            GROUP BY o.client_id, o.number_key HAVING count(*) > 1
        )
    )
"""
_NUMBERS = "a.number_key = b.number_key AND a.number_key <> '' AND a.is_owed = b.is_owed"
_TOTALS = """
    a.currency = b.currency AND a.total_cents = b.total_cents AND a.dated BETWEEN b.dated - %s AND b.dated + %s
    AND (a.dated = b.dated OR a.number_key = '' OR b.number_key = '' OR a.number_key = b.number_key)
"""
_SUPPLIERS = (
    "a.abn = b.abn AND a.abn <> ''",
    "a.supplier_key = b.supplier_key AND a.supplier_key <> '' AND (a.abn = '' OR b.abn = '')",
)
_PAIRS = [
    f"NOT a.is_bank AND NOT b.is_bank AND {supplier} AND {rule}"
    for supplier in _SUPPLIERS
    for rule in (_NUMBERS, _TOTALS)
]
_WORDS = "translate(upper({}), %s, '')"
_BANK_PAIR = f"""
    a.is_bank AND b.is_bank AND a.dated = b.dated AND a.currency = b.currency AND a.total_cents = b.total_cents
    AND {_WORDS.format("a.description")} = {_WORDS.format("b.description")}
"""


def alike_to(
    client_id: UUID,
    *,
    abn: str,
    supplier_key: str,
    number: str,
    dated: date,
    total_cents: int,
    excluding_document: UUID,
    currency: str = "",
) -> list[Transaction]:
    """The bills and receipts of the client that one like this may already be, newest first, with their documents.

    supplier_key: `matching.match_key` of the supplier. abn: digits. Each "" for not known; without both nothing is
    alike. currency: "" for any.
    """
    is_supplier = Q(abn=abn) & ~Q(abn="")
    by_name = Q(supplier_key=supplier_key) & ~Q(supplier_key="")
    is_supplier |= by_name & Q(abn="") if abn else by_name
    is_owed = Q(total_cents__gte=0) if total_cents >= 0 else Q(total_cents__lt=0)
    same_number = Q(number_key=_key(Value(number))) & ~Q(number_key="")
    span = timedelta(days=DAYS_APART)
    near = Q(dated__range=(dated - span, dated + span)) & (Q(number_key="") if number else Q())
    same_total = Q(total_cents=total_cents) & (Q(currency=currency) if currency else Q()) & (Q(dated=dated) | near)
    others = _others(client_id, excluding_document).exclude(kind=Transaction.Kind.BANK)
    found = others.alias(number_key=_key(F("number"))).filter(is_supplier, is_owed & same_number | same_total)
    return list(found)


def bank_lines_alike(
    client_id: UUID, rows: Iterable[tuple[date, int, str]], *, excluding_document: UUID, currency: str = ""
) -> list[Transaction]:
    """The client's bank lines that one of these rows may already be, newest first, with their documents.

    rows: (day, amount in cents, words). currency: "" for any.
    """
    wanted = {(dated, cents, _plain(words)) for dated, cents, words in rows}
    if not wanted:
        return []
    others = _others(client_id, excluding_document).filter(kind=Transaction.Kind.BANK)
    others = others.filter(currency=currency) if currency else others
    found = others.filter(dated__in={day for day, _, _ in wanted}, total_cents__in={cents for _, cents, _ in wanted})
    return [each for each in found if (each.dated, each.total_cents, _plain(each.description)) in wanted]


def ids_alike(clients: Collection[UUID] | None = None) -> RawSQL:
    """The ids of all transactions that have another one alike, as a query for `pk__in`; of these clients or of all."""
    only = None if clients is None else list(clients)
    params: list[object] = [_LEFT_OUT, only, only]
    parts = []
    for pair in (*_PAIRS, _BANK_PAIR):
        parts.append(
            "SELECT a.id FROM near a JOIN near b ON b.client_id = a.client_id"
            f" AND b.document_id <> a.document_id AND {pair}"
        )
        params += [_LEFT_OUT if pair == _BANK_PAIR else DAYS_APART] * pair.count("%s")
    return RawSQL(f"{_NEAR} {' UNION '.join(parts)}", params)


def alike_among(rows: Collection[Transaction]) -> set[UUID]:
    """Which of the rows have another one alike, wherever that one stands in the list; in one query."""
    if not rows:
        return set()
    within = ids_alike({row.client_id for row in rows})
    found = Transaction.objects.filter(pk__in=[row.pk for row in rows]).filter(pk__in=within)
    return set(found.order_by().values_list("pk", flat=True))


def _others(client_id: UUID, document_id: UUID) -> QuerySet[Transaction]:
    found = Transaction.objects.filter(STANDS, client_id=client_id).exclude(document_id=document_id)
    return found.select_related("document").order_by("-dated", "-at", "id")


def _key(expression: Value | F) -> Func:
    """A number as it is compared."""
    plain = Upper(Collate(expression, "C"))
    return Func(plain, Value(_LEFT_OUT), Value(""), function="translate", output_field=TextField())


def _plain(words: str) -> str:
    return words.upper().translate({ord(letter): None for letter in _LEFT_OUT})
