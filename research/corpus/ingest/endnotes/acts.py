"""Endnote 3: the Acts (or instruments) that made and amended the law, with what each commenced on.

Pure. Three layouts are read by their heads: the current one (Act; number and year; assent; commencement; application),
the older Table of Acts, and that of instruments (name; registration; commencement; application). Acts set in under "as
amended by" amended an amending Act, and are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from research.corpus.ingest.endnotes.cites import Cite, cites_in
from research.corpus.ingest.endnotes.commencement import Rule, read_commencement
from research.corpus.ingest.endnotes.dates import days_in
from research.corpus.ingest.endnotes.words import folded
from research.corpus.ingest.published import Cell, EndnoteTable

NOT_LISTED = "not in Endnote 3"

_AS_AMENDED_BY = re.compile(r"^\W*as (?:am(?:ended)?\.?) by\W*", re.IGNORECASE)
_ACT_NAME = re.compile(r"\bAct\b[^;]{0,20} \d{4}")
_NOTHING = re.compile(r"[\s—–-]*")
_HEADS = (
    ("application", re.compile(r"application|saving|transitional", re.I)),
    ("commencement", re.compile(r"commence", re.I)),
    ("assent", re.compile(r"assent|registration|registered|gazett|notif", re.I)),
    ("number", re.compile(r"number", re.I)),
)
_LAYOUTS = {
    5: ("name", "number", "assent", "commencement", "application"),
    4: ("name", "assent", "commencement", "application"),
}


@dataclass(frozen=True, slots=True)
class Act:
    """One law of Endnote 3. cites: the ways in which Endnote 4 may cite it. refers_to: the last column."""

    cites: tuple[Cite, ...]
    name: str
    assent: date | None
    rules: tuple[Rule, ...]
    refers_to: str

    def commenced_by(self, day: date) -> tuple[date, ...]:
        """The days on or before `day` on which some of it commenced, in order."""
        return tuple(sorted({rule.day for rule in self.rules if rule.day is not None and rule.day <= day}))

    @property
    def unresolved(self) -> str:
        """What is said of commencement without a day, as published."""
        return "; ".join(dict.fromkeys(rule.words for rule in self.rules if rule.day is None and not rule.is_void))


def read_acts(tables: Iterable[EndnoteTable]) -> list[Act]:
    """The laws in the order of the tables; rows that continue an Act, or list it again, are one with it."""
    found: list[Act] = []
    place: dict[Cite, int] = {}
    for table in tables:
        for row in _own_rows(table):
            act = _act(row)
            at = next((place[cite] for cite in act.cites if cite in place), None)
            if at is None and found and not act.cites and not act.name:
                at = len(found) - 1
            if at is None:
                at = len(found)
                found.append(act)
            else:
                found[at] = _joined(found[at], act)
            place.update(dict.fromkeys(act.cites, at))
    return found


def _joined(act: Act, more: Act) -> Act:
    return replace(
        act,
        assent=act.assent or more.assent,
        rules=(*act.rules, *more.rules),
        refers_to="; ".join(words for words in (act.refers_to, more.refers_to) if words),
    )


def _own_rows(table: EndnoteTable) -> Iterable[dict[str, Cell]]:
    """The rows of Acts that amended this one, by column."""
    columns = _columns(table)
    is_next_set_in = False
    for row in table.rows:
        first = row[0] if row else Cell("")
        announced = _AS_AMENDED_BY.match(first.text)
        if announced:
            is_next_set_in = not first.text[announced.end() :].strip()  # else the Act stands in this very row
            continue
        if first.is_indented or is_next_set_in:
            is_next_set_in = False
            continue
        yield dict(reversed(list(zip(columns, row, strict=False))))  # of two columns with one name the first counts


def _columns(table: EndnoteTable) -> Sequence[str]:
    named = [next((name for name, head in _HEADS if head.search(text)), "name") for text in table.heads]
    if "commencement" in named:
        return named
    width = max((len(row) for row in table.rows), default=0)
    return _LAYOUTS.get(width, _LAYOUTS[5])


def _act(row: dict[str, Cell]) -> Act:
    def said(column: str) -> str:
        return folded(row[column].text) if column in row else ""

    assent = next(iter(days_in(said("assent"))), None)
    cites = list(cites_in(said("number"))) or list(cites_in(said("name")))
    cites += (cite for cite in cites_in(said("assent")) if cite.register_id)
    refers_to = said("application")
    commencement = said("commencement")
    return Act(
        cites=tuple(dict.fromkeys(cites)),
        name=said("name"),
        assent=assent,
        rules=read_commencement(commencement, assent) if commencement else (),
        refers_to="" if _NOTHING.fullmatch(refers_to) else refers_to,
    )


@dataclass(frozen=True)
class Acts:
    """Laws by how they are cited."""

    every: Sequence[Act]

    @cached_property
    def _by_number(self) -> Mapping[tuple[int, int], list[tuple[str, Act]]]:
        """(series, law) by number and year; the series is "Act" where the name says so, "" where nothing does."""
        found: dict[tuple[int, int], list[tuple[str, Act]]] = defaultdict(list)
        for act in self.every:
            for cite in act.cites:
                if not cite.register_id:
                    series = cite.series or ("Act" if _ACT_NAME.search(act.name) else "")
                    found[cite.number, cite.year].append((series, act))
        return found

    @cached_property
    def _by_register_id(self) -> Mapping[str, list[Act]]:
        found: dict[str, list[Act]] = defaultdict(list)
        for act in self.every:
            for cite in act.cites:
                found[cite.register_id].append(act)
        return found

    def named(self, cite: Cite) -> Act | str:
        """The law that `cite` names, or why none can be told.

        A number and year may be those of an Act and of Statutory Rules. A cite without a series is an Act's if there
        is one, else that of the only law so numbered; a row that tells no series may be of any.
        """
        if cite.register_id:
            found = self._by_register_id.get(cite.register_id, [])
        else:
            alike = self._by_number.get((cite.number, cite.year), [])
            found = [act for series, act in alike if series == (cite.series or "Act")]
            found = found or [act for series, act in alike if not series or not cite.series]
        if len(found) > 1:
            return f"{cite} is more than one row of Endnote 3"
        return found[0] if found else NOT_LISTED
