"""Which words of law text lead to another provision, and which look as if they did."""

from __future__ import annotations

import pytest

from research.presentation.crossrefs import Place, links_of, references_in
from research.presentation.marks import Span

pytestmark = pytest.mark.unit


def told(text: str, instrument: str = "ITAA97", schedule: str = "", section: str = "") -> list[tuple[str, Place]]:
    return [(text[each.start : each.end], each.place) for each in references_in(text, instrument, schedule, section)]


@pytest.mark.parametrize(
    ("text", "words", "place"),
    [
        ("See section 25-100.", "section 25-100", ("ITAA97", "", "25-100")),
        ("(see subsection 8-1(2))", "subsection 8-1(2)", ("ITAA97", "", "8-1")),
        ("under Division 40 (capital allowances)", "Division 40", ("ITAA97", "", "40-")),
        (
            "a loan under section 109D of the Income Tax Assessment Act 1936, or",
            "section 109D",
            ("ITAA36", "", "109D"),
        ),
        (
            "paragraph 12-35(1)(b) in Schedule 1 to the Taxation Administration Act 1953",
            "paragraph 12-35(1)(b)",
            ("TAA53", "1", "12-35"),
        ),
        ("Division 250 of the Income Tax Assessment Act 1997", "Division 250", ("ITAA97", "", "250-")),
        ("section 322-30 of this Act applies", "section 322-30", ("ITAA97", "", "322-30")),
        ("section 8\u20111 applies", "section 8\u20111", ("ITAA97", "", "8-1")),
    ],
)
def test_a_reference_leads_to_the_provision_it_names(text: str, words: str, place: Place) -> None:
    assert told(text) == [(words, place)]


def test_each_of_a_list_leads_to_its_own_section() -> None:
    assert told("Sections 40-70, 40-72 and 40-75 show you how.") == [
        ("Sections 40-70", ("ITAA97", "", "40-70")),
        ("40-72", ("ITAA97", "", "40-72")),
        ("40-75", ("ITAA97", "", "40-75")),
    ]


def test_one_act_named_in_a_text_does_not_take_the_references_that_name_none() -> None:
    text = "Section 8-1 does not apply. Section 51 of the Income Tax Assessment Act 1936 did."
    assert told(text) == [("Section 8-1", ("ITAA97", "", "8-1")), ("Section 51", ("ITAA36", "", "51"))]


@pytest.mark.parametrize(
    ("instrument", "schedule", "text", "place"),
    [
        ("TAA53", "1", "See section 12-1.", ("TAA53", "1", "12-1")),
        ("TAA53", "1", "See Division 12.", ("TAA53", "1", "12-")),
        ("TAA53", "", "See section 8AAB.", ("TAA53", "", "8AAB")),
        ("ITAA36", "", "See section 109R.", ("ITAA36", "", "109R")),
        ("ITAA36", "2F", "See section 265-5.", ("ITAA36", "2F", "265-5")),
        ("HDFA99", "", "See section 5-10.", ("HDFA99", "", "5-10")),
        ("harbour-dues", "", "See section 12.", ("harbour-dues", "", "12")),
        ("KB-12@0f3a", "", "Claim under section 8-1.", ("ITAA97", "", "8-1")),
        ("TR 2024/3", "", "Section 8-1 allows it.", ("ITAA97", "", "8-1")),
    ],
)
def test_a_reference_that_names_no_act_is_one_to_the_act_it_stands_in(
    instrument: str, schedule: str, text: str, place: Place
) -> None:
    assert [place for _, place in told(text, instrument, schedule)] == [place]


@pytest.mark.parametrize(
    "text",
    [
        "section 16AI of the Harbours Commission Act is declared",
        "section 12 of that Act",
        "sections 12 and 14(2) of that Act",
        "Division 2AA of Part II of that Act",
        "section 33 of the regulations",
        "section 5 of the Customs (Harbour Dues) Regulations",
        "section 45 of the former Act",
    ],
)
def test_a_reference_to_another_law_that_is_not_read_with_it_leads_nowhere(text: str) -> None:
    assert [place for _, place in told(text) if place[0] == "ITAA97"] == []


def test_an_act_that_has_no_short_code_is_found_by_its_title() -> None:
    text = "as section 5-10 of the Harbour Dues (Fictional) Act 1999 allows"
    found = references_in(text, "KB-12@0f3a", titles={"Harbour Dues (Fictional) Act 1999": "HDFA99"})
    assert [each.place for each in found] == [("HDFA99", "", "5-10")]


def test_a_provision_does_not_lead_to_itself() -> None:
    assert told("Subsection 8-1(2) limits it; see section 8-5.", section="8-1") == [
        ("section 8-5", ("ITAA97", "", "8-5"))
    ]


def test_a_division_of_an_act_whose_sections_are_not_numbered_by_it_stays_text() -> None:
    assert told("Division 7A applies.", "ITAA36") == []


def test_only_what_is_held_is_linked() -> None:
    text = "See section 8-1 and section 8-5."
    spans = links_of(
        references_in(text, "ITAA97"), {("ITAA97", "", "8-5"): "8-5"}, lambda code, pin: f"/law/{code}/{pin}"
    )
    assert spans == [Span(20, 31, "/law/ITAA97/8-5")]
