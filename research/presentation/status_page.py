"""How the whole is running, in lines that are green only when the look just taken found them well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from research.law.income_year import IncomeYear, income_year_of
from research.presentation import words
from research.presentation.answer import mode_words
from research.queries import StatusReport

WORDS = {
    "ok": "well, checked just now",
    "degraded": "works, with less",
    "fault": "needs attention",
    "unknown": "not checked",
}
WORKER_LATE_S = 45


@dataclass(frozen=True, slots=True)
class Check:
    """state: ok, degraded, fault or unknown."""

    name: str
    state: str
    says: str

    @property
    def word(self) -> str:
        return WORDS[self.state]


@dataclass(frozen=True, slots=True)
class Cell:
    """kind: "held" (a compilation is dated in that year), "part" (between two), "" (nothing)."""

    kind: str
    says: str


@dataclass(frozen=True, slots=True)
class CoverageLine:
    code: str
    title: str
    cells: tuple[Cell, ...]
    compilations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StatusView:
    checked_at: datetime
    checks: tuple[Check, ...]
    mode: str
    embedder: str
    chunks: str
    vectors: str
    percent: int
    snapshot: str
    years: tuple[IncomeYear, ...]
    coverage: tuple[CoverageLine, ...]


def status_view(
    report: StatusReport, years: Sequence[IncomeYear], worker_age_s: float | None, broker: bool
) -> StatusView:
    """What to show. worker_age_s: seconds since a worker was last heard of, None for never; broker: it answered."""
    return StatusView(
        checked_at=report.checked_at,
        checks=(
            Check("Database", "ok", report.database),
            Check("Task queue", "ok", "Answers.")
            if broker
            else Check("Task queue", "fault", "Does not answer. Questions are kept and wait."),
            _worker(worker_age_s, broker),
            _questions(report),
            _search(report),
        ),
        mode=mode_words(report.mode) or "–",
        embedder=report.embedder,
        chunks=f"{report.chunks:,}",
        vectors=f"{report.vectors:,}",
        percent=report.percent_embedded,
        snapshot=report.snapshot_id,
        years=tuple(years),
        coverage=tuple(
            CoverageLine(
                held.code,
                held.title,
                _cells(held.title, [dated for dated, _, _ in held.compilations], years),
                tuple(words.short_date(dated) for dated, _, _ in held.compilations),
            )
            for held in report.instruments
        ),
    )


def _worker(age_s: float | None, broker: bool) -> Check:
    if not broker:
        return Check("Worker", "unknown", "Cannot be asked while the task queue does not answer.")
    if age_s is None:
        return Check("Worker", "fault", "None has been heard of. Questions are kept and wait.")
    if age_s > WORKER_LATE_S:
        return Check("Worker", "fault", f"Last heard of {age_s:.0f} s ago. Questions are kept and wait.")
    return Check("Worker", "ok", f"Heard of {age_s:.0f} s ago.")


def _questions(report: StatusReport) -> Check:
    waiting, running = report.questions_waiting, report.questions_running
    if not waiting and not running:
        return Check("Questions", "ok", "None waiting, none running.")
    return Check("Questions", "ok" if waiting < 20 else "degraded", f"{waiting} waiting, {running} running.")


def _search(report: StatusReport) -> Check:
    if not report.chunks:
        return Check("Search", "degraded", "No law is loaded.")
    if report.degraded:
        return Check("Search", "degraded", " ".join(report.degraded))
    return Check("Search", "ok", f"{mode_words(report.mode)}, {report.chunks:,} passages.")


def _cells(title: str, dated: Sequence[date], years: Sequence[IncomeYear]) -> tuple[Cell, ...]:
    held = {income_year_of(day) for day in dated}
    cells = []
    for year in years:
        if year in held:
            cells.append(Cell("held", f"{year.label}: compilation held"))
        elif held and min(held) < year < max(held):
            cells.append(Cell("part", f"{year.label}: between compilations"))
        else:
            cells.append(Cell("", f"{year.label}: nothing held"))
    return tuple(cells)
