"""The password asked again, before something that would outlast a session left open; guesses are counted."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError

from asat_site.accounts import attempts, events, factors
from asat_site.accounts.models import User

WAIT = "Too many attempts. Wait 15 minutes, then try again."


def confirm(request: Any, password: str) -> str:
    """The password, if it is that of the signed-in user. Raises ValidationError, also where they have to wait."""
    tried = attempts.begin(attempts.again(request.user))
    if tried.must_wait:
        raise ValidationError(WAIT, code="wait")
    if not request.user.check_password(password):
        failed(request, tried, events.Kind.REFUSED, request.user, detail="password asked again")
        raise ValidationError("That is not your password.", code="password")
    attempts.forgive(tried)
    return password


def confirm_code(request: Any, user: User, code: str) -> str:
    """What kind of code of this user it is, as `factors.takes` says. Raises ValidationError where it is none.

    Its code is "wait" where they have to wait, from the failure on that makes them.
    """
    tried = attempts.begin(attempts.of_codes(user))
    if tried.must_wait:
        raise ValidationError(WAIT, code="wait")
    try:
        kind = factors.takes(user, code.replace(" ", ""))
    except factors.FactorRefused as refused:
        raise ValidationError(refused.message, code="unreadable") from None
    if kind is None:
        failed(request, tried, events.Kind.FACTOR_REFUSED, user)
        if tried.is_last:
            raise ValidationError(WAIT, code="wait")
        raise ValidationError("That code is not right, or was used already. Give the newest one.", code="code")
    attempts.forgive(tried)
    if kind == "recovery_codes":
        events.record(request, events.Kind.RECOVERY_CODE_USED, by=user)
    return kind


def failed(request: Any, tried: attempts.Try, kind: str, about: User | None, detail: str = "") -> None:
    """Record an attempt that failed; the one that makes the account or address wait is recorded as that too.

    about: whose it is, None where it is nobody's of ours.
    """
    events.record(request, kind, about=about, detail=detail)
    if tried.is_last:
        events.record(request, events.Kind.LOCKED_OUT, about=about)
