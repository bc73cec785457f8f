"""What is shown of a recorded outcome."""

from datetime import date
from typing import Any

import pytest

from research.presentation.answer import NOT_ADVICE, answer_view, year_chip
from research.presentation.quotes import pin_of
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
    assert cited.in_force == "In force at least 22 June 2015 – 1 January 2024 · same words in both compilations"
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
        (date(2015, 6, 22), date(2015, 6, 23), "In force on 22 June 2015, the date of its compilation"),
        (date(2015, 6, 22), None, "In force since at least 22 June 2015"),
    ],
)
def test_a_half_open_range_is_told_by_its_last_day(starts: date, ends: date | None, says: str) -> None:
    assert in_force_words(starts, ends) == says


@pytest.mark.parametrize(("ms", "says"), [(0.2, "0 ms"), (84.4, "84 ms"), (1240.0, "1.2 s")])
def test_times_are_told_so_that_they_can_be_taken_in(ms: float, says: str) -> None:
    assert milliseconds(ms) == says


@pytest.mark.parametrize(
    ("recorded", "pin"),
    [
        ({"section": "12B", "schedule": "", "pin": "12B~2"}, "12B~2"),
        ({"section": "Sch 7 Pt I", "schedule": "7", "pin": "sch-7-pt-i"}, "sch-7-pt-i"),
        ({"section": "8-1", "schedule": ""}, "8-1"),  # recorded before addresses were
        ({"section": "266-5", "schedule": "2F"}, "sch2f/266-5"),
    ],
)
def test_a_provision_is_opened_at_the_address_that_was_recorded(recorded: dict[str, str], pin: str) -> None:
    assert pin_of(recorded) == pin


def test_a_part_of_a_schedule_is_not_called_a_section() -> None:
    part = citation(section="Sch 7 Pt I", schedule="7", pin="sch-7-pt-i", heading="Rates")
    claims = [{"prose": "HLA01 Sch 7 Pt I says:", "kind": "rule", "citations": [part]}]
    claim = answer_view(outcome(claims=claims)).claims[0]
    assert (claim.lead_in, claim.prose) == ("HLA01 Sch 7 Pt I", "")
    assert claim.cited[0].citation.startswith("Harbour Levies Act 2001 Sch 7 Pt I (Rates), ")


def quoted(text: str, start: int, **changed: Any) -> dict[str, Any]:
    return citation(quote=text, start_chars=start, end_chars=start + len(text), **changed)


def test_quotes_of_one_wording_are_set_as_one_and_say_where_words_are_left_out() -> None:
    first, second, third = quoted("(1) You can claim if:\n(a) one;", 0), quoted("(b) two;", 31), quoted("(d) four.", 60)
    claims = [{"prose": "HLA01 s 25-40(1) says, in part:", "kind": "rule", "citations": [first, second, third]}]
    (cited,) = answer_view(outcome(claims=claims)).claims[0].cited
    assert [(line.marker, line.level, line.kind) for line in cited.lines] == [
        ("(1)", 0, "text"),
        ("(a)", 1, "text"),
        ("(b)", 1, "text"),
        ("", 0, "gap"),
        ("(d)", 1, "text"),
    ]
    assert cited.quote == "(1) You can claim if:\n(a) one;\n(b) two;\n[…]\n(d) four."
    assert cited.query.count("quote_start=") == 3


def test_quotes_of_two_wordings_or_out_of_their_order_stay_apart() -> None:
    for other in (quoted("Other words.", 60, version_id=8), quoted("Earlier words.", 0)):
        claims = [{"prose": "Both:", "kind": "rule", "citations": [quoted("Some words.", 30), other]}]
        assert len(answer_view(outcome(claims=claims)).claims[0].cited) == 2


def test_a_side_of_a_gap_does_not_say_its_one_day_twice() -> None:
    side = {"act": "HLA01", "section": "40-12", "schedule": "", "version_id": 7, "note": "wording as at 22 June 2015"}
    side |= {"certain_from": "2015-06-22", "certain_to": "2015-06-23"}
    (line,) = answer_view(outcome(reading_list=[side])).reading
    assert (line.note, line.known) == ("", "In force on 22 June 2015, the date of its compilation")


def test_the_compilations_searched_are_told_in_words() -> None:
    snapshot = outcome()["snapshot"] | {"compilations": ["TR 2024/3 2024-02-01 ", "HLA01 2015-06-22 H2015C1"]}
    assert answer_view(outcome(snapshot=snapshot)).compilations == (
        "TR 2024/3, 1 February 2024",
        "HLA01, 22 June 2015 (H2015C1)",
    )


def test_what_is_not_advice_is_said_on_a_line_of_its_own() -> None:
    shown = answer_view(outcome(attribution=f"Based on the Register. {NOT_ADVICE}"))
    assert (shown.attribution, shown.not_advice) == ("Based on the Register.", NOT_ADVICE)


def test_a_quote_says_when_the_table_it_turns_on_is_not_in_it() -> None:
    turns = quoted("(2) The due is the number in column 2 of the table.", 0)
    (claim,) = answer_view(outcome(claims=[{"prose": "", "kind": "rule", "citations": [turns]}])).claims
    assert claim.cited[0].absent.startswith("The table that these words refer to is not in the quote.")
    assert answer_view(outcome()).claims[0].cited[0].absent == ""


def test_cautions_notices_and_how_the_days_are_known_are_shown() -> None:
    told = citation(notice="Withdrawn with effect from 1 July 2019.", basis="Amended by No 7, 2015 (endnote 4)")
    claims = [{"prose": "HLA01 s 25-40(1) says:", "kind": "rule", "citations": [told]}]
    view = answer_view(outcome(claims=claims, cautions=["The text may not be current."], frameworks=["ATO rulings"]))
    (cited,) = view.claims[0].cited
    assert view.cautions == ("The text may not be current.",)
    assert view.narrowed == "ATO rulings"
    assert cited.notice == "Withdrawn with effect from 1 July 2019."
    assert cited.basis == "Amended by No 7, 2015 (endnote 4)."


@pytest.mark.parametrize(
    ("basis", "shown"),
    [
        ("", ""),
        ("Read from the compilation of 22 June 2015 Read from the compilation of 22 June 2015", ""),
        (
            "In force by the Register's own dates In force by the Register's own dates",
            "In force by the Register's own dates.",
        ),
        ("Added by No 7, 2015.", "Added by No 7, 2015."),
    ],
)
def test_how_both_ends_are_known_alike_is_said_once(basis: str, shown: str) -> None:
    claims = [{"prose": "HLA01 s 25-40(1) says:", "kind": "rule", "citations": [citation(basis=basis)]}]
    assert answer_view(outcome(claims=claims)).claims[0].cited[0].basis == shown


def test_an_answer_recorded_before_these_were_kept_is_shown_without_them() -> None:
    view = answer_view(outcome())
    assert (view.cautions, view.frameworks, view.sides, view.changes) == ((), (), (), ())


@pytest.mark.parametrize(
    ("act", "section", "citation_in_full"),
    [
        ("HLA01", "25-40", "Harbour Levies Act 2001 s 25-40 (Travel between ports)"),
        ("TR 2008/1", "3", "TR 2008/1 at [3] (Travel between ports)"),
        ("KB-12@0f3a", "travel", "KB-12, travel (Travel between ports)"),
    ],
)
def test_each_kind_of_source_is_cited_as_it_is_cited(act: str, section: str, citation_in_full: str) -> None:
    claims = [{"prose": "", "kind": "rule", "citations": [citation(act=act, section=section)]}]
    (cited,) = answer_view(outcome(claims=claims)).claims[0].cited
    assert cited.citation.startswith(f"{citation_in_full}, compilation of 22 June 2015")


def test_an_own_document_among_what_was_searched_goes_by_its_number() -> None:
    searched = outcome()
    searched["snapshot"]["compilations"] = ["HLA01 2015-06-22 H2015C1", "KB-12@0f3a9c 2014-07-01"]
    assert answer_view(searched).compilations == ("HLA01, 22 June 2015 (H2015C1)", "KB-12, 1 July 2014")
