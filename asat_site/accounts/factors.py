"""The second factor: a code from an authenticator, or a recovery code where that is lost.

django-allauth computes and compares the codes. What it stores is sealed for the user's own row (asat_site/secrets.py):
the seal has to know whose it is, so every call into it happens inside `sealed_for`. A code works once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Any
from uuid import UUID

import qrcode
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, validate_totp_code
from django.db import transaction
from qrcode.image.svg import SvgPathImage

from asat_site import secrets
from asat_site.accounts.models import User
from asat_site.tenancy.context import current_practice_id, practice_connection

TABLE, COLUMN = "mfa_authenticator", "data"
SEALED = ("secret", "seed")  # within it: what codes, and recovery codes, are computed from
PENDING = "second_factor"  # in the session, until the first code is given
_whose: ContextVar[UUID] = ContextVar("whose second factor")


class FactorRefused(Exception):
    """The second factor stays as it is; `message` says why, in words for the person who asked."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Factor:
    """A user's second factor. codes_left: recovery codes that were not used yet."""

    since: datetime
    last_used: datetime | None
    codes_left: int


@contextmanager
def sealed_for(user: User) -> Iterator[None]:
    """What allauth seals and opens meanwhile is this user's."""
    token = _whose.set(UUID(str(user.pk)))
    try:
        yield
    finally:
        _whose.reset(token)


def seal(text: str) -> str:
    """The secret as it may be stored for the user whose turn it is. Raises LookupError outside `sealed_for`."""
    return secrets.seal(text, practice=_practice(), table=TABLE, column=COLUMN, row=_whose.get())


def unseal(sealed: str) -> str:
    """The secret that was sealed for this user. Raises secrets.CannotOpen, and LookupError outside `sealed_for`."""
    return secrets.open_sealed(sealed, practice=_practice(), table=TABLE, column=COLUMN, row=_whose.get())


def has_factor(user: User) -> bool:
    """Whether this user is asked for a code after the password."""
    return Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP).exists()


def is_missing(user: User) -> bool:
    """Whether the practice that is spoken for requires a second factor and this user has none."""
    practice = practice_connection().tenant
    return bool(getattr(practice, "requires_second_factor", False)) and not has_factor(user)


def factor_of(user: User) -> Factor | None:
    """The user's second factor; None without one."""
    rows = {row.type: row for row in Authenticator.objects.filter(user_id=user.pk)}
    totp = rows.get(Authenticator.Type.TOTP)
    if totp is None:
        return None
    codes = rows.get(Authenticator.Type.RECOVERY_CODES)
    used = bin(codes.data.get("used_mask", 0)).count("1") if codes else 0
    left = codes.data["count"] - used if codes else 0
    return Factor(totp.created_at, totp.last_used_at, left)


def begin(request: Any) -> str:
    """The key that the user's authenticator is to take, the same until a code confirms it. Kept sealed meanwhile."""
    with sealed_for(request.user):
        try:
            return unseal(request.session[PENDING])
        except (KeyError, secrets.CannotOpen):
            key = str(generate_totp_secret())
            request.session[PENDING] = seal(key)
            return key


def picture(request: Any) -> bytes | None:
    """The key as a picture (SVG) for an authenticator's camera; None where none is being set up."""
    if PENDING not in request.session:
        return None
    address = get_adapter().build_totp_url(request.user, begin(request))
    drawn = BytesIO()
    qrcode.make(address, image_factory=SvgPathImage, border=2).save(drawn)
    return drawn.getvalue()


def set_up(request: Any, code: str) -> list[str]:
    """Confirm the key by its first code; returns the recovery codes, which nobody can read again.

    Raises FactorRefused where the code is not right now, or the user has a second factor already.
    """
    user = request.user
    key = begin(request)
    if not validate_totp_code(key, code):
        raise FactorRefused("That is not the code that the authenticator shows now. Give the newest one.")
    with sealed_for(user), transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if has_factor(user):
            raise FactorRefused("You have a second factor already. Remove it first.")
        TOTP.activate(user, key).validate_code(code)  # so that it cannot be given again to sign in
        codes = _new_codes(user)
    del request.session[PENDING]
    return codes


def new_codes(user: User) -> list[str]:
    """Recovery codes made anew, shown this once; earlier ones end. Raises FactorRefused without a second factor."""
    with sealed_for(user), transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if not has_factor(user):
            raise FactorRefused("There is no second factor yet. Set one up first.")
        return _new_codes(user)


def remove(user: User) -> bool:
    """Take the second factor and its recovery codes away. False where there was none."""
    return Authenticator.objects.filter(user_id=user.pk).delete()[0] > 0


def takes(user: User, code: str) -> str | None:
    """What kind of code this is: "totp", "recovery_codes", or None where it is not one of the user's, or was used.

    Raises FactorRefused where what is stored does not open any more.
    """
    code = code.strip()
    with sealed_for(user), transaction.atomic():
        for row in Authenticator.objects.select_for_update().filter(user_id=user.pk).order_by("-type"):
            kept: Any = TOTP(row) if row.type == Authenticator.Type.TOTP else RecoveryCodes(row)
            try:
                is_right = kept.validate_code(code)
            except secrets.CannotOpen:
                raise FactorRefused(
                    "Your second factor cannot be read any more. Ask the owner of your practice to take it away."
                ) from None
            if is_right:
                kept.instance.record_usage()
                return str(row.type)
    return None


def _new_codes(user: User) -> list[str]:
    Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.RECOVERY_CODES).delete()
    made = RecoveryCodes.activate(user)
    codes = [str(code) for code in made.generate_codes()]
    made.instance.data["count"] = len(codes)  # so that they are counted without being opened
    made.instance.save(update_fields=["data"])
    return codes


def _practice() -> UUID:
    practice = current_practice_id()
    if practice is None:
        raise LookupError("no practice is spoken for")
    return practice
