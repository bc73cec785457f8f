"""Every character as published, white space as a browser shows it, images in place, underlines seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from asat_site.testing import epubs as e
from research.corpus.tests.unit.epub.reading import Read, only, packed, read_bytes

pytestmark = pytest.mark.unit


def _text(read: Read, *content: str) -> str:
    found = read(e.section("1", "Name", [e.block("subsection2", *content)]))
    assert found.ledger.share == 0
    return only(found).text


@pytest.mark.parametrize(
    "published",
    [
        "gross\u2011up and tax\u2011free",
        "section\u00a06\u20111",
        "ss 5\u20136",
        "“curly” and ‘single’ quotes",
        "*business and *net income",
        "a\u2003b",
        "1\u00a0000 or $75,000 or 10 %",
        "½ and é and 丁 and \U0001f6a2",
        "soft\u00adhyphen",
        "a < b & c > d",
    ],
)
def test_every_character_stays_as_published(read: Read, published: str) -> None:
    assert _text(read, published) == published


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("<span>one  two\n   three</span>", "one two three"),
        ("<span>one </span><span> two</span>", "one two"),
        ("<span>one</span>\n<span>two</span>", "one two"),
        ("<span>line</span><br/><span>break</span>", "line break"),
        ("<span>in</span><b>side</b>", "inside"),
        ("  <span>ends</span>  ", "ends"),
        (f"{e.TAB}<span>(1)</span>{e.TAB}<span>Text</span>", "(1) Text"),
        ("<span>(1)</span><span>Text</span>", "(1) Text"),
        ("<span>(a)</span><span>(i)</span>", "(a) (i)"),
        ("<!-- aside --><span>law</span><script>x()</script>", "law"),
    ],
)
def test_white_space_is_collapsed_as_a_browser_does(read: Read, markup: str, shown: str) -> None:
    assert _text(read, e.Html(markup)) == shown


def test_case_73_a_fraction_in_small_figures_is_one_character(read: Read) -> None:
    small = '<span style="vertical-align:super">1</span>/<span style="vertical-align:sub">3</span>'
    assert _text(read, e.Html(f"<span>33</span>{small}<span>%</span>")) == "33⅓%"
    assert _text(read, e.Html("<span>33</span><sup>1</sup>/<sub>3</sub><span>%</span>")) == "33⅓%"
    assert _text(read, e.Html("<span>33</span><span>1/3</span><span>%</span>")) == "33⅓%"
    assert _text(read, e.Html("<span>7</span><sup>7</sup>/<sub>12</sub>")) == "7 7/12"
    assert _text(read, "1/3 of it and 12/13") == "1/3 of it and 12/13"


def test_case_74_and_39_a_hard_hyphen_is_never_lost(read: Read) -> None:
    assert _text(read, e.Html("<span>6</span><span>\u2011</span><span>1</span>")) == "6\u20111"


def test_case_20_a_formula_s_description_stands_in_its_place(read: Read) -> None:
    alt = "Start formula A over B end formula"
    assert _text(read, "Work out: ", e.image("image003.gif", alt), " now") == f"Work out: {alt} now"


def test_case_20_an_image_without_a_description_leaves_a_mark_that_names_it(read: Read) -> None:
    found = read(e.section("1", "Name", [e.block("subsection2", "Work out: ", e.image("image003.gif"))]))
    assert only(found).text == "Work out: [Image: image003.gif]"
    assert only(found).flags == ("image without text: image003.gif",)
    assert found.ledger.added["placeholders of images"] == len("[Image:image003.gif]")


def test_an_image_in_a_cell_belongs_to_the_cell(read: Read) -> None:
    table = e.table([["Item", "Amount"], ["1", e.Html(e.block("Tabletext", e.image("image9.gif", "A times B")))]])
    assert only(read(e.section("1", "Name", [table]))).text == "Item: 1; Amount: A times B"


@pytest.mark.parametrize(
    ("width", "height", "size", "is_kept"),
    [(108, 83, 9_000, False), (180, 40, 9_000, True), (108, 83, 900, True), (600, 460, 90_000, True)],
)
def test_case_21_only_the_coat_of_arms_is_dropped_of_all_images(
    read: Read, width: int, height: int, size: int, is_kept: bool
) -> None:
    image = e.image("image002.png", "", width, height)
    more = {"OEBPS/document_1/images/image002.png": bytes(size)}
    found = read(e.section("1", "Name", [e.subsection("", "Words ", image)]), more=more)
    assert ("[Image: image002.png]" in only(found).text) is is_kept


def test_hidden_text_is_dropped_by_name(read: Read) -> None:
    found = read(e.section("1", "Name", [e.subsection("", "Seen", e.span("unseen", style="display:none"))]))
    assert only(found).text == "Seen"
    assert found.ledger.dropped["hidden text"] == len("unseen")


def test_case_38_a_self_closed_paragraph_takes_no_class_from_the_next(read: Read) -> None:
    empty = e.Html('<p class="ActHead5"/><p class="Header"/>')
    found = read(e.section("1", "Name", [empty, e.subsection("", "Law here")]))
    assert only(found).text == "Law here"


def test_case_38_holds_for_pages_that_are_no_xml(read: Read) -> None:
    empty = e.Html('<p class="ActHead5"/><p class="Header"/><p class="subsection">Law&nbsp;here</p><br>')
    assert only(read(e.section("1", "Name", [empty]))).text == "Law\u00a0here"


def test_text_outside_any_paragraph_is_kept(read: Read) -> None:
    found = read(e.section("1", "Name", [e.Html("loose <p>inside</p> tail<div>in a division</div>")]))
    assert only(found).text.split("\n") == ["loose", "inside", "tail", "in a division"]


def test_style_sheets_tell_which_classes_underline(tmp_path: Path) -> None:
    sheet = b".pending { color: black; text-decoration: underline }\n.Hyperlink{text-decoration:underline}"
    rows = [["s 1", e.span("am No 1, 2020", "pending")], ["s 2", e.span("am No 2, 2020", "Hyperlink")]]
    volume = e.Volume(
        body=e.section("1", "Name", [e.subsection("", "Law.")]),
        endnotes=[e.endnote("4", "Amendment history", e.table_of_amendments(rows))],
    )
    found = read_bytes(tmp_path, packed(volume, more={"OEBPS/css/style.css": sheet}))
    assert [row[1].is_pending for row in found.endnotes[0].rows] == [True, False]
