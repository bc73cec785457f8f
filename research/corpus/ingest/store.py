"""Files of law into the database: one transaction a file, everything or nothing, and nothing when nothing changed.

Writes as the owner: the app role may only read the law. What is written follows from the readings of all
compilations held (`derive.py`), so the order in which files are loaded does not matter.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connections, transaction

from research.corpus import index_settings, models
from research.corpus.ingest import index
from research.corpus.ingest.embed import IMPORT_LOCK
from research.corpus.ingest.read import CompilationRecords, CorpusRejected
from research.corpus.ingest.readings import Target, content_sha256, instrument_of, origin_of, write_compilation
from research.corpus.ingest.report import CompilationReport, Progress, no_progress
from research.corpus.ingest.sources import READER, Own, beside, read_in_the_light_of, read_source
from research.corpus.ingest.split import CountTokens
from research.corpus.ingest.state import next_moment, record_state
from research.corpus.ingest.versions import InstrumentVersions
from research.law import licences

OWNER = "owner"


@dataclass(slots=True)
class Loader:
    """Loads files. count_tokens: word pieces of the embedder that chunks are cut for, special tokens left out.

    saved_on: the day on which pages were saved that say what is current; None for the day of each file. own: whose own
    documents they are, None for everybody's law.
    """

    count_tokens: CountTokens
    saved_on: date | None = None
    own: Own | None = None
    progress: Progress = no_progress
    using: str = OWNER
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    seen: dict[tuple[str, date], Path] = field(default_factory=dict)

    @property
    def practice(self) -> UUID | None:
        return self.own.practice if self.own else None

    def import_file(self, path: Path) -> list[CompilationReport]:
        """Load one file. Raises CorpusRejected, and then nothing of the file is loaded; the attempt is on record."""
        run = models.ImportRun(
            started_at=self.clock(), file_name=path.name[:400], reader=READER, practice_id=self.practice
        )
        started = time.monotonic()
        try:
            reports = self._import(path, run)
            run.outcome = "loaded" if any(report.state != "unchanged" for report in reports) else "unchanged"
            run.report = [report.as_json() for report in reports]
        except CorpusRejected as refused:
            run.outcome, run.message = "refused", str(refused.problem)
            raise
        except BaseException as failed:  # one that is interrupted is on record too
            run.outcome, run.message = "failed", f"The import stopped ({type(failed).__name__})."
            raise
        finally:
            run.seconds = round(time.monotonic() - started, 3)
            run.save(using=self.using)
        return reports

    def _import(self, path: Path, run: models.ImportRun) -> list[CompilationReport]:
        run.file_sha256, run.file_bytes = _digest(path, read_in_the_light_of(path, self.saved_on, self.own))
        if known := self._loaded_before(run.file_sha256):
            return [
                CompilationReport(code, day, path.name, provisions=provisions, content_sha256=sha)
                for code, day, provisions, sha in known
            ]
        compilations = read_source(path, self.saved_on, self.own)
        self._once_a_run(compilations, path)
        for compilation in compilations:
            try:
                licences.licence_of(origin_of(compilation).licence)
            except licences.LicenceRefused as refused:
                raise CorpusRejected(path, None, str(refused)) from refused
        with transaction.atomic(using=self.using), connections[self.using].cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [IMPORT_LOCK])
            now = next_moment(self.clock(), self.using)
            reports = [self._load(cursor, compilation, path, now) for compilation in compilations]
            if any(report.state != "unchanged" for report in reports):
                record_state(cursor, now, self.using, self.practice)
        return reports

    def _loaded_before(self, file_sha256: str) -> list[tuple[str, str, int, str]]:
        """What this very file gave when it was last loaded, if all of it still stands; else nothing."""
        runs = models.ImportRun.objects.using(self.using).filter(
            file_sha256=file_sha256, reader=READER, practice_id=self.practice, outcome__in=("loaded", "unchanged")
        )
        run = runs.first()
        if run is None or not run.report:
            return []
        gave = [(r["instrument"], r["compilation"], r["provisions"], r["content_sha256"]) for r in run.report]
        for code, day, _, sha in gave:
            rows = models.Compilation.objects.using(self.using).filter(instrument=code, dated=day, content_sha256=sha)
            if not rows.exists():
                return []
        return gave

    def _once_a_run(self, compilations: list[CompilationRecords], path: Path) -> None:
        for compilation in compilations:
            key = (compilation.instrument, compilation.dated)
            if key in self.seen and self.seen[key] != path:
                raise CorpusRejected(path, None, f"{key[0]} at {key[1]} was in {self.seen[key]} already; give it once")
            self.seen[key] = path

    def rebuild(self) -> int:
        """Cut and index everything again if the settings have changed; how many chunks were written."""
        with transaction.atomic(using=self.using), connections[self.using].cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [IMPORT_LOCK])
            written, now = 0, next_moment(self.clock(), self.using)
            open_rows = models.IndexState.objects.using(self.using).filter(recorded__upper_inf=True)
            stale = [state for state in open_rows if state.settings != index_settings.fingerprint()]
            for state in stale:
                instruments = models.Instrument.objects.using(self.using).filter(practice_id=state.practice_id)
                for instrument in instruments.order_by("code"):
                    report = CompilationReport(instrument.code, "", "")
                    cursor.execute(index.COUNT_ROWS)
                    self._versions(cursor, instrument, now).derive(report, recut=True)
                    written += report.chunks
                record_state(cursor, now, self.using, state.practice_id)
        return written

    def tidy(self) -> None:
        """VACUUM and ANALYZE what an import touched; call it outside any transaction."""
        with connections[self.using].cursor() as cursor:
            index.tidy(cursor)

    def show_licences(self) -> None:
        """Write down, for the admin pages, the terms of every source that this version knows."""
        for licence in licences.LICENCES.values():
            models.Licence.objects.using(self.using).update_or_create(
                code=licence.code,
                defaults={
                    "title": licence.title,
                    "url": licence.url,
                    "attribution": licence.attribution,
                    "may_be_served": licence.may_be_served,
                    "why_not": licence.why_not,
                },
            )

    # -- one compilation

    def _load(self, cursor: Any, compilation: CompilationRecords, path: Path, now: datetime) -> CompilationReport:
        started = time.monotonic()
        first = compilation.records[0]
        report = CompilationReport(compilation.instrument, compilation.dated.isoformat(), path.name)
        report.provisions = len(compilation.records)
        report.content_sha256 = content_sha256(compilation)
        report.warnings = origin_of(compilation).warnings
        known = models.Compilation.objects.using(self.using).filter(instrument=first.instrument)
        if known.filter(dated=first.dated, content_sha256=report.content_sha256).exists():
            report.seconds = round(time.monotonic() - started, 3)
            return report
        report.state = "loaded"
        if known.exists():
            cursor.execute(index.COUNT_ROWS)
        target = Target(self.using, self.practice)
        instrument, renamed = instrument_of(compilation, path, target)
        write_compilation(cursor, instrument, compilation, target)
        self._versions(cursor, instrument, now).derive(report, recut=renamed)
        report.seconds = round(time.monotonic() - started, 3)
        return report

    def _versions(self, cursor: Any, instrument: models.Instrument, now: datetime) -> InstrumentVersions:
        return InstrumentVersions(cursor, instrument, now, self.count_tokens, self.progress, self.using)


def _digest(path: Path, in_the_light_of: str) -> tuple[str, int]:
    """sha256 of a file, of what is kept beside it and of what else it is read by, and the file's size in bytes."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
        beside_it = beside(path)
        if beside_it is not None:
            digest.update(beside_it.read_bytes())
        digest.update(in_the_light_of.encode())
        return digest.hexdigest(), path.stat().st_size
    except OSError as error:
        raise CorpusRejected(path, None, f"the file cannot be read ({error.strerror or error})") from error
