"""Encodings, and mark-up that would have a parser expand, load or forgive too much."""

from __future__ import annotations

from pathlib import Path

import pytest

from asat_site.testing import epubs as e
from research.corpus.ingest.epub.markup import Unreadable, decoded, parsed_page
from research.corpus.ingest.read import CorpusRejected
from research.corpus.tests.unit.epub.reading import only, packed, read_bytes

pytestmark = pytest.mark.unit

DOCUMENT = "OEBPS/document_1/document_1.html"
PAGE = """<?xml version="1.0" encoding="{encoding}"?><html><body>
<p class="ShortT">Harbour Act 1999</p><p>Compilation date: 1 July 2020</p>
<p class="ActHead5"><span class="CharSectno">1</span><span>\u00a0 </span><span>Name</span></p>
<p class="subsection">“Dues” — gross{hyphen}up</p></body></html>"""


def _act(page: bytes) -> bytes:
    return packed(e.Volume(), more={DOCUMENT: page}, has_ncx=False)


@pytest.mark.parametrize(
    ("declared", "written", "hyphen"),
    [
        ("utf-8", "utf-8", "\u2011"),
        ("utf-8", "utf-8-sig", "\u2011"),
        ("UTF-16", "utf-16", "\u2011"),
        ("windows-1252", "windows-1252", "-"),
        ("iso-8859-1", "windows-1252", "-"),
        ("windows-1252", "utf-8", "\u2011"),
    ],
)
def test_a_page_is_read_in_the_encoding_it_is_in(tmp_path: Path, declared: str, written: str, hyphen: str) -> None:
    page = PAGE.format(encoding=declared, hyphen=hyphen).encode(written)
    found = read_bytes(tmp_path, _act(page))
    assert only(found).text == f"“Dues” — gross{hyphen}up"
    assert bool(found.warnings) is (declared == "windows-1252" and written == "utf-8")


@pytest.mark.parametrize(
    ("declared", "written", "problem"),
    [
        ("utf-8", "windows-1252", "it says it is UTF-8, but byte"),
        ("klingon", "windows-1252", "unknown encoding"),
    ],
)
def test_a_wrong_encoding_is_refused(tmp_path: Path, declared: str, written: str, problem: str) -> None:
    page = PAGE.format(encoding=declared, hyphen="-").encode(written)
    with pytest.raises(CorpusRejected, match=problem):
        read_bytes(tmp_path, _act(page))


def test_bytes_cut_within_a_character_are_refused() -> None:
    with pytest.raises(Unreadable, match="utf-16"):
        decoded("\ufeffabc".encode("utf-16-le")[:-1])


BOMB = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">'


@pytest.mark.parametrize(
    "subset", [BOMB, '<!ENTITY c SYSTEM "file:///etc/passwd">', '<!ENTITY % c SYSTEM "http://127.0.0.1:9/x"> %c;']
)
def test_entities_that_a_page_declares_do_nothing(tmp_path: Path, subset: str) -> None:
    page = PAGE.format(encoding="utf-8", hyphen="&c;").replace("<html>", f"<!DOCTYPE html [{subset}]><html>")
    found = read_bytes(tmp_path, _act(page.replace("Name</span>", 'Name<img alt="&c;" src="x.png"/></span>').encode()))
    assert only(found).text == "“Dues” — gross&c;up"
    assert only(found).heading == "Name &c;"


def test_entities_in_the_package_are_refused_unexpanded(tmp_path: Path) -> None:
    opf = f"<!DOCTYPE package [{BOMB}]><package><metadata><title>&c;</title></metadata></package>"
    with pytest.raises(CorpusRejected, match="not XML"):
        read_bytes(tmp_path, packed(e.Volume(), more={"OEBPS/document.opf": opf.encode()}))


def test_named_characters_of_html_are_read() -> None:
    page = parsed_page("<html><body><p>a&nbsp;b &mdash; c</p></body></html>")
    assert "".join(str(text) for text in page.itertext()) == "a\u00a0b — c"


def test_a_page_that_breaks_off_is_refused(tmp_path: Path) -> None:
    page = PAGE.format(encoding="utf-8", hyphen="-")
    with pytest.raises(CorpusRejected, match="breaks off before its end"):
        read_bytes(tmp_path, _act(page[: page.index("</p></body>")].encode()))


def test_a_page_nested_beyond_reason_is_refused(tmp_path: Path) -> None:
    page = PAGE.format(encoding="utf-8", hyphen="-").replace(
        "</body>", "<div>" * 5_000 + "x" + "</div>" * 5_000 + "</body>"
    )
    with pytest.raises(CorpusRejected):
        read_bytes(tmp_path, _act(page.encode()))


def test_a_paragraph_in_a_paragraph_is_read_once_and_in_order(tmp_path: Path) -> None:
    page = PAGE.format(encoding="utf-8", hyphen="-").replace("</body>", "<p>outer <p>inner</p> after</p></body>")
    assert only(read_bytes(tmp_path, _act(page.encode()))).text.split("\n")[1:] == ["outer", "inner", "after"]


def test_a_second_xml_declaration_is_refused(tmp_path: Path) -> None:
    twice = b"<?xml version='1.0'?><?xml version='1.0' encoding='utf-8'?><container/>"
    with pytest.raises(CorpusRejected, match="it holds a second XML declaration"):
        read_bytes(tmp_path, packed(e.Volume(), more={"META-INF/container.xml": twice}))


def test_an_attribute_without_a_value_is_none(tmp_path: Path) -> None:
    page = (
        PAGE.format(encoding="utf-8", hyphen="-")
        .replace("<span>Name", "<span class style>Name")
        .replace("<p>", "<p class>")
    )
    assert only(read_bytes(tmp_path, _act(page.encode()))).heading == "Name"
