"""What a reader of an HTML page sees, counted by another parser than the one that reads it for its structure.

Pure. lxml repairs a broken page and stops without a word where it is nested too deep; the standard library's tokeniser
does neither. Where the two differ, text was lost.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

UNSEEN = frozenset({"script", "style", "noscript", "template", "head"})


_BREAKING = re.compile(r"[ \t\n\r\f]+")


def folded(text: str) -> str:
    """`text` with each run of white space that a browser folds as one space; what does not break stays."""
    return _BREAKING.sub(" ", text).strip(" ")


def solid(text: str) -> int:
    """How many characters of `text` are not white space: what a ledger counts."""
    return sum(map(len, text.split()))


class _Counter(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen = 0
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._inside.clear()  # whatever was left open in the head is over
        elif tag in UNSEEN:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            del self._inside[self._inside.index(tag) :]

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.seen += solid(data)


def visible_characters(html: str) -> int:
    """Characters of `html` that are text and not white space; scripts, styles, comments and the head left out."""
    counter = _Counter()
    counter.feed(html)
    counter.close()
    return counter.seen


class _Words(_Counter):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        if tag not in _IN_A_LINE:
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        if tag not in _IN_A_LINE:
            self.words.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.words.append(data)


_IN_A_LINE = frozenset(
    (
        "a",
        "abbr",
        "b",
        "bdi",
        "cite",
        "code",
        "em",
        "i",
        "kbd",
        "mark",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "u",
        "var",
    )
)


def visible_lines(html: str) -> list[str]:
    """The text of a piece of HTML, a line for each block, white space folded."""
    reader = _Words()
    reader.feed(html)
    reader.close()
    lines = (folded(line) for line in "".join(reader.words).split("\n"))
    return [line for line in lines if line]
