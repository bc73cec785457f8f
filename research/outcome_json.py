"""An outcome as plain JSON: the one shape that page, command line, audit row and export render."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from typing import Any

from research.law.income_year import IncomeYear
from research.terms import Outcome


def to_json(value: Any) -> Any:
    """`value` with dataclasses as dicts, dates as ISO text, years as numbers; tuples become lists."""
    if isinstance(value, IncomeYear):
        return value.year
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    return value


def outcomes_in(outcome: Mapping[str, Any]) -> list[Any]:
    """The outcome itself, then those of its two times and of its parts, each with what is within it."""
    within = [one for name in ("sides", "parts") for each in outcome.get(name) or () for one in outcomes_in(each)]
    return [outcome, *within]


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """The whole outcome. Scores and times are rounded, so that one outcome has one JSON text."""
    plain: dict[str, Any] = to_json(outcome)
    for one in outcomes_in(plain):
        for stage in one["stages"]:
            stage["ms"] = round(stage["ms"], 1)
        for scored in (*one["reading_list"], *one["retrieved"]):
            scored["score"] = round(scored["score"], 4)
        one["signs"] = {name: round(value, 4) for name, value in one["signs"].items()}
        if one["confidence"] is not None:
            one["confidence"] = round(one["confidence"], 4)
    return plain


def told_outside(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """A recorded outcome as it leaves to be read: all but what a model said, which nobody checked as it stands there.

    The audit row keeps that, to replay it.
    """
    told = {**outcome, "made_by": _unsaid(outcome.get("made_by"))}
    return told | {name: [told_outside(one) for one in outcome[name]] for name in ("sides", "parts") if name in outcome}


def _unsaid(made_by: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if made_by is None:
        return None
    exchanges = [{name: each[name] for name in each if name != "reply"} for each in made_by.get("exchanges", ())]
    return {**made_by, "exchanges": exchanges}


def result_line(identifier: str, outcome: dict[str, Any]) -> dict[str, Any]:
    """The line that `evaluate` writes and `ask --json` prints (design §7), from an outcome's JSON.

    Of a question for two times, or with several issues, it holds the citations of all, and how many parts there are.
    """
    told = outcomes_in(outcome)
    citations = [citation for one in told for claim in one["claims"] for citation in claim["citations"]]
    wanted = ("act", "section", "schedule", "quote", "compilation_date", "in_force_from", "in_force_to", "dating")
    return {
        "id": identifier,
        "decision": outcome["decision"],
        "reason": outcome["reason"],
        "income_year": outcome["time"]["year"] if outcome["time"] else None,
        "snapshot_id": outcome["snapshot"]["snapshot_id"] if outcome["snapshot"] else None,
        "citations": [{key: citation[key] for key in wanted} for citation in citations],
        "retrieved": outcome["retrieved"],
        "timings_ms": {stage["stage"]: stage["ms"] for stage in outcome["stages"]},
        "provider": outcome["provider"],
        "model": outcome["model"],
        "confidence": outcome.get("confidence"),
        "read_as": outcome.get("read_as", []),
        "figures": [figure for one in (outcome, *outcome.get("parts", ())) for figure in one.get("figures", [])],
        "parts": [
            {name: part[name] for name in ("question", "decision", "reason", "next_step")}
            for part in outcome.get("parts", ())
        ],
        "next_step": outcome.get("next_step", ""),
        "year_because": outcome.get("year_because", ""),
        "made_by": _unsaid(outcome.get("made_by")),
    }
