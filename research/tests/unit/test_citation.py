"""Pinpoints read from the forms that practitioners write, and everything that only looks like one left alone."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.law.citation import (
    CODES,
    HYPHENATED,
    Citation,
    CitationKind,
    act_mentions,
    candidate_instruments,
    find_citations,
    fits,
    fold,
    in_instrument,
    mask_citations,
)

pytestmark = pytest.mark.unit

READ = [
    ("s 8-1 ITAA 1997", ["ITAA97 s 8-1"]),
    ("section 8-1 of the Income Tax Assessment Act 1997", ["ITAA97 s 8-1"]),
    ("section 8-1 of the income tax assessment act 1997 (Cth)", ["ITAA97 s 8-1"]),
    ("ITAA97 s 8-1(2)(b)", ["ITAA97 s 8-1(2)(b)"]),
    ("s8-1 ITAA97", ["ITAA97 s 8-1"]),
    ("S. 8-1 itaa 1997", ["ITAA97 s 8-1"]),
    ("s 8\u20111\u00a0ITAA\u00a01997", ["ITAA97 s 8-1"]),
    ("s 8–1 ITAA 1997", ["ITAA97 s 8-1"]),
    ("ITAA 1997, section 8-1", ["ITAA97 s 8-1"]),
    ("s 8-1 (ITAA 1997)", ["ITAA97 s 8-1"]),
    ("8-1 ITAA97", ["ITAA97 s 8-1"]),
    ("ITAA97 8-1", ["ITAA97 s 8-1"]),
    ("s 8-1 of the 1997 Act", ["ITAA97 s 8-1"]),
    ("subsection 83A-45(4) of the ITAA 1997", ["ITAA97 s 83A-45(4)"]),
    ("paragraph 104-10(4)(b) of the ITAA 1997", ["ITAA97 s 104-10(4)(b)"]),
    ("s 9-1A ITAA97", ["ITAA97 s 9-1A"]),
    ("sec 40-880 (2) ITAA 1997", ["ITAA97 s 40-880(2)"]),
    ("item 5 of the table in subsection 995-1(1) of the ITAA 1997", ["ITAA97 s 995-1(1)"]),
    ("s 100A of the Income Tax Assessment Act 1936", ["ITAA36 s 100A"]),
    ("s 159GZZZZH ITAA36", ["ITAA36 s 159GZZZZH"]),
    ("s 159gzzzzh itaa36", ["ITAA36 s 159GZZZZH"]),
    ("s 6(1) of the 1936 Act", ["ITAA36 s 6(1)"]),
    ("s 23AG(1) ITAA 1936", ["ITAA36 s 23AG(1)"]),
    ("s 272-5 in Schedule 2F to the ITAA 1936", ["ITAA36 sch 2F s 272-5"]),
    ("s 272-5 ITAA 1936", ["ITAA36 sch 2F s 272-5"]),
    ("s 12-35 in Schedule 1 to the TAA", ["TAA53 sch 1 s 12-35"]),
    ("sch 1 s 12-35 TAA 1953", ["TAA53 sch 1 s 12-35"]),
    ("TAA 1953 Sch 1 s 12-35", ["TAA53 sch 1 s 12-35"]),
    ("Schedule 1 to the TAA, s 12-35", ["TAA53 sch 1 s 12-35"]),
    ("s 12-35 TAA", ["TAA53 sch 1 s 12-35"]),
    ("section 8AAZLGA of the Taxation Administration Act 1953", ["TAA53 s 8AAZLGA"]),
    ("s 9-70 GST Act", ["GSTA99 s 9-70"]),
    ("section 9-5 of the A New Tax System (Goods and Services Tax) Act 1999", ["GSTA99 s 9-5"]),
    ("s 136(1) FBTAA", ["FBTAA86 s 136(1)"]),
    ("s 5B of the Fringe Benefits Tax Assessment Act 1986", ["FBTAA86 s 5B"]),
    ("s 62 SIS Act", ["SISA93 s 62"]),
    ("s 10 of the Superannuation Industry (Supervision) Act 1993", ["SISA93 s 10"]),
    ("s 19(2) SGAA", ["SGAA92 s 19(2)"]),
    ("s 12 of the Superannuation Guarantee (Administration) Act 1992", ["SGAA92 s 12"]),
    ("s 5 of the Superannuation Guarantee Charge Act 1992", ["SGCA92 s 5"]),
    ("s 30-10 TASA 2009", ["TASA09 s 30-10"]),
    ("s 8 of the ABN Act", ["ABNA99 s 8"]),
    ("s 3A Medicare Levy Act 1986", ["MLA86 s 3A"]),
    ("s 41-5 of the Fuel Tax Act 2006", ["FTA06 s 41-5"]),
    ("s 15AA of the Acts Interpretation Act 1901", ["AIA01 s 15AA"]),
    ("s 23 of the Income Tax Rates Act 1986", ["ITRA86 s 23"]),
    ("s 83A-5 of the Income Tax (Transitional Provisions) Act 1997", ["ITTPA97 s 83A-5"]),
    ("s 40-1005(2) ITAA97", ["ITAA97 s 40-1005(2)"]),
    ("s 58M FBTAA", ["FBTAA86 s 58M"]),
    ("s 2-10 of the Harbour Dues (Fictional) Act 1999", ["HDFA99 s 2-10"]),
    ("HDFA99 s 2-10", ["HDFA99 s 2-10"]),
    ("s 83A-5 IT(TP)A 1997", ["ITTPA97 s 83A-5"]),
    ("ss 8-1 and 8-5 of the ITAA 1997", ["ITAA97 s 8-1", "ITAA97 s 8-5"]),
    ("ITAA97 ss 8-1, 8-5 and 40-880(2)", ["ITAA97 s 8-1", "ITAA97 s 8-5", "ITAA97 s 40-880(2)"]),
    ("section 8-1 and section 8-5 of the ITAA 1997", ["ITAA97 s 8-1", "ITAA97 s 8-5"]),
    ("s 8-1 ITAA97 and s 9-70 GST Act", ["ITAA97 s 8-1", "GSTA99 s 9-70"]),
    ("ITAA97 s 8-1, GST Act s 9-70", ["ITAA97 s 8-1", "GSTA99 s 9-70"]),
    ("ss 5–6 FBTAA", ["FBTAA86 s 5", "FBTAA86 s 6"]),
    ("sections 6, 6A and 7 of the FBTAA", ["FBTAA86 s 6", "FBTAA86 s 6A", "FBTAA86 s 7"]),
    ("Division 7A of the ITAA 1936", ["ITAA36 Div 7A"]),
    ("division 40 of the itaa 1997", ["ITAA97 Div 40"]),
    ("Subdivision 328-D of the ITAA 1997", ["ITAA97 Subdiv 328-D"]),
    ("Subdiv 83A-C ITAA97", ["ITAA97 Subdiv 83A-C"]),
    ("Part IVA of the ITAA 1936", ["ITAA36 Pt IVA"]),
    ("Part 2-5 of the ITAA 1997", ["ITAA97 Pt 2-5"]),
    ("Divs 40 and 43 ITAA97", ["ITAA97 Div 40", "ITAA97 Div 43"]),
    ("Schedule 1 to the GST Act", ["GSTA99 sch 1"]),
    ("TR 2024/3", ["TR 2024/3"]),
    ("tr 2024/3", ["TR 2024/3"]),
    ("TR\u00a02024/3 at [12]", ["TR 2024/3 [12]"]),
    ("paragraph 12 of TR 2024/3", ["TR 2024/3 [12]"]),
    ("GSTR 2001/8", ["GSTR 2001/8"]),
    ("TD 93/31", ["TD 93/31"]),
    ("TR 2024/D1", ["TR 2024/D1"]),
    ("PCG 2016/5, PS LA 2001/8 and ATO ID 2003/77", ["PCG 2016/5", "PS LA 2001/8", "ATO ID 2003/77"]),
    ("Taxation Ruling IT 2650", ["IT 2650"]),
]


@pytest.mark.parametrize(("text", "wanted"), READ)
def test_a_pinpoint_is_read_in_each_of_its_forms(text: str, wanted: list[str]) -> None:
    found = find_citations(text)
    assert [str(item.citation) for item in found] == wanted
    assert not any(item.assumed for item in found)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("s 8-1", "ITAA97 s 8-1"),
        ("Is it deductible under section 8-1?", "ITAA97 s 8-1"),
        ("Div 40", "ITAA97 Div 40"),
        ("Division 7A", "ITAA36 Div 7A"),
        ("Subdivision 328-D", "ITAA97 Subdiv 328-D"),
        ("Part IVA", "ITAA36 Pt IVA"),
        ("s 8-1 ITAA", "ITAA97 s 8-1"),
        ("s 23AG ITAA", "ITAA36 s 23AG"),
        ("In the GST Act, what does s 9-70 say?", "GSTA99 s 9-70"),
    ],
)
def test_an_act_that_custom_supplies_is_marked_as_assumed(text: str, wanted: str) -> None:
    (found,) = find_citations(text)
    assert (str(found.citation), found.assumed) == (wanted, True)


def test_a_default_act_is_assumed_only_where_its_numbering_fits() -> None:
    (fits_it,) = find_citations("s 9-70", default_act="GSTA99")
    (does_not,) = find_citations("s 9-70", default_act="FBTAA86")
    assert (fits_it.citation.instrument, fits_it.assumed) == ("GSTA99", True)
    assert (does_not.citation.instrument, does_not.assumed) == ("ITAA97", True)


def test_a_plain_number_without_an_act_names_no_act() -> None:
    (found,) = find_citations("Does s 100A apply?")
    assert (found.citation.instrument, found.citation.section, found.assumed) == (None, "100A", False)
    assert "ITAA36" in candidate_instruments(found.citation)
    assert not HYPHENATED & set(candidate_instruments(found.citation))


def test_a_named_act_that_is_not_held_keeps_its_title_and_is_never_replaced() -> None:
    (found,) = find_citations("s 254T of the Corporations Act 2001")
    assert (found.citation.instrument, found.assumed) == ("Corporations Act 2001", False)
    (found,) = find_citations("Does section 12 of the Widget Levies Act 2011 apply?")
    assert found.citation.instrument == "Widget Levies Act 2011"


def test_a_further_title_is_read_with_the_code_it_is_given() -> None:
    titles = {"Lantern Tax Act 2001": "LTA01", "LTA01": "LTA01"}
    for text in ("s 3-5 of the Lantern Tax Act 2001", "LTA01 s 3-5", "s 3-5 lantern tax act 2001"):
        (found,) = find_citations(text, titles=titles)
        assert (str(found.citation), found.assumed) == ("LTA01 s 3-5", False)


NOT_READ = [
    "in the 2019-20 income year",
    "s 2019-20",
    "for 2019–20 and 2020–21",
    "ITAA97 2019-20",
    "FY19-20",
    "ITAA97 19-20",
    "ITAA97 12-2015",
    "s 12-2015",
    "on 3-3-2019",
    "ITAA97 1-7-2019",
    "call 1300-123-456",
    "phone 02 9123-4567 or 13 28 61",
    "it's 30 June",
    "the taxpayer's 50 shares",
    "$8-10 per hour",
    "between 8-10 hours",
    "part of my income",
    "a division of profits",
    "paragraph 3 above",
    "IT 2019 costs",
    "a section of the community",
    "the 1990s",
    "reg 51-1.01",
    "6th section",
    "born 12-10",
]


@pytest.mark.parametrize("text", NOT_READ)
def test_years_dates_telephones_and_amounts_are_never_sections(text: str) -> None:
    assert [str(item.citation) for item in find_citations(text)] == []


@pytest.mark.parametrize(("text", "wanted"), READ)
def test_offsets_point_at_the_words_that_were_read(text: str, wanted: list[str]) -> None:
    padded = f"Please: {text}, thanks."
    found = find_citations(padded)
    assert [str(item.citation) for item in found] == wanted
    for item in found:
        assert padded[item.start : item.end] == item.text
        assert not item.text.startswith(" ") and not item.text.endswith(" ")


SECTIONS = st.from_regex(r"\A[1-9][0-9]{0,2}[A-Z]{0,2}-[1-9][0-9]{0,2}[A-Z]?\Z", fullmatch=True).filter(
    lambda number: not re.fullmatch(r"[0-9]{2}-[0-9]{2}", number)
)
PLAIN = st.from_regex(r"\A[1-9][0-9]{0,2}(AA|A|B|ZZ|GZH)?\Z", fullmatch=True)
PINS = st.sampled_from(["", "(1)", "(2)(b)", "(1A)(c)(ii)", "(1)(a)(i)(A)"])


@given(st.sampled_from(CODES), SECTIONS, PLAIN, PINS)
def test_what_is_written_is_read_back(code: str, hyphenated: str, plain: str, pinpoint: str) -> None:
    number = hyphenated if code in HYPHENATED else plain
    citation = Citation(code, "", number, pinpoint, CitationKind.SECTION)
    (found,) = find_citations(str(citation))
    assert (found.citation, found.assumed) == (citation, False)


@given(st.text(max_size=300))
def test_any_text_is_read_without_a_fault_and_offsets_hold(text: str) -> None:
    for item in find_citations(text):
        assert text[item.start : item.end] == item.text
    assert len(fold(text)) == len(text) == len(mask_citations(text))


@given(st.integers(1900, 2099), st.sampled_from(["-", "–", "/", "\u2011"]))
def test_no_year_span_is_ever_a_section(year: int, dash: str) -> None:
    span = f"{year}{dash}{(year + 1) % 100:02d}"
    for text in (span, f"s {span}", f"section {span} ITAA97", f"ITAA97 {span}", f"ss {span} and {span}"):
        assert [item for item in find_citations(text) if item.citation.kind is CitationKind.SECTION] == []


def test_long_adversarial_text_is_read_in_reasonable_time() -> None:
    started = time.perf_counter()
    for text in ("s 8-1, " * 280, "A Tax (Of) The " * 130, "1-1 " * 500, "Act 1997 of the " * 120, "(" * 2000):
        find_citations(text[:2000])
    assert time.perf_counter() - started < 5, "a form backtracks: whole seconds for what takes milliseconds"


def test_masking_leaves_no_year_of_an_act_ruling_or_case() -> None:
    text = (
        "Under the ITAA 1997, TR 2024/3, [2015] HCA 3, (1980) 144 CLR 1, Act No. 38 of 1997, the 1936 Act and "
        "s 8-1 of the Widget Levies Act 2011, in FY2020?"
    )
    assert re.findall(r"[0-9]{4}", mask_citations(text)) == ["2020"]


def test_acts_are_named_once_each_by_their_longest_title() -> None:
    text = "the Income Tax (Transitional Provisions) Act 1997 and the Income Tax Assessment Act 1997"
    assert [mention.instrument for mention in act_mentions(text)] == ["ITTPA97", "ITAA97"]


def test_the_numbering_of_an_act_says_what_fits() -> None:
    assert fits("ITAA97", "8-1") and not fits("ITAA97", "100A")
    assert fits("FBTAA86", "136") and not fits("FBTAA86", "8-1")
    assert fits("TAA53", "12-35") and fits("TAA53", "8AAZLGA")


def test_a_pinpoint_read_in_another_act_moves_to_its_schedule() -> None:
    (found,) = find_citations("s 12-35")
    assert str(in_instrument(found.citation, "TAA53")) == "TAA53 sch 1 s 12-35"
