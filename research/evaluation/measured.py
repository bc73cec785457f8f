"""Cases, results and verdicts brought together: the groups that are counted apart, and the numbers of each. Pure.

Three groups by what is wanted: *answerable* (an answer is), *either* (a refusal is, an answer is accepted) and
*unanswerable*. Retrieval is never pooled: only by kind, by words, by topic and by income year.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from research.evaluation import ranking, selective
from research.evaluation.calibration import Calibration, calibrations
from research.evaluation.cases import Authority, Case
from research.evaluation.intervals import Estimate, exact_interval, mean, means, quantile, upper_bound
from research.evaluation.measures import Verdict

REJECTED_KINDS = ("false_premise", "out_of_scope", "out_of_corpus", "out_of_horizon", "ambiguous")


@dataclass(frozen=True, slots=True)
class Line:
    """One case with what came of it."""

    case: Case
    result: dict[str, Any]
    verdict: Verdict

    @property
    def ranked(self) -> list[Authority]:
        return [Authority(one["act"], one["section"]) for one in self.result.get("retrieved") or ()]

    @property
    def confidence(self) -> float | None:
        value = self.result.get("confidence")
        return None if value is None else float(value)

    @property
    def would_be_right(self) -> bool:
        """Whether an answer with the quotes that the result carries, given or held back, would be right.

        Where it carries none: whether one from the first provision of the ranking would be. Where nothing was ranked
        either (a figure was looked up): whether the answer that was given is.
        """
        quoted = [Authority(one["act"], one["section"]) for one in self.result.get("citations") or ()]
        if not (quoted or self.ranked):
            return self.verdict.kind == "right"
        told = set(quoted or self.ranked[:1])
        is_met = bool(told & set(self.case.acceptable)) and not told & set(self.case.must_not_cite)
        return self.case.may_be_answered and is_met

    @property
    def sureness(self) -> float | None:
        """The confidence; 1 of an answer that was looked up and has none."""
        return 1.0 if self.confidence is None and self.verdict.is_answer else self.confidence

    @property
    def wanted(self) -> str:
        return "answerable" if self.case.is_answerable else "either" if self.case.may_be_answered else "unanswerable"

    @property
    def is_from_the_ledger(self) -> bool:
        """Whether it was answered with a figure, without any search."""
        return self.verdict.is_answer and not self.ranked and bool(self.result.get("figures"))


@dataclass(frozen=True, slots=True)
class Share:
    """count of n, with the exact (Clopper–Pearson) and the bootstrap 95 % interval; None for the latter of nothing."""

    name: str
    count: int
    n: int
    exact: tuple[float, float]
    bootstrap: Estimate | None

    @property
    def value(self) -> float | None:
        return self.count / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Headline:
    """The numbers that stand first. wrong_at_most: the one-sided 95 % bound of wrong over answered."""

    shares: tuple[Share, ...]
    truthfulness: tuple[tuple[str, Estimate | None], ...]
    wrong_at_most: float
    wrong: int
    answered: int
    out_of_period: int
    forbidden: int


def headline(lines: Sequence[Line]) -> Headline:
    answers = [line for line in lines if line.verdict.is_answer]
    wrong = [line.verdict.kind == "wrong" for line in answers]
    by_wanted = {name: [line for line in lines if line.wanted == name] for name in ("answerable", "unanswerable")}
    return Headline(
        tuple(_shares(lines, answers, by_wanted)),
        tuple(
            (name, mean([line.verdict.points for line in group]))
            for name, group in {"all cases": lines, **by_wanted}.items()
        ),
        upper_bound(sum(wrong), len(wrong)),
        sum(wrong),
        len(wrong),
        sum(line.verdict.is_out_of_period for line in lines),
        sum(line.verdict.has_forbidden for line in lines),
    )


def _shares(lines: Sequence[Line], answers: Sequence[Line], by_wanted: dict[str, list[Line]]) -> list[Share]:
    answerable, unanswerable = by_wanted["answerable"], by_wanted["unanswerable"]
    found = [
        share("answered, of the answerable (coverage)", answerable, lambda line: line.verdict.is_answer),
        share("right, of the answerable", answerable, lambda line: line.verdict.kind == "right"),
        share("right, of the answers given", answers, lambda line: line.verdict.kind == "right"),
        share("first citation right, of the answers given", answers, lambda line: line.verdict.is_first_right),
        share("every citation acceptable, of the answers given", answers, lambda line: line.verdict.is_all_acceptable),
        share("wrong authority, of the answers given", answers, lambda line: line.verdict.kind == "wrong"),
        share("wrong authority, of all cases", lines, lambda line: line.verdict.kind == "wrong"),
        share("answered, of the unanswerable (false answers)", unanswerable, lambda line: line.verdict.is_answer),
    ]
    for kind in REJECTED_KINDS:
        of_kind = [line for line in lines if line.case.behaviour in (f"abstain_{kind}", kind)]
        if of_kind:
            said = kind.replace("_", " ")
            found.append(share(f"{said}: not answered", of_kind, is_rejected))
            found.append(share(f"{said}: refused under an accepted name", of_kind, is_rightly_refused))
    return [*found, share("component failed, of all cases", lines, lambda line: line.verdict.kind == "error")]


def is_rejected(line: Line) -> bool:
    return not line.verdict.is_answer and line.verdict.kind != "error"


def is_rightly_refused(line: Line) -> bool:
    return line.verdict.kind == "rightly_refused"


def share(name: str, lines: Sequence[Line], holds: Callable[[Line], bool]) -> Share:
    held = [holds(line) for line in lines]
    return Share(name, sum(held), len(held), exact_interval(sum(held), len(held)), mean(held))


# Groups


def by_kind(line: Line) -> str:
    return line.case.tags.kind


def by_words(line: Line) -> str:
    return line.case.tags.words


def by_topic(line: Line) -> str:
    return line.case.tags.topic


def by_year(line: Line) -> str:
    """Where the income year lies: at one of the two compilations, between them, or outside."""
    year = line.case.income_year or line.result.get("income_year")
    if year is None:
        return "no year"
    return str(year) if year in (2015, 2024) else "2016–2023" if 2015 < year < 2024 else "outside"


GROUPINGS: dict[str, Callable[[Line], str]] = {
    "kind": by_kind,
    "words": by_words,
    "topic": by_topic,
    "income year": by_year,
}


def grouped(lines: Sequence[Line], by: Callable[[Line], str]) -> dict[str, list[Line]]:
    groups: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        groups[by(line)].append(line)
    return dict(sorted(groups.items()))


# Retrieval


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One stratum's ranking measures, by the names of `ranking.NAMES`. unranked: counted as misses, nothing ranked."""

    stratum: str
    n: int
    unranked: int
    measures: dict[str, Estimate]


def retrieval(lines: Sequence[Line], by: Callable[[Line], str]) -> list[Retrieval]:
    """Per stratum, over answerable cases. Those that the figure ledger answered were not searched for, and are out."""
    searched = [line for line in lines if line.case.is_answerable and not line.is_from_the_ledger]
    return [
        Retrieval(
            stratum,
            len(group),
            sum(not line.ranked for line in group),
            dict(zip(ranking.NAMES, means([_scores(line) for line in group]), strict=True)),
        )
        for stratum, group in grouped(searched, by).items()
    ]


def _scores(line: Line) -> list[float]:
    gold = line.case.gold or line.case.acceptable
    return ranking.scores(line.ranked, gold, [one for one in line.case.acceptable if one not in gold])


# Confidence


@dataclass(frozen=True, slots=True)
class Confidence:
    """would_be: the curve over every answerable case. given: the points of the answers that were really given.

    of_all: calibration over every case with a confidence, unanswerable ones too (there nothing would be right);
    of_answers: over the answers given. unstated: cases without a confidence, in neither.
    """

    would_be: selective.Curve | None
    given: tuple[tuple[float, float, float], ...]
    of_all: tuple[Calibration, ...]
    of_answers: tuple[Calibration, ...]
    unstated: int


def confidence(lines: Sequence[Line]) -> Confidence:
    answerable = [line for line in lines if line.case.is_answerable]
    surest = sorted(
        (line for line in answerable if line.verdict.is_answer),
        key=lambda line: (-(line.sureness or 0.0), line.case.id),
    )
    stated = [line for line in lines if line.confidence is not None]
    answers = [line for line in stated if line.verdict.is_answer]
    return Confidence(
        selective.curve([1 - line.would_be_right for line in answerable], [line.sureness for line in answerable]),
        selective.answered_points([line.verdict.kind == "wrong" for line in surest], len(answerable)),
        tuple(calibrations(_stated(stated), [line.would_be_right for line in stated])),
        tuple(calibrations(_stated(answers), [line.verdict.kind == "right" for line in answers])),
        len(lines) - len(stated),
    )


def _stated(lines: Sequence[Line]) -> list[float]:
    return [line.confidence for line in lines if line.confidence is not None]


# Time


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of one stage, over the questions that reached it."""

    stage: str
    n: int
    p50: Estimate
    p95: Estimate


def latencies(lines: Sequence[Line]) -> list[Latency]:
    """In the order of the road, then all stages of a question together."""
    stages: dict[str, list[float]] = defaultdict(list)
    for line in lines:
        timings = line.result.get("timings_ms") or {}
        for stage, ms in timings.items():
            stages[stage].append(float(ms))
        if timings:
            stages["all stages"].append(sum(map(float, timings.values())))
    if whole := stages.pop("all stages", None):
        stages["all stages"] = whole
    return [Latency(stage, len(ms), quantile(ms, 0.5), quantile(ms, 0.95)) for stage, ms in stages.items()]
