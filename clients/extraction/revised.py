"""A document as it stands after what people decided: each value with where it comes from, and what blocks approval.

Everything is computed anew from what was read and from the decisions, in their order; nothing is carried over. A check
that fails is settled by values that pass it. Some that are no arithmetic (an unlikely date, due date or day of a row, a
page that was not read, amounts that no balance holds) may be settled by a person who says so, which holds until one of
those values changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from clients.extraction import parties, statements, sums, tables
from clients.extraction.account import Account, broken_row, wrong_day
from clients.extraction.blocking import settled_checks, with_problems
from clients.extraction.checks import Amounts, computed, quote_check
from clients.extraction.layout import Row, all_rows
from clients.extraction.revised_terms import Quote, Revised, RevisedField, Turn
from clients.extraction.rows_revised import RevisedRow, revised_rows
from clients.extraction.standing import Act, Decision, Origin, Standing, newest, stands_as
from clients.extraction.terms import Check, Extraction, FoundField, Kind, Name, Page, State, StatementRow
from clients.extraction.turning import against, is_credit, turned
from clients.extraction.typed import AS_PRINTED, MONEY, TURNED, is_normal
from clients.rules.money import as_text

_OF_BILLS = (
    Name.SUPPLIER, Name.SUPPLIER_ABN, Name.INVOICE_NUMBER, Name.DATE, Name.DUE_DATE, Name.CURRENCY, Name.TOTAL,
    Name.GST, Name.PAYMENT_TERMS,
)  # fmt: skip
_OF_STATEMENTS = (
    Name.SUPPLIER, Name.SUPPLIER_ABN, Name.CURRENCY, Name.OPENING_BALANCE, Name.CLOSING_BALANCE,
)  # fmt: skip


def revised(
    read: Extraction,
    pages: Sequence[Page],
    decisions: Sequence[Decision],
    today: date,
    rows_of_pages: Sequence[Row] | None = None,
) -> Revised:
    """What was read with what was decided, and every check computed anew. decisions: in the order they were made.

    rows_of_pages: `layout.all_rows` of the pages, where the caller has them: they take most of the time.
    """
    newest_of = newest(decisions)
    laid = all_rows(pages) if rows_of_pages is None else rows_of_pages
    kind = _kind(read.kind, newest_of)
    is_statement = kind is Kind.STATEMENT
    printed = _printed(laid, is_statement)
    said = _said_of_turn("direction" if is_statement else "sign", newest_of)
    is_either = statements.runs_either_way(read.rows, laid) if is_statement else printed.is_credit
    turned_read = turned(read) if is_either and said == TURNED else read
    stand = {
        name: stands_as(name, turned_read.field(name), decisions, pages, laid)
        for name in (_OF_STATEMENTS if is_statement else _OF_BILLS)
    }
    rows = revised_rows(turned_read.rows, newest_of) if is_statement else ()
    read_lines = () if is_statement else turned_read.lines
    lines = () if _is_emptied(newest_of, "lines") else read_lines
    found = tuple(each.found for each in stand.values() if each.found)
    now = Extraction(kind, found, lines, tuple(row.now for row in rows))
    subtotal = _subtotal(printed.subtotal, newest_of, is_either and said == TURNED)
    account = Account(
        statements.period_of(laid) if is_statement else None,
        frozenset(at for at, row in enumerate(rows) if row.is_entered),
        is_either and not said,
    )
    checks = (
        *(quote_check(each.found, pages) for each in stand.values() if each.found and each.origin is Origin.READ),
        *computed(
            now,
            pages,
            None if is_statement else _amounts(now, subtotal, is_either and said != AS_PRINTED),
            printed.is_abn_wrong and stand[Name.SUPPLIER_ABN].decision is None,
            today,
            account,
        ),
    )
    settled = settled_checks(decisions)
    fields = tuple(_field(name, each, read.field(name), checks) for name, each in stand.items())
    are_days_settled = "days of rows" in settled
    shown = _with_failed(rows, now, lambda row: "" if are_days_settled else wrong_day(row, account.period, today))
    turn = _turn(is_statement, is_either, said, checks)
    made = Revised(kind, read.kind, fields, lines, read_lines, shown, subtotal, checks, settled, turn)
    return with_problems(made)


def _kind(read: Kind, newest_of: Mapping[str, Decision]) -> Kind:
    decision = newest_of.get("kind")
    is_chosen = decision is not None and decision.act is Act.CORRECTED and is_normal("kind", decision.value)
    return Kind(decision.value) if decision and is_chosen else read


def _is_emptied(newest_of: Mapping[str, Decision], field: str) -> bool:
    return field in newest_of and newest_of[field].act is Act.EMPTIED


@dataclass(frozen=True, slots=True)
class _Printed:
    """What the pages say beside the fields. is_credit: they call it one that gives money back."""

    is_abn_wrong: bool
    subtotal: sums.Sum | None = None
    is_credit: bool = False


def _printed(rows: Sequence[Row], is_statement: bool) -> _Printed:
    is_abn_wrong = parties.supplier_abn(rows)[1] is not None
    if is_statement:
        return _Printed(is_abn_wrong)
    first, _ = tables.line_items(rows, len(rows))
    added = sums.sums_of(rows, max(first, 0))
    return _Printed(is_abn_wrong, added.subtotal, is_credit(rows, first, added))


def _subtotal(printed: sums.Sum | None, newest_of: Mapping[str, Decision], is_turned: bool) -> RevisedField | None:
    """The subtotal that is printed, for the check of the total alone."""
    if printed is None:
        return None
    is_left_out = _is_emptied(newest_of, "subtotal")
    amount = as_text(-printed.amount if is_turned and printed.amount else printed.amount)
    said = f"{'Turned round' if is_turned else 'As printed'}. Only the check of the total uses it."
    return RevisedField(
        "subtotal",
        "" if is_left_out else amount,
        decision=newest_of.get("subtotal"),
        quote=Quote.MATCHED,
        said="Left out of the check." if is_left_out else said,
        raw=printed.piece.text,
        page=printed.row.page,
        region=printed.piece.box,
        confidence=printed.piece.confidence,
    )


def _said_of_turn(field: str, newest_of: Mapping[str, Decision]) -> str:
    """What somebody said of which way the amounts are; "" for nothing."""
    decision = newest_of.get(field)
    is_said = decision is not None and decision.act is Act.CORRECTED and is_normal(field, decision.value)
    return decision.value if decision and is_said else ""


def _turn(is_statement: bool, is_either: bool, said: str, checks: Sequence[Check]) -> Turn | None:
    """What is asked, or was; None for a credit whose amounts are below nil as printed."""
    field = "direction" if is_statement else "sign"
    is_wrong = any(check.name == field and check.state is State.FAILED for check in checks)
    return Turn(field, said) if is_either and (said or is_wrong) else None


def _amounts(now: Extraction, subtotal: RevisedField | None, is_a_credit: bool) -> Amounts:
    texts = (now.value(Name.TOTAL), now.value(Name.GST), subtotal.value if subtotal else "")
    total, tax, part = (Decimal(text) if text else None for text in texts)
    return Amounts(total, tax, part, is_a_credit)


def _field(name: Name, stand: Standing, read: FoundField | None, checks: Sequence[Check]) -> RevisedField:
    found = stand.found
    quote, said = _quote(stand, checks)
    if name in MONEY and stand.origin is Origin.READ and read is not None and stand.value != read.value:
        said += " Turned round." if stand.value and stand.value == against(read.value) else ""
    made = RevisedField(name, stand.value, read, stand.decision, quote, said)
    if found is None or not found.page:
        return made
    return replace(made, raw=found.raw, page=found.page, region=found.region, confidence=found.confidence)


def _quote(stand: Standing, checks: Sequence[Check]) -> tuple[Quote, str]:
    """Where the value comes from."""
    found = stand.found
    if found is None:
        return Quote.NONE, "Emptied." if stand.decision else "Not found."
    if stand.origin is Origin.TYPED:
        if found.page:
            return Quote.FOUND, f"Typed, and found on page {found.page}."
        return Quote.TYPED, "Typed. It was not found on the pages."
    check = next(each for each in checks if each.name == _quote_name(found.name))
    if check.state is State.PASSED:
        return Quote.MATCHED, f"Quote matched on page {found.page}."
    return Quote.UNMATCHED, check.sentence


def _quote_name(field: str) -> str:
    return f"quote of {field.replace('_', ' ')}"


def _with_failed(
    rows: Sequence[RevisedRow], now: Extraction, wrong_day_of: Callable[[StatementRow], str]
) -> tuple[RevisedRow, ...]:
    """The rows, each with what is wrong with it."""
    broken = broken_row(now.rows, now.value(Name.OPENING_BALANCE))
    found = []
    for at, row in enumerate(rows):
        failed = ["Its balance does not follow from the row before."] if at == broken else []
        if row.is_unread:
            failed.append("Its amount was not read. Write it, or leave the row out.")
        if row.is_entered and not row.now.date:
            failed.append("Its day is not certain. Write it.")
        if row.is_entered and (wrong := wrong_day_of(row.now)):
            failed.append(wrong)
        found.append(replace(row, failed=tuple(failed)))
    return tuple(found)
