"""What the figure ledger is worth on a suite of questions: pure counts of right routes, exact values and false answers.

A case says what kind of question it is and what must come out; an outcome is judged by its decision and its figures.
Nothing is pooled: each kind has a number of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from research.terms import Decision, Outcome, Reason

ROUTED = ("answerable", "trap", "ambiguous", "unanswerable_year", "false_premise")  # the ledger's
SEARCHED = ("unanswerable_name", "research")  # not the ledger's: it has no such figure, or none is asked for
KINDS = (*ROUTED, *SEARCHED)
OF_FIGURES = frozenset(
    {Reason.FIGURE_FOUND, Reason.TWO_FIGURES, Reason.FIGURE_YEAR_NOT_HELD, Reason.FIGURE_CONTRADICTED}
)


class SuiteRejected(ValueError):
    """A suite that cannot be measured; the message names the case and the field."""


@dataclass(frozen=True, slots=True)
class FigureCase:
    """figures: value by key, exactly as shown; could_be: keys that must all be shown. Both empty where none may be."""

    id: str
    kind: str
    question: str
    income_year: int | None = None
    figures: Mapping[str, str] = field(default_factory=dict)
    could_be: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """One case as it came out. outcome: in words, for the list of what went wrong; ms: look-up and routing."""

    case: FigureCase
    is_routed: bool
    is_right: bool
    is_answer: bool
    outcome: str
    ms: float


def suite_of(plain: Any) -> list[FigureCase]:
    """The cases of a parsed suite. Raises SuiteRejected for the first that is not of the form."""
    entries = plain.get("cases") if isinstance(plain, dict) else None
    if not isinstance(entries, list) or not entries:
        raise SuiteRejected("The suite holds no list of cases.")
    cases = [_case(entry) for entry in entries]
    if len({case.id for case in cases}) != len(cases):
        raise SuiteRejected("An id stands twice in the suite; give every case one of its own.")
    return cases


def _case(entry: Any) -> FigureCase:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        raise SuiteRejected(f"A case has no id: {entry!r:.80}.")
    kind, question = entry.get("kind"), entry.get("question")
    if kind not in KINDS:
        raise SuiteRejected(f"{entry['id']}: kind is {kind!r}; give one of {', '.join(KINDS)}.")
    if not isinstance(question, str) or not question.strip():
        raise SuiteRejected(f"{entry['id']}: question is {question!r}; give its text.")
    figures, could_be = dict(entry.get("figures") or {}), tuple(entry.get("could_be") or ())
    if (kind in ("answerable", "trap")) != bool(figures) or (kind in ("ambiguous", "false_premise")) != bool(could_be):
        raise SuiteRejected(f"{entry['id']}: an answer needs figures, what is ambiguous or wrong needs could_be.")
    return FigureCase(entry["id"], kind, question, entry.get("income_year"), figures, could_be)


def judge(case: FigureCase, outcome: Outcome | None, ms: float) -> Judged:
    """How the ledger's outcome stands to the case. outcome: None where the question went on to search."""
    return Judged(
        case=case,
        is_routed=(outcome is not None and outcome.reason in OF_FIGURES) == (case.kind in ROUTED),
        is_right=_is_right(case, outcome),
        is_answer=outcome is not None and outcome.decision is Decision.ANSWER,
        outcome=_in_words(outcome),
        ms=ms,
    )


def _is_right(case: FigureCase, outcome: Outcome | None) -> bool:
    if case.kind in SEARCHED or outcome is None:
        return case.kind in SEARCHED and outcome is None
    shown = {figure.key: figure.value for figure in outcome.figures}
    if case.kind in ("answerable", "trap"):
        return outcome.reason is Reason.FIGURE_FOUND and shown == dict(case.figures)
    if case.kind == "unanswerable_year":
        return outcome.reason is Reason.FIGURE_YEAR_NOT_HELD and not shown
    wanted = Reason.TWO_FIGURES if case.kind == "ambiguous" else Reason.FIGURE_CONTRADICTED
    return outcome.reason is wanted and set(shown) == set(case.could_be)


def _in_words(outcome: Outcome | None) -> str:
    if outcome is None:
        return "went on to search"
    return f"{outcome.reason.value}: " + ", ".join(f"{figure.key} {figure.value}" for figure in outcome.figures)


def summary(judged: Sequence[Judged]) -> dict[str, Any]:
    """The measures, each over its own kind of case; times in milliseconds."""
    of = {kind: [each for each in judged if each.case.kind == kind] for kind in KINDS}
    unanswerable = [*of["unanswerable_year"], *of["unanswerable_name"], *of["research"]]
    times = sorted(each.ms for each in judged)
    return {
        "cases": len(judged),
        "routing_accuracy": _share([each.is_routed for each in judged]),
        "exact_match": _share([each.is_right for each in (*of["answerable"], *of["trap"])]),
        "traps_survived": _share([each.is_right for each in of["trap"]]),
        "ambiguity_detected": _share([each.is_right for each in of["ambiguous"]]),
        "false_premises_named": _share([each.is_right for each in of["false_premise"]]),
        "years_refused": _share([each.is_right for each in of["unanswerable_year"]]),
        "false_answers": _share([each.is_answer for each in unanswerable]),
        "p50_ms": round(_percentile(times, 0.5), 2),
        "p95_ms": round(_percentile(times, 0.95), 2),
        "by_kind": {kind: f"{sum(each.is_right for each in cases)}/{len(cases)}" for kind, cases in of.items()},
    }


FLOORS = {
    "routing_accuracy": 1.0,
    "exact_match": 0.99,
    "traps_survived": 1.0,
    "ambiguity_detected": 1.0,
}
MOST_FALSE_ANSWERS = 0.01
MOST_P95_MS = 4.0


def failures(counted: Mapping[str, Any]) -> list[str]:
    """The measures that do not reach what is asked of them, in sentences; times are for the bench, not for a gate."""
    low = [f"{name} is {counted[name]}, below {floor}" for name, floor in FLOORS.items() if counted[name] < floor]
    if counted["false_answers"] > MOST_FALSE_ANSWERS:
        low.append(f"false_answers is {counted['false_answers']}, above {MOST_FALSE_ANSWERS}")
    return low


def _share(of: Sequence[bool]) -> float:
    return round(sum(of) / len(of), 4) if of else 0.0


def _percentile(ordered: Sequence[float], share: float) -> float:
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else 0.0
