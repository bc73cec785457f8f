"""Tokens with which a program acts as its user: made, found by their secret, revoked.

A secret is shown once, to the person who made it; what is kept is its sha256. It is 256 random bits, so a plain digest
is enough, and no list of passwords helps to guess it. Whose practice it is good for is the database's to say: a row of
another practice is not there.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from asat_site.accounts import factors
from asat_site.accounts.models import ApiToken, User

PREFIX = "asat_"
DAYS = 90
MOST_DAYS = 365
MOST_TOKENS = 20  # of one user
MOST_SECRET_CHARS = 200
NOTED_EVERY = timedelta(minutes=1)  # of use: not a write for each request


class TokenRefused(Exception):
    """No token can be made as asked; `message` says why, in words for the person who asked."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def make(user: User, name: str, days: int = DAYS) -> tuple[ApiToken, str]:
    """The new token, and its secret, which nobody can read again. Raises TokenRefused.

    days: until it expires, 1 to 365.
    """
    name = " ".join(name.split())
    if not name or len(name) > 60:
        raise TokenRefused("Give the token a name of 1 to 60 characters that says which program will use it.")
    if not 1 <= days <= MOST_DAYS:
        raise TokenRefused(f"A token is good for 1 to {MOST_DAYS} days; give a whole number of days.")
    if ApiToken.objects.filter(user=user).count() >= MOST_TOKENS:
        raise TokenRefused(f"You have {MOST_TOKENS} tokens, which is as many as one person may have. Revoke one first.")
    secret = PREFIX + secrets.token_urlsafe(32)
    now = timezone.now()
    try:
        with transaction.atomic():
            token = ApiToken.objects.create(
                user=user, name=name, digest=digest_of(secret), created_at=now, expires_at=now + timedelta(days=days)
            )
    except IntegrityError as error:
        raise TokenRefused("You have a token of that name. Revoke it first, or give this one another name.") from error
    return token, secret


def token_of(secret: str) -> ApiToken | None:
    """The token with this secret, if it is of this practice and good, and its user may sign in; notes its use.

    None too for a user who lacks the second factor that the practice requires.
    """
    if not secret.startswith(PREFIX) or len(secret) > MOST_SECRET_CHARS:
        return None
    now = timezone.now()
    found = ApiToken.objects.select_related("user").filter(digest=digest_of(secret), expires_at__gt=now).first()
    if found is None or not found.user.is_active or factors.is_missing(found.user):
        return None
    if found.last_used_at is None or found.last_used_at <= now - NOTED_EVERY:
        ApiToken.objects.filter(pk=found.pk).update(last_used_at=now)
    return found


def tokens_of(user: User) -> list[ApiToken]:
    """The user's tokens, newest first, expired ones among them."""
    return list(ApiToken.objects.filter(user=user))


def revoke(user: User, token_id: int) -> str | None:
    """The name of the user's own token that is gone now; None where there was none."""
    token = ApiToken.objects.filter(user=user, pk=token_id).first()
    if token is None:
        return None
    token.delete()
    return token.name


def revoke_all(user: User) -> int:
    """End every token of the user; returns how many there were."""
    return ApiToken.objects.filter(user=user).delete()[0]


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
