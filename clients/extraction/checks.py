"""What is computed anew over what was read. A check that fails blocks approval; one that lacks something says so.

None of them proves a value right: an amount may be misread so that everything still adds up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from clients.extraction.account import OLDEST, Account, account_checks
from clients.extraction.quotes import check_quote
from clients.extraction.terms import Check, Extraction, FoundField, Kind, LineItem, Name, Page, State
from clients.extraction.values import follows
from clients.rules import gst
from clients.rules.gst import Supplies, gst_in, tolerance
from clients.rules.money import CENT, as_text, read_money

LONGEST_CREDIT = timedelta(days=400)
MOST_LINES_TRIED = 18  # subsets of more lines add up to almost anything


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts that must agree, as they stand; each None where it is not known.

    is_credit: the document calls itself one that gives money back, and nobody said that it is none.
    """

    total: Decimal | None
    gst: Decimal | None
    subtotal: Decimal | None
    is_credit: bool = False


def all_checks(
    read: Extraction,
    pages: Sequence[Page],
    amounts: Amounts | None,
    wrong_abn: bool,
    today: date,
    account: Account | None = None,
) -> tuple[Check, ...]:
    """Every check that the kind of document calls for. amounts: None for a kind that has none to add up."""
    quotes = [quote_check(found, pages) for found in read.fields]
    return (*quotes, *computed(read, pages, amounts, wrong_abn, today, account))


def computed(
    read: Extraction,
    pages: Sequence[Page],
    amounts: Amounts | None,
    wrong_abn: bool,
    today: date,
    account: Account | None = None,
) -> tuple[Check, ...]:
    """The checks over the values, whatever they quote. account: what a statement is held against, None for nothing."""
    found = [*_pages(pages), _abn(read, wrong_abn)]
    if read.kind is Kind.STATEMENT:
        return (*found, *account_checks(read, account or Account(), today))
    found += _dates(read, today)
    if amounts is not None:
        found += [*_sign(amounts), _gst(amounts, read.lines), *_sum(amounts), _lines(amounts, read.lines)]
    return tuple(found)


def _check(name: str, is_right: bool, right: str, wrong: str) -> Check:
    return Check(name, State.PASSED if is_right else State.FAILED, right if is_right else wrong)


def _not_checked(name: str, sentence: str) -> Check:
    return Check(name, State.NOT_CHECKED, sentence)


def quote_check(found: FoundField, pages: Sequence[Page]) -> Check:
    """Whether the words that the field quotes stand where it says, and say what its value is."""
    quoted = check_quote(found, pages)
    name = f"quote of {found.name.replace('_', ' ')}"
    if not quoted.is_matched:
        return Check(name, State.FAILED, quoted.sentence)
    return _check(name, follows(found), quoted.sentence, "The value is not what the words quoted say.")


def _pages(pages: Sequence[Page]) -> Iterator[Check]:
    unread = [str(page.number) for page in pages if page.problem]
    if unread:
        yield Check("pages", State.FAILED, f"Not read: page {', '.join(unread)}. What stands there is not known.")


def _abn(read: Extraction, wrong_abn: bool) -> Check:
    if wrong_abn:
        return Check("ABN", State.FAILED, "An ABN is printed whose check digits are wrong, or it was misread.")
    if not read.value(Name.SUPPLIER_ABN):
        return _not_checked("ABN", "No ABN of the supplier was found.")
    return Check("ABN", State.PASSED, "The check digits of the supplier's ABN are right.")


# ------------------------------------------------------------------------------------------------ dates


def _dates(read: Extraction, today: date) -> Iterator[Check]:
    dated, due = read.field(Name.DATE), read.field(Name.DUE_DATE)
    if dated is None:
        yield _not_checked("date", "No date was found.")
    elif not dated.value:
        yield Check("date", State.FAILED, f"“{dated.raw}” has {_readings(dated)}. Choose one.")
    else:
        yield _plausible(date.fromisoformat(dated.value), today)
    if due is not None and not due.value:
        yield Check("due date", State.FAILED, f"“{due.raw}” has {_readings(due)}. Choose one.")
    elif dated and dated.value and due:
        apart = date.fromisoformat(due.value) - date.fromisoformat(dated.value)
        is_right = timedelta(0) <= apart <= LONGEST_CREDIT
        yield _check(
            "due date",
            is_right,
            f"It is due {apart.days} days after its date.",
            "It is due before its date." if apart < timedelta(0) else "It is due more than a year after its date.",
        )


def _readings(found: FoundField) -> str:
    days = " or ".join(f"{day.day} {day:%B} {day.year}" for day in map(date.fromisoformat, _values(found)))
    return f"two readings: {days}" if days else "no reading that is a day"


def _values(found: FoundField) -> list[str]:
    return [each.value for each in found.alternatives]


def _plausible(day: date, today: date) -> Check:
    wrong = "It is dated after today." if day > today else "It is dated more than ten years ago."
    return _check("date", today - OLDEST <= day <= today, "Its date is not after today and not long past.", wrong)


# ------------------------------------------------------------------------------------------------ amounts


def _sign(amounts: Amounts) -> Iterator[Check]:
    if amounts.is_credit and amounts.total is not None:
        yield _check(
            "sign",
            amounts.total <= 0,
            "It gives money back, and its total is not above nil.",
            "It calls itself a credit or a refund, and its total is above nil. Say which it is.",
        )


def _gst(amounts: Amounts, lines: Sequence[LineItem]) -> Check:
    if amounts.total is None or amounts.gst is None:
        return _not_checked("GST", "No GST was found beside a total.")
    total, tax = amounts.total, amounts.gst
    judged = gst.judge(total, tax, max(1, len(lines)))
    by_lines = _gst_of_lines(lines)
    if judged is not Supplies.IMPOSSIBLE and by_lines is not None and abs(by_lines - tax) > tolerance(len(lines)):
        sentence = f"The GST of its lines comes to {as_text(by_lines)}, not to its GST, {as_text(tax)}."
        return Check("GST", State.FAILED, f"{sentence} Correct it, or leave the lines out.")
    if judged is Supplies.WHOLLY_TAXABLE:
        return Check("GST", State.PASSED, f"GST of {as_text(tax)} is one eleventh of {as_text(total)}.")
    if judged is Supplies.NOT_TAXABLE:
        return Check("GST", State.PASSED, "It charges no GST.")
    if judged is Supplies.IMPOSSIBLE:
        sentence = f"GST of {as_text(tax)} is more than one eleventh of {as_text(total)}, {as_text(gst_in(total))}."
        return Check("GST", State.FAILED, sentence)
    return _mixed(total, tax, lines)


def _mixed(total: Decimal, tax: Decimal, lines: Sequence[LineItem]) -> Check:
    """GST below one eleventh: by the lines that are marked as taxable, else by whether any of them could be."""
    part = f"GST of {as_text(tax)} is less than one eleventh of {as_text(total)}"
    amounts = [Decimal(line.amount) for line in lines]
    listed = sum(amounts, Decimal(0))
    is_inclusive = abs(listed - total) <= tolerance(len(lines) or 1)
    if not lines or not (is_inclusive or abs(listed + tax - total) <= tolerance(len(lines))):
        return _not_checked("GST", f"{part}, and its lines do not show which supplies bear it.")
    if _gst_of_lines(lines) is not None:  # held against the GST already
        return Check("GST", State.PASSED, f"{part}, and the sum of what its lines say.")
    marked = sum((Decimal(line.amount) for line in lines if line.gst == "GST"), Decimal(0))
    divisor = 11 if is_inclusive else 10
    if any(line.gst == "GST" for line in lines):
        is_right = abs(marked / divisor - tax) <= tolerance(len(lines))
        wrong = f"{part}, and not that of the lines marked as taxable, {as_text(marked / divisor)}."
        return _check("GST", is_right, f"{part}, and that of the lines marked as taxable.", wrong)
    if len(lines) > MOST_LINES_TRIED:
        return _not_checked("GST", f"{part}, and its many lines do not say which supplies bear it.")
    could = _some_add_up(amounts, tax * divisor, tolerance(len(lines)) * divisor)
    return _check("GST", could, f"{part}; some of its lines bear it.", f"{part}, and none of its lines add up to it.")


def _gst_of_lines(lines: Sequence[LineItem]) -> Decimal | None:
    """The sum of a column of GST; None where there is none, or a line is marked as taxable without an amount of it."""
    amounts = [read_money(line.gst) for line in lines]
    known = [amount for amount in amounts if amount is not None]
    if not known or any(line.gst == "GST" for line in lines):
        return None
    return sum(known, Decimal(0))


def _some_add_up(amounts: Sequence[Decimal], wanted: Decimal, apart: Decimal) -> bool:
    """Whether some of the amounts add up to what is wanted, give or take `apart`."""
    reached = {Decimal(0)}
    for amount in amounts:
        reached |= {each + amount for each in reached}
    return any(abs(each - wanted) <= apart for each in reached)


def _sum(amounts: Amounts) -> Iterator[Check]:
    if amounts.subtotal is not None and amounts.total is not None:
        subtotal, total, tax = amounts.subtotal, amounts.total, amounts.gst or Decimal(0)
        is_right = min(abs(subtotal + tax - total), abs(subtotal - total)) <= CENT
        yield _check(
            "total",
            is_right,
            "Subtotal and GST add up to the total.",
            f"Subtotal {as_text(subtotal)} and GST {as_text(tax)} do not add up to the total, {as_text(total)}.",
        )


def _lines(amounts: Amounts, lines: Sequence[LineItem]) -> Check:
    if not lines or amounts.total is None:
        return _not_checked("lines", "No lines were found to add up.")
    listed, apart = sum((Decimal(line.amount) for line in lines), Decimal(0)), tolerance(len(lines))
    wanted = [amounts.total, amounts.total - (amounts.gst or Decimal(0))]
    is_right = any(abs(listed - each) <= apart for each in wanted)
    count = f"Its {len(lines)} lines" if len(lines) > 1 else "Its one line"
    return _check(
        "lines",
        is_right,
        f"{count} add up to the total{'' if abs(listed - wanted[0]) <= apart else ' before GST'}.",
        f"{count} add up to {as_text(listed)}, not to the total, {as_text(wanted[0])}.",
    )
