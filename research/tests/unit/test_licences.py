"""Which licences are taken, which are refused by name, and that the list for people says the same."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from research.corpus import fictional
from research.law.licences import CC_BY_URL, LICENCES, LicenceRefused, attribution, licence_of

TOP = Path(__file__).resolve().parents[3]
REGISTER = "https://www.legislation.gov.au/C2004A05138/latest"

TAKEN = [
    ("CC BY 4.0", "", "CC BY 4.0"),
    ("CC-BY-4.0", "", "CC BY 4.0"),
    ("cc_by_4.0", "", "CC BY 4.0"),
    ("Creative Commons Attribution 4.0 International (CC BY 4.0)", "", "CC BY 4.0"),
    (CC_BY_URL, "", "CC BY 4.0"),
    ("https://creativecommons.org/licenses/by/4.0/legalcode", "", "CC BY 4.0"),
    ("CC BY 4.0", REGISTER, "FRL"),
    ("CC BY 4.0", "https://legislation.gov.au/Details/C2015C00285", "FRL"),
    ("CC BY 4.0", "https://treasury.gov.au/publication", "TREASURY"),
    ("CC BY 4.0", "https://archive.budget.gov.au/2020", "TREASURY"),
    ("ATO", "https://www.ato.gov.au/law/view/document?docid=TXR/TR20081/NAT/ATO/00001", "ATO"),
    ("Open Australian Legal Corpus", "", "OALC"),
    ("own", "", "own"),
    ("AGPL-3.0-only", "", "fictional"),
]


@pytest.mark.parametrize(("text", "uri", "code"), TAKEN)
def test_a_known_licence_is_taken_in_every_spelling_and_is_its_sources(text: str, uri: str, code: str) -> None:
    assert licence_of(text, uri).code == code


REFUSED = [
    ("", "", "the licence is not stated"),
    ("   ", "", "the licence is not stated"),
    ("MIT", "", "'MIT'"),
    ("CC BY 3.0", "", "'CC BY 3.0'"),
    ("CC BY-NC 4.0", "", "forbids commercial use"),
    ("CC-BY-NC-ND", "", "forbids commercial use"),
    ("Creative Commons Attribution-NonCommercial 4.0", "", "forbids commercial use"),
    ("https://creativecommons.org/licenses/by-nc/4.0/", "", "forbids commercial use"),
    ("CC BY-ND 4.0", "", "forbids changed text"),
    ("CC BY-SA 4.0", "", "must carry its terms"),
    ("All rights reserved", "", "it permits no copy"),
    ("AustLII", "", "forbids automated and AI-related access"),
    ("© CCH Australia Limited", "", "commercial publisher's"),
    ("CC BY 4.0", "http://www.austlii.edu.au/au/legis", "forbids automated and AI-related access"),
    ("CC BY 4.0", "https://www.fairwork.gov.au/pay", "two reports of its licence conflict"),
    ("CC BY 4.0", "https://www.aph.gov.au/bills", "commercial use and changed text"),
    ("CC BY 4.0", "https://www.ato.gov.au/law/view/document?docid=TXR/TR20081/NAT/ATO/00001", "not a Creative Commons"),
    (
        "ATO",
        "https://www.ato.gov.au/law/view/document?docid=PAC%2F19970038%2F8-1",
        "take Acts from the Federal",
    ),
    (
        "ATO",
        "https://www.ato.gov.au/law/view/document?LocID=%22JUD%2F2012ATC10-244%2F00001%22",
        "commercial publisher's",
    ),
    ("ATO", "https://www.ato.gov.au/law/view/document?docid=EV/1051234567890", "nobody else may rely on"),
]


@pytest.mark.parametrize(("text", "uri", "why"), REFUSED)
def test_any_other_licence_is_refused_by_name_with_what_is_taken(text: str, uri: str, why: str) -> None:
    with pytest.raises(LicenceRefused) as refusal:
        licence_of(text, uri)
    assert why in str(refusal.value)
    assert "give one of FRL, ATO, TREASURY, OALC, CC BY 4.0, own, fictional; else leave this source out" in str(
        refusal.value
    )


def test_a_host_that_only_ends_like_the_registers_is_not_the_register() -> None:
    assert licence_of("CC BY 4.0", "https://not-legislation.gov.au/").code == "CC BY 4.0"


def test_the_registers_sentence_is_word_for_word_that_of_its_terms() -> None:
    assert attribution(LICENCES["FRL"], day=date(2024, 1, 1)) == (
        "Based on content from the Federal Register of Legislation at 1 January 2024. For the latest information on "
        "Australian Government law please go to https://www.legislation.gov.au."
    )


def test_the_ato_is_named_as_its_notice_names_it_and_endorses_nothing() -> None:
    ato = LICENCES["ATO"]
    assert attribution(ato) == "© Australian Taxation Office for the Commonwealth of Australia"
    assert "Creative Commons licence" in ato.title and "not a" in ato.title
    assert "endorses" in ato.changes


@pytest.mark.parametrize(
    ("code", "given", "missing"), [("FRL", {}, "day"), ("own", {}, "title"), ("OALC", {"title": "X"}, "sentence")]
)
def test_no_attribution_goes_out_half_filled(code: str, given: dict[str, str], missing: str) -> None:
    with pytest.raises(LookupError, match=missing):
        attribution(LICENCES[code], **given)  # type: ignore[arg-type]


def test_whatever_may_not_be_served_says_why_and_whatever_may_says_what_to_attribute() -> None:
    for licence in LICENCES.values():
        assert bool(licence.why_not) != licence.may_be_served
        assert bool(licence.attribution) == licence.may_be_served


def test_the_fictional_act_has_a_licence_that_is_taken() -> None:
    folder = Path(fictional.__file__).parent
    lines = [line for file in folder.glob("*.jsonl") for line in file.read_text().splitlines()]
    stated = {json.loads(line)["metadata"]["licence"] for line in lines}
    assert [licence_of(text).code for text in stated] == ["fictional"]


def rows(of: str) -> dict[str, list[str]]:
    """The rows of the table under a heading of DATA-LICENCES.md, by their first cell."""
    section = (TOP / "DATA-LICENCES.md").read_text().split(f"\n## {of}\n", 1)[1].split("\n## ", 1)[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return {row[0]: row[1:] for row in cells[2:]}


def test_the_list_for_people_says_what_the_program_holds_to() -> None:
    every = LICENCES.values()
    served = {each.code: [each.source, each.title, each.url, each.attribution] for each in every if each.may_be_served}
    kept_out = {each.code: [each.source, each.title, each.why_not] for each in every if not each.may_be_served}
    assert rows("Served") == served
    assert rows("Kept out") == kept_out
