"""Values as the review writes them, and as they are offered for correcting."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.extraction.typed import read_typed
from clients.review.words import label_of, short_day, shown, typed_as

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("date", "2026-02-03", "3 February 2026"),
        ("row-3-date", "2026-02-03", "3 February 2026"),
        ("total", "1234.50", "1,234.50"),
        ("row-12-amount", "-1234.50", "−1,234.50"),
        ("subtotal", "0.00", "0.00"),
        ("supplier_abn", "51824753556", "51 824 753 556"),
        ("kind", "statement", "Bank statement"),
        ("supplier", "Ockley & Sons", "Ockley & Sons"),
        ("total", "", ""),
        ("check-date", "", ""),
    ],
)
def test_a_value_is_shown_as_people_write_it(field: str, value: str, words: str) -> None:
    assert shown(field, value) == words


@pytest.mark.parametrize(
    ("field", "label"),
    [("supplier_abn", "ABN"), ("row-3", "Row 3"), ("row-3-amount", "Row 3, amount"), ("check-due-date", "Due")],
)
def test_a_field_is_called_what_its_page_calls_it(field: str, label: str) -> None:
    assert label_of(field) == label


def test_a_short_day_fits_a_table() -> None:
    assert [short_day("2026-02-03"), short_day("")] == ["3 Feb 2026", ""]


@given(st.dates(date(2000, 1, 1), date(2099, 12, 31)), st.integers(-(10**14), 10**14))
def test_what_is_offered_for_correcting_reads_back_as_it_stands(day: date, cents: int) -> None:
    assert read_typed("date", typed_as("date", day.isoformat())) == day.isoformat()
    sign = "-" if cents < 0 else ""
    amount = f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
    assert read_typed("amount", typed_as("amount", amount)) == amount
    assert read_typed("supplier_abn", typed_as("supplier_abn", "51824753556")) == "51824753556"
    assert typed_as("total", "") == ""
