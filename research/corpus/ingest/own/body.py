"""The text of a Markdown document cut at its headings, as a reader of the rendered page sees it.

Pure. Markup that a reader does not see (emphasis marks, addresses of links, comments) goes; everything else stays as
it stands. One line a paragraph, list item, code line or table row; a row names each cell's head, so that one line of a
table of rates says what it is a rate of.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from research.corpus.ingest.published import Ledger
from research.corpus.ingest.table_text import table_lines
from research.corpus.ingest.visible import folded, solid, visible_characters, visible_lines

_NUMBERED = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3}){1,5}|\d{1,3}(?=[.)])|[A-Z]\d{0,2}(?:\.\d{1,3}){1,4})[.):]?\s+")


@dataclass(slots=True)
class Unit:
    """What stands under one heading, above the next. number: as the heading has it, "" for none.

    heading: without its number; "" for text before any heading. path: the headings above it.
    """

    heading: str
    number: str = ""
    path: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def units_of(body: str) -> tuple[list[Unit], Ledger]:
    """The units of a document that hold text, in order, and the account of its characters."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = parser.parse(body)
    reader = _Reader(tokens)
    reader.read()
    read = visible_characters(f"<body>{parser.renderer.render(tokens, parser.options, {})}")
    said = sum(solid(unit.text) for unit in reader.units) + reader.headings
    return [u for u in reader.units if u.lines], Ledger(read, said - reader.added.total(), {}, dict(reader.added))


class _Reader:
    """One pass over the tokens. Every block becomes lines of the unit that is open."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = iter(tokens)
        self.units = [Unit("")]
        self.above: list[tuple[int, str]] = []  # open headings: (level, text)
        self.headings = 0  # characters in headings, each counted once
        self.added: Counter[str] = Counter()
        self.marks: list[str] = []  # of the list items that are open and have no line yet

    def read(self) -> None:
        for token in self.tokens:
            match token.type:
                case "heading_open":
                    self._heading(int(token.tag[1]))
                case "list_item_open":
                    mark = f"{token.info}{token.markup}" if token.info else "-"
                    self.marks.append(mark)
                case "list_item_close":
                    self.marks.clear()
                case "inline":
                    self._lines(self._seen(token).split("\n"))
                case "fence" | "code_block":
                    self._lines(token.content.rstrip("\n").split("\n"), is_code=True)
                case "html_block":
                    self._lines(visible_lines(token.content))
                case "table_open":
                    self._table()

    def _heading(self, level: int) -> None:
        text = folded(self._seen(next(self.tokens)))
        self.headings += solid(text)
        self.above = [(at, above) for at, above in self.above if at < level]
        path = tuple(above for _, above in self.above)
        self.above.append((level, text))
        numbered = _NUMBERED.match(text)
        if numbered and numbered.end() < len(text):
            self.units.append(Unit(text[numbered.end() :], numbered.group("number"), path))
        else:
            self.units.append(Unit(text, "", path))

    def _seen(self, token: Token) -> str:
        children = token.children or ()
        self.added["images"] += sum(solid(_image(child)) for child in children if child.type == "image")
        return "".join(_pieces(children))

    def _lines(self, lines: Sequence[str], is_code: bool = False) -> None:
        for line in lines:
            kept = line.rstrip() if is_code else folded(line)
            if not kept:
                continue
            if self.marks and not is_code:
                lead = " ".join(self.marks)
                self.added["list marks"] += solid(lead)
                kept = f"{lead} {kept}"
                self.marks.clear()
            self.units[-1].lines.append(kept)

    def _table(self) -> None:
        rows: list[list[str]] = []
        for token in self.tokens:
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(folded(self._seen(token)))
        heads, *body = rows
        lines, added = table_lines(heads, body)
        self.added["table heads"] += added
        self._lines(lines)


def _pieces(children: Sequence[Token]) -> Iterator[str]:
    for token in children:
        match token.type:
            case "text" | "code_inline" | "text_special":
                yield token.content
            case "softbreak":
                yield " "
            case "hardbreak":
                yield "\n"
            case "image":
                yield _image(token)


def _image(token: Token) -> str:
    """A picture cannot be quoted; that one stands here can be said."""
    alt = folded(token.content)
    return f"[Image: {alt}]" if alt else "[Image]"
