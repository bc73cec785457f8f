"""The history of every provision of one compilation, read out of its endnotes.

Pure. Endnote 3 says when Acts commenced (`acts.py`), Endnote 4 what they did to which provision (`labels.py`,
`places.py`, `effects.py`, `events.py`). A provision that no row names was in the Act as made and never amended. What
these histories say of the days of a wording is for `date.py`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from research.corpus.ingest.endnotes.acts import Act, Acts, read_acts
from research.corpus.ingest.endnotes.beginnings import Beginnings
from research.corpus.ingest.endnotes.effects import read_effects, tells_earlier_number
from research.corpus.ingest.endnotes.events import IN_DOUBT, Joiner, Listed, in_doubt, of_a_part, of_unread
from research.corpus.ingest.endnotes.labels import Kind, Label, read_label
from research.corpus.ingest.endnotes.places import Places, Scope
from research.corpus.ingest.endnotes.tables import legislation_and_amendments
from research.corpus.ingest.endnotes.words import folded, without_leader
from research.corpus.ingest.history import ENDS, Address, ApplicationNote, Effect, Event, History
from research.corpus.ingest.published import Cell, EndnoteTable, Published

_LIVES = frozenset({Effect.ADDED, *ENDS})
_SAYS_NOTHING = re.compile(r"\W*(?:(?:see|notes?)\b.*)?", re.IGNORECASE)
_MOVES = frozenset({Effect.RENUMBERED, Effect.RELOCATED})


@dataclass(frozen=True, slots=True)
class _Row:
    """One row of Endnote 4: its label (that of a row above if its own cell is empty) and its effects' cell."""

    label: Label
    effects: str
    is_pending: bool
    is_continued: bool


def read_history(published: Published) -> History:
    """All that the endnotes of `published` say; no events at all if it has no endnotes.

    Raises ValueError where an endnote is announced and its table is not there: that is a loss in reading, and must not
    pass for an Act that was never amended.
    """
    legislation, amendments = legislation_and_amendments(published.endnotes)
    if not legislation and not amendments:
        return History({})
    acts = read_acts(legislation)
    places = Places(published.provisions)
    joiner = Joiner(Acts(acts), published.dated, frozenset(published.not_commenced))
    rows = list(_rows(amendments))
    for row, scope in _scoped(rows, places):
        places.mention(row.label, scope)
    table = _Table(places, joiner)
    for row, scope in _scoped(rows, places):
        table.add(row, scope)
    beginnings = Beginnings(acts, (published.act_number, published.act_year), places, published.dated)
    return History(
        {address: table.events(address, beginnings) for address in table.addresses()},
        tuple(_applications(acts)),
        tuple(table.unread),
    )


def _rows(tables: Iterable[EndnoteTable]) -> Iterator[_Row]:
    label: Label | None = None
    for table in tables:
        for cells in table.rows:
            left, right = (*cells, Cell(""), Cell(""))[:2]
            name = without_leader(folded(left.text))
            if name:
                label = read_label(left.text)
            if label is not None:
                yield _Row(label, folded(right.text), right.is_pending or left.is_pending, not name)


def _scoped(rows: Iterable[_Row], places: Places) -> Iterator[tuple[_Row, Scope]]:
    """Each row with where it stands; a heading's own row stands in what encloses it."""
    scope = Scope()
    for row in rows:
        yield row, scope
        label = row.label
        is_heading = label.kind is Kind.HEADING and (label.schedule is not None or label.containers)
        if (label.kind in (Kind.SCHEDULE, Kind.CONTAINER) or is_heading) and not row.is_continued:
            scope = Scope(scope.schedule, scope.containers)
            scope.enter(row.label, places.schedule_of(row.label, scope))


def _applications(acts: Iterable[Act]) -> Iterator[ApplicationNote]:
    for act in acts:
        if act.refers_to:
            yield ApplicationNote(str(act.cites[0]) if act.cites else act.name, act.refers_to)


class _Table:
    """Endnote 4 as it is read, row by row: what it says of each address."""

    def __init__(self, places: Places, joiner: Joiner) -> None:
        self._places, self._joiner = places, joiner
        self._own: dict[Address, list[Listed]] = defaultdict(list)
        self._under: dict[Address, list[Listed]] = defaultdict(list)  # from rows of what holds it
        self._was_renumbered: set[Address] = set()
        self._carried: Effect | None = None
        self.unread: list[str] = []

    def add(self, row: _Row, scope: Scope) -> None:
        if not row.effects:
            self._carried = None
            return
        done, unread = read_effects(row.effects, self._carried if row.is_continued else None)
        self._carried = done[-1].effect if done else None
        named = self._places.named_by(row.label, scope)
        if unread or not named.addresses or named.is_doubtful:
            self.unread.append(f"{row.label.name}: {row.effects}".replace("\n", " "))
        if not named.addresses:
            named = self._places.perhaps_named_by(row.label, scope, is_gone=bool(done) and done[-1].effect in ENDS)
        listed = self._joiner.listed(done, row.is_pending) + [
            of_unread(words) for words in unread if not _SAYS_NOTHING.fullmatch(words)
        ]
        for address, is_part in named.addresses:
            into = self._under if named.is_container else self._own
            told = [in_doubt(one) for one in listed] if named.is_doubtful else listed
            into[address] += [of_a_part(one) for one in told] if is_part else told
            if row.label.tells_earlier_number or tells_earlier_number(row.effects):
                self._was_renumbered.add(address)

    def addresses(self) -> Iterator[Address]:
        """Those of the text, in its order, then those that only the endnotes name."""
        seen = dict.fromkeys([*self._places.addresses(), *self._own, *self._under])
        return iter(seen)

    def events(self, address: Address, beginnings: Beginnings) -> tuple[Event, ...]:
        listed = _merged(self._own.get(address, []), self._under.get(address, []))
        events = tuple(one.event for one in listed)
        sure = [event for event in events if event.unresolved != IN_DOUBT]
        if sure and sure[0].effect is Effect.ADDED:
            return events
        if address in self._was_renumbered and not any(event.effect in _MOVES for event in events):
            events = (Event(Effect.RENUMBERED, "an Act that is not told", unresolved="its day is not told"), *events)
        if address not in self._was_renumbered and any(event.effect in _MOVES for event in events):
            return events  # it came from another number, and that one's history is not told here
        return (beginnings.of(address), *events)


def _merged(own: Sequence[Listed], under: Sequence[Listed]) -> list[Listed]:
    """The events of a provision with those of what holds it, each once.

    A provision that was added by itself had none of the lives that its Division had before; those that its Division
    had since were its own as well.
    """
    added = [one.order for one in own if one.event.effect is Effect.ADDED]
    seen = {(one.event.effect, one.event.act) for one in own}
    more = [
        one
        for one in under
        if (one.event.effect, one.event.act) not in seen and not (one.event.effect in _LIVES and _is_before(one, added))
    ]
    both = [*more, *own]
    if more and all(one.order is not None for one in both):
        both.sort(key=lambda one: one.order or (0, 0))
    return both


def _is_before(listed: Listed, added: Sequence[tuple[int, int] | None]) -> bool:
    """Whether it was done by an Act no later than the first that added the provision by itself."""
    orders = [order for order in added if order is not None]
    return listed.order is not None and bool(orders) and listed.order <= min(orders)
