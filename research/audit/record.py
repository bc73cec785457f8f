"""What an audit row's payload holds of a question and its outcome: written here, read here, compared here.

The chain proves the payload alone. What is kept beside it, to be shown and searched, is proved by being the same.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from research.audit import chain
from research.model_terms import Exchange, ModelIdentity, ModelRecord
from research.outcome_json import outcomes_in, to_json
from research.ports import Asked

PAYLOAD_VERSION = 1


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was asked and what came of it, as the payload has them. outcome: plain JSON, its floats as text.

    known_at: a moment at which just that law was known which was searched. made_by: what a model did for it, None where
    none drafted.
    """

    text: str
    year_field: int | None
    today: date
    known_at: datetime
    frameworks: tuple[str, ...]
    uses_subject_index: bool
    outcome: dict[str, Any]
    made_by: ModelRecord | None = None
    balance_month: int = 6


def payload_of(number: int, recorded_at: datetime, asked: Asked, outcome: dict[str, Any]) -> str:
    """The payload of row `number`. outcome: as plain JSON."""
    return chain.canonical(
        {
            "version": PAYLOAD_VERSION,
            "number": number,
            "recorded_at": recorded_at.isoformat(),
            "asked": to_json(asked),
            "outcome": _without_floats(outcome),
        }
    )


def recorded_in(payload: str) -> Recorded:
    """What `payload` holds. Raises ValueError when it is not the record of an answer."""
    try:
        plain = json.loads(payload)
        asked = plain["asked"]
        return Recorded(
            text=asked["text"],
            year_field=asked["year_field"],
            today=date.fromisoformat(asked["today"]),
            known_at=datetime.fromisoformat(_known_at(plain)),
            frameworks=tuple(asked.get("frameworks") or ()),
            uses_subject_index=bool(asked.get("uses_subject_index", True)),
            outcome=dict(plain["outcome"]),
            made_by=model_record_of(_made_by(plain["outcome"])),
            balance_month=int(asked.get("balance_month", 6)),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"the payload records no answer ({type(error).__name__})") from error


def _made_by(outcome: dict[str, Any]) -> dict[str, Any] | None:
    """Of the outcome, or of its sides and parts together: what a model said for each, in order."""
    records = [one["made_by"] for one in outcomes_in(outcome) if one.get("made_by")]
    if not records:
        return None
    return {**records[0], "exchanges": [each for one in records for each in one["exchanges"]]}


def model_record_of(plain: dict[str, Any] | None) -> ModelRecord | None:
    """A model's record read back from its JSON: who it was, what it was allowed, and what it said."""
    if plain is None:
        return None
    exchanges = tuple(Exchange(**each) for each in plain["exchanges"])
    samples, context_tokens = plain.get("samples", 1), plain.get("context_tokens", 0)
    identity, other = ModelIdentity(**plain["identity"]), plain.get("second")
    second = ModelIdentity(**other) if other else None
    return ModelRecord(identity, exchanges=exchanges, samples=samples, context_tokens=context_tokens, second=second)


def _known_at(plain: dict[str, Any]) -> str:
    """Of the snapshot; when it was recorded, for what was searched for nothing or recorded before that was kept."""
    snapshot = plain["outcome"].get("snapshot") or {}
    return str(snapshot.get("known_at") or plain["recorded_at"])


def as_recorded(outcome: dict[str, Any]) -> dict[str, Any]:
    """An outcome's plain JSON as a payload would hold it: what it can be compared with."""
    found: dict[str, Any] = json.loads(chain.canonical({"outcome": _without_floats(outcome)}))["outcome"]
    return found


def unlike(payload: str, text: str, year_field: int | None, outcome: dict[str, Any]) -> str:
    """What of the question and outcome kept beside `payload` is not what it proves, in a sentence; "" for nothing."""
    try:
        recorded = recorded_in(payload)
    except ValueError:
        return "An answer is kept beside a record that holds none."
    if chain.canonical({"text": text, "year": year_field}) != chain.canonical(
        {"text": recorded.text, "year": recorded.year_field}
    ):
        return "The question that is kept is not the one recorded."
    if as_recorded(outcome) != recorded.outcome:
        return "The answer that is kept is not the one recorded."
    return ""


def _without_floats(value: object) -> object:
    """`value` with each float as its shortest text: canonical JSON holds no floats. Minus nought is nought."""
    if isinstance(value, float):
        return repr(value + 0.0)
    if isinstance(value, dict):
        return {key: _without_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_floats(item) for item in value]
    return value
