"""The strip of wordings through time."""

from datetime import date
from itertools import pairwise

from research.presentation.timeline import Wording, strip_of

TODAY = date(2026, 11, 30)
A = Wording(1, "Wording A", date(2001, 7, 1), date(2015, 6, 23))
B = Wording(2, "Wording B", date(2024, 1, 1), date(2024, 1, 2))
FY2019 = (date(2018, 7, 1), date(2019, 6, 30))


def test_the_days_between_two_wordings_are_a_gap_and_said_so() -> None:
    strip = strip_of([A, B], FY2019, "FY2019", None, TODAY)
    assert [segment.kind for segment in strip.segments] == ["held", "gap", "held"]
    assert strip.segments[1].says == "wording not known from 23 June 2015 until 1 January 2024"
    assert strip.segments[0].says == "Wording A: in force at least 1 July 2001 – 22 June 2015"


def test_the_asked_days_stand_inside_the_gap_they_fall_in() -> None:
    strip = strip_of([A, B], FY2019, "FY2019", None, TODAY)
    gap = strip.segments[1]
    assert strip.asked_x is not None
    assert gap.x < strip.asked_x < strip.asked_x + strip.asked_width < gap.x + gap.width


def test_adjoining_wordings_leave_no_gap() -> None:
    later = Wording(2, "Wording B", date(2015, 6, 23), None)
    assert [s.kind for s in strip_of([A, later], FY2019, "FY2019", 2, TODAY).segments] == ["held", "held"]


def test_nothing_is_drawn_outside_the_strip() -> None:
    for asked in (FY2019, (date(1990, 7, 1), date(1991, 6, 30)), (date(2030, 7, 1), date(2031, 6, 30))):
        strip = strip_of([A, B], asked, "asked", 2, TODAY)
        assert strip.asked_x is not None
        assert all(s.x >= 0 and s.x + s.width <= 100.1 for s in strip.segments)
        assert strip.asked_x >= 0 and strip.asked_x + strip.asked_width <= 100.1


def test_dates_that_would_run_into_one_another_are_left_out_from_the_middle() -> None:
    crowded = [Wording(n, f"Wording {n}", date(2010 + n, 1, 1), date(2010 + n, 1, 20)) for n in range(12)]
    ticks = strip_of(crowded, FY2019, "FY2019", None, TODAY).ticks
    assert all(b.x - a.x >= 13 for a, b in pairwise(ticks))


def test_one_day_among_decades_is_still_to_be_seen() -> None:
    assert strip_of([A, B], FY2019, "FY2019", None, TODAY).segments[-1].width >= 1.2


def test_days_asked_about_before_the_first_wording_and_after_the_last_are_a_gap_too() -> None:
    only = Wording(1, "Wording A", date(2015, 6, 22), date(2015, 6, 23))
    strip = strip_of([only], (date(2014, 7, 1), date(2015, 6, 30)), "FY2015", 1, TODAY)
    assert [(s.kind, s.label) for s in strip.segments] == [("gap", "wording not known"), ("held", ""), ("gap", "")]
    assert strip.segments[0].says == "wording not known until 22 June 2015"
    assert strip.segments[2].says == "wording not known from 23 June 2015"


def test_days_on_which_a_wording_cannot_have_been_the_law_are_no_gap() -> None:
    commenced = Wording(1, "Wording A", date(2015, 6, 22), None, possible_from=date(2015, 6, 22))
    strip = strip_of([commenced], (date(2014, 7, 1), date(2015, 6, 30)), "FY2015", 1, TODAY)
    assert [s.kind for s in strip.segments] == ["held"]


def test_where_one_wording_follows_another_at_once_the_strip_names_the_first_day_of_the_later() -> None:
    first = Wording(1, "Wording A", date(2003, 7, 1), date(2016, 7, 1))
    second = Wording(2, "Wording B", date(2016, 7, 1), date(2020, 1, 1))
    asked = (date(2016, 7, 1), date(2017, 6, 30))
    ticks = strip_of([first, second], asked, "FY2017", 2, TODAY).ticks
    assert [tick.label for tick in ticks] == ["1 Jul 2003", "1 Jul 2016", "31 Dec 2019"]
    assert [tick.is_crowded for tick in ticks] == [False, False, True]


def test_a_text_that_applies_at_any_time_does_not_draw_the_strip_out_to_1901() -> None:
    ruling = Wording(1, "Wording A", date(1901, 1, 1), date(2019, 7, 1))
    strip = strip_of([ruling], FY2019, "FY2019", 1, TODAY)
    assert [tick.label for tick in strip.ticks] == ["30 Jun 2019"]
    assert (strip.segments[0].x, strip.asked_x) == (0.0, 0.0)
    assert strip.segments[0].says == "Wording A: applies at any time up to 30 June 2019"
