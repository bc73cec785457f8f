"""What a report is made of, before it is Markdown or a page: sections with sentences, tables and pictures. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from research.evaluation.intervals import Estimate
from research.evaluation.measured import Share

NONE = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """The first column of each row is its head; the others hold numbers, or words where `is_words`."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_words: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG element as text. Whatever it shows stands in a table of its section too."""

    title: str
    svg: str


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    says: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """is_passed: whether every gate held."""

    title: str
    is_passed: bool
    sections: tuple[Section, ...]


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], is_words: bool = False) -> Table:
    return Table(caption, tuple(head), tuple(tuple(row) for row in rows), is_words)


def in_per_cent(value: float | None) -> str:
    return NONE if value is None else f"{100 * value:.1f} %"


def per_cent(estimate: Estimate | None) -> str:
    """ "84.2 % (81.1–87.0)"."""
    if estimate is None:
        return NONE
    return f"{100 * estimate.value:.1f} % ({100 * estimate.low:.1f}–{100 * estimate.high:.1f})"


def number(estimate: Estimate | None, digits: int = 3) -> str:
    """ "0.842 (0.811–0.870)"."""
    if estimate is None:
        return NONE
    return f"{estimate.value:.{digits}f} ({estimate.low:.{digits}f}–{estimate.high:.{digits}f})"


def share_row(share: Share) -> tuple[str, ...]:
    """Name, count of n, share, exact interval, bootstrap interval."""
    counted = f"{share.count}/{share.n}"
    if not share.n or share.bootstrap is None:
        return share.name, counted, NONE, NONE, NONE
    ranges = (share.exact, (share.bootstrap.low, share.bootstrap.high))
    low_high = tuple(f"{100 * low:.1f}–{100 * high:.1f} %" for low, high in ranges)
    return share.name, counted, in_per_cent(share.value), *low_high


SHARE_HEAD = ("measure", "count", "share", "exact 95 %", "bootstrap 95 %")
