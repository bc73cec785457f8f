"""The days that each text claims for itself: its compilation's own day, or those that its publisher states.

Pure. Where two texts claim a day, the later has it; and the law is told as it is now understood, so an Act that
commenced before its assent takes days from the texts made in the meantime. What lies between windows is `date.py`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from research.corpus.ingest.date_changes import Change, Changes, Turn
from research.corpus.ingest.history import Event, Stated

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the compilation of `day` says of one provision.

    wording: its name, or None where the provision is absent although the compilation holds its Division.
    omitted: the wording is a placeholder, not words of law. number: the compilation's in the Register, if known.
    events: what its endnotes list of the provision; None if they were not read, and empty ones say nothing either.
    stated: the days on which the publisher says that this text was in force; they take the place of `day`, which is in
    force only if it is one of them.
    """

    day: date
    wording: str | None
    omitted: bool = False
    number: int | None = None
    events: tuple[Event, ...] | None = None
    stated: Stated | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """Days on which one sighting's text was the law, half-open; None is no end known.

    cut: the retrospective change that took the days from `ends` on away, None if none did.
    is_doubted: from `ends` on the endnotes leave it in doubt.
    """

    sighting: Sighting
    starts: date
    ends: date | None
    cut: Turn | None = None
    is_doubted: bool = False

    def may_be_displaced_by(self, change: Change) -> bool:
        """Whether `change`, of which this text's makers could not know yet, may have commenced before it was made."""
        return change.days[0] <= self.sighting.day and change.is_not_yet_in(self.sighting.day)

    def is_doubtful(self, changes: Changes) -> bool:
        """Whether this may not be the text of its day as the law is now understood, without proof that it is not."""
        late = changes.made_before_assent
        return any(self.may_be_displaced_by(change) and change.proven_day is None for change in late)


def windows_of(known: Sequence[Sighting], changes: Changes) -> list[Window]:
    """The windows of `known` (in order of their days), in time order; they do not overlap.

    A text whose days were all taken has none.
    """
    found: list[Window] = []
    limit: date | None = None
    for sighting in reversed(known):
        starts, ends = _claimed(sighting)
        if limit is not None and (ends is None or limit < ends):
            ends = limit
        if ends is None or starts < ends:
            found.append(Window(sighting, starts, ends))
            limit = starts
    found.reverse()
    found = [_short_of_contradiction(window, changes) for window in found]
    return _as_now_understood(found, changes) if changes.made_before_assent else found


def _claimed(sighting: Sighting) -> tuple[date, date | None]:
    stated = sighting.stated
    if stated is None:
        return sighting.day, sighting.day + ONE_DAY
    return stated.starts, stated.ends


def _as_now_understood(windows: Sequence[Window], changes: Changes) -> list[Window]:
    found: list[Window] = []
    for window in windows:
        left = _left_of(window, changes)
        if left and not (found and _reaches(found[-1], left.starts)):
            found.append(left)
    return found


def _reaches(window: Window, day: date) -> bool:
    return window.ends is None or day < window.ends


def _left_of(window: Window, changes: Changes) -> Window | None:
    """What proven retrospective changes leave of a window: its first days, or the day before the change, or nothing.

    The text is that of the day before the change only if no other change may part that day from the compilation.
    """
    window = _short_of_doubt(window, changes)
    unknown_then = [c for c in changes.made_before_assent if c.proven_day and c.is_not_yet_in(window.sighting.day)]
    taking = [Turn(c.days[0], c) for c in unknown_then if _reaches(window, c.days[0])]
    if not taking:
        return window
    cut = min(taking, key=lambda turn: turn.day)
    if window.starts < cut.day:
        return replace(window, ends=cut.day, cut=cut)
    others = (change for change in changes.every if change not in unknown_then)
    if any(change.may_act(cut.day, window.starts) for change in others):
        return None
    return replace(window, starts=cut.day - ONE_DAY, ends=cut.day, cut=cut)


def _short_of_doubt(window: Window, changes: Changes) -> Window:
    """The window up to the first day on which a change of unproven day may have taken it; its own day stays."""
    day = window.sighting.day
    doubts = [c.days[0] for c in changes.made_before_assent if c.proven_day is None and c.is_not_yet_in(day)]
    first = min(doubts, default=None)
    if first is None or not _reaches(window, first):
        return window
    ends = max(first, day + ONE_DAY)
    return replace(window, ends=ends, is_doubted=True) if window.starts < ends and _reaches(window, ends) else window


def _short_of_contradiction(window: Window, changes: Changes) -> Window:
    """The window up to a change that endnotes place inside it: after that, not both can be right."""
    if window.ends is None or window.ends <= window.sighting.day + ONE_DAY:
        return window
    inside = (change.within for change in changes.every if change.within and not change.is_open)
    day = window.sighting.day
    firsts = [first for first, last in inside if max(day, window.starts) < first and last < window.ends]
    return replace(window, ends=min(firsts), is_doubted=True) if firsts else window
