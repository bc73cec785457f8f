"""Which provisions of a given text a label of Endnote 4 names.

Pure. A label is read where it stands: the bare headings above it say which Schedule, Part and Division it is in, so
that s 18 of Schedule 2 is not s 18 of the body. Ranges are spread over sections that are known, never over numbers
alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from research.corpus.ingest.endnotes.labels import Item, Kind, Label, level_of
from research.corpus.ingest.endnotes.words import folded
from research.corpus.ingest.history import Address
from research.corpus.ingest.published import PublishedProvision

_STEP = re.compile(r"^\s*([^—–:]+?)\s*(?:[—–:].*)?$", re.DOTALL)
_PLAIN_PAIR = re.compile(r"(\d+[A-Z]*)-(\d+[A-Z]*)")


@dataclass(slots=True)
class Scope:
    """Where in the table a row stands. schedule: None under a Schedule that cannot be told."""

    schedule: str | None = ""
    containers: tuple[str, ...] = ()  # from the outermost

    def enter(self, label: Label, schedule: str | None) -> None:
        """Take in a heading: what it holds ends what stood at its level and below."""
        if label.kind is Kind.SCHEDULE:
            self.schedule, self.containers = schedule, ()
            return
        self.schedule = schedule
        for container in reversed(label.containers):
            level = level_of(container)
            self.containers = (*(c for c in self.containers if level_of(c) < level), container)


@dataclass(frozen=True, slots=True)
class Named:
    """What a label names. is_part: only some of each. is_container: all that stands under a heading.

    is_doubtful: all that stands under several headings of that name, of which one is meant.
    """

    addresses: tuple[tuple[Address, bool], ...] = ()
    is_container: bool = False
    is_doubtful: bool = False

    @classmethod
    def whole(cls, addresses: Iterable[Address], is_container: bool = False, is_doubtful: bool = False) -> Named:
        return cls(tuple((address, False) for address in addresses), is_container, is_doubtful)


@dataclass
class Places:
    """The provisions of a text, in its order, and the sections that its endnotes name besides (repealed ones)."""

    provisions: Sequence[PublishedProvision]
    mentioned: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        self._sections: dict[str, list[str]] = defaultdict(list)
        self._names: dict[str, Address] = {}
        self._under: dict[tuple[str, str], list[tuple[tuple[str, ...], Address]]] = defaultdict(list)
        self._order: dict[Address, int] = {}
        self._guides: set[Address] = set()
        for provision in self.provisions:
            address = (provision.schedule, provision.section)
            if address not in self._order:
                self._order[address] = len(self._order)
                self._sections[provision.schedule].append(folded(provision.section))
            for name in (provision.section, provision.heading):
                self._names.setdefault(folded(name).casefold(), address)
            if provision.kind == "guide":
                self._guides.add(address)
            path = tuple(_STEP.sub(r"\1", folded(step)).casefold() for step in provision.path)
            for at, step in enumerate(path):
                self._under[provision.schedule, step].append((path[: at + 1], address))
        self._as_published = {(s, folded(n)): (s, n) for s, n in self._order}
        self._has_pairs = {s: any("-" in section for section in found) for s, found in self._sections.items()}

    def addresses(self) -> Iterator[Address]:
        return iter(self._order)

    def hold(self, address: Address) -> bool:
        return address in self._order

    def schedule_of(self, label: Label, scope: Scope) -> str | None:
        """The Schedule that a label is in; None if that cannot be told ("The Schedule", of several)."""
        if label.schedule is None:
            return scope.schedule
        if label.schedule:
            return label.schedule
        schedules = [schedule for schedule in self._sections if schedule]
        return schedules[0] if len(schedules) == 1 else None

    def mention(self, label: Label, scope: Scope) -> None:
        """Take note of the sections that a label names one by one; ranges may be of sections named elsewhere."""
        schedule = self.schedule_of(label, scope)
        if schedule is not None:
            ends = (end for item in label.items for end in (item.first, item.last) if end)
            self.mentioned[schedule] |= {end for end in ends if self._range_of(schedule, Item(end)) is None}

    def named_by(self, label: Label, scope: Scope) -> Named:
        """What `label` names where it stands; nothing if that cannot be told."""
        schedule = self.schedule_of(label, scope)
        if label.kind is Kind.NAME:
            address = self._names.get(label.name.casefold())
            if address:
                return Named.whole([address])
            found, is_doubtful = self._all_under(schedule, label.name.casefold(), scope)
            return Named.whole(found, is_container=is_doubtful, is_doubtful=is_doubtful)
        if schedule is None or label.kind is Kind.HEADING:
            return Named()
        if label.kind is Kind.SCHEDULE:
            return Named.whole((a for a in self._order if a[0] == schedule), is_container=True)
        if label.kind is Kind.CONTAINER:
            found, is_doubtful = self._under_container(schedule, label, scope)
            return Named.whole(found, is_container=True, is_doubtful=is_doubtful)
        return Named(tuple(self._sections_of(schedule, label.items)))

    # -- sections

    def _sections_of(self, schedule: str, items: Sequence[Item]) -> Iterator[tuple[Address, bool]]:
        for item in items:
            for section in self._range_of(schedule, item) or [item.first]:
                yield self._as_published.get((schedule, section), (schedule, section)), item.is_part

    def _range_of(self, schedule: str, item: Item) -> list[str] | None:
        """The known sections of a range with its two ends; None for a single section.

        "4-15" in a text none of whose sections has a hyphen is a range too.
        """
        first, last = item.first, item.last
        if not last:
            pair = _PLAIN_PAIR.fullmatch(first)
            if not pair or self._has_pairs.get(schedule, False) or schedule not in self._has_pairs:
                return None
            first, last = pair[1], pair[2]
        known = self._sections[schedule]
        within = set(known[known.index(first) : known.index(last) + 1]) if first in known and last in known else set()
        others = {*known, *self.mentioned[schedule]}
        within |= {section for section in others if _key(first) <= _key(section) <= _key(last)}
        return sorted({first, last, *within}, key=_key)

    # -- what stands under a heading

    def _under_container(self, schedule: str, label: Label, scope: Scope) -> tuple[list[Address], bool]:
        within = Scope(schedule, (*scope.containers, *label.containers[:0:-1]))
        innermost = label.containers[0]
        found, is_doubtful = self._all_under(schedule, innermost, within)
        if found or not innermost.startswith("guide to "):
            return found, is_doubtful
        guided, is_doubtful = self._all_under(schedule, innermost.removeprefix("guide to "), within)
        return [address for address in guided if address in self._guides], is_doubtful

    def _all_under(self, schedule: str | None, step: str, scope: Scope) -> tuple[list[Address], bool]:
        """The provisions under the heading, and whether it is in doubt which is meant: several have its name, and the
        rows above do not decide. Then it is those under all of them.
        """
        found = self._under.get((schedule or "", step), [])
        paths = {path for path, _ in found}
        if len(paths) > 1:
            above = [container for container in scope.containers if level_of(container) < level_of(step)]
            paths = {path for path in paths if all(container in path for container in above)} or paths
        return list(dict.fromkeys(address for path, address in found if path in paths)), len(paths) > 1


def _key(section: str) -> tuple[tuple[int, str], ...]:
    """Orders numbers as they are drafted: 160ZZP, 160ZZPA, 160ZZQ; 9 before 10."""
    return tuple((int(digits), letters) for digits, letters in re.findall(r"(\d+)([A-Z]*)", section))
