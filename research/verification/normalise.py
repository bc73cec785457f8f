"""The one normalisation under which quoted words are compared with their source.

There is no other. It changes how characters are written, never which words stand there:

- a run of white space (line ends, tabs, NBSP and the other Unicode spaces) becomes one space; none stays at the ends;
- soft hyphens, zero-width characters and byte-order marks are removed;
- U+2010 to U+2015, U+2212 and the compatibility hyphens become "-";
- curly and low quotation marks become straight; "…" becomes "...";
- the Latin ligatures U+FB00 to U+FB06 become their letters.

Capitals, digits, punctuation and accents are kept. Every character knows where it came from, so that a match
can be shown in the source's own characters.
"""

from __future__ import annotations

from dataclasses import dataclass

_REMOVED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_INSTEAD = (
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
    | {"\u2026": "..."}
    | {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st"}
)


@dataclass(frozen=True, slots=True)
class Normalised:
    """Normalised text with the way back: character i came from original[starts[i]:ends[i]]."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that text[start:end] came from. Raises ValueError for an empty or outside span."""
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"span {start}:{end} is not within 0:{len(self.text)} or is empty")
        return self.starts[start], self.ends[end - 1]


def normalise(original: str) -> Normalised:
    """`original` under the one normalisation, with the map back; normalising twice changes nothing more."""
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    space: tuple[int, int] | None = None  # a run of white space not yet known to stand between words
    for position, character in enumerate(original):
        if character in _REMOVED:
            continue
        if character.isspace():
            space = (space[0] if space else position, position + 1)
            continue
        if space is not None and letters:
            letters.append(" ")
            starts.append(space[0])
            ends.append(space[1])
        space = None
        for written in _INSTEAD.get(character, character):
            letters.append(written)
            starts.append(position)
            ends.append(position + 1)
    return Normalised("".join(letters), tuple(starts), tuple(ends))
