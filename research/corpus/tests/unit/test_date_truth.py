"""Dating against a truth that is known: an invented provision, its amendments, and what compilations show of them.

Each amendment changes the words, and the words tell which amendments are in them, so that every claim about a day can
be checked. Compilations show the law as it was known on their day; endnotes may be unread, ambiguous or without a day.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from research.corpus.ingest.date import DatedWording, Sighting, date_wordings
from research.corpus.ingest.history import Effect, Event
from research.terms import Dating

ORIGIN, LAST = date(2000, 1, 1), 60
DAY = timedelta(days=1)


def on(day: int) -> date:
    return ORIGIN + day * DAY


@dataclass(frozen=True)
class Amendment:
    """What one Act did to the provision: its true days, when it was assented to, and what endnotes say of it."""

    number: int
    effect: Effect
    days: tuple[int, ...]
    assent: int
    decoys: tuple[int, ...] = ()
    is_unresolved: bool = False

    @property
    def is_retrospective(self) -> bool:
        return min(self.days) < self.assent

    def listed(self) -> Event:
        days = () if self.is_unresolved else tuple(on(day) for day in sorted({*self.days, *self.decoys}))
        words = "immediately after the commencement of another Act" if self.is_unresolved else ""
        return Event(self.effect, f"No {self.number}, 2000", days, words, on(self.assent))


@dataclass(frozen=True)
class Provision:
    """amendments: in any order. seen: days of compilations, and whether their endnotes were read."""

    amendments: tuple[Amendment, ...]
    seen: tuple[tuple[int, bool], ...]

    def words(self, day: int, known_on: int) -> str | None:
        """The words of `day` as the law was understood on `known_on`; None where there is no such provision."""
        acts = sorted((d, a.number, a.effect) for a in self.amendments if a.assent <= known_on for d in a.days)
        words: str | None = None
        for d, number, effect in acts:
            if d > day:
                break
            if effect is Effect.REPEALED:
                words = None
            else:
                words = f"{'' if effect in (Effect.ADDED, Effect.BEGAN) else words or ''}{number}@{d} "
        return words

    def sightings(self) -> list[Sighting]:
        return [
            Sighting(on(d), self.words(d, d), events=self.endnotes(d) if is_read else None) for d, is_read in self.seen
        ]

    def endnotes(self, day: int) -> tuple[Event, ...]:
        return tuple(a.listed() for a in self.amendments if a.assent <= day and min(a.days) <= day)

    @property
    def last(self) -> int:
        return max(day for day, _ in self.seen)


@st.composite
def provisions(draw: st.DrawFn, retrospective: bool = False, noise: bool = True, lives: bool = True) -> Provision:
    moments = st.lists(st.integers(0, LAST), min_size=1, max_size=9, unique=True)
    days = sorted(draw(moments))
    amendments = [Amendment(1, draw(st.sampled_from([Effect.BEGAN, Effect.ADDED])), (days[0],), days[0])]
    present, rest = True, days[1:]
    while rest:
        day, rest = rest[0], rest[1:]
        effect = Effect.ADDED
        if present:
            effect = draw(st.sampled_from([Effect.AMENDED, Effect.SUBSTITUTED, *([Effect.REPEALED] if lives else [])]))
        acts: tuple[int, ...] = (day,)
        if effect is Effect.AMENDED and rest and draw(st.booleans()):
            acts, rest = (day, rest[0]), rest[1:]
        is_late = retrospective and effect is Effect.AMENDED and len(acts) == 1 and draw(st.booleans())
        amendment = Amendment(len(amendments) + 1, effect, acts, day + draw(st.integers(1, 30)) if is_late else day)
        if not is_late:
            amendment = replace(amendment, assent=day - draw(st.integers(0, 9)))
        if noise and not is_late and len(acts) == 1:
            decoys = tuple(draw(st.lists(st.integers(0, LAST), max_size=2)))
            amendment = replace(amendment, decoys=decoys, is_unresolved=draw(st.integers(0, 5)) == 0)
        amendments.append(amendment)
        present = effect is not Effect.REPEALED
    seen = draw(st.lists(st.integers(0, LAST), min_size=1, max_size=6, unique=True))
    return Provision(tuple(amendments), tuple((day, not noise or draw(st.booleans())) for day in sorted(seen)))


def claims(found: list[DatedWording], last: int) -> Iterator[tuple[str, int]]:
    """(words, day) for every day that is certain, up to `last`."""
    for wording in found:
        starts = (wording.certain_from - ORIGIN).days
        ends = last + 1 if wording.certain_to is None else (wording.certain_to - ORIGIN).days
        yield from ((wording.wording, day) for day in range(starts, ends))


def check_what_is_certain(provision: Provision) -> None:
    for words, day in claims(date_wordings(provision.sightings()), provision.last):
        assert provision.words(day, provision.last) == words, (words, day)


def check_what_is_possible(provision: Provision) -> None:
    found = date_wordings(provision.sightings())
    for day in range(provision.last + 1):
        words = provision.words(day, provision.last)
        rows = [w for w in found if w.wording == words]
        if rows:
            assert any(
                (w.possible_from is None or w.possible_from <= on(day))
                and (w.possible_to is None or on(day) < w.possible_to)
                for w in rows
            ), (words, day)


@given(provisions())
@settings(max_examples=150, deadline=None)
def test_what_is_certain_is_true_and_what_is_true_is_possible(provision: Provision) -> None:
    check_what_is_certain(provision)
    check_what_is_possible(provision)


@given(provisions(retrospective=True, lives=False))
@settings(max_examples=150, deadline=None)
def test_it_is_so_as_the_law_is_now_understood(provision: Provision) -> None:
    provision = replace(provision, seen=(*provision.seen[:-1], (provision.last, True)))
    check_what_is_certain(provision)
    check_what_is_possible(provision)


@given(provisions(noise=False))
@settings(max_examples=100, deadline=None)
def test_endnotes_that_date_every_change_leave_no_day_open_for_words_that_were_seen(provision: Provision) -> None:
    found = date_wordings(provision.sightings())
    told = set(claims(found, provision.last))
    seen = {wording.wording for wording in found}
    true = {
        (words, day) for day in range(provision.last + 1) if (words := provision.words(day, provision.last)) in seen
    }
    assert told == true
    assert all(w.dating in (Dating.ENDNOTE, Dating.COMMENCEMENT) for w in found if len(w.wording.split()) == 1)


@given(provisions())
@settings(max_examples=100, deadline=None)
def test_knowing_more_of_changes_never_makes_fewer_days_certain(provision: Provision) -> None:
    # That an Act may have reached back before its assent takes days away; what it leaves is true all the same.
    provision = replace(
        provision,
        amendments=tuple(replace(a, decoys=tuple(d for d in a.decoys if d >= a.assent)) for a in provision.amendments),
    )
    exact = replace(
        provision, amendments=tuple(replace(a, decoys=(), is_unresolved=False) for a in provision.amendments)
    )
    unread = replace(provision, seen=tuple((day, False) for day, _ in provision.seen))
    read = set(claims(date_wordings(provision.sightings()), LAST))
    assert set(claims(date_wordings(unread.sightings()), LAST)) <= read
    assert read <= set(claims(date_wordings(exact.sightings()), LAST))
