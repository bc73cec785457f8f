"""Answer or abstain: a pure function of what was found and checked. No clock, no model, no database.

The order is that of the design's table: what the question is comes before what was found, what was found before
what was checked, and only then how good it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from research.decision.thresholds import Thresholds
from research.terms import Decision, Reason


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the decision rests on.

    is_cited: the question named the provision itself. lookup_state: that of the first look-up that found nothing,
    or "". relevance: of the best passage quoted; None when nothing was retrieved. hits: passages of the best
    provision among those ranked. in_both: its best passage stands in both the lexical and the dense list.
    coverage: share of the question's content words that stand in the quoted provision.
    lead: by how much the best provision quoted is ahead of the best one not quoted, on the reranker's scale;
    negative where it is behind, None where there is no other.
    rival: relevance of the best undated passage, None where there is none; beside: that of the best dated one when the
    two are judged together, None for the same as alone. second: relevance of the best provision not
    quoted; together: the sum of that of the provisions quoted; closeness: of the nearest passage of the best quoted
    provision; total: what its relevance was made from, before others competed with it.
    takes_law_as_given: the question asserts what the law is or how it changed, beside what it asks.
    """

    is_cited: bool
    lookup_state: str
    relevance: float | None
    hits: int
    in_both: bool
    coverage: float
    verified_claims: int
    failed_quotes: int
    excess_prose: int
    lead: float | None = None
    rival: float | None = None
    beside: float | None = None
    second: float = 0.0
    together: float = 0.0
    closeness: float = 0.0
    total: float = 0.0
    takes_law_as_given: bool = False

    @property
    def signs(self) -> dict[str, float]:
        """What the confidence is read from, by name. Probabilities as log odds: the ends are where they tell apart."""
        return {
            "odds": _log_odds(self.relevance or 0.0),
            "odds_of_all": _log_odds(self.together),
            "odds_of_second": _log_odds(self.second),
            "closeness": self.closeness,
            "question_covered": self.coverage,
            "in_both": float(self.in_both),
            "total": self.total,
        }


def confidence(evidence: Evidence, bars: Thresholds) -> float | None:
    """How likely it is that what is quoted answers the question; None for a citation or a scale that gives none."""
    if bars.confidence is None or evidence.relevance is None or evidence.is_cited:
        return None
    return bars.confidence.probability(evidence.signs)


def _log_odds(probability: float) -> float:
    bounded = min(1 - 1e-4, max(1e-4, probability))
    return math.log(bounded / (1 - bounded))


@dataclass(frozen=True, slots=True)
class Verdict:
    decision: Decision
    reason: Reason


def decide(evidence: Evidence, bars: Thresholds) -> Verdict:
    """The decision and its reason (design §6)."""
    if evidence.lookup_state == "absent":
        return Verdict(Decision.FALSE_PREMISE, Reason.PROVISION_NOT_THERE)
    if evidence.lookup_state == "gap":
        return Verdict(Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP)
    if evidence.lookup_state == "not_held":
        return Verdict(Decision.NO_BASIS, Reason.PROVISION_NOT_HELD)
    if _is_undated(evidence, bars):
        return Verdict(Decision.WORDING_UNKNOWN, Reason.DATE_IN_GAP)
    if evidence.relevance is None:
        return Verdict(Decision.NO_BASIS, Reason.NOTHING_FOUND)
    if not evidence.is_cited and evidence.relevance < bars.floor:
        return Verdict(Decision.NO_BASIS, Reason.BELOW_FLOOR)
    if not evidence.verified_claims:
        return Verdict(*_unverified(evidence))
    if evidence.is_cited:
        return Verdict(Decision.ANSWER, Reason.VERIFIED)
    sure = confidence(evidence, bars)
    if sure is not None:
        return _by_confidence(sure, evidence, bars)
    if evidence.relevance < bars.bar:
        return Verdict(Decision.THIN_EVIDENCE, Reason.BELOW_BAR)
    if evidence.lead is not None and evidence.lead < bars.lead:
        return Verdict(Decision.THIN_EVIDENCE, Reason.RIVAL_PROVISION)
    if evidence.relevance < bars.clear and not _is_corroborated(evidence, bars):
        return Verdict(Decision.THIN_EVIDENCE, Reason.UNCORROBORATED)
    return Verdict(Decision.ANSWER, Reason.VERIFIED)


def _by_confidence(sure: float, evidence: Evidence, bars: Thresholds) -> Verdict:
    """Answered where it is sure enough; else the reason names the sign that speaks against it most plainly."""
    if sure >= bars.sure:
        if evidence.takes_law_as_given:  # that the words were found says nothing of what the question adds to them
            return Verdict(Decision.THIN_EVIDENCE, Reason.PREMISE_UNCONFIRMED)
        return Verdict(Decision.ANSWER, Reason.VERIFIED)
    if evidence.lead is not None and evidence.lead < bars.lead:
        return Verdict(Decision.THIN_EVIDENCE, Reason.RIVAL_PROVISION)
    if not _is_corroborated(evidence, bars):
        return Verdict(Decision.THIN_EVIDENCE, Reason.UNCORROBORATED)
    return Verdict(Decision.THIN_EVIDENCE, Reason.BELOW_BAR)


def _is_undated(evidence: Evidence, bars: Thresholds) -> bool:
    """Whether a wording that nobody can date fits the question better than all that is dated."""
    if evidence.rival is None or evidence.is_cited or evidence.rival < bars.bar:
        return False
    dated = evidence.relevance if evidence.beside is None else evidence.beside
    return dated is None or evidence.rival >= dated + bars.gap_margin


def _unverified(evidence: Evidence) -> tuple[Decision, Reason]:
    if evidence.failed_quotes:
        return Decision.UNGROUNDED, Reason.QUOTE_NOT_IN_SOURCE
    if evidence.excess_prose:
        return Decision.UNGROUNDED, Reason.PROSE_EXCEEDS_QUOTES
    return Decision.NO_BASIS, Reason.NOTHING_FOUND


def _is_corroborated(evidence: Evidence, bars: Thresholds) -> bool:
    """Two independent signs: found by word and by meaning, or several passages of one provision; and the words fit."""
    return (evidence.in_both or evidence.hits >= 2) and evidence.coverage >= bars.coverage
