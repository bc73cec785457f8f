"""The road on one page: question → income year → filter → retrieve → rerank → generate → verify → decide.

Pure: the world is handed in as `Ports`. Only this module knows the order of the steps; recording comes after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta

from research import cited, drafted, figured, shown
from research.cited import CitedLookup
from research.decision import decide, thresholds, words
from research.figures.names import NO_FIGURES, FigureIndex
from research.generation import prompt
from research.law.citation import FoundCitation, find_citations
from research.law.income_year import IncomeYear
from research.ports import CorpusStore, Generator, Grounding, OutsideReader, Reranker, SubjectReader, Waiting
from research.progress import StageEvent, Tell, tell_nobody
from research.question.compare import two_times
from research.question.issues import issues_of
from research.question.law_named import law_named
from research.question.premise import takes_law_as_given
from research.question.resolve import YearConflict, YearRefused, resolve
from research.question.route import route
from research.retrieval import fusion, parents, shortlist, time_filter
from research.shown import Findings, Searched
from research.terms import (
    Decision,
    Elsewhere,
    Hit,
    Outcome,
    Passage,
    Ranked,
    Reason,
    ResolvedTime,
    Sought,
    StageTime,
    SubjectReading,
    Window,
)
from research.verification import overlap

PER_LIST = 100  # taken from each of the two lists before fusion
SUBJECTS = 60  # provisions that the subject index points at
PER_SUBJECT = 3  # passages of each
TO_RERANK = 120
PROVISIONS = 4  # that the generator is shown
PER_PROVISION = 3  # subsections of each
NEAR_GAP = 50  # undated passages ranked: grounds to refuse
LEADERS = 30  # dated passages that they are judged beside
AHEAD = timedelta(days=366)  # how far ahead a figure may be set already: what follows, nobody can know
UNDATED_SUBJECTS = 12  # provisions that the subject index points at, looked for among them


@dataclass(frozen=True, slots=True)
class Ports:
    """The world that the flow is handed. rerankers: by mode of search, "hybrid" and "lexical"; timer: seconds.

    subjects: the subject index, None where it is switched off. figures: the ledger of exact figures, by name.
    outside: the index of what lies outside the Acts held, None for a flow that has none. grounding: what holds a
    model's prose against its quotes, None where no model writes. provisions: that the generator is shown.
    """

    store: CorpusStore
    rerankers: Mapping[str, Reranker]
    generator: Generator
    timer: Callable[[], float]
    subjects: SubjectReader | None = None
    figures: FigureIndex = NO_FIGURES
    outside: OutsideReader | None = None
    grounding: Grounding | None = None
    provisions: int = PROVISIONS


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

    def waiting(self, name: str) -> Waiting:
        """Tells the reader how far a stage has come that waits for something slow."""
        return lambda how_far: self._tell(StageEvent(name, "running", detail=how_far))


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What search found: the passages, and the lists they were found in, best first."""

    passages: list[Passage]
    sought: Sought
    fused: Sequence[Hit] = ()
    lexical: Sequence[Hit] = ()
    dense: Sequence[Hit] = ()


def answer_question(
    question: str,
    year_field: IncomeYear | None,
    today: date,
    ports: Ports,
    tell: Tell = tell_nobody,
    balance_month: int = 6,
) -> Outcome:
    """The outcome of one question, from the words in force then. A failing port raises; nothing else does.

    balance_month: in which the accounting period of whom it is asked for ends.
    """
    stages = _Stages(ports.timer, tell)
    parts = [_travel(issue, year_field, today, ports, stages, balance_month) for issue in issues_of(question)]
    outcome = shown.in_parts(question, parts) if len(parts) > 1 else parts[0]
    return replace(outcome, stages=tuple(stages.done))


def _travel(
    question: str, year_field: IncomeYear | None, today: date, ports: Ports, stages: _Stages, balance_month: int
) -> Outcome:
    """The road for the time that the question asks about, or for both of two."""
    time = resolve(question, year_field, today, ports.store.titles(), balance_month)
    if isinstance(time, YearConflict):
        both = two_times(question, time)
        if both is None:
            return shown.two_years(question, time)
        sides = [_travel_at(both.text, time, ports, stages) for time in (both.earlier, both.later)]
        return shown.side_by_side(question, sides)
    if isinstance(time, YearRefused):
        refused = words.Words(time.message, "Give the income year as FY2020 or 2019–20.")
        return shown.unsearched(question, Decision.OUT_OF_HORIZON, Reason.YEAR_OUTSIDE_CORPUS, refused)
    outcome = _travel_at(question, time, ports, stages)
    if outcome.decision is Decision.ANSWER and time.window.first > today + AHEAD:
        return shown.out_of_horizon(question, time, ports.store.horizon())
    return outcome


def _travel_at(question: str, time: ResolvedTime, ports: Ports, stages: _Stages) -> Outcome:
    with stages("resolve") as detail:
        detail.append(time.year.label)
        routed = route(question, find_citations(question, titles=ports.store.titles()))
        if routed.reason is not None:
            said = words.words_for(routed.reason)
            return shown.unsearched(question, Decision.OUT_OF_SCOPE, routed.reason, said, time=time)
        told = figured.answered(question, time, ports.store, ports.figures)
        if told is not None:
            return told
        elsewhere = placed_outside(question, routed.citations, time, ports)
        if elsewhere is not None:
            settings = {"outside_index": ports.outside.identity if ports.outside else "off"}
            return replace(shown.outside(question, time, elsewhere), settings=settings)
        horizon = ports.store.horizon()
        if horizon is None or (
            not horizon.covers(time.window)
            and not cited.names_a_ruling_held(routed.citations, time.window, ports.store)
        ):
            return shown.out_of_horizon(question, time, horizon)
        asked = Searched(question, time, ports.store.snapshot(time.window))
        if not asked.snapshot.is_trusted:
            return shown.failed(question, " ".join(asked.snapshot.degraded))

    with stages("retrieve") as detail:
        held = [code for code, _, _ in horizon.instruments]
        lookups = cited.look_up_cited(routed.citations, time.window, held, ports.store)
        if several := cited.meanings(lookups):
            return shown.two_provisions(asked, several)
        if missing := cited.not_there(routed.citations, lookups, time.window, held, ports.store):
            return shown.not_there(asked, *missing)
        retrieved = retrieve(asked, lookups, ports)
        time_filter.assert_in_window(retrieved.passages, time.window)
        detail.append(f"{asked.snapshot.passages_in_force:,} passages in force, {len(retrieved.passages)} found")

    with stages("rerank") as detail:
        reranker = ports.rerankers[asked.snapshot.mode]
        fits = reranker.score(retrieved.sought, retrieved.passages) if retrieved.passages else []
        ranked = shortlist.combine(retrieved.passages, fits, retrieved.fused, retrieved.lexical, retrieved.dense)
        leading = shortlist.leading(ranked, ports.provisions, PER_PROVISION)
        limits = shortlist.limits_of_first(ranked, retrieved.sought.subjects.matches)
        limits += [item for item in shortlist.ruling_on_first(ranked) if item not in limits]
        siblings = ports.store.siblings([item.passage for item in (*leading, *limits)], time.window)
        time_filter.assert_in_window(siblings, time.window)
        groups = parents.merge_parents(leading, siblings)
        groups += [replace(group, is_limit=True) for group in parents.merge_parents(limits, siblings)]
        detail.append(f"{len(ranked)} ranked")

    with stages("generate") as detail:
        waiting = stages.waiting("generate")
        draft = ports.generator.draft(question, groups, ranked, waiting)
        detail.append(_counted(len(draft.claims), "claim"))

    with stages("verify") as detail:
        sources = {passage.chunk_id: passage for group in groups for passage in group.passages}
        checked, record = drafted.check(draft, sources, ports.grounding)
        matched = sum(len(claim.quotes) for claim in checked if claim.is_verified)
        detail.append(f"{_counted(matched, 'quote')} matched")

    with stages("decide"):
        leaders = [item.passage for item in ranked[:LEADERS]]
        undated, beside = _undated(retrieved.sought, leaders, lookups, reranker, ports.store)
        found = Findings(lookups, ranked, undated, checked, sources, retrieved.sought.subjects)
        bars = thresholds.for_reranker(reranker.identity)
        evidence = replace(_evidence(question, found), beside=beside)
        verdict = decide.decide(evidence, bars)
        if draft.second and verdict.decision is Decision.ANSWER:
            second, _ = drafted.check(draft.second, sources, ports.grounding)
            if drafted.disagree(checked, second, sources):
                verdict = decide.Verdict(Decision.THIN_EVIDENCE, Reason.MODELS_DISAGREE)
                found = replace(found, checked=(*checked, *(claim for claim in second if claim not in checked)))
        if verdict.decision is Decision.WORDING_UNKNOWN and not lookups:
            found = replace(found, undated=_with_both_sides(undated, time.window, ports.store))
        not_current = ports.store.not_current_from(time.window)
        outcome = shown.decided(asked, found, verdict, not_current)
    return replace(
        outcome,
        provider=ports.generator.provider,
        model=draft.model or ports.generator.model,
        made_by=record,
        reranker=reranker.identity,
        settings=_settings(bars, ports, retrieved.sought.subjects.identity),
        confidence=decide.confidence(evidence, bars),
        signs={} if evidence.is_cited else evidence.signs,
    )


def placed_outside(
    question: str, citations: Sequence[FoundCitation], time: ResolvedTime, ports: Ports
) -> Elsewhere | None:
    """Where the question belongs if not to the law held: a premise comes first, then the law that it names."""
    premise = ports.outside.false_premise(question, time.year) if ports.outside else None
    if premise is not None:
        return premise
    named = law_named(question, citations, ports.store.titles())
    if named.is_held or cited.names_a_ruling_held(citations, time.window, ports.store):
        return None
    return named.elsewhere or (ports.outside.place(question) if ports.outside else None)


# Retrieval


def retrieve(asked: Searched, lookups: Sequence[CitedLookup], ports: Ports) -> Retrieved:
    """The candidates, and the lists they come from. A cited section alone, where one is cited."""
    window, store = asked.time.window, ports.store
    if lookups:
        passages = [passage for entry in lookups if entry.is_found for passage in entry.lookup.passages]
        return Retrieved(passages, Sought(asked.question, window))
    subjects = ports.subjects.read(asked.question, asked.time.year) if ports.subjects else SubjectReading()
    lexical = store.search_lexical(asked.question, window, PER_LIST)
    dense = store.search_dense(asked.question, window, PER_LIST) if asked.snapshot.mode == "hybrid" else []
    pointed_at = shortlist.strongest(subjects.evidence, SUBJECTS)
    named = store.search_provisions(asked.question, pointed_at, window, PER_SUBJECT) if pointed_at else []
    fused = shortlist.shortlist(fusion.rrf([lexical, dense, named]), TO_RERANK)
    passages = store.passages([hit.chunk_id for hit in fused], window)
    return Retrieved(passages, Sought(asked.question, window, subjects), fused, lexical, dense)


# Deciding


def _evidence(question: str, found: Findings) -> decide.Evidence:
    quoted = {found.sources[q.quote.chunk_id].provision_id for claim in found.answering for q in claim.quotes}
    ranked = found.ranked
    best = next((item for item in ranked if item.passage.provision_id in quoted), ranked[0] if ranked else None)
    same = [item for item in ranked if best and item.passage.provision_id == best.passage.provision_id]
    return decide.Evidence(
        is_cited=any(entry.is_found for entry in found.lookups),
        lookup_state=next((entry.lookup.state for entry in found.lookups if not entry.is_found), ""),
        relevance=best.relevance if best else None,
        hits=len(same),
        in_both=any(item.lexical_rank is not None and item.dense_rank is not None for item in same),
        coverage=overlap.coverage(question, [f"{item.passage.heading} {item.passage.text}" for item in same]),
        verified_claims=len(found.answering),
        failed_quotes=sum(not quote.is_verified for claim in found.checked for quote in claim.quotes),
        excess_prose=sum(bool(claim.excess) for claim in found.checked),
        lead=_lead(ranked, quoted),
        second=max((item.relevance for item in ranked if item.passage.provision_id not in quoted), default=0.0),
        together=_together(ranked, quoted),
        closeness=max((item.closeness for item in same), default=0.0),
        total=best.signs.get("total", 0.0) if best else 0.0,
        takes_law_as_given=takes_law_as_given(question),
        rival=found.undated[0][1] if found.undated else None,
    )


def _together(ranked: Sequence[Ranked], quoted: set[int]) -> float:
    """The relevance of the provisions quoted, added up."""
    by_provision = {item.passage.provision_id: item.relevance for item in ranked}
    return sum(by_provision.get(provision, 0.0) for provision in sorted(quoted))


def _lead(ranked: Sequence[Ranked], quoted: set[int]) -> float | None:
    """How far the best of the quoted provisions is ahead of the best of the others; None where there are none."""
    ours = [item.relevance for item in ranked if item.passage.provision_id in quoted]
    others = [item.relevance for item in ranked if item.passage.provision_id not in quoted]
    return max(ours) - max(others) if ours and others else None


def _undated(
    sought: Sought, dated: Sequence[Passage], lookups: Sequence[CitedLookup], reranker: Reranker, store: CorpusStore
) -> tuple[list[tuple[Passage, float]], float | None]:
    """Passages that may have been in force then, with their relevance, best first: grounds to refuse, not to answer.

    And the relevance of the best dated one beside them: both are judged together, so that one can be held against the
    other. What is dated was ranked without them and keeps its own scores.
    """
    if lookups:
        passages = [p for entry in lookups if entry.lookup.state == "gap" for p in entry.lookup.passages]
    else:
        pointed_at = shortlist.strongest(sought.subjects.evidence, UNDATED_SUBJECTS)
        passages = store.undated_near(sought.question, sought.window, NEAR_GAP, pointed_at)
    if not passages:
        return [], None
    fits = reranker.score(sought, [*dated, *passages])
    beside = max((fit.relevance for fit in fits[: len(dated)]), default=None)
    found = [(passage, fit.relevance) for passage, fit in zip(passages, fits[len(dated) :], strict=True)]
    return sorted(found, key=lambda pair: (-pair[1], pair[0].chunk_id)), beside


def _with_both_sides(
    undated: Sequence[tuple[Passage, float]], window: Window, store: CorpusStore
) -> list[tuple[Passage, float]]:
    """The undated passages, with every wording of the best one's provision: a gap is shown from both its sides."""
    best, score = undated[0]
    sides = store.look_up(best.instrument, best.schedule, best.section, window).passages
    seen = {passage.version_id for passage, _ in undated}
    return [*undated, *((passage, score) for passage in sides if passage.version_id not in seen)]


def _settings(bars: thresholds.Thresholds, ports: Ports, read_by: str) -> dict[str, str]:
    """What shaped the answer beside law, index and models: the numbers that a replay compares."""
    numbers = (field.name for field in fields(bars) if field.name not in ("measured", "confidence"))
    return {
        "figures": ports.figures.ledger.identity or "none",
        "subject_index": read_by or ("not read" if ports.subjects else "off"),
        "outside_index": ports.outside.identity if ports.outside else "off",
        "confidence": bars.confidence.digest if bars.confidence else "none",
        "thresholds": " ".join(f"{name}={getattr(bars, name)}" for name in numbers),
        "search": f"per_list={PER_LIST} rrf_k={fusion.RRF_K} subjects={SUBJECTS}x{PER_SUBJECT} rerank={TO_RERANK} "
        f"provisions={ports.provisions}x{PER_PROVISION}",
        **_drafting(ports.grounding),
    }


def _drafting(grounding: Grounding | None) -> dict[str, str]:
    """What shaped a model's answer: how it was asked, and what its prose was held to; nothing where none drafts."""
    if grounding is None:
        return {}
    return {"prompts": prompt.VERSION, "groundedness": f"{grounding.scorer.identity} bar={grounding.bar}"}


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
