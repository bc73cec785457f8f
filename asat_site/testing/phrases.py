"""The index's phrases embedded once for all runs of the tests: the same vectors by the same model, read from a file.

Computing them takes minutes, and each run has a database of its own, or several. The vectors are the real embedder's;
the file is named by its identity and by the phrases, so that a change of either computes them again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection

from asat_site.running import kept
from research import composition
from research.corpus.ingest.embed import embed_phrases
from research.ports import Embedder

FOLDER = settings.BASE_DIR / "var" / "test-phrases"
READ = "COPY (SELECT key, embedder, vector FROM corpus_embedding WHERE practice_id IS NULL AND embedder = %s) TO STDOUT"


@contextmanager
def phrase_vectors_kept() -> Iterator[None]:
    """On entry the phrases have their vectors, from the file where there is one; the file is written where not."""
    embedder = composition.embedder()
    if embedder is not None:
        vectors = _file_of(embedder)
        with kept.locked(FOLDER / "lock"):  # a run beside this one waits for the file
            if vectors.exists():
                with connection.cursor() as cursor:
                    _read(vectors, cursor)
            else:
                embed_phrases(embedder, composition.phrases())
                _write(vectors, embedder.identity)
    yield


def give_phrase_vectors(url: str) -> None:
    """What the file holds, if there is one, goes into another database, which is migrated. url: the app's address."""
    embedder = composition.embedder()
    if embedder is not None and (vectors := _file_of(embedder)).exists():
        with psycopg.connect(url) as other, other.cursor() as cursor:
            _read(vectors, cursor)


def _file_of(embedder: Embedder) -> Path:
    digest = hashlib.sha256("\n".join([embedder.identity, *composition.phrases()]).encode()).hexdigest()
    FOLDER.mkdir(parents=True, exist_ok=True)
    return FOLDER / f"{digest[:24]}.copy"


def _read(vectors: Path, cursor: Any) -> None:
    cursor.execute("CREATE TEMPORARY TABLE kept (LIKE public.corpus_embedding INCLUDING DEFAULTS)")
    with cursor.copy("COPY kept (key, embedder, vector) FROM STDIN") as copy:
        copy.write(vectors.read_bytes())
    cursor.execute(
        "INSERT INTO public.corpus_embedding (key, embedder, vector) SELECT key, embedder, vector FROM kept "
        "ON CONFLICT DO NOTHING"
    )
    cursor.execute("DROP TABLE kept")


def _write(vectors: Path, identity: str) -> None:
    """Whole or not at all: a run that is killed leaves no half file."""
    for old in FOLDER.glob("*.copy"):
        old.unlink()
    partial = vectors.with_suffix(".partial")
    with connection.cursor() as cursor, partial.open("wb") as file, cursor.copy(READ, [identity]) as copy:
        for block in copy:
            file.write(block)
    partial.rename(vectors)
