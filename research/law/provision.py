"""The law as it stands through time: instruments, compilations, provisions, and their wordings with their days.

Values only. How the days of a wording are worked out from the compilations held is the import's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta

EPOCH = date(1970, 1, 1)

# How the days of a wording are known, as it is said on the page; keys are the design's `dating` values.
DATING_WORDS = {
    "register": "consecutive compilations",
    "endnote": "dated by an endnote",
    "commencement": "dated by its commencement",
    "inferred": "same words in both compilations",
    "unknown": "read from one compilation",
}


@dataclass(frozen=True, slots=True)
class InForce:
    """The days on which a wording is the law; half-open. ends None: no end known.

    Raises ValueError when it would hold no day.
    """

    starts: date
    ends: date | None

    def __post_init__(self) -> None:
        if self.ends is not None and self.ends <= self.starts:
            raise ValueError(
                f"in force from {self.starts} to {self.ends} holds no day; the end must come after the start"
            )

    def covers(self, day: date) -> bool:  # half-open, so adjoining wordings never both answer
        return self.starts <= day and (self.ends is None or day < self.ends)

    def overlaps(self, first: date, last: date) -> bool:
        """Whether any day from `first` to `last`, both included, lies in it."""
        return self.starts <= last and (self.ends is None or first < self.ends)

    def contains(self, other: InForce) -> bool:
        if other.starts < self.starts:
            return False
        return self.ends is None or (other.ends is not None and other.ends <= self.ends)


@dataclass(frozen=True, slots=True)
class Instrument:
    """An Act, regulation, ruling or guidance document. is_fictional: written for the product, no law anywhere."""

    code: str
    title: str
    is_fictional: bool = False


@dataclass(frozen=True, slots=True)
class Compilation:
    instrument: Instrument
    number: str
    dated: date
    register_id: str
    source_uri: str = ""


@dataclass(frozen=True, slots=True)
class Provision:
    """A section, clause or paragraph with its identity through time. schedule: "" for the body of the Act."""

    instrument: str
    section: str
    schedule: str = ""

    @property
    def authority(self) -> str:
        return f"{self.instrument} {place_of(self.section, self.schedule)}"


@dataclass(frozen=True, slots=True)
class ProvisionVersion:
    """One wording. certain: the days these words are known to have been the law; possible: may have been.

    Raises ValueError unless certain lies within possible.
    """

    provision: Provision
    heading: str
    text: str
    certain: InForce
    possible: InForce
    dating: str
    compilation: Compilation
    path: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if not self.possible.contains(self.certain):
            raise ValueError(
                f"{self.provision.authority}: certain {self.certain} is not within possible {self.possible}; "
                "a wording cannot be certain on a day on which it is not even possible"
            )


def place_of(section: str, schedule: str) -> str:
    """ "s 8-1", "sch 1 s 12-35"; a part of a schedule that has no sections is named as it is: "Sch 7 Pt I"."""
    if section.startswith("Sch "):
        return section
    return f"sch {schedule} s {section}" if schedule else f"s {section}"


def days_since_epoch(day: date) -> int:
    """Days from 1 January 1970 to `day`; negative before it."""
    return (day - EPOCH).days


def day_from_epoch(days: int) -> date:
    """The inverse of `days_since_epoch`. Raises OverflowError outside the calendar of years 1 to 9999."""
    return EPOCH + timedelta(days=days)


def in_words(day: date) -> str:
    """ "22 June 2015", as dates are written on every page."""
    return f"{day.day} {day:%B} {day.year}"


def describe_range(certain_from: date, certain_to: date | None, dating: str) -> str:
    """ "in force at least 22 June 2015 – 1 January 2024 · same words in both compilations".

    certain_to: half-open, as everywhere; the last day that is certain is the one shown. None: no end known.
    """
    days = describe_days(certain_from, certain_to)
    is_one_day = certain_to is not None and certain_to - certain_from == timedelta(days=1)
    return days if is_one_day else f"{days} · {DATING_WORDS.get(dating, dating)}"


def describe_days(certain_from: date, certain_to: date | None) -> str:
    """The same without how it is known, where there is no room for that."""
    if certain_to is None:
        return f"in force since at least {in_words(certain_from)}"
    last = certain_to - timedelta(days=1)
    if last <= certain_from:
        return f"in force on {in_words(certain_from)}, the date of its compilation"
    return f"in force at least {in_words(certain_from)} – {in_words(last)}"
