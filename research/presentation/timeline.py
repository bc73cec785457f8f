"""The strip of a provision's wordings through time, as numbers that an SVG can take: per cent from the left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from research.law.provision import ALWAYS, describe_days, in_words
from research.presentation import words

NARROWEST_PERCENT = 1.2  # one day among twenty years is still to be seen
LABEL_PERCENT = 14.0  # a narrower segment cannot hold its label on a phone
TICK_PERCENT = 13.0  # dates closer than this would run into one another
PHONE_TICK_PERCENT = 26  # a date is some 90 of the 358 pixels of a phone's strip


@dataclass(frozen=True, slots=True)
class Wording:
    """A version as the strip needs it; ranges are half-open and None means without a known end or beginning."""

    version_id: int
    name: str
    certain_from: date
    certain_to: date | None
    possible_from: date | None = None
    possible_to: date | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """kind: "held" (a known wording) or "gap" (not known). label is "" where it would not fit."""

    kind: str
    x: float
    width: float
    label: str
    version_id: int | None
    is_shown: bool
    says: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A date under the strip. is_crowded: too near the one before it for a phone."""

    x: float
    label: str
    anchor: str
    is_crowded: bool = False


@dataclass(frozen=True, slots=True)
class Strip:
    segments: tuple[Segment, ...]
    ticks: tuple[Tick, ...]
    asked_x: float | None
    asked_width: float
    asked_label: str
    asked_anchor: str
    says: str


def strip_of(
    wordings: Sequence[Wording], asked: tuple[date, date], asked_label: str, shown: int | None, today: date
) -> Strip:
    """The strip for `wordings`, with the days asked about marked; today bounds a wording that has not ended."""
    ordered = sorted(wordings, key=lambda w: (w.certain_from, w.version_id))
    # A text that applies at any time has no first day: the strip begins with the days that there are.
    starts = min([w.certain_from for w in ordered if w.certain_from != ALWAYS] + [asked[0]])
    ends = max([w.certain_to or today for w in ordered] + [asked[1]])
    days = max((ends - starts).days, 1)

    def at(day: date) -> float:
        return round(min(max((day - starts).days / days * 100, 0.0), 100.0), 2)

    segments: list[Segment] = []
    edges: list[date] = []
    for index, wording in enumerate(ordered):
        left, right = at(wording.certain_from), at(wording.certain_to) if wording.certain_to else 100.0
        left = min(left, 100.0 - NARROWEST_PERCENT)
        width = max(right - left, NARROWEST_PERCENT)
        label = wording.name if width >= LABEL_PERCENT else ""
        said = f"{wording.name}: {describe_days(wording.certain_from, wording.certain_to)}"
        is_shown = wording.version_id == shown
        segments.append(Segment("held", left, round(width, 2), label, wording.version_id, is_shown, said))
        if wording.certain_from != ALWAYS:
            edges.append(wording.certain_from)
        following = ordered[index + 1] if index + 1 < len(ordered) else None
        last = words.last_day(wording.certain_to)
        if last and not (following and following.certain_from == wording.certain_to):
            edges.append(last)
        if following and wording.certain_to and wording.certain_to < following.certain_from:
            said = f"wording not known from {in_words(wording.certain_to)} until {in_words(following.certain_from)}"
            segments.append(_gap(round(left + width, 2), at(following.certain_from), said))
    segments = [*_gap_before(ordered, starts, at), *segments, *_gap_after(ordered, ends, at, segments)]
    asked_left, asked_right = min(at(asked[0]), 99.6), at(asked[1])
    return Strip(
        tuple(segments),
        _ticks([(at(day), words.short_date(day)) for day in sorted(set(edges))]),
        asked_left,
        round(max(asked_right - asked_left, 0.4), 2),
        asked_label,
        "end" if asked_left > 70 else "start",
        "; ".join(segment.says for segment in segments),
    )


def _gap(left: float, right: float, said: str) -> Segment:
    width = round(right - left, 2)
    label = "wording not known" if width >= LABEL_PERCENT * 1.6 else ""
    return Segment("gap", left, max(width, 0.6), label, None, False, said)


def _gap_before(ordered: Sequence[Wording], starts: date, at: Callable[[date], float]) -> list[Segment]:
    """The days asked about before the first wording, as far back as it may have been the law."""
    first = ordered[0] if ordered else None
    since = max(starts, first.possible_from or starts) if first else starts
    if first is None or since >= first.certain_from:
        return []
    left, right = at(since), min(at(first.certain_from), 100.0 - NARROWEST_PERCENT)
    return [_gap(left, right, f"wording not known until {in_words(first.certain_from)}")] if right - left > 0.6 else []


def _gap_after(
    ordered: Sequence[Wording], ends: date, at: Callable[[date], float], drawn: Sequence[Segment]
) -> list[Segment]:
    """The days asked about after the last wording, as long as it may have been the law."""
    last = ordered[-1] if ordered else None
    if last is None or last.certain_to is None:
        return []
    until = min(ends, last.possible_to or ends)
    left, right = round(drawn[-1].x + drawn[-1].width, 2), at(until)
    return [_gap(left, right, f"wording not known from {in_words(last.certain_to)}")] if right - left > 0.6 else []


def _ticks(marks: Sequence[tuple[float, str]]) -> tuple[Tick, ...]:
    """As many dates as stand clear of one another, the outermost first."""
    kept: list[tuple[float, str]] = []
    for mark in [*marks[:1], *marks[-1:], *marks[1:-1]]:
        if all(abs(mark[0] - other[0]) >= TICK_PERCENT for other in kept):
            kept.append(mark)
    ticks: list[Tick] = []
    roomy = float(-PHONE_TICK_PERCENT)
    for x, label in sorted(kept):
        is_crowded = x - roomy < PHONE_TICK_PERCENT
        roomy = roomy if is_crowded else x
        ticks.append(Tick(x, label, "start" if x < 8 else "end" if x > 92 else "middle", is_crowded))
    return tuple(ticks)
