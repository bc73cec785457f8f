"""Two measurings of the same cases: which cases were mended and which broken, and whether that is more than chance.

The differences are bootstrapped in pairs: a draw takes a case from both runs or from neither. With a second run just
like the first, what differs between those two is the noise floor: a change not larger than that shows nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

from research.evaluation.cases import Case
from research.evaluation.intervals import Estimate, means
from research.evaluation.measured import Line
from research.evaluation.measures import judge

GOOD = ("right", "rightly_refused")
Results = Mapping[str, dict[str, Any]]


class ResultsRejected(ValueError):
    """A results file that cannot be used; the message says which, and what was found."""


def results_in(path: Path) -> Results:
    """The results of a file by case id. Raises ResultsRejected; OSError where it cannot be read."""
    found: dict[str, dict[str, Any]] = {}
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            result = json.loads(text)
            found[result["id"]] = result
            cited = [(one["act"], one["section"], one["in_force_from"]) for one in result["citations"]]
        except (ValueError, KeyError, TypeError) as error:
            raise ResultsRejected(f"{path}, line {number} is no result ({type(error).__name__}: {error})") from error
        if not isinstance(result.get("decision"), str) or len(cited) != len(result["citations"]):
            raise ResultsRejected(f"{path}, line {number} has no decision")
    return found


@dataclass(frozen=True, slots=True)
class Change:
    """One case whose verdict changed: what it was, and what it became."""

    case_id: str
    before: str
    after: str

    @property
    def is_fixed(self) -> bool:
        return self.before not in GOOD and self.after in GOOD

    @property
    def is_broken(self) -> bool:
        return self.before in GOOD and self.after not in GOOD


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure in both runs, and how far the second is from the first. noise: the first's distance from its twin."""

    name: str
    before: float
    after: float
    change: Estimate
    noise: Estimate | None

    @property
    def says(self) -> str:
        if self.before == self.after:
            return "unchanged"
        if self.change.low <= 0 <= self.change.high:
            return "within chance"
        if self.noise is not None and abs(self.change.value) <= max(abs(self.noise.low), abs(self.noise.high)):
            return "within the noise floor"
        return "higher" if self.change.value > 0 else "lower"

    def as_text(self) -> str:
        change = f"{self.change.value:+.3f} ({self.change.low:+.3f} to {self.change.high:+.3f})"
        return f"{self.name:34} {self.before:8.3f} {self.after:8.3f}  {change} {self.says}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """chance: of as lopsided a split of fixed and broken cases if both were as likely (exact sign test, two-sided).

    noisy: cases whose verdict differs between two runs that should be the same; None where no such run was given.
    """

    cases: int
    changes: tuple[Change, ...]
    chance: float
    differences: tuple[Difference, ...]
    noisy: tuple[Change, ...] | None

    @property
    def fixed(self) -> list[Change]:
        return [change for change in self.changes if change.is_fixed]

    @property
    def broken(self) -> list[Change]:
        return [change for change in self.changes if change.is_broken]

    def as_json(self) -> dict[str, Any]:
        return {
            "cases": self.cases,
            "fixed": [_plain(change) for change in self.fixed],
            "broken": [_plain(change) for change in self.broken],
            "otherwise_changed": [_plain(one) for one in self.changes if not one.is_fixed and not one.is_broken],
            "chance_of_as_lopsided_a_split": self.chance,
            "differences": [
                {
                    "measure": one.name,
                    "before": one.before,
                    "after": one.after,
                    "change": one.change.value,
                    "low": one.change.low,
                    "high": one.change.high,
                    "says": one.says,
                }
                for one in self.differences
            ],
            "noise_floor": None if self.noisy is None else [_plain(change) for change in self.noisy],
        }

    def as_text(self) -> str:
        others = Counter(
            f"{one.before} → {one.after}" for one in self.changes if not one.is_fixed and not one.is_broken
        )
        noise = (
            "Noise floor: not measured; give --again with a second run just like the first."
            if self.noisy is None
            else f"Noise floor: {len(self.noisy)} of {self.cases} verdicts differ between two runs of the first."
        )
        told = [
            f"{self.cases} cases: {len(self.fixed)} fixed, {len(self.broken)} broken "
            f"(chance of as lopsided a split: {self.chance:.3f})."
        ]
        told += [f"  fixed   {one.case_id}: {one.before} → {one.after}" for one in self.fixed]
        told += [f"  broken  {one.case_id}: {one.before} → {one.after}" for one in self.broken]
        told += [f"  changed otherwise: {count} {change}" for change, count in others.most_common()]
        told += [noise, *(f"  differs {one.case_id}: {one.before} → {one.after}" for one in self.noisy or ())]
        told.append(f"{'measure':34} {'before':>8} {'after':>8}  change (95 %, paired bootstrap)")
        return "\n".join([*told, *(one.as_text() for one in self.differences)])


def _plain(change: Change) -> dict[str, str]:
    return {"id": change.case_id, "before": change.before, "after": change.after}


def compared(
    cases: Sequence[Case], before: Results, after: Results, again: Results | None = None, split: str = "all"
) -> Comparison:
    """Raises ResultsRejected where the runs were not asked the same cases, or not these."""
    known = {case.id: case for case in cases}
    for name, results in (("the second", after), ("the twin", again)):
        if results is not None and set(results) != set(before):
            odd = sorted(set(results) ^ set(before))
            raise ResultsRejected(f"{name} run was asked other cases than the first ({len(odd)}: {odd[0]!r} …).")
    if unknown := [name for name in before if name not in known]:
        raise ResultsRejected(f"{unknown[0]!r} is not in the cases file; give the right one with --cases.")
    wanted = [name for name in before if split in ("all", known[name].tags.split)]
    if not wanted:
        raise ResultsRejected(f"no result is of a case of the split {split!r}.")
    old, new = (_lines(known, wanted, results) for results in (before, after))
    twin = _lines(known, wanted, again) if again is not None else None
    changes = _changes(old, new)
    return Comparison(
        len(wanted),
        changes,
        _chance(sum(one.is_fixed for one in changes), sum(one.is_broken for one in changes)),
        tuple(_differences(old, new, twin)),
        None if twin is None else _changes(old, twin),
    )


def _lines(known: Mapping[str, Case], wanted: Sequence[str], results: Results) -> list[Line]:
    return [Line(known[name], results[name], judge(known[name], results[name])) for name in wanted]


def _changes(before: Sequence[Line], after: Sequence[Line]) -> tuple[Change, ...]:
    pairs = zip(before, after, strict=True)
    return tuple(
        Change(old.case.id, old.verdict.kind, new.verdict.kind)
        for old, new in pairs
        if old.verdict.kind != new.verdict.kind
    )


def _chance(fixed: int, broken: int) -> float:
    """Exact two-sided sign test of fixed against broken."""
    n, fewer = fixed + broken, min(fixed, broken)
    return min(1.0, 2 * sum(comb(n, k) for k in range(fewer + 1)) / 2**n) if n else 1.0


MEASURES: dict[str, Callable[[Line], float]] = {
    "as wanted, of all cases": lambda line: line.verdict.kind in GOOD,
    "truthfulness score": lambda line: line.verdict.points,
    "wrong authority, of all cases": lambda line: line.verdict.kind == "wrong",
    "answered, of all cases": lambda line: line.verdict.is_answer,
}
OF_ANSWERABLE: dict[str, Callable[[Line], float]] = {
    "right, of the answerable": lambda line: line.verdict.kind == "right",
    "answered, of the answerable": lambda line: line.verdict.is_answer,
    "first provision acceptable": lambda line: _within(line, 1),
    "acceptable provision within 5": lambda line: _within(line, 5),
    "acceptable provision within 50": lambda line: _within(line, 50),
}


def _within(line: Line, k: int) -> bool:
    return any(one in line.case.acceptable for one in list(dict.fromkeys(line.ranked))[:k])


def _differences(old: Sequence[Line], new: Sequence[Line], twin: Sequence[Line] | None) -> list[Difference]:
    answerable = [at for at, line in enumerate(old) if line.case.is_answerable]
    of_all = _measured(MEASURES, range(len(old)), old, new, twin)
    return of_all + (_measured(OF_ANSWERABLE, answerable, old, new, twin) if answerable else [])


def _measured(
    measures: dict[str, Callable[[Line], float]],
    places: Sequence[int],
    old: Sequence[Line],
    new: Sequence[Line],
    twin: Sequence[Line] | None,
) -> list[Difference]:
    def values(lines: Sequence[Line]) -> list[list[float]]:
        return [[float(of(lines[at])) for of in measures.values()] for at in places]

    def apart(first: list[list[float]], second: list[list[float]]) -> list[Estimate]:
        return means([[b - a for a, b in zip(*pair, strict=True)] for pair in zip(first, second, strict=True)])

    before, after = values(old), values(new)
    noise = apart(before, values(twin)) if twin is not None else [None] * len(measures)
    return [
        Difference(name, sum(column_b) / len(column_b), sum(column_a) / len(column_a), change, floor)
        for name, column_b, column_a, change, floor in zip(
            measures, zip(*before, strict=True), zip(*after, strict=True), apart(before, after), noise, strict=True
        )
    ]
