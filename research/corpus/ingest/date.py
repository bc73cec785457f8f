"""The days on which each wording of a provision was the law, from what the compilations held say of it.

Pure, and the order of loading does not matter: the same readings give the same dated wordings. Rules (design §5):
a compilation makes its own day certain; one wording in two compilations with nothing else known between makes the
days between certain, from the Register where their numbers follow each other, else inferred; where the wording
differs, it changed on an unknown day in between, so those days are possible for both and certain for neither. A
compilation that holds nothing of a provision says something only if it holds some other provision of the same
Division; a placeholder for a lost table says nothing about words at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from research.terms import Dating

ONE_DAY = timedelta(days=1)

_LABEL = re.compile(r"^\s*([^—–:]+?)\s*(?:[—–:].*)?$")


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the compilation of `day` says of one provision.

    wording: its name, or None where the provision is absent although the compilation holds its Division.
    omitted: the wording is a placeholder, not words of law. number: the compilation's in the Register, if known.
    """

    day: date
    wording: str | None
    omitted: bool = False
    number: int | None = None


@dataclass(frozen=True, slots=True)
class DatedWording:
    """One unbroken run of a wording. Ranges are half-open; None is no bound.

    occurrence counts the earlier runs of the same wording: 0 and 1 where a provision went from A to B and back to A.
    first_day is the earliest compilation with these words, last_day the latest.
    """

    wording: str
    occurrence: int
    certain_from: date
    certain_to: date
    possible_from: date | None
    possible_to: date | None
    dating: Dating
    omitted: bool = False

    @property
    def first_day(self) -> date:
        return self.certain_from

    @property
    def last_day(self) -> date:
        return self.certain_to - ONE_DAY


def date_wordings(sightings: Iterable[Sighting]) -> list[DatedWording]:
    """The dated wordings of one provision, in time order. Raises ValueError on two sightings of one day."""
    ordered = sorted(sightings, key=lambda sighting: sighting.day)
    if len({sighting.day for sighting in ordered}) != len(ordered):
        raise ValueError(f"two sightings on one day among {[s.day.isoformat() for s in ordered]}; give one a day")
    known = _runs([s for s in ordered if not s.omitted])
    dated = _numbered([run for run in known if run[0].wording is not None], known)
    placeholders = _placeholders([s for s in ordered if s.omitted], known, dated)
    return sorted([*dated, *placeholders], key=lambda wording: wording.certain_from)


def _runs(sightings: Sequence[Sighting]) -> list[list[Sighting]]:
    runs: list[list[Sighting]] = []
    for sighting in sightings:
        if runs and runs[-1][0].wording == sighting.wording:
            runs[-1].append(sighting)
        else:
            runs.append([sighting])
    return runs


def _numbered(runs: Sequence[list[Sighting]], known: Sequence[list[Sighting]]) -> list[DatedWording]:
    dated: list[DatedWording] = []
    for run in runs:
        wording, first, last = str(run[0].wording), run[0].day, run[-1].day
        before = max((r[-1].day for r in known if r[-1].day < first), default=None)
        after = min((r[0].day for r in known if r[0].day > last), default=None)
        dated.append(
            DatedWording(
                wording=wording,
                occurrence=sum(earlier.wording == wording for earlier in dated),
                certain_from=first,
                certain_to=last + ONE_DAY,
                possible_from=None if before is None else before + ONE_DAY,
                possible_to=after,
                dating=Dating.REGISTER if all(map(_is_next, run, run[1:])) else Dating.INFERRED,
            )
        )
    return dated


def _is_next(earlier: Sighting, later: Sighting) -> bool:
    """Whether the Register has no compilation between the two."""
    return earlier.number is not None and later.number == earlier.number + 1


def _placeholders(
    omitted: Sequence[Sighting], known: Sequence[list[Sighting]], dated: Sequence[DatedWording]
) -> list[DatedWording]:
    """Placeholders where no words are certain, so that a look-up can say what is missing; one a gap."""
    alone = [s for s in omitted if not any(w.certain_from <= s.day < w.certain_to for w in dated)]
    found: list[DatedWording] = []
    for sighting in alone:
        day, wording = sighting.day, str(sighting.wording)
        last = found[-1] if found else None
        if last and last.wording == wording and not any(last.last_day < s.day < day for run in known for s in run):
            found[-1] = DatedWording(
                wording,
                last.occurrence,
                last.certain_from,
                day + ONE_DAY,
                last.certain_from,
                day + ONE_DAY,
                Dating.UNKNOWN,
                omitted=True,
            )
            continue
        occurrence = sum(earlier.wording == wording for earlier in found)
        found.append(
            DatedWording(wording, occurrence, day, day + ONE_DAY, day, day + ONE_DAY, Dating.UNKNOWN, omitted=True)
        )
    return found


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
