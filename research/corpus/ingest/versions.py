"""An instrument's versions, their dates and their chunks made what its readings say, and nothing that stands touched.

A version is added and never changed or removed. What is known of its days is: a correction ends what was known and
begins what is, in one moment. The chunks of a version that nothing is known of any more stay, on days that no search
reaches, for a replay as of an earlier moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from research.corpus import models
from research.corpus.ingest import index
from research.corpus.ingest.derive import CompilationFacts, Instrument, Place, Version, Words, versions_of
from research.corpus.ingest.history import Address, Effect, Event, Stated
from research.corpus.ingest.report import CompilationReport, Progress
from research.corpus.ingest.rows import (
    CHUNK_COLUMNS,
    DATES_COLUMNS,
    Cut,
    chunk_row,
    copy_into,
    dates_row,
    days_of,
    exact_rows,
    held_dates,
    insert_into,
    wanted_dates,
    words_of,
)
from research.corpus.ingest.split import CountTokens, Piece, Source, split
from research.law.identity import stable_id
from research.retrieval.time_filter import NEVER


class InstrumentVersions:
    """The versions of one instrument in the database.

    now: when what is written becomes known. count_tokens: word pieces of the embedder that chunks are cut for.
    """

    def __init__(
        self,
        cursor: Any,
        instrument: models.Instrument,
        now: datetime,
        count_tokens: CountTokens,
        progress: Progress,
        using: str,
    ) -> None:
        self.cursor, self.instrument, self.now, self.using = cursor, instrument, now, using
        self.count_tokens, self.progress = count_tokens, progress
        self.practice: UUID | None = instrument.practice_id

    def derive(self, report: CompilationReport, recut: bool = False) -> None:
        """Make versions, dates and chunks follow from the readings. recut: cut and index every version again."""
        compilations = list(models.Compilation.objects.using(self.using).filter(instrument=self.instrument))
        places = tuple(self._places())
        words = self._words({place.words_id for place in places})
        wanted = versions_of(
            Instrument(self.instrument.document_prefix, self._facts(compilations), places),
            words,
        )
        self.cursor.execute(index.PREPARE)
        held = set(self._versions().values_list("pk", flat=True))
        fresh = [version for version in wanted if version.id not in held]
        self._write_versions(fresh)
        moved = self._write_dates(wanted, {c.dated: c.pk for c in compilations}, report)
        if recut:
            self._cut_all(wanted, report)
            return
        is_fresh = {version.id for version in fresh}
        self._move({key: days for key, days in moved.items() if key not in is_fresh})
        self._cut([(v.id, words[v.words_id], v.path, v.document_id, _days(v)) for v in fresh], report)

    # -- what is held

    def _versions(self) -> Any:
        return models.ProvisionVersion.objects.using(self.using).filter(provision__instrument=self.instrument)

    def _places(self) -> Iterable[Place]:
        """Every reading. A hundred compilations of one Act say half a million times the same few thousand things, so
        each of them is kept once.
        """
        rows = models.Reading.objects.using(self.using).filter(provision__instrument=self.instrument)
        once: dict[Any, Any] = {}
        for document_id, schedule, section, day, wording, words_id, path in rows.values_list(
            "provision__document_id",
            "provision__schedule",
            "provision__section",
            "compilation__dated",
            "words__wording_sha256",
            "words_id",
            "path",
        ).iterator(chunk_size=5000):
            steps = tuple(path)
            yield Place(
                document_id=once.setdefault(document_id, document_id),
                schedule=once.setdefault(schedule, schedule),
                section=once.setdefault(section, section),
                day=once.setdefault(day, day),
                wording=once.setdefault(wording, wording),
                words_id=once.setdefault(words_id, words_id),
                path=once.setdefault(steps, steps),
            )

    def _words(self, ids: Iterable[int]) -> dict[int, Words]:
        rows = models.Words.objects.using(self.using).filter(provision__instrument=self.instrument)
        wanted = set(ids)
        return {row.pk: words_of(row) for row in rows.iterator() if row.pk in wanted}

    def _facts(self, compilations: Sequence[models.Compilation]) -> dict[date, CompilationFacts]:
        events = self._events([c.pk for c in compilations if c.has_endnotes])
        return {
            c.dated: CompilationFacts(
                number=int(c.number) if c.number.isascii() and c.number.isdecimal() else None,
                stated=Stated(c.starts, c.ends, c.stated_by, c.stated_alone) if c.starts else None,
                events=events.get(c.pk, {}) if c.has_endnotes else None,
            )
            for c in compilations
        }

    def _events(self, compilations: Sequence[int]) -> dict[int, dict[Address, tuple[Event, ...]]]:
        """What the endnotes of these compilations list, by compilation and address.

        A hundred compilations list nearly the same of most provisions: each list of events is kept once.
        """
        rows = (
            models.Amendment.objects.using(self.using)
            .filter(compilation_id__in=compilations)
            .order_by("compilation_id", "schedule", "section", "position")
            .values_list(
                "compilation_id", "schedule", "section", "effect", "act", "days", "unresolved", "assent", "is_applied"
            )
        )
        found: dict[int, dict[Address, tuple[Event, ...]]] = {}
        once: dict[tuple[Event, ...], tuple[Event, ...]] = {}
        for (pk, schedule, section), listed in groupby(rows.iterator(chunk_size=5000), key=itemgetter(0, 1, 2)):
            events = tuple(
                Event(Effect(effect), act, tuple(days), unresolved, assent, is_applied=is_applied)
                for *_, effect, act, days, unresolved, assent, is_applied in listed
            )
            found.setdefault(pk, {})[schedule, section] = once.setdefault(events, events)
        return found

    # -- what is written

    def _write_versions(self, versions: Sequence[Version]) -> None:
        insert_into(
            self.cursor,
            "corpus_provisionversion",
            "id, provision_id, words_id, path, occurrence, practice_id",
            (
                (
                    v.id,
                    stable_id("provision", v.document_id),
                    v.words_id,
                    list(v.path),
                    v.dated.occurrence,
                    self.practice,
                )
                for v in versions
            ),
        )

    def _write_dates(
        self, wanted: Sequence[Version], compilations: Mapping[date, int], report: CompilationReport
    ) -> dict[int, tuple[int, int]]:
        """End what is known otherwise now, and begin what is; the days of every version whose days moved."""
        rows = models.VersionDates.objects.using(self.using).filter(provision__instrument=self.instrument)
        held = {row.version_id: row for row in rows.filter(recorded__upper_inf=True).iterator()}
        moved: dict[int, tuple[int, int]] = {}
        fresh, ended = [], []
        for version in wanted:
            before = held.pop(version.id, None)
            if before is not None and held_dates(before) == wanted_dates(version, compilations):
                report.versions_unchanged += 1
                continue
            report.versions_new += before is None
            report.versions_changed += before is not None
            if before is None or (before.certain.lower, before.certain.upper) != _certain(version):
                moved[version.id] = _days(version)
            if before is not None:
                ended.append(before.pk)
            fresh.append(version)
        report.versions_gone = len(held)
        moved |= dict.fromkeys(held, NEVER)
        self._end([*ended, *(row.pk for row in held.values())])
        insert_into(
            self.cursor,
            "corpus_versiondates",
            DATES_COLUMNS,
            (dates_row(v, compilations, self.now, self.practice) for v in fresh),
        )
        return moved

    def _end(self, dates: list[int]) -> None:
        """What was known until now; of what became known in this very moment nothing is kept."""
        self.cursor.execute(
            "DELETE FROM corpus_versiondates WHERE id = ANY(%s) AND lower(recorded) >= %s", [dates, self.now]
        )
        self.cursor.execute(
            "UPDATE corpus_versiondates SET recorded = tstzrange(lower(recorded), %s) WHERE id = ANY(%s)",
            [self.now, dates],
        )

    def _move(self, days: Mapping[int, tuple[int, int]]) -> None:
        if not days:
            return
        copy_into(self.cursor, "moved_version (id, from_day, to_day)", ((key, *moved) for key, moved in days.items()))
        self.cursor.execute("ANALYZE moved_version")
        self.cursor.execute(index.MOVE_DAYS)

    # -- chunks

    def _cut_all(self, wanted: Sequence[Version], report: CompilationReport) -> None:
        """Cut every version again, those that nothing is known of any more as well."""
        days = {version.id: _days(version) for version in wanted}
        versions = list(self._versions().select_related("words", "provision"))
        copy_into(self.cursor, "old_version (id)", ((version.pk,) for version in versions))
        self.cursor.execute(index.FORGET)
        self._cut(
            [
                (v.pk, words_of(v.words), tuple(v.path), v.provision.document_id, days.get(v.pk, NEVER))
                for v in versions
            ],
            report,
        )

    def _cut(
        self,
        versions: Sequence[tuple[int, Words, tuple[str, ...], str, tuple[int, int]]],
        report: CompilationReport,
    ) -> None:
        """Chunks, postings and known vectors of (version id, words, path, document id, days)."""
        if not versions:
            return
        provisions = models.Provision.objects.using(self.using).filter(instrument=self.instrument)
        named = {p.document_id: (p.schedule, p.section) for p in provisions}
        what = f"{self.instrument.code} {report.compilation}".strip()
        cut: list[Cut] = []
        for done, (version_id, words, path, document_id, days) in enumerate(versions):
            schedule, section = named[document_id]
            source = Source(
                self.instrument.title, schedule, section, words.heading, path, words.kind, words.text, words.spans
            )
            pieces = split(source, self.count_tokens)
            report.characters += _all_held(document_id, words, pieces)
            cut.append(Cut(version_id, words, section, days, pieces))
            if done % 100 == 0:
                self.progress(f"{what}: cutting", done, len(versions))
        self.progress(f"{what}: indexing", len(versions), len(versions))
        copy_into(
            self.cursor,
            f"new_chunk ({CHUNK_COLUMNS})",
            (chunk_row(one.version_id, piece, one.days, self.practice) for one in cut for piece in one.pieces),
        )
        self.cursor.execute(f"INSERT INTO corpus_chunk ({CHUNK_COLUMNS}) SELECT {CHUNK_COLUMNS} FROM new_chunk")
        copy_into(self.cursor, "new_exact (chunk_id, lexeme, tf)", exact_rows(cut))
        index.post_new_chunks(self.cursor, self.instrument.title, self.practice)
        report.chunks += sum(len(one.pieces) for one in cut)


def _certain(version: Version) -> tuple[date, date | None]:
    return version.dated.certain_from, version.dated.certain_to


def _days(version: Version) -> tuple[int, int]:
    return days_of(*_certain(version))


def _all_held(document_id: str, words: Words, pieces: Sequence[Piece]) -> int:
    """How many characters the words have, all of them in a chunk: characters in, characters out."""
    wanted = len("".join(words.text.split()))
    held = sum(len("".join(piece.text.split())) for piece in pieces)
    if wanted != held:
        raise RuntimeError(f"{document_id}: {wanted} characters read, {held} held in chunks; nothing was loaded")
    return wanted
