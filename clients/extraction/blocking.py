"""What blocks the approval of a document as it stands, and what a person has settled by saying so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from clients.extraction.revised_terms import NEEDED, Problem, Revised, RevisedField, Saying
from clients.extraction.rows_revised import RevisedRow
from clients.extraction.standing import Act, Decision
from clients.extraction.terms import Check, Kind, Name, State
from clients.extraction.typed import LONGEST, MONEY, cents_of

_FIELD_OF = {
    "ABN": "supplier_abn", "date": "date", "due date": "due_date", "GST": "gst", "total": "subtotal", "lines": "lines",
    "pages": "pages", "running balance": "rows", "dates of rows": "rows", "days of rows": "rows",
    "unchecked balances": "rows", "sign": "sign", "direction": "direction", "closing balance": "closing_balance",
}  # fmt: skip
ALTHOUGH = {  # what a person may settle by saying so: the check, and the fields whose later decisions undo that
    # ("row": any part of any row)
    "check-date": ("date", ("date", "kind")),
    "check-due-date": ("due date", ("date", "due_date", "kind")),
    "check-pages": ("pages", ()),
    "check-row-days": ("days of rows", ("row", "kind")),
    "check-balances": ("unchecked balances", ("row", "opening_balance", "closing_balance", "kind", "direction")),
}
_OF_VALUES = ("date", "due date")  # settled for the value that stands, and not where there is none


def settled_checks(decisions: Sequence[Decision]) -> frozenset[str]:
    """The checks that a person settled by saying so, and whose values have stood since."""
    found = set()
    for name, (check, fields) in ALTHOUGH.items():
        last = max((at for at, each in enumerate(decisions) if _field_or_row(each.field) in fields), default=-1)
        own = [at for at, each in enumerate(decisions) if each.field == name]
        if own and own[-1] > last and decisions[own[-1]].act is Act.ACCEPTED:
            found.add(check)
    return frozenset(found)


def _field_or_row(field: str) -> str:
    return "row" if field.startswith("row-") else field


def unchecked_of(made: Revised) -> tuple[str, ...]:
    """What no balance of a statement was held against, in sentences, whether or not somebody settled it.

    A statement that prints no opening or closing balance is not held for it; one that was read and emptied is.
    """
    if made.kind is not Kind.STATEMENT or not made.rows:
        return ()
    unchecked = {each.name: each.sentence for each in made.checks if each.state is State.NOT_CHECKED}
    balances = [made.field(name) for name in (Name.OPENING_BALANCE, Name.CLOSING_BALANCE)]
    is_emptied = any(each.read is not None and not each.value for each in balances)
    names = ["running balance", *(["closing balance"] if is_emptied else [])]
    return tuple(unchecked[name] for name in names if name in unchecked)


def may_be_settled(made: Revised) -> frozenset[str]:
    """The keys of `ALTHOUGH` that a person may say now."""
    found = {each.although for each in made.fields if each.although}
    found |= {"check-pages"} if made.unread else set()
    return frozenset(found | {each.field for each in made.sayings})


def with_problems(made: Revised) -> Revised:
    """The document with what blocks it, and each field with what blocks in it."""
    problems = tuple(_problems(made))
    failing = {check.name: check.sentence for check in made.checks if check.state is State.FAILED}
    fields = []
    for each in made.fields:
        own = tuple(problem.sentence for problem in problems if problem.field == each.name)
        name = next((key for key, (check, _) in ALTHOUGH.items() if _FIELD_OF[check] == each.name), "")
        check = ALTHOUGH[name][0] if name else ""
        may = check in failing and each.value != ""
        is_settled = may and check in made.settled
        although, settled = (name if may and not is_settled else ""), (failing[check] if is_settled else "")
        fields.append(replace(each, failed=own, although=although, settled=settled))
    turn, sayings = made.turn, tuple(_sayings(made, failing))
    if turn is not None:
        own = tuple(problem.sentence for problem in problems if problem.field == turn.field)
        turn = replace(turn, failed=own)
    return replace(made, fields=tuple(fields), problems=problems, sayings=sayings, turn=turn)


def _sayings(made: Revised, failing: Mapping[str, str]) -> Iterator[Saying]:
    """Days of rows that can hardly be right, and amounts that no balance holds; each said or still to be said."""
    if "days of rows" in failing:
        yield Saying("check-row-days", failing["days of rows"], "days of rows" in made.settled)
    unchecked = unchecked_of(made)
    if unchecked:
        yield Saying("check-balances", " ".join(unchecked), "unchecked balances" in made.settled)


def _problems(made: Revised) -> Iterator[Problem]:
    if made.kind is Kind.UNKNOWN:
        yield Problem("kind", "What kind of document it is was not found. Choose one.")
    failed = [check for check in made.checks if check.state is State.FAILED and not _is_settled(made, check)]
    for each in made.fields:
        own = [check for check in failed if each.name in (_FIELD_OF.get(check.name), _field_of_quote(check.name))]
        yield from (Problem(each.name, check.sentence) for check in own)
        if not own:
            yield from _wanting(made, each)
    names = {each.name for each in made.fields}
    for check in failed:
        field = _FIELD_OF.get(check.name, "")
        if field and field not in names:
            yield Problem(field, check.sentence)
    if made.kind is Kind.STATEMENT:
        yield from _rows_wanting(made.rows)
    if "unchecked balances" not in made.settled:
        yield from (Problem("rows", sentence) for sentence in unchecked_of(made))


def _is_settled(made: Revised, check: Check) -> bool:
    """Whether a person has settled a failed check: a quote by any decision on its field, some others by saying so."""
    field = _field_of_quote(check.name)
    if field:
        return made.field(field).decision is not None
    is_there = check.name not in _OF_VALUES or made.value(_FIELD_OF[check.name]) != ""
    return check.name in made.settled and is_there


def _field_of_quote(check: str) -> str:
    return check.removeprefix("quote of ").replace(" ", "_") if check.startswith("quote of ") else ""


def _wanting(made: Revised, each: RevisedField) -> Iterator[Problem]:
    """What a value lacks without any check that failed."""
    if not each.value and each.alternatives and each.decision is None:
        yield Problem(each.name, "It has several readings. Choose one.")
    elif not each.value and each.name in made.needed:
        yield Problem(each.name, NEEDED[Name(each.name)])
    elif each.name in MONEY and each.value and cents_of(each.value) is None:
        yield Problem(each.name, "This amount is too large. Correct it.")
    elif len(each.value) > LONGEST.get(each.name, len(each.value)):
        yield Problem(each.name, f"It is longer than {LONGEST[each.name]} characters. Correct it.")


def _rows_wanting(rows: Sequence[RevisedRow]) -> Iterator[Problem]:
    if not any(row.is_entered for row in rows):
        yield Problem("rows", "No row is left to enter. Keep it as a file instead.")
    if any(row.is_unread for row in rows):
        yield Problem("rows", "The amount of a row was not read. Write it, or leave the row out.")
    if any(row.is_entered and cents_of(row.now.amount) is None for row in rows):
        yield Problem("rows", "The amount of a row is too large. Correct it.")
