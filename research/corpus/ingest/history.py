"""What the endnotes of a compilation say of a provision: when it began, and what was done to it since, by which Act.

Pure values. `endnotes` reads them out of the tables; `date.py` narrows the days of wordings by them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

Address = tuple[str, str]
"""(schedule, section): "" for the body; "1", "12-35" in TAA53 Schedule 1."""


class Effect(StrEnum):
    """What an event did. BEGAN: the provision was in the Act as made, and began with it."""

    BEGAN = "began"
    ADDED = "ad"
    AMENDED = "am"
    SUBSTITUTED = "rs"
    REPEALED = "rep"
    EXPIRED = "exp"
    RENUMBERED = "renum"
    RELOCATED = "reloc"
    EDITORIAL = "ed"
    MODIFIED = "mod"  # not textual: the words stay


MAY_BE_PENDING = "underlined, or named on the cover as not commenced: may not have commenced"
"""What is unresolved of an event that stands in the endnotes, and may still be to come, in part or as a whole."""

BEGINNINGS = frozenset({Effect.BEGAN, Effect.ADDED})
ENDS = frozenset({Effect.REPEALED, Effect.EXPIRED})


@dataclass(frozen=True, slots=True)
class Event:
    """One thing done to a provision.

    act: who did it ("No 66, 2003"; "SLI No 78, 2015"; "C95" of an editorial change). days: those on which it may have
    commenced, in order: one is exact, several an ambiguous set, none an unresolved commencement. unresolved: its words
    as published, where days is empty or incomplete ("the day after the end of 6 months…", "not in Endnote 3").
    assent: when the Act was assented to (or the instrument registered), None where not known. is_applied: false for
    what the endnote says had no effect on the text, or that has not commenced.
    """

    effect: Effect
    act: str
    days: tuple[date, ...] = ()
    unresolved: str = ""
    assent: date | None = None
    is_applied: bool = True

    @property
    def is_exact(self) -> bool:
        return len(self.days) == 1 and not self.unresolved

    @property
    def is_retrospective(self) -> bool:
        """Whether it is known to have commenced before it was law."""
        return self.assent is not None and any(day < self.assent for day in self.days)


@dataclass(frozen=True, slots=True)
class ApplicationNote:
    """That an amendment applies from some time on, stated elsewhere: noted, never guessed.

    act: as in an event. refers_to: the last column of Endnote 3 as published ("Sch 1 (item 12)").
    """

    act: str
    refers_to: str


@dataclass(frozen=True, slots=True)
class History:
    """All that the endnotes of one compilation say.

    events: by address, in the order in which they took effect on the text as far as that is known (the endnote's own
    order). Every provision of the text has an entry: one that no row of Endnote 4 names was never amended and has its
    beginning alone. Repealed provisions have theirs too. unread: rows kept as published because nothing in the text
    is named by them for certain ("Division 2 hdg …").
    """

    events: Mapping[Address, tuple[Event, ...]]
    applications: tuple[ApplicationNote, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stated:
    """Days on which a text was in force as its publisher says: half-open, None is no end known.

    by: how the page says it: "the Register's own dates", "its date of effect". is_exhaustive: on no other day can the
    text have been in force (a ruling's period); the Register's window of a compilation does not say that of a section.
    """

    starts: date
    ends: date | None
    by: str = ""
    is_exhaustive: bool = False
