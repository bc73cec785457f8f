"""The time a question asks about: every form read, nothing else read, conflicts asked back."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.law.income_year import IncomeYear, income_year_of
from research.question.resolve import YearConflict, YearRefused, describe_reading, resolve
from research.terms import ResolvedTime, Window

pytestmark = pytest.mark.unit

TODAY = date(2026, 11, 30)


def year_window(year: int) -> Window:
    return Window.of_year(IncomeYear(year))


def read(question: str, field: int | None = None) -> ResolvedTime | YearConflict | YearRefused:
    return resolve(question, IncomeYear(field) if field else None, TODAY)


def time_in(question: str, field: int | None = None) -> ResolvedTime:
    time = read(question, field)
    assert isinstance(time, ResolvedTime), time
    return time


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("Was it deductible in FY2020?", 2020),
        ("fy2020 deduction", 2020),
        ("FY20", 2020),
        ("FY'20", 2020),
        ("FY98", 1998),
        ("FY 2019/20", 2020),
        ("FY2019-20", 2020),
        ("FY19-20", 2020),
        ("2019-20", 2020),
        ("2019–20", 2020),
        ("2019\u201120", 2020),
        ("2019/20", 2020),
        ("2019-2020", 2020),
        ("2019 – 2020", 2020),
        ("1999-00", 2000),
        ("1999-2000", 2000),
        ("the 2019-20 income year", 2020),
        ("19/20 tax return", 2020),
        ("year ended 30 June 2015", 2015),
        ("year ending 30 June 2015", 2015),
        ("the income year ended 30 June 2015", 2015),
        ("y/e 30 June 2015", 2015),
        ("YE 30/6/15", 2015),
        ("the year to 30 June 2015", 2015),
        ("year ended June 2015", 2015),
        ("income year 2015", 2015),
        ("2015 income year", 2015),
        ("the 2015 year of income", 2015),
        ("year of income 2015", 2015),
        ("financial year 2015", 2015),
        ("tax year 2015", 2015),
        ("2015 tax year", 2015),
        ("my 2015 tax return", 2015),
        ("tax return for 2015", 2015),
        ("bare in 2015", 2015),
        ("during 2015", 2015),
        ("as at 2015", 2015),
        ("what was the rate for 2015?", 2015),
        ("what was the rate 2015?", 2015),
        ("2015: what was the rate", 2015),
        ("FY2020 (2019-20)", 2020),
        ("FY2015, that is the year ended 30 June 2015", 2015),
        ("from 1 July 2019 to 30 June 2020", 2020),
        ("paid on 3 March 2019 and again on 5 May 2019", 2019),
    ],
)
def test_an_income_year_is_read_in_each_of_its_forms(question: str, year: int) -> None:
    time = time_in(question)
    assert (time.window, time.year, time.source) == (year_window(year), IncomeYear(year), "question")
    assert time.read_from


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("on 3 March 2019", date(2019, 3, 3)),
        ("on 3rd of March, 2019", date(2019, 3, 3)),
        ("March 3, 2019", date(2019, 3, 3)),
        ("3/3/2019", date(2019, 3, 3)),
        ("02/03/2021", date(2021, 3, 2)),  # Australian order
        ("3/3/19", date(2019, 3, 3)),
        ("3.3.2019", date(2019, 3, 3)),
        ("3-3-2019", date(2019, 3, 3)),
        ("2019-03-03", date(2019, 3, 3)),
        ("2024-11-06", date(2024, 11, 6)),  # ISO is never turned round
        ("29 February 2020", date(2020, 2, 29)),
        ("30 June 2015", date(2015, 6, 30)),
        ("1 July 2015", date(2015, 7, 1)),
        ("on 3 March 2015 in FY2015", date(2015, 3, 3)),
    ],
)
def test_a_day_is_read_in_australian_order_and_is_a_window_of_one_day(question: str, day: date) -> None:
    time = time_in(question)
    assert time.window == Window(day, day)
    assert time.year == income_year_of(day)


@pytest.mark.parametrize(
    ("question", "first", "last", "year"),
    [
        ("in March 2019", date(2019, 3, 1), date(2019, 3, 31), 2019),
        ("in Feb 2020", date(2020, 2, 1), date(2020, 2, 29), 2020),
        ("July 2019", date(2019, 7, 1), date(2019, 7, 31), 2020),
        ("December 2019", date(2019, 12, 1), date(2019, 12, 31), 2020),
        ("FBT year 2021", date(2020, 4, 1), date(2021, 3, 31), 2021),
        ("the 2021 FBT year", date(2020, 4, 1), date(2021, 3, 31), 2021),
        ("2020-21 FBT year", date(2020, 4, 1), date(2021, 3, 31), 2021),
        ("FBT year 2020/21", date(2020, 4, 1), date(2021, 3, 31), 2021),
        ("FBT year ended 31 March 2021", date(2020, 4, 1), date(2021, 3, 31), 2021),
        ("year ended 31 March 2021", date(2020, 4, 1), date(2021, 3, 31), 2021),
        ("year ended 31 December 2019", date(2019, 1, 1), date(2019, 12, 31), 2020),
        ("year ended 30 September 2020", date(2019, 10, 1), date(2020, 9, 30), 2020),
        ("year ended 29 February 2020", date(2019, 3, 1), date(2020, 2, 29), 2020),
        ("year ended 28 February 2020", date(2019, 3, 1), date(2020, 2, 28), 2020),
        ("in FY2019, in March 2019", date(2019, 3, 1), date(2019, 3, 31), 2019),
    ],
)
def test_months_fbt_years_and_substituted_periods_have_windows_of_their_own(
    question: str, first: date, last: date, year: int
) -> None:
    time = time_in(question)
    assert (time.window, time.year) == (Window(first, last), IncomeYear(year))


@pytest.mark.parametrize(
    "question",
    [
        "Is rent deductible?",
        "What about last year?",
        "s 8-1 of the Income Tax Assessment Act 1997",
        "ITAA 1997 s 8-1",
        "ITAA97 s 104-10",
        "What does TR 2024/3 say?",
        "PCG 2016/5 and GSTR 2001/8",
        "the 1997 Act",
        "the Widget Levies Act 2011",
        "Act No. 38 of 1997",
        "the Taxation Laws Amendment (2012 Measures) Act 2012",
        "[2015] HCA 3",
        "It cost $2015 in total",
        "It cost $ 2,015",
        "s 1990",
        "I drove 2015 km for work",
        "2000 shares of 2015 units",
        "a 2015 Toyota Corolla",
        "an asset acquired before 20 September 1985",
        "a house built after 1987",
        "a pre-1985 asset",
        "since 2015",
        "call 13 28 61",
        "1300 2015 99",
        "a turnover of 2,019",
        "in section 2015 of it",
    ],
)
def test_other_numbers_are_never_the_years_asked_about(question: str) -> None:
    assert time_in(question, 2015) == ResolvedTime(year_window(2015), IncomeYear(2015), "field")
    assert time_in(question) == ResolvedTime(Window(TODAY, TODAY), IncomeYear(2027), "today")


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("FY2019 or FY2020?", [2019, 2020]),
        ("Did it change between FY2019 and FY2020?", [2019, 2020]),
        ("in 2018 and 2019", [2018, 2019]),
        ("from 2018 to 2020", [2018, 2020]),
        ("the 2019-20 and 2020-21 income years", [2020, 2021]),
        ("2019-21", [2020, 2021]),
        ("between 1 July 2018 and 30 June 2020", [2019, 2020]),
        ("on 3 March 2016 in FY2015", [2016, 2015]),
        ("tax years 2018 and 2019", [2018, 2019]),
        ("a van bought in 2014-15 or 2023-24", [2015, 2024]),
        ("its cap, 2015 or 2024 year", [2015, 2024]),
        ("over how long for the 2024 year or maybe the 2015 one", [2024, 2015]),
        ("I lived there for 2015, or it could be 2017. Is there a rebate?", [2015, 2017]),
    ],
)
def test_two_times_are_a_question_back(question: str, years: list[int]) -> None:
    conflict = read(question, 2015)
    assert isinstance(conflict, YearConflict)
    assert [time.year.year for time in conflict.candidates] == years
    for candidate in conflict.candidates:
        assert candidate.year.label in conflict.message
        assert candidate.read_from and candidate.read_from in question


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("year 99999", "99999"),
        ("FY99999", "99999"),
        ("FY1850", "1850"),
        ("in 1850", "1850"),
        ("income year 3000", "3000"),
        ("FY200", "200"),
        ("the 1850-51 income year", "1851"),
        ("on 3 March 1850", "1850"),
        ("31 February 2019", "31 February 2019"),
        ("29 February 2019", "29 February 2019"),
        ("3/15/2019", "3/15/2019"),
        ("2019-13-01", "2019-13-01"),
        ("31 June 2020", "31 June 2020"),
        ("2019-18", "2019-18"),
    ],
)
def test_a_time_that_is_none_is_refused_in_words(question: str, named: str) -> None:
    refused = read(question, 2015)
    assert isinstance(refused, YearRefused)
    assert named in refused.message
    assert refused.read_from in question


def test_words_win_over_the_year_field() -> None:
    time = time_in("Was it deductible in FY2020?", 2015)
    assert (time.year, time.source, time.read_from) == (IncomeYear(2020), "question", "FY2020")


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("a CGT asset acquired before 20 September 1985 and sold in FY2015", 2015),
        ("I bought it on 3 March 1999 and sold it in FY2015", 2015),
        ("shares purchased in 1999, gain in the 2015 income year", 2015),
    ],
)
def test_the_day_something_was_acquired_gives_way_to_the_year_asked_about(question: str, year: int) -> None:
    assert time_in(question).window == year_window(year)


@pytest.mark.parametrize(
    "question",
    [
        "I bought a laptop in March 2019, can I deduct it?",
        "The office block was put up in 1995. What share of the cost can I deduct?",
        "Nan bought the shares in 1999 and died in 2003. What is my cost base?",
        "Can I claim for a warehouse built 1992?",
        "I settled here in 2019 with shares bought back in 2005. Is my profit taxed?",
    ],
)
def test_and_to_the_year_field(question: str) -> None:
    resolved = resolve(question, IncomeYear(2015), TODAY)
    assert isinstance(resolved, ResolvedTime)
    assert (resolved.year, resolved.source) == (IncomeYear(2015), "field")


def test_from_a_day_is_still_the_time_asked_about_whatever_the_field_says() -> None:
    resolved = resolve("What was the rate from 1 July 2018?", IncomeYear(2015), TODAY)
    assert isinstance(resolved, ResolvedTime)
    assert resolved.year == IncomeYear(2019)


def test_the_day_something_was_bought_counts_where_nothing_else_names_a_time() -> None:
    assert time_in("I bought a laptop in March 2019, can I deduct it?").year == IncomeYear(2019)
    assert time_in("What is the rate from 1 July 2018?").window == Window(date(2018, 7, 1), date(2018, 7, 1))


@pytest.mark.parametrize(
    ("question", "field", "words"),
    [
        ("in 2015", None, "“in 2015” read as the income year that ends in it, FY2015 (1 July 2014 – 30 June 2015)"),
        ("FY2015", None, "“FY2015” read as FY2015 (1 July 2014 – 30 June 2015)"),
        ("in March 2019", None, "“March 2019” read as 1 March 2019 – 31 March 2019, in FY2019"),
        ("rent", 2015, "FY2015 (1 July 2014 – 30 June 2015), from the year field"),
        ("rent", None, "30 November 2026, because neither the question nor the year field names a time"),
    ],
)
def test_the_answer_can_say_how_the_time_was_read(question: str, field: int | None, words: str) -> None:
    assert describe_reading(time_in(question, field)) == words


def test_titles_of_further_acts_are_no_years_either() -> None:
    time = resolve("s 3-5 of the lantern tax act 2001", None, TODAY, titles={"Lantern Tax Act 2001": "LTA01"})
    assert isinstance(time, ResolvedTime) and time.source == "today"


YEARS = st.integers(1950, 2090)


@given(YEARS, st.sampled_from(["FY{0}", "{1}-{2}", "{1}–{2}", "{1}/{2}", "year ended 30 June {0}", "{0} income year"]))
def test_every_form_of_one_year_reads_as_that_year(year: int, form: str) -> None:
    words = form.format(year, year - 1, f"{year % 100:02d}")
    time = time_in(f"Is rent deductible in the {words}?")
    assert time.year == IncomeYear(year) and time.window == year_window(year)


@given(st.dates(date(1950, 1, 1), date(2090, 12, 31)))
def test_every_form_of_one_day_reads_as_that_day(day: date) -> None:
    for words in (day.isoformat(), f"{day.day}/{day.month}/{day.year}", f"{day.day} {day:%B} {day.year}"):
        assert time_in(f"Is rent deductible on {words}?").window == Window(day, day)


@given(st.dates(date(1950, 1, 1), date(2090, 12, 31)))
def test_the_year_that_ends_on_any_day_of_the_calendar_is_read(day: date) -> None:
    time = time_in(f"Was it deductible in the year ended {day.day} {day:%B} {day.year}?")
    assert time.window.last == day
    assert 364 <= (time.window.last - time.window.first).days <= 366


# Pieces of what people write about time and law, joined at random: plain random text never comes near a form.
PIECES = [
    *("year ended", "28", "29", "31", "February", "2020", "2019-20", "FY", "FY20", "99-00", "31/12/2019", "2019-02-29"),
    *("to", "and", "in", "FBT year", "the", "s 8-1", "ITAA97", "Sch 1", "1916", "2101", "99999", "00", "TR 2020/3"),
    *("Division 6", "pre-", "before", "income year", "$1,000", "½", "(a)", "–", "/", "[2020] FCA 5", "²", "Ⅳ", "ended"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.sampled_from(["", " "]))
def test_any_pieces_of_times_and_citations_are_read_without_a_fault(pieces: list[str], joined_by: str) -> None:
    time = read(joined_by.join(pieces), 2015)
    assert not isinstance(time, ResolvedTime) or describe_reading(time)


@given(YEARS, YEARS)
def test_two_different_years_are_never_silently_one(first: int, second: int) -> None:
    time = read(f"Compare FY{first} with FY{second}", 2015)
    assert isinstance(time, ResolvedTime if first == second else YearConflict)


@given(st.text(max_size=200))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    time = read(text, 2015)
    if isinstance(time, ResolvedTime):
        assert time.window.first <= time.window.last


def test_long_adversarial_text_is_read_in_reasonable_time() -> None:
    started = time.perf_counter()
    for text in ("1 " * 1000, "2019-" * 400, "year ended " * 180, "in the " * 280, "3/3/" * 500, "March " * 330):
        read(text[:2000])
    assert time.perf_counter() - started < 5, "a form backtracks: whole seconds for what takes milliseconds"
