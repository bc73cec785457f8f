"""What is known of each provision found, as numbers: each by hand for a small case."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from asat_site.testing.passages import dictionary, section
from research.retrieval.features import NAMES, candidates_of, features_of
from research.terms import Measured, Passage, Role, Sought, SubjectEvidence, SubjectReading, Window

pytestmark = pytest.mark.unit

QUESTION = "Can a grower deduct bird netting?"
RULE = section("12-5", "Netting an orchard", "(1) A grower can deduct the cost of bird netting.", "(2) Half a year.")
OTHER = section("14-1", "Fences", "(1) A fence keeps stock out.")
GUIDE = section("12-1", "What this Division is about", "This Division is about netting.", kind=Role.GUIDE)
TERM = dictionary(("netting", "netting means mesh over an orchard."))


def numbers(
    *passages: Passage,
    question: str = QUESTION,
    measured: dict[int, Measured] | None = None,
    evidence: SubjectEvidence | None = None,
) -> list[dict[str, float]]:
    near = measured or {passage.chunk_id: Measured(0.0, None) for passage in passages}
    known = {("OLA20", "12-5"): evidence} if evidence else {}
    sought = Sought(question, Window(date(2014, 7, 1), date(2015, 6, 30)), SubjectReading(known))
    return features_of(sought, candidates_of(passages, near, known))


def test_every_name_is_there_and_no_other() -> None:
    assert set(numbers(*RULE)[0]) == set(NAMES)
    assert numbers() == []


def test_a_provision_is_as_near_as_its_nearest_passage() -> None:
    measured = {
        RULE[0].chunk_id: Measured(4.0, 0.5),
        RULE[1].chunk_id: Measured(8.0, 0.7),
        OTHER[0].chunk_id: Measured(2.0, 0.6),
    }
    first, second = numbers(*RULE, *OTHER, measured=measured)
    assert (first["cosine"], first["cosine_gap"], first["place_cosine"]) == (0.7, 0.0, 1.0)
    assert (second["cosine"], second["cosine_gap"], second["place_cosine"]) == (0.6, pytest.approx(-0.1), 0.5)
    assert (first["lexical"], second["lexical"]) == (1.0, 0.25)


def test_what_is_found_by_nothing_has_no_place() -> None:
    (only,) = numbers(*OTHER)
    assert (only["place_cosine"], only["place_lexical"], only["place_subject"], only["cosine"]) == (0.0, 0.0, 0.0, 0.0)


def test_the_subject_index_counts_for_the_provision_that_it_names() -> None:
    found = SubjectEvidence(words=0.5, together=0.8, meaning=0.6, middle=0.4, votes=1.0)
    first, second = numbers(*RULE, *OTHER, evidence=found)
    assert [first[f"subject_{name}"] for name in ("words", "together", "meaning", "middle", "votes")] == [
        0.5,
        0.8,
        0.6,
        0.4,
        1.0,
    ]
    assert (first["place_subject"], second["place_subject"], second["subject_meaning_gap"]) == (1.0, 0.0, -0.6)


def test_heading_and_words_in_common_are_counted() -> None:
    first, second = numbers(*RULE, *OTHER)
    assert first["coverage"] == 1.0  # grower, deduct, bird, netting
    assert first["pairs"] == pytest.approx(2 / 3)  # (grower, deduct) and (bird, netting), not (deduct, bird)
    assert second["coverage"] == 0.0
    assert first["heading"] == pytest.approx(2 * 1 / (2 + 4))


def test_the_year_and_the_section_asked_about_are_no_words_to_be_covered() -> None:
    assert numbers(*RULE, question="In FY2015, can a grower deduct bird netting under s 12-5?")[0]["coverage"] == 1.0


def test_guides_definitions_and_transitional_acts_are_told() -> None:
    guide, term = numbers(*GUIDE, *TERM)
    assert (guide["guide"], guide["definition"]) == (1.0, 0.0)
    assert (term["definition"], term["definition_asked"]) == (1.0, 0.0)
    assert numbers(*TERM, question="What does netting mean?")[0]["definition_asked"] == 1.0
    later = [replace(p, instrument_title="Orchard Levy (Transitional Provisions) Act 2020") for p in OTHER]
    assert numbers(*later)[0]["transitional"] == 1.0


def test_an_act_that_the_question_names_is_told_from_the_others() -> None:
    gst = section("9-5", "Taxable supplies", "(1) You make a taxable supply.", act="GSTA99")
    of_gst, of_other = numbers(*gst, *OTHER, question="Do I charge GST on netting?")
    assert (of_gst["act_named"], of_gst["other_act_named"]) == (1.0, 0.0)
    assert (of_other["act_named"], of_other["other_act_named"]) == (0.0, 1.0)
    assert numbers(*OTHER)[0]["other_act_named"] == 0.0


def test_a_section_whose_number_stands_in_the_question_is_told() -> None:
    named, other = numbers(*RULE, *OTHER, question="What discretion is there under 12-5 in 2014-15?")
    assert (named["section_named"], other["section_named"]) == (1.0, 0.0)
