"""Several volumes: each begins anew, repeats what it repeats, and no text goes under the volume before."""

from __future__ import annotations

from pathlib import Path

import pytest

from asat_site.testing import epubs as e
from research.corpus.ingest.read import CorpusRejected
from research.corpus.tests.unit.epub.reading import Read, by_address, packed, read_bytes

pytestmark = pytest.mark.unit

FIRST = e.Volume(
    body=[
        e.chapter("1", "Introduction"),
        e.part("1-1", "Preliminary"),
        e.section("1-1", "Name", [e.subsection("", "This is a name.")]),
    ]
)


def test_headings_that_a_volume_repeats_are_one(read: Read) -> None:
    again = [e.chapter("1", "Introduction"), e.part("1-1", "Preliminary"), e.division("2", "More")]
    found = read(FIRST, e.Volume(body=[*again, e.section("2-1", "More", [e.subsection("", "More law.")])]))
    assert by_address(found)["", "2-1"].path == ("Chapter 1—Introduction", "Part 1-1—Preliminary", "Division 2—More")
    assert found.ledger.dropped["repeated headings"] == len("Chapter1—IntroductionPart1-1—Preliminary")
    assert found.warnings == ()


def test_one_number_under_two_parts_is_two_containers(read: Read) -> None:
    found = read(
        e.part("I", "First"), e.division("1", "One"), e.section("1", "A", [e.subsection("", "Law.")]),
        e.part("II", "Second"), e.division("1", "Other"), e.section("2", "B", [e.subsection("", "More law.")]),
    )  # fmt: skip
    assert by_address(found)["", "2"].path == ("Part II—Second", "Division 1—Other")


def test_case_10_a_volume_without_headings_goes_under_a_row_of_its_own(read: Read) -> None:
    second = e.Volume(body=[e.block("P1", "Harbours of the north."), e.block("P1", "Harbours of the south.")])
    found = read(FIRST, second)
    assert by_address(found)["", "1-1"].text == "This is a name."
    assert by_address(found)["", "Introduction (volume 2)"].text == "Harbours of the north.\nHarbours of the south."


def test_case_10_a_schedule_s_heading_of_another_style_opens_that_schedule(read: Read) -> None:
    second = e.Volume(body=[e.block("ScheduleHeading", "Schedule 4—Harbours"), e.block("P1", "Harbours of the north.")])
    found = read(FIRST, second)
    assert by_address(found)["4", "Sch 4"].text == "Harbours of the north."


def test_cases_11_12_endnotes_on_the_cover_and_in_the_contents_are_not_the_endnotes(read: Read) -> None:
    endnotes = [e.endnote("1", "About the endnotes", e.block("ENotesText", "They are about this."))]
    second = e.Volume(body=e.section("2", "More", [e.subsection("", "More law.")]), endnotes=endnotes)
    found = read(FIRST, second)
    assert [provision.section for provision in found.provisions] == ["1-1", "2"]


def test_case_13_endnotes_of_one_volume_do_not_swallow_the_next(read: Read) -> None:
    rows = [["s 1", "am No 1, 2020"]]
    first = e.Volume(
        body=e.section("1", "Name", [e.subsection("", "Law.")]),
        endnotes=[e.endnote("4", "Amendment history", e.table_of_amendments(rows))],
    )
    found = read(first, e.Volume(body=e.section("2", "More", [e.subsection("", "More law.")])))
    assert [provision.section for provision in found.provisions] == ["1", "2"]
    assert len(found.endnotes) == 1


def test_a_volume_that_goes_on_in_a_schedule_is_read_as_part_of_it_and_said(read: Read) -> None:
    first = e.Volume(body=[e.schedule("1", "Collection"), e.section("6-1", "A", [e.subsection("", "Law.")])])
    second = e.Volume(body=[e.division("10", "Withholding"), e.section("10-1", "B", [e.subsection("", "Law too.")])])
    found = read(first, second, has_ncx=False)
    assert by_address(found)["1", "10-1"].path == ("Schedule 1—Collection", "Division 10—Withholding")
    assert "does not say under which Schedule" in found.warnings[0]


def test_what_a_volume_does_not_repeat_is_taken_from_the_ncx(tmp_path: Path) -> None:
    second = e.Volume(body=[e.division("40", "Ferries"), e.section("40-1", "B", [e.subsection("", "Law too.")])])
    ncx = (
        b'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint>'
        b"<navLabel><text>Volume 2</text></navLabel>"
        b"<navPoint><navLabel><text>Chapter 1\xe2\x80\x94Introduction</text></navLabel>"
        b"<navPoint><navLabel><text>Division 40\xe2\x80\x94Ferries</text></navLabel>"
        b'<content src="document_2/document_2.html#_Toc10000004"/></navPoint></navPoint></navPoint></navMap></ncx>'
    )
    found = read_bytes(tmp_path, packed(FIRST, second, more={"OEBPS/document.ncx": ncx}))
    assert by_address(found)["", "40-1"].path == ("Chapter 1—Introduction", "Division 40—Ferries")


def test_an_introduction_that_each_volume_repeats_is_kept_once(read: Read) -> None:
    long_title = e.block("LongT", "An Act about harbours")
    first = e.Volume(body=[long_title, *FIRST.body])
    second = e.Volume(body=[long_title, e.section("2", "More", [e.subsection("", "More law.")])])
    found = read(first, second)
    assert [provision.section for provision in found.provisions] == ["Introduction", "1-1", "2"]
    assert found.ledger.dropped["repeated introductions"] == len("AnActaboutharbours")


# -- the contents as an oracle


def _ncx(*labels: tuple[str, str]) -> bytes:
    points = "".join(
        f"<navPoint><navLabel><text>{label}</text></navLabel>"
        f"<content src='document_1/document_1.html#{anchor}'/></navPoint>"
        for label, anchor in labels
    )
    return f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{points}</navMap></ncx>'.encode()


def test_a_section_that_only_the_contents_have_is_a_warning(tmp_path: Path) -> None:
    ncx = _ncx(("1\u20111\u00a0 Name", "_Toc10000003"), ("1\u20115\u00a0 Gone", "_Toc9"))
    found = read_bytes(tmp_path, packed(FIRST, more={"OEBPS/document.ncx": ncx}))
    assert found.warnings == (
        "the contents list '1\u20115 Gone', which was not found in the text",
        "the contents point to a place that is not in OEBPS/document_1/document_1.html: '1\u20115\\xa0 Gone'",
    )


def test_case_39_a_number_that_lost_its_hyphen_is_refused_by_the_contents(tmp_path: Path) -> None:
    body = [*e.section("61", "A", [e.subsection("", "Law.")]), *e.section("65", "B", [e.subsection("", "Law.")])]
    ncx = _ncx(("6\u20111\u00a0 A", "_Toc10000001"), ("6\u20115\u00a0 B", "_Toc10000002"))
    with pytest.raises(CorpusRejected, match=r"hyphens were lost.*section 6-1 of the contents reads 61"):
        read_bytes(tmp_path, packed(e.Volume(body=body), more={"OEBPS/document.ncx": ncx}))


def test_case_39_numbers_that_lost_their_hyphens_are_refused_by_their_divisions(read: Read) -> None:
    body = []
    for division, sections in (("6", ("61", "65", "610")), ("8", ("81", "85"))):
        body.append(e.division(division, "Dues"))
        body += [e.section(number, "A", [e.subsection("", "Law.")]) for number in sections]
    with pytest.raises(CorpusRejected, match="hyphens were lost"):
        read(*body, has_ncx=False)


def test_plain_numbers_that_go_up_are_no_loss_of_hyphens(read: Read) -> None:
    body = []
    for division, sections in (("1", ("10", "11", "12")), ("2", ("20", "21"))):
        body.append(e.division(division, "Dues"))
        body += [e.section(number, "A", [e.subsection("", "Law.")]) for number in sections]
    assert len(read(*body, has_ncx=False).provisions) == 5


@pytest.mark.parametrize("where", ["ncx", "contents"])
def test_case_62_endnotes_in_the_contents_alone_are_refused(tmp_path: Path, where: str) -> None:
    listed = e.block("TOC1", "Endnote 4—Amendment history") if where == "contents" else e.Html("")
    ncx = _ncx(("Endnote 4—Amendment history", "_Toc9")) if where == "ncx" else _ncx()
    volume = e.Volume(body=[listed, *FIRST.body])
    with pytest.raises(CorpusRejected, match="list Endnote 4, which is not in the text"):
        read_bytes(tmp_path, packed(volume, more={"OEBPS/document.ncx": ncx}))
