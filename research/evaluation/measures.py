"""How one result stands against its case, and the counts over many, with exact bounds. Pure.

Wrong over answered never stands without wrong over all beside it: a system that answers little can look good by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from research.evaluation.cases import REFUSALS, Authority, Case
from research.evaluation.intervals import upper_bound
from research.law.income_year import IncomeYear

KINDS = ("right", "wrong", "rightly_refused", "refused", "error")
Days = tuple[date, date]  # the days asked about, both ends included


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one result stands against its case. kind: one of KINDS.

    is_first_right: the first thing cited is acceptable. is_all_acceptable: everything cited is, and something is.
    """

    case_id: str
    kind: str
    is_out_of_period: bool
    has_forbidden: bool
    is_first_right: bool = False
    is_all_acceptable: bool = False

    @property
    def is_answer(self) -> bool:
        return self.kind in ("right", "wrong")

    @property
    def points(self) -> int:
        """Of the truthfulness score: right 1, wrong −1, silence and a failure 0."""
        return {"right": 1, "wrong": -1}.get(self.kind, 0)


def judge(case: Case, result: dict[str, Any], windows: Sequence[Days] = ()) -> Verdict:
    """The verdict on one result line.

    An answer is right where one is expected or accepted, something that it cites is acceptable and nothing that it
    cites is forbidden. windows: for each citation the days that it was to be in force on, where they are known better
    than by the result's income year: one day, or each of the two times of a question about two.
    """
    cited = cited_in(result)
    forbidden = not set(cited).isdisjoint(case.must_not_cite)
    is_answer = result["decision"] == "answer"
    fits = [authority in case.acceptable for authority in cited]
    return Verdict(
        case.id,
        _kind(case, result["decision"], any(fits) and not forbidden),
        is_answer and _is_out_of_period(result, windows),
        forbidden,
        is_answer and bool(fits) and fits[0] and case.may_be_answered,
        is_answer and bool(fits) and all(fits) and case.may_be_answered,
    )


def cited_in(result: dict[str, Any]) -> list[Authority]:
    """What a result rests on, in order: its citations, then the provisions that set the figures in it."""
    told = [*result["citations"], *(figure for figure in result.get("figures") or () if figure.get("act"))]
    return list(dict.fromkeys(Authority(one["act"], one["section"]) for one in told))


def _kind(case: Case, decision: str, is_supported: bool) -> str:
    if decision == "error":
        return "error"
    if decision == "answer":
        return "right" if case.may_be_answered and is_supported else "wrong"
    accepted = {case.behaviour, *case.also_acceptable_behaviours}
    if decision in accepted or ("abstain_out_of_corpus" in accepted and decision in REFUSALS):
        return "rightly_refused"
    return "refused"


def _is_out_of_period(result: dict[str, Any], windows: Sequence[Days]) -> bool:
    """Whether anything cited, quote or figure, was in force on none of the days asked about."""
    year = IncomeYear(result["income_year"]) if result.get("income_year") else None
    days = list(windows) or [(year.starts, year.ends)] * len(result["citations"]) if year else list(windows)
    if len(days) != len(result["citations"]):
        return bool(result["citations"])  # an answer that does not say for when is for no time
    late = any(is_outside(citation, window) for citation, window in zip(result["citations"], days, strict=True))
    asked = set(days) or ({(year.starts, year.ends)} if year else set())
    return late or any(not _holds_in(figure, asked) for figure in result.get("figures") or ())


def is_outside(citation: dict[str, Any], window: Days) -> bool:
    """Whether a citation's certain range lies wholly outside the days, both ends of which are included."""
    ends = citation["in_force_to"]
    return date.fromisoformat(citation["in_force_from"]) > window[1] or (
        ends is not None and date.fromisoformat(ends) <= window[0]
    )


def _holds_in(figure: dict[str, Any], asked: Iterable[Days]) -> bool:
    """Whether a figure's days, both ends included, meet any of those asked about."""
    starts, ends = figure.get("starts"), figure.get("ends")
    return any(
        (not starts or date.fromisoformat(starts) <= last) and (not ends or date.fromisoformat(ends) >= first)
        for first, last in asked
    )


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
