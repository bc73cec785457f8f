"""The left column of Endnote 4: which provisions a row is about, as it says it.

Pure, and the words alone: what they name in a given text is `places.py`'s. A label that is none of the known forms is
kept as a name and not taken apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum

from research.corpus.ingest.endnotes.words import end_of_parenthesis, folded, without_leader

NUMBER = r"\d{1,4}[A-Z]{0,8}(?:-\d{1,4}[A-Z]{0,8})?(?:\.\d{1,4}[A-Z]{0,4})*"

_ABBREVIATION = re.compile(
    r"\b(Ss?|Regs?|Rr?|Cc|Cls?|C|Divs?|Sdivs?|Subdivs?|Pts?|Schs?|Hdg|Ch|Defs?|Pars?|Subhead)\.(?=\s|$|\d)",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?:ss?|(?:sub)?sections?|subss?|regs?|(?:sub)?regulations?|rr?|rules?|(?P<clause>cc?|cls?|(?:sub)?clauses?)|ord?"
    r"|orders?)\s*(?=\d)",
    re.IGNORECASE,
)
_OF_PART = re.compile(
    r"(?!s |ss |Sch|Part |Pt |Div|Subdiv(?!.*(?:hdg|heading))|Ch)[\w ()]{1,40}? (?:to|in|at the (?:end|foot) of) "
    r"(?=(?:ss?|regs?|rr?|cc?|cls?|sections?|Divs?|Divisions?|Subdivs?|Subdivisions?|Pts?|Parts?|Schs?|Schedules?) )",
    re.IGNORECASE,
)
_AFTER_PART = re.compile(
    r"\s*,?\s*(?:hdg|heading|(?:link )?notes?(?: \d+)?|table|examples?|penalty|defs? of [^,;]*)(?![\w-])", re.I
)
_GUIDE = re.compile(r"guide to ", re.IGNORECASE)
_HEADING = re.compile(r"\b(?:hdg|heading)\b", re.IGNORECASE)
_EARLIER = re.compile(r"\((?:prev|formerly|orig|renum|previously)", re.IGNORECASE)
_CONTAINER = re.compile(
    r"(?P<unit>Chapter|Ch|Part|Pt|Division|Div|Subdivision|Subdiv|Sdiv)\s+(?P<id>(?-i:[\dA-Z][\dA-Z.-]*))(?![a-z])"
    r"(?:\s*(?:,|\bof\b|\bin\b|\bto\b)\s*|\s+)?",
    re.IGNORECASE,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_SCHEDULE = re.compile(
    rf"(?:(?:the|an) )?(?:(?P<ordinal>{'|'.join(_ORDINALS)}) )?"
    r"(?:Schedule|Sch)(?:\s+(?P<id>\d{1,3}[A-Z]{0,4}|[A-Z]{1,2}))?(?![\w-])",
    re.IGNORECASE,
)
_LEVELS = ("chapter", "part", "division", "subdivision")
_FULL = {"ch": "chapter", "pt": "part", "div": "division", "subdiv": "subdivision", "sdiv": "subdivision"}
_ITEM = re.compile(rf"(?P<first>{NUMBER})(?:\s*(?:–|-|\bto\b)\s*(?:(?:ss?|regs?|rr?|cc?|cls?)\s*)?(?P<last>{NUMBER}))?")
_AND_PART = re.compile(r"\s*(?:,|and\b|,\s*and\b|–)\s*(?=\()")
_OUTER = re.compile(r"\s*(?:of|in|to)\s+(?P<schedule>.*)", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:,\s*(?:and\b)?|and\b|&)\s*(?:ss?\s+)?", re.IGNORECASE)


class Kind(Enum):
    SECTIONS = "sections, regulations, rules or clauses"
    CONTAINER = "a Chapter, Part, Division or Subdivision"
    SCHEDULE = "a whole Schedule"
    HEADING = "the heading of a container, and nothing in it"
    NAME = "anything else"


@dataclass(frozen=True, slots=True)
class Item:
    """A section, or a range of them. is_part: only a part of each is meant ("s 41(3)(a)", "s 6 (def of X)")."""

    first: str
    last: str = ""
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """What a label says. schedule: of the label itself, None if it leaves that to the rows above.

    containers: from the innermost ("division 2", "part 3"). name: the label as published, without its leader.
    is_of_clauses: it says so ("c 5"), which stand in Schedules.
    """

    kind: Kind
    name: str
    schedule: str | None = None
    items: tuple[Item, ...] = ()
    containers: tuple[str, ...] = ()
    tells_earlier_number: bool = False
    is_of_clauses: bool = False


def read_label(text: str) -> Label:
    """The label that `text` is; of a bare heading its title is left out ("Schedule 2—Ferries")."""
    name = without_leader(folded(text).replace("\n", " "))
    plain, schedule = _ABBREVIATION.sub(r"\1", name), None
    is_part = bool(part := _OF_PART.match(plain))
    rest = plain[part.end() :] if part else plain
    if guide := _GUIDE.match(plain):
        held = _container(plain[guide.end() :], name, None, is_part=False)
        if held.kind is Kind.CONTAINER:
            return replace(held, containers=(f"guide to {held.containers[0]}", *held.containers[1:]))
    if found := _SCHEDULE.match(rest):
        schedule, after = _schedule_of(found), rest[found.end() :].lstrip(" ,(").removeprefix("to ")
        if not after or after[0] in "—–:)":
            kind = Kind.NAME if is_part else Kind.SCHEDULE
            return Label(kind, name, schedule)
        if re.fullmatch(r"\(?(?:hdg|heading)\)?", after, re.IGNORECASE):
            return Label(Kind.HEADING, name, schedule)
        rest = after
    if found := _UNIT.match(rest):
        label = Label(Kind.SECTIONS, name, schedule, is_of_clauses=found["clause"] is not None)
        return _sections(rest[found.end() :], label, is_part)
    return _container(rest, name, schedule, is_part)


def _sections(listed: str, label: Label, is_part: bool) -> Label:
    """`label` with the sections listed. Words after them that are not understood narrow them to a part.

    So an amendment is never lost to the section that it was made in: the least that a label says is where.
    """
    items, left = _items(listed, is_part)
    tells_earlier_number = bool(_EARLIER.search(listed))
    outer = _OUTER.fullmatch(left)
    schedule = _SCHEDULE.fullmatch(outer["schedule"]) if outer else None
    if schedule:
        label = replace(label, schedule=_schedule_of(schedule))
    elif re.search(r"\bsch", left, re.IGNORECASE):
        return replace(label, kind=Kind.NAME)
    elif left.strip(" )"):
        items = tuple(replace(item, is_part=True) for item in items)
    return replace(label, items=items, tells_earlier_number=tells_earlier_number)


def _container(rest: str, name: str, schedule: str | None, is_part: bool) -> Label:
    containers: list[str] = []
    at = 0
    while found := _CONTAINER.match(rest, at):
        unit = found["unit"].lower()
        containers.append(f"{_FULL.get(unit, unit)} {found['id'].lower().rstrip('.-')}")
        at = found.end()
    containers.sort(key=level_of, reverse=True)
    left = rest[at:].strip()
    if _HEADING.search(left) or (is_part and containers):
        return Label(Kind.HEADING, name, schedule, containers=tuple(containers))
    outer = _SCHEDULE.fullmatch(left) if left else None
    if containers and (not left or left[0] in "—:()" or outer):
        return Label(Kind.CONTAINER, name, _schedule_of(outer) if outer else schedule, containers=tuple(containers))
    return Label(Kind.HEADING if _HEADING.search(rest) else Kind.NAME, name, schedule)


def level_of(container: str) -> int:
    """How deep a container stands: 0 a Chapter, 3 a Subdivision, 4 anything smaller."""
    unit = container.split(" ", 1)[0]
    return _LEVELS.index(unit) if unit in _LEVELS else len(_LEVELS)


def _items(text: str, is_part: bool) -> tuple[tuple[Item, ...], str]:
    """The items that `text` lists, and what is left of it."""
    items: list[Item] = []
    at = 0
    while found := _ITEM.match(text, at):
        at, part = _end_of_item(text, found.end())
        items.append(Item(found["first"], found["last"] or "", is_part or part))
        between = _BETWEEN.match(text, at)
        if not between or not _ITEM.match(text, between.end()):
            break
        at = between.end()
    return tuple(items), text[at:]


def _end_of_item(text: str, at: int) -> tuple[int, bool]:
    """Where an item with all that narrows it ends, and whether anything does."""
    is_part = False
    while True:
        start = at + len(text[at:]) - len(text[at:].lstrip())
        if text[start : start + 1] == "(":
            is_part = is_part or not _EARLIER.match(text, start)
            at = end_of_parenthesis(text, start)
        elif is_part and (found := _AND_PART.match(text, at)):
            at = found.end()
        elif found := _AFTER_PART.match(text, at):
            is_part, at = True, found.end()
        else:
            return at, is_part


def _schedule_of(found: re.Match[str]) -> str:
    """The Schedule's number; "" for one that has none."""
    if found["ordinal"]:
        return str(_ORDINALS.index(found["ordinal"].lower()) + 1)
    return (found["id"] or "").upper()
