"""What reading and extraction hand on: pages of words with their places, and fields that quote them.

Lengths are in the page's own units: points (1/72 inch) for a PDF, pixels for a picture; the origin is top left and the
page stands upright. Amounts are Decimals written as text with two places, dates ISO text. "" is a value not found.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Source(StrEnum):
    """How a word came to be known."""

    TEXT = "text"  # from the file's own text layer
    OCR = "ocr"  # read off the picture by our own OCR


class Kind(StrEnum):
    """What sort of document it is."""

    INVOICE = "invoice"  # credit notes as well: their amounts are below nil
    RECEIPT = "receipt"
    STATEMENT = "statement"
    UNKNOWN = "unknown"


class Name(StrEnum):
    """The fields that are looked for."""

    SUPPLIER = "supplier"
    SUPPLIER_ABN = "supplier_abn"
    DATE = "date"
    DUE_DATE = "due_date"
    INVOICE_NUMBER = "invoice_number"
    CURRENCY = "currency"
    TOTAL = "total"
    GST = "gst"
    PAYMENT_TERMS = "payment_terms"
    OPENING_BALANCE = "opening_balance"
    CLOSING_BALANCE = "closing_balance"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page; (left, top) is nearest the origin."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """Half way down."""
        return (self.top + self.bottom) / 2

    def joined(self, other: Box) -> Box:
        """The smallest box around both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


@dataclass(frozen=True, slots=True)
class Word:
    """One word where it stands. confidence: 0–1, 1 for a text layer. is_hidden: who looks at the page cannot see it."""

    text: str
    box: Box
    confidence: float = 1.0
    source: Source = Source.TEXT
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page, upright.

    number: from 1. turned: degrees clockwise (0, 90, 180, 270) that the file's page was turned by to stand upright.
    skew: degrees that its lines climb to the right; boxes are as on the page, layout allows for it. problem: why it
    could not be read, in a sentence; "" where it was.
    """

    number: int
    width: float
    height: float
    words: tuple[Word, ...] = ()
    turned: int = 0
    skew: float = 0.0
    read_by: str = "text"  # "text", or the OCR engine's name
    problem: str = ""

    @property
    def seen(self) -> tuple[Word, ...]:
        """The words that a reader of the page can see; nothing else may become a value."""
        return tuple(word for word in self.words if not word.is_hidden)


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What a reader made of one file. notes: sentences for whoever reviews it (hidden text, pages left out)."""

    media_type: str
    pages: tuple[Page, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another reading of a field. why: what makes it one, in words."""

    value: str
    raw: str
    page: int
    region: Box
    why: str


@dataclass(frozen=True, slots=True)
class FoundField:
    """One field with the words it quotes.

    value: normalised; "" where several readings are plausible, which then are the alternatives. raw: the words as they
    stand on the page, and region where. confidence: of the least certain word quoted. how: what it was found by.
    """

    name: Name
    value: str
    raw: str
    page: int
    region: Box
    how: str
    confidence: float = 1.0
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, slots=True)
class LineItem:
    """One row of an invoice or receipt. amount: as in its last column; the others "" where there is no such column."""

    description: str
    quantity: str
    unit_price: str
    gst: str
    amount: str
    raw: str
    page: int
    region: Box


@dataclass(frozen=True, slots=True)
class StatementRow:
    """One row of a bank statement. amount: money in is above nil, out below; "" where what is printed was not read.
    balance: "" where none is printed.

    amount_turns, balance_turns: it stands in a statement with one column of amounts, and says neither CR nor DR, so
    that which way it runs depends on the statement.
    """

    date: str
    description: str
    amount: str
    balance: str
    raw: str
    page: int
    region: Box
    amount_turns: bool = False
    balance_turns: bool = False


class State(StrEnum):
    """How a check went."""

    PASSED = "passed"
    FAILED = "failed"  # blocks approval
    NOT_CHECKED = "not checked"  # something it needs was not found


@dataclass(frozen=True, slots=True)
class Check:
    """One computation over what was read. sentence: what was compared and how it came out."""

    name: str
    state: State
    sentence: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that was found in one document; a field not found is absent."""

    kind: Kind
    fields: tuple[FoundField, ...] = ()
    lines: tuple[LineItem, ...] = ()
    rows: tuple[StatementRow, ...] = ()
    checks: tuple[Check, ...] = ()

    def field(self, name: Name) -> FoundField | None:
        """The field of that name, None if it was not found."""
        return next((found for found in self.fields if found.name == name), None)

    def value(self, name: Name) -> str:
        """Its normalised value; "" if it was not found or is undecided."""
        found = self.field(name)
        return found.value if found else ""

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that block approval."""
        return tuple(check for check in self.checks if check.state is State.FAILED)
