"""Follow-ups written out: by which words, from which messages, and what is left as it was typed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.question.follow_up import written_out
from research.question.route import MOST_CHARS

pytestmark = pytest.mark.unit

PILOT = "Can a harbour pilot deduct travel between two ports"


@pytest.mark.parametrize(
    ("last", "typed", "written"),
    [
        (f"{PILOT} in FY2015?", "What about FY2019?", f"{PILOT} in FY2019?"),
        (f"{PILOT} in 2015?", "and in 2019?", f"{PILOT} in 2019?"),
        (f"{PILOT}?", "and in 2019?", f"{PILOT} in 2019?"),
        (f"{PILOT}?", "What about FY2019?", f"{PILOT}, FY2019?"),
        (f"{PILOT}?", "2019?", f"{PILOT}, 2019?"),
        (f"{PILOT} in the 2015 income year?", "What about FY2019?", f"{PILOT} in FY2019?"),
        (f"{PILOT} in FY2015?", "What about the 2019 income year?", f"{PILOT} in the 2019 income year?"),
        ("Is the FY2015 rate 30%?", "What about the 2019 income year?", "Is the 2019 income year rate 30%?"),
        ("Was travel deductible in FY2019 or in FY2022?", "FY2020", "Was travel deductible in FY2020?"),
        ("Is a berth taxed on 3 March 2015?", "and on 4 March 2019?", "Is a berth taxed on 4 March 2019?"),
        (
            "What changed between FY2019 and FY2023?",
            "between FY2015 and FY2018?",
            "What changed between FY2015 and FY2018?",
        ),
        (f"{PILOT} in FY2015?", "what was it in FY2019?", f"{PILOT} in FY2019?"),
    ],
)
def test_another_time_takes_the_place_of_the_last_questions_time(last: str, typed: str, written: str) -> None:
    assert written_out(typed, [last]) == written


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("and for a company?", f"{PILOT} in FY2015? and for a company?"),
        ("What if it's a car?", f"{PILOT} in FY2015? What if it's a car?"),
        ("And a trust?", f"{PILOT} in FY2015? And a trust?"),
        ("Even if the ports are private?", f"{PILOT} in FY2015? Even if the ports are private?"),
        ("What about s 8-1 ITAA 1997?", f"{PILOT} in FY2015? What about s 8-1 ITAA 1997?"),
        ("Is it deductible?", f"{PILOT} in FY2015? Is it deductible?"),
        ("Does that apply to residents?", f"{PILOT} in FY2015? Does that apply to residents?"),
        ("Why?", f"{PILOT} in FY2015? Why?"),
        ("and the year before?", f"{PILOT} in FY2015? and the year before?"),
        ("What about a company in FY2019?", f"{PILOT}? What about a company in FY2019?"),
        ("how much was it in FY2019?", f"{PILOT}? how much was it in FY2019?"),
    ],
)
def test_what_leans_on_the_last_question_is_joined_to_it(typed: str, written: str) -> None:
    assert written_out(typed, [f"{PILOT} in FY2015?"]) == written


@pytest.mark.parametrize(
    "typed",
    [
        "Are gifts deductible?",
        "Are gifts deductible in FY2019?",
        "And can a company deduct a gift?",
        "In FY2015, is a gift deductible?",
        "If I use a boat can I deduct the fuel?",
        "Is it true that gifts of shares are deductible?",
        "Is this year's concessional cap $30,000?",
        "What does s 8-1 ITAA 1997 say?",
        "What about the main residence exemption of foreign residents who died overseas?",
        "Thanks",
        "?!",
    ],
)
def test_a_message_with_a_content_of_its_own_stays_as_it_is(typed: str) -> None:
    assert written_out(typed, [f"{PILOT} in FY2015?"]) == typed


def test_what_was_joined_before_is_not_carried_from_one_follow_up_to_the_next() -> None:
    earlier = [f"{PILOT} in FY2015?", f"{PILOT} in FY2015? and for a company?"]
    assert written_out("and a trust?", earlier) == f"{PILOT} in FY2015? and a trust?"
    assert written_out("and in FY2019?", earlier) == f"{PILOT} in FY2019? and for a company?"


def test_where_no_question_stands_alone_the_message_is_asked_as_typed() -> None:
    assert written_out("What about FY2019?", []) == "What about FY2019?"
    assert written_out("What about FY2019?", ["and for a company?"]) == "What about FY2019?"
    assert written_out("and for a trust?", ["Thanks"]) == "and for a trust?"


def test_a_courtesy_between_is_passed_over_and_the_third_last_question_is_not_read() -> None:
    assert written_out("and in FY2019?", [f"{PILOT}?", "Thanks"]) == f"{PILOT} in FY2019?"
    assert written_out("and in FY2019?", [f"{PILOT}?", "Thanks", "Great"]) == "and in FY2019?"


def test_a_year_that_only_dates_a_fact_of_the_case_is_kept() -> None:
    assert written_out("And in FY2019?", ["Can I deduct a boat bought before 1985?"]) == (
        "Can I deduct a boat bought before 1985? And in FY2019?"
    )


@pytest.mark.parametrize(
    ("last", "typed"),
    [
        ("The boat was sold on 3 May 2016. Is a gain assessable?", "and FY2018?"),
        ("In FY2015 I bought a boat. Can I deduct it?", "What about FY2018?"),
        ("The boat was sold on 3 May 2016. Is a gain assessable?", "What about a company in FY2018?"),
        ("Is a gain on a boat sold on 3 May 2016 assessable?", "and FY2018?"),
    ],
)
def test_the_date_of_a_fact_gives_way_to_no_year(last: str, typed: str) -> None:
    assert written_out(typed, [last]) == f"{last} {typed}"


def test_a_question_that_leans_on_its_own_facts_is_not_cut_from_them() -> None:
    last = "My client bought a boat for the port. Can he deduct it?"
    assert written_out("and for a trust?", [last]) == f"{last} and for a trust?"
    assert written_out("and for a trust?", ["Thanks. And for a company?"]) == "and for a trust?"


def test_a_sentence_that_is_but_a_time_is_no_fact() -> None:
    assert written_out("and FY2018?", [f"For FY2015. {PILOT}?"]) == f"For FY2018. {PILOT}?"


def test_what_would_be_too_long_to_ask_is_left_as_typed() -> None:
    long = "levy " * ((MOST_CHARS - 10) // 5) + "due?"
    assert written_out("and for a company?", [long]) == "and for a company?"


PIECES = st.sampled_from(
    f"""{PILOT} in FY2015? What about FY2019 and for a company the 2015 income year between FY2012 or 2014-15, . ? Is it
    deductible this why 30 June 2020 on s 8-1 before 1985 if then Thanks rate of the FBT year 2019 's FY1""".split()
)
TEXTS = st.lists(PIECES, min_size=1, max_size=14).map(" ".join)


@given(typed=TEXTS, earlier=st.lists(TEXTS, max_size=4))
def test_every_word_stands_in_the_message_or_in_the_last_two_questions(typed: str, earlier: list[str]) -> None:
    written = written_out(typed, earlier)
    said = set(re.findall(r"\w+", " ".join([typed, *earlier[-2:]])))
    assert set(re.findall(r"\w+", written)) <= said
    assert len(written) <= max(MOST_CHARS, len(typed))
    assert written == written_out(typed, earlier[-2:])


@given(typed=st.text(max_size=60), earlier=st.lists(st.text(max_size=60), max_size=3))
def test_any_text_at_all_is_written_out_of_its_own_words(typed: str, earlier: list[str]) -> None:
    said = set(re.findall(r"\w+", " ".join([typed, *earlier[-2:]])))
    assert set(re.findall(r"\w+", written_out(typed, earlier))) <= said
