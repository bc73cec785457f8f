"""What the ledger says of the figures named, on the days asked about: one answer, several that could be meant, or none.

A time that the ledger lacks is refused; the row of another time is never borrowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from research.figures.asked import FigureQuestion
from research.figures.ledger import Figure, Row
from research.figures.names import FigureIndex, Match
from research.terms import Window


class Found(StrEnum):
    ONE = "one"
    SEVERAL = "several"
    NOT_THEN = "not_then"


@dataclass(frozen=True, slots=True)
class Held:
    """A figure with one of its rows."""

    figure: Figure
    row: Row


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What was found. rows: the answer, or all that could be meant; for "not_then", the figures say what is held."""

    found: Found
    rows: tuple[Held, ...]
    figures: tuple[Figure, ...]


def look_up(asked: FigureQuestion, window: Window, index: FigureIndex) -> LookedUp | None:
    """What the ledger holds of what is asked for; None where the question names no figure of it."""
    match = _cited(index.match(asked.named), asked)
    if not match.figures:
        return None
    rows = [Held(figure, row) for figure in match.figures for row in figure.rows_in(window)]
    if not rows:
        return LookedUp(Found.NOT_THEN, (), match.figures)
    if _is_one_answer(rows):
        return LookedUp(Found.ONE, tuple(rows), match.figures) if match.is_sure else None
    return LookedUp(Found.SEVERAL, tuple(rows), match.figures)


def _is_one_answer(rows: Sequence[Held]) -> bool:
    """One value of one figure; or, of figures that answer together, one value each."""
    values: dict[str, set[str]] = {}
    for held in rows:
        values.setdefault(held.figure.key, set()).add(held.row.shown)
    together = {held.figure.together for held in rows}
    is_one_figure = len(values) == 1 or (len(together) == 1 and "" not in together)
    return is_one_figure and all(len(each) == 1 for each in values.values())


def _cited(match: Match, asked: FigureQuestion) -> Match:
    """The match, unless the question cites a provision that sets none of its figures."""
    if not asked.cites:
        return match
    set_by = {(row.set_by.act, row.set_by.section) for figure in match.figures for row in figure.rows}
    fits = all(
        any(section.lower() == set_section.lower() and act in ("", set_act) for set_act, set_section in set_by)
        for act, section in asked.cites
    )
    return match if fits else Match()
