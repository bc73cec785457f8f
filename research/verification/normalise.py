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

import re
from dataclasses import dataclass
from functools import lru_cache

_REMOVED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_INSTEAD = (
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
    | {"\u2026": "..."}
    | {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st"}
)
_UNSEEN = "".join(sorted(_REMOVED))
# What is not kept as it stands: a run of white space and removed characters (but for one plain space between words),
# and a character that is written otherwise.
_RUN = rf"[\s{_UNSEEN}]"
_SPECIAL = re.compile(rf"\A{_RUN}+|{_RUN}+\Z|{_RUN}{{2,}}|[^\S ]|[{_UNSEEN}]|[{''.join(_INSTEAD)}]")
_SPACES = re.compile(rf"\s(?:{_RUN}*\s)?")


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


@lru_cache(maxsize=256)  # a passage is looked into once for every quote
def normalise(original: str) -> Normalised:
    """`original` under the one normalisation, with the map back; normalising twice changes nothing more."""
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for special in _SPECIAL.finditer(original):
        start, end = special.span()
        letters.append(original[at:start])
        starts.extend(range(at, start))
        ends.extend(range(at + 1, start + 1))
        at = end
        if (instead := _INSTEAD.get(special.group())) is not None:
            letters.append(instead)
            starts.extend([start] * len(instead))
            ends.extend([end] * len(instead))
        elif starts and end < len(original) and (space := _SPACES.search(special.group())):
            letters.append(" ")
            starts.append(start + space.start())
            ends.append(start + space.end())
    letters.append(original[at:])
    starts.extend(range(at, len(original)))
    ends.extend(range(at + 1, len(original) + 1))
    return Normalised("".join(letters), tuple(starts), tuple(ends))
