"""One commencement cell of Endnote 3: which parts of an Act commenced when. Pure; nothing is worked out or guessed.

A cell holds one or more statements, a line or a semicolon apart, each with an optional scope before a colon:
"Sch 1 (items 1–12): 1 July 2012 (s 2(1) item 3)", "Remainder: Royal Assent". What follows in parentheses says where the
day comes from and is left out. A statement that gives no day keeps its words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from research.corpus.ingest.endnotes.dates import DATE, day_of, days_in
from research.corpus.ingest.endnotes.words import folded, split_outside_parentheses, without_parentheses

_UNITS = r"(?:ss?|Schs?|Schedules?|Parts?|Pts?|items?|regs?|rr?|Divs?|Divisions?|Remainder|Remaining)\b"
_RUN_ON = re.compile(rf"(?:(?<=[)\d])|(?<=Assent)) +(?={_UNITS}[^:;\n]{{0,120}}:)")
_ASSENT = re.compile(r"(?:date of )?(?:the )?Royal Assent|date of assent|(?:day of |date of )?registration", re.I)
_VOID = re.compile(
    r"awaiting commencement|never commenced|not (?:yet )?commenced|uncommenced|(?:did|does|has|have) not commence", re.I
)
_FOOTNOTE = re.compile(r"(?<![\w)])\([a-z]{1,2}\)(?![\w(])")  # what it says of some sections is not in the cell
_AT_A_TIME = re.compile(
    rf"(?:at )?(?:\d{{1,2}}(?:[.:]\d\d)? ?(?:am|pm|a\.m\.|p\.m\.)|noon|midnight)[^;]*?\bon (?P<day>{DATE})", re.I
)


@dataclass(frozen=True, slots=True)
class Rule:
    """What one statement says. scope: "" for the whole Act. day: None where it is not told; `words` then say what is.

    is_void: nothing of the scope has commenced, or ever will.
    """

    scope: str
    day: date | None
    words: str = ""
    is_void: bool = False


def read_commencement(text: str, assent: date | None) -> tuple[Rule, ...]:
    """The rules of a cell, in its order; assent: the day that "Royal Assent" stands for."""
    return tuple(_rule(statement, assent) for statement in _statements(text))


def _statements(text: str) -> list[str]:
    """The statements, with what a line break parted from them put back: a scope before, a source after."""
    joined: list[str] = []
    for line in _RUN_ON.sub("\n", folded(text)).split("\n"):
        last = joined[-1] if joined else ""
        if joined and (last.endswith(":") or line.startswith("(") or last.count("(") > last.count(")")):
            joined[-1] += " " + line
        else:
            joined.append(line)
    return [statement for line in joined for statement in split_outside_parentheses(line, ";")]


def _rule(statement: str, assent: date | None) -> Rule:
    scope, said = _scope(statement)
    plain = without_parentheses(said).strip(" .,")
    if _VOID.search(said):
        return Rule(scope, None, said, is_void=True)
    if _FOOTNOTE.search(said):
        return Rule(scope, None, said)
    if _ASSENT.fullmatch(plain):
        return Rule(scope, assent, "" if assent else said)
    timed = _AT_A_TIME.fullmatch(plain)
    day = day_of(timed["day"] if timed else plain)
    return Rule(scope, day, "" if day else said)


def _scope(statement: str) -> tuple[str, str]:
    """("Sch 1 (items 1–12)", what is said of it); no scope where nothing but a time stands before a colon."""
    parts = split_outside_parentheses(statement, ":")
    if len(parts) < 2 or days_in(parts[0]) or re.fullmatch(r"\d{1,2}", parts[0]):
        return "", statement
    return parts[0], statement[statement.index(":", statement.index(parts[0]) + len(parts[0])) + 1 :].strip()
