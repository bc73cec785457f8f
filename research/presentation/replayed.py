"""A replay in words: whether the recorded answer came out again, what moved, and the two side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from research.audit.replay import DIVERGED, NOT_REPLAYED, REPRODUCED, SUPERSEDED, Replay
from research.presentation.answer import AnswerView, answer_view

# verdict: (tone, title, what it means when asked of the law as it is held now, and as it was known then)
VERDICTS = {
    REPRODUCED: (
        "same",
        "Reproduced",
        "The same answer comes out of the same law, index and settings.",
        "The law as it was known when this was recorded gives the same answer.",
    ),
    SUPERSEDED: (
        "moved",
        "Superseded",
        "What the answer was made from has moved on since it was recorded.",
        "The law was read as it was known then, but other things that the answer was made from have moved on.",
    ),
    DIVERGED: (
        "broke",
        "Diverged",
        "Nothing moved, and yet the answer differs. This is a defect: report it with this row.",
        "The law as it was known then gives another answer. This is a defect: report it with this row.",
    ),
    NOT_REPLAYED: (
        "moved",
        "Not replayed",
        "The question could not be asked again just now, so nothing is proved either way.",
        "The question could not be asked again just now, so nothing is proved either way.",
    ),
}


@dataclass(frozen=True, slots=True)
class Side:
    title: str
    answer: AnswerView


@dataclass(frozen=True, slots=True)
class ReplayView:
    """tone: "same", "moved" or "broke". sides are shown where the two results differ."""

    tone: str
    title: str
    says: str
    moved: tuple[str, ...]
    sides: tuple[Side, ...]


def replayed_view(
    recorded: Mapping[str, Any], now: Mapping[str, Any], replay: Replay, known_at: str = ""
) -> ReplayView:
    """What to show of a replay. known_at: the day of recording in words, where the law was asked as known then."""
    tone, title, says_now, says_then = VERDICTS[replay.verdict]
    says = says_then if known_at else says_now
    if replay.verdict == SUPERSEDED:
        says += " The result differs." if replay.result_changed else " The result is the same."
    asked = f"As known on {known_at}" if known_at else "As asked now"
    sides = (Side("As recorded", answer_view(recorded)), Side(asked, answer_view(now)))
    return ReplayView(
        tone,
        f"{title}, as known on {known_at}" if known_at else title,
        says,
        (*replay.moved, *replay.differences),
        sides if replay.result_changed else (),
    )
