"""A volume's tree as a flat stream of blocks: paragraphs, headings and tables, with what their styles say.

White space is collapsed as a browser does it; every other character stays. Leaves the meaning of classes to
`furniture.py`, `headings.py` and `provisions.py`, and how a table reads to `tables.py`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from research.corpus.ingest.epub.blocks import Block, Cell, Table
from research.corpus.ingest.epub.markup import tag_of, words_in

BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main",
    "nav", "ol", "p", "pre", "section", "ul",
))  # fmt: skip
SILENT = frozenset(("head", "script", "style", "template"))
NUMBER, TITLE = "number", "title"
PLACEHOLDER = "[Image: {}]"
MAX_SPAN = 100  # of a cell over columns or rows

_NUMBER_CLASS = re.compile(r"Char(?:Chap|Part|Div|Subd|Sect|Schd?)(?:No|no)$")
_TITLE_CLASS = re.compile(r"Char(?:Chap|Part|Div|Subd|Sect|Schd?)(?:Text|Hdg)$")
_SPACES = re.compile(r"[ \t\n\r\f]+")
_LINE_ENDS = re.compile(r"[ \t\f]*[\r\n][ \t\r\n\f]*")
_LABEL = re.compile(r"\([0-9A-Za-z]{1,8}\)|Notes?(?: \d+)?:|Examples?(?: \d+)?:|Step \d+\.")
_FRACTION = re.compile(r"(\d{1,2})[/\u2044](\d{1,2})")
_VULGAR = {
    "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕", "2/5": "⅖", "3/5": "⅗", "4/5": "⅘",
    "1/6": "⅙", "5/6": "⅚", "1/7": "⅐", "1/8": "⅛", "3/8": "⅜", "5/8": "⅝", "7/8": "⅞", "1/9": "⅑", "1/10": "⅒",
}  # fmt: skip
_FILE_NAME = re.compile(r"\S+\.(?:gif|png|jpe?g|emf|wmf|svg|bmp)", re.IGNORECASE)
_UNDERLINED_CLASS = re.compile(r"\.([A-Za-z][\w\-]*)[^{}]*\{[^}]*text-decoration(?:-line)?\s*:[^;}]*underline")


@dataclass(frozen=True, slots=True)
class Look:
    """What a style attribute says that matters to reading."""

    is_tab: bool = False  # a tab stop: drawn as a box of its own width
    is_hidden: bool = False
    is_underlined: bool = False
    is_bold: bool = False
    rise: str = ""  # "super" or "sub"
    margin: float = 0.0  # from the left, in points


def underlined_classes(style_sheets: tuple[str, ...]) -> frozenset[str]:
    """The classes that these style sheets underline, links aside."""
    names = (name for sheet in style_sheets for name in _UNDERLINED_CLASS.findall(sheet))
    return frozenset(name for name in names if "link" not in name.lower())


def blocks_of(
    body: etree._Element,
    underlined: frozenset[str] = frozenset(),
    is_emblem: Callable[[etree._Element], bool] | None = None,
) -> list[Block]:
    """Every block of a volume in reading order. is_emblem: tells an image that is no part of the text."""
    walk = _Walk(underlined, is_emblem or (lambda image: False))
    walk.visit(body)
    walk.flush()
    return walk.found


@dataclass(slots=True)
class _Context:
    """The block that inline text now belongs to."""

    tag: str = "text"
    classes: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    margin: float = 0.0


@dataclass(slots=True)
class _Piece:
    text: str
    role: str = ""
    is_underlined: bool = False
    is_bold: bool = False
    rise: str = ""


class _Walk:
    """Goes through the tree once. What is inline gathers in `pieces` until a block begins or ends."""

    def __init__(self, underlined: frozenset[str], is_emblem: Callable[[etree._Element], bool]) -> None:
        self.underlined, self.is_emblem = underlined, is_emblem
        self.found: list[Block] = []
        self.pieces: list[_Piece] = []
        self.anchors: list[str] = []
        self.images: list[str] = []
        self.changes: list[tuple[str, str, str]] = []
        self.context = [_Context()]
        self.role, self.rise = "", ""
        self.under, self.bold, self.links = 0, 0, 0

    # -- the tree

    def visit(self, element: etree._Element) -> None:
        tag = tag_of(element)
        if tag in SILENT:
            return
        if name := element.get("id") or element.get("name"):
            self.anchors.append(name)
        if tag == "table":
            self._table(element)
        elif tag in BLOCKS:
            self.flush()
            above = self.context[-1]
            classes = tuple((element.get("class") or "").split())
            self.context.append(_Context(tag, classes, (*above.classes, *above.within)))
            self._inside(element)
            self.flush()
            self.context.pop()
        elif tag == "img" or tag == "image":
            self._image(element)
        elif tag == "br":
            self._mark("\v")
        else:
            self._inside(element)

    def _inside(self, element: etree._Element) -> None:
        look = look_of(element.get("style") or "")
        classes = (element.get("class") or "").split()
        tag = tag_of(element)
        if look.is_hidden:
            self.changes.append(("hidden text", words_in(element), ""))
            return
        if look.is_tab and not len(element) and not (element.text or "").strip():
            self._mark("\t")
            return
        if look.margin and tag in BLOCKS:
            self.context[-1].margin = look.margin
        before = self.role, self.rise, self.under, self.bold, self.links
        for cls in classes:
            if _NUMBER_CLASS.match(cls):
                self.role = NUMBER
            elif _TITLE_CLASS.match(cls):
                self.role = TITLE
            if cls in self.underlined:
                self.under += 1
        self.rise = look.rise or {"sup": "super", "sub": "sub"}.get(tag, self.rise)
        self.under += tag in ("u", "ins") or look.is_underlined
        self.bold += tag in ("b", "strong", "th") or look.is_bold
        self.links += tag == "a" and element.get("href") is not None
        if element.text:
            self._text(element.text)
        for child in element:
            self.visit(child)
            if child.tail:
                self._text(child.tail)
        self.role, self.rise, self.under, self.bold, self.links = before

    def _text(self, text: str) -> None:
        # Runs of plain spaces stay for now: in front of a title they part it from its number.
        self._mark(_LINE_ENDS.sub(" ", text).replace("\t", " ").replace("\v", " "))

    def _mark(self, text: str) -> None:
        # A link is underlined by its look; only what is underlined for another reason has not commenced.
        self.pieces.append(_Piece(text, self.role, self.under > 0 and not self.links, self.bold > 0, self.rise))

    def _image(self, element: etree._Element) -> None:
        if self.is_emblem(element):
            self.changes.append(("Coat of Arms", (element.get("alt") or ""), ""))
            return
        source = element.get("src") or element.get("{http://www.w3.org/1999/xlink}href") or ""
        name = posixpath.basename(source.partition("?")[0])[:80] or "no name"
        alt = _SPACES.sub(" ", (element.get("alt") or "")).strip()
        if alt and not _FILE_NAME.fullmatch(alt):
            self._text(f" {alt} ")
            return
        shown = PLACEHOLDER.format(name)
        self.images.append(name)
        self.changes.append(("placeholders of images", alt, shown))
        self._text(f" {shown} ")

    # -- tables

    def _table(self, element: etree._Element) -> None:
        self.flush()
        table = Table()
        pending = [(child, False) for child in reversed(element)]
        while pending:
            child, in_head = pending.pop()
            tag = tag_of(child)
            if tag in ("thead", "tbody", "tfoot"):
                pending += [(row, tag == "thead") for row in reversed(child)]
            elif tag == "tr":
                table.rows.append([self._cell(cell) for cell in child if tag_of(cell) in ("td", "th")])
                table.in_head.append(in_head)
                table.loose += [b for cell in child if tag_of(cell) not in ("td", "th", "") for b in self._apart(cell)]
                table.loose += self._stray(child)
            elif tag:
                table.loose += self._apart(child)
        table.loose += self._stray(element)
        here = self.context[-1]
        anchors, self.anchors = tuple(self.anchors), []
        self.found.append(Block("table", (), (*here.classes, *here.within), anchors=anchors, table=table))

    def _cell(self, element: etree._Element) -> Cell:
        def span(name: str) -> int:
            given = element.get(name, "1").strip()
            return min(max(int(given), 1), MAX_SPAN) if given.isascii() and given.isdigit() and len(given) < 9 else 1

        return Cell(self._apart(element), span("colspan"), span("rowspan"), tag_of(element) == "th")

    def _apart(self, element: etree._Element) -> list[Block]:
        """The blocks of an element of their own, what is around it left as it was."""
        outer, self.found = self.found, []
        outer_context, self.context = self.context, [_Context(tag_of(element))]
        self._inside(element)
        self.flush()
        found, self.found, self.context = self.found, outer, outer_context
        return found

    def _stray(self, element: etree._Element) -> list[Block]:
        """Text that stands directly in a table or a row, where only cells may."""
        outer, self.found = self.found, []
        for child in [element, *element]:
            text = element.text if child is element else child.tail
            if text and text.strip():
                self._text(text)
        self.flush()
        found, self.found = self.found, outer
        return found

    # -- blocks

    def flush(self) -> None:
        """The gathered pieces become a block of the element that they stand in; white space alone becomes none."""
        if not self.pieces and not self.changes:
            return
        pieces, self.pieces = self.pieces, []
        if not any(piece.text.strip() for piece in pieces) and not self.changes:
            return
        here = self.context[-1]
        self._fractions(pieces)
        if len(pieces) > 1:
            pieces = _labels_parted(pieces)
        raw = "".join(piece.text for piece in pieces)
        words = [piece for piece in pieces if piece.text.strip()]
        last = max((at for at, piece in enumerate(pieces) if piece.role == NUMBER), default=-1)
        self.found.append(
            Block(
                here.tag,
                here.classes,
                here.within,
                _shown(raw),
                raw,
                "".join(piece.text for piece in pieces if piece.role == NUMBER),
                "".join(piece.text for piece in pieces[last + 1 :]),
                tuple(self.anchors),
                any(piece.is_underlined for piece in words),
                bool(words) and all(piece.is_bold for piece in words),
                here.margin,
                self.changes,
                tuple(self.images),
            )
        )
        self.anchors, self.images, self.changes = [], [], []

    def _fractions(self, pieces: list[_Piece]) -> None:
        """ "33" and a fraction set in small figures, "1/3", become "33⅓": else they would read 331/3."""
        for at, piece in enumerate(pieces):
            upto = at + 1
            if piece.rise:
                while upto < len(pieces) and upto < at + 3 and (pieces[upto].rise or pieces[upto].text.strip() in "/⁄"):
                    upto += 1
            whole = "".join(p.text for p in pieces[at:upto])
            found = _FRACTION.fullmatch(whole.strip())
            before = "".join(p.text for p in pieces[max(0, at - 3) : at])[-1:]
            if not found or not (piece.rise or before.isdigit()):
                continue
            sign = _VULGAR.get(f"{found.group(1)}/{found.group(2)}", "")
            if sign:
                self.changes.append(("fractions set as one character", whole.strip(), sign))
            pieces[at].text = sign or (f" {whole}" if before.isdigit() else whole)
            for rest in pieces[at + 1 : upto]:
                rest.text = ""


def _labels_parted(pieces: list[_Piece]) -> list[_Piece]:
    """A label in a span of its own, "(1)", gets the space that its tab stop stood for where the source has none."""
    words = [at for at, piece in enumerate(pieces) if piece.text.strip()]
    if len(words) > 1 and words[1] == words[0] + 1 and _LABEL.fullmatch(pieces[words[0]].text.strip()):
        first, second = pieces[words[0]], pieces[words[1]]
        if not first.text[-1:].isspace() and not second.text[:1].isspace():
            return [*pieces[: words[0] + 1], _Piece(" "), *pieces[words[1] :]]
    return pieces


def _shown(raw: str) -> str:
    """As a browser shows it: white space collapsed, line breaks of the author's kept, none at the ends."""
    lines = [_SPACES.sub(" ", line).strip() for line in raw.split("\v")]
    return "\n".join(line for line in lines if line)


@lru_cache(maxsize=4_000)
def look_of(style: str) -> Look:
    """What a style attribute says."""
    if not style:
        return Look()
    given = {}
    for part in style.lower().split(";"):
        name, _, value = part.partition(":")
        given[name.strip()] = value.strip()
    decoration = given.get("text-decoration", "") + given.get("text-decoration-line", "")
    align = given.get("vertical-align", "")
    margin = re.match(r"-?[\d.]+(?=pt)", given.get("margin-left", ""))
    return Look(
        given.get("display", "") == "inline-block",
        given.get("display", "") == "none" or given.get("visibility", "") == "hidden",
        "underline" in decoration,
        given.get("font-weight", "") in ("bold", "700", "bolder"),
        align if align in ("super", "sub") else "",
        float(margin.group()) if margin and margin.group().count(".") < 2 and margin.group() not in ("-", ".") else 0.0,
    )
