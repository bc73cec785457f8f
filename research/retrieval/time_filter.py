"""The wall of time: which passages may be seen for the days asked about.

The store filters in SQL, with the integers that `day_bounds` gives; `assert_in_window` stands behind it and
looks at every passage again before a step may read it. Nothing here ranks: a passage is inside or it is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from research.terms import Passage, Window

EPOCH = date(1970, 1, 1)
NO_END_DAY = 2_147_483_647  # the largest Postgres integer: certain with no end known
NEVER = (NO_END_DAY, -NO_END_DAY - 1)  # days that meet no window: of words that nothing is known of any more


class OutOfPeriod(Exception):
    """A passage reached a step although its words are not certain on any day asked about: a defect, never an answer."""


@dataclass(frozen=True, slots=True)
class DayBounds:
    """The days asked about as days since 1 January 1970, both ends included."""

    first_day: int
    last_day: int


def day_number(day: date) -> int:
    """Days from 1 January 1970 to `day`; negative before it."""
    return (day - EPOCH).days


def day_bounds(window: Window) -> DayBounds:
    """`window` as day integers.

    A half-open range [from_day, to_day) meets it when from_day <= last_day and to_day > first_day.
    Raises ValueError when the window ends before it begins.
    """
    if window.last < window.first:
        raise ValueError(f"the window runs from {window.first} to {window.last}; give a last day on or after the first")
    return DayBounds(day_number(window.first), day_number(window.last))


def meets(from_day: int, to_day: int, bounds: DayBounds) -> bool:
    """Whether the half-open range [from_day, to_day) has a day in common with `bounds`: the store's SQL, in Python."""
    return from_day < to_day and from_day <= bounds.last_day and to_day > bounds.first_day


def is_certain(passage: Passage, window: Window) -> bool:
    """Whether the passage's words are known to have been the law on some day of `window`."""
    to_day = NO_END_DAY if passage.certain_to is None else day_number(passage.certain_to)
    return meets(day_number(passage.certain_from), to_day, day_bounds(window))


def assert_in_window(passages: Iterable[Passage], window: Window) -> None:
    """Raises OutOfPeriod, naming the first passage whose words are not certain on any day of `window`."""
    for passage in passages:
        if not is_certain(passage, window):
            until = passage.certain_to or "no end known"
            raise OutOfPeriod(
                f"{passage.authority} (chunk {passage.chunk_id}) is certain from {passage.certain_from} to {until}, "
                f"outside {window.first} to {window.last}; the search must remove it before anything is scored"
            )
