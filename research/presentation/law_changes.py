"""What has become known of the law since answers were recorded, in words that say what changed and judge nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from urllib.parse import urlencode

from research.changes import Kind, LawChange, Touched
from research.law.provision import authority_of, in_words
from research.models import Answer

BADGES = {
    Kind.SUPERSEDED: "Changed later",
    Kind.CEASED: "No longer the law",
    Kind.OTHER_WORDS: "Corrected",
    Kind.OTHER_TOO: "Corrected",
    Kind.UNCERTAIN: "Corrected",
    Kind.CERTAIN: "Now certain",
}


@dataclass(frozen=True, slots=True)
class TouchedLine:
    """An answer that rests on words from before a change, on one line."""

    number: int
    question: str
    year_label: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One change. compare: the query of the provision's page that shows what changed; more: answers not listed."""

    version: int
    authority: str
    instrument: str
    pin: str
    heading: str
    title: str
    badge: str
    is_correction: bool
    says: str
    known_since: datetime
    count: str
    compare: str
    compare_label: str
    lines: tuple[TouchedLine, ...]
    more: int


def notice_of(told: Touched) -> str:
    """The quiet line of the Research page; "" when there is nothing to tell."""
    if not told.answers:
        return ""
    return f"{told.answers:,} of your answers {_rest(told)}."


def summary_line(told: Touched) -> str:
    """The same for a command: "3 answers rest on words that changed on 1 July 2025"."""
    return f"{told.answers:,} {'answer' if told.answers == 1 else 'answers'} {_rest(told)}"


def change_view(change: LawChange, answers: Mapping[int, Answer]) -> ChangeView:
    """What to show of a change. answers: at least those that it names, by id."""
    lines = tuple(_line(answers[pk]) for pk in change.answer_ids if pk in answers)
    return ChangeView(
        version=change.cited_version,
        authority=authority_of(change.instrument, change.section, change.schedule, change.instrument_title),
        instrument=change.instrument,
        pin=change.pin,
        heading=change.heading,
        title=change.instrument_title,
        badge=BADGES[change.kind],
        is_correction=change.kind not in (Kind.SUPERSEDED, Kind.CEASED),
        says=_says(change),
        known_since=change.known_since,
        count="1 answer" if change.answers == 1 else f"{change.answers:,} answers",
        compare=urlencode(_address(change)),
        compare_label="What changed" if change.now_version is not None else "The words quoted",
        lines=lines,
        more=change.answers - len(lines),
    )


def _address(change: LawChange) -> dict[str, str | int]:
    """Where the provision's page shows what changed: from the words quoted to those known now.

    It lists what is known now and the one wording asked for, so that words that were never law can only be that one.
    """
    at: dict[str, str | int] = {"as_at": change.as_at.isoformat()}
    if change.now_version is None:
        return at | {"version": change.cited_version}
    if change.same_version is None:
        return at | {"version": change.cited_version, "compare": change.now_version}
    return at | {"version": change.now_version, "compare": change.same_version}


def _says(change: LawChange) -> str:
    when = _when(change.changed_from, change.changed_to)
    match change.kind:
        case Kind.SUPERSEDED:
            return f"The words changed {when}, after the days asked about."
        case Kind.CEASED:
            return f"The words ceased to be law {when}, and none took their place."
        case Kind.OTHER_WORDS:
            return "Other words than those quoted are now known to have been the law on the days asked about."
        case Kind.OTHER_TOO:
            return "Other words are now known to have been the law on some of the days asked about."
        case Kind.UNCERTAIN:
            return "It is not certain any more that these words were the law on the days asked about."
        case Kind.CERTAIN:
            return "It is certain now that these words were the law on the days asked about."


def _when(first: date | None, last: date | None) -> str:
    """On which day, or between which two: half-open, so that the same day twice is that day."""
    if last is None:
        return "on a day that is not known"
    if first is None:
        return f"by {in_words(last)}"
    if first >= last:
        return f"on {in_words(last)}"
    return f"between {in_words(first)} and {in_words(last)}"


def _line(answer: Answer) -> TouchedLine:
    return TouchedLine(
        number=answer.audit.number,
        question=answer.question.text,
        year_label=f"FY{answer.income_year}" if answer.income_year else "",
        recorded_at=answer.decided_at,
    )


def _rest(told: Touched) -> str:
    rest = "rests on words" if told.answers == 1 else "rest on words"
    if told.changed_on:
        return f"{rest} that changed on {in_words(told.changed_on)}"
    if told.changed == told.answers:
        return f"{rest} that have changed"
    return f"{rest} of which more is known now"
