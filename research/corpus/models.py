"""The law, the same for every practice: instruments, compilations, provisions, their wordings, and the index.

All of it lives once, in `public`. Ids of provisions, versions and chunks come from content
(`research.law.identity`), so the same law loaded in any order has the same ids. Rows that may belong to one
practice alone (its private reference documents) carry `practice_id`; NULL is everybody's law. The policies are
in the migrations.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField, DateRangeField, DateTimeRangeField
from django.db import models
from pgvector.django import HalfVectorField


class Instrument(models.Model):
    code = models.CharField(max_length=300, primary_key=True)
    title = models.CharField(max_length=400)
    document_prefix = models.CharField(max_length=300, unique=True)

    def __str__(self) -> str:
        return self.code


class Compilation(models.Model):
    """One dated consolidation that was loaded. `content_sha256` covers every record of it, in order."""

    instrument = models.ForeignKey(Instrument, on_delete=models.PROTECT, related_name="compilations")
    number = models.CharField(max_length=20, blank=True)
    dated = models.DateField()
    register_id = models.CharField(max_length=40, blank=True)
    source_uri = models.URLField(max_length=400, blank=True)
    licence = models.CharField(max_length=40)
    provisions = models.PositiveIntegerField()
    content_sha256 = models.CharField(max_length=64)
    imported_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["instrument", "dated"], name="compilation_once")]

    def __str__(self) -> str:
        return f"{self.instrument_id} as at {self.dated}"


class Provision(models.Model):
    """A section, clause or paragraph with its identity through time; id = stable_id("provision", document_id)."""

    id = models.BigIntegerField(primary_key=True)
    instrument = models.ForeignKey(Instrument, on_delete=models.PROTECT, related_name="provisions")
    document_id = models.CharField(max_length=300, unique=True)
    section = models.CharField(max_length=80)
    schedule = models.CharField(max_length=40, blank=True)
    sort_key = models.CharField(max_length=400)

    class Meta:
        indexes = [models.Index(fields=["instrument", "schedule", "section"], name="provision_cited")]

    def __str__(self) -> str:
        return self.document_id


class Reading(models.Model):
    """What one compilation said of one provision: which wording, where it stood. From these, versions are dated."""

    compilation = models.ForeignKey(Compilation, on_delete=models.CASCADE, related_name="readings")
    provision = models.ForeignKey(Provision, on_delete=models.CASCADE, related_name="readings")
    position = models.PositiveIntegerField()
    path = ArrayField(models.CharField(max_length=400))
    wording_sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["compilation", "provision"], name="reading_once")]


class ProvisionVersion(models.Model):
    """One wording with its ranges; id = stable_id("version", document_id, wording_sha256, occurrence).

    certain: the days on which these words are known to have been the law; possible: may have been; both
    half-open. recorded: when AsAt knew this. heading and text are as published, but for the asterisks that
    mark defined terms: those are kept as `term_spans`, pairs of character offsets into text.
    """

    id = models.BigIntegerField(primary_key=True)
    provision = models.ForeignKey(Provision, on_delete=models.CASCADE, related_name="versions")
    heading = models.CharField(max_length=600)
    path = ArrayField(models.CharField(max_length=400))
    kind = models.CharField(max_length=40)
    text = models.TextField()
    term_spans = models.JSONField(default=list)
    wording_sha256 = models.CharField(max_length=64, db_index=True)
    certain = DateRangeField()
    possible = DateRangeField()
    dating = models.CharField(max_length=20)
    compilation = models.ForeignKey(Compilation, on_delete=models.PROTECT, related_name="+")
    recorded = DateTimeRangeField()
    practice_id = models.UUIDField(null=True, editable=False)

    def __str__(self) -> str:
        return f"{self.provision_id} {self.certain}"


class Chunk(models.Model):
    """A retrievable piece of one version; id = stable_id("chunk", version id, ordinal, text).

    text is version.text[offset_chars : offset_chars + len(text)], always. context (Act, path, heading, lead-in)
    is repeated before it in both indexes and never quoted. from_day and to_day are the certain range as days
    since 1 January 1970, half-open; integers, because under row-level security only leakproof operators can
    be index conditions. input_sha256 is of context and text together: what is embedded.
    """

    id = models.BigIntegerField(primary_key=True)
    version = models.ForeignKey(ProvisionVersion, on_delete=models.CASCADE, related_name="chunks")
    ordinal = models.PositiveIntegerField()
    parent = models.CharField(max_length=80, blank=True)
    role = models.CharField(max_length=20)
    defined_term = models.CharField(max_length=300, blank=True)
    context = models.TextField()
    text = models.TextField()
    offset_chars = models.PositiveIntegerField()
    token_count = models.PositiveSmallIntegerField()
    input_sha256 = models.CharField(max_length=64)
    from_day = models.IntegerField()
    to_day = models.IntegerField()
    practice_id = models.UUIDField(null=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "ordinal"], name="chunk_once")]


class Term(models.Model):
    id = models.AutoField(primary_key=True)
    lexeme = models.CharField(max_length=400, unique=True)


class Posting(models.Model):
    """One lexeme in one chunk. impact is BM25's term-frequency part, ready to be weighted by the query's idf.

    The in-force days are here again so that the time filter stays inside an index-only scan.
    """

    pk = models.CompositePrimaryKey("term_id", "chunk_id")
    term_id = models.IntegerField()
    chunk_id = models.BigIntegerField()
    from_day = models.IntegerField()
    to_day = models.IntegerField()
    impact = models.FloatField()
    practice_id = models.UUIDField(null=True, editable=False)


class Embedding(models.Model):
    """A computed vector, kept for ever: key = sha256(embedder identity, embedded text). Never computed twice."""

    key = models.CharField(max_length=64, primary_key=True)
    embedder = models.CharField(max_length=120)
    vector = HalfVectorField()


class ChunkVector(models.Model):
    """What dense search scans: a chunk's vector beside its days, one row per chunk and embedder."""

    pk = models.CompositePrimaryKey("embedder_id", "chunk_id")
    embedder_id = models.SmallIntegerField()
    chunk_id = models.BigIntegerField()
    from_day = models.IntegerField()
    to_day = models.IntegerField()
    practice_id = models.UUIDField(null=True, editable=False)
    vector = HalfVectorField()


class EmbedderRecord(models.Model):
    """The embedding models whose vectors are kept, and a small number for each."""

    id = models.SmallAutoField(primary_key=True)
    identity = models.CharField(max_length=120, unique=True)
    dimensions = models.PositiveSmallIntegerField()


class IndexState(models.Model):
    """What the index was built from: one row, replaced by the import in the transaction that changed the law.

    corpus_sha256 covers the content hashes of all compilations; settings is the fingerprint of how text was cut
    and scored; embedder names whose vectors are complete ("" while they are not).
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    corpus_sha256 = models.CharField(max_length=64)
    settings = models.CharField(max_length=200)
    embedder = models.CharField(max_length=120, blank=True)
    chunks = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)


class VerifiedExample(models.Model):
    """A question that was asked at import and answered; only such are offered on the empty page."""

    question = models.CharField(max_length=300)
    year = models.PositiveSmallIntegerField()
    snapshot_id = models.CharField(max_length=64)
    verified_at = models.DateTimeField(auto_now=True)
