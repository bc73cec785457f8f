"""Real EPUB files of fictional Acts, built as the Federal Register of Legislation builds its own, for tests.

    from asat_site.testing import epubs as e

    packed = e.epub(
        title="Harbour Dues and Ferries Act 1999", number=38, year=1999, compilation="12", dated=date(2020, 7, 1),
        volumes=[
            e.Volume(
                body=[
                    e.chapter("1", "Introduction"),
                    e.part("1-1", "Preliminary"),
                    e.division("5", "Dues"),
                    e.section("5-1", "What is due", [
                        e.subsection("(1)", "The owner of a *ferry must pay dues if:"),
                        e.paragraph("(a)", "the ferry calls at a harbour; or"),
                        e.note("Note: See section 5‑5 for the rates."),
                        e.table([["Item", "Length", "Rate"], ["1", "under 10 metres", "2%"]], caption="Rates"),
                    ]),
                ],
                endnotes=[
                    e.endnote("3", "Legislation history", e.table_of_acts([
                        ["Harbour Dues and Ferries Act 1999", "38, 1999", "31 May 1999", "1 July 1999", ""],
                        [e.indented("Ferries Amendment Act 2002"), "5, 2002", "1 May 2002", "2 May 2002", "—"],
                    ])),
                    e.endnote("4", "Amendment history", e.table_of_amendments([
                        ["s 5‑1", "am No 66, 2003"], ["", e.underlined("am No 7, 2020")],
                    ])),
                ],
            ),
        ],
    )
    Path("harbour.epub").write_bytes(packed)

Plain strings are escaped; `Html` goes in as it is, so that a test can write any mark-up. Hyphens in section numbers are
set as the Register sets them: parts in spans of their own, parted by U+2011. Leaves reading to the corpus.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from html import escape
from itertools import count

HARD_HYPHEN = "\u2011"
TAB = '<span style="width:22.13pt; display:inline-block">&#xa0;</span>'


class Html(str):
    """Mark-up that goes in as it is."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that the contents and the NCX list. level: 1–9, as in ActHead1–9; inner: its spans."""

    level: int
    label: str
    inner: Html
    tag: str = "p"
    cls: str | None = None  # None: ActHead<level>; "": none at all, as in older texts


Item = str | Heading
Items = Sequence["Item | Items"]


@dataclass(frozen=True, slots=True)
class Volume:
    """One document of the EPUB. endnotes: set after the body, under the heading "Endnotes"."""

    body: Items = ()
    endnotes: Items = ()
    has_cover: bool = True
    has_contents: bool = True


def html(content: str) -> Html:
    """Plain text escaped, mark-up as it is."""
    return content if isinstance(content, Html) else Html(escape(content, quote=False))


def span(text: str, cls: str = "", style: str = "") -> Html:
    attributes = (f' class="{cls}"' if cls else "") + (f' style="{style}"' if style else "")
    return Html(f"<span{attributes}>{html(text)}</span>")


def block(cls: str, *content: str, style: str = "", tag: str = "p") -> Html:
    """A paragraph of a class, "" for none. Each piece of plain text becomes a span, as in the Register's files."""
    inner = "".join(part if isinstance(part, Html) else span(part) for part in content)
    attributes = (f' class="{cls}"' if cls else "") + (f' style="{style}"' if style else "")
    return Html(f"<{tag}{attributes}>{inner}</{tag}>")


def underlined(text: str) -> Html:
    """Text as the endnotes set what has not commenced."""
    return span(text, style="text-decoration:underline")


@dataclass(frozen=True, slots=True)
class Indented:
    """The text of an endnote cell set in, as Acts that amended an amending Act are."""

    text: str


def indented(text: str) -> Indented:
    return Indented(text)


# -- headings


def _numbered(word: str, number: str, title: str, level: int, number_class: str, text_class: str) -> Heading:
    pieces = [word, *(["\u00a0", *_parts(number)] if number else [])]
    inner = "".join(span(piece, number_class) for piece in pieces)
    inner += (span("—") + span(title, text_class)) if title else ""
    shown = f"{word}\u00a0{number.replace('-', HARD_HYPHEN)}" if number else word
    return Heading(level, f"{shown}—{title}" if title else shown, Html(inner))


def _parts(number: str) -> list[str]:
    return [HARD_HYPHEN if part == "-" else part for part in re.split("(-)", number)]


def chapter(number: str, title: str) -> Heading:
    return _numbered("Chapter", number, title, 1, "CharChapNo", "CharChapText")


def schedule(number: str, title: str) -> Heading:
    return _numbered("Schedule", number, title, 1, "CharChapNo", "CharChapText")


def part(number: str, title: str) -> Heading:
    return _numbered("Part", number, title, 2, "CharPartNo", "CharPartText")


def division(number: str, title: str) -> Heading:
    return _numbered("Division", number, title, 3, "CharDivNo", "CharDivText")


def subdivision(number: str, title: str) -> Heading:
    return _numbered("Subdivision", number, title, 4, "CharSubdNo", "CharSubdText")


def group(title: str) -> Heading:
    """An unnumbered heading at the level of a Subdivision: "Guide to Division 5", "Operative provisions"."""
    return Heading(4, title, Html(span(title)))


def section_heading(number: str, title: str) -> Heading:
    """A section's heading alone; in a Schedule the same is a clause. number "" gives an unnumbered heading."""
    if not number:
        return Heading(5, title, Html(span(title)))
    inner = "".join(span(piece, "CharSectno") for piece in _parts(number))
    return Heading(5, f"{number.replace('-', HARD_HYPHEN)}\u00a0 {title}", Html(inner + span("\u00a0 ") + span(title)))


def section(number: str, title: str, lines: Items = ()) -> Items:
    return [section_heading(number, title), *lines]


# -- the body


def _labelled(cls: str, label: str, *content: str) -> Html:
    return block(cls, Html(TAB), label, Html(TAB), *content) if label else block(cls, *content)


def subsection(label: str, *content: str) -> Html:
    """label "" for an unnumbered one."""
    return _labelled("subsection", label, *content)


def paragraph(label: str, *content: str) -> Html:
    return _labelled("paragraph", label, *content)


def subparagraph(label: str, *content: str) -> Html:
    return _labelled("paragraphsub", label, *content)


def continued(*content: str) -> Html:
    """An unnumbered continuation at the level of a subsection; formulas stand in one."""
    return block("subsection2", *content)


def note(*content: str) -> Html:
    return block("notetext", *content)


def definition(term: str, *content: str) -> Html:
    return block("Definition", span(term, style="font-weight:bold; font-style:italic"), *content)


def image(name: str, alt: str = "", width: int = 180, height: int = 40) -> Html:
    shown = escape(alt)
    return Html(f'<img src="images/{name}" width="{width}" height="{height}" alt="{shown}" />')


def table(rows: Sequence[Sequence[str]], caption: str = "", heads: int = 1) -> Html:
    """A table of the body. heads: how many of the first rows are heads. A cell may be `Html`, paragraphs and all."""
    made = [_row(row, "TableHeading" if at < heads else "Tabletext") for at, row in enumerate(rows)]
    head = f"<thead>{''.join(made[:heads])}</thead>" if heads else ""
    above = block("TableHeading", caption) if caption else ""
    return Html(f'{above}<table cellspacing="0">{head}<tbody>{"".join(made[heads:])}</tbody></table>')


def cell(content: str, colspan: int = 1, rowspan: int = 1, cls: str = "Tabletext") -> Html:
    """A cell that spans; `content` may be mark-up of its own, a table too."""
    inside = content if content.startswith("<") else block(cls, content)
    return Html(f'<td colspan="{colspan}" rowspan="{rowspan}">{inside}</td>')


def _row(row: Sequence[str | Indented], cls: str, indent_cls: str = "ENoteTTi") -> Html:
    made = []
    for each in row:
        text, name = (each.text, indent_cls) if isinstance(each, Indented) else (each, cls)
        made.append(text if text.startswith("<td") else f"<td>{text if text[:2] == '<p' else block(name, text)}</td>")
    return Html(f"<tr>{''.join(made)}</tr>")


# -- endnotes


def endnote(number: str, title: str, *content: str) -> Items:
    return [block("ENotesHeading2", f"Endnote\u00a0{number}—{title}"), *content]


def endnote_table(heads: Sequence[str], rows: Sequence[Sequence[str | Indented]]) -> Html:
    head = f"<thead>{_row(heads, 'ENoteTableHeading')}</thead>" if heads else ""
    return Html(f"<table>{head}<tbody>{''.join(_row(row, 'ENoteTableText') for row in rows)}</tbody></table>")


def table_of_acts(rows: Sequence[Sequence[str | Indented]]) -> Html:
    """The table of Endnote 3: Act, number and year, assent, commencement, application."""
    heads = ["Act", "Number and year", "Assent", "Commencement", "Application, saving and transitional provisions"]
    return endnote_table(heads, rows)


def table_of_amendments(rows: Sequence[Sequence[str | Indented]]) -> Html:
    """The table of Endnote 4: provision affected, how affected. "" on the left continues the row above."""
    return endnote_table(["Provision affected", "How affected"], rows)


# -- the file


@dataclass(slots=True)
class _Book:
    """What the documents of one EPUB have in common, and the anchors given out so far."""

    title: str
    number: int
    year: int
    compilation: str
    dated: date
    includes: str
    not_commenced: str
    volumes: Sequence[Volume]
    anchors: count[int] = field(default_factory=lambda: count(10_000_001))


def epub(
    *,
    title: str,
    number: int,
    year: int,
    compilation: str,
    dated: date,
    volumes: Sequence[Volume],
    includes: str = "",
    not_commenced: str = "",
    register_id: str = "",
    has_ncx: bool = True,
    has_spine: bool = True,
    more: Mapping[str, bytes] | None = None,
) -> bytes:
    """The bytes of an EPUB. includes: "38, 2024", the last Act in it; not_commenced: "86, 2016".

    more: members by their path in the zip, added to or put in place of those made here.
    """
    book = _Book(title, number, year, compilation, dated, includes, not_commenced, volumes)
    documents, points = [], []
    for at, volume in enumerate(volumes, start=1):
        content, headings = _document(book, volume, at)
        documents.append(content)
        points.append(_nav_points(headings, f"document_{at}/document_{at}.html", at))
    members = {"META-INF/container.xml": _CONTAINER.encode()}
    for at, content in enumerate(documents, start=1):
        members[f"OEBPS/document_{at}/document_{at}.html"] = content.encode()
    members["OEBPS/document.opf"] = _opf(book, register_id, has_ncx, has_spine).encode()
    if has_ncx:
        members["OEBPS/document.ncx"] = (
            '<?xml version="1.0" encoding="utf-8"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">'
            f"<docTitle><text>{escape(title)}</text></docTitle><navMap>{''.join(points)}</navMap></ncx>"
        ).encode()
    return packed({**members, **(more or {})})


def packed(members: Mapping[str, bytes]) -> bytes:
    """A zip of these members, `mimetype` before all others and stored, as an EPUB wants it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", members.get("mimetype", b"application/epub+zip"), zipfile.ZIP_STORED)
        for name, content in members.items():
            if name != "mimetype":
                archive.writestr(name, content)
    return buffer.getvalue()


_CONTAINER = (
    '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/document.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)


def _opf(book: _Book, register_id: str, has_ncx: bool, has_spine: bool) -> str:
    numbers = range(1, len(book.volumes) + 1)
    # Listed in the order of their names, document_10 before document_2: the spine alone has the right one.
    items = "".join(
        f'<item id="d{n}" href="document_{n}/document_{n}.html" media-type="application/xhtml+xml"/>'
        for n in sorted(numbers, key=str)
    )
    items += '<item id="ncx" href="document.ncx" media-type="application/x-dtbncx+xml"/>' if has_ncx else ""
    refs = "".join(f'<itemref idref="d{n}"/>' for n in numbers) if has_spine else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?><package xmlns="http://www.idpf.org/2007/opf" version="2.0">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(book.title)}</dc:title>'
        f"<dc:identifier>{register_id}</dc:identifier></metadata>"
        f'<manifest>{items}</manifest><spine toc="ncx">{refs}</spine></package>'
    )


def _document(book: _Book, volume: Volume, at: int) -> tuple[str, list[tuple[Heading, str]]]:
    """The XHTML of one volume, and its headings with their anchors."""
    notes: list[Item] = [block("ENotesHeading1", "Endnotes"), *_flat(volume.endnotes)] if volume.endnotes else []
    headings: list[tuple[Heading, str]] = []
    made = []
    for item in [*_flat(volume.body), *notes]:
        if isinstance(item, Heading):
            headings.append((item, f"_Toc{next(book.anchors)}"))
            made.append(_heading(*headings[-1]))
        else:
            made.append(html(item))
    front = _cover(book, at) if volume.has_cover else ""
    if volume.has_contents:
        front += block("ContentsHead", "Contents") + "".join(_contents_line(heading) for heading, _ in headings)
        front += block("TOC1", Html("Endnotes")) if volume.endnotes else ""
    document = (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" '
        '"http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd"><html xmlns="http://www.w3.org/1999/xhtml">'
        f'<head><title>{escape(book.title)}</title></head><body><div class="Section1">{front}'
        f"{''.join(made)}</div></body></html>"
    )
    return document, headings


def _flat(items: Items) -> list[Item]:
    found: list[Item] = []
    for item in items:
        found += [item] if isinstance(item, str | Heading) else _flat(item)
    return found


def _heading(heading: Heading, anchor: str) -> str:
    cls = f"ActHead{heading.level}" if heading.cls is None else heading.cls
    return block(cls, Html(f'<a id="{anchor}">{heading.inner}</a>'), tag=heading.tag)


def _contents_line(heading: Heading) -> str:
    return block(f"TOC{heading.level}", heading.label, Html(TAB), "12")


def _cover(book: _Book, at: int) -> str:
    day = f"{book.dated.day} {book.dated:%B %Y}"
    lines = [
        block("", Html('<img src="images/image001.png" width="108" height="83" alt="Commonwealth Coat of Arms" />')),
        block("ShortT", book.title),
        block("CompiledActNo", f"No. {book.number}, {book.year}"),
        block("", f"Compilation No. {book.compilation}"),
        block("", Html(span("Compilation date:")), Html(TAB), day),
    ]
    if book.includes:
        lines.append(block("", "Includes amendments:", Html(TAB), f"Act No. {book.includes}"))
    if len(book.volumes) > 1:
        lines.append(block("", f"This compilation is in {len(book.volumes)} volumes"))
        lines += [
            block("", f"Volume {n}:", Html(TAB), "sections and Schedules") for n in range(1, len(book.volumes) + 1)
        ]
        lines += [block("", "Endnotes"), block("", "Each volume has its own contents")]
    lines += [
        block("", "About this compilation", style="font-weight:bold"),
        block("", f"This is a compilation of the {book.title} that shows the text as in force on {day}."),
    ]
    if book.not_commenced:
        words = f"Amendments made by Act No. {book.not_commenced} have not commenced but are noted in the endnotes."
        lines.append(block("", words))
    lines.append(block("", f"Volume {at}"))
    return "".join(lines)


def _nav_points(headings: Sequence[tuple[Heading, str]], source: str, at: int) -> str:
    """Nested by level, under a point for the volume."""
    made, open_levels = [f"<navPoint><navLabel><text>Volume {at}</text></navLabel><content src='{source}'/>"], [0]
    for heading, anchor in headings:
        while open_levels[-1] >= heading.level:
            made.append("</navPoint>")
            open_levels.pop()
        label = f"<navLabel><text>{escape(heading.label)}</text></navLabel>"
        made.append(f"<navPoint>{label}<content src='{source}#{anchor}'/>")
        open_levels.append(heading.level)
    return "".join(made) + "</navPoint>" * len(open_levels)
