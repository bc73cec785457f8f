"""Whether to answer, and if not, why: a function of counted evidence, outside any model.

The first row that fits decides. Faults come first, because an outage told as an abstention would be a false
statement about the law; then what makes the question unanswerable as put (two meanings, out of scope, out of the
corpus's span, a provision that is not there, a wording that cannot be dated); then what the evidence lacks
(nothing found, quotes or prose that fail, too little that corroborates). Only what passes all of it answers.
Scope is asked before span: what is no tax question does not become one in another year.
"""

from __future__ import annotations

from dataclasses import dataclass

from research.decision.thresholds import Thresholds
from research.terms import Decision, Reason

FOUND, GAP, ABSENT, NOT_HELD, NO_LOOKUP = "found", "gap", "absent", "not_held", ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a question when all steps have run; the counts are of claims.

    best: the highest relevance of a passage, None when nothing was retrieved; runner_up: the highest in another
    provision. in_both_lists: whether the best passage's provision was found by words and by meaning; always False
    in lexical mode. hits_in_provision: passages of the best provision among those ranked. coverage: share of the
    question's content words that the verified quotes hold. lookup: state of the citation look-up, "" for none.
    gap_best: the highest relevance of a passage that may, but need not, have been in force then.
    """

    verified: int = 0
    failed_quotes: int = 0
    failed_prose: int = 0
    best: float | None = None
    runner_up: float | None = None
    in_both_lists: bool = False
    hits_in_provision: int = 0
    coverage: float = 0.0
    lookup: str = NO_LOOKUP
    lexical_only: bool = False
    gap_best: float | None = None
    component_failed: bool = False
    two_years: bool = False
    two_provisions: bool = False
    out_of_scope: Reason | None = None
    outside_corpus: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    decision: Decision
    reason: Reason


def decide(evidence: Evidence, thresholds: Thresholds) -> Verdict:
    """The decision and its reason. thresholds: those of the reranker that gave the relevances."""
    return _unanswerable(evidence) or _lacking(evidence, thresholds) or Verdict(Decision.ANSWER, Reason.VERIFIED)


def _unanswerable(evidence: Evidence) -> Verdict | None:
    """The verdict that no evidence could change, or None."""
    if evidence.component_failed:
        return Verdict(Decision.ERROR, Reason.COMPONENT_FAILED)
    if evidence.two_years:
        return Verdict(Decision.AMBIGUOUS, Reason.TWO_YEARS)
    if evidence.out_of_scope is not None:
        return Verdict(Decision.OUT_OF_SCOPE, evidence.out_of_scope)
    if evidence.outside_corpus:
        return Verdict(Decision.OUT_OF_HORIZON, Reason.YEAR_OUTSIDE_CORPUS)
    if evidence.two_provisions:
        return Verdict(Decision.AMBIGUOUS, Reason.TWO_PROVISIONS)
    if evidence.lookup == ABSENT:
        return Verdict(Decision.FALSE_PREMISE, Reason.PROVISION_NOT_THERE)
    if evidence.lookup == GAP:
        return Verdict(Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP)
    return None


def _lacking(evidence: Evidence, thresholds: Thresholds) -> Verdict | None:
    """The verdict on evidence that does not carry an answer, or None when it does."""
    is_cited = evidence.lookup == FOUND  # the question named the provision: relevance has nothing to add
    if evidence.best is None and not is_cited:
        return _gap(evidence, thresholds) or Verdict(Decision.NO_BASIS, Reason.NOTHING_FOUND)
    if not is_cited and evidence.best is not None and evidence.best < thresholds.floor:
        return _gap(evidence, thresholds) or Verdict(Decision.NO_BASIS, Reason.BELOW_FLOOR)
    if evidence.failed_quotes:
        return Verdict(Decision.UNGROUNDED, Reason.QUOTE_NOT_IN_SOURCE)
    if evidence.failed_prose:
        return Verdict(Decision.UNGROUNDED, Reason.PROSE_EXCEEDS_QUOTES)
    if not evidence.verified:
        return _gap(evidence, thresholds) or Verdict(Decision.NO_BASIS, Reason.NOTHING_FOUND)
    if is_cited or evidence.best is None:
        return None
    if evidence.best < thresholds.bar:
        return _gap(evidence, thresholds) or Verdict(Decision.THIN_EVIDENCE, Reason.BELOW_BAR)
    if signs_of(evidence, thresholds) < thresholds.signs:
        return _gap(evidence, thresholds) or Verdict(Decision.THIN_EVIDENCE, Reason.UNCORROBORATED)
    return None


def _gap(evidence: Evidence, thresholds: Thresholds) -> Verdict | None:
    """Wording unknown, where what may have been in force then is relevant and beats what certainly was."""
    near = evidence.gap_best
    if near is None or near < thresholds.bar or (evidence.best is not None and near <= evidence.best):
        return None
    return Verdict(Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP)


def signs_of(evidence: Evidence, thresholds: Thresholds) -> int:
    """How many of four signs corroborate the best provision.

    Found by words and by meaning; several of its passages found; the quotes hold the question's own words; it stands
    clear above the next provision. Lexical mode cannot show the first.
    """
    best = evidence.best
    stands_clear = best is not None and (evidence.runner_up is None or best - evidence.runner_up >= thresholds.lead)
    return sum(
        (
            evidence.in_both_lists and not evidence.lexical_only,
            evidence.hits_in_provision >= thresholds.hits,
            evidence.coverage >= thresholds.coverage,
            stands_clear,
        )
    )
