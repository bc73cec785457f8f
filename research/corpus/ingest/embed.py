"""Vectors for chunks that have none: resumable, one at a time, and never the same text twice.

A vector is kept under sha256(embedder identity + what is embedded); a chunk whose words were embedded before, in
another version or before a reload, takes it from there. Works as the app role, which may add vectors and change none,
and on what its practice may read: everybody's law outside a practice, its own documents as well inside one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from research.corpus import models
from research.corpus.ingest.split import embedded_text
from research.law.identity import text_sha256
from research.ports import Embedder

IMPORT_LOCK = 0x41734174_01  # "AsAt", 1: one import at a time, and no vector is added meanwhile
EMBED_LOCK = 0x41734174_02  # "AsAt", 2: one embedding job at a time
BATCH = 256  # texts a transaction: a killed job loses at most these

Progress = Callable[["EmbedProgress"], None]


class EmbedderUnfit(ValueError):
    """The embedder cannot read a chunk whole, so its vectors would leave out law."""


@dataclass(frozen=True, slots=True)
class EmbedProgress:
    """done of total chunks have a vector; computed of them in this run, at `rate` a second."""

    embedder: str
    done: int
    total: int
    computed: int = 0
    rate: float = 0.0

    @property
    def is_complete(self) -> bool:
        return self.done >= self.total


def embedding_key(identity: str, input_sha256: str) -> str:
    """The key of a vector. `index.REUSE_VECTORS` makes the same in SQL."""
    return text_sha256(identity, input_sha256)


def progress_of(embedder_identity: str, using: str = DEFAULT_DB_ALIAS) -> EmbedProgress:
    """How many chunks have a vector by this embedder."""
    record = models.EmbedderRecord.objects.using(using).filter(identity=embedder_identity).first()
    wanted = models.Chunk.objects.using(using).exclude(role="omitted").count()
    held = models.ChunkVector.objects.using(using).filter(embedder_id=record.pk).count() if record else 0
    return EmbedProgress(embedder_identity, min(held, wanted), wanted)


def embed_pending(
    embedder: Embedder,
    seconds: float | None = None,
    report: Progress | None = None,
    using: str = DEFAULT_DB_ALIAS,
) -> EmbedProgress | None:
    """Embed what is pending, for about `seconds` and one batch at least; None when another process is at it already.

    Commits batch by batch, so that a killed run loses one batch. Marks the index complete at the end.
    """
    started = time.monotonic()
    with _alone(using) as mine:
        if not mine:
            return None
        record = _record_of(embedder, using)
        _reuse(embedder, record.pk, using)
        progress = progress_of(embedder.identity, using)
        computed = 0
        while not progress.is_complete:
            batch = _pending(record.pk, using)
            if not batch:
                break
            computed += _embed_batch(embedder, record.pk, batch, using)
            rate = computed / max(time.monotonic() - started, 1e-6)
            done = min(progress.done + len(batch), progress.total)
            progress = EmbedProgress(embedder.identity, done, progress.total, computed, round(rate, 1))
            if report:
                report(progress)
            if seconds is not None and time.monotonic() - started >= seconds:
                break
        progress = _counted(progress_of(embedder.identity, using), progress)
        if progress.is_complete:
            _mark_complete(embedder.identity, using)
        return progress


def embed_phrases(
    embedder: Embedder,
    phrases: Sequence[str],
    seconds: float | None = None,
    report: Progress | None = None,
    using: str = DEFAULT_DB_ALIAS,
) -> EmbedProgress:
    """Keep a vector for each phrase under the digest of its text, for about `seconds` and one batch at least.

    Phrases are everybody's: nothing of a practice is among them. Two runs at once do no harm: each keeps the same.
    """
    started = time.monotonic()
    keys = {embedding_key(embedder.identity, text_sha256(phrase)): phrase for phrase in phrases}
    held = set(models.Embedding.objects.using(using).filter(key__in=list(keys)).values_list("key", flat=True))
    missing = sorted(set(keys) - held, key=lambda key: (len(keys[key]), key))
    progress = EmbedProgress(embedder.identity, len(held), len(keys))
    while missing:
        batch, missing = missing[:BATCH], missing[BATCH:]
        vectors = embedder.embed([keys[key] for key in batch])
        with transaction.atomic(using=using), connections[using].cursor() as cursor:
            cursor.executemany(
                "INSERT INTO corpus_embedding (key, embedder, vector) VALUES (%s, %s, %s::halfvec) "
                "ON CONFLICT DO NOTHING",
                [(key, embedder.identity, _as_halfvec(vector)) for key, vector in zip(batch, vectors, strict=True)],
            )
        computed = progress.computed + len(batch)
        rate = round(computed / max(time.monotonic() - started, 1e-6), 1)
        progress = EmbedProgress(embedder.identity, progress.done + len(batch), len(keys), computed, rate)
        if report:
            report(progress)
        if seconds is not None and time.monotonic() - started >= seconds:
            break
    return progress


def _as_halfvec(vector: Sequence[float]) -> str:
    return "[" + ",".join(f"{value:.7g}" for value in vector) + "]"


def _counted(now: EmbedProgress, run: EmbedProgress) -> EmbedProgress:
    return EmbedProgress(now.embedder, now.done, now.total, run.computed, run.rate)


@contextmanager
def _alone(using: str) -> Iterator[bool]:
    """Whether this process has the lock, which the server frees by itself when the process dies."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [EMBED_LOCK])
        mine = bool(cursor.fetchone()[0])
        try:
            yield mine
        finally:
            if mine:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [EMBED_LOCK])


def _record_of(embedder: Embedder, using: str) -> models.EmbedderRecord:
    record, _ = models.EmbedderRecord.objects.using(using).get_or_create(
        identity=embedder.identity, defaults={"dimensions": embedder.dimensions}
    )
    if record.dimensions != embedder.dimensions:
        raise EmbedderUnfit(
            f"{embedder.identity} makes {embedder.dimensions} numbers a vector, but {record.dimensions} before; "
            "give the model another identity"
        )
    return record


def _reuse(embedder: Embedder, embedder_id: int, using: str) -> None:
    """Give chunks the vectors that their words have already."""
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [IMPORT_LOCK])
        cursor.execute(
            """
            INSERT INTO corpus_chunkvector (embedder_id, chunk_id, from_day, to_day, practice_id, vector)
            SELECT %s, c.id, c.from_day, c.to_day, c.practice_id, e.vector FROM corpus_chunk c
            JOIN corpus_embedding e
              ON e.key = encode(sha256(convert_to(%s || chr(31) || c.input_sha256, 'UTF8')), 'hex')
            WHERE c.role <> 'omitted'
              AND NOT EXISTS (SELECT FROM corpus_chunkvector v WHERE v.embedder_id = %s AND v.chunk_id = c.id)
            ON CONFLICT DO NOTHING
            """,
            [embedder_id, embedder.identity, embedder_id],
        )


def _pending(embedder_id: int, using: str) -> list[tuple[Any, ...]]:
    """Some chunks without a vector, shortest first, so that a batch wastes little on padding."""
    with connections[using].cursor() as cursor:
        cursor.execute(
            """
            SELECT c.id, c.practice_id, c.input_sha256, c.context, c.text, c.token_count
            FROM corpus_chunk c
            WHERE c.role <> 'omitted'
              AND NOT EXISTS (SELECT FROM corpus_chunkvector v WHERE v.embedder_id = %s AND v.chunk_id = c.id)
            ORDER BY c.id LIMIT %s
            """,
            [embedder_id, BATCH],
        )
        return sorted(cursor.fetchall(), key=lambda row: (row[5], row[0]))


def _embed_batch(embedder: Embedder, embedder_id: int, batch: Sequence[tuple[Any, ...]], using: str) -> int:
    """Vectors for one batch, written whole or not at all; how many were computed, each distinct text once."""
    texts = {row[2]: embedded_text(row[3], row[4]) for row in batch}
    owners = {row[2]: row[1] for row in batch}
    keys = {sha: embedding_key(embedder.identity, sha) for sha in texts}
    held = models.Embedding.objects.using(using).filter(key__in=keys.values())
    known = {e.key: e.vector for e in held}
    missing = [sha for sha in texts if keys[sha] not in known]
    _refuse_what_it_cuts(embedder, [texts[sha] for sha in missing])
    for sha, vector in zip(missing, embedder.embed([texts[sha] for sha in missing]) if missing else [], strict=True):
        known[keys[sha]] = _as_halfvec(vector)
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        # An import holds this lock alone: a chunk it takes away cannot be given a vector behind its back. One that it
        # wrote again under the same id, with another heading, gets none of what was read before.
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [IMPORT_LOCK])
        cursor.executemany(
            "INSERT INTO corpus_embedding (key, embedder, vector, practice_id) VALUES (%s, %s, %s::halfvec, %s) "
            "ON CONFLICT DO NOTHING",
            [(keys[sha], embedder.identity, known[keys[sha]], owners[sha]) for sha in missing],
        )
        cursor.executemany(
            """
            INSERT INTO corpus_chunkvector (embedder_id, chunk_id, from_day, to_day, practice_id, vector)
            SELECT %s, c.id, c.from_day, c.to_day, c.practice_id, e.vector FROM corpus_chunk c, corpus_embedding e
            WHERE c.id = %s AND c.input_sha256 = %s AND e.key = %s ON CONFLICT DO NOTHING
            """,
            [(embedder_id, row[0], row[2], keys[row[2]]) for row in batch],
        )
    return len(missing)


def _refuse_what_it_cuts(embedder: Embedder, texts: Sequence[str]) -> None:
    for text in texts:
        tokens = embedder.count_tokens(text)
        if tokens > embedder.max_tokens:
            raise EmbedderUnfit(
                f"{embedder.identity} reads {embedder.max_tokens} tokens and a passage has {tokens} "
                f"(it begins {text[:60]!r}); choose an embedder that reads 250 word pieces or more"
            )


def _mark_complete(identity: str, using: str) -> None:
    """Say so in the state of each index, unless an import came in between and left chunks without vectors."""
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        # Before the statement and not in it: one that waited for an import would still see the chunks of before.
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [IMPORT_LOCK])
        cursor.execute(
            """
            UPDATE corpus_indexstate s SET embedder = %s, updated_at = now()
            WHERE upper_inf(s.recorded) AND s.embedder <> %s AND NOT EXISTS (
                SELECT FROM corpus_chunk c
                WHERE c.role <> 'omitted' AND c.practice_id IS NOT DISTINCT FROM s.practice_id AND NOT EXISTS (
                    SELECT FROM corpus_chunkvector v JOIN corpus_embedderrecord r ON r.id = v.embedder_id
                    WHERE r.identity = %s AND v.chunk_id = c.id))
            """,
            [identity, identity, identity],
        )
