"""Dates in a closed list of forms, with both readings where there are two."""

from __future__ import annotations

from datetime import date

import pytest

from clients.rules.dates_au import find_dates, read_date, read_day_and_month


@pytest.mark.parametrize(
    ("written", "days"),
    [
        ("3 February 2021", ["2021-02-03"]),
        ("3rd of February 2021", ["2021-02-03"]),
        ("03-Feb-21", ["2021-02-03"]),
        ("Wednesday, 3 Feb 2021", ["2021-02-03"]),
        ("February 3, 2021", ["2021-02-03"]),
        ("2021-02-03", ["2021-02-03"]),
        ("03/02/2021", ["2021-02-03", "2021-03-02"]),
        ("3.2.21", ["2021-02-03", "2021-03-02"]),
        ("25/12/2021", ["2021-12-25"]),
        ("12/25/2021", ["2021-12-25"]),
        ("05/05/2021", ["2021-05-05"]),
        ("29/02/2024", ["2024-02-29"]),
        ("29/02/2023", []),
        ("31/04/2021", []),
        ("2021/02/03", []),
        ("03/02-2021", []),
        ("1.2.3.4", []),
        ("0421 555 000", []),
        ("", []),
    ],
)
def test_a_date_has_every_reading_that_its_form_allows(written: str, days: list[str]) -> None:
    reading = read_date(written)
    assert (reading.days if reading else ()) == tuple(map(date.fromisoformat, days))


def test_dates_are_found_with_their_offsets_and_a_time_may_run_into_one() -> None:
    text = "Issued 23/07/202417:05 due 6 Aug 2024"
    assert [(text[start:end], reading.days) for start, end, reading in find_dates(text)] == [
        ("23/07/2024", (date(2024, 7, 23),)),
        ("6 Aug 2024", (date(2024, 8, 6),)),
    ]


def test_a_day_without_its_year_takes_it_from_the_period() -> None:
    over_new_year = (date(2024, 12, 15), date(2025, 1, 14))
    assert read_day_and_month("20 Dec", *over_new_year) == date(2024, 12, 20)
    assert read_day_and_month("3 Jan", *over_new_year) == date(2025, 1, 3)
    assert read_day_and_month("3 Mar", *over_new_year) is None
    assert read_day_and_month("3 Jan", date(2024, 1, 1), date(2025, 12, 31)) is None
