"""What blocks the approval of a document as it stands, and what a person has settled by saying so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clients.extraction.revised_terms import NEEDED, Problem, Revised, RevisedField
from clients.extraction.rows_revised import RevisedRow
from clients.extraction.standing import Act, Decision
from clients.extraction.terms import Check, Kind, Name, State
from clients.extraction.typed import LONGEST, MONEY, cents_of

_FIELD_OF = {
    "ABN": "supplier_abn", "date": "date", "due date": "due_date", "GST": "gst", "total": "subtotal", "lines": "lines",
    "pages": "pages", "running balance": "rows", "dates of rows": "rows", "closing balance": "closing_balance",
}  # fmt: skip
ALTHOUGH = {  # what a person may settle by saying so: the check, and the fields whose later decisions undo that
    "check-date": ("date", ("date", "kind")),
    "check-due-date": ("due date", ("date", "due_date", "kind")),
    "check-pages": ("pages", ()),
}


def settled_checks(decisions: Sequence[Decision]) -> frozenset[str]:
    """The checks that a person settled by saying so, and whose values have stood since."""
    found = set()
    for name, (check, fields) in ALTHOUGH.items():
        last = max((at for at, each in enumerate(decisions) if each.field in fields), default=-1)
        own = [at for at, each in enumerate(decisions) if each.field == name]
        if own and own[-1] > last and decisions[own[-1]].act is Act.ACCEPTED:
            found.add(check)
    return frozenset(found)


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
    return replace(made, fields=tuple(fields), problems=problems)


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


def _is_settled(made: Revised, check: Check) -> bool:
    """Whether a person has settled a failed check: a quote by any decision on its field, some others by saying so."""
    field = _field_of_quote(check.name)
    if field:
        return made.field(field).decision is not None
    return check.name in made.settled and (check.name == "pages" or made.value(_FIELD_OF[check.name]) != "")


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
    if any(row.is_entered and cents_of(row.now.amount) is None for row in rows):
        yield Problem("rows", "The amount of a row is too large. Correct it.")
