"""A recorded figure as its page shows it: the value large, its days, who sets it, and how far it is proved."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from research.decision.words import days
from research.presentation.quotes import pin_of
from research.terms import FigureStatus

BAND = re.compile(r"(\S+%) of (\$[\d,.]+) = (\$[\d,.]+)")  # how a band of a scale is written as an input


@dataclass(frozen=True, slots=True)
class InputLine:
    """One input of a figure worked out: a band of income, a rate, the amount in the question."""

    name: str
    value: str
    set_by: str


@dataclass(frozen=True, slots=True)
class Workings:
    """How a figure comes about, as a table: its head, its rows, and the last row, which is the figure itself."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FigureView:
    """badge: how far it is proved, in words. instrument and pin: of the provision, "" where no text of its Act is held.

    set_by: the provision as cited, with what stands after its section. number: among the sources of a conversation,
    0 where they are not numbered.
    """

    name: str
    value: str
    days: str
    set_by: str
    instrument: str
    pin: str
    query: str
    badge: str
    is_verified: bool
    note: str
    formula: str
    inputs: tuple[InputLine, ...]
    number: int = 0
    source: str = ""

    @property
    def workings(self) -> Workings:
        """The row of the ledger, or the inputs of a figure worked out; of tax on an income a row for each band."""
        bands = [BAND.fullmatch(each.value) for each in self.inputs]
        if bands and all(bands):
            rows = [(each.name, *band.groups()) for each, band in zip(self.inputs, bands, strict=True) if band]
            return Workings(
                ("Band of income", "Rate", "Part in the band", "Tax"), tuple(rows), ("Tax", "", "", self.value)
            )
        if self.inputs:
            rows = [(each.name, each.value, each.set_by) for each in self.inputs]
            return Workings(("Input", "Value", "Set by"), tuple(rows), (self.name, self.value, self.set_by))
        proof = "Verified in text" if self.is_verified else "Recorded"
        row = (self.name, self.days, self.set_by, proof)
        return Workings(("Row of the ledger", "Holds", "Set by", "Proof"), (row,), ("Value", self.value, "", ""))


def figure_of(figure: Mapping[str, Any], as_at: str, held: Collection[str]) -> FigureView:
    """What to show of `figure`. held: the codes of the Acts that were searched; a link into any other leads nowhere."""
    act, is_verified = str(figure["act"]), figure["status"] == FigureStatus.VERIFIED.value
    ends = date.fromisoformat(figure["ends"]) if figure.get("ends") else None
    return FigureView(
        name=str(figure["name"]),
        value=str(figure["value"]),
        days=days(date.fromisoformat(figure["starts"]), ends),
        set_by=str(figure["set_by"]),
        instrument=act if act in held else "",
        pin=_pin(figure) if act in held else "",
        query=urlencode({"as_at": as_at}),
        badge=badge_of(figure),
        is_verified=is_verified,
        note=str(figure.get("note") or ""),
        formula=str(figure.get("formula") or ""),
        inputs=tuple(
            InputLine(str(each["name"]), str(each["value"]), str(each["set_by"])) for each in figure.get("inputs") or ()
        ),
        source="" if is_verified else str(figure.get("source") or ""),
    )


def badge_of(figure: Mapping[str, Any]) -> str:
    """ "Verified in text", "Recorded, not verified in text. Published in: …"."""
    worked = "Worked out from figures " if figure.get("formula") else ""
    if figure["status"] == FigureStatus.VERIFIED.value:
        return f"{worked}verified in text" if worked else "Verified in text"
    said = f"{worked}recorded, not verified in text" if worked else "Recorded, not verified in text"
    return f"{said}. Published in: {figure['source']}" if figure.get("source") else said


def figure_lines(figure: Mapping[str, Any]) -> list[str]:
    """The figure as plain text, for the command line."""
    ends = date.fromisoformat(figure["ends"]) if figure.get("ends") else None
    lines = [f"{figure['name']}: {figure['value']}"]
    lines.append(f"  {days(date.fromisoformat(figure['starts']), ends)} · set by {figure['set_by']}")
    lines.append(f"  {badge_of(figure)}")
    lines += [f"  {figure['note']}"] if figure.get("note") else []
    lines += [f"  {figure['formula']}"] if figure.get("formula") else []
    lines += [f"    {each['name']}: {each['value']}" for each in figure.get("inputs") or ()]
    return lines


def _pin(figure: Mapping[str, Any]) -> str:
    """Where its provision stands; a part of a Schedule without sections is named by its words: "sch-7-pt-i"."""
    section = str(figure["section"])
    return section.lower().replace(" ", "-") if section.startswith("Sch ") else pin_of(figure)
