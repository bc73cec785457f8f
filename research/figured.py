"""Answers a question about a figure from the ledger: exact value, exact period, or the reason why not.

Pure; ledger and store are handed in. A question that asks for no figure goes on to search, unless it takes a wrong
figure as given. "Verified in text" is found anew for every answer, in the words of the provision that sets the figure,
in force on days asked about; the ledger's own mark is never believed. All else is shown as recorded, without a quote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Protocol

from research import shown
from research.audit import provenance
from research.decision import next_steps, words
from research.figures import asked, premise
from research.figures.computed import WorkedOut, work_out
from research.figures.formulas import Computed
from research.figures.ledger import Figure, Ledger, Row, SetBy
from research.figures.lookup import Found, Held, LookedUp, look_up
from research.figures.names import FigureIndex
from research.figures.quoting import words_with
from research.ports import Horizon, Lookup
from research.terms import (
    Claim,
    Decision,
    Draft,
    FigureStatus,
    Outcome,
    Quote,
    Reason,
    ResolvedTime,
    ShownClaim,
    ShownFigure,
    Snapshot,
    Window,
)
from research.verification.claims import verify

PROVIDER = "figures"  # who answered: the ledger, no generator


class Law(Protocol):
    """What proving a figure asks of the corpus; every `CorpusStore` is one."""

    def horizon(self) -> Horizon | None: ...

    def snapshot(self, window: Window) -> Snapshot: ...

    def look_up(self, instrument: str, schedule: str, section: str, window: Window) -> Lookup: ...

    def not_current_from(self, window: Window) -> Mapping[str, date]: ...


_Proofs = Mapping[tuple[str, Row], ShownClaim]


def answered(question: str, time: ResolvedTime, store: Law, index: FigureIndex) -> Outcome | None:
    """The outcome of a question about a figure; None for every other question."""
    worked = work_out(question, time, index.ledger)
    if worked is not None:
        return _worked_out(question, time, store, index.ledger, worked)
    read = asked.read(question, time)
    found = look_up(read, time.window, index) if read is not None else None
    if found is not None:
        return _looked_up(question, time, store, index.ledger, found)
    wrong = premise.contradicted(question, time, index)
    return _contradicted(question, time, store, index.ledger, wrong) if wrong is not None else None


# Outcomes


def _looked_up(question: str, time: ResolvedTime, store: Law, ledger: Ledger, found: LookedUp) -> Outcome:
    if found.found is Found.NOT_THEN:
        names = words.listed([figure.name for figure in found.figures])
        return _not_held(question, time, ledger, names, words.listed(_held_for(found.figures)))
    proofs = _proofs(found.rows, time.window, store)
    figures = [_shown(held, ledger, proofs) for held in found.rows]
    if found.found is Found.ONE:
        said = words.words_for(Reason.FIGURE_FOUND, told=" ".join(map(_told, figures)))
        outcome = shown.unsearched(question, Decision.ANSWER, Reason.FIGURE_FOUND, said, time=time)
    else:
        outcome = _ambiguous(question, time, figures)
    return _with_figures(outcome, figures, list(proofs.values()), store, ledger)


def _worked_out(question: str, time: ResolvedTime, store: Law, ledger: Ledger, worked: WorkedOut) -> Outcome:
    if not worked.several:
        return _not_held(question, time, ledger, worked.what, words.days(*worked.held))
    rows = [held for each in worked.several for held in each.rows]
    proofs = _proofs(rows, time.window, store)
    figures = [_shown_computed(each, ledger, proofs) for each in worked.several]
    if len(figures) == 1:
        said = words.words_for(Reason.FIGURE_FOUND, told=_told(figures[0]))
        outcome = shown.unsearched(question, Decision.ANSWER, Reason.FIGURE_FOUND, said, time=time)
    else:
        outcome = _ambiguous(question, time, figures)
    return _with_figures(outcome, figures, list(proofs.values()), store, ledger)


def _contradicted(
    question: str, time: ResolvedTime, store: Law, ledger: Ledger, wrong: premise.Contradiction
) -> Outcome:
    proofs = _proofs(wrong.rows, time.window, store)
    figures = [_shown(held, ledger, proofs) for held in wrong.rows]
    said = words.words_for(
        Reason.FIGURE_CONTRADICTED,
        said=wrong.said,
        when=shown.when(time),
        told=" ".join(map(_told, figures)),
    )
    outcome = shown.unsearched(question, Decision.FALSE_PREMISE, Reason.FIGURE_CONTRADICTED, said, time=time)
    return _with_figures(outcome, figures, list(proofs.values()), store, ledger)


def _ambiguous(question: str, time: ResolvedTime, figures: Sequence[ShownFigure]) -> Outcome:
    said = words.words_for(Reason.TWO_FIGURES)
    candidates = tuple(f"{each.name}: {each.value} ({words.days(each.starts, each.ends)})" for each in figures)
    return shown.unsearched(
        question, Decision.AMBIGUOUS, Reason.TWO_FIGURES, said, time=time, candidates=tuple(dict.fromkeys(candidates))
    )


def _not_held(question: str, time: ResolvedTime, ledger: Ledger, what: str, held: str) -> Outcome:
    said = words.words_for(Reason.FIGURE_YEAR_NOT_HELD, what=what, when=shown.when(time), held=held)
    outcome = shown.unsearched(question, Decision.OUT_OF_HORIZON, Reason.FIGURE_YEAR_NOT_HELD, said, time=time)
    return replace(outcome, provider=PROVIDER, settings={"figures": ledger.identity})


def _with_figures(
    outcome: Outcome, figures: Sequence[ShownFigure], claims: Sequence[ShownClaim], store: Law, ledger: Ledger
) -> Outcome:
    """The outcome with its figures, their quotes, and what they depend on: the ledger, and the law looked at."""
    cited = [citation for claim in claims for citation in claim.citations]
    looked = outcome.time is not None and any(figure.act for figure in figures) and store.horizon() is not None
    window = outcome.time.window if outcome.time is not None else None
    behind = store.not_current_from(window) if cited and window else {}
    return replace(
        outcome,
        claims=tuple(claims),
        figures=tuple(figures),
        next_step=_step(outcome, figures[0]) if figures else outcome.next_step,
        snapshot=store.snapshot(window) if looked and window else None,
        provider=PROVIDER,
        settings={"figures": ledger.identity},
        attribution=" ".join(filter(None, (provenance.attribution(cited), provenance.NOT_ADVICE))),
        cautions=tuple(dict.fromkeys(words.not_current(c.act_title, behind[c.act]) for c in cited if c.act in behind)),
    )


def _step(outcome: Outcome, figure: ShownFigure) -> str:
    """The one step: of an answer a check of its first figure, else what the refusal says."""
    if outcome.decision is not Decision.ANSWER or outcome.time is None:
        return outcome.next_step
    year = outcome.time.year.label
    return next_steps.step_for_figure(figure.key, figure.act, figure.section, figure.schedule, year)


# Figures as they are shown


def _shown(held: Held, ledger: Ledger, proofs: _Proofs) -> ShownFigure:
    row = held.row
    is_verified = (held.figure.key, row) in proofs
    return ShownFigure(
        key=held.figure.key,
        name=held.figure.name,
        value=row.shown,
        starts=row.starts,
        ends=row.ends,
        set_by=_set_by(row.set_by, row.by),
        act=row.set_by.act,
        section=row.set_by.section,
        schedule=row.set_by.schedule,
        status=FigureStatus.VERIFIED if is_verified else FigureStatus.RECORDED,
        source=words.figure_source(ledger.sources[row.source], row.confidence),
        note=row.note,
    )


def _shown_computed(computed: Computed, ledger: Ledger, proofs: _Proofs) -> ShownFigure:
    """A figure worked out: verified where all of the ledger's rows that went in are."""
    rows = computed.rows
    is_verified = bool(rows) and all((held.figure.key, held.row) in proofs for held in rows)
    return ShownFigure(
        key=computed.key,
        name=computed.name,
        value=computed.shown,
        starts=computed.starts,
        ends=computed.ends,
        set_by=_set_by(computed.set_by),
        act=computed.set_by.act,
        section=computed.set_by.section,
        schedule=computed.set_by.schedule,
        status=FigureStatus.VERIFIED if is_verified else FigureStatus.RECORDED,
        source=words.figure_source(ledger.sources[computed.source], computed.confidence),
        formula=computed.formula,
        inputs=computed.inputs,
    )


def _set_by(set_by: SetBy, by: str = "") -> str:
    return f"{set_by.shown}; {by}" if by else set_by.shown


def _told(figure: ShownFigure) -> str:
    is_verified = figure.status is FigureStatus.VERIFIED
    return words.figure_told(
        figure.name, figure.value, words.days(figure.starts, figure.ends), is_verified, is_computed=bool(figure.formula)
    )


def _held_for(figures: Sequence[Figure]) -> list[str]:
    """From when to when the ledger holds each figure."""
    spans = [(figure.rows[0].starts, figure.rows[-1].ends) for figure in figures]
    return list(dict.fromkeys(words.days(*span) for span in spans))


# Proof


def _proofs(rows: Sequence[Held], window: Window, store: Law) -> dict[tuple[str, Row], ShownClaim]:
    """The verified quote of each row whose value stands in the words of its provision, by figure and row."""
    found = {(held.figure.key, held.row): _proof(held, window, store) for held in rows}
    return {key: claim for key, claim in found.items() if claim is not None}


def _proof(held: Held, window: Window, store: Law) -> ShownClaim | None:
    """The quote of the value from the provision that sets it, as it stood on days both asked about and of the row."""
    row, set_by = held.row, held.row.set_by
    if not set_by.act:
        return None
    lookup = store.look_up(set_by.act, set_by.schedule, set_by.section, row.within(window))
    if lookup.state != "found":
        return None
    standing = words_with(row, held.figure.beside, lookup.passages)
    if standing is None:
        return None
    passage, quote, value = standing
    claim = Claim(f"{passage.authority} states {value}:", (Quote(passage.chunk_id, quote),))
    sources = {passage.chunk_id: passage}
    (checked,) = verify(Draft((claim,), PROVIDER, ""), sources)
    return shown.shown_claim(checked, sources) if checked.is_verified else None
