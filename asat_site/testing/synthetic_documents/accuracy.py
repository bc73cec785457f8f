"""How much of what made-up documents say is read: field by field, by where the words came from.

A field is right when its value is the truth, and when both are blank; a value where there is none is *invented*.
A date with two readings is right undecided with both shown. Names are compared without regard to case and spaces, lines
and rows all or nothing. The figure is of documents that this project made: it says nothing of anyone's own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from asat_site.testing.synthetic_documents.facts import Truth
from clients.extraction.terms import Extraction, Name

DATES = (Name.DATE, Name.DUE_DATE)
_LIKE_NAMES = (Name.SUPPLIER, Name.PAYMENT_TERMS)


@dataclass(frozen=True, slots=True)
class Judged:
    """One field of one document. outcome: right, open (right, undecided), missed, wrong or invented."""

    number: int
    layout: str
    source: str
    field: str
    outcome: str
    wanted: str = ""
    found: str = ""

    @property
    def is_right(self) -> bool:
        return self.outcome in ("right", "open")


@dataclass(frozen=True, slots=True)
class Counted:
    """Right of all, with the exact 95 % bounds of the share."""

    right: int
    of: int

    @property
    def share(self) -> float:
        return self.right / self.of if self.of else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Clopper and Pearson's."""
        return (
            0.0 if self.right == 0 else _solved(self.right - 1, self.of, 0.975),
            1.0 if self.right == self.of else _solved(self.right, self.of, 0.025),
        )


def judge(number: int, layout: str, source: str, truth: Truth, read: Extraction) -> list[Judged]:
    """Every field of a document, judged; its kind, lines and rows as well."""
    outcomes = [("kind", "right" if read.kind is truth.kind else "wrong", truth.kind.value, read.kind.value)]
    for name, wanted in truth.fields.items():
        found = read.value(name)
        outcomes.append((name.value, _outcome(name, wanted, found, truth, read), wanted, found))
    if truth.lines:
        lines = [(item.description, item.amount) for item in read.lines]
        outcomes.append(("line items", _listed(truth.lines, lines), f"{len(truth.lines)} lines", str(len(lines))))
    if truth.rows:
        rows = [(row.date, row.amount, row.balance) for row in read.rows]
        outcomes.append(("statement rows", _listed(truth.rows, rows), f"{len(truth.rows)} rows", str(len(rows))))
    return [Judged(number, layout, source, *each) for each in outcomes]


def counted(judged: Iterable[Judged], by: str) -> dict[str, Counted]:
    """Right of all for each value of an attribute."""
    right, of = Counter[str](), Counter[str]()
    for each in judged:
        key = getattr(each, by)
        of[key] += 1
        right[key] += each.is_right
    return {key: Counted(right[key], of[key]) for key in of}


def table(judged: Sequence[Judged]) -> Iterator[str]:
    """The lines of a Markdown table: a row for each field and one over all, a column for each source."""
    sources = sorted({each.source for each in judged}, key=("text", "scan", "photo").index)
    yield f"| field | {' | '.join(sources)} | all | 95 % bounds |"
    yield f"|---|{'---|' * (len(sources) + 2)}"
    for field in [*dict.fromkeys(each.field for each in judged), "all fields"]:
        of_field = [each for each in judged if field in (each.field, "all fields")]
        whole = Counted(sum(each.is_right for each in of_field), len(of_field))
        by_source = counted(of_field, "source")
        cells = [_cell(by_source.get(source)) for source in sources]
        low, high = whole.bounds
        yield f"| {field.replace('_', ' ')} | {' | '.join(cells)} | {_cell(whole)} | {low:.1%}–{high:.1%} |"


def _cell(count: Counted | None) -> str:
    return f"{count.share:.1%} ({count.right}/{count.of})" if count and count.of else "–"


def _outcome(name: Name, wanted: str, found: str, truth: Truth, read: Extraction) -> str:
    if found == wanted or (name in _LIKE_NAMES and squeezed(found) == squeezed(wanted)):
        return "right"
    if not found:
        field = read.field(name)
        is_open = name in DATES and field is not None and wanted in [each.value for each in field.alternatives]
        is_fair = is_open and (name is Name.DUE_DATE or truth.date_is_open)
        return "open" if is_fair else "missed"
    return "wrong" if wanted else "invented"


def _listed(wanted: Sequence[tuple[str, ...]], found: Sequence[tuple[str, ...]]) -> str:
    same = [tuple(map(squeezed, each)) for each in wanted] == [tuple(map(squeezed, each)) for each in found]
    return "right" if same else ("missed" if not found else "wrong")


def squeezed(text: str) -> str:
    """Without case and spaces."""
    return "".join(text.casefold().split())


def _solved(most: int, of: int, level: float) -> float:
    """The share at which so many or fewer of all are right with that probability."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(most, of, middle) > level else (low, middle)
    return low


def _at_most(most: int, of: int, share: float) -> float:
    if share in (0.0, 1.0):
        return 1.0 - share
    log = math.log
    return sum(
        math.exp(
            math.lgamma(of + 1)
            - math.lgamma(k + 1)
            - math.lgamma(of - k + 1)
            + k * log(share)
            + (of - k) * log(1 - share)
        )
        for k in range(most + 1)
    )
