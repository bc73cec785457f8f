"""A recorded outcome, as every surface receives it, turned into what the answer's templates show.

Reads the JSON of `research.outcome_json` and nothing else, so that an answer recorded last year is shown from
its record and not from the corpus of today. Of a question for two times the words that differ are marked by the full
texts of the wordings it cites, which never change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from urllib.parse import urlencode

from research.law.identity import shown_code
from research.law.income_year import IncomeYear
from research.law.provision import authority_of, in_words
from research.presentation import sides, words
from research.presentation.figures import FigureView, figure_of
from research.presentation.made_by import made_by
from research.presentation.meant import Candidate, question_of_provision, years_meant
from research.presentation.quotes import Cited, Differing, ShownClaim, claim_of, pin_of
from research.presentation.sides import Change

NOT_ADVICE = "Not tax advice: a registered tax agent reviews every output."
COMPILATION = re.compile(r"(?P<code>.+?) (?P<day>\d{4}-\d{2}-\d{2})(?: (?P<id>\S+))?\s*")


@dataclass(frozen=True, slots=True)
class YearChip:
    """The time asked about. label: "FY2015"; span: its days; how: where it was read, "" when it was picked."""

    label: str
    span: str
    how: str
    year: int
    as_at: str


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
class ReadAsLine:
    """What the subject index read. words: of the question, "" where its meaning was read; led_to: as cited."""

    words: str
    term: str
    led_to: str


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A source of the answer under its number: what is quoted, as it is cited, or where a figure is published."""

    number: int
    citation: str
    in_force: str = ""
    instrument: str = ""
    pin: str = ""
    query: str = ""


@dataclass(frozen=True, slots=True)
class AnswerView:
    """All that a finished question shows.

    question: as it was answered, of a part with the facts that all share. because: why its year. made: who answered.
    sources: numbered over all that was answered in it, each once; a refusal has none.
    """

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
    cautions: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()
    sides: tuple[AnswerView, ...] = ()
    changes: tuple[Change, ...] = ()
    read_as: tuple[ReadAsLine, ...] = ()
    figures: tuple[FigureView, ...] = ()
    question: str = ""
    because: str = ""
    made: tuple[str, ...] = ()
    parts: tuple[AnswerView, ...] = ()
    sources: tuple[SourceLine, ...] = ()

    @property
    def answering(self) -> tuple[AnswerView, ...]:
        """What of it was answered, down the page: itself, or those of its two times or of its parts that were."""
        if within := (*self.sides, *self.parts):
            return tuple(each for one in within for each in one.answering)
        return (self,) if self.tone == "answered" else ()

    @property
    def chips(self) -> tuple[YearChip, ...]:
        """The time asked about, or both of two, earlier first."""
        return tuple(side.chip for side in self.sides if side.chip) or ((self.chip,) if self.chip else ())

    @property
    def changed(self) -> tuple[Change, ...]:
        """What both sides cite in wordings that are not the same."""
        return tuple(change for change in self.changes if not change.is_same)

    @property
    def has_marks(self) -> bool:
        """Whether words of a quote are marked as not being those of the other time."""
        cited = [cited for side in self.sides for claim in side.claims for cited in claim.cited]
        return any(piece.change for each in cited for line in each.lines for piece in line.pieces)

    @property
    def narrowed(self) -> str:
        """What the search was narrowed to, in words; "" where all was searched."""
        return ", ".join(self.frameworks)

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


def answer_view(outcome: Mapping[str, Any], texts: Mapping[int, str] | None = None) -> AnswerView:
    """What to show of `outcome`. texts: of the versions that `sides.wordings_compared` names, where it has any."""
    return _with_sources(_whole(outcome, texts or {}))


def _whole(outcome: Mapping[str, Any], texts: Mapping[int, str]) -> AnswerView:
    """The outcome with those of its two times, or of its parts."""
    whole = _one(outcome, {})
    if parts := tuple(_whole(part, texts) for part in outcome.get("parts") or ()):
        return replace(whole, stages=_together(whole.stages, outcome.get("stages", ())), parts=parts)
    asked = list(outcome.get("sides") or ())
    if not asked:
        return whole
    found = sides.compared(asked, texts)
    return replace(
        whole,
        stages=_together(whole.stages, outcome.get("stages", ())),
        sides=tuple(_one(side, differing) for side, differing in zip(asked, found.differing, strict=True)),
        changes=found.changes,
    )


def _with_sources(view: AnswerView) -> AnswerView:
    """The view with each wording that it quotes numbered, and each place where an unproved figure is published."""
    lines: dict[tuple[str, ...], SourceLine] = {}
    for one in view.answering:
        for cited in (cited for claim in one.claims for cited in claim.cited):
            line = SourceLine(len(lines) + 1, cited.citation, cited.in_force, cited.instrument, cited.pin, cited.query)
            lines.setdefault(_wording(cited), line)
        for figure in one.figures:
            if figure.source:
                lines.setdefault((figure.source,), SourceLine(len(lines) + 1, figure.source, figure.days))
    numbers = {key: line.number for key, line in lines.items()}
    return replace(_numbered(view, numbers), sources=tuple(lines.values()))


def _wording(cited: Cited) -> tuple[str, ...]:
    return cited.instrument, cited.pin, cited.compilation


def _numbered(view: AnswerView, numbers: Mapping[tuple[str, ...], int]) -> AnswerView:
    """The view with the numbers of its sources at its quotes."""
    if within := (view.sides, view.parts) if view.sides or view.parts else ():
        first, second = (tuple(_numbered(each, numbers) for each in views) for views in within)
        return replace(view, sides=first, parts=second)
    if view.tone != "answered":
        return view
    claims = (
        replace(claim, cited=tuple(replace(cited, number=numbers[_wording(cited)]) for cited in claim.cited))
        for claim in view.claims
    )
    return replace(view, claims=tuple(claims))


def _together(lines: Sequence[StageLine], stages: Sequence[Mapping[str, Any]]) -> tuple[StageLine, ...]:
    """Each step once, though it was taken for each of two times: the time of both, and what each handed on."""
    spent: dict[str, float] = {}
    details: dict[str, list[str]] = {}
    for stage in stages:
        name = str(stage["stage"])
        spent[name] = spent.get(name, 0.0) + float(stage["ms"])
        details.setdefault(name, []).append(str(stage.get("detail", "")))
    first = {line.stage: line for line in reversed(lines)}
    return tuple(
        replace(first[name], detail=" · ".join(filter(None, details[name])), time=words.milliseconds(spent[name]))
        for name in spent
    )


def _one(outcome: Mapping[str, Any], differing: Differing) -> AnswerView:
    """The outcome for one time."""
    decision = str(outcome.get("decision", ""))
    chip = year_chip(outcome.get("time"))
    snapshot = outcome.get("snapshot") or {}
    is_search = not outcome.get("figures")  # the ledger looks provisions up, and searches nothing
    stages = tuple(_stage(stage) for stage in outcome.get("stages", ()))
    as_at = chip.as_at if chip else ""
    reading = tuple(_reading(line, as_at) for line in outcome.get("reading_list", ()))
    return AnswerView(
        tone=words.tone_of(decision),
        badge=words.decision_words(decision, str(outcome.get("reason", ""))),
        chip=chip,
        elapsed=words.milliseconds(sum(float(stage["ms"]) for stage in outcome.get("stages", ()))) if stages else "",
        provider=provider_words(str(outcome.get("provider", "")), str(outcome.get("model", ""))),
        mode=mode_words(str(snapshot.get("mode", ""))) if is_search else "",
        message=_without_badge(str(outcome.get("message", ""))),
        next_step=str(outcome.get("next_step", "")),
        claims=tuple(claim_of(claim, as_at, differing) for claim in outcome.get("claims", ())),
        reading=reading,
        candidates=_candidates(outcome, reading, chip),
        dropped=tuple(map(str, outcome.get("dropped", ()))),
        degraded=tuple(map(str, snapshot.get("degraded", ()))) if is_search else (),
        stages=stages,
        snapshot=str(snapshot.get("snapshot_id", "")),
        searched=f"{int(snapshot['passages_in_force']):,} passages in force" if snapshot and is_search else "",
        compilations=tuple(_compilation_words(str(each)) for each in snapshot.get("compilations", ())),
        attribution=str(outcome.get("attribution", "")).replace(NOT_ADVICE, "").strip(),
        cautions=tuple(map(str, outcome.get("cautions") or ())),
        frameworks=tuple(map(str, outcome.get("frameworks") or ())),
        read_as=tuple(
            ReadAsLine(str(each["words"]), str(each["term"]), ", ".join(map(str, each["provisions"])))
            for each in outcome.get("read_as") or ()
        ),
        figures=tuple(figure_of(each, as_at, _held(snapshot)) for each in outcome.get("figures") or ()),
        question=str(outcome.get("question", "")),
        because=str(outcome.get("year_because") or ""),
        made=made_by(outcome),
    )


def _held(snapshot: Mapping[str, Any]) -> set[str]:
    """The codes of the Acts that the snapshot names."""
    matches = (COMPILATION.fullmatch(str(each)) for each in snapshot.get("compilations", ()))
    return {match["code"] for match in matches if match}


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
    if provider == "figures":
        return "Figure ledger, no model"
    return " · ".join(part for part in (provider, model) if part)


def mode_words(mode: str) -> str:
    return {"hybrid": "Hybrid search", "lexical": "Search by words only"}.get(mode, mode)


def _stage(stage: Mapping[str, Any]) -> StageLine:
    name = str(stage["stage"])
    return StageLine(
        name,
        words.STAGES_SHORT.get(name, name),
        "done",
        str(stage.get("detail", "")),
        words.milliseconds(float(stage["ms"])),
    )


def _reading(line: Mapping[str, Any], as_at: str) -> ReadingLine:
    starts, note = _date(line.get("certain_from")), str(line.get("note", ""))
    known = words.in_force_words(starts, _date(line.get("certain_to"))) if starts else ""
    if note.startswith("wording as at") and known.endswith("the date of its compilation"):
        note = ""  # the days say it
    return ReadingLine(
        authority_of(*(str(line.get(name) or "") for name in ("act", "section", "schedule", "act_title"))),
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
    return f"{shown_code(match['code'])}, {in_words(date.fromisoformat(match['day']))}{register_id}"


def _date(value: Any) -> date | None:
    return date.fromisoformat(value) if value else None
