"""What one row of Endnote 4 says was done, as events: its cites joined with the commencements of Endnote 3.

Pure. What cannot be resolved keeps its words, and what has not commenced by the compilation's day is not applied.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

from research.corpus.ingest.endnotes.acts import Act, Acts
from research.corpus.ingest.endnotes.cites import Cite
from research.corpus.ingest.endnotes.effects import Done
from research.corpus.ingest.history import MAY_BE_PENDING, Effect, Event

_WHOLE = frozenset(
    {Effect.ADDED, Effect.REPEALED, Effect.SUBSTITUTED, Effect.EXPIRED, Effect.RENUMBERED, Effect.RELOCATED}
)


@dataclass(frozen=True, slots=True)
class Listed:
    """An event with what orders it among those of a provision: (year, number), None where it has none."""

    event: Event
    order: tuple[int, int] | None


@dataclass(frozen=True)
class Joiner:
    """acts: of Endnote 3. dated: the compilation's day. not_commenced: (number, year) of Acts named so on its cover."""

    acts: Acts
    dated: date
    not_commenced: Collection[tuple[int, int]] = ()

    def listed(self, done: list[Done], is_pending: bool) -> list[Listed]:
        """The events of one row, in its order; is_pending: something in it is underlined."""
        found = [self._listed(one) for one in done]
        if not is_pending:
            return found
        if len(found) == 1:
            return [replace(found[0], event=_not_commenced(found[0].event))]
        # Which of several is underlined is not known. If some have not commenced by Endnote 3, it is those.
        if any(not one.event.is_applied for one in found):
            return found
        return [_doubted(one) for one in found]

    def _listed(self, done: Done) -> Listed:
        if done.cite is None:
            words = f"made in {done.words}" if done.effect is Effect.EDITORIAL else f"no law is cited: {done.words}"
            return Listed(Event(done.effect, done.words, unresolved=words, is_applied=done.is_applied), None)
        order = (done.cite.year, done.cite.number) if done.cite.year else None
        act = self.acts.named(done.cite)
        if isinstance(act, str):
            event = Event(done.effect, str(done.cite), unresolved=act, is_applied=done.is_applied)
        else:
            event = self._event(done, done.cite, act)
        if event.is_applied and self._is_named_on_cover(done.cite):
            event = _not_commenced(event)
        return Listed(event, order)

    def _event(self, done: Done, cite: Cite, act: Act) -> Event:
        days, unresolved = act.commenced_by(self.dated), act.unresolved
        has_commenced = bool(days or unresolved)
        if not act.rules:
            unresolved, has_commenced = "no commencement in Endnote 3", True
        return Event(done.effect, str(cite), days, unresolved, act.assent, done.is_applied and has_commenced)

    def _is_named_on_cover(self, cite: Cite) -> bool:
        return not cite.series and (cite.number, cite.year) in self.not_commenced


def _not_commenced(event: Event) -> Event:
    """Of what is underlined, or of an Act that the cover names: not applied, unless some of the Act has commenced.

    Then this may be of that: a row is underlined for what is pending of it, and other items may have amended already.
    """
    if not event.is_applied:
        return event
    if event.days or event.unresolved:
        return replace(event, unresolved=MAY_BE_PENDING)
    return replace(event, is_applied=False)


def _doubted(listed: Listed) -> Listed:
    return replace(listed, event=replace(listed.event, unresolved=MAY_BE_PENDING))


IN_DOUBT = "it is not told which of several provisions is meant"
NO_EFFECT_READ = "what was done is not told"


def in_doubt(listed: Listed) -> Listed:
    """The same where it may have been done to another provision: an amendment on a day that nobody knows."""
    unresolved = MAY_BE_PENDING if listed.event.unresolved == MAY_BE_PENDING else IN_DOUBT
    return replace(listed, event=replace(listed.event, effect=Effect.AMENDED, days=(), unresolved=unresolved))


def of_unread(words: str) -> Listed:
    """What stands of a provision before any code: something was done to it, on a day that nobody knows."""
    return Listed(Event(Effect.AMENDED, words, unresolved=NO_EFFECT_READ), None)


def of_a_part(listed: Listed) -> Listed:
    """The same done to a part of a provision: a paragraph that is added or repealed amends its section."""
    if listed.event.effect not in _WHOLE:
        return listed
    return replace(listed, event=replace(listed.event, effect=Effect.AMENDED))
