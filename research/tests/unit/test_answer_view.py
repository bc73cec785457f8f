"""What is shown of a recorded outcome."""

from datetime import date
from typing import Any

import pytest

from research.presentation.answer import answer_view, pin_of, year_chip
from research.presentation.words import decision_words, in_force_words, milliseconds, tone_of
from research.terms import Decision


def citation(**changed: Any) -> dict[str, Any]:
    return {
        "chunk_id": 1,
        "version_id": 7,
        "act": "HLA01",
        "act_title": "Harbour Levies Act 2001",
        "section": "25-40",
        "schedule": "",
        "heading": "Travel between ports",
        "quote": "You can deduct an expense of travel between two ports.",
        "start_chars": 4,
        "end_chars": 58,
        "compilation_date": "2015-06-22",
        "register_id": "H2015C1",
        "in_force_from": "2015-06-22",
        "in_force_to": "2024-01-02",
        "dating": "inferred",
        "role": "operative",
        **changed,
    }


def outcome(**changed: Any) -> dict[str, Any]:
    return {
        "decision": "answer",
        "reason": "verified",
        "message": "",
        "time": {
            "window": {"first": "2014-07-01", "last": "2015-06-30"},
            "year": 2015,
            "source": "field",
            "read_from": "",
        },
        "claims": [{"prose": "HLA01 s 25-40(1) says:", "kind": "rule", "citations": [citation()]}],
        "reading_list": [],
        "snapshot": {
            "snapshot_id": "ab" * 32,
            "mode": "hybrid",
            "passages_in_force": 9412,
            "degraded": [],
            "compilations": [],
        },
        "provider": "extractive",
        "model": "",
        "stages": [
            {"stage": "resolve", "ms": 0.4, "detail": ""},
            {"stage": "retrieve", "ms": 21.2, "detail": "9 found"},
        ],
        **changed,
    }


def test_fixed_wording_becomes_the_lead_in_and_is_not_said_twice() -> None:
    claim = answer_view(outcome()).claims[0]
    assert (claim.lead_in, claim.prose, claim.label) == ("HLA01 s 25-40(1)", "", "")


def test_a_limit_in_part_says_so() -> None:
    claims = [{"prose": "Limit in HLA01 s 25-40(3), in part:", "kind": "limit", "citations": [citation()]}]
    claim = answer_view(outcome(claims=claims)).claims[0]
    assert (claim.lead_in, claim.prose, claim.label) == ("HLA01 s 25-40(3)", "", "limits the rule above · in part")


def test_a_models_own_sentence_is_shown_as_it_is() -> None:
    claims = [{"prose": "Travel between ports is deductible.", "kind": "rule", "citations": [citation()]}]
    claim = answer_view(outcome(claims=claims)).claims[0]
    assert (claim.lead_in, claim.prose) == ("HLA01 s 25-40", "Travel between ports is deductible.")


def test_a_citation_opens_the_very_version_and_words_that_were_quoted() -> None:
    cited = answer_view(outcome()).claims[0].cited[0]
    assert (cited.instrument, cited.pin) == ("HLA01", "25-40")
    assert cited.query == "as_at=FY2015&version=7&quote_start=4&quote_end=58"
    assert cited.in_force == "In force at least 22 June 2015 – 1 January 2024"
    assert cited.quote_with_citation.splitlines() == [
        "“You can deduct an expense of travel between two ports.”",
        "Harbour Levies Act 2001 s 25-40 (Travel between ports), compilation of 22 June 2015 (H2015C1)",
    ]


def test_an_outcome_that_failed_before_anything_was_known_can_be_shown() -> None:
    shown = answer_view(outcome(decision="error", time=None, snapshot=None, claims=[], stages=[], provider=""))
    assert (shown.tone, shown.chip, shown.elapsed, shown.searched, shown.provider) == ("fault", None, "", "", "")


@pytest.mark.parametrize("decision", list(Decision))
def test_every_decision_has_words_and_no_refusal_looks_like_a_fault(decision: Decision) -> None:
    assert decision_words(decision.value) != decision.value
    assert tone_of(decision.value) == {
        Decision.ANSWER: "answered",
        Decision.AMBIGUOUS: "asked",
        Decision.ERROR: "fault",
    }.get(decision, "refused")


@pytest.mark.parametrize(
    ("source", "read_from", "how"),
    [("question", "2014-15", "read from “2014-15”"), ("field", "", ""), ("today", "", "today’s year")],
)
def test_the_year_chip_says_where_the_year_was_read(source: str, read_from: str, how: str) -> None:
    window = {"first": "2014-07-01", "last": "2015-06-30"}
    chip = year_chip({"window": window, "year": 2015, "source": source, "read_from": read_from})
    assert chip is not None
    assert (chip.label, chip.span, chip.how, chip.as_at) == ("FY2015", "1 Jul 2014 – 30 Jun 2015", how, "FY2015")


def test_a_question_about_one_day_shows_the_day() -> None:
    window = {"first": "2015-03-12", "last": "2015-03-12"}
    chip = year_chip({"window": window, "year": 2015, "source": "question", "read_from": "12 March 2015"})
    assert chip is not None
    assert (chip.label, chip.span, chip.as_at) == ("12 March 2015", "in FY2015", "2015-03-12")


def test_only_two_wordings_of_one_provision_are_offered_for_comparison() -> None:
    reading = {"act": "HLA01", "section": "40-12", "schedule": "", "heading": "Cap", "version_id": 7, "note": ""}
    pair = [reading, reading | {"version_id": 8}]
    assert [line.version_id for line in answer_view(outcome(reading_list=pair)).sides_to_compare] == [7, 8]
    other = [reading, reading | {"section": "40-14"}]
    assert answer_view(outcome(reading_list=other)).sides_to_compare == ()


@pytest.mark.parametrize(
    ("starts", "ends", "says"),
    [
        (date(2015, 6, 22), date(2024, 1, 2), "In force at least 22 June 2015 – 1 January 2024"),
        (date(2015, 6, 22), date(2015, 6, 23), "In force on 22 June 2015"),
        (date(2015, 6, 22), None, "In force from 22 June 2015"),
    ],
)
def test_a_half_open_range_is_told_by_its_last_day(starts: date, ends: date | None, says: str) -> None:
    assert in_force_words(starts, ends) == says


@pytest.mark.parametrize(("ms", "says"), [(0.2, "0 ms"), (84.4, "84 ms"), (1240.0, "1.2 s")])
def test_times_are_told_so_that_they_can_be_taken_in(ms: float, says: str) -> None:
    assert milliseconds(ms) == says


def test_a_section_inside_a_schedule_has_an_address_of_its_own() -> None:
    assert (pin_of("8-1", ""), pin_of("12-35", "1")) == ("8-1", "sch1/12-35")
