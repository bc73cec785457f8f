"""A measuring's numbers for a program: what the report's tables say, unrounded by words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from research.evaluation.calibration import Calibration
from research.evaluation.intervals import Estimate
from research.evaluation.measured import GROUPINGS, Line, confidence, grouped, headline, latencies, retrieval

PLACES = 5


def numbers_of(lines: Sequence[Line]) -> dict[str, Any]:
    """By what is measured; every estimate as {value, low, high, n}, every share with its count as well."""
    splits = {split: group for split, group in grouped(lines, lambda line: line.case.tags.split).items() if split}
    return {
        "answers": _answers(lines),
        "answers_by_split": {split: _answers(group) for split, group in splits.items()},
        "confidence": _confidence(lines),
        "retrieval": {
            name: {
                one.stratum: {
                    "n": one.n,
                    "not_ranked": one.unranked,
                    **{measure: _plain(found) for measure, found in one.measures.items()},
                }
                for one in retrieval(lines, by)
            }
            for name, by in GROUPINGS.items()
        },
        "latency_ms": {one.stage: {"p50": _plain(one.p50), "p95": _plain(one.p95)} for one in latencies(lines)},
    }


def _answers(lines: Sequence[Line]) -> dict[str, Any]:
    found = headline(lines)
    shares = {
        one.name: {"count": one.count, "exact": [round(bound, PLACES) for bound in one.exact], **_plain(one.bootstrap)}
        for one in found.shares
    }
    return {
        "cases": len(lines),
        "wrong_over_answered_at_most_95": round(found.wrong_at_most, PLACES),
        "out_of_period": found.out_of_period,
        "shares": shares,
        "truthfulness": {name: _plain(one) for name, one in found.truthfulness},
    }


def _confidence(lines: Sequence[Line]) -> dict[str, Any]:
    found = confidence(lines)
    curve = found.would_be
    return {
        "aurc": _plain(curve.aurc if curve else None),
        "augrc": _plain(curve.augrc if curve else None),
        "coverage_at_risk": {str(risk): curve.coverage_at(risk) for risk in (0.01, 0.02, 0.05, 0.1)} if curve else {},
        "calibration_of_all": {one.cut: _calibration(one) for one in found.of_all},
        "calibration_of_answers": {one.cut: _calibration(one) for one in found.of_answers},
        "without_confidence": found.unstated,
    }


def _calibration(found: Calibration) -> dict[str, Any]:
    worst = {"gap": round(found.worst.gap, PLACES), "n": found.worst.n, "stated": round(found.worst.stated, PLACES)}
    return {"error": _plain(found.error), "worst_band": worst}


def _plain(estimate: Estimate | None) -> dict[str, Any]:
    """Empty for what could not be measured."""
    if estimate is None:
        return {}
    numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: round(value, PLACES) for name, value in numbers.items()} | {"n": estimate.n}
