"""A recorded outcome, as every surface receives it, turned into what the answer's templates show.

Reads the JSON of `research.outcome_json` and nothing else, so that an answer recorded last year is shown from
its record and not from the corpus of today.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from research.law.income_year import IncomeYear
from research.presentation import words
from research.presentation.law_text import Line, lines_of

FIXED_PROSE = re.compile(
    r"(?:(?:Limit|Definition|Guide material) in |(?:Note|Example) to )?(?P<place>.+?)(?: says)?(?P<part>, in part)?:"
)
TWICE = re.compile(r"^(.+) \(\1\)$")  # "FY2019 (FY2019)"
NOT_ADVICE = "Not tax advice: a registered tax agent reviews every output."


@dataclass(frozen=True, slots=True)
class YearChip:
    """The time asked about. label: "FY2015"; span: its days; how: where it was read, "" when it was picked."""

    label: str
    span: str
    how: str
    year: int
    as_at: str


@dataclass(frozen=True, slots=True)
class Cited:
    """One verified quote, where it stands, and what its copy buttons put on the clipboard."""

    authority: str
    act_title: str
    heading: str
    instrument: str
    pin: str
    query: str
    lines: tuple[Line, ...]
    in_force: str
    dating: str
    role: str
    quote: str
    citation: str
    compilation: str

    @property
    def quote_with_citation(self) -> str:
        return f"“{self.quote}”\n{self.citation}"


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """One sentence with its quotes. kind: rule, limit, definition or note; label says so in words.

    lead_in: where it stands, "ITAA97 s 8-1(1)". prose is "" when it says no more than lead_in and label do.
    """

    lead_in: str
    prose: str
    kind: str
    label: str
    cited: tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class ReadingLine:
    """A provision worth reading, and the version to open. known: the days on which its words are known."""

    authority: str
    heading: str
    instrument: str
    pin: str
    query: str
    note: str
    known: str
    version_id: int


@dataclass(frozen=True, slots=True)
class StageLine:
    """A step of the road: state is "waiting", "running" or "done"."""

    stage: str
    name: str
    state: str
    detail: str
    time: str


@dataclass(frozen=True, slots=True)
class AnswerView:
    """All that a finished question shows."""

    tone: str
    badge: str
    chip: YearChip | None
    elapsed: str
    provider: str
    mode: str
    message: str
    next_step: str
    claims: tuple[ShownClaim, ...]
    reading: tuple[ReadingLine, ...]
    candidates: tuple[str, ...]
    dropped: tuple[str, ...]
    degraded: tuple[str, ...]
    stages: tuple[StageLine, ...]
    snapshot: str
    searched: str
    compilations: tuple[str, ...]
    attribution: str

    @property
    def not_advice(self) -> str:
        """The sentence that every answer carries, "" where its attribution ends with it."""
        return "" if NOT_ADVICE in self.attribution else NOT_ADVICE

    @property
    def further(self) -> tuple[ReadingLine, ...]:
        """What is worth reading beyond what is quoted, and beyond the two sides of a gap."""
        shown = {cited.authority for claim in self.claims for cited in claim.cited}
        return tuple(line for line in self.reading if line.authority not in shown and line not in self.sides_to_compare)

    @property
    def sides_to_compare(self) -> tuple[ReadingLine, ...]:
        """The wordings either side of a gap, when exactly two wordings of one provision are listed."""
        first = self.reading[:1]
        pair = tuple(line for line in self.reading if first and line.authority == first[0].authority)
        return pair if len(pair) == 2 else ()


def answer_view(outcome: Mapping[str, Any]) -> AnswerView:
    """What to show of `outcome`."""
    decision = str(outcome.get("decision", ""))
    chip = year_chip(outcome.get("time"))
    snapshot = outcome.get("snapshot") or {}
    stages = tuple(_stage(stage) for stage in outcome.get("stages", ()))
    as_at = chip.as_at if chip else ""
    return AnswerView(
        tone=words.tone_of(decision),
        badge=words.decision_words(decision),
        chip=chip,
        elapsed=words.milliseconds(sum(float(stage["ms"]) for stage in outcome.get("stages", ()))) if stages else "",
        provider=provider_words(str(outcome.get("provider", "")), str(outcome.get("model", ""))),
        mode=mode_words(str(snapshot.get("mode", ""))),
        message=_without_badge(str(outcome.get("message", ""))),
        next_step=str(outcome.get("next_step", "")),
        claims=tuple(_claim(claim, as_at) for claim in outcome.get("claims", ())),
        reading=tuple(_reading(line, as_at) for line in outcome.get("reading_list", ())),
        candidates=tuple(TWICE.sub(r"\1", str(candidate)) for candidate in outcome.get("candidates", ())),
        dropped=tuple(map(str, outcome.get("dropped", ()))),
        degraded=tuple(map(str, snapshot.get("degraded", ()))),
        stages=stages,
        snapshot=str(snapshot.get("snapshot_id", "")),
        searched=f"{int(snapshot['passages_in_force']):,} passages in force" if snapshot else "",
        compilations=tuple(map(str, snapshot.get("compilations", ()))),
        attribution=str(outcome.get("attribution", "")),
    )


def year_chip(time: Mapping[str, Any] | None) -> YearChip | None:
    """The chip for a resolved time; None when no time was resolved."""
    if not time:
        return None
    year = IncomeYear(int(time["year"]))
    first, last = (date.fromisoformat(time["window"][key]) for key in ("first", "last"))
    source, read_from = str(time.get("source", "")), str(time.get("read_from", ""))
    how = f"read from “{read_from}”" if source == "question" and read_from else ""
    how = "today’s year" if source == "today" else how
    if first == last:
        return YearChip(words.long_date(first), f"in {year.label}", how, year.year, first.isoformat())
    return YearChip(
        year.label, f"{words.short_date(first)} – {words.short_date(last)}", how, year.year, as_at=year.label
    )


def waiting_stages() -> tuple[StageLine, ...]:
    """The six steps before any has started: what a running question reserves its space with."""
    return tuple(StageLine(stage, name, "waiting", "", "") for stage, name in words.STAGES.items())


def provider_words(provider: str, model: str) -> str:
    if provider == "extractive":
        return "Quoted words only, no model"
    return " · ".join(part for part in (provider, model) if part)


def mode_words(mode: str) -> str:
    return {"hybrid": "Hybrid search", "lexical": "Search by words only"}.get(mode, mode)


def pin_of(section: str, schedule: str) -> str:
    """The last part of a provision's address: "8-1", or "sch1/12-35" inside a schedule."""
    return f"sch{schedule}/{section}" if schedule else section


def authority_of(act: str, section: str, schedule: str) -> str:
    """ITAA97 s 8-1; TAA53 sch 1 s 12-35."""
    inside = f"sch {schedule} " if schedule else ""
    return f"{act} {inside}s {section}"


def _stage(stage: Mapping[str, Any]) -> StageLine:
    name = str(stage["stage"])
    return StageLine(
        name,
        words.STAGES_SHORT.get(name, name),
        "done",
        str(stage.get("detail", "")),
        words.milliseconds(float(stage["ms"])),
    )


def _claim(claim: Mapping[str, Any], as_at: str) -> ShownClaim:
    kind, prose = str(claim.get("kind", "rule")), str(claim.get("prose", ""))
    cited = tuple(_cited(citation, as_at) for citation in claim.get("citations", ()))
    authority = cited[0].authority if cited else ""
    label = words.KINDS.get(kind, "") or (cited[0].role if cited else "")
    fixed = FIXED_PROSE.fullmatch(prose)
    if fixed and fixed["place"].startswith(authority):
        label = " · ".join(part for part in (label, "in part" if fixed["part"] else "") if part)
        return ShownClaim(fixed["place"], "", kind, label, cited)
    return ShownClaim(authority, prose, kind, label, cited)


def _cited(citation: Mapping[str, Any], as_at: str) -> Cited:
    act, section = str(citation["act"]), str(citation["section"])
    schedule = str(citation.get("schedule") or "")
    starts, ends = date.fromisoformat(citation["in_force_from"]), _date(citation.get("in_force_to"))
    compiled = date.fromisoformat(citation["compilation_date"])
    quote, heading = str(citation["quote"]), str(citation.get("heading", ""))
    inside = f"sch {schedule} " if schedule else ""
    register_id = str(citation.get("register_id", ""))
    compilation = f"compilation of {words.long_date(compiled)}" + (f" ({register_id})" if register_id else "")
    query = {
        "as_at": as_at or compiled.isoformat(),
        "version": citation["version_id"],
        "quote_start": citation["start_chars"],
        "quote_end": citation["end_chars"],
    }
    return Cited(
        authority=authority_of(act, section, schedule),
        act_title=str(citation.get("act_title", "")),
        heading=heading,
        instrument=act,
        pin=pin_of(section, schedule),
        query=urlencode(query),
        lines=lines_of(quote),
        in_force=words.in_force_words(starts, ends),
        dating=words.dating_words(str(citation.get("dating", "")), starts, ends),
        role=words.ROLES.get(str(citation.get("role", "")), ""),
        quote=quote,
        citation=f"{citation.get('act_title') or act} {inside}s {section} ({heading}), {compilation}",
        compilation=compilation,
    )


def _reading(line: Mapping[str, Any], as_at: str) -> ReadingLine:
    schedule = str(line.get("schedule") or "")
    starts = _date(line.get("certain_from"))
    opened = as_at if "gap" not in str(line.get("note", "")) or starts is None else starts.isoformat()
    return ReadingLine(
        authority_of(str(line["act"]), str(line["section"]), schedule),
        str(line.get("heading", "")),
        str(line["act"]),
        pin_of(str(line["section"]), schedule),
        urlencode({"as_at": opened, "version": line["version_id"]}),
        str(line.get("note", "")),
        words.in_force_words(starts, _date(line.get("certain_to"))) if starts else "",
        int(line["version_id"]),
    )


def _without_badge(message: str) -> str:
    """The sentence without the "Not answered: " that the badge above it has just said."""
    rest = message.removeprefix("Not answered: ")
    return f"{rest[:1].upper()}{rest[1:]}"


def _date(value: Any) -> date | None:
    return date.fromisoformat(value) if value else None
