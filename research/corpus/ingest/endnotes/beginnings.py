"""When the provisions of an Act as made began: with the Act, or with the part of it that they are in.

Pure. The first row of Endnote 3 is the Act itself, sometimes with several commencements ("ss 1, 2: Royal Assent;
Remainder: 1 July 1997").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from research.corpus.ingest.endnotes.acts import NOT_LISTED, Act
from research.corpus.ingest.endnotes.cites import Cite
from research.corpus.ingest.endnotes.commencement import Rule
from research.corpus.ingest.endnotes.labels import Kind, read_label
from research.corpus.ingest.endnotes.places import Places, Scope
from research.corpus.ingest.endnotes.words import split_outside_parentheses
from research.corpus.ingest.history import Address, Effect, Event

_REST = re.compile(r"remain", re.IGNORECASE)
_UNIT = re.compile(r"(?P<unit>ss?|Parts?|Pts?|Divs?|Divisions?|Schs?|Schedules?|Chapters?)\b", re.IGNORECASE)
_SECTIONS = re.compile(r"(?:ss?|sections?|regs?|rr?|cc?|cls?)\.? ", re.IGNORECASE)
_PARTED = re.compile(r"\s+and\s+|\s*&\s*")


@dataclass(frozen=True)
class Beginnings:
    """number: the Act's own (number, year), (0, 0) if the compilation does not state it: then the first row is it."""

    acts: Sequence[Act]
    number: tuple[int, int]
    places: Places
    dated: date

    def of(self, address: Address) -> Event:
        """How the provision at `address` began; unresolved if Endnote 3 does not tell."""
        act = self._act
        if act is None:
            return Event(Effect.BEGAN, self._name, unresolved=NOT_LISTED)
        rules = self._rules_for(address)
        days = tuple(sorted({rule.day for rule in rules if rule.day is not None and rule.day <= self.dated}))
        words = "; ".join(dict.fromkeys(rule.words for rule in rules if rule.day is None))
        if not days and not words:
            words = "its commencement is not in Endnote 3"
        return Event(Effect.BEGAN, self._name, days, words, act.assent)

    @cached_property
    def _act(self) -> Act | None:
        if not any(self.number):
            return self.acts[0] if self.acts else None
        return next((act for act in self.acts if any((c.number, c.year) == self.number for c in act.cites)), None)

    @cached_property
    def _name(self) -> str:
        if self._act is not None and self._act.cites:
            return str(self._act.cites[0])
        return str(Cite(*self.number)) if any(self.number) else (self._act.name if self._act else "")

    @cached_property
    def _by_scope(self) -> list[tuple[Rule, frozenset[Address] | None]]:
        """The rules that have a scope, each with what of the text it names; None where that cannot be told."""
        rules = self._act.rules if self._act else ()
        return [(rule, self._named(rule.scope)) for rule in rules if rule.scope and not _REST.match(rule.scope)]

    def _rules_for(self, address: Address) -> list[Rule]:
        """Those that name the address; else the remainder, with all whose scope cannot be told."""
        named = [rule for rule, addresses in self._by_scope if addresses is not None and address in addresses]
        if named:
            return named
        is_gone = not self.places.hold(address)  # then which Part it stood in is not known either
        untold = [r for r, told in self._by_scope if told is None or (is_gone and not _SECTIONS.match(r.scope))]
        rest = [rule for rule in (self._act.rules if self._act else ()) if not rule.scope or _REST.match(rule.scope)]
        return [rule for rule in (*rest, *untold) if not rule.is_void]

    def _named(self, scope: str) -> frozenset[Address] | None:
        found: set[Address] = set()
        for part in _with_units(scope):
            label = read_label(part)
            named = self.places.named_by(label, Scope())
            if label.kind is Kind.NAME or not named.addresses or any(is_part for _, is_part in named.addresses):
                return None
            found |= {address for address, _ in named.addresses}
        return frozenset(found)


def _with_units(scope: str) -> list[str]:
    """ "Parts 1, 2 and 5" as three labels; lists of sections stay whole, as a label may be one."""
    parts: list[str] = []
    unit = ""
    for part in split_outside_parentheses(_PARTED.sub(", ", scope), ","):
        if found := _UNIT.match(part):
            unit = found["unit"].rstrip("s") if found["unit"].lower() not in ("s", "ss") else "s"
            parts.append(f"{unit} {part[found.end() :].strip()}")
        else:
            parts.append(f"{unit} {part}".strip())
    return parts
