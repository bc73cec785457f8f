"""Where the bars of a small chart stand: amounts in, places in an SVG out. Bars grow both ways from the line of nil."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle. series: which of the amounts of its column, from 0."""

    x: float
    y: float
    width: float
    height: float
    series: int


@dataclass(frozen=True, slots=True)
class Columns:
    """The bars of a chart, column by column; `nil`: the height at which nothing is; `middles`: of each column."""

    bars: tuple[Bar, ...]
    nil: float
    middles: tuple[float, ...]


def columns(amounts: Sequence[Sequence[int]], width: float, height: float) -> Columns:
    """Bars side by side: of each column as many as it has amounts, one scale for all; an amount of nil has none.

    Places are to a tenth. The least that is shown of an amount is one unit.
    """
    every = [amount for column in amounts for amount in column]
    highest, lowest = max([0, *every]), min([0, *every])
    span = (highest - lowest) or 1
    nil = height * highest / span
    step = width / max(1, len(amounts))
    bars = []
    for place, column in enumerate(amounts):
        each = step * 0.72 / max(1, len(column))
        for series, amount in enumerate(column):
            if amount:
                tall = max(1.0, height * abs(amount) / span)
                top = nil - tall if amount > 0 else nil
                left = place * step + step * 0.14 + series * each
                bars.append(Bar(round(left, 1), round(top, 1), round(each, 1), round(tall, 1), series))
    return Columns(tuple(bars), round(nil, 1), tuple(round((place + 0.5) * step, 1) for place in range(len(amounts))))


def share(amount: int, most: int) -> int:
    """How much of a hundred this is of the most, at least 1 of what is not nil; what is below nil has none."""
    return max(1, round(100 * amount / most)) if amount > 0 and most > 0 else 0
