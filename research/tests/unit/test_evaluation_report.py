"""The report: the same numbers on the page and in Markdown, nothing fetched, every picture also in words."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

from research.evaluation.cases import Authority, Case, Tags
from research.evaluation.gates import Integrity, gates
from research.evaluation.measured import Line
from research.evaluation.measures import judge
from research.evaluation.report.markdown import as_markdown
from research.evaluation.report.page import as_page
from research.evaluation.report.parts import Report
from research.evaluation.report.sections import Run, report_of

pytestmark = pytest.mark.unit

WANTED = Authority("HDFA99", "12")


def line(name: str, at: int) -> Line:
    kind = ("lay", "practitioner <b>", "out_of_scope")[at % 3]
    is_out = kind == "out_of_scope"
    case = Case(
        id=name,
        question="Is it?",
        income_year=2015,
        behaviour="abstain_out_of_scope" if is_out else "answer",
        also_acceptable_behaviours=(),
        acceptable=() if is_out else (WANTED,),
        must_not_cite=(),
        gold=() if is_out else (WANTED,),
        tags=Tags("dues | tolls", kind, "lay" if at % 2 else "statutory", "tune" if at % 4 < 2 else "test"),
    )
    section = "13" if at == 7 else "12"
    decision = "abstain_out_of_scope" if is_out else "answer" if at % 2 else "abstain_thin_evidence"
    citation = {"act": "HDFA99", "section": section, "in_force_from": "2015-06-22", "in_force_to": None}
    result: dict[str, Any] = {
        "id": name,
        "decision": decision,
        "reason": "verified",
        "income_year": 2015,
        "citations": [citation] if decision == "answer" else [],
        "retrieved": [{"act": "HDFA99", "section": section, "score": 1.0}],
        "timings_ms": {"resolve": 1.0 + at, "retrieve": 20.0},
        "confidence": (at % 10) / 10,
    }
    return Line(case, result, judge(case, result))


@pytest.fixture(scope="module")
def report() -> Report:
    lines = [line(f"case-{at}", at) for at in range(40)]
    integrity = Integrity(True, 1, 1, (), (("case-1", Authority("HDFA99", "99")),), ())
    held = gates(integrity, [one.verdict for one in lines], [], None)
    return report_of(Run(lines, held, integrity, {"cases file": "made_up.yaml", "search": "hybrid"}))


class Seen(HTMLParser):
    """What a page holds: its tags, addresses and cells."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action", "srcset")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_one_file_that_fetches_and_runs_nothing(report: Report) -> None:
    page, seen = as_page(report), Seen()
    seen.feed(page)
    assert seen.open == [] and seen.addresses == []
    assert not {"script", "link", "img", "iframe"} & set(seen.tags)
    assert "url(" not in page and "@import" not in page
    assert page.count("prefers-color-scheme:dark") == 1 and page.count("@media print") == 1


def test_every_picture_parses_and_says_in_words_what_it_shows(report: Report) -> None:
    pictures = [picture for section in report.sections for picture in section.pictures]
    assert len(pictures) == 5
    for picture in pictures:
        svg = ElementTree.fromstring(picture.svg)
        space = "{http://www.w3.org/2000/svg}"
        title, told = svg.find(f"{space}title"), svg.find(f"{space}desc")
        assert title is not None and title.text == picture.title
        assert told is not None and told.text and len(told.text) > 20
    for section in report.sections:
        assert not section.pictures or section.tables


def test_page_and_markdown_hold_the_same_cells(report: Report) -> None:
    page, markdown = as_page(report), as_markdown(report)
    cells = [cell for section in report.sections for table in section.tables for row in table.rows for cell in row]
    assert len(cells) > 200
    for cell in cells:
        assert cell.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#x27;") in page
        assert cell.replace("|", "\\|") in markdown


def test_what_is_in_a_case_cannot_break_the_page(report: Report) -> None:
    assert "practitioner <b>" not in as_page(report)
    rows = [line for line in as_markdown(report).splitlines() if line.startswith("| dues")]
    assert rows and all(line.startswith("| dues \\| tolls |") for line in rows)


def test_wrong_over_answered_never_stands_alone(report: Report) -> None:
    markdown = as_markdown(report)
    # Odd cases of two kinds in three are answered: 14 of them; number 7 from the wrong provision.
    answered = sum(at % 2 and at % 3 != 2 for at in range(40))
    assert answered == 14
    assert f"1 of {answered} answers given, 1 of 40 cases" in markdown
    names = re.findall(r"^\| (wrong authority, of [^|]+) \|", markdown, re.MULTILINE)
    assert names == ["wrong authority, of the answers given", "wrong authority, of all cases"] * 3


def test_the_splits_are_reported_apart(report: Report) -> None:
    markdown = as_markdown(report)
    assert "The split “tune” alone: 20 cases" in markdown and "The split “test” alone: 20 cases" in markdown


def test_a_trap_that_is_not_there_is_named(report: Report) -> None:
    assert "not in the corpus: HDFA99 99 (case-1)" in as_markdown(report)


def test_a_report_of_one_refused_case_can_be_written() -> None:
    one = line("alone", 2)
    bare = Line(one.case, {**one.result, "timings_ms": {}, "confidence": None, "retrieved": []}, one.verdict)
    integrity = Integrity(False, 0, 0, (), (), ())
    run = Run([bare], gates(integrity, [bare.verdict], [], None), integrity, {})
    markdown = as_markdown(report_of(run))
    assert "not measurable" in markdown and "No case is answerable" in markdown
    assert "A gate failed" in as_page(report_of(run))
