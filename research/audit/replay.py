"""Whether a recorded answer comes out the same again, and if not, whether the law moved on or something is wrong.

reproduced: the same result from the same law, index and settings. superseded: the law held, its index or what
shaped the answer is not what it was; what moved is named, and whether the result changed with it. diverged:
nothing moved and yet the result differs: a defect. not_replayed: a component failed now, so nothing is proved.
Works on outcomes as plain JSON; times taken are no part of a result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

REPRODUCED, SUPERSEDED, DIVERGED, NOT_REPLAYED = "reproduced", "superseded", "diverged", "not_replayed"

_CITATION = (
    "act",
    "section",
    "schedule",
    "quote",
    "start_chars",
    "end_chars",
    "chunk_id",
    "version_id",
    "compilation_date",
    "register_id",
    "in_force_from",
    "in_force_to",
    "dating",
    "role",
)
_READING = ("act", "section", "schedule", "version_id", "certain_from", "certain_to", "note")

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Replay:
    """The verdict; moved: what is not as it was, in sentences; differences: what in the result changed."""

    verdict: str
    moved: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()

    @property
    def result_changed(self) -> bool:
        return bool(self.differences)


def compare(recorded: Json, replayed: Json) -> Replay:
    """How the outcome of a replay stands to the recorded one."""
    if replayed.get("decision") == "error" and recorded.get("decision") != "error":
        return Replay(NOT_REPLAYED, (f"The replay did not finish: {replayed.get('message') or 'a component failed'}",))
    moved, differences = _moved(recorded, replayed), _differences(recorded, replayed)
    if moved:
        return Replay(SUPERSEDED, moved, differences)
    return Replay(DIVERGED if differences else REPRODUCED, (), differences)


def _moved(before: Json, after: Json) -> tuple[str, ...]:
    """What law, index and settings the two outcomes do not share."""
    moved: list[str] = []
    if before.get("decision") == "error" and after.get("decision") != "error":
        moved.append("A component had failed when this was recorded.")
    old, new = before.get("snapshot"), after.get("snapshot")
    if old and new:
        moved += _snapshot_moved(old, new)
    for name in ("provider", "model", "reranker"):
        if (was := before.get(name)) != (now := after.get(name)) and was and now:
            moved.append(f"The {name} was {was} and is {now}.")
    old_settings, new_settings = before.get("settings") or {}, after.get("settings") or {}
    for name in sorted(set(old_settings) | set(new_settings)):
        was, now = old_settings.get(name, "not set"), new_settings.get(name, "not set")
        if was != now and old_settings and new_settings:
            moved.append(f"The setting {name} was {was} and is {now}.")
    return tuple(moved)


def _snapshot_moved(old: Json, new: Json) -> list[str]:
    moved: list[str] = []
    before, after = set(old.get("compilations") or ()), set(new.get("compilations") or ())
    moved += [f"Compilation added: {name}." for name in sorted(after - before)]
    moved += [f"Compilation removed: {name}." for name in sorted(before - after)]
    if old.get("embedder") != new.get("embedder"):
        moved.append(f"The embedder was {old.get('embedder') or 'none'} and is {new.get('embedder') or 'none'}.")
    if old.get("mode") != new.get("mode"):
        moved.append(f"The search was {old.get('mode')} and is {new.get('mode')}.")
    if not moved and old.get("snapshot_id") != new.get("snapshot_id"):
        moved.append(
            "The text of a compilation, or how it is cut and indexed, has changed; the compilations are the same."
        )
    return moved


def _differences(before: Json, after: Json) -> tuple[str, ...]:
    """What in the result changed, in sentences; empty when the two say the same."""
    found: list[str] = []
    for name in ("decision", "reason"):
        if before.get(name) != after.get(name):
            found.append(f"The {name} was {before.get(name)} and is {after.get(name)}.")
    if _time(before) != _time(after):
        found.append("The time asked about was read differently.")
    found += _listed("Citation", _citations(before), _citations(after))
    if _figures(before) != _figures(after):
        found.append("The figures differ.")
    if not found and _prose(before) != _prose(after):
        found.append("The words around the quotes differ.")
    if (
        not found
        and all(outcome.get("year_because") for outcome in (before, after))
        and _steps(before) != _steps(after)
    ):
        found.append("The next step, or why the year is the one it is, differs.")
    readings = [[_pick(line, _READING) for line in outcome.get("reading_list") or ()] for outcome in (before, after)]
    if readings[0] != readings[1]:
        found.append("The reading list differs.")
    if list(before.get("candidates") or ()) != list(after.get("candidates") or ()):
        found.append("The candidates differ.")
    return (*found, *_sides(before, after), *_parts(before, after))


def _parts(before: Json, after: Json) -> list[str]:
    """What changed in the answers to the parts of a question, each named by its place."""
    old, new = list(before.get("parts") or ()), list(after.get("parts") or ())
    asked = [[str(part.get("question")) for part in parts] for parts in (old, new)]
    if asked[0] != asked[1]:
        return [f"The question was read as {_issues(old)} and is read as {_issues(new)}, or they are put differently."]
    pairs = enumerate(zip(old, new, strict=True), 1)
    return [f"Part {number}: {sentence}" for number, (was, now) in pairs for sentence in _differences(was, now)]


def _issues(parts: Sequence[Json]) -> str:
    return f"{len(parts)} issues" if parts else "one issue"


def _sides(before: Json, after: Json) -> list[str]:
    """What changed in the answers of a question for two times, each named by its time."""
    old, new = list(before.get("sides") or ()), list(after.get("sides") or ())
    if len(old) != len(new):
        return [f"The question was answered for {_times(old)} and is for {_times(new)}."]
    named = zip(("Earlier", "Later"), old, new, strict=False)
    return [f"{which}: {sentence}" for which, was, now in named for sentence in _differences(was, now)]


def _times(sides: Sequence[Json]) -> str:
    return "two times" if sides else "one time"


def _time(outcome: Json) -> Any:
    time = outcome.get("time")
    return (time.get("window"), time.get("year"), time.get("source")) if time else None


def _citations(outcome: Json) -> list[Json]:
    return [citation for claim in outcome.get("claims") or () for citation in claim.get("citations") or ()]


def _figures(outcome: Json) -> list[Json]:
    return [dict(figure) for figure in outcome.get("figures") or ()]


def _prose(outcome: Json) -> list[tuple[Any, Any, int]]:
    claims = outcome.get("claims") or ()
    return [(claim.get("prose"), claim.get("kind"), len(claim.get("citations") or ())) for claim in claims]


def _steps(outcome: Json) -> tuple[Any, Any]:
    return outcome.get("next_step"), outcome.get("year_because")


def _pick(line: Json, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(line.get(name) for name in names)


def _listed(what: str, before: Sequence[Json], after: Sequence[Json]) -> list[str]:
    old, new = [_pick(item, _CITATION) for item in before], [_pick(item, _CITATION) for item in after]
    if old == new:
        return []
    gone = [f"{what} gone: {_place(item)}." for item, key in zip(before, old, strict=True) if key not in new]
    come = [f"{what} new: {_place(item)}." for item, key in zip(after, new, strict=True) if key not in old]
    return gone + come or [f"The same citations stand in another order or number ({len(old)}, then {len(new)})."]


def _place(citation: Json) -> str:
    schedule = f"sch {citation.get('schedule')} " if citation.get("schedule") else ""
    words = str(citation.get("quote") or "")
    shown = words if len(words) <= 60 else f"{words[:59]}…"
    return f"{citation.get('act')} {schedule}s {citation.get('section')} “{shown}”"
