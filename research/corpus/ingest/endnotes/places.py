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

from research.corpus.ingest.endnotes.labels import NUMBER, Item, Kind, Label, level_of
from research.corpus.ingest.endnotes.words import folded
from research.corpus.ingest.history import Address
from research.corpus.ingest.published import PublishedProvision

_STEP = re.compile(r"^\s*([^—–:]+?)\s*(?:[—–:].*)?$", re.DOTALL)
_ABOUT_THE_ACT = re.compile(
    r"(?:long |short )?title\b|preamble|(?:enacting|commencing) words|words of enactment|reader['’]s guide"
    r"|list of terms|table of (?:contents|divisions|sections)|index\b|contents\b|heading",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"(?P<unit>Chapter|Part|Pt|Division|Div|Subdivision|Subdiv|Sdiv|Schedule|Sch)s\.? (?P<listed>[\dA-Z].*)",
    re.IGNORECASE,
)
_UNITS = {"pt": "part", "div": "division", "subdiv": "subdivision", "sdiv": "subdivision", "sch": "schedule"}
_NUMBERED = re.compile(rf"{NUMBER}|[A-Z]+\b")
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
        self._gone: list[tuple[str, tuple[str, ...], Address]] = []
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
        if schedule is None:
            return
        ends = (end for item in label.items for end in (item.first, item.last) if end)
        for end in ends:
            if self._range_of(schedule, Item(end)) is not None:
                continue
            self.mentioned[schedule].add(end)
            if schedule == scope.schedule and not self.hold(self._address(schedule, end)):
                self._gone.append((schedule, scope.containers, (schedule, end)))

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
            gone = (address for of, _, address in self._gone if of == schedule)
            return Named.whole([*(a for a in self._order if a[0] == schedule), *gone], is_container=True)
        if label.kind is Kind.CONTAINER:
            found, is_doubtful = self._under_container(schedule, label, scope)
            others = self._gone_from(schedule, label, scope) if found else []
            return Named.whole([*found, *others], is_container=True, is_doubtful=is_doubtful)
        if (
            label.is_of_clauses
            and label.schedule is None
            and not schedule
            and (in_schedules := self._clauses(label.items))
        ):
            return in_schedules
        return Named(tuple(self._sections_of(schedule, label.items)))

    def perhaps_named_by(self, label: Label, scope: Scope, is_gone: bool = False) -> Named:
        """What a label that names nothing for certain may be about: what it is about is among these, or has no words.

        is_gone: what it is about was repealed.
        """
        return Named.whole(self._perhaps(label, scope, is_gone), is_container=True, is_doubtful=True)

    def _perhaps(self, label: Label, scope: Scope, is_gone: bool) -> Iterable[Address]:
        if label.kind is Kind.HEADING or (is_gone and label.kind in (Kind.CONTAINER, Kind.SCHEDULE)):
            return ()
        schedule = self.schedule_of(label, scope)
        if schedule is None:
            if not label.items:
                return (address for address in self._order if address[0])
            every = ((of, section) for of in self._sections for i in label.items for section in self._spread(of, i))
            return (address for address in every if self.hold(address))
        if label.kind is Kind.NAME and _ABOUT_THE_ACT.match(label.name) and not schedule:
            return ()
        if several := _SEVERAL.fullmatch(label.name):
            return self._in_several(schedule, several)
        if label.kind is Kind.NAME and label.schedule is None and not schedule and not scope.containers:
            return ()
        for at in range(len(scope.containers), 0, -1) if schedule == scope.schedule else ():
            found, _ = self._all_under(schedule, scope.containers[at - 1], Scope(schedule, scope.containers[: at - 1]))
            if found:
                return found
        return (address for address in self._order if address[0] == schedule)

    def _in_several(self, schedule: str, several: re.Match[str]) -> Iterator[Address]:
        """All that stands under "Divs 40 and 41", "Parts 1–3"; of a range, under what is numbered within it."""
        unit = several["unit"].lower()
        unit = _UNITS.get(unit, unit)
        numbers = _NUMBERED.findall(folded(several["listed"]).upper())
        is_range = re.search(r"–|\bto\b", several["listed"]) is not None
        keys = [_key(number) for number in numbers]

        def is_meant(number: str) -> bool:
            number = number.upper()
            return number in numbers or (is_range and min(keys) <= _key(number) <= max(keys))

        for address in self._order:
            if unit == "schedule" and is_meant(address[0]):
                yield address
        for (of, step), found in self._under.items():
            if of == schedule and step.startswith(f"{unit} ") and is_meant(step.removeprefix(f"{unit} ")):
                yield from (address for _, address in found)

    # -- sections

    def _address(self, schedule: str, section: str) -> Address:
        return self._as_published.get((schedule, section), (schedule, section))

    def _spread(self, schedule: str, item: Item) -> Iterator[str]:
        for section in self._range_of(schedule, item) or [item.first]:
            yield self._address(schedule, section)[1]

    def _sections_of(self, schedule: str, items: Sequence[Item]) -> Iterator[tuple[Address, bool]]:
        for item in items:
            for section in self._spread(schedule, item):
                yield (schedule, section), item.is_part

    def _clauses(self, items: Sequence[Item]) -> Named | None:
        """Clauses listed as if they stood in the body, where a Schedule has them: of that one, or in doubt of several.

        None if no Schedule has any.
        """
        known = [schedule for schedule in self._sections if any(i.first in self._sections[schedule] for i in items)]
        if not any(known):
            return None
        if len(known) == 1:
            return Named(tuple(self._sections_of(known[0], items)))
        every = [address for schedule in known for address, _ in self._sections_of(schedule, items)]
        return Named.whole(every, is_container=True, is_doubtful=True)

    def _range_of(self, schedule: str, item: Item) -> list[str] | None:
        """The known sections of a range with its two ends; None for a single section.

        "4-15" in a text none of whose sections has a hyphen is a range too.
        """
        first, last = item.first, item.last
        if not last:
            pair = _PLAIN_PAIR.fullmatch(first)
            if not pair or schedule not in self._has_pairs:
                return None
            is_one = self._has_pairs[schedule] and not {pair[1], pair[2]} <= set(self._sections[schedule])
            if is_one or self.hold(self._address(schedule, first)):
                return None
            first, last = pair[1], pair[2]
        known = self._sections[schedule]
        within = set(known[known.index(first) : known.index(last) + 1]) if first in known and last in known else set()
        others = {*known, *self.mentioned[schedule]}
        within |= {section for section in others if _key(first) <= _key(section) <= _key(last)}
        return sorted({first, last, *within}, key=_key)

    # -- what stands under a heading

    def _gone_from(self, schedule: str, label: Label, scope: Scope) -> list[Address]:
        """The sections whose rows stand under this heading in the endnotes, and that the text has no more."""
        innermost = label.containers[0]
        above = (*scope.containers, *label.containers[:0:-1]) if schedule == scope.schedule else ()
        above = tuple(container for container in above if level_of(container) < level_of(innermost))
        return [
            address
            for of, containers, address in self._gone
            if of == schedule and innermost in containers and set(above) <= set(containers)
        ]

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
