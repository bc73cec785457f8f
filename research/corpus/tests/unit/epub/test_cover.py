"""What a cover says, in the forms that covers have had."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from asat_site.testing import epubs as e
from research.corpus.ingest.epub.blocks import Block
from research.corpus.ingest.epub.cover import read_cover
from research.corpus.ingest.read import CorpusRejected
from research.corpus.tests.unit.epub.reading import Read, packed, read_bytes

pytestmark = pytest.mark.unit

LAW = e.section("1", "Name", [e.subsection("", "This is a name.")])


def _cover(*lines: str) -> list[Block]:
    return [Block("p", (), text=line) for line in lines]


def test_a_cover_gives_title_number_compilation_and_date(read: Read) -> None:
    found = read(LAW, includes="38, 2020", not_commenced="86, 2016", register_id="C2020C00123")
    assert (found.title, found.act_number, found.act_year) == ("Harbour Dues and Ferries Act 1999", 38, 1999)
    assert (found.compilation_number, found.dated, found.register_id) == ("12", date(2020, 7, 1), "C2020C00123")
    assert (found.includes_to, found.not_commenced) == ("38, 2020", ((86, 2016),))


@pytest.mark.parametrize(
    ("line", "dated"),
    [
        ("Compilation date: 1 July 2026", date(2026, 7, 1)),
        ("Compilation date:\u00a01\u00a0July\u00a02026", date(2026, 7, 1)),
        ("This compilation was prepared on 14 March 2008 taking into account", date(2008, 3, 14)),
        ("Start date: 1 January 2013", date(2013, 1, 1)),
        ("shows the law as amended and in force on 22 June 2015 (the compilation date)", date(2015, 6, 22)),
        ("Reprinted as at 31 March 1990", date(1990, 3, 31)),
        ("[Assented to 31 May 1999]", date(1999, 5, 31)),
        ("Compilation date: 31 February 2025", None),
        ("Compilation date: 1 Juli 2025", None),
        ("", None),
    ],
)
def test_case_69_a_date_is_a_day_that_there_is(line: str, dated: date | None) -> None:
    assert read_cover(_cover(line), [], "x.epub").dated == dated


@pytest.mark.parametrize(
    ("line", "includes"),
    [
        ("Includes amendments: Act No. 38, 2024", "38, 2024"),
        ("Includes amendments up to: Act No. 38, 2015", "38, 2015"),
        (
            "This compilation was prepared on 14 March 2008 taking into account amendments up to Act No. 15 of 2008",
            "15, 2008",
        ),
        ("Includes amendments: Act No. 38, 2024 and Act No. 7, 2025", "7, 2025"),
        ("Includes amendments: F2024L00417", "F2024L00417"),
        ("Includes amendments:", ""),
    ],
)
def test_a_cover_says_up_to_which_act_it_goes(line: str, includes: str) -> None:
    assert read_cover(_cover(line), [], "x.epub").includes_to == includes


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ("Amendments made by Act No. 86, 2016 have not commenced but are noted in the endnotes.", ((86, 2016),)),
        ("Amendments made by Act No 86, 2016 and Act No 7, 2017 have not yet commenced.", ((86, 2016), (7, 2017))),
        ("Amendments made by Acts Nos. 3 and 4, 2019 have not commenced.", ((3, 2019), (4, 2019))),
        ("Includes Act No. 1, 2020. Amendments made by Act No. 2, 2020 have not commenced.", ((2, 2020),)),
        ("Includes amendments: Act No. 38, 2024", ()),
    ],
)
def test_a_cover_names_what_has_not_commenced(line: str, acts: tuple[tuple[int, int], ...]) -> None:
    assert read_cover(_cover(line), [], "x.epub").not_commenced == acts


def test_a_register_id_is_taken_from_the_file_s_name_last() -> None:
    assert read_cover(_cover("C2001C00001"), ["C2002C00002"], "C2003C00003.epub").register_id == "C2001C00001"
    assert read_cover([], ["C2002C00002"], "C2003C00003.epub").register_id == "C2002C00002"
    assert read_cover([], [], "C2003C00003VOL01.epub").register_id == "C2003C00003"


def test_a_title_is_found_without_its_style_too() -> None:
    assert read_cover(_cover("Harbour Dues\u00a0Act 1999", "No. 38, 1999"), [], "x").title == "Harbour Dues Act 1999"
    assert read_cover([], ["urn:1", "Harbour Dues Act 1999"], "x").title == "Harbour Dues Act 1999"


def test_a_text_whose_cover_has_no_date_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusRejected, match="states no compilation date"):
        read_bytes(tmp_path, packed(e.Volume(body=LAW, has_cover=False)))


def test_a_text_as_made_is_dated_by_its_assent_and_says_so(tmp_path: Path) -> None:
    front = [e.block("ShortT", "Harbour Act 1999"), e.block("", "[Assented to 31 May 1999]")]
    found = read_bytes(tmp_path, packed(e.Volume(body=[*front, *LAW], has_cover=False)))
    assert (found.dated, found.compilation_number) == (date(1999, 5, 31), "")
    assert "dated by its assent" in found.warnings[0]


@pytest.mark.parametrize("has_contents", [True, False])
def test_a_cover_is_no_text_of_the_act(read: Read, has_contents: bool) -> None:
    volume = e.Volume(body=[e.block("LongT", "An Act about harbours"), *LAW], has_contents=has_contents)
    found = read(volume, includes="38, 2020")
    assert [provision.text for provision in found.provisions] == ["An Act about harbours", "This is a name."]
    assert found.ledger.dropped["cover pages"] > 100


def test_a_long_title_that_names_an_act_is_law(read: Read) -> None:
    volume = e.Volume(body=[e.block("LongT", "An Act to replace the Ferries Act 1950"), *LAW], has_contents=False)
    assert read(volume).provisions[0].text == "An Act to replace the Ferries Act 1950"


def test_a_cover_laid_out_as_a_table_is_read_too(tmp_path: Path) -> None:
    rows = [["Compilation No.", "12"], ["Compilation date:", "1 July 2020"], ["Volume 1:", "sections 1 to 9"]]
    front = [e.block("ShortT", "Harbour Act 1999"), e.table(rows, heads=0), e.block("TOC5", "1 Name")]
    found = read_bytes(tmp_path, packed(e.Volume(body=[*front, *LAW], has_cover=False, has_contents=False)))
    assert (found.dated, len(found.provisions)) == (date(2020, 7, 1), 1)
