"""Practices, the hosts that lead to them, and what is known of their upgrades and of failed tasks.

All of it lives in `public`. The app role may read practices, hosts and upgrades (routing needs them) and write
none of them; what hangs off a practice is in its own schema.
"""

from __future__ import annotations

import uuid

from django.db import models
from django_tenants.models import DomainMixin, TenantMixin

PLATFORM_ID = uuid.UUID("00000000-0000-4000-8000-000000000001")
"""The row whose schema is `public`: not a practice, but the administrators of the whole installation."""

PLATFORM_SCHEMA = "public"


class Practice(TenantMixin):
    """One accounting practice: our tenant. Its schema is made by `manage.py practice create`, never by saving.

    requires_second_factor: who has none is led to set it up and reaches nothing else. Its owners may change it, and
    it is the one column that the app role may write, in the row of the practice it speaks for.
    """

    auto_create_schema = False
    auto_drop_schema = False

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    requires_second_factor = models.BooleanField(default=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_platform(self) -> bool:
        """Whether this is the installation itself rather than a practice."""
        return self.id == PLATFORM_ID


class Domain(DomainMixin):
    """A host name that leads to a practice, lower case and without a port."""

    class Meta:
        ordering = ["domain"]
        verbose_name = "host"


class Upgrade(models.Model):
    """How far a practice's schema has been brought up to date; lets an interrupted upgrade be resumed."""

    class Status(models.TextChoices):
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    practice = models.OneToOneField(Practice, on_delete=models.CASCADE, primary_key=True, related_name="upgrade")
    status = models.CharField(max_length=10, choices=Status)
    detail = models.CharField(max_length=300, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.practice_id}: {self.status}"


class TaskFailure(models.Model):
    """A task that ended in an exception: which, whose and what kind. Never the message, which may hold a secret."""

    practice_id = models.UUIDField(null=True, editable=False)
    task = models.CharField(max_length=120)
    task_id = models.CharField(max_length=60)
    error = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.task} {self.error}"
