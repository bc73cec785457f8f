"""Users of a practice with the tokens their programs use, and in public the platform's administrators."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Func, UUIDField
from django.db.models.functions import Lower
from django.utils import timezone


class AccountManager(UserManager["User"]):
    """Finds users by e-mail address whatever its capitals, which is how people type it."""

    use_in_migrations = False  # a migration imports nothing of ours

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email__iexact=username)


class User(AbstractUser):
    """A person who signs in with an e-mail address. What they may do hangs on `role`, never on Django's flags."""

    class Role(models.TextChoices):
        OWNER = "owner", "Owner"
        AGENT = "agent", "Tax agent"
        STAFF = "staff", "Staff"
        READ_ONLY = "read_only", "Read only"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    practice_id = models.UUIDField(
        editable=False, db_default=Func(function="asat.practice_id", output_field=UUIDField())
    )
    email = models.EmailField("e-mail address", unique=True)
    role = models.CharField(max_length=10, choices=Role, default=Role.STAFF)

    objects: ClassVar[AccountManager] = AccountManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["username"]

    class Meta:
        ordering = ["email"]
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=["owner", "agent", "staff", "read_only"]), name="user_role_known"
            ),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def is_owner(self) -> bool:
        """Whether this user looks after the practice: its users and its audit rows."""
        return self.role == self.Role.OWNER

    @property
    def may_write(self) -> bool:
        """Whether this user may ask, upload or change anything."""
        return self.role != self.Role.READ_ONLY


class ApiToken(models.Model):
    """A key with which a program acts as its user, in this practice and for a while. The secret itself is not kept.

    digest: sha256 hex of the secret. last_used_at: to the minute.
    """

    practice_id = models.UUIDField(
        editable=False, db_default=Func(function="asat.practice_id", output_field=UUIDField())
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint("user", Lower("name"), name="api_token_name_once"),
            models.CheckConstraint(
                condition=models.Q(expires_at__lte=models.F("created_at") + timedelta(days=365)),
                name="api_token_expires_in_a_year",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_expired(self) -> bool:
        return self.expires_at <= timezone.now()
