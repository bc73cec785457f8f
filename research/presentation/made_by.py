"""Who answered, and what was offered, chosen, matched and dropped on the way: sentences for an answer's footer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from research.verification.overlap import IDENTITY as WORD_OVERLAP

NO_MODEL = "No model had a part in it."


def made_by(outcome: Mapping[str, Any]) -> tuple[str, ...]:
    """Sentences of the recorded outcome, first who answered; empty where nobody did or an older record is silent.

    Of a question for two times, what became of both; of one with parts, who answered, for each part says the rest.
    """
    if sides := outcome.get("sides"):
        return _of_all(made_by(side) for side in sides)
    if parts := outcome.get("parts"):
        return _of_all(made_by(part)[:1] for part in parts)
    record = outcome.get("made_by")
    if not record:
        return (NO_MODEL,) if outcome.get("provider") in ("extractive", "figures") else ()
    lines = [_who(record), _counted(record)]
    if dropped := [*map(str, record.get("dropped") or ()), *map(str, outcome.get("dropped") or ())]:
        lines.append(f"Dropped: {'; '.join(_each_once(dropped))}.")
    if any(line.startswith("a sentence was dropped") for line in outcome.get("dropped") or ()):
        lines.append("What the model wrote beyond its quotes is not shown; the quotes that stand are.")
    return tuple(filter(None, [*lines, _scored(record), _tokens(record)]))


def _of_all(told: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Each sentence once; that no model had a part in it only where that holds of all."""
    lines = dict.fromkeys(line for lines in told for line in lines)
    if len(lines) > 1:
        lines.pop(NO_MODEL, None)
    return tuple(lines)


def _who(record: Mapping[str, Any]) -> str:
    if second := record.get("second"):
        return f"Drafted by {_named(record['identity'])}; and, to compare, by {_named(second)}."
    drafted = "Drafted twice" if record.get("samples") == 2 else "Drafted"
    return f"{drafted} by {_named(record['identity'])}."


def _named(identity: Mapping[str, Any]) -> str:
    who = " · ".join(filter(None, (str(identity["provider"]), str(identity["model"]))))
    if identity.get("seed") is None:
        return f"{who}, without a seed: asked again it may draft otherwise"
    heeds = (
        "which the provider heeds" if identity.get("honours_seed") else "which the provider does not promise to heed"
    )
    return f"{who}, seed {identity['seed']}, {heeds}"


def _counted(record: Mapping[str, Any]) -> str:
    offered, chosen, verified = (len(record.get(name) or ()) for name in ("offered", "chosen", "verified"))
    passages, quotes = ("passage" if offered == 1 else "passages"), ("quote" if chosen == 1 else "quotes")
    return f"{offered} {passages} offered, {chosen} {quotes} chosen, {verified} matched."


def _each_once(lines: list[str]) -> list[str]:
    """Each line once, in its order, with how often it stood."""
    return [f"{line} ({number} times)" if number > 1 else line for line, number in Counter(lines).items()]


def _scored(record: Mapping[str, Any]) -> str:
    """Which scorer held the prose against its quotes, and the least that it let through."""
    scorer, lowest = str(record.get("grounded_by") or ""), record.get("lowest")
    if not scorer:
        return ""
    name = "word overlap" if scorer == WORD_OVERLAP else scorer
    return f"Prose held against its quotes by {name}" + (f", least score {lowest:.2f}." if lowest is not None else ".")


def _tokens(record: Mapping[str, Any]) -> str:
    exchanges = record.get("exchanges") or ()
    asked, said = (
        sum(int(each.get(name) or 0) for each in exchanges) for name in ("prompt_tokens", "completion_tokens")
    )
    return f"{asked:,} tokens read, {said:,} written." if asked or said else ""
