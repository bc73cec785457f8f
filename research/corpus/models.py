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


class LawRow(models.Model):
    """A row that everybody may read (NULL) or one practice alone; the policies are in the migrations."""

    practice_id = models.UUIDField(null=True, editable=False)

    class Meta:
        abstract = True


class Licence(models.Model):
    """The terms under which a source may be served: `licences.LICENCES` as the last import found it, to be shown."""

    code = models.CharField(max_length=40, primary_key=True)
    title = models.CharField(max_length=200)
    url = models.CharField(max_length=400, blank=True)
    attribution = models.TextField(blank=True)
    may_be_served = models.BooleanField()
    why_not = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.title


class Instrument(LawRow):
    """kind: of `origin.Kind`. framework: what search can be narrowed to. title_id: its name in the Register."""

    code = models.CharField(max_length=300, primary_key=True)
    title = models.CharField(max_length=400)
    document_prefix = models.CharField(max_length=300, unique=True)
    kind = models.CharField(max_length=20, default="act")
    framework = models.CharField(max_length=200, default="Commonwealth Acts")
    title_id = models.CharField(max_length=80, blank=True)

    def __str__(self) -> str:
        return self.code


class Compilation(LawRow):
    """One dated consolidation that was loaded. `content_sha256` covers every record of it, in order.

    starts and ends: the days in force that its publisher states, half-open; starts is NULL where it states none, ends
    where none is known; stated_alone: on no other day can it have been in force. notice: a sentence that goes with
    every quote of it. text_not_current_from: an amendment had commenced then whose text the Register had not published.
    ledger: characters in and out, NULL for JSON records.
    """

    instrument = models.ForeignKey(Instrument, on_delete=models.PROTECT, related_name="compilations")
    number = models.CharField(max_length=20, blank=True)
    dated = models.DateField()
    register_id = models.CharField(max_length=40, blank=True)
    source_uri = models.URLField(max_length=400, blank=True)
    licence = models.CharField(max_length=40)
    version = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=20, default="en")
    starts = models.DateField(null=True)
    ends = models.DateField(null=True)
    stated_by = models.CharField(max_length=200, blank=True)
    stated_alone = models.BooleanField(default=False)
    notice = models.CharField(max_length=400, blank=True)
    superseded_by = models.CharField(max_length=300, blank=True)
    text_not_current_from = models.DateField(null=True)
    has_endnotes = models.BooleanField(default=False)
    ledger = models.JSONField(null=True)
    provisions = models.PositiveIntegerField()
    content_sha256 = models.CharField(max_length=64)
    imported_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["instrument", "dated"], name="compilation_once")]

    def __str__(self) -> str:
        return f"{self.instrument_id} as at {self.dated}"


class Amendment(models.Model):
    """One event that the endnotes of a compilation list for a provision; see `ingest.history.Event`.

    application: where in the amending Act it says from when the amendment applies ("Sch 1 (item 12)"): not read, only
    noted, because what has commenced may not yet apply.
    """

    compilation = models.ForeignKey(Compilation, on_delete=models.CASCADE, related_name="amendments")
    schedule = models.CharField(max_length=40, blank=True)
    section = models.CharField(max_length=80)
    position = models.PositiveIntegerField()
    effect = models.CharField(max_length=10)
    act = models.CharField(max_length=200)
    days = ArrayField(models.DateField())
    unresolved = models.TextField(blank=True)
    assent = models.DateField(null=True)
    is_applied = models.BooleanField()
    application = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["compilation", "schedule", "section", "position"], name="amendment_once")
        ]


class Provision(LawRow):
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


class Words(LawRow):
    """The exact words of a provision as some compilation gave them, kept once; id = stable_id of all of them.

    heading and text are as published, but for the asterisks that mark defined terms: those are kept as `term_spans`,
    pairs of character offsets into text. wording_sha256 names the wording: white space and hyphens do not count.
    """

    id = models.BigIntegerField(primary_key=True)
    provision = models.ForeignKey(Provision, on_delete=models.CASCADE, related_name="words")
    heading = models.CharField(max_length=600)
    kind = models.CharField(max_length=40)
    text = models.TextField()
    term_spans = models.JSONField(default=list)
    wording_sha256 = models.CharField(max_length=64)


class Reading(LawRow):
    """What one compilation said of one provision: which words, where they stood. From these, versions are dated."""

    compilation = models.ForeignKey(Compilation, on_delete=models.CASCADE, related_name="readings")
    provision = models.ForeignKey(Provision, on_delete=models.CASCADE, related_name="readings")
    words = models.ForeignKey(Words, on_delete=models.PROTECT, related_name="readings")
    position = models.PositiveIntegerField()
    path = ArrayField(models.CharField(max_length=400))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["compilation", "provision"], name="reading_once")]


class ProvisionVersion(LawRow):
    """One unbroken run of one wording: its words and its place; id = stable_id of them and the run's number.

    Never changed and never removed, because answers cite it. What is known of the days on which it was the law is in
    `VersionDates`; a version that nothing is known of any more has only dates whose `recorded` has ended.
    """

    id = models.BigIntegerField(primary_key=True)
    provision = models.ForeignKey(Provision, on_delete=models.CASCADE, related_name="versions")
    words = models.ForeignKey(Words, on_delete=models.PROTECT, related_name="versions")
    path = ArrayField(models.CharField(max_length=400))
    occurrence = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.provision_id} {self.id}"


class VersionDates(LawRow):
    """What was known, from when to when, of the days on which a version was the law: valid time in system time.

    certain: the days on which its words are known to have been the law; possible: may have been; both half-open.
    recorded: since when this is known, and until when it was believed; open while it stands. A correction ends one row
    and begins another, and no two wordings of a provision are certain on one day by what was known at one moment.
    basis_from and basis_to: how each end is known, in a sentence. compilation: the first that had these words.
    """

    version = models.ForeignKey(ProvisionVersion, on_delete=models.CASCADE, related_name="dates")
    provision = models.ForeignKey(Provision, on_delete=models.CASCADE, related_name="+")
    certain = DateRangeField()
    possible = DateRangeField()
    dating = models.CharField(max_length=20)
    basis_from = models.TextField(blank=True)
    basis_to = models.TextField(blank=True)
    is_retrospective = models.BooleanField(default=False)
    compilation = models.ForeignKey(Compilation, on_delete=models.PROTECT, related_name="+")
    recorded = DateTimeRangeField()

    def __str__(self) -> str:
        return f"{self.version_id} {self.certain}"


class Chunk(LawRow):
    """A retrievable piece of one version; id = stable_id("chunk", version id, ordinal, text).

    text is words.text[offset_chars : offset_chars + len(text)] of its version's words, always. context (Act, path,
    heading, lead-in) is repeated before it in both indexes and never quoted. from_day and to_day are the certain range
    as days since 1 January 1970, half-open; integers, because under row-level security only leakproof operators can be
    index conditions. A chunk of a version that nothing is known of any more has days that no search reaches
    (`time_filter.NEVER`), and is still there for a replay as of an earlier day. input_sha256 is of context and text
    together: what is embedded.
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

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "ordinal"], name="chunk_once")]


class Term(LawRow):
    """A lexeme. One that stands in a practice's own documents alone is that practice's: words tell tales."""

    id = models.AutoField(primary_key=True)
    lexeme = models.CharField(max_length=400)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["lexeme", "practice_id"], name="term_once", nulls_distinct=False)
        ]


class Posting(LawRow):
    """One lexeme in one chunk. impact is BM25's term-frequency part, ready to be weighted by the query's idf.

    The in-force days are here again so that the time filter stays inside an index-only scan.
    """

    pk = models.CompositePrimaryKey("term_id", "chunk_id")
    term_id = models.IntegerField()
    chunk_id = models.BigIntegerField()
    from_day = models.IntegerField()
    to_day = models.IntegerField()
    impact = models.FloatField()


class Embedding(LawRow):
    """A computed vector, kept for ever: key = sha256(embedder identity, embedded text). Never computed twice.

    A practice's own text has a key of its own, so that nobody can ask whether another practice has a sentence.
    """

    key = models.CharField(max_length=64, primary_key=True)
    embedder = models.CharField(max_length=120)
    vector = HalfVectorField()


class ChunkVector(LawRow):
    """What dense search scans: a chunk's vector beside its days, one row per chunk and embedder."""

    pk = models.CompositePrimaryKey("embedder_id", "chunk_id")
    embedder_id = models.SmallIntegerField()
    chunk_id = models.BigIntegerField()
    from_day = models.IntegerField()
    to_day = models.IntegerField()
    vector = HalfVectorField()


class EmbedderRecord(models.Model):
    """The embedding models whose vectors are kept, and a small number for each."""

    id = models.SmallAutoField(primary_key=True)
    identity = models.CharField(max_length=120, unique=True)
    dimensions = models.PositiveSmallIntegerField()


class IndexState(LawRow):
    """What the index was built from: a row for the law and one for each practice's own documents.

    corpus_sha256 covers the content hashes of the compilations; settings is the fingerprint of how text was cut and
    scored; embedder names whose vectors are complete ("" while they are not). compilations: what was loaded, as a
    snapshot lists it. The import that changed the law ends a row and begins the next in one transaction, so that a
    replay knows what was searched at an earlier moment.
    """

    corpus_sha256 = models.CharField(max_length=64)
    settings = models.CharField(max_length=200)
    embedder = models.CharField(max_length=120, blank=True)
    chunks = models.PositiveIntegerField(default=0)
    compilations = ArrayField(models.CharField(max_length=400), default=list)
    recorded = DateTimeRangeField()
    updated_at = models.DateTimeField(auto_now=True)


class ImportRun(LawRow):
    """One file that was given to an import, and what came of it: loaded, unchanged, refused or failed, with its report.

    file_sha256: of the file, of what is kept beside it, and of what else it was read by. reader: how files were read
    then; a file that the same reader has loaded and nothing has replaced since need not be read again.
    """

    started_at = models.DateTimeField()
    seconds = models.FloatField()
    file_name = models.CharField(max_length=400)
    file_sha256 = models.CharField(max_length=64, blank=True)
    reader = models.CharField(max_length=40, blank=True)
    file_bytes = models.BigIntegerField(default=0)
    outcome = models.CharField(max_length=20)
    message = models.TextField(blank=True)
    report = models.JSONField(default=list)

    class Meta:
        ordering = ["-started_at", "-id"]

    def __str__(self) -> str:
        return f"{self.file_name}: {self.outcome}"


class RegisterCheck(models.Model):
    """What the Register said of an instrument when it was last asked; written by the worker.

    outcome: found, absent, not_checked. The rest is what was last *found*: a check that failed keeps it, with its date.
    """

    instrument = models.OneToOneField(Instrument, on_delete=models.CASCADE, primary_key=True, related_name="check_row")
    tried_at = models.DateTimeField()
    outcome = models.CharField(max_length=20)
    message = models.TextField(blank=True)
    found_at = models.DateTimeField(null=True)
    newest_register_id = models.CharField(max_length=40, blank=True)
    newest_number = models.CharField(max_length=20, blank=True)
    newest_start = models.DateField(null=True)
    is_newer = models.BooleanField(null=True)
    text_not_current_from = models.DateField(null=True)
    in_force = models.BooleanField(null=True)


class VerifiedExample(models.Model):
    """A question that was asked at import and answered; only such are offered on the empty page."""

    question = models.CharField(max_length=300)
    year = models.PositiveSmallIntegerField()
    snapshot_id = models.CharField(max_length=64)
    verified_at = models.DateTimeField(auto_now=True)
