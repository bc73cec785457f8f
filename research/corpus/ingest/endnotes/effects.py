"""The right column of Endnote 4: what was done to a provision, and by which laws.

Pure. A code carries over to the cites after it until another comes: "am No 17, 1986; No 88, 1995". Parentheses qualify
the cite before them; some say that an amendment had no effect.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from research.corpus.ingest.endnotes.cites import CITE, Cite, cites_of
from research.corpus.ingest.endnotes.words import end_of_parenthesis, folded
from research.corpus.ingest.history import Effect

_CODES = {
    "ad": Effect.ADDED,
    "am": Effect.AMENDED,
    "rs": Effect.SUBSTITUTED,
    "rep": Effect.REPEALED,
    "exp": Effect.EXPIRED,
    "renum": Effect.RENUMBERED,
    "reloc": Effect.RELOCATED,
    "ed": Effect.EDITORIAL,
    "mod": Effect.MODIFIED,
    "disallowed": Effect.AMENDED,  # the words go back to what they were, on a day that only the notice tells
}
_CODE = re.compile(rf"(?<![\w(])({'|'.join(_CODES)})(?!\w)\.?", re.IGNORECASE)
_COMPILATION = re.compile(r"C(\d+)(?!\w)")
_SEPARATOR = re.compile(r"[\s;,.&]+|and\b|by\b", re.IGNORECASE)
_NO_EFFECT = re.compile(
    r"never applied|not incorp|not applied|never commenced|not commenced|before commenc|no effect", re.IGNORECASE
)
_IN_PART = re.compile(r"\bpart|so far|extent|to the \w+ of", re.IGNORECASE)
_PREVIOUSLY = re.compile(r"\bprev(?:iously)?\b", re.IGNORECASE)


@dataclass(slots=True)
class Done:
    """One effect by one law. cite: None where none could be read; `words` then say what stands there."""

    effect: Effect
    cite: Cite | None = None
    words: str = ""
    is_applied: bool = True


@dataclass(slots=True)
class _Reading:
    """Where the reading of a column stands. code: the one that carries, None before the first."""

    code: Effect | None = None
    word: str = ""
    done: list[Done] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    is_owed: bool = False  # a code stood, and no law after it yet

    def settle(self) -> None:
        """A code that no law follows is an effect all the same."""
        if self.is_owed and self.code is not None:
            self.done.append(Done(self.code, words=self.word))
        self.is_owed = False


def read_effects(text: str, carried: Effect | None = None) -> tuple[list[Done], list[str]]:
    """What was done, in order, and the words that no code stands before.

    carried: the code that the row above ended with, for a row that begins with a cite.
    """
    said, reading, at = folded(text), _Reading(carried), 0
    while at < len(said):
        at = _step(said, at, reading)
    reading.settle()
    return reading.done, reading.unread


def _step(said: str, at: int, reading: _Reading) -> int:
    if said[at] == "(":
        end = end_of_parenthesis(said, at)
        if reading.done and _NO_EFFECT.search(said, at, end) and not _IN_PART.search(said, at, end):
            reading.done[-1].is_applied = False
        return end
    if found := _CODE.match(said, at):
        reading.settle()
        reading.code, reading.word, reading.is_owed = _CODES[found[1].lower()], found[1].lower(), True
        return found.end()
    if found := CITE.match(said, at):
        _cite(reading, cites_of(found), found[0])
        return found.end()
    if (found := _COMPILATION.match(said, at)) and reading.code is Effect.EDITORIAL:
        reading.done.append(Done(Effect.EDITORIAL, words=found[0]))
        reading.is_owed = False
        return found.end()
    if found := _SEPARATOR.match(said, at):
        return found.end()
    end = _end_of_words(said, at)
    _unread(reading, said[at:end].strip())
    return end


def _cite(reading: _Reading, cites: Sequence[Cite], words: str) -> None:
    if reading.code is None:
        reading.unread.append(words)
        return
    reading.done += [Done(reading.code, cite) for cite in cites]
    reading.is_owed = False


def _unread(reading: _Reading, words: str) -> None:
    if reading.code is None:
        reading.unread.append(words)
    else:
        reading.done.append(Done(reading.code, words=words))
        reading.is_owed = False


def _end_of_words(said: str, at: int) -> int:
    """Up to the next semicolon, line, parenthesis, code or cite."""
    ends = [end for mark in ";\n(" if (end := said.find(mark, at + 1)) >= 0]
    ends += [found.start() for pattern in (_CODE, CITE) if (found := pattern.search(said, at + 1))]
    return min(ends, default=len(said))


def tells_earlier_number(text: str) -> bool:
    """Whether a label or an effect says what the provision was numbered before ("prev s 32")."""
    return bool(_PREVIOUSLY.search(text))
