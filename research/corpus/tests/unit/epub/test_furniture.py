"""The list of what is dropped, gone through one by one."""

from __future__ import annotations

import pytest

from asat_site.testing import epubs as e
from research.corpus.ingest.epub.furniture import FURNITURE
from research.corpus.tests.unit.epub.reading import Read

pytestmark = pytest.mark.unit

SAMPLES: dict[str, list[e.Html]] = {
    "contents": [
        e.block("TOC1", "Chapter 1—Introduction 1"),
        e.block("TOC9", "x"),
        e.block("ContentsHead", "Contents"),
    ],
    "tables of sections": [
        e.block("TofSectsHeading", "Table of sections"),
        e.block("TofSectsSection", "5-1 What is due"),
    ],
    "running heads": [
        e.block("Header", e.span("\u00a0", "CharDivNo")),
        e.block("Header", "Section 5-1"),
        e.block("HeaderBoldEven", "Division 5"),
        e.block("Footer", "Harbour Act"),
    ],
    "update dates": [e.block("UpdateDate", "3/3/2020")],
    "tab marks": [e.block("Tabbing", "measure")],
    "notes on asterisks": [
        e.block("Footnote", "*To find definitions of asterisked terms, see the Dictionary, starting at section 995-1.")
    ],
    "signposts": [
        e.block("subsection", "[The next Division is Division 10.]"),
        e.block("subsection", "[This is the end of Part 1-1. The next Part is Part 1-5.]"),
    ],
    "marks of where a Guide ends": [e.block("ActHead4", "Operative provisions")],
}


def test_the_list_has_a_sample_for_everything_in_it() -> None:
    assert [each.name for each in FURNITURE] == list(SAMPLES)
    assert all(each.reason and (each.styles or each.words) for each in FURNITURE)


@pytest.mark.parametrize("name", [each.name for each in FURNITURE])
def test_what_is_in_the_list_is_dropped_by_its_name(read: Read, name: str) -> None:
    law = e.section("1", "Name", [e.subsection("", "This is a name."), *SAMPLES[name]])
    plain = read(e.section("1", "Name", [e.subsection("", "This is a name.")]))
    found = read(law)
    assert [p.text for p in found.provisions] == ["This is a name."]
    more = found.ledger.dropped[name] - plain.ledger.dropped.get(name, 0)
    assert more > 0
    assert found.ledger.read - plain.ledger.read == more
    assert found.ledger.share == 0


def test_case_31_an_empty_running_head_with_a_number_s_span_is_no_heading(read: Read) -> None:
    empty = e.block("Header", e.span("\u00a0", "CharDivNo"))
    found = read(e.section("1", "Name", [e.subsection("", "Before."), empty, e.subsection("", "After.")]))
    assert found.provisions[0].text == "Before.\nAfter."


@pytest.mark.parametrize(
    "kept",
    [
        "The next Division applies to ferries.",
        "[This Division applies to ferries.]",
        "To find definitions, ask.",
        "Operative provisions are law.",
        "Contents of a ferry",
    ],
)
def test_what_only_looks_like_it_is_kept(read: Read, kept: str) -> None:
    found = read(e.section("1", "Name", [e.subsection("", kept)]))
    assert found.provisions[0].text == kept


def test_contents_laid_out_as_a_table_are_dropped_too(read: Read) -> None:
    row = [e.Html(e.block("TOC5", "1 Name")), e.Html(e.block("TOC5", "12"))]
    found = read(e.table([row], heads=0), e.section("1", "Name", [e.subsection("", "This is a name.")]))
    assert [p.section for p in found.provisions] == ["1"]
