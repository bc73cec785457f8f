"""The provisions that a question cites by number, looked up as they stood: found, in a gap, absent, or not held.

Pure; the store is handed in. A named Act is taken at its word. Where custom supplies the Act it comes first, and then
every Act held whose numbering fits: that others hold no such section says nothing. Where none does and the customary
Act is known to have none, that is what is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from research.law.citation import CODES, Citation, CitationKind, FoundCitation, candidate_instruments, in_instrument
from research.ports import CorpusStore, Lookup
from research.terms import Passage, Window

MOST_OTHER_ACTS = 20  # Acts without a known numbering that are tried for a section that names none


@dataclass(frozen=True, slots=True)
class CitedLookup:
    """One way to read a citation in the question, and what the corpus says of it on the days asked about."""

    cited: FoundCitation
    lookup: Lookup

    @property
    def is_found(self) -> bool:
        return self.lookup.state == "found"


def look_up_cited(
    citations: Sequence[FoundCitation], window: Window, held: Sequence[str], store: CorpusStore
) -> list[CitedLookup]:
    """Each section or ruling cited; several entries at one place in the question where it could be several provisions.

    held: the codes of the Acts in the corpus. A ruling that is not held is no look-up: a question may name one beside
    what it asks of an Act.
    """
    found = []
    for cited in citations:
        if cited.citation.kind is CitationKind.SECTION:
            found += _readings_of(cited, window, held, store)
        elif cited.citation.kind is CitationKind.RULING:
            found += _ruling(cited, window, store)
    return found


def _ruling(cited: FoundCitation, window: Window, store: CorpusStore) -> list[CitedLookup]:
    """The paragraph of a ruling that is cited, or all of it where none is; nothing where the ruling is not held."""
    lookup = store.look_up(cited.citation.instrument or "", "", cited.citation.pinpoint.strip("[]"), window)
    return [CitedLookup(cited, lookup)] if lookup.state != "not_held" else []


def names_a_ruling_held(citations: Sequence[FoundCitation], window: Window, store: CorpusStore) -> bool:
    """Whether a ruling is cited that is held: it may apply in years of which no Act is held."""
    rulings = (cited for cited in citations if cited.citation.kind is CitationKind.RULING)
    return any(_ruling(cited, window, store) for cited in rulings)


def meanings(lookups: Sequence[CitedLookup]) -> list[Passage]:
    """A passage of each provision that one citation could mean; empty where none could mean several."""
    by_place: dict[int, list[Passage]] = {}
    for entry in lookups:
        by_place.setdefault(entry.cited.start, []).extend(entry.lookup.passages[:1])
    several = (passages for passages in by_place.values() if len({p.provision_id for p in passages}) > 1)
    return next(several, [])


def _readings_of(cited: FoundCitation, window: Window, held: Sequence[str], store: CorpusStore) -> list[CitedLookup]:
    def look_up(option: Citation) -> CitedLookup:
        found = store.look_up(option.instrument or "", option.schedule, option.section, window)
        return CitedLookup(replace(cited, citation=option), found)

    named = look_up(cited.citation) if cited.citation.instrument is not None else None
    if named and (not cited.assumed or named.lookup.state in ("found", "gap")):
        return [named]
    others = [code for code in held if code not in CODES][:MOST_OTHER_ACTS]
    codes = [code for code in candidate_instruments(cited.citation) if code in held] + others
    options = [in_instrument(cited.citation, code) for code in codes]
    tried = [look_up(option) for option in options if option != cited.citation]
    found = [entry for entry in tried if entry.is_found] or [e for e in tried if e.lookup.state == "gap"][:1]
    return found or ([named] if named and named.lookup.state == "absent" else [])


_UNITS = {
    CitationKind.PART: "Part",
    CitationKind.DIVISION: "Division",
    CitationKind.SUBDIVISION: "Subdivision",
}
_MAY_MEAN = ("ITAA97", "GSTA99", "TAA53", "ITAA36", "ITTPA97", "FTA06", "SISA93", "FBTAA86")


def not_there(
    citations: Sequence[FoundCitation],
    lookups: Sequence[CitedLookup],
    window: Window,
    held: Sequence[str],
    store: CorpusStore,
) -> tuple[str, str] | None:
    """(what, Act) of a subsection, Division, Subdivision or Part cited that there was not; None where all may be.

    A subsection is missing where its section is found, has numbered subsections, and nowhere speaks of that number.
    """
    for entry in lookups:
        number = re.match(r"\([0-9]+[A-Z]*\)", entry.cited.citation.pinpoint)
        text = " ".join(passage.text for passage in entry.lookup.passages)
        if entry.is_found and number and "(1)" in text and number[0] not in text:
            citation = entry.cited.citation
            return f"section {citation.section}{number[0]}", citation.instrument or "the Act"
    for cited in citations:
        unit, number_cited = _UNITS.get(cited.citation.kind), cited.citation.section
        named = cited.citation.instrument
        if unit is None or named is None or not (cited.assumed or named in held):
            continue
        codes = [named, *(code for code in _MAY_MEAN if code != named)] if cited.assumed else [named]
        states = [store.part_state(code, f"{unit} {number_cited}", window) for code in codes if code in held]
        if states and states[0] == "absent" and "found" not in states:
            return f"{unit} {number_cited}", named
    return None
