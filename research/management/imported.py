"""What an import did with all its files, told for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from asat_site.tenancy.models import Practice
from research.changes import Touched
from research.corpus.ingest.read import printable
from research.corpus.ingest.report import CompilationReport
from research.law.identity import shown_code
from research.presentation.law_changes import summary_line

NAMED = 10  # names in a line


@dataclass(slots=True)
class Imported:
    """files: how many were given; passed_over: what of the folders is not of a kind that is read. rebuilt: chunks.

    embedding: how search stands now, in words. touched: answers that rest on words that have changed, by practice.
    """

    files: int
    passed_over: Sequence[Path]
    rebuilt: int
    reports: list[CompilationReport] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    embedding: str = ""
    touched: Sequence[tuple[Practice, Touched]] = ()
    seconds: float = 0.0

    @property
    def is_changed(self) -> bool:
        return self.rebuilt > 0 or any(report.state != "unchanged" for report in self.reports)

    def as_json(self) -> dict[str, object]:
        return {
            "compilations": [report.as_json() for report in self.reports],
            "refused": self.refused,
            "left_out": [printable(str(path)) for path in self.passed_over],
            "rebuilt_chunks": self.rebuilt,
            "embedding": self.embedding,
            "answers_touched": {practice.schema_name: told.answers for practice, told in self.touched},
            "seconds": round(self.seconds, 2),
        }

    def lines(self) -> list[str]:
        """The sum of it, a sentence a line."""
        provisions = counted(sum(report.provisions for report in self.reports), "provision")
        written = counted(sum(report.chunks for report in self.reports) + self.rebuilt, "chunk")
        told = [
            f"{counted(len(self.reports), 'compilation')}, {provisions}, {written} written in {self.seconds:.1f} s. "
            + self.embedding
        ]
        if self.refused:
            told.append(f"Refused: {counted(len(self.refused), 'file')} of {self.files}, as told above.")
        if self.passed_over:
            told.append(f"Not of a kind that is read, so left out: {_names(self.passed_over)}.")
        return told + [
            f"{practice.name}: {summary_line(answers)}; see Law changes." for practice, answers in self.touched
        ]


def line_of(report: CompilationReport) -> str:
    """One compilation on a line."""
    head = f"{shown_code(report.instrument)} as at {report.compilation}: {counted(report.provisions, 'provision')}"
    if report.state == "unchanged":
        return f"{head}, unchanged"
    return (
        f"{head}; versions {report.versions_new:,} new, {report.versions_changed:,} changed, "
        f"{report.versions_unchanged:,} unchanged, {report.versions_gone:,} gone; {counted(report.chunks, 'chunk')}; "
        f"{report.seconds:.1f} s"
    )


def counted(number: int, what: str) -> str:
    """ "1 file", "2,000 files"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _names(paths: Sequence[Path]) -> str:
    named = ", ".join(printable(path.name) for path in paths[:NAMED])
    return named if len(paths) <= NAMED else f"{named} and {len(paths) - NAMED:,} more"
