"""How documents of the legal database are named, in addresses and in print."""

from __future__ import annotations

import pytest

from research.corpus.ingest.ato.docid import Number, docid_of, number_of_docid, numbers_in, version_day_of

VIEW = "https://www.ato.gov.au/law/view/document?"

ADDRESSES = [
    (f"{VIEW}docid=TXR/TR20243/NAT/ATO/00001", "TXR/TR20243/NAT/ATO/00001"),
    (f"{VIEW}LocID=%22TXR%2FTR20243%2FNAT%2FATO%2F00001%22", "TXR/TR20243/NAT/ATO/00001"),
    (f"{VIEW}DOCID=txr/tr20243/nat/ato/00001#P12", "TXR/TR20243/NAT/ATO/00001"),
    (f"{VIEW}docid=TXR/TR20243/NAT/ATO/00001&PiT=99991231235958", "TXR/TR20243/NAT/ATO/00001"),
    ("https://law.ato.gov.au/atolaw/view.htm?locid='PAC/19970038/8-1'", "PAC/19970038/8-1"),
    ("https://www.ato.gov.au/law/#docid=CLR/CR20269/NAT/ATO/00001", "CLR/CR20269/NAT/ATO/00001"),
    ("clr/cr20269", "CLR/CR20269"),
    ("pac/19970038/83A-45(5)(a)", "PAC/19970038/83A-45(5)(a)"),
    ("DTR/TR2006D6/NAT/ATO/ft2", "DTR/TR2006D6/NAT/ATO/ft2"),
    ("https://www.ato.gov.au/", ""),
    ("", ""),
]


@pytest.mark.parametrize(("address", "docid"), ADDRESSES)
def test_every_address_of_a_document_gives_one_docid(address: str, docid: str) -> None:
    assert docid_of(address) == docid


POINTS_IN_TIME = [
    ("&PiT=99991231235958", ""),
    ("&PiT=10010101000001", ""),
    ("&PiT=20130417000001", "20130417"),
    ("&pit=20130417000001", "20130417"),
    ("", ""),
]


@pytest.mark.parametrize(("parameter", "day"), POINTS_IN_TIME)
def test_a_point_in_time_asks_for_a_version_and_is_no_part_of_the_name(parameter: str, day: str) -> None:
    address = f"{VIEW}docid=TXR/TR20081/NAT/ATO/00001{parameter}"
    assert (docid_of(address), version_day_of(address)) == ("TXR/TR20081/NAT/ATO/00001", day)


DOCIDS = [
    ("TXR/TR9331", "TR 93/31"),
    ("TXR/TR921/NAT/ATO/00001", "TR 92/1"),
    ("TXR/TR9615", "TR 96/15"),
    ("TXR/TR20007", "TR 2000/7"),
    ("TXD/TD199939", "TD 1999/39"),
    ("CLR/CR202513", "CR 2025/13"),
    ("COG/PCG20171", "PCG 2017/1"),
    ("GST/GSTR20131", "GSTR 2013/1"),
    ("PSR/PS20018", "PS LA 2001/8"),
    ("ITR/IT2650", "IT 2650"),
    ("ITR/IT2500A2", "IT 2500A2"),
    ("TXR/TR20081W", "TR 2008/1W"),
    ("TXR/TR20081ER1", "TR 2008/1ER1"),
    ("DTR/TR2026D1", "TR 2026/D1"),
    ("SFD/SMSFD20131", "SMSFD 2013/1"),
    ("AID/AID20011", None),
    ("PAC/19970038/8-1", None),
    ("TXR", None),
    ("TXR/TR20", None),
]


@pytest.mark.parametrize(("docid", "code"), DOCIDS)
def test_the_number_in_a_docid_has_no_separator_and_is_read_by_its_year(docid: str, code: str | None) -> None:
    found = number_of_docid(docid)
    assert (found and found.code) == code


PRINTED = [
    ("TR 2008/1", ["TR 2008/1"]),
    ("TR\u00a02008/1, and PS LA 2001/8.", ["TR 2008/1", "PS LA 2001/8"]),
    ("IT 2500A - Third Addendum", ["IT 2500A"]),
    ("Taxation Determination TD 93/31 (Withdrawn)", ["TD 93/31"]),
    ("TR 2026/D1", ["TR 2026/D1"]),
    ("TR 2008/1A2 and TR 2008/1W and TR 2008/1EC", ["TR 2008/1A2", "TR 2008/1W", "TR 2008/1EC"]),
    ("MT 2005/1 replaces MT 2024", ["MT 2005/1", "MT 2024"]),
    ("IT IS 2024 in STR 2008/1", []),
    ("TR 2008/12345", []),
]


@pytest.mark.parametrize(("text", "codes"), PRINTED)
def test_printed_numbers_are_found_in_order(text: str, codes: list[str]) -> None:
    assert [number.code for number in numbers_in(text)] == codes


def test_a_notice_is_a_document_of_its_own_about_a_ruling() -> None:
    notice = Number("TR", "2008", "1", suffix="A2")
    assert (notice.code, notice.ruling, notice.prefix, notice.notice_of) == (
        "TR 2008/1A2",
        "TR 2008/1",
        "tr2008-1a2",
        "Addendum to",
    )
    assert Number("PS LA", "2001", "8").prefix == "psla2001-8"
    assert Number("IT", "", "2650").prefix == "it2650"
