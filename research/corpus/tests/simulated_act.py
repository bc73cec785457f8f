"""A fictional Act whose whole life is known, and what compilations and their endnotes show of it.

Amending Acts come in parts that commence on days of their own, before or after assent, or on a day that the endnotes do
not tell. They amend, add, repeal and substitute sections and whole Divisions; a repealed number comes back, with new
words or its old ones. Schedule 1 has the body's numbers. So that every claim about a day can be checked.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from research.corpus.ingest.published import Cell, EndnoteTable, Ledger, Published, PublishedProvision

ORIGIN = date(2000, 7, 1)
LAST = 900
NAME = "Harbour Dues (Simulated) Act 2000"
MADE = (1, 2000)
HEADS = ("Act", "Number and year", "Assent", "Commencement", "Application, saving and transitional provisions")
BODY = {"Division 5": ("5-1", "5-5", "5-10", "5-10A", "5-15"), "Division 10": ("10-1", "10-5", "10-10")}
CLAUSES = {"Part 1": ("1", "2"), "Part 2": ("5-1", "10-1")}
PENDING = "immediately after the commencement of another Act"

Where = tuple[str, str]
"""(schedule, section)."""


def on(day: int) -> date:
    return ORIGIN + timedelta(days=day)


def written(day: int) -> str:
    when = on(day)
    return f"{when.day} {when:%b %Y}"


@dataclass(frozen=True)
class Part:
    """One Schedule of an amending Act: when it commenced, and what it did. is_told: by a day in Endnote 3.

    done: (effect, places, label of its row). words: what the sections say then, None for the Act's own.
    """

    day: int
    effect: str
    places: tuple[Where, ...]
    label: str
    is_told: bool = True
    words: str | None = None


@dataclass(frozen=True)
class Amender:
    number: int
    year: int
    assent: int
    parts: tuple[Part, ...]

    @property
    def cite(self) -> str:
        return f"No {self.number}, {self.year}"

    def commencement(self, today: int) -> Cell:
        lines = [f"Sch {at}: {written(part.day) if part.is_told else PENDING}" for at, part in enumerate(self.parts, 1)]
        lines = lines if len(lines) > 1 else [lines[0].split(": ", 1)[1]]
        return Cell("\n".join(lines), is_pending=any(part.day > today for part in self.parts))


@dataclass
class Law:
    """began: of each place in the Act as made. seen: the days of the compilations."""

    began: dict[Where, int]
    acts: list[Amender] = field(default_factory=list)
    seen: tuple[int, ...] = ()

    def parts(self, known_on: int) -> list[tuple[int, int, Amender, Part]]:
        """In the order in which they took effect, of the Acts that were law on `known_on`."""
        return sorted(
            ((p.day, a.number, a, p) for a in self.acts if a.assent <= known_on for p in a.parts), key=lambda x: x[:2]
        )

    def words(self, where: Where, day: int, known_on: int) -> str | None:
        """The words of a place on a day, as the law was understood on another; None where there is no such place."""
        words = f"made {where}" if where in self.began and self.began[where] <= day else None
        for when, _, act, part in self.parts(known_on):
            if when > day or where not in part.places:
                continue
            if part.effect == "rep":
                words = None
            elif part.effect == "am":
                words = None if words is None else part.words or f"{words} and {act.cite}@{when}"
            else:
                words = part.words or f"new {act.cite}@{when}"
        return words

    def places(self) -> Iterator[tuple[Where, str]]:
        for schedule, parts in (("", BODY), ("1", CLAUSES)):
            for container, sections in parts.items():
                for section in sections:
                    yield (schedule, section), container

    def turns(self, known_on: int) -> list[int]:
        """The days on which the Register has another version of the Act, by what was known then."""
        days = {0, *self.began.values()}
        for act in self.acts:
            days |= {max(part.day, act.assent) for part in act.parts}
        return sorted(day for day in days if day <= known_on)

    def published(self, day: int, number: int, with_endnotes: bool = True) -> Published:
        provisions = []
        for (schedule, section), container in self.places():
            words = self.words((schedule, section), day, day)
            if words is not None:
                path = (f"{container}—Dues",) if not schedule else ("Schedule 1—Tolls", f"{container}—Tolls")
                provisions.append(PublishedProvision(section, schedule, path, "Dues", "operative", words))
        endnotes = (self.legislation(day), self.amendments(day)) if with_endnotes else ()
        return Published(
            NAME, on(day), tuple(provisions), Ledger(0, 0), compilation_number=str(number), act_number=MADE[0],
            act_year=MADE[1], endnotes=endnotes,
        )  # fmt: skip

    def legislation(self, day: int) -> EndnoteTable:
        late = sorted(section for (_, section), began in self.began.items() if began and _ == "")
        made = f"ss {', '.join(late)}: {written(max(self.began.values()))}\nRemainder: {written(0)}"
        rows = [
            (
                Cell(NAME),
                Cell(f"{MADE[0]}, {MADE[1]}"),
                Cell(written(-30)),
                Cell(made if late else written(0)),
                Cell(""),
            )
        ]
        for act in self.acts:
            if act.assent <= day:
                named = Cell(f"Dues Amendment Act {act.year}"), Cell(f"{act.number}, {act.year}")
                rows.append((*named, Cell(written(act.assent)), act.commencement(day), Cell("—")))
        return EndnoteTable("3", "Legislation history", HEADS, tuple(rows))

    def amendments(self, day: int) -> EndnoteTable:
        rows: list[tuple[Cell, Cell]] = []
        for schedule, parts in (("", BODY), ("1", CLAUSES)):
            if schedule:
                rows.append((Cell("Schedule 1"), Cell("")))
            for container, sections in parts.items():
                rows.append((Cell(container), Cell("")))
                for label in [container, *self._labels(schedule, container, sections)]:
                    rows += self._rows(label, schedule, day)
        return EndnoteTable("4", "Amendment history", ("Provision affected", "How affected"), tuple(rows))

    def _labels(self, schedule: str, container: str, sections: Sequence[str]) -> list[str]:
        unit = "c" if schedule else "s"
        plain = [f"{unit} {section}" for section in sections]
        used = {
            p.label for a in self.acts for p in a.parts if p.places[0][0] == schedule and p.places[0][1] in sections
        }
        return plain + sorted(used - set(plain) - {container})

    def _rows(self, label: str, schedule: str, day: int) -> Iterator[tuple[Cell, Cell]]:
        """The row of a label, an underlined one of its own for each effect that has not commenced."""
        told: list[tuple[int, str, Amender, bool]] = []
        for act in self.acts:
            if act.assent > day:
                continue
            found = [p for p in act.parts if p.label == label and p.places[0][0] == schedule]
            for effect in dict.fromkeys(p.effect for p in found):
                days = [p.day for p in found if p.effect == effect]
                # Underlined where the whole or a part of what the Act does here has not commenced.
                told.append((min(days), effect, act, any(d > day for d in days)))
        told.sort(key=lambda one: (one[0], one[2].number))
        done = "; ".join(f"{effect} {act.cite}" for _, effect, act, pending in told if not pending)
        if done:
            yield Cell(f"{label}……"), Cell(done)
        for at, (_, effect, act, pending) in enumerate(told):
            if pending:
                yield Cell("" if done or at else label), Cell(f"{effect} {act.cite}", is_pending=True)


def simulated(seed: int, retrospective: float = 0.0, untold: float = 0.1, returns: float = 0.2) -> Law:
    """A life. retrospective, untold: the share of parts that commenced before assent, or on a day that is not told.

    returns: of substitutions and re-additions, the share that bring words back which were the law before.
    """
    dice = random.Random(seed)
    late = dice.random() < 0.4
    began = {("", s): 0 for s in [*BODY["Division 5"], *BODY["Division 10"]] if s != "5-10A"}
    began |= {("1", s): 0 for s in [*CLAUSES["Part 1"], *CLAUSES["Part 2"]]}
    if late:
        began["", "5-15"] = began["", "10-1"] = 60
    law = Law(began)
    for number in range(2, 2 + dice.randint(1, 9)):
        assent = dice.randint(61, LAST - 100)
        law.acts.append(Amender(number, on(assent).year, assent, ()))
    law.acts.sort(key=lambda act: act.assent)
    law.acts = [Amender(number, a.year, a.assent, ()) for number, a in enumerate(law.acts, 2)]
    for at, act in enumerate(list(law.acts)):
        parts: list[Part] = []
        for _ in range(dice.randint(1, 4)):
            day = act.assent + dice.choice([0, 0, 5, 40, dice.randint(0, 200)])
            is_retro = dice.random() < retrospective
            if is_retro:
                day = max(61, act.assent - dice.randint(1, 200))
            part = _part(law, dice, day, dice.random() >= untold, is_retro, returns)
            if part:
                parts.append(part)
                law.acts[at] = Amender(act.number, act.year, act.assent, tuple(parts))
    law.acts = [act for act in law.acts if act.parts]
    turns = law.turns(LAST)
    law.seen = tuple(sorted(dice.sample(turns, min(len(turns), dice.randint(1, 5)))))
    return law


def _part(law: Law, dice: random.Random, day: int, is_told: bool, is_retro: bool, returns: float) -> Part | None:
    places = list(law.places())
    where, container = dice.choice(places)
    unit = "c" if where[0] else "s"
    held = [p for p, c in places if c == container and p[0] == where[0]]
    there = [p for p in held if law.words(p, day, LAST + 999)]
    later = [p for _, _, _, q in law.parts(LAST + 999) if q.day >= day for p in q.places]
    if any(p in later for p in held):
        return None  # what is done is done in order: no Act changes what a later one has changed already
    kind = dice.random()
    if kind < 0.12 and len(there) == len(held) and not is_retro:
        return Part(day, dice.choice(["rep", "rs", "am"]), tuple(held), container, is_told)
    if kind < 0.2 and not there and not is_retro:
        return Part(
            day, "ad", tuple(held), container, is_told, _old(law, dice, where, returns) if len(held) == 1 else None
        )
    if kind < 0.3 and len(there) > 2:
        first = dice.randrange(len(there) - 1)
        ends = there[first], there[first + 1]
        inside = [p for p in held if held.index(ends[0]) <= held.index(p) <= held.index(ends[1]) and p in there]
        return Part(
            day, dice.choice(["am", "rs", "rep"]), tuple(inside), f"{unit}{unit} {ends[0][1]}–{ends[1][1]}", is_told
        )
    if where in there:
        effect = dice.choice(["am", "am", "am", "rs", "rs"] if is_retro else ["am", "am", "am", "rs", "rep", "rep"])
        words = _old(law, dice, where, returns) if effect in ("am", "rs") else None
        label = f"{unit} {where[1]}"
        if effect == "am" and dice.random() < 0.3:
            label = dice.choice([f"{label}(1)", f"{label} (def of toll)", f"Note to {label}"])
        return Part(day, effect, (where,), label, is_told, words)
    return Part(day, "ad", (where,), f"{unit} {where[1]}", is_told, _old(law, dice, where, returns))


def _old(law: Law, dice: random.Random, where: Where, returns: float) -> str | None:
    if dice.random() >= returns:
        return None
    had = {law.words(where, day, LAST + 999) for day in range(0, LAST, 20)} - {None}
    return dice.choice(sorted(str(words) for words in had)) if had else None
