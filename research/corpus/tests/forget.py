"""Law that a test has committed, taken away again: as the owner alone can, and no command does."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from django.db import connections, transaction

from research import composition
from research.corpus.ingest.embed import embed_pending, progress_of
from research.corpus.ingest.state import record_state
from research.corpus.ingest.store import OWNER

_FORGET = """
CREATE TEMP TABLE gone AS SELECT id FROM corpus_provision WHERE instrument_id = ANY(%(codes)s);
CREATE TEMP TABLE gone_chunk AS SELECT c.id FROM corpus_chunk c JOIN corpus_provisionversion v ON v.id = c.version_id
    WHERE v.provision_id IN (SELECT id FROM gone);
DELETE FROM corpus_posting WHERE chunk_id IN (SELECT id FROM gone_chunk);
DELETE FROM corpus_chunkvector WHERE chunk_id IN (SELECT id FROM gone_chunk);
DELETE FROM corpus_chunk WHERE id IN (SELECT id FROM gone_chunk);
DELETE FROM corpus_versiondates WHERE provision_id IN (SELECT id FROM gone);
DELETE FROM corpus_provisionversion WHERE provision_id IN (SELECT id FROM gone);
DELETE FROM corpus_reading WHERE provision_id IN (SELECT id FROM gone);
DELETE FROM corpus_words WHERE provision_id IN (SELECT id FROM gone);
DELETE FROM corpus_provision WHERE id IN (SELECT id FROM gone);
DELETE FROM corpus_amendment WHERE compilation_id IN
    (SELECT id FROM corpus_compilation WHERE instrument_id = ANY(%(codes)s));
DELETE FROM corpus_compilation WHERE instrument_id = ANY(%(codes)s);
DELETE FROM corpus_registercheck WHERE instrument_id = ANY(%(codes)s);
DELETE FROM corpus_instrument WHERE code = ANY(%(codes)s);
DROP TABLE gone, gone_chunk;
"""


def forget(*codes: str, practice: UUID | None = None) -> None:
    """Take these instruments away, of the law or of a practice, and write down what the index is made of now."""
    with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
        for statement in filter(str.strip, _FORGET.split(";")):
            cursor.execute(statement, {"codes": list(codes)})
        cursor.execute("DELETE FROM corpus_importrun WHERE practice_id = %s", [practice])
        record_state(cursor, datetime.now(UTC), OWNER, practice)
        if practice is not None:  # the practice of a test has no documents left, and no index
            cursor.execute("DELETE FROM corpus_indexstate WHERE practice_id = %s", [practice])
    embedder = composition.embedder()
    if practice is None and embedder is not None:
        left = progress_of(embedder.identity, OWNER)
        if left.done and left.is_complete:  # what had no vectors is gone: search is by meaning again
            embed_pending(embedder, using=OWNER)
