"""The days on which each wording of a provision was the law, from what compilations and their endnotes say of it.

Pure, and the order of loading does not matter: the same readings give the same dated wordings. Rules (design §5):

- A compilation makes its own day certain; a text whose publisher states its days is certain on those instead.
- One wording in two compilations makes the days between certain: from the Register where their numbers follow each
  other or their days meet, from the endnotes where they list no change in between, else inferred. What parts
  them: a repeal and an addition in between, changes on more than one day in between (it may have changed back), and an
  Act that may have commenced before its assent, while it is not proven that it did.
- Where the wording differs, it changed in between. The earlier is certain until the first day on which the endnotes
  let it change, the later from the last one. If a change of unknown day may lie there, neither is narrowed.
- Before the first text held, certainty reaches back to the last change that the endnotes date, or to the beginning of
  the provision, and no further. No wording is possible before the provision began or after it was repealed.
- The law is told as it is now understood (`date_windows.py`). A retrospective change takes days from a compilation only
  where its day is proven; where it is merely possible, the compilation keeps its day and nothing is known beyond it.
- A compilation that holds nothing of a provision says something only if it holds some other provision of the same
  Division; a placeholder for a lost table says nothing about words at all.

What endnotes tell of changes is put together in `date_changes.py`; the sentences are `date_basis.py`'s.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from research.corpus.ingest import date_basis
from research.corpus.ingest.date_changes import Changes, Turn, changes_of
from research.corpus.ingest.date_windows import ONE_DAY, Sighting, Window, windows_of
from research.corpus.ingest.history import BEGINNINGS, ENDS
from research.terms import Dating

__all__ = ["DatedWording", "Sighting", "date_wordings", "place_of", "says_absent"]

_LABEL = re.compile(r"^\s*([^—–:]+?)\s*(?:[—–:].*)?$")


@dataclass(frozen=True, slots=True)
class DatedWording:
    """One unbroken run of a wording. Ranges are half-open; None is no bound, or none that is known.

    occurrence counts the earlier runs of the same wording: 0 and 1 where a provision went from A to B and back to A.
    first_day is that of the earliest compilation with these words, last_day of the latest; where a retrospective Act
    displaced them, those days are not certain. basis_from and basis_to say how the bounds of what is certain are known.
    is_retrospective: the words commenced before they were law; basis_from then says when that was.
    """

    wording: str
    occurrence: int
    certain_from: date
    certain_to: date | None
    possible_from: date | None
    possible_to: date | None
    dating: Dating
    first_day: date
    last_day: date
    omitted: bool = False
    basis_from: str = ""
    basis_to: str = ""
    is_retrospective: bool = False

    def is_certain_within(self, first: date, last: date) -> bool:
        """Whether some day from `first` to `last`, both included, is certain."""
        return self.certain_from <= last and (self.certain_to is None or first < self.certain_to)


def date_wordings(sightings: Iterable[Sighting]) -> list[DatedWording]:
    """The dated wordings of one provision, in time order. Raises ValueError on two sightings of one day.

    A text that later ones displaced on all its days has no row: it is not the law of any day as now understood.
    """
    ordered = sorted(sightings, key=lambda sighting: sighting.day)
    if len({sighting.day for sighting in ordered}) != len(ordered):
        raise ValueError(f"two sightings on one day among {[s.day.isoformat() for s in ordered]}; give one a day")
    changes = _changes(ordered)
    known = [s for s in ordered if not s.omitted]
    dated = _numbered(_dated(_runs(windows_of(known, changes), changes), changes))
    placeholders = _placeholders([s for s in ordered if s.omitted], known, dated)
    return sorted([*dated, *placeholders], key=lambda wording: wording.certain_from)


def _changes(ordered: Sequence[Sighting]) -> Changes:
    listings = [(s.day, s.events) for s in ordered if s.events]
    if not listings:
        return Changes((), None)
    return Changes(changes_of(listings, [s.day for s in ordered], [s.number for s in ordered]), listings[-1][0])


def _runs(windows: Sequence[Window], changes: Changes) -> list[list[Window]]:
    runs: list[list[Window]] = []
    for window in windows:
        if runs and _goes_on(runs[-1][-1], window, changes):
            runs[-1].append(window)
        else:
            runs.append([window])
    return runs


def _goes_on(earlier: Window, later: Window, changes: Changes) -> bool:
    if earlier.sighting.wording != later.sighting.wording:
        return False
    if earlier.ends is None:
        return True
    if changes.part(earlier.ends, later.starts) or changes.are_several(earlier.ends, later.starts):
        return False
    return not later.is_doubtful(changes)


# -- bounds


@dataclass(frozen=True, slots=True)
class _Border:
    """From one run to the next, either None at the ends of what is known.

    until: up to where the earlier is certain; since: from where the later is; each None if nothing dates it.
    """

    earlier: Window | None
    later: Window | None
    until: Turn | None = None
    since: Turn | None = None


def _border(earlier: Window | None, later: Window | None, changes: Changes) -> _Border:
    if later is None or not changes.tell_of(later.sighting.day):
        return _Border(earlier, later)
    turns = changes.turns(earlier.ends if earlier else None, later.starts)
    if turns is None:
        return _Border(earlier, later)
    first, last = turns
    is_contradicted = later.sighting.wording is not None and last.change.event.effect in ENDS
    # What is added was not there: words from before it went at a time of which nothing is told.
    was_gone = first.change.event.effect in BEGINNINGS and not changes.may_end_on(first.day)
    return _Border(
        earlier,
        later,
        until=None if earlier is None or was_gone or earlier.is_doubtful(changes) else first,
        since=None if is_contradicted or later.is_doubtful(changes) else last,
    )


def _dated(runs: Sequence[list[Window]], changes: Changes) -> Iterator[DatedWording]:
    """The runs that have words; the occurrence is still to be counted."""
    ends = [None, *((run[0], run[-1]) for run in runs), None]
    borders = [_border(e[1] if e else None, f[0] if f else None, changes) for e, f in pairwise(ends)]
    for run, (before, after) in zip(runs, pairwise(borders), strict=True):
        if run[0].sighting.wording is not None:
            yield _dated_run(run, before, after, changes)


def _dated_run(run: Sequence[Window], before: _Border, after: _Border, changes: Changes) -> DatedWording:
    since, until = before.since, after.until or run[-1].cut
    certain_from = since.day if since else run[0].starts
    certain_to = until.day if until else run[-1].ends
    return DatedWording(
        wording=str(run[0].sighting.wording),
        occurrence=0,
        certain_from=certain_from,
        certain_to=certain_to,
        possible_from=_possible_from(run[0], before, certain_from, changes),
        possible_to=_possible_to(run[-1], after, certain_to, changes),
        dating=_dating(run, since, until, changes),
        first_day=min(window.sighting.day for window in run),
        last_day=max(window.sighting.day for window in run),
        basis_from=date_basis.start(run[0], since),
        basis_to=date_basis.end(run[-1], until),
        is_retrospective=since is not None and since.is_before_assent,
    )


def _possible_from(first: Window, before: _Border, certain_from: date, changes: Changes) -> date | None:
    if first.sighting.stated is not None and first.sighting.stated.is_exhaustive:
        return certain_from
    bounds = [before.earlier.ends if before.earlier else None, changes.begun_by(first.starts)]
    if before.until:
        bounds.append(before.until.day)
    latest = max((bound for bound in bounds if bound is not None), default=None)
    return None if latest is None else min(latest, certain_from)


def _possible_to(last: Window, after: _Border, certain_to: date | None, changes: Changes) -> date | None:
    if certain_to is None or (last.sighting.stated is not None and last.sighting.stated.is_exhaustive):
        return certain_to
    bounds = [last.cut.day if last.cut else None]
    if after.later and last.ends is not None:
        bounds += [after.later.starts, changes.ended_within(last.ends, after.later.starts)]
    if after.since:
        bounds.append(after.since.day)
    earliest = min((bound for bound in bounds if bound is not None), default=None)
    return None if earliest is None else max(earliest, certain_to)


# -- how it is known


def _dating(run: Sequence[Window], since: Turn | None, until: Turn | None, changes: Changes) -> Dating:
    """The weakest link tells: words taken to have stayed, then amendments, then the beginning, then the Register."""
    between = {_dating_between(earlier, later, changes) for earlier, later in pairwise(run)}
    if Dating.INFERRED in between:
        return Dating.INFERRED
    if until is not None or (since is not None and since.change.event.effect not in BEGINNINGS):
        return Dating.ENDNOTE
    if since is not None:
        return Dating.COMMENCEMENT
    if Dating.ENDNOTE in between:
        return Dating.ENDNOTE
    return Dating.REGISTER if between or run[0].sighting.stated is not None else Dating.UNKNOWN


def _dating_between(earlier: Window, later: Window, changes: Changes) -> Dating:
    one, other = earlier.sighting.number, later.sighting.number
    if earlier.ends is None or earlier.ends == later.starts or (one is not None and other == one + 1):
        return Dating.REGISTER
    if changes.tell_of(later.sighting.day) and changes.are_none(earlier.ends, later.starts):
        return Dating.ENDNOTE
    return Dating.INFERRED


def _numbered(dated: Iterable[DatedWording]) -> list[DatedWording]:
    seen: Counter[str] = Counter()
    found = []
    for wording in dated:
        found.append(replace(wording, occurrence=seen[wording.wording]) if seen[wording.wording] else wording)
        seen[wording.wording] += 1
    return found


# -- placeholders


def _placeholders(
    omitted: Sequence[Sighting], known: Sequence[Sighting], dated: Sequence[DatedWording]
) -> list[DatedWording]:
    """Placeholders where no words are certain, so that a look-up can say what is missing; one a gap."""
    found: list[DatedWording] = []
    for sighting in omitted:
        day, wording = sighting.day, str(sighting.wording)
        if any(w.is_certain_within(day, day) for w in dated):
            continue
        last = found[-1] if found else None
        starts, occurrence = day, sum(earlier.wording == wording for earlier in found)
        if last and last.wording == wording and not _is_parted(last.last_day, day, known, dated):
            starts, occurrence = last.first_day, last.occurrence
            found.pop()
        ends = day + ONE_DAY
        found.append(
            DatedWording(
                wording, occurrence, starts, ends, starts, ends, Dating.UNKNOWN, starts, day, omitted=True,
                basis_from=date_basis.of_compilation(starts), basis_to=date_basis.of_compilation(day),
            )
        )  # fmt: skip
    return found


def _is_parted(last: date, day: date, known: Sequence[Sighting], dated: Sequence[DatedWording]) -> bool:
    return any(last < s.day < day for s in known) or any(w.is_certain_within(last, day) for w in dated)


# -- absence


def place_of(document_prefix: str, schedule: str, path: Sequence[str]) -> tuple[str, ...]:
    """Where a provision stands: Act, Schedule, and the labels of its path down to the nearest Division.

    Without a Division the whole path counts; Guides and Subdivisions below a Division do not. Labels without their
    titles, because a Division may be renamed and stay the same Division.
    """
    labels = [_LABEL.sub(r"\1", step) for step in path]
    divisions = [at for at, label in enumerate(labels) if label.startswith("Division ")]
    depth = divisions[-1] + 1 if divisions else len(labels)
    return (document_prefix, schedule, *labels[:depth])


def says_absent(places: Iterable[tuple[str, ...]], held: frozenset[tuple[str, ...]]) -> bool:
    """Whether a compilation that holds something at each of `held` would have held a provision of `places`."""
    return any(place in held for place in places)
