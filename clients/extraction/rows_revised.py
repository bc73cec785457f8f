"""The rows of a statement as they stand after what people decided: corrected in a part, or left out.

A row that is left out becomes no entry, but its amount still counts in the balances: it stands on the account. One that
is no row of the account at all has its amount emptied. Rows are numbered from 1 in the order they were read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clients.extraction.standing import Act, Decision
from clients.extraction.terms import StatementRow
from clients.extraction.typed import is_normal

PARTS = ("date", "description", "amount", "balance")
_NAME = re.compile(r"row-([1-9]\d{0,4})(?:-(date|description|amount|balance))?")


@dataclass(frozen=True, slots=True)
class RevisedRow:
    """One row. now: as it stands. typed: the parts that somebody changed. failed: what is wrong with it, in words."""

    number: int
    read: StatementRow
    now: StatementRow
    typed: frozenset[str] = frozenset()
    is_left_out: bool = False
    failed: tuple[str, ...] = ()

    @property
    def is_entered(self) -> bool:
        """Whether it is to become an entry: kept, and something moved."""
        return not self.is_left_out and self.now.amount not in ("", "0.00")

    @property
    def is_unread(self) -> bool:
        """Whether an amount is printed that was not read, and nobody has said what it is."""
        return not (self.read.amount or self.now.amount or "amount" in self.typed or self.is_left_out)


def row_and_part(field: str) -> tuple[int, str] | None:
    """The row's number and the part ("" for the whole) that a field's name means; None if it means no row."""
    found = _NAME.fullmatch(field)
    return (int(found[1]), found[2] or "") if found else None


def revised_rows(read: Sequence[StatementRow], newest_of: Mapping[str, Decision]) -> tuple[RevisedRow, ...]:
    """Each row as it stands. newest_of: by field, as `standing.newest` gives it."""
    return tuple(_row(number, row, newest_of) for number, row in enumerate(read, start=1))


def _row(number: int, read: StatementRow, newest_of: Mapping[str, Decision]) -> RevisedRow:
    changes = {}
    for part in PARTS:
        decision = newest_of.get(f"row-{number}-{part}")
        if decision is None or decision.act is Act.ACCEPTED:
            continue
        if decision.act is Act.EMPTIED:
            changes[part] = ""
        elif is_normal(part, decision.value):
            changes[part] = decision.value
    whole = newest_of.get(f"row-{number}")
    is_left_out = whole is not None and whole.act is Act.EMPTIED
    now = replace(
        read,
        date=changes.get("date", read.date),
        description=changes.get("description", read.description),
        amount=changes.get("amount", read.amount),
        balance=changes.get("balance", read.balance),
    )
    return RevisedRow(number, read, now, frozenset(changes), is_left_out)
