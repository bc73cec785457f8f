"""Quotes: literal, whole words, in one piece, and under the source they name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.terms import CheckedQuote, Quote, Role
from research.tests.unit.passages import passage
from research.verification.normalise import normalise
from research.verification.quotes import ALL_CHECKS, BOUNDARIES, INTEGRITY, LENGTH, PLACE, SOURCE, check_quote, find_in

pytestmark = pytest.mark.unit

RULE = (
    "A keeper may set off the cost of oil against the keeper\u2019s lantern levy to the extent that:\n"
    "(a)\u00a0the oil is burnt in a non\u2011exempt lantern; and\n"
    "(b) the cost is more than $75,000 in the year, or 10.5 per cent of the levy\u2014whichever is less."
)
OTHER = "A keeper must not set off the cost of wicks against the lantern levy in any year of dusk."
SOURCES = {1: passage(1, RULE, offset_chars=40), 2: passage(2, OTHER)}


def checked(text: str, chunk_id: int = 1, *, without: str = "") -> CheckedQuote:
    return check_quote(Quote(chunk_id, text), SOURCES, enabled_checks=ALL_CHECKS - {without})


@pytest.mark.parametrize(
    "text",
    [
        "A keeper may set off the cost of oil against",
        "may set off the cost of oil against the keeper's lantern levy",
        "  may set off   the cost\nof oil ",
        "to the extent that: (a) the oil is burnt in a non-exempt lantern",
        "(b) the cost is more than $75,000 in the year",
        "the cost is more than $75,000 in the year, or 10.5 per cent of the levy-whichever is less.",
        "the cost is more than $75,000 in the year, or 10.5 per cent of the levy",
        RULE,
    ],
)
def test_words_of_the_source_match_however_they_are_written(text: str) -> None:
    quote = checked(text)
    assert quote.is_verified, quote.problem
    assert quote.found_in == 1
    assert quote.start_chars is not None and quote.end_chars is not None
    whole_version = "x" * 40 + RULE
    assert whole_version[quote.start_chars : quote.end_chars] == quote.matched
    assert normalise(quote.matched).text == normalise(text).text


def test_what_is_shown_is_the_sources_own_writing() -> None:
    quote = checked("against the keeper's lantern levy to the extent")
    assert quote.matched == "against the keeper\u2019s lantern levy to the extent"


@pytest.mark.parametrize(
    ("text", "chunk_id", "problem", "found_in"),
    [
        ("A keeper may always set off the cost of oil", 1, "not_in_source", None),
        ("a keeper may set off the cost of oil", 1, "not_in_source", None),  # capitals count
        ("A keeper must not set off the cost of wicks", 1, "found_elsewhere", 2),
        ("A keeper may set off the cost of oil", 2, "found_elsewhere", 1),
        ("A keeper may set off the cost of oil", 9, "unknown_source", 1),
        ("Lanterns are exempt at any hour of the day", 9, "unknown_source", None),
        ("set off the cost", 1, "too_short", None),
        ("lantern levy to the", 1, "too_short", None),  # four words, too few characters
        ("the keeper's lantern-levy:", 1, "too_short", None),
        ("", 1, "too_short", None),
        ("A keeper may set off the cost of oil ... lantern levy", 1, "not_in_source", None),
        ("A keeper may set off the cost of oil \u2026 the levy", 1, "not_in_source", None),
        ("may set off the cost of oil the oil is burnt", 1, "not_in_source", None),
        (f"{RULE} {OTHER}", 1, "not_in_source", None),  # stitched from two sources
        ("eeper may set off the cost of oil against", 1, "not_in_source", None),  # begins inside a word
        ("A keeper may set off the cost of oil aga", 1, "not_in_source", None),  # ends inside one
        ("exempt lantern; and (b) the cost is more", 1, "not_in_source", None),  # of "non-exempt"
        ("000 in the year, or 10.5 per cent of the levy", 1, "not_in_source", None),  # of "$75,000"
        ("5 per cent of the levy-whichever is less.", 1, "not_in_source", None),  # of "10.5"
        ("(b) the cost is more than $75", 1, "not_in_source", None),
        ("s lantern levy to the extent that:", 1, "not_in_source", None),  # of "keeper's"
        ("whichever is less than the keeper thinks", 1, "not_in_source", None),
    ],
)
def test_anything_else_fails_and_says_how(text: str, chunk_id: int, problem: str, found_in: int | None) -> None:
    quote = checked(text, chunk_id)
    assert (quote.problem, quote.found_in) == (problem, found_in)
    assert not quote.is_verified
    assert (quote.start_chars, quote.end_chars, quote.matched) == (None, None, "")


def test_a_dash_that_is_no_hyphen_ends_a_word() -> None:
    source = {1: passage(1, "Oil is burnt in lanterns\u2014that is, in any lantern kept at dusk.")}
    assert check_quote(Quote(1, "that is, in any lantern kept at dusk."), source).is_verified


def test_the_first_place_with_whole_words_is_taken() -> None:
    source = {1: passage(1, "relighting a lantern at dusk is free; lighting a lantern at dusk is free")}
    quote = check_quote(Quote(1, "lighting a lantern at dusk is free"), source)
    assert quote.start_chars == 38


def test_the_placeholder_of_an_omitted_table_holds_no_words_of_the_law() -> None:
    words = "[This section is a table that the source does not carry]"
    source = {1: passage(1, words, role=Role.OMITTED)}
    assert check_quote(Quote(1, words), source).problem == "not_in_source"


@pytest.mark.parametrize(
    ("text", "chunk_id", "check"),
    [
        ("Lanterns are exempt at any hour of the day", 1, INTEGRITY),
        ("A keeper must not set off the cost of wicks", 1, PLACE),
        ("A keeper may set off the cost of oil", 9, SOURCE),
        ("set off the cost", 1, LENGTH),
        ("eeper may set off the cost of oil against", 1, BOUNDARIES),
    ],
)
def test_each_fault_is_caught_by_one_check_and_gets_through_without_it(text: str, chunk_id: int, check: str) -> None:
    assert not checked(text, chunk_id).is_verified
    others = {check, PLACE} if check == SOURCE else {check}  # a chunk that is not there is in no place either
    quote = check_quote(Quote(chunk_id, text), SOURCES, enabled_checks=ALL_CHECKS - others)
    assert quote.is_verified


WORDS = st.lists(st.text("abcdefgh", min_size=3, max_size=9), min_size=8, max_size=40)


@given(WORDS, st.data())
def test_every_run_of_whole_words_is_found_where_it_stands(words: list[str], data: st.DataObject) -> None:
    gaps = data.draw(st.lists(st.sampled_from([" ", "  ", "\n", "\u00a0"]), min_size=len(words), max_size=len(words)))
    text = "".join(word + gap for word, gap in zip(words, gaps, strict=True))
    start = data.draw(st.integers(0, len(words) - 8))
    length = data.draw(st.integers(8, len(words) - start))
    wanted = " ".join(words[start : start + length])
    offset = data.draw(st.integers(0, 1000))
    quote = check_quote(Quote(1, wanted), {1: passage(1, text, offset_chars=offset)})
    if len(wanted) < 25:
        assert quote.problem == "too_short"
        return
    assert quote.is_verified
    assert quote.start_chars is not None and quote.end_chars is not None
    assert text[quote.start_chars - offset : quote.end_chars - offset] == quote.matched
    assert quote.matched.split() == words[start : start + length]


@given(WORDS, st.data())
def test_a_quote_with_any_one_word_changed_is_never_matched(words: list[str], data: st.DataObject) -> None:
    changed = list(words)
    changed[data.draw(st.integers(0, len(words) - 1))] = "zzzz"
    quote = check_quote(Quote(1, " ".join(changed)), {1: passage(1, " ".join(words))})
    assert not quote.is_verified


@given(WORDS, st.data())
def test_a_quote_with_any_inner_word_left_out_is_never_matched(words: list[str], data: st.DataObject) -> None:
    numbered = [f"{word}{index}" for index, word in enumerate(words)]
    left_out = data.draw(st.integers(1, len(words) - 2))
    quote = check_quote(
        Quote(1, " ".join(numbered[:left_out] + numbered[left_out + 1 :])), {1: passage(1, " ".join(numbered))}
    )
    assert not quote.is_verified


@given(st.text(max_size=80), st.text(max_size=200))
def test_any_text_is_checked_without_a_fault_and_a_match_is_a_literal_slice(wanted: str, text: str) -> None:
    quote = check_quote(Quote(1, wanted), {1: passage(1, text)})
    if quote.is_verified:
        assert quote.matched == text[quote.start_chars : quote.end_chars]


def test_words_are_looked_for_within_a_part_of_the_text() -> None:
    own = passage(1, "The levy is due\u00a0 now. The levy is due  later.")
    assert find_in(own, "The levy is due") == (0, 15)
    assert find_in(own, "The levy is due", within=(1, 40)) == (22, 37)
    assert find_in(own, "The levy is due", within=(1, 36)) is None
    assert find_in(own, "levy is due", within=(3, 15)) == (4, 15)
    assert find_in(own, "vy is due", within=(6, 15)) is None  # half a word stays one
