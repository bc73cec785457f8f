"""A document as it stands after decisions: its fields with where each value comes from, and what blocks approval."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from clients.extraction.rows_revised import RevisedRow
from clients.extraction.standing import Decision
from clients.extraction.terms import Alternative, Box, Check, FoundField, Kind, LineItem, Name

NEEDED = {
    Name.SUPPLIER: "Who sent it was not found. Write the name.",
    Name.DATE: "Its date was not found. Write it.",
    Name.TOTAL: "Its total was not found. Write it.",
    Name.CURRENCY: "Which currency it is in was not found. Choose one.",
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
class Turn:
    """Whether amounts are as printed or turned round, where that is asked. said: "" for nothing yet, else of `turning`.

    field: "sign" of what calls itself a credit, "direction" of a statement. failed: what blocks there, in sentences.
    """

    field: str
    said: str
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Saying:
    """What of the rows is settled by saying so. field: its key in `blocking.ALTHOUGH`; sentence: what it is."""

    field: str
    sentence: str
    is_settled: bool


@dataclass(frozen=True, slots=True)
class Revised:
    """The document as it stands.

    lines: () where somebody left them out; read_lines: all that were read. subtotal: as printed, for the check of the
    total alone, without a value where it was left out; None where none is printed. settled: the checks that somebody
    settled by saying so. problems: what blocks approval. sayings: what of the rows may be settled by saying so, or was.
    turn: None where it is not asked which way the amounts are.
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
    turn: Turn | None = None
    problems: tuple[Problem, ...] = ()
    sayings: tuple[Saying, ...] = ()

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
        return frozenset({Name.CURRENCY} if self.kind is Kind.STATEMENT else NEEDED)

    @property
    def unread(self) -> str:
        """That pages were not read, in a sentence; "" where all were."""
        return next((check.sentence for check in self.checks if check.name == "pages"), "")
