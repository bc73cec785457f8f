"""Users of a practice, how they are let in, and what is kept of it; in public, the platform's administrators."""

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


class OpenSession(models.Model):
    """Where somebody is signed in: a row beside Django's session, for people to see and to end.

    seen_at: to the minute. started_at: what the longest time a session may last is counted from.
    """

    practice_id = models.UUIDField(
        editable=False, db_default=Func(function="asat.practice_id", output_field=UUIDField())
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="open_sessions")
    session_key = models.CharField(max_length=40, unique=True)
    started_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)
    ip = models.GenericIPAddressField(null=True)
    user_agent = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-seen_at", "-id"]

    def __str__(self) -> str:
        return f"{self.user_id} {self.ip}"


class Invitation(models.Model):
    """A link by which somebody joins the practice, or by which its user gives a new password. Good once, for a while.

    digest: sha256 hex of what the link ends with; None until a worker makes the link to send it, or it is shown.
    user: whose password it changes; for somebody new, who they became. made_by: the owner, None on the server.
    shown_at: when an owner last had it shown to hand it over, which ends what was mailed.
    """

    class Purpose(models.TextChoices):
        JOIN = "join", "Invitation"
        PASSWORD = "password", "New password"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    practice_id = models.UUIDField(
        editable=False, db_default=Func(function="asat.practice_id", output_field=UUIDField())
    )
    purpose = models.CharField(max_length=10, choices=Purpose)
    email = models.EmailField(max_length=150)
    role = models.CharField(max_length=10, choices=User.Role)
    user = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    digest = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 (none yet is not the same as blank)
    made_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    shown_at = models.DateTimeField(null=True)
    accepted_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(expires_at__lte=models.F("made_at") + timedelta(days=7)),
                name="invitation_expires_in_a_week",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.id}"


class AccountEvent(models.Model):
    """Something that happened to somebody's way in, or left the practice as a file. Rows are only ever added.

    by: who did it, None for a stranger or for whoever looks after the server. about: whose account it concerns, None
    where it is none of ours. detail: a new role, what was exported, or the address that an owner invited; never what
    somebody typed to sign in. count: how many rows went out, or how many sessions or tokens ended.
    """

    class Kind(models.TextChoices):
        SIGNED_IN = "signed_in", "Signed in"
        REFUSED = "refused", "Sign-in refused"
        LOCKED_OUT = "locked_out", "Has to wait after too many attempts"
        SIGNED_OUT = "signed_out", "Signed out"
        FACTOR_SET_UP = "factor_set_up", "Second factor set up"
        FACTOR_REMOVED = "factor_removed", "Second factor removed"
        FACTOR_REFUSED = "factor_refused", "Code refused"
        RECOVERY_CODE_USED = "recovery_code_used", "Recovery code used"
        CODES_MADE = "codes_made", "Recovery codes made"
        PASSWORD_CHANGED = "password_changed", "Password changed"
        PASSWORD_LINK = "password_link", "Link for a new password made"
        LINK_SHOWN = "link_shown", "Link shown anew"
        INVITED = "invited", "Invited"
        INVITATION_ACCEPTED = "invitation_accepted", "Invitation accepted"
        INVITATION_REVOKED = "invitation_revoked", "Link revoked"
        ROLE_CHANGED = "role_changed", "Role changed"
        DEACTIVATED = "deactivated", "Deactivated"
        REACTIVATED = "reactivated", "Reactivated"
        SESSION_ENDED = "session_ended", "Session ended"
        REQUIREMENT_CHANGED = "requirement_changed", "Second factor for everybody"
        TOKEN_MADE = "token_made", "Access token made"
        TOKEN_REVOKED = "token_revoked", "Access token revoked"
        EXPORTED = "exported", "Exported"

    practice_id = models.UUIDField(
        editable=False, db_default=Func(function="asat.practice_id", output_field=UUIDField())
    )
    kind = models.CharField(max_length=20, choices=Kind)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    about = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    detail = models.CharField(max_length=120, blank=True)
    count = models.PositiveIntegerField(null=True)
    ip = models.GenericIPAddressField(null=True)
    user_agent = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"
