"""The one concrete step after an answer, by fixed rules: the most specific that fits what the answer rests on.

Pure. A step is a check for the reviewer, never a conclusion. Rules stand in `next_step_rules`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from research.decision.next_step_rules import FIGURE_RULES, GENERAL, RULES

Key = tuple[tuple[int, str], ...]

_PLACE = re.compile(r"(?:sch(?P<schedule>\w+) )?(?:Div (?P<division>\w+)|(?P<first>[\w-]+)(?:\.\.(?P<last>[\w-]+))?)?")


@dataclass(frozen=True, slots=True)
class Rule:
    """What to check where an answer rests on a place. first to last: both included; "" for the whole Act or Division.

    division: of an Act whose sections begin with it ("328" of s 328-110).
    """

    act: str
    schedule: str
    division: str
    first: str
    last: str
    step: str

    @property
    def breadth(self) -> int:
        """0: one section, 1: a Division, 2: a range, which holds Divisions whole, 3: the Act."""
        if self.division:
            return 1
        return 3 if not self.first else 0 if self.first == self.last else 2

    def covers(self, act: str, section: str, schedule: str) -> bool:
        if act != self.act:
            return False
        if self.breadth == 3:
            return True
        if schedule.lower() != self.schedule:
            return False
        if self.division:
            return "-" in section and section.partition("-")[0] == self.division
        return _key(self.first) <= _key(section) <= _key(self.last) and ("-" in self.first) == ("-" in section)


def step_for(act: str, section: str, schedule: str, year: str) -> str:
    """What to check next where the answer rests on this provision. year: as it is said in the sentence, "FY2020".

    Of ranges that hold one another the inner begins later.
    """
    fitting = [rule for rule in rules() if rule.covers(act, section, schedule)]
    step = max(fitting, key=lambda rule: (-rule.breadth, _key(rule.first))).step if fitting else GENERAL
    return step.format(year=year)


def step_for_figure(key: str, act: str, section: str, schedule: str, year: str) -> str:
    """What to check before the ledger's figure `key` is used: by its key, else by the provision that sets it."""
    fitting = [(prefix, step) for prefix, step in FIGURE_RULES if key.startswith(prefix)]
    if fitting:
        return max(fitting, key=lambda pair: len(pair[0]))[1].format(year=year)
    return step_for(act, section, schedule, year)


@cache
def rules() -> tuple[Rule, ...]:
    """The rules as read. Raises ValueError naming a place that is none."""
    return tuple(_read(*row) for row in RULES)


def _read(act: str, place: str, step: str) -> Rule:
    match = _PLACE.fullmatch(place)
    if match is None:
        raise ValueError(f"{act}: {place!r} is no place; write '', 'Div 40', '8-1', '109C..109ZE' or 'sch1 Div 12'")
    first = match["first"] or ""
    schedule = (match["schedule"] or "").lower()
    return Rule(act, schedule, match["division"] or "", first, match["last"] or first, step)


def _key(section: str) -> Key:
    """In the order of the statute book: "109", "109B", "109ZE", "110"; "40-9", "40-10"."""
    return tuple((int(number), letters) for number, letters in re.findall(r"(\d+)([A-Za-z]*)", section))
