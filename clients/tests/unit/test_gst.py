"""GST beside a total: wholly taxable, partly, none, or more than there can be."""

from __future__ import annotations

from decimal import Decimal

import pytest

from clients.rules.gst import Supplies, gst_in, judge, tolerance


@pytest.mark.parametrize(
    ("total", "gst"), [("110.00", "10.00"), ("1.00", "0.09"), ("0.05", "0.00"), ("0.06", "0.01"), ("99.99", "9.09")]
)
def test_a_price_holds_one_eleventh_rounded_to_the_cent(total: str, gst: str) -> None:
    assert gst_in(Decimal(total)) == Decimal(gst)


@pytest.mark.parametrize(
    ("total", "gst", "lines", "said"),
    [
        ("110.00", "10.00", 1, Supplies.WHOLLY_TAXABLE),
        ("110.00", "10.01", 1, Supplies.WHOLLY_TAXABLE),
        ("110.00", "10.02", 1, Supplies.IMPOSSIBLE),
        ("110.00", "10.05", 10, Supplies.WHOLLY_TAXABLE),
        ("110.00", "9.98", 1, Supplies.MIXED),
        ("110.00", "0.00", 1, Supplies.NOT_TAXABLE),
        ("110.00", "-10.00", 1, Supplies.IMPOSSIBLE),
        ("-110.00", "-10.00", 1, Supplies.WHOLLY_TAXABLE),
        ("-110.00", "-5.00", 1, Supplies.MIXED),
        ("110.00", "11.00", 1, Supplies.IMPOSSIBLE),  # 10 % of the price is a mistake that people make
    ],
)
def test_two_amounts_say_what_the_supplies_are(total: str, gst: str, lines: int, said: Supplies) -> None:
    assert judge(Decimal(total), Decimal(gst), lines) is said


def test_rounding_by_line_moves_the_sum_half_a_cent_a_line() -> None:
    assert [tolerance(lines) for lines in (1, 2, 3, 10)] == [Decimal(each) for each in ("0.01", "0.01", "0.02", "0.05")]
