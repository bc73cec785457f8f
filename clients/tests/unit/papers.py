"""Pages laid out by hand for tests: rows of text, with two spaces or more between columns."""

from __future__ import annotations

import re
from dataclasses import replace

from clients.extraction.terms import Box, FoundField, Name, Page, Source, Word

LETTER, HEIGHT, LINE = 6.0, 10.0, 16.0  # points


def page(text: str, number: int = 1, source: Source = Source.TEXT) -> Page:
    """A page of A4 whose words stand where the letters of the text do; a blank line leaves a gap."""
    words = []
    for at, line in enumerate(text.strip("\n").split("\n")):
        for found in re.finditer(r"\S+", line):
            left, top = 20 + LETTER * found.start(), 40 + LINE * at
            box = Box(left, top, left + LETTER * len(found[0]), top + HEIGHT)
            words.append(Word(found[0], box, 1.0 if source is Source.TEXT else 0.95, source))
    return Page(number, 595, 842, tuple(words))


def with_word(on: Page, old: str, new: str) -> Page:
    """The page as a reader gives it that reads one word otherwise. Raises ValueError if it is not there once."""
    if [word.text for word in on.words].count(old) != 1:
        raise ValueError(f"“{old}” does not stand on the page once.")
    return replace(on, words=tuple(replace(word, text=new) if word.text == old else word for word in on.words))


def quoting(raw: str, on: Page, name: Name = Name.TOTAL, value: str = "") -> FoundField:
    """A field that quotes words of a page, at the place where they stand on it. Raises ValueError where they do not."""
    texts, wanted = [word.text for word in on.words], raw.split()
    for at in range(len(texts) - len(wanted) + 1):
        if texts[at : at + len(wanted)] == wanted:
            box = on.words[at].box
            for word in on.words[at : at + len(wanted)]:
                box = box.joined(word.box)
            return FoundField(name, value or raw, raw, on.number, box, "by hand")
    raise ValueError(f"“{raw}” does not stand on the page.")
