"""The road on one page: question → income year → filter → retrieve → rerank → generate → verify → decide.

Pure: the world is handed in as `Ports`. Only this module knows the order of the steps; recording comes after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date

from research.audit import provenance
from research.decision import decide, thresholds, words
from research.law.citation import FoundCitation, candidate_instruments, find_citations, in_instrument
from research.law.income_year import IncomeYear, income_year_of
from research.law.provision import in_words
from research.ports import CorpusStore, Generator, Horizon, Lookup, Reranker
from research.progress import StageEvent, Tell, tell_nobody
from research.question.resolve import YearConflict, YearRefused, resolve
from research.question.route import Route, route
from research.retrieval import fusion, parents, shortlist, time_filter
from research.terms import (
    CheckedClaim,
    Citation,
    Decision,
    Draft,
    Hit,
    Outcome,
    Passage,
    Ranked,
    Reading,
    Reason,
    ResolvedTime,
    Retrieved,
    ShownClaim,
    Snapshot,
    StageTime,
    Window,
)
from research.verification import overlap
from research.verification.claims import verify

PER_LIST = 100  # taken from each of the two lists before fusion
TO_RERANK = 50
GROUPS = 8  # parents that the generator is shown
READING_LIST = 8
NEAR_GAP = 6  # undated passages looked at to explain a refusal


@dataclass(frozen=True, slots=True)
class Ports:
    """The world that the flow is handed. rerankers: by mode of search, "hybrid" and "lexical"; timer: seconds."""

    store: CorpusStore
    rerankers: Mapping[str, Reranker]
    generator: Generator
    timer: Callable[[], float]


class _Stages:
    """Times each stage and tells the reader when it starts and ends."""

    def __init__(self, timer: Callable[[], float], tell: Tell) -> None:
        self._timer = timer
        self._tell = tell
        self.done: list[StageTime] = []

    @contextmanager
    def __call__(self, name: str) -> Iterator[list[str]]:
        """Yields a list; what is appended to it is the stage's detail in words."""
        self._tell(StageEvent(name, "running"))
        started = self._timer()
        detail: list[str] = []
        yield detail
        took = StageTime(name, (self._timer() - started) * 1000, ", ".join(detail))
        self.done.append(took)
        self._tell(StageEvent(name, "done", round(took.ms, 1), took.detail))


@dataclass(frozen=True, slots=True)
class _Found:
    """What search found: the passages, and the lists they were found in, best first."""

    passages: list[Passage]
    fused: Sequence[Hit] = ()
    lexical: Sequence[Hit] = ()
    dense: Sequence[Hit] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question with all that is known of it before search."""

    question: str
    time: ResolvedTime
    route: Route
    snapshot: Snapshot


def answer_question(
    question: str, year_field: IncomeYear | None, today: date, ports: Ports, tell: Tell = tell_nobody
) -> Outcome:
    """The outcome of one question, from the words in force then. A failing port raises; nothing else does."""
    stages = _Stages(ports.timer, tell)
    outcome = _travel(question, year_field, today, ports, stages)
    return replace(outcome, stages=tuple(stages.done))


def _travel(question: str, year_field: IncomeYear | None, today: date, ports: Ports, stages: _Stages) -> Outcome:
    with stages("resolve") as detail:
        time = resolve(question, year_field, today)
        if isinstance(time, YearConflict):
            return _two_years(question, time)
        if isinstance(time, YearRefused):
            refused = words.Words(time.message, "Give the income year as FY2020 or 2019–20.")
            return _bare(question, Decision.OUT_OF_HORIZON, Reason.YEAR_OUTSIDE_CORPUS, refused)
        detail.append(time.year.label)
        routed = route(question, find_citations(question, None))
        if routed.reason is not None:
            return _bare(question, Decision.OUT_OF_SCOPE, routed.reason, words.words_for(routed.reason), time=time)
        horizon = ports.store.horizon()
        if horizon is None or time.window.last < horizon.first or time.window.first > horizon.last:
            return _out_of_horizon(question, time, horizon)
    asked = _Asked(question, time, routed, ports.store.snapshot(time.window))

    with stages("retrieve") as detail:
        lookups = _looked_up(asked, ports.store)
        meanings = _meanings(lookups)
        if meanings:
            return _two_provisions(asked, meanings)
        found = _retrieve(asked, lookups, ports.store)
        time_filter.assert_in_window(found.passages, time.window)
        detail.append(f"{asked.snapshot.passages_in_force:,} passages in force, {len(found.passages)} found")

    with stages("rerank") as detail:
        reranker = ports.rerankers[asked.snapshot.mode]
        scores = reranker.score(question, found.passages) if found.passages else []
        ranked = shortlist.combine(found.passages, scores, found.fused, found.lexical, found.dense)
        siblings = ports.store.siblings(_shown_first(ranked), time.window)
        time_filter.assert_in_window(siblings, time.window)
        groups = parents.merge_parents(ranked, siblings)[:GROUPS]
        detail.append(f"{len(ranked)} ranked")

    with stages("generate") as detail:
        draft = ports.generator.draft(question, groups, ranked) if groups else Draft((), "", "")
        detail.append(_counted(len(draft.claims), "claim"))

    with stages("verify") as detail:
        sources = {passage.chunk_id: passage for group in groups for passage in group.passages}
        checked = verify(draft, sources)
        matched = sum(len(claim.quotes) for claim in checked if claim.is_verified)
        detail.append(f"{_counted(matched, 'quote')} matched")

    with stages("decide"):
        undated = _undated(asked, lookups, reranker, ports.store)
        rival = undated[0][1] if undated else None
        evidence = _evidence(asked, lookups, checked, ranked, rival)
        bars = thresholds.for_reranker(reranker.identity)
        verdict = decide.decide(evidence, bars)
    outcome = _outcome(asked, verdict, lookups, checked, ranked, undated, sources, reranker, ports.generator)
    return replace(outcome, settings=_settings(bars))


# Retrieval


def _looked_up(asked: _Asked, store: CorpusStore) -> list[tuple[FoundCitation, Lookup]]:
    """Each section that the question cites by number, as it stood; several entries for one that could be several.

    A section without its Act is looked for in every Act whose numbering it fits, and only finds count.
    """
    found: list[tuple[FoundCitation, Lookup]] = []
    for cited in asked.route.citations:
        if cited.citation.kind != "section":
            continue
        is_named = cited.citation.instrument is not None and not cited.assumed
        codes = () if cited.citation.instrument is not None else candidate_instruments(cited.citation)
        options = [in_instrument(cited.citation, code) for code in codes] or [cited.citation]
        for option in options:
            looked_up = store.look_up(option.instrument or "", option.schedule, option.section, asked.time.window)
            if is_named or looked_up.state == "found":
                found.append((replace(cited, citation=option), looked_up))
    return found


def _meanings(lookups: Sequence[tuple[FoundCitation, Lookup]]) -> list[Passage]:
    """A passage of each provision that one unnamed citation could mean, where it could mean several."""
    by_place: dict[int, list[Passage]] = {}
    for cited, looked_up in lookups:
        by_place.setdefault(cited.start, []).extend(looked_up.passages[:1])
    return next((passages for passages in by_place.values() if len(passages) > 1), [])


def _retrieve(asked: _Asked, lookups: Sequence[tuple[FoundCitation, Lookup]], store: CorpusStore) -> _Found:
    """The candidates, and the lists they come from. A cited section alone, where one is cited."""
    cited = [passage for _, looked_up in lookups if looked_up.state == "found" for passage in looked_up.passages]
    if cited or any(looked_up.state != "found" for _, looked_up in lookups):
        return _Found(cited)
    window = asked.time.window
    lexical = store.search_lexical(asked.question, window, PER_LIST)
    dense = store.search_dense(asked.question, window, PER_LIST) if asked.snapshot.mode == "hybrid" else []
    fused = shortlist.shortlist(fusion.rrf([lexical, dense]), TO_RERANK)
    return _Found(store.passages([hit.chunk_id for hit in fused], window), fused, lexical, dense)


# Refusals before search


def _two_years(question: str, conflict: YearConflict) -> Outcome:
    said = words.words_for(Reason.TWO_YEARS)
    return _bare(
        question,
        Decision.AMBIGUOUS,
        Reason.TWO_YEARS,
        replace(said, message=conflict.message or said.message),
        candidates=tuple(f"{time.year.label} ({time.read_from})" for time in conflict.candidates),
    )


def _two_provisions(asked: _Asked, meanings: Sequence[Passage]) -> Outcome:
    said = words.words_for(Reason.TWO_PROVISIONS)
    candidates = tuple(f"{passage.authority} {passage.heading}" for passage in meanings)
    outcome = _bare(
        asked.question, Decision.AMBIGUOUS, Reason.TWO_PROVISIONS, said, time=asked.time, candidates=candidates
    )
    return replace(outcome, snapshot=asked.snapshot, reading_list=tuple(_reading(p, 0.0) for p in meanings))


def _out_of_horizon(question: str, time: ResolvedTime, horizon: Horizon | None) -> Outcome:
    first = income_year_of(horizon.first).label if horizon else "the first that you load"
    last = income_year_of(horizon.last).label if horizon else "the last"
    said = words.words_for(Reason.YEAR_OUTSIDE_CORPUS, when=_when(time), first=first, last=last)
    return _bare(question, Decision.OUT_OF_HORIZON, Reason.YEAR_OUTSIDE_CORPUS, said, time=time)


def _bare(
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
    )


def failed(question: str, what: str) -> Outcome:
    """The outcome of a question that an outage kept from being answered: never an abstention."""
    said = words.words_for(Reason.COMPONENT_FAILED, what=what)
    return _bare(question, Decision.ERROR, Reason.COMPONENT_FAILED, said)


# Deciding


def _shown_first(ranked: Sequence[Ranked]) -> list[Passage]:
    """A passage of each of the first `GROUPS` subsections in the ranking: the only ones whose siblings are read."""
    first: dict[tuple[int, str], Passage] = {}
    for item in ranked:
        if len(first) < GROUPS:
            first.setdefault(parents.parent_key(item.passage), item.passage)
    return list(first.values())


def _evidence(
    asked: _Asked,
    lookups: Sequence[tuple[FoundCitation, Lookup]],
    checked: Sequence[CheckedClaim],
    ranked: Sequence[Ranked],
    rival: float | None,
) -> decide.Evidence:
    verified = [claim for claim in checked if claim.is_verified]
    quoted_ids = {quote.quote.chunk_id for claim in verified for quote in claim.quotes}
    quoted = [item for item in ranked if item.passage.chunk_id in quoted_ids] or list(ranked[:1])
    best = quoted[0] if quoted else None
    same = [item for item in ranked if best and item.passage.provision_id == best.passage.provision_id]
    texts = [f"{item.passage.heading} {item.passage.text}" for item in same]
    return decide.Evidence(
        is_cited=any(found.state == "found" for _, found in lookups),
        lookup_state=next((found.state for _, found in lookups if found.state != "found"), ""),
        relevance=best.relevance if best else None,
        hits=len(same),
        in_both=any(item.lexical_rank is not None and item.dense_rank is not None for item in same),
        coverage=overlap.coverage(asked.question, texts),
        verified_claims=len(verified),
        failed_quotes=sum(not quote.is_verified for claim in checked for quote in claim.quotes),
        excess_prose=sum(bool(claim.excess) for claim in checked),
        lead=_lead(ranked, {item.passage.provision_id for item in quoted}),
        rival=rival,
    )


def _lead(ranked: Sequence[Ranked], quoted: set[int]) -> float | None:
    """How far the best of the quoted provisions is ahead of the best of the others; None where there are none."""
    ours = [item.relevance for item in ranked if item.passage.provision_id in quoted]
    others = [item.relevance for item in ranked if item.passage.provision_id not in quoted]
    return max(ours) - max(others) if ours and others else None


def _undated(
    asked: _Asked, lookups: Sequence[tuple[FoundCitation, Lookup]], reranker: Reranker, store: CorpusStore
) -> list[tuple[Passage, float]]:
    """Passages that may have been in force then, best first, with their relevance; only to explain a refusal."""
    gap = [passage for _, found in lookups if found.state == "gap" for passage in found.passages]
    if lookups and not gap:
        return []
    passages = gap or store.undated_near(asked.question, asked.time.window, NEAR_GAP)
    scores = reranker.score(asked.question, passages) if passages else []
    return sorted(zip(passages, scores, strict=True), key=lambda pair: (-pair[1], pair[0].chunk_id))


# What is shown


def _outcome(
    asked: _Asked,
    verdict: decide.Verdict,
    lookups: Sequence[tuple[FoundCitation, Lookup]],
    checked: Sequence[CheckedClaim],
    ranked: Sequence[Ranked],
    undated: Sequence[tuple[Passage, float]],
    sources: Mapping[int, Passage],
    reranker: Reranker,
    generator: Generator,
) -> Outcome:
    in_gap = verdict.decision is Decision.WORDING_UNKNOWN
    shown = tuple(_shown(claim, sources) for claim in checked if claim.is_verified)
    said = words.words_for(verdict.reason, when=_when(asked.time), **_subject(lookups, undated))
    reading = _gap_readings(undated) if in_gap else _readings(ranked)
    cited = [citation for claim in shown for citation in claim.citations]
    return Outcome(
        question=asked.question,
        decision=verdict.decision,
        reason=verdict.reason,
        message=said.message,
        time=asked.time,
        claims=() if in_gap else shown,
        reading_list=reading,
        snapshot=asked.snapshot,
        provider=generator.provider,
        model=generator.model,
        reranker=reranker.identity,
        retrieved=_retrieved(ranked),
        dropped=_dropped(checked),
        next_step="" if verdict.decision is Decision.ANSWER else said.next_step,
        attribution=" ".join(filter(None, (provenance.attribution(cited), provenance.NOT_ADVICE))),
    )


def _settings(bars: thresholds.Thresholds) -> dict[str, str]:
    """What shaped the answer beside law, index and models: the numbers that a replay compares."""
    decided_by = (
        f"{name}={getattr(bars, name)}" for name in ("floor", "bar", "clear", "lead", "gap_margin", "coverage")
    )
    return {
        "thresholds": " ".join(decided_by),
        "search": f"per_list={PER_LIST} rrf_k={fusion.RRF_K} rerank={TO_RERANK} groups={GROUPS}",
    }


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _shown(claim: CheckedClaim, sources: Mapping[int, Passage]) -> ShownClaim:
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
    )


def _dropped(checked: Sequence[CheckedClaim]) -> tuple[str, ...]:
    """What verification took out, in plain words without the words themselves."""
    lines = []
    for claim in checked:
        lines += [f"a quote was dropped: {q.problem.replace('_', ' ')}" for q in claim.quotes if not q.is_verified]
        lines += [f"a sentence was dropped: {excess} stands in none of its quotes" for excess in claim.excess]
    return tuple(lines)


def _subject(
    lookups: Sequence[tuple[FoundCitation, Lookup]], undated: Sequence[tuple[Passage, float]]
) -> dict[str, str]:
    """What a refusal is about: the provision cited, else the best undated one."""
    for found, looked_up in lookups:
        if looked_up.state != "found":
            return {"what": f"section {found.citation.section}", "act": found.citation.instrument or "the Act"}
    if undated:
        return {"what": undated[0][0].authority, "act": undated[0][0].instrument}
    return {"what": "that provision", "act": "the Act"}


def _when(time: ResolvedTime) -> str:
    """ "FY2019", or the days where the question named some: "on 3 March 2019"."""
    if time.window == Window.of_year(time.year):
        return time.year.label
    if time.window.is_one_day:
        return f"{in_words(time.window.first)} ({time.year.label})"
    return f"{in_words(time.window.first)} – {in_words(time.window.last)}"
