"""A document as it stands after what people decided: each value with where it comes from, and what blocks approval.

Everything is computed anew from what was read and from the decisions, in their order; nothing is carried over. A check
that fails is settled by values that pass it. Three that are no arithmetic (an unlikely date, an unlikely due date, a
page that was not read) may be settled by a person who says so, which holds until one of those values changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum

from clients.extraction import parties, sums, tables
from clients.extraction.checks import Amounts, broken_row, computed, quote_check
from clients.extraction.layout import Row, all_rows
from clients.extraction.rows_revised import RevisedRow, revised_rows
from clients.extraction.standing import Act, Decision, Origin, Standing, newest, stands_as
from clients.extraction.terms import Alternative, Box, Check, Extraction, FoundField, Kind, LineItem, Name, Page, State
from clients.extraction.typed import LONGEST, MONEY, cents_of, is_normal
from clients.rules.money import as_text

_OF_BILLS = (
    Name.SUPPLIER, Name.SUPPLIER_ABN, Name.INVOICE_NUMBER, Name.DATE, Name.DUE_DATE, Name.CURRENCY, Name.TOTAL,
    Name.GST, Name.PAYMENT_TERMS,
)  # fmt: skip
_OF_STATEMENTS = (
    Name.SUPPLIER, Name.SUPPLIER_ABN, Name.CURRENCY, Name.OPENING_BALANCE, Name.CLOSING_BALANCE,
)  # fmt: skip
_NEEDED = {
    Name.SUPPLIER: "Who sent it was not found. Write the name.",
    Name.DATE: "Its date was not found. Write it.",
    Name.TOTAL: "Its total was not found. Write it.",
    Name.CURRENCY: "Which currency it is in was not found. Choose one.",
}
_FIELD_OF = {
    "ABN": "supplier_abn", "date": "date", "due date": "due_date", "GST": "gst", "total": "subtotal", "lines": "lines",
    "pages": "pages", "running balance": "rows", "dates of rows": "rows", "closing balance": "closing_balance",
}  # fmt: skip
ALTHOUGH = {  # what a person may settle by saying so: the check, and the fields whose later decisions undo that
    "check-date": ("date", ("date", "kind")),
    "check-due-date": ("due date", ("date", "due_date", "kind")),
    "check-pages": ("pages", ()),
}


class Quote(StrEnum):
    """What may be said of where a value comes from. MATCHED alone is shown as “quote matched”."""

    MATCHED = "quote matched"
    FOUND = "typed, found on the page"
    TYPED = "typed"
    UNMATCHED = "quote not matched"
    NONE = ""


@dataclass(frozen=True, slots=True)
class RevisedField:
    """One field. name: of `Name`, or "subtotal". value: as it stands, "" for none. read: None where it was not found.

    decision: the one that counts. said: where the value comes from, in a sentence. page and region: where its words
    (raw) stand, None where they stand nowhere. failed: what blocks approval here, in sentences. although: the check
    that a person may settle by saying so, "" for none; settled: the sentence of one that somebody so settled.
    """

    name: str
    value: str
    read: FoundField | None = None
    decision: Decision | None = None
    quote: Quote = Quote.NONE
    said: str = ""
    raw: str = ""
    page: int | None = None
    region: Box | None = None
    confidence: float = 1.0
    failed: tuple[str, ...] = ()
    although: str = ""
    settled: str = ""

    @property
    def as_read(self) -> str:
        """The value as it was read, "" where it was left open or not found."""
        return self.read.value if self.read else ""

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The readings that were left open, whether or not one was chosen since."""
        return self.read.alternatives if self.read else ()


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that blocks approval, and the field that it is put right in."""

    field: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Revised:
    """The document as it stands.

    lines: () where somebody left them out; read_lines: all that were read. subtotal: as printed, for the check of the
    total alone, without a value where it was left out; None where none is printed. settled: the checks that somebody
    settled by saying so. problems: what blocks approval.
    """

    kind: Kind
    read_kind: Kind
    fields: tuple[RevisedField, ...]
    lines: tuple[LineItem, ...]
    read_lines: tuple[LineItem, ...]
    rows: tuple[RevisedRow, ...]
    subtotal: RevisedField | None
    checks: tuple[Check, ...]
    settled: frozenset[str]
    problems: tuple[Problem, ...] = ()

    @property
    def blocking(self) -> tuple[str, ...]:
        """Why it cannot be approved, each in a sentence; () where nothing blocks."""
        return tuple(problem.sentence for problem in self.problems)

    def field(self, name: str) -> RevisedField:
        """The field of that name; a blank one where this kind of document has none."""
        return next((found for found in self.fields if found.name == name), RevisedField(name, ""))

    def value(self, name: str) -> str:
        """Its value as it stands."""
        return self.field(name).value

    def failed_of(self, field: str) -> tuple[str, ...]:
        """What blocks approval in a field, in sentences."""
        return tuple(problem.sentence for problem in self.problems if problem.field == field)

    @property
    def needed(self) -> frozenset[str]:
        """The fields without which it is not approved."""
        return frozenset({Name.CURRENCY} if self.kind is Kind.STATEMENT else _NEEDED)

    @property
    def unread(self) -> str:
        """That pages were not read, in a sentence; "" where all were."""
        return next((check.sentence for check in self.checks if check.name == "pages"), "")


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
    stand = {
        name: stands_as(name, read.field(name), decisions, pages, laid)
        for name in (_OF_STATEMENTS if is_statement else _OF_BILLS)
    }
    rows = revised_rows(read.rows, newest_of) if is_statement else ()
    read_lines = () if is_statement else read.lines
    lines = () if _is_emptied(newest_of, "lines") else read_lines
    found = tuple(each.found for each in stand.values() if each.found)
    now = Extraction(kind, found, lines, tuple(row.now for row in rows))
    subtotal, is_abn_wrong = _from_rows(laid, is_statement, newest_of)
    checks = (
        *(quote_check(each.found, pages) for each in stand.values() if each.found and each.origin is Origin.READ),
        *computed(
            now,
            pages,
            None if is_statement else _amounts(now, subtotal),
            is_abn_wrong and stand[Name.SUPPLIER_ABN].decision is None,
            today,
            [row.now for row in rows if row.is_entered],
        ),
    )
    settled = _settled(decisions)
    fields = tuple(_field(name, each, read.field(name), checks) for name, each in stand.items())
    made = Revised(kind, read.kind, fields, lines, read_lines, _with_failed(rows, now), subtotal, checks, settled)
    return _with_problems(made)


# ------------------------------------------------------------------------------------------------ values


def _kind(read: Kind, newest_of: Mapping[str, Decision]) -> Kind:
    decision = newest_of.get("kind")
    is_chosen = decision is not None and decision.act is Act.CORRECTED and is_normal("kind", decision.value)
    return Kind(decision.value) if decision and is_chosen else read


def _is_emptied(newest_of: Mapping[str, Decision], field: str) -> bool:
    return field in newest_of and newest_of[field].act is Act.EMPTIED


def _from_rows(
    rows: Sequence[Row], is_statement: bool, newest_of: Mapping[str, Decision]
) -> tuple[RevisedField | None, bool]:
    """The subtotal that is printed, and whether an ABN with wrong check digits is."""
    is_abn_wrong = parties.supplier_abn(rows)[1] is not None
    if is_statement:
        return None, is_abn_wrong
    first, _ = tables.line_items(rows, len(rows))
    printed = sums.sums_of(rows, max(first, 0)).subtotal
    if printed is None:
        return None, is_abn_wrong
    is_left_out = _is_emptied(newest_of, "subtotal")
    subtotal = RevisedField(
        "subtotal",
        "" if is_left_out else as_text(printed.amount),
        decision=newest_of.get("subtotal"),
        quote=Quote.MATCHED,
        said="Left out of the check." if is_left_out else "As printed. Only the check of the total uses it.",
        raw=printed.piece.text,
        page=printed.row.page,
        region=printed.piece.box,
        confidence=printed.piece.confidence,
    )
    return subtotal, is_abn_wrong


def _amounts(now: Extraction, subtotal: RevisedField | None) -> Amounts:
    texts = (now.value(Name.TOTAL), now.value(Name.GST), subtotal.value if subtotal else "")
    total, tax, part = (Decimal(text) if text else None for text in texts)
    return Amounts(total, tax, part)


def _field(name: Name, stand: Standing, read: FoundField | None, checks: Sequence[Check]) -> RevisedField:
    found = stand.found
    quote, said = _quote(stand, checks)
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


def _with_failed(rows: Sequence[RevisedRow], now: Extraction) -> tuple[RevisedRow, ...]:
    """The rows, each with what is wrong with it."""
    broken = broken_row(now.rows, now.value(Name.OPENING_BALANCE))
    found = []
    for at, row in enumerate(rows):
        failed = ["Its balance does not follow from the row before."] if at == broken else []
        if row.is_entered and not row.now.date:
            failed.append("Its day is not certain. Write it.")
        found.append(replace(row, failed=tuple(failed)))
    return tuple(found)


# ------------------------------------------------------------------------------------------------ what blocks


def _settled(decisions: Sequence[Decision]) -> frozenset[str]:
    """The checks that a person settled by saying so, and whose values have stood since."""
    found = set()
    for name, (check, fields) in ALTHOUGH.items():
        last = max((at for at, each in enumerate(decisions) if each.field in fields), default=-1)
        own = [at for at, each in enumerate(decisions) if each.field == name]
        if own and own[-1] > last and decisions[own[-1]].act is Act.ACCEPTED:
            found.add(check)
    return frozenset(found)


def _with_problems(made: Revised) -> Revised:
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
        yield Problem(each.name, _NEEDED[Name(each.name)])
    elif each.name in MONEY and each.value and cents_of(each.value) is None:
        yield Problem(each.name, "This amount is too large. Correct it.")
    elif len(each.value) > LONGEST.get(each.name, len(each.value)):
        yield Problem(each.name, f"It is longer than {LONGEST[each.name]} characters. Correct it.")


def _rows_wanting(rows: Sequence[RevisedRow]) -> Iterator[Problem]:
    if not any(row.is_entered for row in rows):
        yield Problem("rows", "No row is left to enter. Keep it as a file instead.")
    if any(row.is_entered and cents_of(row.now.amount) is None for row in rows):
        yield Problem("rows", "The amount of a row is too large. Correct it.")
