"""Users of a practice, and in the public schema the platform's administrators."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Func, UUIDField
from django.db.models.functions import Lower


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
