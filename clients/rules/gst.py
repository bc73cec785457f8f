"""The arithmetic of GST on one document: what part of a total it can be.

Source: GSTA99 s 9-70 (10 % of the value, so one eleventh of the price) and s 9-90 (half a cent is rounded up; an amount
may be rounded for each supply or once for the invoice, so that a document of several lines may differ by cents).
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from clients.rules.money import CENT


class Supplies(StrEnum):
    """What an amount of GST says of the supplies on a document."""

    WHOLLY_TAXABLE = "wholly taxable"
    MIXED = "partly taxable"
    NOT_TAXABLE = "no GST"
    IMPOSSIBLE = "more GST than the total can hold"


def gst_in(total: Decimal) -> Decimal:
    """One eleventh of a price that is wholly taxable, to the cent."""
    return (total / 11).quantize(CENT, ROUND_HALF_UP)


def tolerance(lines: int) -> Decimal:
    """How far rounding by line may take the sum from the rounded whole: half a cent a line, at least a cent."""
    return max(CENT, (Decimal(lines) / 2 * CENT).quantize(CENT, ROUND_HALF_UP))


def judge(total: Decimal, gst: Decimal, lines: int = 1) -> Supplies:
    """What the two amounts say together. lines: how many supplies may have been rounded, at least 1."""
    if gst == 0:
        return Supplies.NOT_TAXABLE
    whole, apart = abs(gst_in(total)), tolerance(lines)
    if (gst > 0) != (total > 0) or abs(gst) > whole + apart:
        return Supplies.IMPOSSIBLE
    return Supplies.WHOLLY_TAXABLE if abs(abs(gst) - whole) <= apart else Supplies.MIXED
