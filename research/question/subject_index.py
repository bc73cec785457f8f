"""The subject index, as at the back of a tax handbook: how people speak of a thing, and the provisions that govern it.

Pure: entries are handed in. An entry is read from a question by its words (all words of one of its phrases stand in
the question, near one another), by how much of the question all its phrases hold together, and, where vectors are
handed in, by meaning. What it points at is evidence for ranking, never an answer: the provision must still be in
force, be found and be quoted.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from research.law.content_words import content_stems, stems_in_order
from research.law.income_year import IncomeYear
from research.terms import Pin, SubjectEvidence, SubjectMatch, SubjectReading

SPARE_WORDS = 4  # between the words of one phrase in the question
PLACE_FACTORS = (1.0, 0.9, 0.8, 0.7, 0.6)  # an entry names the governing provision first
LIMIT_FACTOR = 0.6  # of what limits or denies
K1, B = 1.2, 0.3
MOST_MATCHES = 40


@dataclass(frozen=True, slots=True)
class Entry:
    """One subject. provisions: the governing one first; limits: what denies or limits it.

    first_year and last_year: the income years it holds for, both included; last_year None where it still holds.
    """

    term: str
    provisions: tuple[Pin, ...]
    phrases: tuple[str, ...]
    first_year: int
    last_year: int | None = None
    limits: tuple[Pin, ...] = ()
    topic: str = ""

    def holds_in(self, year: IncomeYear) -> bool:
        return self.first_year <= year.year and (self.last_year is None or year.year <= self.last_year)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase as it is looked for. entry: its place among the entries."""

    entry: int
    text: str
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines of a question: with the nearest phrases of the index, by place, and with the middle of every entry.

    phrases: best first; a few hundred are enough for the entries that count.
    """

    phrases: Mapping[int, float]
    entries: Sequence[float]


@dataclass(frozen=True, slots=True)
class SubjectIndex:
    """Entries made ready to be read. Two indexes of the same entries are equal."""

    entries: tuple[Entry, ...]
    _phrases: tuple[_Phrase, ...] = field(compare=False, repr=False)
    _by_rarest: Mapping[str, tuple[int, ...]] = field(compare=False, repr=False)  # phrases, by their rarest stem
    _gains: Mapping[str, tuple[tuple[int, float], ...]] = field(compare=False, repr=False)  # by stem: entry, its BM25

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> SubjectIndex:
        phrases = [
            _Phrase(place, phrase, content_stems(phrase))
            for place, entry in enumerate(entries)
            for phrase in (*entry.phrases, entry.term)
        ]
        counts: list[dict[str, int]] = [{} for _ in entries]
        for phrase in phrases:
            for stem in phrase.stems:
                counts[phrase.entry][stem] = counts[phrase.entry].get(stem, 0) + 1
        lengths = [sum(held.values()) for held in counts]
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        entries_with: dict[str, list[int]] = {}
        for place, held in enumerate(counts):
            for stem in held:
                entries_with.setdefault(stem, []).append(place)
        gains = {}
        for stem, places in entries_with.items():
            rarity = _rarity(len(entries), len(places))
            gains[stem] = tuple((place, _gain(rarity, counts[place][stem], lengths[place] / mean)) for place in places)
        by_rarest: dict[str, list[int]] = {}
        for at, phrase in enumerate(phrases):
            if phrase.stems:
                rarest = min(phrase.stems, key=lambda stem: (len(entries_with[stem]), stem))
                by_rarest.setdefault(rarest, []).append(at)
        return cls(tuple(entries), tuple(phrases), {stem: tuple(found) for stem, found in by_rarest.items()}, gains)

    @property
    def phrases(self) -> tuple[str, ...]:
        """Every phrase and term, in order: what an embedder is given, one vector each."""
        return tuple(phrase.text for phrase in self._phrases)

    @property
    def entry_of_phrase(self) -> tuple[int, ...]:
        """The place of each phrase's entry, in the order of `phrases`."""
        return tuple(phrase.entry for phrase in self._phrases)

    def read(self, question: str, year: IncomeYear, nearness: Nearness | None = None) -> SubjectReading:
        """What the index makes of `question` in `year`. nearness: None where there are no vectors."""
        asked = stems_in_order(question)
        whole = sum(self._rarity(stem) for stem in sorted(set(asked)))
        by_words = self._by_words(asked, year)
        together = self._together(frozenset(asked), year)
        by_meaning = self._by_meaning(nearness, year) if nearness is not None else {}
        middles = nearness.entries if nearness is not None else ()
        gathered = _Gathered(self.entries)
        for place, (weight, _) in by_words.items():
            gathered.add(place, words=weight / whole if whole else 0.0)
        for place, score in together.items():
            gathered.add(place, together=score)
        for place, (near, _) in by_meaning.items():
            gathered.add(place, meaning=near)
        read = {
            place: together.get(place, 0.0) + by_meaning.get(place, (0.0, ""))[0] for place in {*together, *by_meaning}
        }
        for rank, place in enumerate(sorted(read, key=lambda place: (-read[place], place)), 1):
            gathered.vote(place, 1.0 / rank)
            if middles:
                gathered.add(place, middle=middles[place])
        return SubjectReading(gathered.evidence(), self._matches(by_words, by_meaning))

    def _rarity(self, stem: str) -> float:
        """Inverse document frequency among the entries; a word that none holds weighs like one in a single entry."""
        return _rarity(len(self.entries), len(self._gains.get(stem, ())) or 1)

    def _by_words(self, asked: Sequence[str], year: IncomeYear) -> dict[int, tuple[float, str]]:
        """By entry, the weight of its best phrase of which the question holds all words close together, and it."""
        held = frozenset(asked)
        best: dict[int, tuple[float, str]] = {}
        for at in sorted(at for stem in held for at in self._by_rarest.get(stem, ())):
            phrase = self._phrases[at]
            if not phrase.stems <= held or not self.entries[phrase.entry].holds_in(year):
                continue
            if not _stand_close(asked, phrase.stems):
                continue
            found = (sum(self._rarity(stem) for stem in sorted(phrase.stems)), phrase.text)
            best[phrase.entry] = max(best.get(phrase.entry, (0.0, "")), found)
        return best

    def _together(self, asked: frozenset[str], year: IncomeYear) -> dict[int, float]:
        """By entry, BM25 of the question over all its phrases, as a share of the best entry's."""
        scores: dict[int, float] = {}
        for stem in sorted(asked):
            for place, gain in self._gains.get(stem, ()):
                scores[place] = scores.get(place, 0.0) + gain
        in_order = sorted([(-score, place) for place, score in scores.items()])
        held = (pair for pair in in_order if self.entries[pair[1]].holds_in(year))
        best = list(itertools.islice(held, MOST_MATCHES))
        return {place: score / best[0][0] for score, place in best}

    def _by_meaning(self, nearness: Nearness, year: IncomeYear) -> dict[int, tuple[float, str]]:
        """By entry, the nearest of its phrases, for the nearest entries."""
        if len(nearness.entries) != len(self.entries):
            raise ValueError(
                f"{len(nearness.entries)} cosines were given for {len(self.entries)} entries; give one each"
            )
        best: dict[int, tuple[float, str]] = {}
        for at, near in nearness.phrases.items():
            phrase = self._phrases[at]
            if phrase.entry not in best and self.entries[phrase.entry].holds_in(year):
                best[phrase.entry] = (near, phrase.text)
                if len(best) == MOST_MATCHES:
                    break
        return best

    def _matches(
        self, by_words: Mapping[int, tuple[float, str]], by_meaning: Mapping[int, tuple[float, str]]
    ) -> tuple[SubjectMatch, ...]:
        """What may be shown to the reader: entries read by words first, heaviest first, then by meaning."""
        worded = sorted(by_words.items(), key=lambda pair: (-pair[1][0], pair[0]))
        meant = sorted(by_meaning.items(), key=lambda pair: (-pair[1][0], pair[0]))
        found = [self._match(place, phrase, True) for place, (_, phrase) in worded]
        found += [self._match(place, phrase, False) for place, (_, phrase) in meant if place not in by_words]
        return tuple(found[:MOST_MATCHES])

    def _match(self, place: int, phrase: str, is_by_words: bool) -> SubjectMatch:
        entry = self.entries[place]
        return SubjectMatch(phrase, entry.term, entry.provisions, entry.limits, is_by_words)


class _Gathered:
    """The strongest evidence for each provision, and the sum of its votes."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._found: dict[Pin, dict[str, float]] = {}

    def add(self, place: int, **strengths: float) -> None:
        for pin, factor in self._named_by(place):
            held = self._found.setdefault(pin, {})
            for name, strength in strengths.items():
                held[name] = max(held.get(name, 0.0), strength * factor)

    def vote(self, place: int, share: float) -> None:
        for pin, factor in self._named_by(place):
            held = self._found.setdefault(pin, {})
            held["votes"] = held.get("votes", 0.0) + share * factor

    def evidence(self) -> dict[Pin, SubjectEvidence]:
        return {pin: SubjectEvidence(**strengths) for pin, strengths in sorted(self._found.items())}

    def _named_by(self, place: int) -> Iterator[tuple[Pin, float]]:
        entry = self._entries[place]
        yield from zip(entry.provisions, PLACE_FACTORS, strict=False)
        yield from ((pin, LIMIT_FACTOR) for pin in entry.limits)


def _rarity(entries: int, holding: int) -> float:
    return math.log(1 + (entries - holding + 0.5) / (holding + 0.5))


def _gain(rarity: float, times: int, length: float) -> float:
    """What a stem that stands `times` in an entry adds to its BM25. length: of the entry, in mean lengths."""
    return rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * length))


def _stand_close(asked: Sequence[str], stems: frozenset[str]) -> bool:
    """Whether some run of the question's content words, little longer than the phrase, holds all its words."""
    if not stems:
        return False
    longest = len(stems) + SPARE_WORDS
    return any(stems <= frozenset(asked[at : at + longest]) for at in range(max(1, len(asked) - len(stems) + 1)))
