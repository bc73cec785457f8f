"""Asks every case, as the product is asked, and records nothing in any practice."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice
from research import services
from research.evaluation.cases import Case
from research.evaluation.measures import Days
from research.outcome_json import outcome_to_json, outcomes_in, result_line


@dataclass(frozen=True, slots=True)
class Answer:
    """The result line of a case, and what it leaves out.

    windows: the days asked about of each citation. mode: how the law was searched, "" where it was not.
    """

    result: dict[str, Any]
    windows: tuple[Days, ...]
    mode: str


def ask_all(practice: Practice, cases: Sequence[Case], workers: int = 1, **shape: Any) -> list[Answer]:
    """An answer for each case, in order. shape: handed on to `services.try_question`."""
    with ThreadPoolExecutor(max(1, workers)) as pool:
        return list(pool.map(lambda case: ask(practice, case, **shape), cases))


def ask(practice: Practice, case: Case, **shape: Any) -> Answer:
    """The answer to one case, asked on this thread's own connection, which is closed."""
    try:
        with in_practice(practice):
            outcome = services.try_question(case.question, case.income_year, timezone.localdate(), **shape)
    finally:
        connection.close()
    plain = outcome_to_json(outcome)
    snapshot = plain["snapshot"]
    return Answer(result_line(case.id, plain), _windows(plain), snapshot["mode"] if snapshot else "")


def _windows(outcome: dict[str, Any]) -> tuple[Days, ...]:
    """In the order of the result line's citations: each of two times, and each part of a question, has its own."""
    found: list[Days] = []
    for one in outcomes_in(outcome):
        cited = sum(len(claim["citations"]) for claim in one["claims"])
        if cited and one["time"]:
            window = one["time"]["window"]
            found += [(date.fromisoformat(window["first"]), date.fromisoformat(window["last"]))] * cited
    return tuple(found)


def mode_of(answers: Sequence[Answer]) -> str:
    """How the law was searched: one mode, "mixed" where it changed meanwhile, "" where nothing was searched."""
    modes = {answer.mode for answer in answers if answer.mode}
    return modes.pop() if len(modes) == 1 else "mixed" if modes else ""
