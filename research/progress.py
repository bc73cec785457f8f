"""What a reader may be told while a question runs: step names, counts and times, never a claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

STAGES = ("resolve", "retrieve", "rerank", "generate", "verify", "decide")


@dataclass(frozen=True, slots=True)
class StageEvent:
    """One step starting ("running") or finished ("done"), with its time and a count in words."""

    stage: str
    state: str
    ms: float = 0.0
    detail: str = ""


Tell = Callable[[StageEvent], None]


def tell_nobody(event: StageEvent) -> None:
    """For commands and tests that have no reader waiting."""
