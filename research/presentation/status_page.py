"""How the whole is running, in lines that are green only when the look just taken found them well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from research.corpus.coverage import Coverage, ImportLine
from research.corpus.register_check import RegisterLine
from research.law.income_year import IncomeYear
from research.presentation import words
from research.presentation.answer import mode_words, provider_words
from research.presentation.coverage_picture import CoveragePicture, coverage_picture
from research.presentation.sources_read import CheckedLine, FileLine, file_line, register_lines
from research.queries import StatusReport
from research.queries_density import Density

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
class Sources:
    """What was looked up of the law's sources for the page."""

    coverage: Sequence[Coverage]
    checks: Sequence[RegisterLine]
    imports: Sequence[ImportLine]


@dataclass(frozen=True, slots=True)
class DensityLine:
    """One week of one provider, in words. bar: its quotes an answer, in per cent of the most of all lines."""

    week: str
    provider: str
    asked: str
    answered: str
    per_answer: str
    dropped: str
    tokens: str
    bar: int


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
    coverage: CoveragePicture
    register: tuple[CheckedLine, ...]
    register_check: Check
    imports: tuple[FileLine, ...]
    densities: tuple[DensityLine, ...] = ()

    @property
    def all_checks(self) -> tuple[Check, ...]:
        return (*self.checks, self.register_check) if self.register else self.checks


def status_view(
    report: StatusReport,
    sources: Sources,
    years: Sequence[IncomeYear],
    worker_age_s: float | None,
    broker: bool,
    densities: Sequence[Density] = (),
    late: Sequence[str] = (),
) -> StatusView:
    """What to show. worker_age_s: seconds since a worker was last heard of, None for never; broker: it answered.

    late: the queues that nobody takes from any more.
    """
    register = register_lines(sources.checks)
    return StatusView(
        checked_at=report.checked_at,
        checks=(
            Check("Database", "ok", report.database),
            Check("Task queue", "ok", "Answers.")
            if broker
            else Check("Task queue", "fault", "Does not answer. Questions are kept and wait."),
            _worker(worker_age_s, broker, late),
            _questions(report),
            _search(report),
        ),
        mode=mode_words(report.mode) or "–",
        embedder=report.embedder,
        chunks=f"{report.chunks:,}",
        vectors=f"{report.vectors:,}",
        percent=report.percent_embedded,
        snapshot=report.snapshot_id,
        coverage=coverage_picture(
            sources.coverage,
            years,
            {held.code: [words.short_date(dated) for dated, _, _ in held.compilations] for held in report.instruments},
        ),
        register=register,
        register_check=register_in_one(register),
        imports=tuple(file_line(run) for run in sources.imports),
        densities=density_lines(densities),
    )


def density_lines(densities: Sequence[Density]) -> tuple[DensityLine, ...]:
    """Each week's verified quotes an answer, by who drafted."""
    most = max((found.per_answer or 0.0 for found in densities), default=0.0)
    return tuple(
        DensityLine(
            week=words.short_date(found.week),
            provider=provider_words(found.provider, ""),
            asked=f"{found.asked:,}",
            answered=f"{found.answered:,}",
            per_answer="–" if found.per_answer is None else f"{found.per_answer:.1f}",
            dropped=f"{found.dropped:,}",
            tokens=f"{found.tokens:,}" if found.tokens else "–",
            bar=round(100 * (found.per_answer or 0.0) / most) if most else 0,
        )
        for found in densities
    )


def _worker(age_s: float | None, broker: bool, late: Sequence[str]) -> Check:
    if not broker:
        return Check("Worker", "unknown", "Cannot be asked while the task queue does not answer.")
    if age_s is None:
        return Check("Worker", "fault", "None has been heard of. Questions are kept and wait.")
    if age_s > WORKER_LATE_S:
        return Check("Worker", "fault", f"Last heard of {age_s:.0f} s ago. Questions are kept and wait.")
    if late:
        return Check("Worker", "degraded", f"Heard of {age_s:.0f} s ago; nobody takes from {' and '.join(late)}.")
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


def register_in_one(lines: Sequence[CheckedLine]) -> Check:
    """All the Register's lines in one."""
    name = "Federal Register of Legislation"
    behind = [line.code for line in lines if line.state == "degraded" and not line.is_absent]
    absent = [line.code for line in lines if line.is_absent]
    if behind or absent:
        said = [f"Newer text, or text that is not current: {', '.join(behind)}."] if behind else []
        said += [f"Not in the Register under the number held: {', '.join(absent)}."] if absent else []
        return Check(name, "degraded", " ".join(said))
    if not lines or any(line.state == "unknown" for line in lines):
        return Check(name, "unknown", "Not every instrument has been asked about; see below.")
    return Check(name, "ok", "No newer compilation when last checked.")
