"""Mark-up of every age: the structural pass first, a looser one only where it bears out, else "cannot be read"."""

from __future__ import annotations

from pathlib import Path

import pytest

from asat_site.testing import epubs as e
from research.corpus.ingest.epub.loose import ascends, numbered_lines
from research.corpus.ingest.published import Published
from research.corpus.ingest.read import CorpusRejected
from research.corpus.tests.unit.epub.reading import Read, by_address, packed, read_bytes

pytestmark = pytest.mark.unit


def _classless(tmp_path: Path, *lines: str) -> Published:
    front = [e.block("", "Harbour Dues Act 1901"), e.block("", "Compilation date: 1 July 2020")]
    body = [line if isinstance(line, e.Html) else e.block("", line) for line in lines]
    return read_bytes(tmp_path, packed(e.Volume(body=[*front, *body], has_cover=False, has_contents=False)))


def _bare(level: int, inner: str) -> e.Heading:
    return e.Heading(level, inner, e.Html(inner), tag=f"h{level}", cls="")


def test_case_9_bare_headings_of_older_texts_are_sections(read: Read) -> None:
    found = read(
        _bare(2, '<span class="CharPartNo">Part I</span>—<span class="CharPartText">Preliminary</span>'),
        _bare(5, '<span class="CharSectno">1</span>\u00a0 Short title'),
        e.block("subsection", "This Act has a short title."),
        _bare(5, "2\u00a0 Commencement"),
        e.block("subsection", "This Act has commenced."),
    )
    assert [(p.section, p.heading, p.path) for p in found.provisions] == [
        ("1", "Short title", ("Part I—Preliminary",)),
        ("2", "Commencement", ("Part I—Preliminary",)),
    ]


def test_older_texts_end_where_their_notes_begin(read: Read) -> None:
    found = read(
        _bare(5, "1\u00a0 Short title"),
        e.block("subsection", "This Act has a short title."),
        e.Html("<h2>Notes to the Harbour Act 1999</h2>"),
        e.table([["S. 5", "am. No. 17, 1940"]], heads=0),
    )
    assert [p.section for p in found.provisions] == ["1"]
    assert found.endnotes[0].title == "Notes to the Harbour Act 1999"


def test_texts_that_mark_a_section_by_its_number_s_span_alone_are_read(read: Read) -> None:
    found = read(
        e.block("", e.span("1", "CharSectno"), "\u00a0 Short title"),
        e.block("", "This Act has a short title."),
        e.block("", e.span("2", "CharSectno"), "\u00a0 Commencement"),
        e.block("", "This Act has commenced."),
    )
    assert [(p.section, p.heading) for p in found.provisions] == [("1", "Short title"), ("2", "Commencement")]


def test_cases_23_24_25_26_numbered_lines_of_a_classless_text(tmp_path: Path) -> None:
    found = _classless(
        tmp_path,
        "1904. No. 2.",
        "1 October 2016",
        "1 Prescribed courses",
        "3. This determination applies to ferries.",
        "2 Modification of the meaning of dues for the purposes of Division 75",
        "Dues are due.",
    )
    assert [(p.section, p.heading) for p in found.provisions if p.section.isdigit()] == [
        ("1", "Prescribed courses"),
        ("2", "Modification of the meaning of dues for the purposes of Division 75"),
    ]
    assert by_address(found)["", "Introduction"].text == "1904. No. 2.\n1 October 2016"
    assert by_address(found)["", "1"].text == "3. This determination applies to ferries."
    assert "read by its numbered lines" in found.warnings[0]


def test_old_scans_are_read_by_the_numbers_that_begin_their_sections(tmp_path: Path) -> None:
    found = _classless(
        tmp_path,
        "1901. No. 9.",
        "1. This Act may be cited as the Harbour Act.",
        "2. This Act commences at once.",
        "3.—(1.) The Collector may fix dues.",
        "(2.) Dues are a debt.",
    )
    assert [p.section for p in found.provisions] == ["Introduction", "1", "2", "3"]
    assert by_address(found)["", "3"].text == "3.—(1.) The Collector may fix dues.\n(2.) Dues are a debt."
    assert found.ledger.share == 0


@pytest.mark.parametrize(
    "lines",
    [
        ("2. This Act goes on.", "3.—(1.) The Collector may.", "4. And so."),
        ("1. This Act.", "5.—(1.) The Collector may.", "3. And so."),
        ("5 Prescribed courses", "6 Other courses"),
        ("1 Prescribed courses", "3 Other courses"),
        ("3. This determination applies to ferries.", "Dues are due."),
        ("No numbers at all.", "None here."),
    ],
)
def test_case_27_numbers_that_do_not_begin_at_1_and_go_up_cannot_be_read(
    tmp_path: Path, lines: tuple[str, ...]
) -> None:
    with pytest.raises(CorpusRejected, match="cannot be read"):
        _classless(tmp_path, *lines)


def test_case_28_a_text_of_tables_has_a_row_for_each_with_its_caption(tmp_path: Path) -> None:
    tables = [
        e.table([["Name", "Depth"], [f"Harbour {n}", "4"]], caption=f"Harbours of area {n}") for n in range(1, 25)
    ]
    found = _classless(tmp_path, "These are harbours.", *tables[:12], "They float.", *tables[12:], "They end.")
    rows = by_address(found)
    assert len(found.provisions) == 25
    assert rows["", "Introduction"].text == "These are harbours.\nThey float.\nThey end."
    assert (rows["", "Table 24"].heading, rows["", "Table 24"].text) == (
        "Harbours of area 24",
        "Name: Harbour 24; Depth: 4",
    )


@pytest.mark.parametrize(
    ("numbers", "is_so"),
    [
        (["1", "2", "3"], True),
        (["1", "2", "2A", "3"], True),
        (["1", "1"], False),
        (["2", "3"], False),
        (["1", "3"], False),
        (["1", "2", "1"], False),
        ([], False),
    ],
)
def test_numbers_go_up_one_by_one_or_not(numbers: list[str], is_so: bool) -> None:
    assert ascends(numbers) is is_so


def test_one_numbered_line_alone_is_no_structure() -> None:
    assert numbered_lines([[("1 Prescribed courses", False)]]) is None
