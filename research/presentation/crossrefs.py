"""Cross-references in law text: which words name another provision, and what they lead to where it is held.

Pure. A reference that names no Act is one to the Act that it stands in; one that another law is named for ("of that
Act", "of the Regulations") leads nowhere unless the name is read with it. A Division leads to its first section, where
sections are numbered by their Division. Which provisions are held is for the corpus to say, once for a whole page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from research.law.citation import HYPHENATED, CitationKind, FoundCitation, find_citations, in_instrument
from research.presentation.marks import Span

Place = tuple[str, str, str]
"""(instrument, schedule, number): a section, or a Division where the number ends in "-"."""

_LIST = r"(?:[\s,]*(?:and|or|to)?\s*(?:\d[\w-]*)?(?:\(\w{1,5}\))+|[\s,]*(?:and|or|to)\s+\d[\w-]*){0,8}"
_WITHIN = r"(?:(?:Part|Division|Subdivision|Schedule|Chapter)\s+[\w-]+\s+(?:of|in|to)\s+){0,2}"
OF_ANOTHER_LAW = re.compile(
    rf"{_LIST}\s+(?:of|in|to|under)\s+{_WITHIN}"
    r"(?:that\s+(?:Act|Law|Code|Ordinance|Schedule)|those\s+\w+"
    r"|the\s+(?:former|repealed|old|previous|earlier)\b"
    r"|the\s+[A-Z][\w()’'-]*(?:\s+[\w()’'-]+){0,8}?\s+(?:Act|Regulations?|Rules?|Code|Law)\b"
    r"|the\s+(?:[Rr]egulations?|[Rr]ules|Constitution|Code)\b)"
)
DOCUMENT = re.compile(r"@|\d/\d")  # a practice's own document ("KB-12@…") or a ruling ("TR 2024/3"): no Act of its own


@dataclass(frozen=True, slots=True)
class Reference:
    """Words that name a provision, as a half-open range of offsets, and where it would stand."""

    start: int
    end: int
    place: Place


def references_in(
    text: str, instrument: str, schedule: str = "", section: str = "", titles: Mapping[str, str] | None = None
) -> tuple[Reference, ...]:
    """The references in the text of a provision to others, in order.

    titles: by title, the codes of Acts that have no short code of their own.
    """
    is_act = DOCUMENT.search(instrument) is None
    found = find_citations(text, default_act=instrument if is_act else None, titles=titles)
    named = [(each, _place(each, text, instrument if is_act else "", schedule)) for each in found]
    own = (instrument, schedule, section)
    return tuple(Reference(each.start, each.end, place) for each, place in named if place is not None and place != own)


def links_of(
    references: Sequence[Reference], held: Mapping[Place, str], address: Callable[[str, str], str]
) -> list[Span]:
    """A span for each reference to what is held, keyed by its address.

    held: the pin by place; address: what leads to (instrument, pin).
    """
    found = [each for each in references if each.place in held]
    return [Span(each.start, each.end, address(each.place[0], held[each.place])) for each in found]


def _place(found: FoundCitation, text: str, own: str, own_schedule: str) -> Place | None:
    citation = found.citation
    if found.assumed and OF_ANOTHER_LAW.match(text, found.end):
        return None
    if found.assumed and own:  # whatever custom says: the text of an Act speaks of that Act
        citation = in_instrument(citation, own)
    if citation.instrument is None:
        return None
    if citation.kind is CitationKind.SECTION:
        return citation.instrument, citation.schedule, citation.section
    if citation.kind is not CitationKind.DIVISION:
        return None
    schedule = citation.schedule or (own_schedule if found.assumed else "")
    is_numbered_so = citation.instrument in HYPHENATED or (citation.instrument, schedule) == ("TAA53", "1")
    return (citation.instrument, schedule, f"{citation.section}-") if is_numbered_so else None
