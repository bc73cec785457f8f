"""Files of law into the database: one transaction a file, everything or nothing, and nothing when nothing changed.

Writes as the owner: the app role may only read the law. What is written follows from the readings of all
compilations held (`derive.py`), so the order in which files are loaded does not matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from django.db import connections, transaction
from django.db.backends.postgresql.psycopg_any import DateRange, DateTimeTZRange, Jsonb

from research.corpus import index_settings, models
from research.corpus.ingest import index
from research.corpus.ingest.derive import Instrument, Place, Version, Words, fullest, versions_of
from research.corpus.ingest.embed import IMPORT_LOCK
from research.corpus.ingest.read import CompilationRecords, CorpusRejected, read_compilations
from research.corpus.ingest.record import Record
from research.corpus.ingest.rows import (
    chunk_row,
    copy_into,
    exact_rows,
    held_chunked,
    held_row,
    sort_key,
    wanted_chunked,
    wanted_row,
    words_of,
)
from research.corpus.ingest.split import CountTokens, Piece, Source, split
from research.corpus.ingest.words import Wording, strip_asterisks, terms_by_first_word, terms_defined_in, wording_sha256
from research.law.identity import stable_id

OWNER = "owner"

Progress = Callable[[str, int, int], None]  # what, done, of


def no_progress(what: str, done: int, of: int) -> None:
    return None


@dataclass(slots=True)
class CompilationReport:
    """What an import did with one compilation.

    chunks: those written. characters: of the versions that were cut, white space left out; every one of them is in a
    chunk, or the import fails.
    """

    instrument: str
    compilation: str
    file: str
    state: str = "unchanged"
    provisions: int = 0
    versions_new: int = 0
    versions_changed: int = 0
    versions_unchanged: int = 0
    versions_gone: int = 0
    chunks: int = 0
    characters: int = 0
    seconds: float = 0.0

    def as_json(self) -> dict[str, object]:
        return asdict(self)


@dataclass(slots=True)
class Loader:
    """Loads files. count_tokens: word pieces of the embedder that chunks are cut for, special tokens left out."""

    count_tokens: CountTokens
    progress: Progress = no_progress
    using: str = OWNER
    seen: dict[tuple[str, date], Path] = field(default_factory=dict)

    def import_file(self, path: Path) -> list[CompilationReport]:
        """Load one file. Raises CorpusRejected, and then nothing of the file is loaded."""
        compilations = read_compilations(path)
        for compilation in compilations:
            key = (compilation.instrument, compilation.dated)
            if key in self.seen and self.seen[key] != path:
                raise CorpusRejected(path, None, f"{key[0]} at {key[1]} was in {self.seen[key]} already; give it once")
            self.seen[key] = path
        with transaction.atomic(using=self.using), connections[self.using].cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [IMPORT_LOCK])
            reports = [self._load(cursor, compilation, path) for compilation in compilations]
            if any(report.state != "unchanged" for report in reports):
                self._record_state(cursor)
        return reports

    def rebuild(self) -> int:
        """Cut and index everything again if the settings have changed; how many chunks were written."""
        with transaction.atomic(using=self.using), connections[self.using].cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [IMPORT_LOCK])
            state = models.IndexState.objects.using(self.using).first()
            if state is None or state.settings == index_settings.fingerprint():
                return 0
            written = 0
            for instrument in models.Instrument.objects.using(self.using).order_by("code"):
                report = CompilationReport(instrument.code, "", "")
                cursor.execute(index.COUNT_ROWS)
                self._derive(cursor, instrument, {}, report, everything=True)
                written += report.chunks
            self._record_state(cursor)
        return written

    def tidy(self) -> None:
        """VACUUM and ANALYZE what an import touched; call it outside any transaction."""
        with connections[self.using].cursor() as cursor:
            index.tidy(cursor)

    # -- one compilation

    def _load(self, cursor: Any, compilation: CompilationRecords, path: Path) -> CompilationReport:
        started = time.monotonic()
        first = compilation.records[0]
        report = CompilationReport(compilation.instrument, compilation.dated.isoformat(), path.name)
        report.provisions = len(compilation.records)
        known = models.Compilation.objects.using(self.using).filter(instrument=first.instrument)
        if known.filter(dated=first.dated, content_sha256=compilation.sha256).exists():
            report.seconds = round(time.monotonic() - started, 3)
            return report
        report.state = "loaded"
        if known.exists():
            cursor.execute(index.COUNT_ROWS)
        instrument, renamed = self._instrument(first, path)
        held, _ = models.Compilation.objects.using(self.using).update_or_create(
            instrument=instrument,
            dated=first.dated,
            defaults={
                "number": first.compilation_number,
                "register_id": first.register_id,
                "source_uri": first.source_uri,
                "licence": first.licence,
                "provisions": len(compilation.records),
                "content_sha256": compilation.sha256,
            },
        )
        words = self._read(cursor, held.pk, compilation.records)
        self._derive(cursor, instrument, words, report, everything=renamed)
        report.seconds = round(time.monotonic() - started, 3)
        return report

    def _instrument(self, first: Record, path: Path) -> tuple[models.Instrument, bool]:
        """The instrument's row, and whether its title changed: the newest compilation names the Act."""
        rows = models.Instrument.objects.using(self.using)
        instrument = rows.filter(code=first.instrument).first()
        other = rows.filter(document_prefix=first.document_prefix).exclude(code=first.instrument).first()
        prefix = instrument.document_prefix if instrument else first.document_prefix
        if other or prefix != first.document_prefix:
            held = f"{other.code} has {first.document_prefix}/…" if other else f"{first.instrument} has {prefix}/…"
            raise CorpusRejected(path, None, f"{first.instrument} comes as {first.document_prefix}/…, but {held} here")
        if instrument is None:
            title, prefix = first.instrument_title, first.document_prefix
            return rows.create(code=first.instrument, title=title, document_prefix=prefix), False
        newer = instrument.compilations.filter(dated__gt=first.dated).exists()
        if newer or instrument.title == first.instrument_title:
            return instrument, False
        instrument.title = first.instrument_title
        instrument.save(using=self.using)
        return instrument, True

    def _read(self, cursor: Any, compilation_id: int, records: Sequence[Record]) -> dict[tuple[str, str], Words]:
        """Write the readings of a compilation in place of those it had; the words that each wording stands for."""
        terms = terms_by_first_word(t for r in records for t in terms_defined_in(r.heading, r.kind, r.text))
        wordings: list[tuple[Record, str, Wording]] = []
        for record in records:
            stripped = strip_asterisks(record.text, terms)
            wordings.append((record, wording_sha256(record.heading, record.kind, stripped.text), stripped))
        cursor.execute("CREATE TEMP TABLE IF NOT EXISTS new_provision (LIKE corpus_provision) ON COMMIT DROP")
        cursor.execute("TRUNCATE new_provision")
        copy_into(
            cursor,
            "new_provision (id, instrument_id, document_id, section, schedule, sort_key)",
            (
                (stable_id("provision", r.document_id), r.instrument, r.document_id, r.section, r.schedule, sort_key(r))
                for r in records
            ),
        )
        cursor.execute("INSERT INTO corpus_provision SELECT * FROM new_provision ON CONFLICT (id) DO NOTHING")
        cursor.execute("DELETE FROM corpus_reading WHERE compilation_id = %s", [compilation_id])
        copy_into(
            cursor,
            "corpus_reading (compilation_id, provision_id, position, path, wording_sha256)",
            (
                (compilation_id, stable_id("provision", r.document_id), at, list(r.path), sha)
                for at, (r, sha, _) in enumerate(wordings)
            ),
        )
        return fullest(((r.document_id, sha), Words(r.heading, r.kind, w.text, w.spans)) for r, sha, w in wordings)

    # -- versions and chunks of one instrument

    def _derive(
        self,
        cursor: Any,
        instrument: models.Instrument,
        words: dict[tuple[str, str], Words],
        report: CompilationReport,
        everything: bool,
    ) -> None:
        """Make the instrument's versions what its readings say, and chunk what is new or changed."""
        loaded = list(models.Compilation.objects.using(self.using).filter(instrument=instrument))
        compilations = {compilation.dated: compilation.pk for compilation in loaded}
        numbers = {c.dated: int(c.number) for c in loaded if c.number.isascii() and c.number.isdecimal()}
        held = {row.pk: row for row in _versions_held(instrument, self.using)}
        candidates = (((r.provision.document_id, r.wording_sha256), words_of(r)) for r in held.values())
        places = tuple(_places(instrument, self.using))
        wanted = versions_of(
            Instrument(instrument.document_prefix, tuple(sorted(compilations)), places, numbers),
            fullest([*candidates, *words.items()]),
        )
        cursor.execute(index.PREPARE)
        rechunk: list[Version] = []
        rewrite: list[Version] = []
        for version in wanted:
            before = held.pop(version.id, None)
            same_row = before is not None and held_row(before) == wanted_row(version, compilations)
            if before is not None and same_row and not everything:
                report.versions_unchanged += 1
                continue
            report.versions_new += before is None
            report.versions_changed += before is not None
            same_chunks = before is not None and held_chunked(before) == wanted_chunked(version)
            (rewrite if same_chunks and not everything else rechunk).append(version)
        report.versions_gone = len(held)
        copy_into(cursor, "old_version (id)", ((v,) for v in [*held, *(version.id for version in rechunk)]))
        cursor.execute(index.FORGET)
        self._write_versions(cursor, [*rewrite, *rechunk], compilations)
        cursor.execute("DELETE FROM corpus_provisionversion WHERE id = ANY(%s)", [list(held)])
        self._forget_unread(cursor, instrument, {stable_id("provision", place.document_id) for place in places})
        self._write_chunks(cursor, instrument, rechunk, report)

    def _write_versions(self, cursor: Any, versions: Sequence[Version], compilations: dict[date, int]) -> None:
        now = datetime.now(UTC)
        columns = (
            "id, provision_id, heading, path, kind, text, term_spans, wording_sha256, certain, possible, dating, "
            "compilation_id, recorded"
        )
        copy_into(
            cursor,
            f"new_version ({columns})",
            (
                (
                    v.id,
                    stable_id("provision", v.document_id),
                    v.words.heading,
                    list(v.path),
                    v.words.kind,
                    v.words.text,
                    Jsonb([list(span) for span in v.words.spans]),
                    v.dated.wording,
                    DateRange(v.dated.certain_from, v.dated.certain_to),
                    DateRange(v.dated.possible_from, v.dated.possible_to),
                    v.dated.dating.value,
                    compilations[v.dated.first_day],
                    DateTimeTZRange(now, None),
                )
                for v in versions
            ),
        )
        updates = ", ".join(
            f"{name} = excluded.{name}" for name in columns.split(", ") if name not in ("id", "provision_id")
        )
        cursor.execute(
            f"INSERT INTO corpus_provisionversion ({columns}) SELECT {columns} FROM new_version "
            f"ON CONFLICT (id) DO UPDATE SET {updates}"
        )

    def _forget_unread(self, cursor: Any, instrument: models.Instrument, read: set[int]) -> None:
        """Provisions that no compilation holds any more: a corrected file may leave some out."""
        held = set(
            models.Provision.objects.using(self.using).filter(instrument=instrument).values_list("pk", flat=True)
        )
        if held - read:
            cursor.execute("DELETE FROM corpus_provision WHERE id = ANY(%s)", [list(held - read)])

    def _write_chunks(
        self, cursor: Any, instrument: models.Instrument, versions: Sequence[Version], report: CompilationReport
    ) -> None:
        if not versions:
            return
        cut: list[tuple[Version, str, Piece]] = []
        provisions = models.Provision.objects.using(self.using).filter(instrument=instrument)
        named = {p.document_id: (p.schedule, p.section) for p in provisions}
        for done, version in enumerate(versions):
            schedule, section = named[version.document_id]
            source = Source(
                instrument.title,
                schedule,
                section,
                version.words.heading,
                version.path,
                version.words.kind,
                version.words.text,
                version.words.spans,
            )
            pieces = split(source, self.count_tokens)
            report.characters += _all_held(version, pieces)
            cut += [(version, section, piece) for piece in pieces]
            if done % 100 == 0:
                self.progress(f"{instrument.code} {report.compilation}: cutting", done, len(versions))
        self.progress(f"{instrument.code} {report.compilation}: indexing", len(versions), len(versions))
        columns = (
            "id, version_id, ordinal, parent, role, defined_term, context, text, offset_chars, token_count, "
            "input_sha256, from_day, to_day"
        )
        copy_into(cursor, f"new_chunk ({columns})", (chunk_row(version, piece) for version, _, piece in cut))
        cursor.execute(f"INSERT INTO corpus_chunk ({columns}) SELECT {columns} FROM new_chunk")
        copy_into(cursor, "new_exact (chunk_id, lexeme, tf)", exact_rows(cut))
        index.post_new_chunks(cursor, instrument.title)
        report.chunks = len(cut)

    def _record_state(self, cursor: Any) -> None:
        """What the index is now built from. Vectors are named complete only if none is missing."""
        hashes = models.Compilation.objects.using(self.using).values_list("instrument_id", "dated", "content_sha256")
        digest = index_settings.corpus_sha256((code, dated.isoformat(), sha) for code, dated, sha in hashes)
        before = models.IndexState.objects.using(self.using).first()
        embedder = before.embedder if before else ""
        if embedder:
            record = models.EmbedderRecord.objects.using(self.using).filter(identity=embedder).first()
            cursor.execute(index.MISSING_VECTORS, [record.pk if record else -1])
            if cursor.fetchone()[0]:
                embedder = ""
        models.IndexState.objects.using(self.using).update_or_create(
            id=1,
            defaults={
                "corpus_sha256": digest,
                "settings": index_settings.fingerprint(),
                "embedder": embedder,
                "chunks": models.Chunk.objects.using(self.using).exclude(role="omitted").count(),
            },
        )


def _versions_held(instrument: models.Instrument, using: str) -> Iterator[models.ProvisionVersion]:
    rows = models.ProvisionVersion.objects.using(using).filter(provision__instrument=instrument)
    yield from rows.select_related("provision")


def _places(instrument: models.Instrument, using: str) -> Iterator[Place]:
    rows = models.Reading.objects.using(using).filter(provision__instrument=instrument)
    for document_id, schedule, day, wording, path in rows.values_list(
        "provision__document_id", "provision__schedule", "compilation__dated", "wording_sha256", "path"
    ):
        yield Place(document_id, schedule, day, wording, tuple(path))


def _all_held(version: Version, pieces: Sequence[Piece]) -> int:
    """How many characters the version has, all of them in a chunk: characters in, characters out."""
    wanted = len("".join(version.words.text.split()))
    held = sum(len("".join(piece.text.split())) for piece in pieces)
    if wanted != held:
        raise RuntimeError(
            f"{version.document_id}: {wanted} characters read, {held} held in chunks; nothing was loaded"
        )
    return wanted
