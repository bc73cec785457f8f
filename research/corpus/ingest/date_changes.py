"""What happened to one provision, put together from every compilation whose endnotes list it.

Pure. Endnotes are cumulative, so an event stands in many of them; where it is first listed, and where it is not listed
yet, bounds its days. An Act is cited once for a provision however often it amends it, so a day after the first listing
may be that of a further change by the same Act. What follows for wordings is `date.py`'s.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from research.corpus.ingest.history import BEGINNINGS, ENDS, MAY_BE_PENDING, Effect, Event

_NOT_TEXTUAL = frozenset({Effect.MODIFIED})
_COMPILATION = re.compile(r"C(\d+)")

_ONE_DAY = timedelta(days=1)

Listing = tuple[date, tuple[Event, ...]]
"""(a compilation's day, what its endnotes list of the provision)."""


@dataclass(frozen=True, slots=True)
class Change:
    """One event that took effect on the text.

    event: as the newest endnotes have it. days: those of its days on which it may have made the text that first lists
    it. later: its days after that, on which the same Act may have changed the provision again. is_open: its days are
    not known, or not all; it lies after `after` (None: any time), and on `by` at the latest, the day of the compilation
    that first lists it.
    """

    event: Event
    days: tuple[date, ...]
    later: tuple[date, ...]
    is_open: bool
    after: date | None
    by: date

    def may_act(self, low: date | None, high: date) -> bool:
        """Whether it may have changed the text on some day from `low` to `high`, both included."""
        return any(self.days_within(low, high)) or self.is_unknown_within(low, high)

    def days_within(self, low: date | None, high: date) -> Iterator[date]:
        return (day for day in (*self.days, *self.later) if (low is None or low <= day) and day <= high)

    def is_unknown_within(self, low: date | None, high: date) -> bool:
        return self.is_open and (self.after is None or self.after < high) and (low is None or low <= self.by)

    @property
    def within(self) -> tuple[date, date] | None:
        """The first and the last day on which it may have acted; None if nothing bounds them."""
        if self.is_open:
            return None if self.after is None else (self.after + _ONE_DAY, self.by)
        every = (*self.days, *self.later)
        return (min(every), max(every)) if self.days else None

    def is_not_yet_in(self, day: date) -> bool:
        """Whether a compilation of `day` was made before this was law, whatever the day it commenced on."""
        return self.event.assent is not None and day < self.event.assent and day < self.by

    @property
    def proven_day(self) -> date | None:
        """The day on which it certainly acted."""
        return self.days[0] if len(self.days) == 1 and not self.is_open else None


def changes_of(listings: Sequence[Listing], days: Sequence[date], numbers: Sequence[int | None]) -> list[Change]:
    """The changes that `listings` (in order of their days) tell of.

    days, numbers: of every compilation that says something of the provision, in order, with or without endnotes.
    """
    first: dict[tuple[Effect, str, int], int] = {}
    settled: dict[tuple[Effect, str, int], int] = {}  # where it is first listed and not pending in any part
    newest: dict[tuple[Effect, str, int], Event] = {}
    for at, (_, events) in enumerate(listings):
        if at and events == listings[at - 1][1]:
            continue
        seen: Counter[tuple[Effect, str]] = Counter()
        for event in events:
            if not event.is_applied or event.effect in _NOT_TEXTUAL:
                continue
            seen[event.effect, event.act] += 1
            key = (event.effect, event.act, seen[event.effect, event.act])
            first.setdefault(key, at)
            if event.unresolved != MAY_BE_PENDING:
                settled.setdefault(key, at)
            if key not in newest or not event.unresolved or newest[key].unresolved:
                newest[key] = event
    last = len(listings) - 1
    return [_change(newest[key], listings, (at, settled.get(key, last)), days, numbers) for key, at in first.items()]


def _change(
    event: Event, listings: Sequence[Listing], at: tuple[int, int], days: Sequence[date], numbers: Sequence[int | None]
) -> Change:
    """at: the listings that have it first, and first as done."""
    by, unlisted = listings[at[1]][0], listings[at[0] - 1][0] if at[0] else None
    became_law_after = unlisted is not None and event.assent is not None and unlisted < event.assent
    ruled_out = None if became_law_after else unlisted
    acted = tuple(day for day in event.days if day <= by and (ruled_out is None or ruled_out < day))
    later = tuple(day for day in event.days if by < day)
    is_open = bool(event.unresolved) or not (acted or (event.days and len(later) == len(event.days)))
    if is_open:
        unlisted, by = _bounds(event, unlisted, by, days, numbers)
    return Change(event, acted, later, is_open, unlisted, by)


def _bounds(
    event: Event, after: date | None, by: date, days: Sequence[date], numbers: Sequence[int | None]
) -> tuple[date | None, date]:
    """Between which compilations an event of unknown days came in.

    One made before the Act was assented to cannot have it, and that it reached back before that is not taken without
    proof. An editorial change names the compilation it was made in.
    """
    made_in = _COMPILATION.fullmatch(event.act) if event.effect is Effect.EDITORIAL else None
    if made_in:
        number = int(made_in.group(1))
        without = [day for day, n in zip(days, numbers, strict=True) if n is not None and n < number]
        within = [day for day, n in zip(days, numbers, strict=True) if n is not None and number <= n]
        after, by = max([*without, *([after] if after else [])], default=None), min([*within, by])
    elif event.assent is not None:
        before = bisect_left(days, min(event.assent, by))
        after = max([day for day in (after, days[before - 1] if before else None) if day], default=None)
    return after, by


@dataclass(frozen=True, slots=True)
class Turn:
    """A day on which the text changed, or may have changed at the earliest or at the latest, and by what."""

    day: date
    change: Change

    @property
    def is_before_assent(self) -> bool:
        return self.change.event.assent is not None and self.day < self.change.event.assent


@dataclass(frozen=True)
class Changes:
    """All changes of a provision. until: the day of the newest compilation whose endnotes list it, None for none."""

    every: Sequence[Change]
    until: date | None

    @cached_property
    def made_before_assent(self) -> list[Change]:
        """Those that may have commenced before they were law."""
        return [c for c in self.every if c.days and c.event.assent is not None and c.days[0] < c.event.assent]

    @cached_property
    def _bounded(self) -> tuple[list[date], list[Change]]:
        """The first days of changes that are bounded, in order, and the changes."""
        bounded = sorted((c.within[0], at) for at, c in enumerate(self.every) if c.within)
        return [first for first, _ in bounded], [self.every[at] for _, at in bounded]

    @cached_property
    def _ends(self) -> list[Change]:
        return [c for c in self.every if c.event.effect in ENDS and not c.is_open]

    def tell_of(self, day: date) -> bool:
        """Whether some endnotes list all that was done to the text of the compilation of `day`."""
        return self.until is not None and day <= self.until

    def turns(self, low: date | None, high: date) -> tuple[Turn, Turn] | None:
        """The first and the last day from `low` (None: ever) to `high` on which the text may have changed.

        None if no change is listed there, or one whose day is not known may lie there. On one day a beginning comes
        before an amendment, and an end after it.
        """
        if any(change.is_unknown_within(low, high) for change in self.every):
            return None
        found = [Turn(day, change) for change in self.every for day in change.days_within(low, high)]
        if not found:
            return None
        found.sort(key=lambda t: (t.day, t.change.event.effect in ENDS, t.change.event.effect not in BEGINNINGS))
        return found[0], next(turn for turn in found if turn.day == found[-1].day)

    def are_none(self, low: date, high: date) -> bool:
        return not any(change.may_act(low, high) for change in self.every)

    def part(self, low: date, high: date) -> bool:
        """Whether the provision was certainly repealed and added again from `low` to `high`."""
        if not any(_is_within(change, low, high) for change in self._ends):
            return False
        return any(c.event.effect in BEGINNINGS and not c.is_open and _is_within(c, low, high) for c in self.every)

    def are_several(self, low: date, high: date) -> bool:
        """Whether the text certainly changed from `low` to `high`, and perhaps more than once: and so back."""
        starts, bounded = self._bounded
        within = bounded[bisect_left(starts, low) : bisect_right(starts, high)]
        if not any(change.within[1] <= high for change in within if change.within):
            return False
        acting = [change for change in self.every if change.may_act(low, high)]
        days = {day for change in acting for day in change.days_within(low, high)}
        return len(days) + sum(change.is_unknown_within(low, high) for change in acting) > 1

    def may_end_on(self, day: date) -> bool:
        return any(day in change.days for change in self._ends)

    def begun_by(self, day: date) -> date | None:
        """The earliest day on which the life of the provision that it had on `day` can have begun."""
        begun = [c for c in self.every if c.event.effect in BEGINNINGS and not c.is_open and c.days]
        return max((c.days[0] for c in begun if c.days[-1] <= day), default=None)

    def ended_within(self, low: date, high: date) -> date | None:
        """The latest day on which a life that the provision had before `low` can have ended by `high`."""
        return min((c.days[-1] for c in self._ends if _is_within(c, low, high)), default=None)


def _is_within(change: Change, low: date, high: date) -> bool:
    return bool(change.days) and low <= change.days[0] and change.days[-1] <= high
