"""What a field stands at after what people decided on it, and where that comes from.

A value is as it was read, one of the readings that were left open, or what somebody typed. A decision that names any
other value does not count: nothing comes in by the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from clients.extraction.layout import Row
from clients.extraction.terms import Box, FoundField, Name, Page
from clients.extraction.typed import find_value, is_normal

NOWHERE = Box(0, 0, 0, 0)


class Act(StrEnum):
    """What was decided; spelt as the table of decisions has it."""

    ACCEPTED = "accepted"
    CORRECTED = "corrected"
    EMPTIED = "emptied"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class Decision:
    """One act on one field. value: normalised; "" where the act needs none."""

    field: str
    act: Act
    value: str = ""


class Origin(StrEnum):
    """Where a value comes from."""

    READ = "read"  # also one of several readings that was chosen
    TYPED = "typed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Standing:
    """found: the value with the words that say it; page 0 for one typed that stands on no page; None for no value."""

    found: FoundField | None
    origin: Origin
    decision: Decision | None = None

    @property
    def value(self) -> str:
        return self.found.value if self.found else ""


def newest(decisions: Iterable[Decision]) -> dict[str, Decision]:
    """The newest decision on each field, those left out that were taken back."""
    found: dict[str, Decision] = {}
    for decision in decisions:
        if decision.act is Act.RESET:
            found.pop(decision.field, None)
        else:
            found[decision.field] = decision
    return found


def stands_as(
    name: Name, read: FoundField | None, decisions: Sequence[Decision], pages: Sequence[Page], rows: Sequence[Row]
) -> Standing:
    """What the field stands at. decisions: on whatever fields, in the order they were made. rows: of the pages."""
    as_read = Standing(read, Origin.READ if read else Origin.NONE)
    now = as_read
    for decision in decisions:
        if decision.field == name:
            now = as_read if decision.act is Act.RESET else _after(now, decision, name, read)
    if now.origin is Origin.TYPED and now.found is not None:
        return replace(now, found=_placed(now.found, read, pages, rows))
    return now


def _after(now: Standing, decision: Decision, name: Name, read: FoundField | None) -> Standing:
    """What stands after one decision; the same as before where it does not count."""
    if decision.act is Act.EMPTIED:
        return Standing(None, Origin.NONE, decision)
    if decision.act is Act.CORRECTED:
        if not is_normal(name, decision.value):
            return now
        return Standing(FoundField(name, decision.value, "", 0, NOWHERE, "typed"), Origin.TYPED, decision)
    if not decision.value:
        return now
    if decision.value == now.value:
        return replace(now, decision=decision)
    readings = [each.value for each in read.alternatives] if read else []
    if read is not None and decision.value in (read.value, *readings):
        return Standing(_chosen(read, decision.value), Origin.READ, decision)
    return now


def _chosen(read: FoundField, value: str) -> FoundField:
    """The field at one of its readings."""
    for other in read.alternatives:
        if other.value == value:
            return replace(read, value=value, raw=other.raw, page=other.page, region=other.region)
    return read


def _placed(typed: FoundField, read: FoundField | None, pages: Sequence[Page], rows: Sequence[Row]) -> FoundField:
    """What was typed, with the words that say it: those that were read, if they do, else the first on the pages."""
    if read is not None and typed.value in (read.value, *(each.value for each in read.alternatives)):
        return replace(_chosen(read, typed.value), how="typed")
    place = find_value(typed.name, typed.value, pages, rows)
    if place is None:
        return typed
    return replace(typed, raw=place.raw, page=place.page, region=place.region, confidence=place.confidence)
