"""Asterisks, defined terms, and when two wordings are one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.corpus.ingest.words import (
    defined_term_of,
    entries,
    is_omitted,
    meaning_of,
    strip_asterisks,
    terms_by_first_word,
    terms_defined_in,
    wording_sha256,
)

TERMS = terms_by_first_word(["bell", "bell tower", "clock-keeper's fee", "bell tower lease"])

MARKED = [
    ("the *bell rings", "the bell rings", ["bell"]),
    ("the *Bell towers ring", "the Bell towers ring", ["Bell towers"]),
    ("a *bell tower lease ends", "a bell tower lease ends", ["bell tower lease"]),
    ("a *bell towering over", "a bell towering over", ["bell"]),
    ("*unknown term", "unknown term", ["unknown"]),
    ("(a) *bells; or", "(a) bells; or", ["bells"]),
    ('"*bell"—*bell', '"bell"—bell', ["bell", "bell"]),
    ("2 * 3 and 2*3", "2 * 3 and 2*3", []),
    ("*30 day rule", "30 day rule", ["30"]),
    ("the *clock-keeper's fee.", "the clock-keeper's fee.", ["clock-keeper's fee"]),
    ("a ** b", "a ** b", []),
]


@pytest.mark.parametrize(("published", "text", "terms"), MARKED, ids=[row[0] for row in MARKED])
def test_asterisks_go_and_the_terms_they_marked_are_kept(published: str, text: str, terms: list[str]) -> None:
    wording = strip_asterisks(published, TERMS)
    assert wording.text == text
    assert [wording.text[start:end] for start, end in wording.spans] == terms


@given(st.text(alphabet="ab *-(.1\n", max_size=80))
def test_nothing_but_asterisks_is_taken_away(published: str) -> None:
    wording = strip_asterisks(published, TERMS)
    assert wording.text.replace("*", "") == published.replace("*", "")
    assert len(published) - len(wording.text) == len(wording.spans)
    for start, end in wording.spans:
        assert 0 <= start < end <= len(wording.text)
        assert wording.text[start].isalnum()


DEFINITIONS = [
    ("bell tower means a tower with a bell.", "bell tower"),
    ("bell has the meaning given by section 3-1.", "bell"),
    ("ringing time of a *bell means the time for which it sounds.", "ringing time"),
    ("keeper: a person is a keeper if they keep a bell.", "keeper"),
    ("keeper, in relation to a bell, means a person.", "keeper"),
    ("bells includes gongs.", "bells"),
    ("(a) a thing that means well", ""),
    ("(1) In this Act:", ""),
    ("direct ringers are ringers who stand below.", "direct ringers"),
    ("Rope of a *bell tower", "Rope"),
    ("There was nothing here", ""),
]


@pytest.mark.parametrize(("entry", "term"), DEFINITIONS, ids=[row[0] for row in DEFINITIONS])
def test_the_term_that_an_entry_defines(entry: str, term: str) -> None:
    assert defined_term_of(entry) == term


def test_a_heading_can_define() -> None:
    assert meaning_of("Meaning of bell tower") == "bell tower"
    assert meaning_of("Meaning of bell tower—old towers") == "bell tower"
    assert meaning_of("Bell towers") == ""


def test_terms_are_read_from_definition_sections_alone() -> None:
    text = "(1) In this Act:\n\nbell means a thing that rings.\n\nkeeper of a *bell means its owner."
    assert terms_defined_in("Definitions", "definition", text) == ["bell", "keeper"]
    assert terms_defined_in("Definitions", "operative", text) == []


def test_entries_are_what_blank_lines_part() -> None:
    text = "one\n(a) more\n\ntwo\n \n\nthree"
    assert [text[start:end] for start, end in entries(text)] == ["one\n(a) more", "two", "three"]


SAME = [
    ("see section 40515.", "see section 405-15."),
    ("bells:\nlarge bells;\nsmall bells", "bells:\n- large bells;\n- small bells"),
    ("20 / 100 of it", "20/100 of it"),
    ("the on-going cost", "the ongoing cost"),
]
OTHER = [
    ("the rate is $3.40", "the rate is $4.30"),
    ("a bell, or rope", "a bell or rope"),
    ("may ring", "must ring"),
    ("the Bell", "the bell"),
    ("a bell—or rope", "a bell or rope"),
]


@pytest.mark.parametrize(("one", "two"), SAME)
def test_what_conversions_lose_does_not_make_another_wording(one: str, two: str) -> None:
    assert wording_sha256("Bells", "operative", one) == wording_sha256("Bells", "guide", two)


@pytest.mark.parametrize(("one", "two"), OTHER)
def test_every_letter_and_stop_makes_another_wording(one: str, two: str) -> None:
    assert wording_sha256("Bells", "operative", one) != wording_sha256("Bells", "operative", two)


def test_the_heading_is_part_of_the_wording() -> None:
    assert wording_sha256("Bells", "operative", "ring") != wording_sha256("Gongs", "operative", "ring")


def test_a_placeholder_is_known_by_the_name_of_its_wording() -> None:
    assert is_omitted(wording_sha256("Chart", "table-of-sections-omitted", "[Not carried.]"))
    assert not is_omitted(wording_sha256("Chart", "operative", "[Not carried.]"))
    assert len(wording_sha256("Chart", "table-of-sections-omitted", "[Not carried.]")) == 64
