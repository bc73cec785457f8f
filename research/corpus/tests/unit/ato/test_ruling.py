"""Pages of the legal database, from the bytes to the records that are loaded."""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.corpus.ingest.ato import lines
from research.corpus.ingest.ato.page import DROPPED, BadPage, decoded, page_of
from research.corpus.ingest.ato.read import read_ruling
from research.corpus.ingest.history import Stated
from research.corpus.ingest.origin import Kind, Origin
from research.corpus.ingest.read import CompilationRecords, CorpusRejected
from research.corpus.ingest.record import _DOCUMENT_ID
from research.corpus.ingest.visible import solid
from research.corpus.tests.unit.ato.pages import page

SAVED = date(2024, 5, 1)
ALERT = "This document has been Withdrawn. <a href='x'>View the Withdrawal notice</a> for this document."
PROTECTED = "<p>This document is a public ruling for the purposes of a fictional Act.</p>"


def read(tmp_path: Path, html: str | bytes) -> CompilationRecords:
    path = tmp_path / "page.html"
    path.write_bytes(html if isinstance(html, bytes) else html.encode("utf-8"))
    return read_ruling(path, SAVED)


def origin_of(found: CompilationRecords) -> Origin:
    assert found.origin is not None
    return found.origin


def refusal_of(tmp_path: Path, html: str | bytes) -> str:
    with pytest.raises(CorpusRejected, match="Nothing of this file was loaded") as refusal:
        read(tmp_path, html)
    return str(refusal.value)


def test_a_ruling_is_read_by_its_paragraphs(tmp_path: Path) -> None:
    found = read(tmp_path, page())
    assert (found.instrument, found.dated) == ("TR 2008/1", date(2008, 3, 12))
    assert [(r.document_id, r.section, r.heading, r.kind, r.text) for r in found.records] == [
        (
            "tr2008-1/summary",
            "Summary",
            "Summary",
            "operative",
            "Ferry berths are fictional, and so is this summary of what is ruled about them.",
        ),
        (
            "tr2008-1/1",
            "1",
            "What this Ruling is about",
            "operative",
            "This Ruling considers when the cost of a berth is deductible to a ferry keeper.[1]\n"
            "[1] Section 3-10 of the Harbour Dues (Fictional) Act 1999.",
        ),
        (
            "tr2008-1/2",
            "2",
            "What this Ruling is about",
            "operative",
            "It covers:\n(a) berths that a keeper hires; and\n(b) moorings.",
        ),
        (
            "tr2008-1/3",
            "3",
            "Ruling",
            "operative",
            "The cost of a berth is deductible in the income year in which the berth is used.",
        ),
        (
            "tr2008-1/example-1-a-keeper-hires-a-berth",
            "Example 1: a keeper hires a berth",
            "Example 1: a keeper hires a berth",
            "operative",
            "Keeper Ann hires a berth for $1\u00a0000 and uses it in May.",
        ),
        (
            "tr2008-1/4",
            "4",
            "Date of effect",
            "operative",
            "This Ruling applies to years of income commencing both before and after its date of issue.",
        ),
        (
            "tr2008-1/appendix-1-explanation",
            "Appendix 1 – Explanation",
            "Appendix 1 – Explanation",
            "guide",
            "This Appendix is provided as information. It does not form part of the binding public ruling.",
        ),
        (
            "tr2008-1/5",
            "5",
            "Appendix 1 – Explanation",
            "guide",
            "Rates of berth hire are these:\nLength: 10 metres; Rate: $5\nLength: 20 metres; Rate: $9",
        ),
    ]
    assert all(_DOCUMENT_ID.fullmatch(record.document_id) for record in found.records)


def test_what_is_true_of_the_whole_ruling_is_in_its_origin(tmp_path: Path) -> None:
    found = read(tmp_path, page())
    origin = origin_of(found)
    assert (origin.kind, origin.licence, origin.framework) == (Kind.RULING, "ATO", "ATO public rulings")
    assert (origin.title_id, origin.notice, origin.warnings) == ("TXR/TR20081/NAT/ATO/00001", "", ())
    assert origin.stated == Stated(date(1901, 1, 1), date(2024, 5, 2), "its date of effect")
    first = found.records[0]
    assert first.instrument_title == "TR 2008/1 Income tax: berths of fictional ferries"
    assert first.source_uri == "https://www.ato.gov.au/law/view/document?docid=TXR/TR20081/NAT/ATO/00001"
    assert found.sha256 == hashlib.sha256(page().encode()).hexdigest()


def test_every_character_is_kept_or_left_out_by_name(tmp_path: Path) -> None:
    ledger = origin_of(read(tmp_path, page(history=[("12 March 2008", "Original ruling", "")]))).ledger
    assert ledger is not None
    assert ledger.unexplained == 0
    assert {name: count for name, count in ledger.dropped.items() if count} == {
        "title page": 56,
        "menus": 10,
        "notes of the database": 90,
        "history panel": 57,
        "level of protection": 226,
        "references": 31,
        "signature": 33,
        "copyright": 90,
    }
    assert set(ledger.dropped) <= set(DROPPED)


STATUS = [
    # changes of the page, (starts, ends, is_exhaustive), notice
    (
        {"number": "TR 2008/1 (Withdrawn)"},
        (date(1901, 1, 1), date(2008, 3, 13), False),
        "Withdrawn; the date is not stated.",
    ),
    ({"alert": ALERT}, (date(1901, 1, 1), date(2008, 3, 13), False), "Withdrawn; the date is not stated."),
    (
        {"alert": f"{ALERT} TR 2008/1 is withdrawn with effect from 1 July 2019."},
        (date(1901, 1, 1), date(2019, 7, 1), True),
        "Withdrawn with effect from 1 July 2019.",
    ),
    (
        {
            "alert": ALERT,
            "history": [("12 March 2008", "Original ruling", ""), ("You are here → 1 July 2019", "Withdrawn", "")],
        },
        (date(1901, 1, 1), date(2019, 7, 1), True),
        "Withdrawn with effect from 1 July 2019.",
    ),
    (
        {"alert": "This Ruling has been superseded by TR 2020/1."},
        (date(1901, 1, 1), date(2008, 3, 13), False),
        "Superseded by TR 2020/1.",
    ),
    (
        {"effect": "This Ruling replaces TR 95/1, which was withdrawn on 1 July 2007. It applies from 1 July 2007."},
        (date(2007, 7, 1), date(2024, 5, 2), False),
        "",
    ),
    (
        {"effect": "This Ruling applies from 1 July 2008 to 30 June 2011.", "number": "CR 2008/1"},
        (date(2008, 7, 1), date(2011, 7, 1), True),
        "",
    ),
    (
        {
            "alert": "This version is no longer current. Please follow this link to view the current version.",
            "history": [
                ("You are here → 12 March 2008", "Original ruling", ""),
                ("1 July 2010", "Consolidated ruling", "Addendum"),
            ],
        },
        (date(1901, 1, 1), date(2010, 7, 1), False),
        "An earlier version of this ruling, which was changed since.",
    ),
    (
        {
            "history": [
                ("12 March 2008", "Original ruling", ""),
                ("You are here → 1 July 2010", "Consolidated ruling", "Addendum"),
            ]
        },
        (date(2010, 7, 1), date(2024, 5, 2), False),
        "",
    ),
    (
        {"alert": "Paragraphs 2 to 3 of this Ruling are withdrawn with effect from 1 July 2019."},
        (date(1901, 1, 1), date(2024, 5, 2), False),
        "Withdrawn in part: Paragraphs 2 to 3 of this Ruling are withdrawn with effect from 1 July 2019.",
    ),
    ({"effect": "Fees may change.", "signed": "12 March 2008"}, (date(2008, 3, 12), date(2024, 5, 2), False), ""),
]


@pytest.mark.parametrize(("changes", "days", "notice"), STATUS)
def test_the_days_and_the_notice_follow_from_what_the_page_says(
    tmp_path: Path, changes: dict[str, Any], days: tuple[date, date, bool], notice: str
) -> None:
    origin = origin_of(read(tmp_path, page(**changes)))
    assert origin.stated is not None
    assert (origin.stated.starts, origin.stated.ends, origin.stated.is_exhaustive) == days
    assert origin.notice == notice


NUMBERS = [
    # changes, instrument, kind, framework
    ({"number": "TR 93/31", "docid": "TXR/TR9331/NAT/ATO/00001"}, "TR 93/31", Kind.RULING, "ATO public rulings"),
    ({"number": "", "docid": "TXR/TR9331/NAT/ATO/00001"}, "TR 93/31", Kind.RULING, "ATO public rulings"),
    ({"number": "TD 1999/39", "kind": "Determination"}, "TD 1999/39", Kind.DETERMINATION, "ATO public rulings"),
    ({"number": "PCG 2017/1", "kind": "Guideline"}, "PCG 2017/1", Kind.GUIDELINE, "ATO guidance"),
    ({"number": "PS LA 2001/8", "kind": "Statement"}, "PS LA 2001/8", Kind.GUIDELINE, "ATO guidance"),
    ({"number": "SMSFD 2013/1"}, "SMSFD 2013/1", Kind.DETERMINATION, "ATO guidance"),
    ({"body": "<p>1. Old words about {effect} {signed}{signed_by}</p>"}, "TR 2008/1", Kind.RULING, "ATO guidance"),
    ({"number": "IT 2650", "docid": "ITR/IT2650/NAT/ATO/00001"}, "IT 2650", Kind.RULING, "ATO public rulings"),
    ({"number": "TR 2008/1A2 - Second Addendum"}, "TR 2008/1A2", Kind.RULING, "ATO guidance"),
    ({"number": "IT 2500A - Third Addendum"}, "IT 2500A", Kind.RULING, "ATO guidance"),
    ({"kind": "Notice of Withdrawal"}, "TR 2008/1W", Kind.RULING, "ATO guidance"),
    ({"kind": "Erratum", "docid": "TXR/TR20081ER2/NAT/ATO/00001"}, "TR 2008/1ER2", Kind.RULING, "ATO guidance"),
]


@pytest.mark.parametrize(("changes", "instrument", "kind", "framework"), NUMBERS)
def test_the_printed_number_names_the_document_and_its_words_say_whether_it_binds(
    tmp_path: Path, changes: dict[str, Any], instrument: str, kind: Kind, framework: str
) -> None:
    found = read(tmp_path, page(**changes))
    origin = origin_of(found)
    assert (found.instrument, origin.kind, origin.framework) == (instrument, kind, framework)
    assert {record.kind for record in found.records} <= (
        {"guide"} if framework == "ATO guidance" else {"operative", "guide"}
    )


BINDING = [
    ("This publication (excluding appendixes) is a public ruling for a fictional Act.", True),
    ("This document was published in 2005 and was a public ruling for the purposes of a fictional Act.", True),
    ("From 1 July 2010, this document is taken to be a public ruling under Division 3.", True),
    ("This Ruling, to the extent that it is capable of being a 'public ruling', is one for that Part.", True),
    ("This document is not a public ruling.", False),
    ("This Ruling is not a legally binding public ruling.", False),
    ("A public ruling is an expression of an opinion.", False),
    ("TR 92/1 explains when a Ruling is a public ruling.", False),
    ("It does not form part of the binding public ruling.", False),
]


@pytest.mark.parametrize(("sentence", "binds"), BINDING)
def test_only_what_says_of_itself_that_it_is_a_public_ruling_binds(tmp_path: Path, sentence: str, binds: bool) -> None:
    found = read(tmp_path, page(body=f"<p>1. {sentence}{{effect:.0}}</p><p>{{signed_by}}</p><p>{{signed}}</p>"))
    assert origin_of(found).framework == ("ATO public rulings" if binds else "ATO guidance")
    assert found.records[0].kind == ("operative" if binds else "guide")


def test_a_notice_says_what_it_is_about_and_leaves_the_ruling_alone(tmp_path: Path) -> None:
    body = "<p>1. TR 2008/1 is withdrawn with effect from 1 July 2019.</p><p>{signed_by}{effect}</p><p>{signed}</p>"
    html = page(number="TR 2008/1W", kind="Notice of Withdrawal", body=body, effect="", signed="3 June 2019")
    found = read(tmp_path, html)
    assert (found.instrument, found.records[0].document_id) == ("TR 2008/1W", "tr2008-1w/1")
    origin = origin_of(found)
    assert origin.notice == "Notice of withdrawal of TR 2008/1, and not that document itself."
    assert origin.stated == Stated(date(2019, 6, 3), date(2024, 5, 2), "its date of issue")


def test_where_print_and_address_differ_the_print_is_taken_and_the_difference_is_said(tmp_path: Path) -> None:
    found = read(tmp_path, page(docid="TXR/TR20082/NAT/ATO/00001"))
    assert found.instrument == "TR 2008/1"
    assert origin_of(found).warnings == (
        "the page is headed TR 2008/1, its address is of TR 2008/2; the heading was taken",
    )


REFUSED = [
    (page(docid="PAC/19970038/8-1"), "CCH Australia's, a commercial publisher's"),
    (page(docid="REG/19970038/8-1"), "CCH Australia's"),
    (page(docid="JUD/2012ATC10-244/00001"), "CCH Australia's"),
    (page(docid="x", body="<p>1. Words. [CCH Note: more.]{effect}{signed}{signed_by}</p>"), "CCH Australia's"),
    (page(alert="© CCH Australia Limited"), "CCH Australia's"),
    (page(docid="EV/1051234567890"), "is edited private advice, which nobody may rely on"),
    (page(number="TR 2026/D1"), "TR 2026/D1 is a draft, which binds nobody; give the final document"),
    (page(kind="Draft Taxation Ruling"), "TR 2008/1 is a draft"),
    (page(number="ATO ID 2001/1", docid="AID/AID20011"), "has no number of a series that is read; give one of TR,"),
    (page(number="ATO ID 2001/1", docid="AID/AID20011", title="TR 95/1 and berths"), "has no number of a series"),
    (page(number="", docid=""), "has no number of a series that is read"),
    (page(body="<p>{effect:.0}{signed:.0}{signed_by:.0}</p>"), "holds no text"),
    (page(effect="This Ruling applies from 1 July 2030."), "no day on which this text is known to apply"),
    (page()[:-7], "the page has no end (</html>), so it was cut short"),
    (page()[:2000], "cut short"),
    ("", "the file is empty"),
    (b"\x00" * 100, "NUL bytes"),
    (page().encode("utf-16"), "NUL bytes"),
    (b"<html><head><meta charset='shift_jis'></head><body>\x83\x65</body></html>", "the page says it is in shift_jis"),
    (b"<html><body>\x81\x8d</body></html>", "neither UTF-8 nor Windows-1252"),
    (page(before="<div>" * 400 + "deep" + "</div>" * 400), "cannot be read to its end"),
]


@pytest.mark.parametrize(("html", "why"), REFUSED, ids=[why for _, why in REFUSED])
def test_what_is_not_read_is_refused_by_name(tmp_path: Path, html: str | bytes, why: str) -> None:
    assert why in refusal_of(tmp_path, html)


def test_a_huge_file_is_refused_by_the_bytes_that_fit(tmp_path: Path) -> None:
    path = tmp_path / "huge.html"
    with path.open("wb") as file:
        file.truncate(500_000_000)  # sparse: it takes no room, and reading it would
    with pytest.raises(CorpusRejected, match="longer than 16,000,000 bytes"):
        read_ruling(path, SAVED)


def test_text_that_the_reader_loses_stops_the_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lines.table_lines
    monkeypatch.setattr(lines, "table_lines", lambda heads, rows: whole(heads, rows[:1]))
    said = "10 of the 1,196 characters of the document are not accounted for (0.8%; at most 0.5%)"
    assert said in refusal_of(tmp_path, page())


PIECES = """<p>a|</p>|<table><tr><td>x|<td>|</td>|<tr><td>w|</tr>|</table>|<dl><dt>(a)|<dt>m|<dd>y|</dl>|<ul><li>z
<ol><li>k|<li>j|</ul>|</ol>|<b>|</b>|<i>|</i>|<br>|<br></br>|<img alt='q'>|1<sup>2</sup>|<th>H|<h3>T|</h3>
<strong>|</strong>|<div>d|</div>| t |<blockquote>r|<caption>c|<span>s</span>|&nbsp;|&#146;|<th colspan=3>W"""


@given(st.lists(st.sampled_from(PIECES.replace("\n", "|").split("|")), max_size=14).map("".join))
def test_however_broken_the_page_no_character_is_lost_or_comes_twice(html: str) -> None:
    read = page_of(f"<html><body>{html}</body></html>".encode())
    kept = sum(solid(line.text) for line in read.body) - read.added.total()
    assert kept + read.dropped.total() == read.read


ENCODINGS = [
    ("the keeper\u2019s".encode(), "the keeper\u2019s"),
    (b"\xef\xbb\xbfplain", "plain"),
    (b"the keeper\x92s", "the keeper\u2019s"),
    ("caf\u00e9 and ".encode() + b"the keeper\x92s", "caf\u00e9 and the keeper\u2019s"),
    ("the keeper\u0092s \u0096 x".encode(), "the keeper\u2019s \u2013 x"),
    (b"<meta charset=windows-1252>\x93a\x94", "<meta charset=windows-1252>\u201ca\u201d"),
]


@pytest.mark.parametrize(("raw", "text"), ENCODINGS)
def test_a_control_character_of_windows_is_the_punctuation_it_was(raw: bytes, text: str) -> None:
    assert decoded(raw) == text


def test_a_numbered_reference_to_one_is_too(tmp_path: Path) -> None:
    html = page(body="<p>1. The keeper&#146;s berth.{effect}</p>{signed}{signed_by}")
    assert read(tmp_path, html).records[0].text.startswith("The keeper\u2019s berth.")


NESTED = [
    ("<p>one <p>two</p> three</p>", ["one", "two", "three"]),
    ("<table><tr><strong><td>a</td></strong><td>b</td></tr></table>", ["a; b"]),
    ("<table><strong><tr><th>A</th><th>B</th></tr><tr><td>a</td><td>b</td></tr></strong></table>", ["A: a; B: b"]),
    ("<b><table><tr><td>a</td><td>b</td></tr></table></b>", ["a; b"]),
    ("<p>one<br></br>two<br/>three</p>", ["one", "two", "three"]),
    ("<p>one <em>two <p>three</em></p>", ["one two", "three"]),
    ("<table><tr><td>a<table><tr><td>x</td><td>y</td></tr></table></td><td>b</td></tr></table>", ["a x; y; b"]),
    ("<table><tr><td>x<ul><li>z<th>H</table>", ["x", "- z", "H"]),
    ("<table><tr><td>a</td><td>b</td></tr><dt>stray</table>", ["stray", "a; b"]),
    ("<table><tr><td><p>boxed</p><p>text</p></td></tr></table>", ["boxed", "text"]),
    ("<ul><li>x</li><li>(a) y</li></ul>", ["- x", "(a) y"]),
    ("<ol type='a'><li>x<li>y</ol>", ["(a) x", "(b) y"]),
    ("<dl><dt>(a)<dd>x<dt>(b)<dd><p>y</p><p>z</p></dl>", ["(a) x", "(b) y", "z"]),
    ("<dl><dt>(a)</dt><dt>(b)</dt><dd>y</dd></dl>", ["(a)", "(b) y"]),
    ("<p>33<sup>1</sup>/<sub>3</sub>% of 10<sup>2</sup></p>", ["33 1/3% of 10^2"]),
    ("<p>a <img alt='a plan'> b <img title='Exclamation'></p>", ["a [Image: a plan] b"]),
    ("<table><tr><th colspan=2>Rate</th></tr><tr><td>1</td><td>2</td></tr></table>", ["Rate: 1; Rate: 2"]),
    ("<table><tr><th>A</th><th>B</th></tr><tr><td colspan=2>both</td></tr></table>", ["B", "A: both"]),
]


@pytest.mark.parametrize(("html", "texts"), NESTED, ids=[html for html, _ in NESTED])
def test_text_comes_once_and_in_order_however_it_is_nested(html: str, texts: list[str]) -> None:
    read = page_of(f"<html><body><div id='LawContent'>{html}</div></body></html>".encode())
    assert [line.text for line in read.body] == texts


def ids_of(tmp_path: Path, body: str) -> list[str]:
    html = page(body=f"{PROTECTED}{body}" + "<p>{signed_by}</p><p>{signed}</p>{effect:.0}")
    return [record.document_id.partition("/")[2] for record in read(tmp_path, html).records[1:]]


PARAGRAPHS = [
    ("a number that does not go on is text", "<p>1. a</p><p>2. b</p><p>1904. No. 2.</p>", ["1", "2"]),
    ("a list in a paragraph is the paragraph's", "<p>1. a</p><ol><li>b</li><li>c</li></ol><p>2. d</p>", ["1", "2"]),
    ("paragraphs that an addendum put in", "<p>1. a</p><p>1A. b</p><p>1B. c</p><p>2. d</p>", ["1", "1A", "1B", "2"]),
    ("paragraphs that an addendum took out", "<p>1. a</p><p>9. b</p>", ["1", "9"]),
    ("an anchor is believed", "<p>1. a</p><p><a name='P200'></a>200. b</p>", ["1", "200"]),
    (
        "numbers that begin again in an appendix",
        "<p>1. a</p><p>2. b</p><h2>Appendix 1</h2><p>1. c</p><p>2. d</p>",
        ["1", "2", "appendix-1", "appendix-2"],
    ),
    (
        "no number, so its heading",
        "<h3>Question</h3><p>May it?</p><h3>Answer</h3><p>It may.</p>",
        ["question", "answer"],
    ),
    ("one heading twice", "<h3>Example</h3><p>a</p><h3>Example</h3><p>b</p>", ["example", "example~2"]),
    ("a bold sentence is no heading", "<p>1. a</p><p><b>It must be paid.</b></p>", ["1"]),
    ("contents go", "<h3>Contents</h3><p>Ruling 3</p><h3>Ruling</h3><p>1. a</p>", ["1"]),
    (
        "an appendix of contents goes",
        "<p>1. a</p><h2>Appendix 2 – Detailed contents list</h2><p>61. The list</p><p>Ruling 3</p>",
        ["1"],
    ),
    ("a footnote that nothing points to is kept", "<p>1. a</p><p>[7] A note.</p>", ["1", "footnotes"]),
]


@pytest.mark.parametrize(("body", "ids"), [row[1:] for row in PARAGRAPHS], ids=[row[0] for row in PARAGRAPHS])
def test_a_paragraph_is_cited_by_its_number_where_one_is_printed(tmp_path: Path, body: str, ids: list[str]) -> None:
    assert ids_of(tmp_path, body) == ids


def test_the_print_view_without_any_marked_part_is_read_too(tmp_path: Path) -> None:
    html = (
        "<html><body><h1>Taxation Determination</h1><h2>TD 2012/3</h2><h3>May a ferry rest?</h3>"
        "<p>FOI status: may be released</p><p>This Determination is a public ruling for a fictional Act.</p>"
        "<p>1. A ferry may rest at night.</p><p>Commissioner of Taxation</p><p>4 April 2012</p></body></html>"
    )
    found = read(tmp_path, html)
    assert (found.instrument, found.dated) == ("TD 2012/3", date(2012, 4, 4))
    assert [record.section for record in found.records] == ["Introduction", "1"]
    ledger = origin_of(found).ledger
    assert ledger is not None and ledger.unexplained == 0


def test_where_a_browser_saved_the_page_from_is_its_address() -> None:
    html = (
        "<!DOCTYPE html>\n<!-- saved from url=(0078)https://www.ato.gov.au/law/view/document?docid=TXR/TR20081/NAT/ATO/00001"
        "&PiT=20100101000001 -->\n<html><body><p>x</p></body></html>"
    )
    read = page_of(html.encode())
    assert (read.docid, read.version_day) == ("TXR/TR20081/NAT/ATO/00001", "20100101")


def test_a_page_that_says_no_address_has_no_docid() -> None:
    other = "<a href='https://www.ato.gov.au/law/view/document?docid=TXR/TR951/NAT/ATO/00001'>TR 95/1</a>"
    assert page_of(f"<html><body><p>{other}</p></body></html>".encode()).docid == ""


def test_nothing_in_the_page_is_fetched_or_expanded() -> None:
    bomb = "<!DOCTYPE html [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><html><body><p>&b;</p></body></html>"
    assert "aaaa" not in "".join(line.text for line in page_of(bomb.encode()).body)


def test_no_body_is_no_page() -> None:
    with pytest.raises(BadPage, match=r"no HTML|no body"):
        page_of(b"<!-- nothing --></html>")


@pytest.mark.parametrize("reference", ["&#1;", "&#x8;", "\x01"])
def test_a_page_with_a_control_character_is_refused(tmp_path: Path, reference: str) -> None:
    told = refusal_of(tmp_path, page().replace("Ferry berths", f"Ferry{reference} berths"))
    assert "the page holds the control character" in told
