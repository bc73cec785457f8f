"""What a reader is shown: an outcome for each way that a question can end, in fixed words and verified quotes.

Pure. A citation is made from its source and the offsets that the check found, never from what a generator wrote.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from research.audit import provenance
from research.cited import CitedLookup
from research.decision import next_steps, words
from research.decision.decide import Verdict
from research.law.income_year import income_year_of
from research.law.provision import in_words
from research.ports import Horizon
from research.question.resolve import YearConflict
from research.question.year_because import year_because
from research.terms import (
    CheckedClaim,
    Citation,
    ClaimKind,
    Decision,
    Elsewhere,
    Outcome,
    OutsideField,
    Passage,
    Pin,
    Ranked,
    ReadAs,
    Reading,
    Reason,
    ResolvedTime,
    Retrieved,
    ShownClaim,
    Snapshot,
    SubjectReading,
    Window,
)

READING_LIST = 8
LEADING = 3  # provisions whose way there is told
MOST_READ_AS = 3


@dataclass(frozen=True, slots=True)
class Searched:
    """The question, the time it was read to ask about, and what was searched."""

    question: str
    time: ResolvedTime
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Findings:
    """What the steps brought: look-ups, the ranking, undated passages with their relevance, and checked claims.

    sources: the passages that the generator was shown, by chunk id. subjects: what the subject index read.
    """

    lookups: Sequence[CitedLookup]
    ranked: Sequence[Ranked]
    undated: Sequence[tuple[Passage, float]]
    checked: Sequence[CheckedClaim]
    sources: Mapping[int, Passage]
    subjects: SubjectReading = field(default_factory=SubjectReading)

    @property
    def verified(self) -> list[CheckedClaim]:
        return [claim for claim in self.checked if claim.is_verified]

    @property
    def answering(self) -> list[CheckedClaim]:
        """The claims that answer. Where a model wrote, a quote whose sentence was dropped is shown and answers not; and
        no limit or ruling answers by itself where every rule that was written was dropped.
        """
        composed = [claim for claim in self.checked if claim.claim.is_composed]
        if not composed:
            return self.verified
        rules = [claim for claim in composed if claim.claim.kind not in (ClaimKind.LIMIT, ClaimKind.RULING)]
        if rules and not any(claim.is_verified for claim in rules):
            return []
        return [claim for claim in composed if claim.is_verified]


# Ends before search

_NOT_HELD = (Decision.NO_BASIS, Reason.LAW_NOT_HELD)
_ASKED_ELSEWHERE = (Decision.OUT_OF_SCOPE, Reason.ASKED_ELSEWHERE)
_OUTSIDE = {
    OutsideField.FEDERAL_LAW_NOT_HELD: _NOT_HELD,
    OutsideField.TAX_TREATY: _NOT_HELD,
    OutsideField.NO_SUCH_LAW: (Decision.FALSE_PREMISE, Reason.NO_SUCH_LAW),
    OutsideField.FINANCE_AND_ADVICE: _ASKED_ELSEWHERE,
    OutsideField.LODGMENT_AND_SERVICES: _ASKED_ELSEWHERE,
    OutsideField.DRAFTING: _ASKED_ELSEWHERE,
    OutsideField.FORECAST: _ASKED_ELSEWHERE,
    OutsideField.GENERAL_KNOWLEDGE: _ASKED_ELSEWHERE,
}


def two_years(question: str, conflict: YearConflict) -> Outcome:
    """Asks back which year is meant."""
    said = words.words_for(Reason.TWO_YEARS)
    return unsearched(
        question,
        Decision.AMBIGUOUS,
        Reason.TWO_YEARS,
        replace(said, message=conflict.message or said.message),
        candidates=tuple(_candidate(time) for time in conflict.candidates),
    )


def two_provisions(asked: Searched, meanings: Sequence[Passage]) -> Outcome:
    """Asks back which of the provisions is meant that bear the number cited."""
    said = words.words_for(Reason.TWO_PROVISIONS)
    candidates = tuple(f"{passage.authority} {passage.heading}" for passage in meanings)
    outcome = unsearched(
        asked.question, Decision.AMBIGUOUS, Reason.TWO_PROVISIONS, said, time=asked.time, candidates=candidates
    )
    return replace(outcome, snapshot=asked.snapshot, reading_list=tuple(_reading(p, 0.0) for p in meanings))


def outside(question: str, time: ResolvedTime, elsewhere: Elsewhere) -> Outcome:
    """Refuses a question that belongs elsewhere, and says what it is about and where to turn."""
    decision, reason = _OUTSIDE.get(elsewhere.field, (Decision.OUT_OF_SCOPE, Reason.OTHER_LAW))
    said = words.words_for(reason, what=elsewhere.subject, who=elsewhere.who, told=elsewhere.told)
    return unsearched(question, decision, reason, said, time=time)


def not_there(asked: Searched, what: str, act: str) -> Outcome:
    """Refuses a question that cites a part of an Act, or a subsection, which there was not."""
    said = words.words_for(Reason.PROVISION_NOT_THERE, what=what, act=act, when=when(asked.time))
    outcome = unsearched(asked.question, Decision.FALSE_PREMISE, Reason.PROVISION_NOT_THERE, said, time=asked.time)
    return replace(outcome, snapshot=asked.snapshot)


def out_of_horizon(question: str, time: ResolvedTime, horizon: Horizon | None) -> Outcome:
    """Refuses a time that the corpus does not cover, and says which it does."""
    first = income_year_of(horizon.first).label if horizon else "the first that you load"
    last = income_year_of(horizon.last).label if horizon else "the last"
    said = words.words_for(Reason.YEAR_OUTSIDE_CORPUS, when=when(time), first=first, last=last)
    return unsearched(question, Decision.OUT_OF_HORIZON, Reason.YEAR_OUTSIDE_CORPUS, said, time=time)


def unsearched(
    question: str,
    decision: Decision,
    reason: Reason,
    said: words.Words,
    *,
    time: ResolvedTime | None = None,
    candidates: tuple[str, ...] = (),
) -> Outcome:
    """An outcome that nothing was searched for."""
    return Outcome(
        question=question,
        decision=decision,
        reason=reason,
        message=said.message,
        time=time,
        claims=(),
        reading_list=(),
        snapshot=None,
        provider="",
        model="",
        reranker="",
        candidates=candidates,
        next_step=said.next_step,
        attribution=provenance.NOT_ADVICE,
        year_because=year_because(time) if time is not None else "",
    )


def failed(question: str, what: str) -> Outcome:
    """The outcome of a question that an outage kept from being answered: never an abstention."""
    said = words.words_for(Reason.COMPONENT_FAILED, what=what)
    return unsearched(question, Decision.ERROR, Reason.COMPONENT_FAILED, said)


def model_failed(question: str, message: str, provider: str, model: str) -> Outcome:
    """The outcome of a question whose language model could not be asked, or said what cannot be read."""
    said = words.words_for(Reason.MODEL_FAILED, what=message)
    return replace(unsearched(question, Decision.ERROR, Reason.MODEL_FAILED, said), provider=provider, model=model)


# Ends after it


def decided(asked: Searched, found: Findings, verdict: Verdict, not_current: Mapping[str, date]) -> Outcome:
    """The outcome of a verdict. Every end but a gap in the law carries the verified quotes that there are.

    not_current: since when an instrument's text is behind the law. Who answered and how it was ranked is for the caller
    to add.
    """
    in_gap = verdict.decision is Decision.WORDING_UNKNOWN
    claims = () if in_gap else tuple(shown_claim(claim, found.sources) for claim in found.verified)
    said = words.words_for(verdict.reason, when=when(asked.time), **_subject(found))
    cited = [citation for claim in claims for citation in claim.citations]
    return Outcome(
        question=asked.question,
        decision=verdict.decision,
        reason=verdict.reason,
        message=said.message,
        time=asked.time,
        claims=claims,
        reading_list=_gap_readings(found.undated) if in_gap else _readings(found.ranked),
        snapshot=asked.snapshot,
        provider="",
        model="",
        reranker="",
        retrieved=_retrieved(found.ranked),
        dropped=_dropped(found.checked),
        next_step=_step_after(cited, asked.time) if verdict.decision is Decision.ANSWER else said.next_step,
        attribution=" ".join(filter(None, (provenance.attribution(cited), provenance.NOT_ADVICE))),
        cautions=_cautions(cited, found, not_current),
        read_as=_read_as(found),
        year_because=year_because(asked.time),
    )


def _step_after(cited: Sequence[Citation], time: ResolvedTime) -> str:
    """The one step after an answer: a check of what its first words rest on."""
    first = cited[0]
    return next_steps.step_for(first.act, first.section, first.schedule, time.year.label)


def side_by_side(question: str, sides: Sequence[Outcome]) -> Outcome:
    """One outcome of a question for two times, earlier first: answered only where both are.

    What is said of the two together is counted from what they cite; each keeps its own words. What was searched, and by
    what, is that of a side that was: a replay compares by it, though the other's time be out of the horizon.
    """
    refused = next((side for side in sides if side.decision is not Decision.ANSWER), None)
    told = refused or sides[-1]
    searched = next((side for side in reversed(sides) if side.snapshot is not None), told)
    message = refused.message if refused else words.both_times(_labels(sides), *_in_common(sides))
    if not refused and all(side.figures for side in sides):
        message = " ".join(dict.fromkeys(side.message for side in sides))
    return Outcome(
        question=question,
        decision=told.decision,
        reason=told.reason,
        message=message,
        time=sides[-1].time,
        claims=(),
        reading_list=(),
        snapshot=searched.snapshot,
        provider=searched.provider,
        model=searched.model,
        reranker=searched.reranker,
        candidates=told.candidates if refused else (),
        next_step=told.next_step,
        attribution=searched.attribution,
        settings=dict(searched.settings),
        sides=tuple(sides),
    )


def in_parts(question: str, parts: Sequence[Outcome]) -> Outcome:
    """One outcome of a question with several issues, in their order: answered only where every part is.

    Each part keeps its own words, time and next step. What was searched, and by what, is that of the first part that
    was; the time is given where it is that of all.
    """
    answered = sum(part.decision is Decision.ANSWER for part in parts)
    told = next((part for part in parts if part.decision is not Decision.ANSWER), parts[0])
    searched = next((part for part in parts if part.snapshot is not None), told)
    is_mixed = 0 < answered < len(parts)
    said = words.words_for(Reason.ISSUES_SPLIT, told=words.parts_answered(answered, len(parts)))
    is_one_time = len({part.time for part in parts}) == 1
    return Outcome(
        question=question,
        decision=told.decision,
        reason=Reason.ISSUES_SPLIT if is_mixed else told.reason,
        message=said.message,
        time=told.time if is_one_time else None,
        claims=(),
        reading_list=(),
        snapshot=searched.snapshot,
        provider=searched.provider,
        model=searched.model,
        reranker=searched.reranker,
        next_step="" if answered == len(parts) else said.next_step,
        attribution=" ".join(dict.fromkeys(part.attribution for part in parts if part.attribution)),
        settings=dict(searched.settings),
        year_because=told.year_because if is_one_time else "",
        parts=tuple(parts),
    )


def _labels(sides: Sequence[Outcome]) -> list[str]:
    return [when(side.time) for side in sides if side.time is not None]


def _in_common(sides: Sequence[Outcome]) -> tuple[list[str], list[str]]:
    """(provisions that both cite in the same wording, provisions that both cite in different ones)."""
    cited: list[dict[str, set[int]]] = []
    for side in sides:
        versions: dict[str, set[int]] = {}
        for claim in side.claims:
            for citation in claim.citations:
                versions.setdefault(citation.authority, set()).add(citation.version_id)
        cited.append(versions)
    first, second = cited
    both = [name for name in first if name in second]
    return [name for name in both if first[name] == second[name]], [n for n in both if first[n] != second[n]]


def _cautions(cited: Sequence[Citation], found: Findings, not_current: Mapping[str, date]) -> tuple[str, ...]:
    """What must be read with the outcome: which of the texts it rests on, or would, may not be the law any more."""
    acts = {citation.act: citation.act_title for citation in cited}
    if not acts and found.undated:
        best = found.undated[0][0]
        acts = {best.instrument: best.instrument_title}
    behind = [words.not_current(title, not_current[code]) for code, title in acts.items() if code in not_current]
    notices = [f"{citation.authority}: {citation.notice}" for citation in cited if citation.notice]
    return tuple(dict.fromkeys([*notices, *behind]))


def shown_claim(claim: CheckedClaim, sources: Mapping[int, Passage]) -> ShownClaim:
    """A verified claim with its citations: made from the source itself, never from what the generator wrote."""
    citations = []
    for checked in claim.quotes:
        assert checked.start_chars is not None and checked.end_chars is not None  # the claim is verified
        source = sources[checked.quote.chunk_id]
        citations.append(
            Citation(
                chunk_id=source.chunk_id,
                version_id=source.version_id,
                act=source.instrument,
                act_title=source.instrument_title,
                section=source.section,
                schedule=source.schedule,
                heading=source.heading,
                quote=checked.matched,
                start_chars=checked.start_chars,
                end_chars=checked.end_chars,
                compilation_date=source.compilation_date,
                register_id=source.register_id,
                in_force_from=source.certain_from,
                in_force_to=source.certain_to,
                dating=source.dating,
                role=source.role,
                pin=source.pin,
                notice=source.notice,
                basis=source.basis,
                licence=source.licence,
            )
        )
    return ShownClaim(claim.claim.prose, claim.claim.kind, tuple(citations))


def _readings(ranked: Sequence[Ranked]) -> tuple[Reading, ...]:
    """The best provisions, each once, best first."""
    best: dict[int, Ranked] = {}
    for item in ranked:
        best.setdefault(item.passage.version_id, item)
    return tuple(_reading(item.passage, item.relevance) for item in list(best.values())[:READING_LIST])


def _retrieved(ranked: Sequence[Ranked]) -> tuple[Retrieved, ...]:
    best: dict[int, Ranked] = {}
    for item in ranked:
        best.setdefault(item.passage.provision_id, item)
    return tuple(
        Retrieved(item.passage.instrument, item.passage.section, item.passage.schedule, item.relevance)
        for item in best.values()
    )


def _gap_readings(undated: Sequence[tuple[Passage, float]]) -> tuple[Reading, ...]:
    """The wordings around the gap of the best provision, oldest first, then other provisions in doubt."""
    if not undated:
        return ()
    first = undated[0][0].provision_id
    best: dict[int, tuple[Passage, float]] = {}
    for passage, score in undated:
        best.setdefault(passage.version_id, (passage, score))
    order = sorted(best.values(), key=lambda pair: (pair[0].provision_id != first, pair[0].certain_from))
    return tuple(
        _reading(passage, score, f"wording as at {in_words(passage.compilation_date)}")
        for passage, score in order[:READING_LIST]
    )


def _reading(passage: Passage, score: float, note: str = "") -> Reading:
    return Reading(
        act=passage.instrument,
        section=passage.section,
        schedule=passage.schedule,
        heading=passage.heading,
        version_id=passage.version_id,
        score=score,
        certain_from=passage.certain_from,
        certain_to=passage.certain_to,
        note=note,
        pin=passage.pin,
        act_title=passage.instrument_title,
    )


def _read_as(found: Findings) -> tuple[ReadAs, ...]:
    """What the subject index read that led to a leading provision: by the question's words, else by its meaning."""
    leading: dict[Pin, str] = {}
    for item in found.ranked:
        if len(leading) < LEADING:
            leading.setdefault((item.passage.instrument, item.passage.pin), item.passage.authority)
    shown: dict[str, ReadAs] = {}
    for match in found.subjects.matches:
        led_to = [leading[pin] for pin in (*match.provisions, *match.limits) if pin in leading]
        if led_to and (match.is_by_words or not shown):
            shown.setdefault(match.term, ReadAs(match.phrase if match.is_by_words else "", match.term, tuple(led_to)))
    return tuple(shown.values())[:MOST_READ_AS]


def _dropped(checked: Sequence[CheckedClaim]) -> tuple[str, ...]:
    """What verification took out, in plain words without the words themselves: a reader could take them for checked."""
    lines = []
    for claim in checked:
        lines += [f"a quote was dropped: {q.problem.replace('_', ' ')}" for q in claim.quotes if not q.is_verified]
        lines += [f"a sentence was dropped: {why}" for why in dict.fromkeys(map(_excess, claim.excess))]
        if claim.claim.is_composed and not claim.quotes:
            lines.append("a sentence was dropped: it names no quote")
    return tuple(lines)


# What the checks of prose say that holds nothing of the prose: "leaves out" names words of the law.
_WITHOUT_ITS_WORDS = re.compile(
    r"leaves out .*|says nothing|has \d+ sentences|has a sentence of more than \d+ characters|instructs its reader"
    r"|holds a hidden character, U\+[0-9A-F]+|opens quotation marks that it does not close"
    r"|rests on a source that instructs its reader|is not borne out by its quotes"
)
_BEGINNINGS = {
    "holds an address": "holds an address",
    "holds the character": "holds a character that none of its quotes holds",
    "puts in quotation marks": "puts in quotation marks what its quotes do not say",
    "names ": "names what none of its quotes names",
}


def _excess(words: str) -> str:
    """What a sentence said too much, by its kind. The words themselves are in the audit row alone."""
    if _WITHOUT_ITS_WORDS.fullmatch(words):
        return words
    found = (kind for beginning, kind in _BEGINNINGS.items() if words.startswith(beginning))
    return next(found, "says what stands in none of its quotes")


def _subject(found: Findings) -> dict[str, str]:
    """What a refusal is about: the provision cited, else the best undated one."""
    for entry in found.lookups:
        if not entry.is_found:
            citation = entry.cited.citation
            if not citation.section:  # a ruling
                paragraph = f"paragraph {citation.pinpoint.strip('[]')}" if citation.pinpoint else "paragraph"
                return {"what": f"{paragraph} that applied", "act": citation.instrument or "It"}
            return {"what": f"section {citation.section}", "act": citation.instrument or "the Act"}
    if found.undated:
        best = found.undated[0][0]
        return {"what": best.authority, "act": best.instrument}
    return {"what": "that provision", "act": "the Act"}


def _candidate(time: ResolvedTime) -> str:
    return time.year.label if time.read_from == time.year.label else f"{time.year.label} ({time.read_from})"


def when(time: ResolvedTime) -> str:
    """ "FY2019", or the days where the question named some: "on 3 March 2019"."""
    if time.window == Window.of_year(time.year):
        return time.year.label
    if time.window.is_one_day:
        return f"{in_words(time.window.first)} ({time.year.label})"
    return f"{in_words(time.window.first)} – {in_words(time.window.last)}"
