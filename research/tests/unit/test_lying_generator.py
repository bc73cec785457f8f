"""Each lie is caught, and with the check that catches it switched off it would have got through."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from asat_site.testing.lying_generator import GRANTS, MODEL_LIES, Lie, LyingGenerator
from asat_site.testing.passages import ranked, section
from research.adapters.generators.extractive import ExtractiveGenerator
from research.retrieval.parents import merge_parents
from research.retrieval.time_filter import OutOfPeriod, assert_in_window
from research.terms import CheckedClaim, Claim, Draft, Passage, Quote, Window
from research.verification import quotes as checks
from research.verification.claims import ungrounded, verify
from research.verification.overlap import OverlapScorer

QUESTION = "Can a grower deduct the cost of netting an orchard?"
RULE = section(
    "12-5",
    "Netting",
    "(1) You can deduct the cost of netting an orchard in the income year in which you put it up, to $4,000 at most.",
    "(2) However, you cannot deduct the cost of netting to the extent that another entity pays you back for it.",
)
OTHER = section(
    "14-1", "Fences", "(1) A fence that keeps wandering stock out of an orchard is a fixture of the land it stands on."
)
LATER = section(
    "12-5",
    "Netting",
    "(1) You can deduct half the cost of netting an orchard in each of the two income years after you put it up.",
    certain=(date(2019, 7, 1), None),
    wording=2,
)
WINDOW = Window(date(2015, 7, 1), date(2016, 6, 30))
RANKED = ranked((RULE[0], 0.8), (OTHER[0], 0.03))
GROUPS = merge_parents(RANKED, [*RULE, *OTHER])
SOURCES = {passage.chunk_id: passage for group in GROUPS for passage in group.passages}
GRANT_GROUPS = merge_parents(ranked(*((passage, 0.5) for passage in GRANTS)), GRANTS)
GRANT_SOURCES = {passage.chunk_id: passage for passage in GRANTS}
GROUNDED = "groundedness"  # stands behind a port and is no check of `verify`; here by the words in common

# Which checks stand between each lie and the page. Where several do, each alone is enough.
CAUGHT_BY = {
    Lie.INVENTED_QUOTE: {checks.INTEGRITY},
    Lie.WRONG_SOURCE: {checks.PLACE},
    Lie.STITCHED: {checks.INTEGRITY},
    Lie.STITCHED_INSIDE: {checks.INTEGRITY},
    Lie.TOO_SHORT: {checks.LENGTH},
    Lie.LATER_COMPILATION: {checks.SOURCE, checks.INTEGRITY, checks.PROSE},
    Lie.EMPTY_QUOTE: {checks.LENGTH, checks.INTEGRITY},
    Lie.DUPLICATED: {checks.INTEGRITY},
    Lie.ONE_WORD_CHANGED: {checks.INTEGRITY},
    Lie.NEGATION_DROPPED: {checks.INTEGRITY},
    Lie.FIGURE_CHANGED: {checks.INTEGRITY},
    Lie.WORD_CUT: {checks.BOUNDARIES},
    Lie.INVENTED_NUMBER: {checks.PROSE},
    Lie.INVENTED_PERCENTAGE: {checks.PROSE},
    Lie.INVENTED_DATE: {checks.PROSE},
    Lie.INVENTED_SECTION: {checks.PROSE},
    Lie.NEGATION_CUT: {checks.NEGATION},
    Lie.EXCEPTION_CUT: {checks.NEGATION},
    Lie.LIMITATION_CUT: {checks.NEGATION},
    Lie.EXCEPTION_LEFT_OUT: {checks.NEGATION},
    Lie.TURNED_ROUND: {checks.NEGATION},
    Lie.DUTY_FOR_POWER: {checks.NEGATION},
    Lie.BOUND_TURNED: {checks.NEGATION},
    Lie.MAGNITUDE_CHANGED: {checks.PROSE},
    Lie.UNIT_CHANGED: {checks.PROSE},
    Lie.POINTS_FOR_PERCENT: {checks.PROSE},
    Lie.PERIOD_CHANGED: {checks.PROSE},
    Lie.COUNTED_OTHERWISE: {checks.PROSE},
    Lie.OTHER_PROVISION: {checks.PROSE},
    Lie.OTHER_SUBJECT: {GROUNDED, checks.PLAIN},
    Lie.WIDENED: {checks.NEGATION},
    Lie.INSTRUCTION_OBEYED: {checks.PLAIN},
    Lie.INVENTED_QUOTATION: {checks.PLAIN},
    Lie.INVENTED_NAME: {checks.PLAIN},
    Lie.HIDDEN_CHARACTER: {checks.PLAIN},
    Lie.ADDRESS: {checks.PLAIN},
    Lie.MARKUP: {checks.PLAIN},
}
PROBLEM = {
    Lie.INVENTED_QUOTE: "not_in_source",
    Lie.WRONG_SOURCE: "found_elsewhere",
    Lie.STITCHED: "not_in_source",
    Lie.STITCHED_INSIDE: "not_in_source",
    Lie.TOO_SHORT: "too_short",
    Lie.LATER_COMPILATION: "unknown_source",
    Lie.EMPTY_QUOTE: "too_short",
    Lie.DUPLICATED: "not_in_source",
    Lie.ONE_WORD_CHANGED: "not_in_source",
    Lie.NEGATION_DROPPED: "not_in_source",
    Lie.FIGURE_CHANGED: "not_in_source",
    Lie.WORD_CUT: "not_in_source",
}
EXCESS = {
    Lie.INVENTED_NUMBER: "$75,000",
    Lie.INVENTED_PERCENTAGE: "40 per cent",
    Lie.INVENTED_DATE: "1 July 2011",
    Lie.INVENTED_SECTION: "Section 999-5",
    Lie.NEGATION_CUT: 'leaves out "not"',
    Lie.EXCEPTION_CUT: 'leaves out "unless"',
    Lie.LIMITATION_CUT: 'leaves out "except"',
    Lie.EXCEPTION_LEFT_OUT: 'leaves out "unless"',
    Lie.TURNED_ROUND: 'leaves out "not"',
    Lie.DUTY_FOR_POWER: '"must" stands in none of its quotes',
    Lie.BOUND_TURNED: '"at least $75,000" stands in none of its quotes',
    Lie.MAGNITUDE_CHANGED: "$75 million",
    Lie.UNIT_CHANGED: "28 months",
    Lie.POINTS_FOR_PERCENT: "5 per cent",
    Lie.PERIOD_CHANGED: "21 days",
    Lie.COUNTED_OTHERWISE: "12 storms",
    Lie.OTHER_PROVISION: "section 20-15",
    Lie.OTHER_SUBJECT: '"brewer" stands in none of its quotes',
    Lie.WIDENED: '"any" stands in none of its quotes',
    Lie.INSTRUCTION_OBEYED: "rests on a source that instructs its reader",
    Lie.INVENTED_QUOTATION: 'puts in quotation marks what its quotes do not say: "in due and proper form"',
    Lie.INVENTED_NAME: 'names "Tribunal"',
    Lie.HIDDEN_CHARACTER: "holds a hidden character, U+200B",
    Lie.ADDRESS: 'holds an address, "grants.example.com"',
    Lie.MARKUP: 'holds the character "<"',
}


def lied(lie: Lie) -> Draft:
    groups = GRANT_GROUPS if lie in MODEL_LIES else GROUPS
    return LyingGenerator(lie, ExtractiveGenerator(), LATER[0]).draft(QUESTION, groups, RANKED)


def checked(lie: Lie, enabled: Collection[str]) -> CheckedClaim:
    """The lie after the checks that are switched on, that of groundedness among them."""
    sources = GRANT_SOURCES if lie in MODEL_LIES else SOURCES
    claims = verify(lied(lie), sources, enabled_checks=set(enabled) - {GROUNDED})
    return (ungrounded(claims, OverlapScorer().score, 0.5) if GROUNDED in enabled else claims)[0]


EVERY_CHECK = checks.ALL_CHECKS | {GROUNDED}


def test_the_honest_draft_passes_so_that_the_lies_alone_are_what_fails() -> None:
    draft = ExtractiveGenerator().draft(QUESTION, GROUPS, RANKED)
    assert [claim.is_verified for claim in verify(draft, SOURCES)] == [True, True]


def test_every_lie_has_its_check_named() -> None:
    assert set(CAUGHT_BY) == set(Lie)
    assert set(PROBLEM) | set(EXCESS) == set(Lie)


@pytest.mark.parametrize("lie", Lie)
def test_each_lie_is_caught_and_named(lie: Lie) -> None:
    claim = checked(lie, EVERY_CHECK)
    assert not claim.is_verified
    if lie in EXCESS:
        assert claim.excess[0] == EXCESS[lie]
    else:
        assert claim.quotes[0].problem == PROBLEM[lie]


@pytest.mark.parametrize("lie", Lie)
def test_without_the_check_that_catches_it_each_lie_would_have_got_through(lie: Lie) -> None:
    assert checked(lie, EVERY_CHECK - CAUGHT_BY[lie]).is_verified


@pytest.mark.parametrize(
    ("lie", "check"), [(lie, check) for lie in Lie if len(CAUGHT_BY[lie]) > 1 for check in sorted(CAUGHT_BY[lie])]
)
def test_where_several_checks_stand_in_the_way_each_alone_is_enough(lie: Lie, check: str) -> None:
    assert not checked(lie, {check}).is_verified


@pytest.mark.parametrize("lie", Lie)
def test_with_verification_switched_off_every_lie_gets_through(lie: Lie) -> None:
    assert checked(lie, frozenset()).is_verified


def test_a_models_lie_needs_the_law_that_was_made_for_it() -> None:
    with pytest.raises(ValueError, match="GRANTS"):
        LyingGenerator(Lie.WIDENED, ExtractiveGenerator()).draft(QUESTION, GROUPS, RANKED)


def test_a_quote_under_the_wrong_source_is_told_where_its_words_stand() -> None:
    (claim,) = verify(lied(Lie.WRONG_SOURCE), SOURCES)
    assert claim.quotes[0].found_in == RULE[0].chunk_id


def test_a_claim_without_any_quote_is_never_verified_whatever_is_switched_off() -> None:
    draft = Draft((Claim("You can deduct it.", ()),), "lying", "none")
    for enabled in (checks.ALL_CHECKS, frozenset[str]()):
        assert not verify(draft, SOURCES, enabled_checks=enabled)[0].is_verified


def test_a_true_quote_beside_a_false_one_does_not_save_the_claim() -> None:
    honest = ExtractiveGenerator().draft(QUESTION, GROUPS, RANKED).claims[0]
    false = lied(Lie.INVENTED_QUOTE).claims[0].quotes[0]
    draft = Draft((Claim(honest.prose, (*honest.quotes, false)),), "lying", "none")
    assert not verify(draft, SOURCES)[0].is_verified


def test_a_passage_of_a_later_compilation_is_stopped_before_any_generator_sees_it() -> None:
    with pytest.raises(OutOfPeriod, match=r"OLA20 s 12-5 .*2019-07-01"):
        assert_in_window([*RULE, *LATER], WINDOW)


# The attack: quotes mutated at random. An oracle that shares no code with verification says what is a lie.

WORDS = [word for passage in (*RULE, *OTHER, *LATER) for word in passage.text.split()]
FOLDED = str.maketrans({"–": "-", "—": "-", "‑": "-", "‘": "'", "’": "'", "“": '"', "”": '"'})


def is_literally_in(text: str, passage: Passage) -> bool:
    """Whether whole words of `passage` read `text`, white space and dashes aside."""
    wanted = " ".join(text.translate(FOLDED).split())
    return bool(re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", " ".join(passage.text.translate(FOLDED).split())))


@st.composite
def mutated_quotes(draw: st.DrawFn) -> Quote:
    passage = draw(st.sampled_from([*RULE, *OTHER, *LATER]))
    words = passage.text.split()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(words) - 1)))
        match draw(st.sampled_from(["drop", "insert", "replace", "swap", "cut", "letter", "repeat"])):
            case "drop":
                words = words[:at] + words[at + 1 :]
            case "insert":
                words.insert(at, draw(st.sampled_from([*WORDS, "not", "never"])))
            case "replace" if words:
                words[at] = draw(st.sampled_from(WORDS))
            case "swap" if len(words) > at + 1:
                words[at], words[at + 1] = words[at + 1], words[at]
            case "cut":
                words = words[at : at + draw(st.integers(1, 12))]
            case "letter" if words:
                words[at] = words[at][:-1] + draw(st.sampled_from("abcdefghij0123456789"))
            case "repeat":
                words = words + words[:at]
    named = draw(st.sampled_from([passage.chunk_id, passage.chunk_id, OTHER[0].chunk_id, 0]))
    return Quote(named, " ".join(words))


@settings(deadline=None)
@given(mutated_quotes())
def test_of_random_mutations_nothing_that_is_not_there_gets_through(quote: Quote) -> None:
    source = SOURCES.get(quote.chunk_id)
    assume(source is None or not is_literally_in(quote.text, source))
    (claim,) = verify(Draft((Claim("It says:", (quote,)),), "lying", "none"), SOURCES)
    assert not claim.is_verified


@settings(deadline=None)
@given(st.sampled_from([*RULE, *OTHER]), st.data())
def test_whole_words_of_a_source_pass_and_their_offsets_give_them_back(passage: Passage, data: st.DataObject) -> None:
    borders = [0, *(match.end() for match in re.finditer(r"\s+", passage.text))]
    start = data.draw(st.sampled_from(borders))
    ends = [match.start() for match in re.finditer(r"\s+|$", passage.text) if match.start() > start]
    text = passage.text[start : data.draw(st.sampled_from(ends))]
    assume(len(text) >= 25 and len(re.findall(r"\w+", text)) >= 5)
    (claim,) = verify(Draft((Claim("It says:", (Quote(passage.chunk_id, text),)),), "honest", "none"), SOURCES)
    assert claim.is_verified
    found = claim.quotes[0]
    assert found.start_chars is not None and found.end_chars is not None
    assert passage.text[found.start_chars - passage.offset_chars : found.end_chars - passage.offset_chars] == text


@settings(deadline=None)
@given(st.integers(2, 10**7), st.sampled_from(["${}", "{} per cent", "{} days", "section {}-5", "s {} ITAA97", "{}%"]))
def test_a_value_in_the_prose_that_its_quotes_do_not_hold_never_gets_through(number: int, form: str) -> None:
    assume(number not in (4000, 4))
    honest = ExtractiveGenerator().draft(QUESTION, GROUPS, RANKED).claims[0]
    own = SOURCES[honest.quotes[0].chunk_id].section
    assume(form.format(number) != f"section {own}")  # prose may name the provision that its quote stands in
    claim = Claim(f"{honest.prose} {form.format(number)}", honest.quotes)
    assert not verify(Draft((claim,), "lying", "none"), SOURCES)[0].is_verified
