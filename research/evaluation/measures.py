"""What a run of cases is worth: pure counts, with wrong over answered beside wrong over all, and exact bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import comb
from typing import Any

from research.evaluation.cases import Authority, Case
from research.law.income_year import IncomeYear

REFUSALS = frozenset({"abstain_no_basis", "abstain_thin_evidence", "abstain_wording_unknown", "abstain_ungrounded"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one result stands against its case. kind: right, wrong, refused, rightly_refused, error."""

    case_id: str
    kind: str
    is_out_of_period: bool
    has_forbidden: bool


def judge(case: Case, result: dict[str, Any]) -> Verdict:
    """The verdict on one result line. An answer is right when every expected authority kind is met by a citation."""
    cited = {Authority(citation["act"], citation["section"]) for citation in result["citations"]}
    forbidden = bool(cited & set(case.must_not_cite))
    late = result["decision"] == "answer" and any(_is_out_of_period(result, line) for line in result["citations"])
    return Verdict(case.id, _kind(case, result["decision"], cited, forbidden), late, forbidden)


def _kind(case: Case, decision: str, cited: set[Authority], forbidden: bool) -> str:
    if decision == "error":
        return "error"
    if decision == "answer":
        wanted = case.behaviour == "answer" or "answer" in case.also_acceptable_behaviours
        return "right" if wanted and not forbidden and cited & set(case.acceptable) else "wrong"
    accepted = {case.behaviour, *case.also_acceptable_behaviours}
    if decision in accepted or ("abstain_out_of_corpus" in accepted and decision in REFUSALS):
        return "rightly_refused"
    return "refused"


def _is_out_of_period(result: dict[str, Any], citation: dict[str, Any]) -> bool:
    """Whether a citation's certain range lies wholly outside the income year that was answered."""
    year = IncomeYear(result["income_year"])
    starts = date.fromisoformat(citation["in_force_from"])
    ends = citation["in_force_to"]
    return starts > year.ends or (ends is not None and date.fromisoformat(ends) <= year.starts)


def upper_bound(wrong: int, answered: int, confidence: float = 0.95) -> float:
    """The exact one-sided upper bound (Clopper–Pearson) of the share wrong; 1.0 when nothing was answered."""
    if answered == 0 or wrong >= answered:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        at_most = sum(comb(answered, k) * middle**k * (1 - middle) ** (answered - k) for k in range(wrong + 1))
        low, high = (middle, high) if at_most > 1 - confidence else (low, middle)
    return high


def summary(verdicts: Sequence[Verdict], results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Counts over all cases; the two denominators are always given together."""
    kinds = Counter(verdict.kind for verdict in verdicts)
    answered = kinds["right"] + kinds["wrong"]
    return {
        "cases": len(verdicts),
        "answered": answered,
        **{kind: kinds[kind] for kind in ("right", "wrong", "refused", "rightly_refused", "error")},
        "wrong_over_answered": f"{kinds['wrong']}/{answered}",
        "wrong_over_all": f"{kinds['wrong']}/{len(verdicts)}",
        "wrong_over_answered_at_most_95": round(upper_bound(kinds["wrong"], answered), 4),
        "out_of_period": sum(verdict.is_out_of_period for verdict in verdicts),
        "forbidden_citations": sum(verdict.has_forbidden for verdict in verdicts),
        "decisions": dict(sorted(Counter(result["decision"] for result in results).items())),
    }
