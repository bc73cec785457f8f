"""The versions of an instrument's provisions, from everything that its compilations say of them.

Pure: readings and texts in, versions out, the same whatever the order of loading. What to do about versions that
are new, changed or gone is `store.py`'s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from research.corpus.ingest.date import DatedWording, Sighting, date_wordings, place_of, says_absent
from research.corpus.ingest.words import fullness, is_omitted
from research.law.identity import stable_id


@dataclass(frozen=True, slots=True)
class Place:
    """Where one compilation has a provision, and in which wording."""

    document_id: str
    schedule: str
    day: date
    wording: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """One reading's words of a wording. Of several, the fullest is shown: a conversion loses, it does not add.

    Of readings with the same words, that which marks the longest terms: a compilation in which a term of two words is
    not defined marks only the first of them.
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


@dataclass(frozen=True, slots=True)
class Version:
    """A provision version as it should stand; `first_day` names the compilation it was first read from."""

    id: int
    document_id: str
    words: Words
    path: tuple[str, ...]
    dated: DatedWording


@dataclass(frozen=True)
class Instrument:
    """All places of one instrument's provisions in all its compilations.

    days: of its compilations, in order. numbers: theirs in the Register, by day, as far as they are known.
    """

    prefix: str
    days: tuple[date, ...]
    places: tuple[Place, ...]
    numbers: Mapping[date, int] = field(default_factory=dict)

    @cached_property
    def _by_provision(self) -> Mapping[str, list[Place]]:
        found: dict[str, list[Place]] = defaultdict(list)
        for place in self.places:
            found[place.document_id].append(place)
        return found

    @cached_property
    def _held(self) -> Mapping[date, frozenset[tuple[str, ...]]]:
        found: dict[date, set[tuple[str, ...]]] = {day: set() for day in self.days}
        for place in self.places:
            found[place.day].add(place_of(self.prefix, place.schedule, place.path))
        return {day: frozenset(held) for day, held in found.items()}

    def dated(self) -> Iterator[tuple[str, DatedWording, Place]]:
        """(document id, dated wording, where it was first read) of every version."""
        for document_id, places in self._by_provision.items():
            by_day = {place.day: place for place in places}
            for wording in date_wordings(self._sightings(by_day)):
                yield document_id, wording, by_day[wording.first_day]

    def _sightings(self, by_day: Mapping[date, Place]) -> Iterator[Sighting]:
        places = {place_of(self.prefix, place.schedule, place.path) for place in by_day.values()}
        for day in self.days:
            place = by_day.get(day)
            if place is not None:
                yield Sighting(day, place.wording, is_omitted(place.wording), self.numbers.get(day))
            elif says_absent(places, self._held[day]):
                yield Sighting(day, None)


def versions_of(instrument: Instrument, words: Mapping[tuple[str, str], Words]) -> list[Version]:
    """Every version that `instrument` should have.

    words: by document id and wording. A placeholder whose text is not known is left out; real words always are.
    """
    found = []
    for document_id, dated, first in instrument.dated():
        its = words.get((document_id, dated.wording))
        if its is None:
            if dated.omitted:
                continue
            raise LookupError(f"no text is held of {document_id} as read on {first.day}; import that file again")
        identity = stable_id("version", document_id, dated.wording, dated.occurrence)
        found.append(Version(identity, document_id, its, first.path, dated))
    return found


def fullest(candidates: Iterable[tuple[tuple[str, str], Words]]) -> dict[tuple[str, str], Words]:
    """For each document id and wording the fullest words among the candidates."""
    found: dict[tuple[str, str], Words] = {}
    for key, words in candidates:
        if key not in found or found[key].rank < words.rank:
            found[key] = words
    return found
