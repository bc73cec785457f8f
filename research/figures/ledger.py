"""The figure ledger as values: figures with their rows, scales of tax with their bands, and how an amount is written.

Pure. What a YAML file must hold, and what is said when it does not, is the adapter's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from research.law.provision import authority_of
from research.terms import Window

KNOWN_TO = date(2027, 6, 30)  # read against its sources in the income year that ends here
THIRD = "33 1/3"  # the one value of the law here that no decimal writes


@dataclass(frozen=True, slots=True)
class SetBy:
    """The provision that sets a figure: by act, section and schedule where the Act has a code, else in free text."""

    act: str = ""
    section: str = ""
    schedule: str = ""
    pinpoint: str = ""
    text: str = ""

    @property
    def shown(self) -> str:
        """ "GSTA99 s 23-15(1)", or the free text."""
        return self.text or f"{authority_of(self.act, self.section, self.schedule)}{self.pinpoint}"


def known_to(starts: date) -> date:
    """The last day that a value with no known end is answered for: what comes later nobody knows.

    The end of the income year in which the ledger was last read against its sources; of a value enacted ahead, the year
    in which it begins.
    """
    return max(KNOWN_TO, starts + timedelta(days=364))


@dataclass(frozen=True, slots=True)
class Row:
    """One value with its days, both included; ends None where no end is known.

    value: "9.5", "75000", "33 1/3", or words where unit is "text". in_text: what the test corpus was seen to hold;
    never believed when answering. by: the instrument under the provision that fixes the value, "" for none.
    """

    value: str
    unit: str
    starts: date
    ends: date | None
    set_by: SetBy
    source: str
    confidence: str
    in_text: bool = False
    by: str = ""
    note: str = ""

    @property
    def shown(self) -> str:
        return UNITS[self.unit](self.value)

    @property
    def number(self) -> Decimal | None:
        """The value as a number, None for words and thirds."""
        return Decimal(self.value) if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", self.value) else None

    def meets(self, window: Window) -> bool:
        """Whether any day of the row is a day asked about."""
        return self.starts <= window.last and window.first <= (self.ends or known_to(self.starts))

    def within(self, window: Window) -> Window:
        """The days of the window on which the row holds; the two must meet."""
        return Window(max(self.starts, window.first), min(self.ends or window.last, window.last))


@dataclass(frozen=True, slots=True)
class Figure:
    """A rate, threshold, cap or factor that has a name, and its values through time.

    names: the ways it is asked for, each whole. short: names that do so once the question asks for an amount of this
    figure's kind ("how much is the GST"). also: words that may stand beside a name and change nothing. beside: words of
    which one must stand in a quote of the value; any quote will do where there are none. together: figures that answer
    as one ("base" and "per year of service"). is_fbt_year: whether its years end on 31 March.
    """

    key: str
    name: str
    unit: str
    names: tuple[str, ...]
    rows: tuple[Row, ...]
    short: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    together: str = ""
    is_fbt_year: bool = False

    def rows_in(self, window: Window) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.meets(window))


@dataclass(frozen=True, slots=True)
class Band:
    """A part of taxable income and its rate in per cent. over: exclusive; to: inclusive, None for no end.

    of_all: the rate is on the whole income, once it is over.
    """

    over: Decimal
    to: Decimal | None
    rate: Decimal
    of_all: bool = False


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """The bands of some years, contiguous from nil to the open end."""

    starts: date
    ends: date | None
    bands: tuple[Band, ...]
    source: str
    confidence: str
    note: str = ""

    def meets(self, window: Window) -> bool:
        return self.starts <= window.last and window.first <= (self.ends or known_to(self.starts))


@dataclass(frozen=True, slots=True)
class Scale:
    """Rates of tax on taxable income for one kind of payer: "resident", "foreign_resident" …"""

    key: str
    name: str
    set_by: SetBy
    rows: tuple[ScaleRow, ...]

    def rows_in(self, window: Window) -> tuple[ScaleRow, ...]:
        return tuple(row for row in self.rows if row.meets(window))


@dataclass(frozen=True, slots=True)
class Ledger:
    """All figures and scales. digest: sha256 hex over what they were read from; sources: publication by key."""

    figures: tuple[Figure, ...] = ()
    scales: tuple[Scale, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""

    @property
    def identity(self) -> str:
        """What a replay compares: the first 12 characters of the digest."""
        return self.digest[:12]

    def figure(self, key: str) -> Figure:
        """Raises KeyError for a key that the ledger lacks."""
        return {figure.key: figure for figure in self.figures}[key]

    def scale(self, key: str) -> Scale:
        """Raises KeyError for a key that the ledger lacks."""
        return {scale.key: scale for scale in self.scales}[key]


EMPTY = Ledger()


# How amounts are written


def dollars(amount: Decimal | str) -> str:
    """ "$75,000", "$8.83": cents only where there are any."""
    number = Decimal(amount)
    return f"${number:,.0f}" if number == number.to_integral_value() else f"${number:,.2f}"


def percent(value: Decimal | str) -> str:
    return f"{value}%"


def _money(after: str = "", before: str = "") -> Callable[[str], str]:
    return lambda value: f"{before}{dollars(value)}{after}"


UNITS: Mapping[str, Callable[[str], str]] = {
    "percent": percent,
    "percent_income": lambda value: f"{value}% of assessable income",
    "points_up_to": lambda value: f"up to {value} percentage points",
    "factor": str,
    "dollars": _money(),
    "dollars_under": _money(before="under "),
    "dollars_less": _money(before="less than "),
    "dollars_least": _money(" or more"),
    "dollars_or_less": _money(" or less"),
    "dollars_quarter": _money(" a quarter"),
    "dollars_month": _money(" a month"),
    "dollars_day": _money(" a day"),
    "cents_km": lambda value: f"{value} cents a kilometre",
    "km": lambda value: f"{int(value):,} kilometres",
    "litres": lambda value: f"{value} L per 100 km",
    "years": lambda value: f"{value} years",
    "months_least": lambda value: f"at least {value} months",
    "text": str,
}


def kind_of(unit: str) -> str:
    """What a value of this unit is, as a question writes it: "percent", "money", "number", or "" for words."""
    if unit.startswith(("percent", "points")):
        return "percent"
    return "money" if unit.startswith("dollars") else "" if unit == "text" else "number"


def gaps_in(bands: Sequence[Band]) -> str:
    """What keeps the bands from being whole, in words; "" when they cover every income once."""
    reached: Decimal | None = Decimal(0)
    for band in bands:
        if reached is None or band.over != reached:
            return f"the band over {band.over} does not begin where the one before it ends ({reached})"
        reached = band.to
    return "" if bands and reached is None else f"no band goes beyond {reached}"
