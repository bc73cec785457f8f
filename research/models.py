"""What a practice asked and was told: questions, answers, and the append-only chain that proves them.

Tenant schema; every row carries the practice id, checked by policy (see the migrations).
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Func, UUIDField


class PracticeOwned(models.Model):
    """Carries the practice; the database fills it in from the session and its policies check it."""

    practice_id = models.UUIDField(
        editable=False, db_default=Func(function="asat.practice_id", output_field=UUIDField())
    )

    class Meta:
        abstract = True


class Conversation(PracticeOwned):
    """Messages that follow one another. Each is a question of its own; what they share is where words come from."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(auto_now_add=True)
    title = models.CharField(max_length=200)

    class Meta:
        ordering = ["-started_at", "id"]

    def __str__(self) -> str:
        return f"conversation {self.id}"


class Batch(PracticeOwned):
    """A spreadsheet of questions, to be given back as a workpaper. Its questions point at it, each with its line.

    refused: the lines that could not be asked, each as {"line": 7, "why": "…"}. lines: how many there were in all.
    references: the practice's own, by line, {"7": "A12"}. notes: what was read of the file and what was not, in
    sentences.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField(auto_now_add=True)
    filename = models.CharField(max_length=200)
    lines = models.PositiveIntegerField()
    refused = models.JSONField(default=list)
    references = models.JSONField(default=dict)
    notes = models.JSONField(default=list)

    class Meta:
        ordering = ["-uploaded_at", "id"]
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return f"batch {self.id}"


class ModelSettings(PracticeOwned):
    """Which language model answers a practice's questions, if not the installation's: one row a practice, or none.

    provider: as ASAT_GENERATION_PROVIDER names them; "" for the installation's own. sealed_key: as
    `asat_site.secrets` seals, "" for none; opened only where a request is made. allows_remote: whether what is asked
    may leave this machine at all; an owner switches it on. samples: 2 to ask twice and abstain where the two rest on
    different authorities.
    """

    provider = models.CharField(max_length=20, blank=True)
    vendor = models.CharField(max_length=40, blank=True)
    url = models.CharField(max_length=300, blank=True)
    model = models.CharField(max_length=120, blank=True)
    sealed_key = models.TextField(blank=True)
    allows_remote = models.BooleanField(default=False)
    samples = models.PositiveSmallIntegerField(default=1)
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "model settings"
        constraints = [models.UniqueConstraint(fields=["practice_id"], name="model_settings_once")]

    def __str__(self) -> str:
        return "model settings"


class Question(PracticeOwned):
    """One question on its way. frameworks: what the search is narrowed to, all where empty.

    uses_subject_index: whether its words are read by the subject index as terms of the law.
    The claim (status, attempts, heartbeat) lets a sweep find what was lost. stop_asked_at: when the person who asked
    it wanted it stopped. conversation and typed: of a message, and what was typed where `text` is a follow-up written
    out. batch and line: of a spreadsheet's question. client: whom it is asked for, None for nobody in particular.
    """

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    text = models.TextField()
    year_field = models.PositiveSmallIntegerField(null=True)
    frameworks = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    uses_subject_index = models.BooleanField(default=True, db_default=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True)
    stop_asked_at = models.DateTimeField(null=True)
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="messages", null=True)
    typed = models.TextField(blank=True, default="", db_default="")
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="questions", null=True)
    line = models.PositiveIntegerField(null=True)
    client = models.ForeignKey("clients.Client", on_delete=models.PROTECT, related_name="questions", null=True)

    class Meta:
        ordering = ["-asked_at", "id"]
        indexes = [models.Index(fields=["status", "heartbeat_at"], name="question_waiting")]
        constraints = [models.UniqueConstraint(fields=["batch", "line"], name="batch_line_once")]

    def __str__(self) -> str:
        return f"question {self.id}"


class Answer(PracticeOwned):
    """The recorded outcome of a question, as shown: exactly one per question, written with its audit row."""

    question = models.OneToOneField(Question, on_delete=models.PROTECT, related_name="answer")
    decided_at = models.DateTimeField(auto_now_add=True)
    decision = models.CharField(max_length=40)
    reason = models.CharField(max_length=40)
    income_year = models.PositiveSmallIntegerField(null=True)
    snapshot_id = models.CharField(max_length=64, blank=True)
    outcome = models.JSONField()
    audit = models.OneToOneField("AuditRow", on_delete=models.PROTECT, related_name="answer")

    def __str__(self) -> str:
        return f"answer {self.pk}: {self.decision}"


class AuditRow(PracticeOwned):
    """One link of the practice's chain: INSERT and SELECT only, by grants and by triggers.

    payload is the canonical text that was hashed, kept byte for byte; digest = sha256(prev_digest + payload).
    """

    number = models.BigIntegerField()
    recorded_at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=20, default="answer")
    question_id = models.UUIDField(null=True)
    payload = models.TextField()
    prev_digest = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["practice_id", "number"], name="audit_number_once")]

    def __str__(self) -> str:
        return f"audit row {self.number}"


class CitedWording(PracticeOwned):
    """One wording that an answer quotes, and what was then known of it: what the law is compared with ever after.

    Written with the answer, INSERT and SELECT only like it. provision_id and version_id are of the public law, without
    a foreign key: what was cited stays cited, whatever becomes of the tables of the law. certain_from and certain_to:
    the days shown beside the quote, half-open, None for no end known. asked_first and asked_last: the days asked about,
    both included. known_at: when the newest import that had been read was made; what became known later is news. A
    question for two times has the wordings of both.
    """

    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="wordings")
    provision_id = models.BigIntegerField()
    version_id = models.BigIntegerField()
    certain_from = models.DateField()
    certain_to = models.DateField(null=True)
    asked_first = models.DateField()
    asked_last = models.DateField()
    known_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["provision_id", "known_at"], name="cited_provision")]
        constraints = [
            models.UniqueConstraint(fields=["answer", "version_id", "asked_first", "asked_last"], name="cited_once")
        ]

    def __str__(self) -> str:
        return f"answer {self.answer_id} cites version {self.version_id}"
