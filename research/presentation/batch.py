"""A spreadsheet of questions as its page shows it: how far it is, what came of it, and its lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from research.adapters.waiting_line import about
from research.models import Question
from research.presentation import words

OUTCOME_WORDS = {
    "answered": "Answered",
    "refused": "Not answered",
    "ambiguous": "Asked back",
    "failed": "Did not work",
    "stopped": "Stopped",
    "waiting": "Still to come",
}
"""What became of a question, by the names of `queries_batch.OUTCOMES`."""


@dataclass(frozen=True, slots=True)
class OutcomeChip:
    """One outcome to look at alone."""

    name: str
    words: str
    count: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a spreadsheet is. done of asked have ended; left: the sentence how long the others take, "" for done."""

    asked: int
    done: int
    is_running: bool
    is_stopping: bool
    left: str
    counts: tuple[OutcomeChip, ...]

    @property
    def seen(self) -> str:
        """What changes when anything on the page does."""
        return f"{self.done}{'s' if self.is_stopping else ''}"


@dataclass(frozen=True, slots=True)
class BatchLine:
    """One question on its row; audit_number is None while it has no answer."""

    id: UUID
    line: int
    reference: str
    text: str
    tone: str
    badge: str
    year_label: str
    audit_number: int | None


def progress_of(tally: Mapping[str, int], wait_s: float | None, stopping: int, chosen: str) -> Progress:
    """The state of a batch. wait_s: until the last of it is answered, None where nobody can say. stopping: how many of
    those still to come are asked to stop. chosen: the outcome that is looked at alone, "" for all.
    """
    asked, waiting = sum(tally.values()), tally["waiting"]
    return Progress(
        asked=asked,
        done=asked - waiting,
        is_running=waiting > 0,
        is_stopping=waiting > 0 and stopping == waiting,
        left=_left(waiting, wait_s, stopping == waiting),
        counts=tuple(
            OutcomeChip(name, OUTCOME_WORDS[name], count, name == chosen)
            for name, count in tally.items()
            if count or name == chosen
        ),
    )


def lines_shown(rows: Sequence[Mapping[str, Any]], references: Mapping[str, str]) -> tuple[BatchLine, ...]:
    """The rows of `queries_batch.lines_of` as they are shown."""
    return tuple(_line(row, references) for row in rows)


def _line(row: Mapping[str, Any], references: Mapping[str, str]) -> BatchLine:
    decision, is_ended = str(row["answer__decision"] or ""), row["answer__decision"] is not None
    year = row["answer__income_year"] if is_ended else row["year_field"]
    return BatchLine(
        id=row["id"],
        line=row["line"],
        reference=str(references.get(str(row["line"]), "")),
        text=row["text"],
        tone=words.tone_of(decision) if is_ended else "running",
        badge=words.decision_words(decision, str(row["answer__reason"])) if is_ended else _waiting_words(row),
        year_label=f"FY{year}" if year else "",
        audit_number=row["answer__audit__number"],
    )


def _waiting_words(row: Mapping[str, Any]) -> str:
    if row["stop_asked_at"] is not None:
        return "Being stopped"
    return "Looking it up" if row["status"] == Question.Status.RUNNING else "Waiting"


def _left(waiting: int, wait_s: float | None, is_stopping: bool) -> str:
    if not waiting:
        return ""
    if is_stopping:
        return "The rest is being stopped."
    return f"{about(wait_s)[:1].upper()}{about(wait_s)[1:]} left." if wait_s is not None else "Waiting for its turn."
