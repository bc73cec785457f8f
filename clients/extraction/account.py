"""What is computed anew over a statement: balances that follow from amounts, and days that its rows may have.

An amount is held where a balance before it is known and one at or after it; what no balance holds is said to be not
checked, and is entered on somebody's word alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from clients.extraction.terms import Check, Extraction, Name, State, StatementRow
from clients.rules.money import as_text

OLDEST = timedelta(days=365 * 10)  # assessments are not amended so far back; a year misread may well be
MOST_NAMED = 5  # rows named by their numbers in one sentence


@dataclass(frozen=True, slots=True)
class Account:
    """What a statement's rows are held against.

    period: the first and last day that it says it covers, None where it says none. entered: the places, from 0, of the
    rows that are to be entered, None for all of them; balances follow from all. is_direction_open: nothing says which
    way its amounts run, and nobody has.
    """

    period: tuple[date, date] | None = None
    entered: frozenset[int] | None = None
    is_direction_open: bool = False


def account_checks(read: Extraction, account: Account, today: date) -> Iterator[Check]:
    """Which way it runs, running and closing balance, and the days of the rows that are to be entered."""
    if not read.rows:
        yield Check("running balance", State.NOT_CHECKED, "No rows were found.")
        return
    if account.is_direction_open:
        yield Check(
            "direction", State.FAILED, "Nothing says which of its amounts are money in. Say which way they run."
        )
    places = [at for at in range(len(read.rows)) if account.entered is None or at in account.entered]
    yield _running(read, places)
    yield _closing(read)
    undated = sum(not read.rows[at].date for at in places)
    yield Check(
        "dates of rows",
        State.FAILED if undated else State.PASSED,
        f"{undated} rows have no day that is certain." if undated else "Every row has a day.",
    )
    wrong = [at for at in places if wrong_day(read.rows[at], account.period, today)]
    yield Check(
        "days of rows",
        State.FAILED if wrong else State.PASSED,
        f"{_of_rows('The day', wrong)} cannot be right: {wrong_day(read.rows[wrong[0]], account.period, today)}"
        if wrong
        else "Every day is one that such a row may have.",
    )


def wrong_day(row: StatementRow, period: tuple[date, date] | None, today: date) -> str:
    """Why a row can hardly be of its day, in a sentence; "" where it can, and for a row without one."""
    if not row.date:
        return ""
    day = date.fromisoformat(row.date)
    if day > today:
        return "It is dated after today."
    if day < today - OLDEST:
        return "It is dated more than ten years ago."
    if period and not period[0] <= day <= period[1]:
        return "It is dated outside the period of the statement."
    return ""


def broken_row(rows: Sequence[StatementRow], opening: str) -> int | None:
    """The place, from 0, of the first row whose balance does not follow; None if all of them do."""
    balance = Decimal(opening) if opening else None
    for at, row in enumerate(rows):
        if balance is not None:
            balance += _moved(row)
        if row.balance:
            if balance is not None and balance != Decimal(row.balance):
                return at
            balance = Decimal(row.balance)
    return None


def unheld_rows(rows: Sequence[StatementRow], opening: str, closing: str) -> list[int]:
    """The places, from 0, of the rows whose amount no balance holds."""
    unheld: list[int] = []
    since: list[int] = []
    is_known = bool(opening)
    for at, row in enumerate(rows):
        since.append(at)
        if row.balance:
            unheld += [] if is_known else since
            since, is_known = [], True
    if not (is_known and closing):
        unheld += since
    return [at for at in unheld if _moved(rows[at])]


def _running(read: Extraction, places: Sequence[int]) -> Check:
    opening = read.value(Name.OPENING_BALANCE)
    broken = broken_row(read.rows, opening)
    if broken is not None:
        sentence = f"The balance does not follow from the row before: {read.rows[broken].raw}"
        return Check("running balance", State.FAILED, sentence)
    of_all = unheld_rows(read.rows, opening, read.value(Name.CLOSING_BALANCE))
    unheld = sorted(set(of_all) & set(places))
    if not unheld:
        return Check("running balance", State.PASSED, "Each balance follows from the row before.")
    if len(of_all) == sum(bool(_moved(row)) for row in read.rows):
        return Check(
            "running balance", State.NOT_CHECKED, "No balance was compared: nothing holds the amounts of rows."
        )
    return Check("running balance", State.NOT_CHECKED, f"{_of_rows('The amount', unheld)} is held by no balance.")


def _closing(read: Extraction) -> Check:
    opening, closing = read.value(Name.OPENING_BALANCE), read.value(Name.CLOSING_BALANCE)
    if not (opening and closing):
        missing = "opening" if not opening else "closing"
        return Check("closing balance", State.NOT_CHECKED, f"It was not checked: there is no {missing} balance.")
    reached = Decimal(opening) + sum((_moved(row) for row in read.rows), Decimal(0))
    if reached == Decimal(closing):
        return Check("closing balance", State.PASSED, "Opening balance and rows add up to it.")
    wrong = f"Opening balance and rows come to {as_text(reached)}, not to the closing balance, {closing}."
    return Check("closing balance", State.FAILED, wrong)


def _of_rows(what: str, places: Sequence[int]) -> str:
    """ "The day of row 3", "The amount of rows 1, 2, 3, 4, 5 and 6 more"."""
    named = ", ".join(str(at + 1) for at in places[:MOST_NAMED])
    more = f" and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
    return f"{what} of row{'s' if len(places) > 1 else ''} {named}{more}"


def _moved(row: StatementRow) -> Decimal:
    """The amount of a row; nil for one that a person says has none."""
    return Decimal(row.amount) if row.amount else Decimal(0)
