"""The password asked again, before something that would outlast a session left open; guesses are counted."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError

from asat_site.accounts import attempts, events
from asat_site.accounts.models import User

WAIT = "Too many attempts. Wait 15 minutes, then try again."


def confirm(request: Any, password: str) -> str:
    """The password, if it is that of the signed-in user. Raises ValidationError, also where they have to wait."""
    email = str(request.user.email)
    if attempts.must_wait(request, email):
        raise ValidationError(WAIT, code="wait")
    if not request.user.check_password(password):
        failed(request, email, events.Kind.REFUSED, request.user, detail="password asked again")
        raise ValidationError("That is not your password.", code="password")
    attempts.forget(request, email)
    return password


def failed(request: Any, account: str, kind: str, about: User | None, detail: str = "") -> None:
    """Count a failed attempt and record it; the one that makes the account or address wait is recorded as that too.

    account: what is guessed at, as `attempts` counts it. about: whose it is, None where it is nobody's of ours.
    """
    attempts.count_failure(request, account)
    events.record(request, kind, about=about, detail=detail)
    if attempts.must_wait(request, account):
        events.record(request, events.Kind.LOCKED_OUT, about=about)
