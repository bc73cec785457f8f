"""A recorded outcome, as every surface receives it, turned into what the answer's templates show.

Reads the JSON of `research.outcome_json` and nothing else, so that an answer recorded last year is shown from
its record and not from the corpus of today.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from research.law.income_year import IncomeYear
from research.law.provision import in_words, place_of
from research.presentation import words
from research.presentation.absent import absent_from
from research.presentation.law_text import Line, lines_of, with_gaps
from research.presentation.meant import Candidate, question_of_provision, years_meant

FIXED_PROSE = re.compile(
    r"(?:(?:Limit|Definition|Guide material) in |(?:Note|Example) to )?(?P<place>.+?)(?: says)?(?P<part>, in part)?:"
)
NOT_ADVICE = "Not tax advice: a registered tax agent reviews every output."
COMPILATION = re.compile(r"(?P<code>.+?) (?P<day>\d{4}-\d{2}-\d{2})(?: (?P<id>\S+))?\s*")
LEFT_OUT = "[…]"
LINE_END_CHARS = 2  # quotes no further apart than the end of a line follow one another without a gap


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
    """Verified quotes of one wording that follow one another, where they stand, and what is copied of them."""

    authority: str
    act_title: str
    heading: str
    instrument: str
    pin: str
    query: str
    lines: tuple[Line, ...]
    in_force: str
    absent: str
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

    @property
    def place(self) -> tuple[str, str]:
        return self.instrument, self.pin


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
    candidates: tuple[Candidate, ...]
    dropped: tuple[str, ...]
    degraded: tuple[str, ...]
    stages: tuple[StageLine, ...]
    snapshot: str
    searched: str
    compilations: tuple[str, ...]
    attribution: str

    @property
    def not_advice(self) -> str:
        """The sentence that every answer carries."""
        return NOT_ADVICE

    @property
    def further(self) -> tuple[ReadingLine, ...]:
        """What is worth reading beyond what is quoted, the two sides of a gap, and what could be meant."""
        shown = {(cited.instrument, cited.pin) for claim in self.claims for cited in claim.cited}
        shown |= {(candidate.instrument, candidate.pin) for candidate in self.candidates}
        return tuple(line for line in self.reading if line.place not in shown and line not in self.sides_to_compare)

    @property
    def sides_to_compare(self) -> tuple[ReadingLine, ...]:
        """The wordings either side of a gap, when exactly two wordings of one provision are listed."""
        first = self.reading[:1]
        pair = tuple(line for line in self.reading if first and line.place == first[0].place)
        return pair if len(pair) == 2 else ()


def answer_view(outcome: Mapping[str, Any]) -> AnswerView:
    """What to show of `outcome`."""
    decision = str(outcome.get("decision", ""))
    chip = year_chip(outcome.get("time"))
    snapshot = outcome.get("snapshot") or {}
    stages = tuple(_stage(stage) for stage in outcome.get("stages", ()))
    as_at = chip.as_at if chip else ""
    reading = tuple(_reading(line, as_at) for line in outcome.get("reading_list", ()))
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
        reading=reading,
        candidates=_candidates(outcome, reading, chip),
        dropped=tuple(map(str, outcome.get("dropped", ()))),
        degraded=tuple(map(str, snapshot.get("degraded", ()))),
        stages=stages,
        snapshot=str(snapshot.get("snapshot_id", "")),
        searched=f"{int(snapshot['passages_in_force']):,} passages in force" if snapshot else "",
        compilations=tuple(_compilation_words(str(each)) for each in snapshot.get("compilations", ())),
        attribution=str(outcome.get("attribution", "")).replace(NOT_ADVICE, "").strip(),
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
        return YearChip(in_words(first), f"in {year.label}", how, year.year, first.isoformat())
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


def pin_of(recorded: Mapping[str, Any]) -> str:
    """The last part of a provision's address, as recorded; worked out where an older record does not hold it."""
    if pin := recorded.get("pin"):
        return str(pin)
    section, schedule = str(recorded["section"]), str(recorded.get("schedule") or "")
    return f"sch{schedule.lower()}/{section}" if schedule else section


def authority_of(act: str, section: str, schedule: str) -> str:
    """ITAA97 s 8-1; TAA53 sch 1 s 12-35."""
    return f"{act} {place_of(section, schedule)}"


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
    cited = tuple(_cited(together, as_at) for together in _together(claim.get("citations", ())))
    authority = cited[0].authority if cited else ""
    label = words.KINDS.get(kind, "") or (cited[0].role if cited else "")
    fixed = FIXED_PROSE.fullmatch(prose)
    if fixed and fixed["place"].startswith(authority):
        label = " · ".join(part for part in (label, "in part" if fixed["part"] else "") if part)
        return ShownClaim(fixed["place"], "", kind, label, cited)
    return ShownClaim(authority, prose, kind, label, cited)


def _together(citations: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Quotes of one wording that stand in its order, each further down than the last, in one list."""
    groups: list[list[Mapping[str, Any]]] = []
    for citation in citations:
        last = groups[-1][-1] if groups else None
        is_alike = last is not None and all(last.get(key) == citation.get(key) for key in ("version_id", "role"))
        if last is not None and is_alike and last["end_chars"] <= citation["start_chars"]:
            groups[-1].append(citation)
        else:
            groups.append([citation])
    return groups


def _cited(together: Sequence[Mapping[str, Any]], as_at: str) -> Cited:
    citation = together[0]
    act, section = str(citation["act"]), str(citation["section"])
    schedule = str(citation.get("schedule") or "")
    compiled = date.fromisoformat(citation["compilation_date"])
    heading = str(citation.get("heading", ""))
    register_id = str(citation.get("register_id", ""))
    compilation = f"compilation of {in_words(compiled)}" + (f" ({register_id})" if register_id else "")
    quotes = [(str(each["quote"]), int(each["start_chars"]), int(each["end_chars"])) for each in together]
    query: list[tuple[str, object]] = [("as_at", as_at or compiled.isoformat()), ("version", citation["version_id"])]
    for _, start, end in quotes:
        query += [("quote_start", start), ("quote_end", end)]
    lines = _lines(quotes)
    return Cited(
        authority=authority_of(act, section, schedule),
        act_title=str(citation.get("act_title", "")),
        heading=heading,
        instrument=act,
        pin=pin_of(citation),
        query=urlencode(query),
        lines=lines,
        in_force=words.in_force_words(
            date.fromisoformat(citation["in_force_from"]),
            _date(citation.get("in_force_to")),
            str(citation.get("dating", "")),
        ),
        absent=absent_from(lines, is_quote=True),
        role=words.ROLES.get(str(citation.get("role", "")), ""),
        quote="".join(f"{join}{quote}" for join, quote in zip(_joins(quotes), (q for q, *_ in quotes), strict=True)),
        citation=f"{citation.get('act_title') or act} {place_of(section, schedule)} ({heading}), {compilation}",
        compilation=compilation,
    )


def _joins(quotes: Sequence[tuple[str, int, int]]) -> list[str]:
    """What stands before each quote when they are written one after another: a gap shows where words are left out."""
    ends = [None, *(end for _, _, end in quotes)]
    return [
        "" if end is None else "\n" if start - end <= LINE_END_CHARS else f"\n{LEFT_OUT}\n"
        for end, (_, start, _) in zip(ends, quotes, strict=False)
    ]


def _lines(quotes: Sequence[tuple[str, int, int]]) -> tuple[Line, ...]:
    """The quotes as lines that hang from their numbers together."""
    lines = lines_of("\n".join(quote for quote, *_ in quotes))
    counts = [sum(bool(line.strip()) for line in quote.split("\n")) for quote, *_ in quotes]
    gaps = [sum(counts[:at]) for at, join in enumerate(_joins(quotes)) if LEFT_OUT in join]
    return with_gaps(lines, gaps, LEFT_OUT)


def _reading(line: Mapping[str, Any], as_at: str) -> ReadingLine:
    starts, note = _date(line.get("certain_from")), str(line.get("note", ""))
    known = words.in_force_words(starts, _date(line.get("certain_to"))) if starts else ""
    if note.startswith("wording as at") and known.endswith("the date of its compilation"):
        note = ""  # the days say it
    return ReadingLine(
        authority_of(str(line["act"]), str(line["section"]), str(line.get("schedule") or "")),
        str(line.get("heading", "")),
        str(line["act"]),
        pin_of(line),
        urlencode({"as_at": as_at, "version": line["version_id"]}),
        note,
        known,
        int(line["version_id"]),
    )


def _candidates(
    outcome: Mapping[str, Any], reading: Sequence[ReadingLine], chip: YearChip | None
) -> tuple[Candidate, ...]:
    """What could be meant. Provisions that bear one number and one name in one Act can only be opened."""
    question, recorded = str(outcome.get("question", "")), [str(each) for each in outcome.get("candidates", ())]
    if len(reading) != len(recorded):
        return years_meant(question, recorded) or tuple(Candidate(each) for each in recorded)
    sections = [str(line["section"]) for line in outcome.get("reading_list", ())]
    once = {line.authority for line in reading if sum(line.authority == other.authority for other in reading) == 1}
    return tuple(
        Candidate(
            line.authority,
            line.heading,
            question_of_provision(question, line.authority, section) if line.authority in once else "",
            chip.year if chip else None,
            line.instrument,
            line.pin,
            line.query,
        )
        for line, section in zip(reading, sections, strict=True)
    )


def _without_badge(message: str) -> str:
    """The sentence without the "Not answered: " that the badge above it has just said."""
    rest = message.removeprefix("Not answered: ")
    return f"{rest[:1].upper()}{rest[1:]}"


def _compilation_words(recorded: str) -> str:
    """ "ITAA97, 22 June 2015 (C2015C00285)" of the recorded "ITAA97 2015-06-22 C2015C00285"."""
    match = COMPILATION.fullmatch(recorded)
    if match is None:
        return recorded
    register_id = f" ({match['id']})" if match["id"] else ""
    return f"{match['code']}, {in_words(date.fromisoformat(match['day']))}{register_id}"


def _date(value: Any) -> date | None:
    return date.fromisoformat(value) if value else None
