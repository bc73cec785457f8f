"""Links by which somebody joins the practice, or gives themselves a new password: made, sent, followed, revoked.

A link ends with 256 random bits, of which the sha256 alone is kept. It is good once, for seven days, in this practice.
Where mail is set up, a worker makes the link as it sends it, so that no task and no page ever holds it; otherwise an
owner is shown it once, to hand over.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from asat_site.accounts import events, open_sessions, tokens
from asat_site.accounts.models import Invitation, User
from asat_site.tenancy.context import practice_connection

DAYS = 7
MOST_TOKEN_CHARS = 100
MOST_OPEN = 200  # of one practice
_MEANWHILE = "This link was used, or revoked, meanwhile. Ask for another."
Purpose = Invitation.Purpose


class InvitationRefused(Exception):
    """No link is made, or it no longer works; `message` says why, in words for the person who asked."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def is_mailed() -> bool:
    """Whether links are sent by mail here, rather than shown to be handed over."""
    return bool(settings.ASAT_EMAIL_URL)


def invite(request: Any, email: str, role: str) -> Invitation:
    """An invitation for somebody new; an earlier one to the same address ends. Raises InvitationRefused."""
    email = email.strip().lower()
    if User.objects.filter(email__iexact=email).exists():
        raise InvitationRefused("There is a user with that address already. Their role can be changed below.")
    made = _make(Purpose.JOIN, email, role, None, made_by=request.user)
    events.record(request, events.Kind.INVITED, detail=f"{email} as {made.get_role_display()}")
    return made


def for_password(request: Any, user: User) -> Invitation:
    """A link by which this user gives themselves a new password; an earlier one ends. Raises InvitationRefused.

    request: another owner's, not the user's own; None for whoever looks after the server.
    """
    _refuse_own(request, user)
    if not user.is_active:
        raise InvitationRefused("That user is not active. Reactivate them first.")
    made = _make(Purpose.PASSWORD, user.email, user.role, user, made_by=request.user if request else None)
    events.record(request, events.Kind.PASSWORD_LINK, about=user, detail="" if request else "on the server")
    return made


def link_to(invitation: Invitation, origin: str) -> str:
    """The address to follow, made anew: an earlier link to the same invitation ends. It cannot be read again.

    origin: scheme, host and port of the practice, without a final slash.
    """
    token = secrets.token_urlsafe(32)
    Invitation.objects.filter(pk=invitation.pk).update(digest=digest_of(token), shown_at=timezone.now())
    return f"{origin}/invitation/{token}/"


def show(request: Any, invitation_id: UUID, origin: str) -> tuple[Invitation, str] | None:
    """An open invitation and the address to follow, made anew as `link_to` does; None where there is none.

    Raises InvitationRefused for a link to the user's own new password.
    """
    invitation = open_ones().filter(pk=invitation_id).first()
    if invitation is None:
        return None
    _refuse_own(request, invitation.user)
    link = link_to(invitation, origin)
    events.record(request, events.Kind.LINK_SHOWN, about=invitation.user, detail=invitation.email)
    return invitation, link


def send(invitation_id: UUID, origin: str) -> None:
    """Mail the link to whom it is for, unless it was sent or shown. Raises what the mail server's library raises."""
    invitation, token = open_ones().filter(pk=invitation_id).first(), secrets.token_urlsafe(32)
    unsent = Invitation.objects.filter(pk=invitation_id, sent_at=None, shown_at=None)
    if invitation is None or not unsent.update(digest=digest_of(token)):
        return
    practice = getattr(practice_connection().tenant, "name", "your practice")
    if invitation.purpose == Purpose.JOIN:
        subject = f"Your invitation to AsAt at {practice}"
        first = f"You have been invited to AsAt at {practice}. Follow this link to give yourself a password:"
    else:
        subject = f"A new password for AsAt at {practice}"
        first = f"A new password for AsAt at {practice} was asked for you. Follow this link to choose it:"
    until = f"{timezone.localtime(invitation.expires_at):%-d %B %Y}"
    last = f"The link works once, until {until}. If you did not expect it, do nothing."
    body = f"{first}\n\n{origin}/invitation/{token}/\n\n{last}\n"
    EmailMessage(subject, body, settings.DEFAULT_FROM_EMAIL, [invitation.email]).send()
    Invitation.objects.filter(pk=invitation.pk).update(sent_at=timezone.now())


def open_ones() -> QuerySet[Invitation]:
    """The invitations that somebody could still follow, newest first: made on the server, or by who is an owner now."""
    by_an_owner = Q(made_by__is_active=True, made_by__role=User.Role.OWNER)
    return Invitation.objects.select_related("made_by", "user").filter(
        Q(made_by=None) | by_an_owner, accepted_at=None, revoked_at=None, expires_at__gt=timezone.now()
    )


def find(token: str) -> Invitation | None:
    """The invitation that this link opens, if it is of this practice and still good."""
    if len(token) > MOST_TOKEN_CHARS:
        return None
    return still_open(digest_of(token))


def still_open(digest: str) -> Invitation | None:
    """The invitation that a browser followed the link of, while that very link is good. digest: of the link."""
    return _unless_inactive(open_ones().filter(digest=digest).first())


def join(request: Any, invitation: Invitation, *, first_name: str, last_name: str, password: str) -> User:
    """The new user that the invitation was for. Raises InvitationRefused where it was followed, or ended, meanwhile."""
    with transaction.atomic():
        _use(invitation)
        user = User(username=invitation.email, email=invitation.email, role=invitation.role)
        user.first_name, user.last_name = first_name, last_name
        user.set_password(password)
        try:
            with transaction.atomic():
                user.save()
        except IntegrityError as error:
            raise InvitationRefused("There is a user with this address already. Sign in instead.") from error
        Invitation.objects.filter(pk=invitation.pk).update(user=user)
        events.record(request, events.Kind.INVITATION_ACCEPTED, by=user)
    return user


def change_password(request: Any, invitation: Invitation, user: User, *, password: str) -> User:
    """The user with the new password; sessions and tokens of theirs end. Raises InvitationRefused as `join` does."""
    with transaction.atomic():
        _use(invitation)
        found = User.objects.select_for_update().filter(pk=user.pk, is_active=True).first()
        if found is None:
            raise InvitationRefused(_MEANWHILE)
        found.set_password(password)
        found.save(update_fields=["password"])
        open_sessions.end_all(found)
        events.record(request, events.Kind.PASSWORD_CHANGED, by=found, detail="by a link")
        if ended := tokens.revoke_all(found):
            events.record(request, events.Kind.TOKEN_REVOKED, by=found, detail="with the password", count=ended)
    return found


def revoke(request: Any, invitation_id: UUID) -> Invitation | None:
    """The invitation that no longer works; None where there was no open one of that id."""
    with transaction.atomic():
        invitation = _locked(invitation_id)
        if invitation is None:
            return None
        _end(Invitation.objects.filter(pk=invitation_id))
        events.record(request, events.Kind.INVITATION_REVOKED, about=invitation.user, detail=invitation.email)
    return invitation


def end_links_of(user: User) -> None:
    """Links that would let this user in no longer work."""
    _end(Invitation.objects.filter(user=user, accepted_at=None, revoked_at=None))


def end_links_by(user: User) -> None:
    """Links that this user made, for whomever, no longer work."""
    _end(Invitation.objects.filter(made_by=user, accepted_at=None, revoked_at=None))


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _make(purpose: str, email: str, role: str, user: User | None, *, made_by: User | None) -> Invitation:
    now = timezone.now()
    with transaction.atomic():
        _end(Invitation.objects.filter(purpose=purpose, email=email, accepted_at=None, revoked_at=None))
        if open_ones().count() >= MOST_OPEN:
            raise InvitationRefused(f"{MOST_OPEN} invitations are open, which is as many as there may be. Revoke some.")
        return Invitation.objects.create(
            purpose=purpose,
            email=email,
            role=role,
            user=user,
            made_by=made_by,
            made_at=now,
            expires_at=now + timedelta(days=DAYS),
        )


def _refuse_own(request: Any, user: User | None) -> None:
    if request is not None and user is not None and user.pk == request.user.pk:
        raise InvitationRefused("Your own password is changed under Your account.")


def _end(rows: QuerySet[Invitation]) -> None:
    rows.update(revoked_at=timezone.now())


def _use(invitation: Invitation) -> None:
    """Accepts the invitation by the very link that was followed, which works for one of two at the same moment."""
    found = _locked(invitation.pk)
    if found is None or found.digest != invitation.digest:
        raise InvitationRefused(_MEANWHILE)
    Invitation.objects.filter(pk=found.pk).update(accepted_at=timezone.now())


def _locked(invitation_id: UUID) -> Invitation | None:
    """The open invitation, whose row nobody else changes meanwhile; judged once the row is held."""
    list(Invitation.objects.select_for_update().filter(pk=invitation_id))
    return open_ones().filter(pk=invitation_id).first()


def _unless_inactive(invitation: Invitation | None) -> Invitation | None:
    if invitation is not None and invitation.user is not None and not invitation.user.is_active:
        return None
    return invitation
