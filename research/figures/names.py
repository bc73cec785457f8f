"""Which figure a question names: its words and the figure's must account for one another.

Containment is not identification: "the GST rate on exports" holds "GST rate" and names something else. Every word of
the question that names anything must belong to the figure's name, or to the words that may stand beside it; and every
word of the name must be in the question. Where the question says less than any one name, all that it begins are
candidates.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from research.figures.ledger import EMPTY, Figure, Ledger
from research.figures.vocabulary import KIND, NEUTRAL, PHRASES
from research.law.citation import fold

_WORD = re.compile(r"\$?[a-z0-9][a-z0-9&'.$]*(?<!\.)")
MOST_CANDIDATES = 6


@dataclass(frozen=True, slots=True)
class Canonical:
    """The words of a name or a question, each in its one form, those that name nothing left out."""

    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Named:
    """A question's words. optional: read out of its time ("FBT year"), to be used where a name wants them.

    wants_amount: it asks how much, or at what rate, or names a time, so that a short name will do.
    """

    words: frozenset[str]
    optional: frozenset[str] = field(default_factory=frozenset)
    wants_amount: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """The figures that fit. is_sure: each by a whole name; otherwise the question says less than their names do."""

    figures: tuple[Figure, ...] = ()
    is_sure: bool = False


def plain(text: str) -> str:
    """Lower case, one space between words, dashes and quotes straight."""
    return " ".join(fold(text).lower().replace("%", " % ").split())


@functools.lru_cache(maxsize=4096)
def canonical(text: str) -> Canonical:
    """The words of `text`: phrases of one meaning as one word, plurals as singulars."""
    read = f" {plain(text)} "
    for pattern, word in PHRASES:
        read = pattern.sub(word, read)
    found = _WORD.findall(read.replace("-", " "))
    words = (_singular(word.replace("'s", "")) for word in found if word not in NEUTRAL)
    return Canonical(frozenset(word for word in words if word not in NEUTRAL))


def _singular(word: str) -> str:
    if len(word) <= 3 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("sses"):
        return word[:-2]
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1] if word.endswith("s") else word


@dataclass(frozen=True, slots=True)
class _Entry:
    """A figure with its names in words, made once for a ledger."""

    figure: Figure
    names: tuple[frozenset[str], ...]
    short: tuple[frozenset[str], ...]
    beside: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        return frozenset(word for name in (*self.names, *self.short) for word in name)


class FigureIndex:
    """The names of a ledger's figures, to be matched against questions."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._entries = [_entry(figure) for figure in ledger.figures]
        words = frozenset(word for entry in self._entries for word in entry.words)
        self._subjects = words - KIND - {"minimum", "income"}
        self._by_word: dict[str, list[_Entry]] = {}
        for entry in self._entries:
            for word in entry.words:
                self._by_word.setdefault(word, []).append(entry)

    def match(self, asked: Named) -> Match:
        """The figures that the question names, best first; none where words are left that none accounts for."""
        words = asked.words | asked.optional
        if not words & self._subjects:
            return Match()
        entries = self._holding(words)
        whole = [(fit, entry) for entry in entries if (fit := _whole(entry, asked)) is not None]
        if whole:
            return Match(_best(whole), is_sure=True)
        if asked.wants_amount:
            short = [(fit, entry) for entry in entries if (fit := _short(entry, asked)) is not None]
            if short:
                return Match(_best(short), is_sure=True)
        begun = [(left, entry) for entry in entries if (left := _begun(entry, asked)) is not None]
        least = min((left for left, _ in begun), default=0)
        figures = tuple(entry.figure for left, entry in begun if left == least)
        if least != 1 or len(figures) < 2 or len(figures) > MOST_CANDIDATES:
            return Match()
        return Match(figures)

    def _holding(self, words: Iterable[str]) -> list[_Entry]:
        found = {id(entry): entry for word in words for entry in self._by_word.get(word, ())}
        return [entry for entry in self._entries if id(entry) in found]


def _entry(figure: Figure) -> _Entry:
    return _Entry(
        figure,
        tuple(dict.fromkeys(canonical(name).words for name in figure.names)),
        tuple(dict.fromkeys(canonical(name).words for name in figure.short)),
        frozenset(word for text in figure.also for word in canonical(text).words),
    )


def _whole(entry: _Entry, asked: Named) -> int | None:
    """How many of the question's words the figure's best name holds, where each accounts for the other."""
    return _fit(entry.names, entry, asked)


def _short(entry: _Entry, asked: Named) -> int | None:
    return _fit(entry.short, entry, asked, KIND)


def _fit(
    names: Sequence[frozenset[str]], entry: _Entry, asked: Named, spare: frozenset[str] = frozenset()
) -> int | None:
    given = asked.words | asked.optional
    fits = [len(name & given) for name in names if name <= given and asked.words <= name | entry.beside | spare]
    return max(fits, default=None)


def _begun(entry: _Entry, asked: Named) -> int | None:
    """How many words of its nearest name the question leaves unsaid, all of its own being in that name."""
    subjects = asked.words - KIND
    left = [
        len(name - asked.words - asked.optional)
        for name in entry.names
        if subjects and asked.words <= name | entry.beside and len(name & asked.words) >= 2
    ]
    return min(left, default=None)


def _best(found: Sequence[tuple[int, _Entry]]) -> tuple[Figure, ...]:
    most = max(fit for fit, _ in found)
    return tuple(entry.figure for fit, entry in found if fit == most)


NO_FIGURES = FigureIndex(EMPTY)
