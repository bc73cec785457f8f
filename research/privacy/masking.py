"""Placeholders in place of whatever identifies a client, and the same words back again.

`restore` undoes `mask` exactly, to the letter: a placeholder that stands in the text already is masked like anything
else. The same thing has the same number in every text masked together; written otherwise it has a letter behind it
("[CLIENT-1]" is Acme Pty Ltd, "[CLIENT-1B]" the same written ACME), since both must come back as they were.

The practice's own words (a question, a conversation) are masked with a heavy hand. The law's own text is public, and
is searched for whole names and identifiers alone: a surname in it is a judge's or a party's, a sum in it is the law's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from research.privacy.folding import fold, key_of
from research.privacy.patterns import amount_spans, identifying_spans
from research.privacy.register import Kind, Register
from research.privacy.scanning import known_spans
from research.privacy.spans import Span, merged

PLACEHOLDER = re.compile(rf"\[(?:{'|'.join(Kind)})-[1-9][0-9]*[A-Z]*\]")


@dataclass(frozen=True, slots=True)
class Masked:
    """What may leave. texts: in the order given; table: placeholder → what it stands for, and it never leaves.

    named: which clients of the register the practice's own words identify, by their place in it.
    """

    texts: tuple[str, ...]
    table: Mapping[str, str]
    named: frozenset[int] = frozenset()


def mask(
    texts: Sequence[str], register: Register, *, law: Collection[int] = (), is_about_a_client: bool = False
) -> Masked:
    """The texts with placeholders.

    law: which of them, by their place, are the law's own text. is_about_a_client: a client was chosen, so that amounts
    are masked even where none is named; otherwise they are masked where any of the practice's own texts names somebody.
    """
    found = [_spans(text, register, is_law=place in law) for place, text in enumerate(texts)]
    own = [span for place, spans in enumerate(found) if place not in law for span in spans]
    if is_about_a_client or any(span.kind is not Kind.TEXT for span in own):
        for place, text in enumerate(texts):
            if place not in law:
                found[place] += amount_spans(text)
    names = _Names()
    masked = tuple(_replaced(text, merged(spans), names) for text, spans in zip(texts, found, strict=True))
    return Masked(masked, names.table, frozenset(span.who for span in own if span.who is not None and span.is_whole))


def restore(text: str, table: Mapping[str, str]) -> str:
    """The text with the words back that the placeholders of this table stand for; any other stays as it is."""
    return PLACEHOLDER.sub(lambda found: table.get(found[0], found[0]), text)


def _spans(text: str, register: Register, *, is_law: bool) -> list[Span]:
    spans = [Span(*found.span(), Kind.TEXT, found[0]) for found in PLACEHOLDER.finditer(text)]
    spans += known_spans(fold(text), register.index, is_law=is_law)
    if not is_law:
        spans += identifying_spans(text)
    return spans


@dataclass(slots=True)
class _Names:
    """Gives out placeholders: a number to each thing, a letter to each further way of writing it."""

    table: dict[str, str] = field(default_factory=dict)
    _numbers: dict[tuple[Kind, str], int] = field(default_factory=dict)
    _forms: dict[tuple[Kind, int], dict[str, str]] = field(default_factory=dict)

    def name(self, kind: Kind, value: str, written: str) -> str:
        used = sum(each is kind for each, _ in self._numbers)
        number = self._numbers.setdefault((kind, value), used + 1)
        forms = self._forms.setdefault((kind, number), {})
        if written not in forms:
            forms[written] = f"[{kind}-{number}{_letters(len(forms))}]"
            self.table[forms[written]] = written
        return forms[written]


def _letters(place: int) -> str:
    """ "" for the first, then B, C … Z, BA, BB …"""
    letters = ""
    while place > 0:
        place, rest = divmod(place, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _replaced(text: str, spans: Sequence[Span], names: _Names) -> str:
    parts, behind = [], 0
    for span in spans:
        written = text[span.start : span.end]
        parts += [text[behind : span.start], names.name(span.kind, span.value or key_of(written), written)]
        behind = span.end
    return "".join([*parts, text[behind:]])
