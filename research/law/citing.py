"""Which texts deal with a provision: rulings, and what they cite in their own words."""

from __future__ import annotations

from research.law.citation import CitationKind, find_citations
from research.law.provision import authority_of


def is_ruling(code: str) -> bool:
    """Whether an instrument's code is the name of a ruling: "TR 2008/1", "PCG 2017/2"."""
    return authority_of(code, "1", "").endswith(" at [1]")


def deals_with(text: str, code: str, title: str, section: str, schedule: str) -> bool:
    """Whether `text` cites this section: "section 8-1 of the ITAA 1997". A section without an Act is read by custom."""
    return any(
        found.citation.kind is CitationKind.SECTION
        and (found.citation.instrument, found.citation.section, found.citation.schedule) == (code, section, schedule)
        for found in find_citations(text, titles={title: code} if title else None)
    )
