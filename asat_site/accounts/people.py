"""Who works in the practice, and what an owner may do about it. A practice is never left without an owner."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Exists, OuterRef

from asat_site.accounts import events, factors, invitations, open_sessions, tokens
from asat_site.accounts.models import User
from asat_site.tenancy.models import Practice

LAST_OWNER = "This is the last active owner. Make somebody else an owner first."


class PeopleRefused(Exception):
    """Nothing was changed; `message` says why, in words for the owner who asked."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def people() -> list[Any]:
    """Every user, those who are active first; `has_factor` says whether a code is asked of them."""
    totp = Authenticator.objects.filter(user_id=OuterRef("pk"), type=Authenticator.Type.TOTP)
    return list(User.objects.annotate(has_factor=Exists(totp)).order_by("-is_active", "email"))


def person(user_id: UUID) -> User | None:
    """The user of this practice with this id."""
    return User.objects.filter(pk=user_id).first()


def change_role(request: Any, user: User, role: str) -> None:
    """Give the user another role, from their next request on; who is no owner any more has no open links out.

    Raises PeopleRefused.
    """
    with transaction.atomic():
        user = _locked(user, is_owner_after=role == User.Role.OWNER)
        if user.role == role:
            return
        user.role = User.Role(role)
        user.save(update_fields=["role"])
        if not user.is_owner:
            invitations.end_links_by(user)
        events.record(request, events.Kind.ROLE_CHANGED, about=user, detail=user.get_role_display())


def deactivate(request: Any, user: User) -> None:
    """Keep the user out from now on: sessions, tokens and open links end, those that they made too.

    Raises PeopleRefused.
    """
    with transaction.atomic():
        user = _locked(user, is_owner_after=False)
        if not user.is_active:
            return
        user.is_active = False
        user.save(update_fields=["is_active"])
        open_sessions.end_all(user)
        tokens.revoke_all(user)
        invitations.end_links_of(user)
        invitations.end_links_by(user)
        events.record(request, events.Kind.DEACTIVATED, about=user)


def reactivate(request: Any, user: User) -> None:
    """Let the user in again, with the password and second factor that they had."""
    if User.objects.filter(pk=user.pk, is_active=False).update(is_active=True):
        events.record(request, events.Kind.REACTIVATED, about=user)


def take_factor_away(request: Any, user: User) -> None:
    """For who lost both authenticator and codes: the password alone lets them in, as far as the practice allows.

    Raises PeopleRefused, also for one's own.
    """
    if user.pk == request.user.pk:
        raise PeopleRefused("Your own second factor is looked after under Your account.")
    if not factors.remove(user):
        raise PeopleRefused("That user has no second factor.")
    events.record(request, events.Kind.FACTOR_REMOVED, about=user)


def require_factor(request: Any, wanted: bool) -> None:
    """Whether everybody in the practice needs a second factor, from their next request on."""
    if set_required(request.practice, wanted):
        said = "required" if wanted else "not required"
        events.record(request, events.Kind.REQUIREMENT_CHANGED, detail=said)


def set_required(practice: Practice, wanted: bool) -> bool:
    """Write whether this practice requires a second factor. False where it was so already."""
    changed = Practice.objects.filter(pk=practice.pk, requires_second_factor=not wanted)
    return changed.update(requires_second_factor=wanted) > 0


def _locked(user: User, *, is_owner_after: bool) -> User:
    """The user's row for changing, with the owners' locked, so that two changes at once leave one of them."""
    owners = list(User.objects.select_for_update().filter(role=User.Role.OWNER, is_active=True).order_by("pk"))
    if not is_owner_after and [owner.pk for owner in owners] == [user.pk]:
        raise PeopleRefused(LAST_OWNER)
    return User.objects.select_for_update().get(pk=user.pk)
