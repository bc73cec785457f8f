"""Which words of a text are quotations, and which citation each belongs to."""

from __future__ import annotations

import time

import pytest

from research.law.citation import find_citations
from research.verification.quotations import made_citations, owners_of, quotations_in, unwrapped

pytestmark = pytest.mark.unit


def read(text: str) -> list[tuple[str, str | None]]:
    """(words quoted, the citation they belong to as it is written) of each quotation."""
    text = unwrapped(text)
    quotations = quotations_in(text)
    made = made_citations(find_citations(text), quotations)
    owners = owners_of(quotations, text, made)
    return [
        (q.words, made[owner].text if owner is not None else None) for q, owner in zip(quotations, owners, strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It says “a vessel of any kind”.", ["a vessel of any kind"]),
        ('It says "a vessel of any kind".', ["a vessel of any kind"]),
        ("It says 'a vessel of any kind'.", ["a vessel of any kind"]),
        ("It says ‘a vessel of any kind’.", ["a vessel of any kind"]),
        ("It's the owner's vessel, and the owners' dues.", []),
        ("It says 'the owner's dues' and ends.", ["the owner's dues"]),
        ("It says 'the owners' dues are paid' and ends.", ["the owners' dues are paid"]),
        ("'one of them' and 'the others' too", ["one of them", "the others"]),
        ("“the word ‘vessel’ in it”", ["the word ‘vessel’ in it"]),
        ('A 15" pipe and a 20" pipe.', []),
        ("> first line\n> second line\n\nafter", ["first line\nsecond line"]),
        ("Look:\n  > “first line”\n", ["first line"]),
        ("One “begins\n\nand” ends in another paragraph.", []),
        ('“”, "" and > nothing', []),
    ],
)
def test_what_is_a_quotation(text: str, words: list[str]) -> None:
    assert [quotation.words for quotation in quotations_in(text)] == words


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("Under s 8-1 “you pay the dues”. But s 6-5 differs.", "s 8-1"),
        ("Section 6-5 differs. “You pay the dues” (s 8-1).", "s 8-1"),
        ("Both s 6-5 and “you pay the dues” in s 8-1 matter.", "s 8-1"),
        ("Section 8-1 does not say “you pay the dues”, and s 6-5 says nothing.", "Section 8-1"),
        ("Under section 8-1 it is so that “you pay the dues”; s 6-5 differs.", "section 8-1"),
        ("Words like “you pay the dues” and s 8-1 go together.", "s 8-1"),
        ("Section 6-5 begins. Then comes “you pay the dues”. Then section 8-1.", "Section 6-5"),
        ("It comes to “you pay the dues”. Then section 8-1.", "section 8-1"),
        ("As section 8-1 says:\n\n> you pay the dues\n\nSection 6-5 differs.", "section 8-1"),
        ("Section 6-5 differs.\n\n> you pay the dues\n> (ITAA97 s 8-1)\n", "s 8-1"),
        ("Intro.\n\n> you pay the dues\n> — s 8-1 of the ITAA 1997\n", "s 8-1"),
        ("Section 8-1 governs.\n\n“You pay the dues.”\n\nNext.", "Section 8-1"),
        ("Intro.\n\n“You pay the dues.”\n\nThat is section 8-1.", "section 8-1"),
        ("Section 8-1 governs.\n\nAnother paragraph has “you pay the dues” in it.", None),
        ("It is “you pay the dues” of sub-s. 8-1 that counts.", "sub-s. 8-1"),
        ("- s 6-5 differs\n- so does “you pay the dues”, s 8-1", "s 8-1"),
    ],
)
def test_the_citation_that_a_quotation_belongs_to(text: str, owner: str | None) -> None:
    assert [found for _, found in read(text)] == [owner]


def test_a_full_stop_inside_a_quotation_ends_no_sentence() -> None:
    text = "Section 8-1 says “you pay. You pay again.” in so many words; s 6-5 too."
    assert read(text) == [("you pay. You pay again.", "Section 8-1")]


def test_a_citation_within_a_quotation_is_not_the_texts_own() -> None:
    text = "Section 8-1 says “you pay under section 6-5”."
    quotations = quotations_in(text)
    assert [found.text for found in made_citations(find_citations(text), quotations)] == ["Section 8-1"]


def test_a_reply_that_is_quoted_throughout_is_read_as_if_it_were_not() -> None:
    assert read("> Section 8-1 says\n> “you pay the dues”.\n>\n> Bye\n") == [("you pay the dues", "Section 8-1")]
    assert len(unwrapped("> a\n> b")) == len("> a\n> b")


@pytest.mark.parametrize(
    "text",
    [
        "'" + "s' a" * 5_000,
        '"a ' * 6_600,
        " 'a" * 6_600,
        ">" * 19_990 + "\nx",
        "s 8-1 of the ITAA 1997, " * 830,
        "Under s 8-1 “you pay the dues” and 'all of it'. " * 400,
        "\n " * 10_000,
        "(" * 20_000,
        "(A." * 6_600,
    ],
    ids=[
        "apostrophes",
        "openings",
        "single openings",
        "marks",
        "citations",
        "quotations",
        "lines",
        "brackets",
        "titles",
    ],
)
def test_no_text_of_the_longest_kind_takes_long(text: str) -> None:
    started = time.perf_counter()
    read(text[:20_000])
    assert time.perf_counter() - started < 2
