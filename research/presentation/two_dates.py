"""A provision compared between any two times: which wordings those are, or why one of them cannot be said.

The same rule as for one time: of several wordings known within an income year the last is taken, and where none is
known none is picked; the nearest are offered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from research.corpus.queries import ProvisionPage, VersionLine
from research.law.provision import describe_days, in_words
from research.presentation import words
from research.presentation.as_at import AsAt
from research.presentation.compare import words_changed
from research.presentation.marks import Piece
from research.presentation.wordings import names_of
from research.terms import Window


@dataclass(frozen=True, slots=True)
class Dates:
    """What is to be compared: the words of one time with those of another."""

    first: AsAt
    second: AsAt

    @property
    def query(self) -> dict[str, str]:
        return {"from": self.first.value, "to": self.second.value}


@dataclass(frozen=True, slots=True)
class Offer:
    """A wording near a time whose own is not known. query: the comparison with it in that time's place."""

    label: str
    query: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A time whose wording is not known, and the nearest wordings that are."""

    says: str
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is said of the two times. says: "" where a wording is not known; is_same: there is nothing to mark.

    heading: the newer heading with what changed in it, () where nothing did. notes: what was taken of a year that has
    several wordings.
    """

    first: str
    second: str
    says: str
    is_same: bool
    unknown: tuple[Unknown, ...]
    heading: tuple[Piece, ...]
    notes: tuple[str, ...]


def wordings_on(versions: Sequence[VersionLine], window: Window) -> list[VersionLine]:
    """Those known to have been in force on a day of `window`, oldest first."""
    return [
        version
        for version in versions
        if version.certain_from <= window.last and (version.certain_to is None or version.certain_to > window.first)
    ]


def pair_of(page: ProvisionPage, dates: Dates) -> tuple[VersionLine, VersionLine] | None:
    """The wordings of the two times; None where one is not known."""
    first, second = (wordings_on(page.versions, each.window) for each in (dates.first, dates.second))
    return (first[-1], second[-1]) if first and second else None


def comparison_of(page: ProvisionPage, dates: Dates, same_text: bool) -> Comparison:
    """What to say of the two times. same_text: the texts of the pair are equal, character by character."""
    pair = pair_of(page, dates)
    names = names_of(page.versions)
    heading: tuple[Piece, ...] = ()
    is_same = False
    if pair is None:
        says = ""
    else:
        old, new = pair
        heading = words_changed(old.heading, new.heading) if old.heading != new.heading else ()
        is_same = same_text and not heading
        says = _told(dates, pair, names, is_same=is_same)
    return Comparison(
        dates.first.value,
        dates.second.value,
        says,
        is_same,
        tuple(
            _unknown(page, dates, names, is_first=each is dates.first)
            for each in (dates.first, dates.second)
            if not wordings_on(page.versions, each.window)
        ),
        heading,
        tuple(_several(page, each, names) for each in (dates.first, dates.second) if _count(page, each) > 1),
    )


def _told(dates: Dates, pair: tuple[VersionLine, VersionLine], names: dict[int, str], *, is_same: bool) -> str:
    old, new = pair
    both = f"The words {dates.first.within} and {dates.second.within} are the same"
    if old.id == new.id:
        return f"{both}: {names[old.id]}, {describe_days(old.certain_from, old.certain_to)}."
    if is_same:
        return f"{both}; {names[new.id]} stands elsewhere in the Act."
    first, second = dates.first.label, dates.second.label
    return f"{second} ({names[new.id]}) compared with {first} ({names[old.id]})"


def _count(page: ProvisionPage, as_at: AsAt) -> int:
    return len(wordings_on(page.versions, as_at.window))


def _several(page: ProvisionPage, as_at: AsAt, names: dict[int, str]) -> str:
    found = wordings_on(page.versions, as_at.window)
    return f"{as_at.label} had {len(found)} wordings; the last of them, {names[found[-1].id]}, is compared."


def _unknown(page: ProvisionPage, dates: Dates, names: dict[int, str], *, is_first: bool) -> Unknown:
    as_at = dates.first if is_first else dates.second
    before = [v for v in page.versions if v.certain_to is not None and v.certain_to <= as_at.window.first]
    after = [v for v in page.versions if v.certain_from > as_at.window.last]
    offers = []
    if before and (last := words.last_day(before[-1].certain_to)):
        label = f"{names[before[-1].id]}, known until {in_words(last)}"
        offers.append(Offer(label, _with(dates, last.isoformat(), is_first=is_first)))
    if after:
        starts = after[0].certain_from
        label = f"{names[after[0].id]}, known from {in_words(starts)}"
        offers.append(Offer(label, _with(dates, starts.isoformat(), is_first=is_first)))
    return Unknown(f"The wording {as_at.within} is not known, so it cannot be compared.", tuple(offers))


def _with(dates: Dates, day: str, *, is_first: bool) -> str:
    return urlencode({**dates.query, "from" if is_first else "to": day})
