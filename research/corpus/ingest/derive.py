"""The versions of an instrument's provisions, from everything that its compilations say of them.

Pure: readings and words in, versions out, the same whatever the order of loading. What to do about versions that
are new, changed or gone is `store.py`'s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from research.corpus.ingest.date import DatedWording, Sighting, date_wordings, place_of, says_absent
from research.corpus.ingest.history import Address, Event, Stated
from research.corpus.ingest.words import fullness, is_omitted
from research.law.identity import stable_id

DATED_BY = "2"  # raise it, and `sources.READER`, when the same readings would be dated otherwise: then all is, once


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a provision as one compilation gives them. `rank` orders any two that differ.

    Of several readings of one wording the fullest is shown: a conversion loses, it does not add. Of readings with the
    same words, that which marks the longest terms: a compilation in which a term of two words is not defined marks only
    the first of them.
    """

    heading: str
    kind: str
    text: str
    spans: tuple[tuple[int, int], ...]

    @property
    def rank(self) -> tuple[object, ...]:
        """Orders any two that differ, so that the order of loading cannot show."""
        marked = sum(end - start for start, end in self.spans)
        return (fullness(self.text), len(self.spans), marked, self.text, self.heading, self.kind, self.spans)

    def id_of(self, document_id: str) -> int:
        """The id under which these words of that provision are kept."""
        spans = " ".join(f"{start}-{end}" for start, end in self.spans)
        return stable_id("words", document_id, self.heading, self.kind, self.text, spans)


@dataclass(frozen=True, slots=True)
class Place:
    """Where one compilation has a provision, and in which words. words_id names them; wording the wording they are."""

    document_id: str
    schedule: str
    section: str
    day: date
    wording: str
    words_id: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Version:
    """A provision version as it should stand; `first_day` of its dates names the compilation it was first read from."""

    id: int
    document_id: str
    words_id: int
    path: tuple[str, ...]
    dated: DatedWording


@dataclass(frozen=True, slots=True)
class CompilationFacts:
    """What of a compilation bears on dating: its number in the Register, and the days that its publisher states.

    events: what its endnotes list, by address; None where it came without endnotes.
    """

    number: int | None = None
    stated: Stated | None = None
    events: Mapping[Address, tuple[Event, ...]] | None = None


@dataclass(frozen=True)
class Instrument:
    """All places of one instrument's provisions in all its compilations. compilations: what bears on dating, by day."""

    prefix: str
    compilations: Mapping[date, CompilationFacts]
    places: tuple[Place, ...]

    @cached_property
    def _days(self) -> list[date]:
        return sorted(self.compilations)

    @cached_property
    def by_provision(self) -> Mapping[str, list[Place]]:
        found: dict[str, list[Place]] = defaultdict(list)
        for place in self.places:
            found[place.document_id].append(place)
        return found

    @cached_property
    def _held(self) -> Mapping[date, frozenset[tuple[str, ...]]]:
        found: dict[date, set[tuple[str, ...]]] = {day: set() for day in self.compilations}
        for place in self.places:
            found[place.day].add(place_of(self.prefix, place.schedule, place.path))
        return {day: frozenset(held) for day, held in found.items()}

    def dated(self) -> Iterator[tuple[str, DatedWording, Mapping[date, Place]]]:
        """(document id, dated wording, its provision's places by day) of every version."""
        for document_id, places in self.by_provision.items():
            by_day = {place.day: place for place in places}
            for wording in date_wordings(self._sightings(by_day)):
                yield document_id, wording, by_day

    def _sightings(self, by_day: Mapping[date, Place]) -> Iterator[Sighting]:
        first = next(iter(by_day.values()))
        address = (first.schedule, first.section)
        places = {place_of(self.prefix, place.schedule, place.path) for place in by_day.values()}
        for day in self._days:
            facts, place = self.compilations[day], by_day.get(day)
            events = None if facts.events is None else facts.events.get(address, ())
            if place is not None:
                yield Sighting(
                    day,
                    place.wording,
                    is_omitted(place.wording),
                    facts.number,
                    events=events,
                    stated=facts.stated,
                )
            elif says_absent(places, self._held[day]):
                yield Sighting(day, None, number=facts.number, events=events, stated=facts.stated)


def versions_of(instrument: Instrument, words: Mapping[int, Words]) -> list[Version]:
    """Every version that `instrument` should have. words: by id, all that its places name.

    A placeholder stands for what a source does not carry: it is a version where no words are certain.
    """
    found = []
    for document_id, dated, by_day in instrument.dated():
        first = by_day[dated.first_day]
        same = {place.words_id for place in by_day.values() if place.wording == dated.wording}
        fullest = max(same, key=lambda words_id: words[words_id].rank)
        identity = stable_id("version", document_id, fullest, dated.occurrence, *first.path)
        found.append(Version(identity, document_id, fullest, first.path, dated))
    return found
