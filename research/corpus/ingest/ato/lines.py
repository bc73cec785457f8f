"""The text of a page as lines: what a reader sees as one paragraph, heading, list item or table row each.

Pure (lxml trees in, values out). The pages are invalid HTML in ways that matter (a paragraph in a paragraph, bold
around a cell), so nothing here trusts nesting: text comes out once and in order, wherever it stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement

from research.corpus.ingest.record import CONTROL
from research.corpus.ingest.table_text import table_lines
from research.corpus.ingest.visible import folded, solid

_INLINE = frozenset(
    ("a", "abbr", "acronym", "b", "big", "cite", "code", "em", "font", "i", "img", "mark", "q", "s", "small", "span")
) | frozenset(("strike", "strong", "sub", "sup", "tt", "u", "var", "wbr", "ins", "del", "label"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_ICONS = re.compile(r"exclamation|view history note|icon|information|arrow|print|pdf|link", re.IGNORECASE)
_OWN_MARK = re.compile(r"(?:\(?[a-z0-9]{1,4}[.)]|[•\-–])\s", re.IGNORECASE)
BOLD_LEVEL, ITALIC_LEVEL = 7, 8


@dataclass(frozen=True, slots=True)
class Line:
    """One line. level: 1–6 of a heading, 7 of a line all in bold, 8 all in italics, 0 of any other.

    anchors: names and ids at it. is_item: in a list, so that a number at its start is the list's. is_row: of a table.
    """

    text: str
    level: int = 0
    anchors: tuple[str, ...] = ()
    is_item: bool = False
    is_row: bool = False


class Lines:
    """Reads elements into lines. added: characters in them that the page has not as text."""

    def __init__(self) -> None:
        self.added: Counter[str] = Counter()

    def of(self, element: HtmlElement) -> Iterator[Line]:
        """The lines of `element`, in order."""
        walk = _Walk(self.added)
        walk.block(element, _Place())
        walk.end()
        yield from walk.lines


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk is. styles: "b" and "i" that the text stands in."""

    level: int = 0
    is_item: bool = False
    styles: frozenset[str] = frozenset()


class _Walk:
    def __init__(self, added: Counter[str]) -> None:
        self.added = added
        self.lines: list[Line] = []
        self.pieces: list[tuple[str, frozenset[str]]] = []
        self.anchors: list[str] = []
        self.mark = ""  # of the list item or term whose first line is still to come
        self.counts: Counter[HtmlElement] = Counter()  # of each numbered list, the items so far
        self.is_mark_ours = False  # supplied by us, so that an item's own goes before it

    def block(self, element: HtmlElement, place: _Place) -> None:
        tag = element.tag
        if not isinstance(tag, str):
            return  # a comment
        self._anchor(element)
        if tag == "table" and not is_box(element):
            self.flush(place)
            self._table(element)
            return
        if tag == "img":
            self._image(element, place)
            return
        if tag == "br":
            self.flush(place)
            return
        inside = self._inside(tag, element, place)
        is_inline = tag in _INLINE
        if not is_inline:
            self.flush(place)
        self._open_item(tag, element)
        self._say(self._before(tag, element) + (element.text or ""), inside)
        for child in element:
            self.block(child, inside)
            self._say(child.tail or "", inside)
        if tag == "dt":
            self._mark(self._taken(), is_ours=False)
        elif not is_inline:
            self.flush(inside)

    def flush(self, place: _Place) -> None:
        """End the line that is open, if it holds anything."""
        styles = [found for piece, found in self.pieces if piece.strip()]
        text = self._taken()
        if not text:
            return
        level = place.level
        if not level and not place.is_item and not self.mark and len(text) <= 300:
            bold, italic = all("b" in found for found in styles), all("i" in found for found in styles)
            level = BOLD_LEVEL if bold else ITALIC_LEVEL if italic else 0
        if self.mark and not (self.is_mark_ours and _OWN_MARK.match(text)):
            self.added["list marks"] += solid(self.mark) if self.is_mark_ours else 0
            text = f"{self.mark} {text}"
        self.mark = ""
        self.lines.append(Line(text, level, tuple(self.anchors), place.is_item))
        self.anchors.clear()

    def end(self) -> None:
        """No more text comes: what is open becomes a line."""
        self.flush(_Place())
        self._mark("", is_ours=True)

    def _mark(self, mark: str, is_ours: bool) -> None:
        """Keep a mark for the line that comes next; one of the page's own for which none came is a line itself."""
        if self.mark and not self.is_mark_ours:
            self.lines.append(Line(self.mark, is_item=True))
        self.mark, self.is_mark_ours = mark, is_ours

    def _taken(self) -> str:
        text = folded(CONTROL.sub(" ", "".join(piece for piece, _ in self.pieces)))
        self.pieces.clear()
        return text

    def _say(self, text: str, place: _Place) -> None:
        if text:
            self.pieces.append((text, place.styles))

    def _anchor(self, element: HtmlElement) -> None:
        for name in (element.get("id"), element.get("name")):
            if name:
                self.anchors.append(name.rstrip("/"))

    def _inside(self, tag: str, element: HtmlElement, place: _Place) -> _Place:
        style = (element.get("style") or "").replace(" ", "").lower()
        styles = set(place.styles)
        if tag in ("b", "strong") or "font-weight:bold" in style:
            styles.add("b")
        if tag in ("i", "em") or "font-style:italic" in style:
            styles.add("i")
        level = int(tag[1]) if tag in _HEADINGS else place.level
        return _Place(level, place.is_item or tag in ("li", "dd", "td", "th", "blockquote"), frozenset(styles))

    def _open_item(self, tag: str, element: HtmlElement) -> None:
        if tag != "li":
            return
        parent = element.getparent()
        mark = "-"
        if parent is not None and parent.tag == "ol":
            self.counts[parent] += 1
            mark = _counted(self.counts[parent], parent.get("type") or "1")
        self._mark(mark, is_ours=True)

    def _before(self, tag: str, element: HtmlElement) -> str:
        """What parts a raised number from the one before it: "33 1/3", "10^2"; the page does it by its height."""
        said = "".join(piece for piece, _ in self.pieces)
        if tag != "sup" or not said[-1:].isdigit() or not (element.text or "").strip()[:1].isdigit():
            return ""
        if (element.tail or "").lstrip()[:1] in ("/", "⁄"):
            return " "
        self.added["marks of raised numbers"] += 1
        return "^"

    def _image(self, element: HtmlElement, place: _Place) -> None:
        words = folded(element.get("alt") or element.get("title") or "")
        if not words or _ICONS.search(f"{words} {element.get('title') or ''}"):
            return
        self.added["images"] += solid(f"[Image:{words}]")
        self._say(f"[Image: {words}]", place)

    def _table(self, table: HtmlElement) -> None:
        rows = [cells_of(row) for row in rows_of(table)]
        said = [[(self._cell(cell), _span(cell)) for cell in row] for row in rows]
        has_heads = len(rows) > 1 and bool(rows[0]) and all(_is_head(cell) for cell in rows[0])
        heads = [text for text, span in said[0] for _ in range(span)] if has_heads else []
        body = [_in_columns(row) for row in (said[1:] if has_heads else said)]
        lines, added = table_lines(heads, body)
        if has_heads:  # a head over several columns stands once in the page
            added += sum(map(solid, heads)) - sum(solid(text) for text, _ in said[0])
        self.added["table heads"] += added
        for caption in table.iterchildren("caption"):
            text = folded(caption.text_content())
            if text:
                self.lines.append(Line(text, is_row=True))
        strays = _strays(table)
        self.lines += [Line(line, is_row=True) for line in ([strays] if strays else []) + lines]

    def _cell(self, cell: HtmlElement) -> str:
        inner = _Walk(self.added)
        inner.block(cell, _Place(is_item=True))
        inner.end()
        return " ".join(line.text for line in inner.lines)


def rows_of(table: HtmlElement) -> list[HtmlElement]:
    """The rows of this table and of none inside it."""
    return [row for row in table.iter("tr") if _nearest(row, "table", "td", "th") is table]


def cells_of(row: HtmlElement) -> list[HtmlElement]:
    """The cells of this row, also where something that may not stand there is put around one.

    A cell in a cell (the outer was never closed) is text of the outer.
    """
    return [cell for cell in row.iter("td", "th") if _nearest(cell, "tr", "td", "th") is row]


def _nearest(element: HtmlElement, *tags: str) -> HtmlElement | None:
    return next(element.iterancestors(*tags), None)


def _strays(table: HtmlElement) -> str:
    """Text of a table that stands in none of its cells, where no text may stand but does."""
    found = []
    cells = {cell for row in rows_of(table) for cell in cells_of(row)}
    inside = [part for cell in cells for part in cell.iter()]
    kept = {*inside, *(part for caption in table.iterchildren("caption") for part in caption.iter())}
    for part in table.iter():
        if part not in kept and isinstance(part.tag, str):
            found.append(part.text or "")
        if part is not table and part.getparent() not in kept:
            found.append(part.tail or "")
    return folded(" ".join(found))


def is_box(table: HtmlElement) -> bool:
    """Whether a table is only a frame around text: none of its rows has a second cell."""
    return all(len(cells_of(row)) <= 1 for row in rows_of(table))


def _is_head(cell: HtmlElement) -> bool:
    if cell.tag == "th":
        return True
    bold = sum(solid(part.text_content()) for part in cell.iter("b", "strong"))
    above = any(parent.tag in ("b", "strong", "thead") for parent in cell.iterancestors())
    return above or (bold > 0 and bold >= solid(cell.text_content()))


def _span(cell: HtmlElement) -> int:
    found = cell.get("colspan") or "1"
    return min(int(found), 50) if found.isdecimal() and int(found) > 0 else 1


def _in_columns(row: list[tuple[str, int]]) -> list[str]:
    """The cells' texts, each in its own column: one over several columns leaves the rest of them empty."""
    return [text if place == 0 else "" for text, span in row for place in range(span)]


def _counted(place: int, form: str) -> str:
    if form in ("a", "A") and place <= 26:
        return f"({chr(ord(form) + place - 1)})"
    return f"{place}."
