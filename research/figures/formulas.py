"""Figures worked out from those of the ledger, with formula and inputs: tax on an income, GST in a price, and the like.

Decimal arithmetic throughout; a result with a fraction of a cent is rounded to the nearest cent, half a cent upwards
(for GST that is the law: GSTA99 s 9-90(1); for the rest it is this page's arithmetic and no provision's).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

from research.figures.ledger import Band, Scale, ScaleRow, SetBy, dollars, percent
from research.figures.lookup import Held
from research.terms import FigureInput

CENT = Decimal("0.01")
ROUNDED = "rounded to the nearest cent, half a cent upwards"
NO_LEVY = "Medicare levy, offsets and surcharges are not included"


@dataclass(frozen=True, slots=True)
class Computed:
    """A figure worked out. rows: those of the ledger that went in; of a scale there are none, set_by and source say it.

    starts and ends: the days on which all that went in holds.
    """

    key: str
    name: str
    value: Decimal
    formula: str
    inputs: tuple[FigureInput, ...]
    starts: date
    ends: date | None
    set_by: SetBy
    source: str
    confidence: str
    rows: tuple[Held, ...] = ()

    @property
    def shown(self) -> str:
        return dollars(self.value)


def to_cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)


# Tax on a taxable income


def tax_on(income: Decimal, scale: Scale, row: ScaleRow) -> Computed:
    """Tax on a taxable income by the bands of one row, each band an input. Cents of the income are left out."""
    whole = income.quantize(Decimal(1), ROUND_DOWN)
    parts = _parts(whole, row.bands)
    total = to_cents(sum((part * band.rate / 100 for band, part in parts), Decimal(0)))
    return Computed(
        key=f"tax_on_income_{scale.key}",
        name=f"Income tax on a taxable income of {dollars(income)}: {scale.name[:1].lower()}{scale.name[1:]}",
        value=total,
        formula=(
            "Sum over the bands of rate × the part of the income in the band; whole dollars of income, the tax "
            f"{ROUNDED}. {NO_LEVY}."
        ),
        inputs=tuple(_band_input(band, part, scale) for band, part in parts),
        starts=row.starts,
        ends=row.ends,
        set_by=scale.set_by,
        source=row.source,
        confidence=row.confidence,
    )


def _parts(income: Decimal, bands: Sequence[Band]) -> list[tuple[Band, Decimal]]:
    """The bands that the income reaches, each with the part of it that lies there."""
    reached = [band for band in bands if income > band.over] or list(bands[:1])
    if reached[-1].of_all:
        return [(reached[-1], income)]
    return [(band, (income if band.to is None else min(income, band.to)) - band.over) for band in reached]


def _band_input(band: Band, part: Decimal, scale: Scale) -> FigureInput:
    where = (
        f"All of it, over {dollars(band.over)}"
        if band.of_all
        else f"Over {dollars(band.over)}"
        if band.to is None
        else f"{dollars(band.over)} to {dollars(band.to)}"
        if not band.over
        else f"Over {dollars(band.over)} to {dollars(band.to)}"
    )
    tax = to_cents(part * band.rate / 100)
    return FigureInput(where, f"{percent(band.rate)} of {dollars(part)} = {dollars(tax)}", scale.set_by.shown)


# From an amount and one or two rows


def gst_in(price: Decimal, rate: Held) -> Computed:
    """The GST in a price that includes it. Source: GSTA99 ss 9-70, 9-75 (value is 10/11 of the price), 9-90(1)."""
    share = _of(rate)
    value = to_cents(price * share / (100 + share))
    part = f"{share}/{100 + share}" if share != 10 else "1/11"
    formula = f"Price including GST × {part}, {ROUNDED} (GSTA99 s 9-90(1))"
    return _from("gst_in_price", f"GST included in a price of {dollars(price)}", value, formula, price, "Price", rate)


def gst_added(value: Decimal, rate: Held) -> Computed:
    """The GST on a value that does not include it. Source: GSTA99 ss 9-70, 9-90(1)."""
    formula = f"Value without GST × GST rate, {ROUNDED} (GSTA99 s 9-90(1))"
    gst = to_cents(value * _of(rate) / 100)
    return _from("gst_on_value", f"GST on a value of {dollars(value)} without GST", gst, formula, value, "Value", rate)


def grossed_up(value: Decimal, factor: Held) -> Computed:
    """The grossed-up value of a fringe benefit. Source: FBTAA86 s 5B(1B), (1C)."""
    kind = factor.figure.key[-1]
    name = f"Grossed-up value of type {kind} fringe benefits of {dollars(value)}"
    formula = f"Taxable value × gross-up rate, {ROUNDED}"
    return _from(f"grossed_up_type{kind}", name, to_cents(value * _of(factor)), formula, value, "Taxable value", factor)


def fbt_on(value: Decimal, factor: Held, rate: Held) -> Computed:
    """The fringe benefits tax on a taxable value.

    Source: FBTAA86 ss 5B(1B), 5B(1C), 66; Fringe Benefits Tax Act 1986 s 6.
    """
    kind = factor.figure.key[-1]
    name = f"FBT on type {kind} fringe benefits with a taxable value of {dollars(value)}"
    formula = f"Taxable value × gross-up rate × FBT rate, {ROUNDED}"
    tax = to_cents(value * _of(factor) * _of(rate) / 100)
    return _from(f"fbt_type{kind}", name, tax, formula, value, "Taxable value", rate, factor)


def guarantee_on(earnings: Decimal, rate: Held) -> Computed:
    """Superannuation guarantee on ordinary time earnings. Source: SGAA92 ss 19(2), 23(2)."""
    formula = f"Ordinary time earnings × charge percentage, {ROUNDED}. The maximum contribution base is not applied."
    name = f"Superannuation guarantee on ordinary time earnings of {dollars(earnings)}"
    value = to_cents(earnings * _of(rate) / 100)
    return _from("super_guarantee_on", name, value, formula, earnings, "Ordinary time earnings", rate)


def levy_on(income: Decimal, rate: Held, threshold: Held | None) -> Computed:
    """Medicare levy of a single person: nil up to the threshold, then 10% of the excess, until the full rate is less.

    threshold: None where the ledger lacks the year's; the levy is then at the full rate, and the formula says so.
    Source: MLA86 ss 6(1), 7(1), 7(2).
    """
    full = income * _of(rate) / 100
    name = f"Medicare levy on a taxable income of {dollars(income)}, single person without dependants"
    if threshold is None:
        formula = f"Taxable income × levy rate, {ROUNDED}. No low-income threshold of that year is held, or applied."
        return _from("medicare_levy_on", name, to_cents(full), formula, income, "Taxable income", rate)
    value = to_cents(min(full, max(Decimal(0), income - _of(threshold)) / 10))
    formula = (
        "The less of taxable income × levy rate, and 10% of what exceeds the low-income threshold; nil up to it; "
        f"{ROUNDED}. Exemptions and the surcharge are not included."
    )
    return _from("medicare_levy_on", name, value, formula, income, "Taxable income", rate, threshold)


def repair_levy_on(income: Decimal, rate: Held) -> Computed:
    """Temporary budget repair levy on a taxable income: the rate on what exceeds $180,000. Source: ITTPA97 s 4-11."""
    over = max(Decimal(0), income - 180_000)
    name = f"Temporary budget repair levy on a taxable income of {dollars(income)}"
    formula = f"Levy rate × the part of the taxable income over $180,000, {ROUNDED}"
    return _from("repair_levy_on", name, to_cents(over * _of(rate) / 100), formula, income, "Taxable income", rate)


def _from(
    key: str, name: str, value: Decimal, formula: str, given: Decimal, what: str, main: Held, *more: Held
) -> Computed:
    """A computed figure from the amount given and ledger rows; `main` says who sets it."""
    rows = (main, *more)
    ends = [held.row.ends for held in rows if held.row.ends is not None]
    return Computed(
        key=key,
        name=name,
        value=value,
        formula=formula,
        inputs=(
            FigureInput(what, dollars(given), "the question"),
            *(FigureInput(held.figure.name, held.row.shown, held.row.set_by.shown) for held in rows),
        ),
        starts=max(held.row.starts for held in rows),
        ends=min(ends) if ends else None,
        set_by=main.row.set_by,
        source=main.row.source,
        confidence="medium" if any(held.row.confidence == "medium" for held in rows) else "high",
        rows=rows,
    )


def _of(held: Held) -> Decimal:
    number = held.row.number
    if number is None:
        raise ValueError(f"{held.figure.key} from {held.row.starts} is {held.row.value!r}, which is no number")
    return number
