"""For owners: who works in the practice, who is invited, and what happened to everybody's way in.

What lets somebody in, or lets them in with less, takes the owner's password again: a session left open does not do it.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from asat_site.accounts import events, invitations, people
from asat_site.accounts.asking_again import asked_again
from asat_site.accounts.forms import InviteForm, RoleForm
from asat_site.accounts.middleware import ROWS
from asat_site.accounts.models import AccountEvent, Invitation, User
from asat_site.accounts.tasks import send_invitation

EVENTS_PER_PAGE = 50


def owners_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Refuses anybody but an owner, whatever they send."""

    @wraps(view)
    @sensitive_post_parameters("password", "code")
    def guarded(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_owner:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return guarded


@owners_only
@require_http_methods(["GET", "HEAD", "POST"])
def people_page(request: Any) -> HttpResponse:
    """Everybody in the practice and every open invitation; POST invites somebody."""
    if request.method != "POST":
        return _page(request, InviteForm())
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    if form.cleaned_data["role"] == User.Role.OWNER:
        doing = f"{form.cleaned_data['email']} is invited as an owner, who may do everything."
        if page := asked_again(request, doing):
            return page
    try:
        made = invitations.invite(request, form.cleaned_data["email"], form.cleaned_data["role"])
    except invitations.InvitationRefused as refused:
        form.add_error("email", refused.message)
        return _page(request, form, status=422)
    return _hand_over(request, made)


@owners_only
@require_POST
def change_role(request: Any, user_id: UUID) -> HttpResponse:
    """Gives somebody another role."""
    user, form = _person(user_id), RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose one of the roles. Nothing was changed.")
        return redirect("people")
    is_new_owner = form.cleaned_data["role"] == User.Role.OWNER and not user.is_owner
    if is_new_owner and (page := asked_again(request, f"{_name(user)} is made an owner, who may do everything.")):
        return page
    said = f"{_name(user)} has the role “{User.Role(form.cleaned_data['role']).label}” now."
    return _do(request, lambda: people.change_role(request, user, form.cleaned_data["role"]), said)


@owners_only
@require_POST
def deactivate(request: Any, user_id: UUID) -> HttpResponse:
    """Keeps somebody out, at once."""
    user = _person(user_id)
    said = f"{_name(user)} cannot sign in any more. Their sessions and tokens are ended; what they did stays recorded."
    return _do(request, lambda: people.deactivate(request, user), said)


@owners_only
@require_POST
def reactivate(request: Any, user_id: UUID) -> HttpResponse:
    """Lets somebody in again."""
    user = _person(user_id)
    if user.is_owner and (page := asked_again(request, f"{_name(user)} can sign in again, as an owner.")):
        return page
    return _do(request, lambda: people.reactivate(request, user), f"{_name(user)} can sign in again.")


@owners_only
@require_POST
def take_factor_away(request: Any, user_id: UUID) -> HttpResponse:
    """For somebody who lost authenticator and recovery codes."""
    user = _person(user_id)
    if page := asked_again(request, f"The second factor of {_name(user)} is taken away."):
        return page
    said = f"{_name(user)} has no second factor now. Be sure that it was they who asked."
    return _do(request, lambda: people.take_factor_away(request, user), said)


@owners_only
@require_POST
def password_link(request: Any, user_id: UUID) -> HttpResponse:
    """A link by which somebody who forgot their password chooses another."""
    user = _person(user_id)
    if page := asked_again(request, f"A link is made by which {_name(user)} chooses a new password."):
        return page
    try:
        return _hand_over(request, invitations.for_password(request, user))
    except invitations.InvitationRefused as refused:
        messages.error(request, refused.message)
        return redirect("people")


@owners_only
@require_POST
def require_factor(request: Any) -> HttpResponse:
    """Whether everybody in the practice needs a second factor."""
    wanted = request.POST.get("required") == "1"
    if not wanted and (page := asked_again(request, "Nobody needs a second factor any more.")):
        return page
    people.require_factor(request, wanted)
    messages.success(
        request,
        "Everybody is asked for a second factor now; anyone without one sets it up before anything else."
        if wanted
        else "A second factor is everybody's own choice now.",
    )
    return redirect("people")


@owners_only
@require_POST
def revoke_invitation(request: Any, invitation_id: UUID) -> HttpResponse:
    """Ends a link that nobody followed yet."""
    gone = invitations.revoke(request, invitation_id)
    if gone is None:
        raise Http404("no such invitation")
    messages.success(request, f"The link for {gone.email} is revoked.")
    return redirect("people")


@owners_only
@require_POST
def show_link(request: Any, invitation_id: UUID) -> HttpResponse:
    """Makes the link anew and shows it once, to be handed over where mail did not arrive."""
    found = invitations.open_ones().filter(pk=invitation_id).first()
    if found is None:
        raise Http404("no such invitation")
    if page := asked_again(request, f"The link for {found.email} is made anew and shown to you."):
        return page
    try:
        shown = invitations.show(request, invitation_id, _origin(request))
    except invitations.InvitationRefused as refused:
        messages.error(request, refused.message)
        return redirect("people")
    if shown is None:
        raise Http404("no such invitation")
    return _page(request, InviteForm(), made=shown[0], link=shown[1])


@owners_only
@require_safe
def account_events(request: Any) -> HttpResponse:
    """What happened to everybody's way in, newest first, by kind and person."""
    sought = _sought(request)
    rows = list(events.found(sought)[: EVENTS_PER_PAGE + 1])
    context = {
        "events": rows[:EVENTS_PER_PAGE],
        "older": rows[EVENTS_PER_PAGE - 1].pk if len(rows) > EVENTS_PER_PAGE else None,
        "sought": sought,
        "kinds": AccountEvent.Kind.choices,
        "users": User.objects.order_by("email"),
    }
    return render(request, "accounts/events.html", context)


@owners_only
@require_POST
def export_events(request: Any) -> HttpResponse:
    """The events that are sought as CSV, which is an event itself."""
    sought = _sought(request)
    rows = events.found(events.Sought(sought.kind, sought.person))
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="account-events-{timezone.localdate():%Y-%m-%d}.csv"'
    writer = csv.writer(response)
    written = 0
    for written, row in enumerate(events.csv_rows(rows.iterator(chunk_size=2000))):  # noqa: B007 (the last is counted)
        writer.writerow([_harmless(cell) for cell in row])
    response[ROWS] = str(written)  # the head is the one with the number 0
    return response


def _person(user_id: UUID) -> User:
    user = people.person(user_id)
    if user is None:
        raise Http404("no such user")
    return user


def _name(user: User) -> str:
    return user.get_full_name() or user.email


def _do(request: Any, change: Callable[[], None], said: str) -> HttpResponse:
    try:
        change()
    except people.PeopleRefused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, said)
    return redirect("people")


def _hand_over(request: Any, made: Invitation) -> HttpResponse:
    """Has the link sent by a worker, or where there is no mail shows it, this once."""
    if not invitations.is_mailed():
        return _page(request, InviteForm(), made=made, link=invitations.link_to(made, _origin(request)))
    send_invitation.delay(str(request.practice.pk), str(made.pk), _origin(request))
    messages.success(request, f"A link is on its way to {made.email}. It is good once, for {invitations.DAYS} days.")
    return redirect("people")


def _page(request: Any, form: InviteForm, status: int = 200, **made: Any) -> HttpResponse:
    context = {
        "people": people.people(),
        "invitations": invitations.open_ones(),
        "form": form,
        "roles": User.Role.choices,
        "is_mailed": invitations.is_mailed(),
        **made,
    }
    return render(request, "accounts/people.html", context, status=status)


def _origin(request: Any) -> str:
    return f"{request.scheme}://{request.get_host()}"


def _sought(request: Any) -> events.Sought:
    given = request.POST if request.method == "POST" else request.GET
    kind = given.get("kind", "")
    before = given.get("before", "")
    try:
        person = UUID(given.get("person", ""))
    except ValueError:
        person = None
    return events.Sought(
        kind=kind if kind in AccountEvent.Kind.values else None,
        person=person,
        before=int(before) if before.isdecimal() and len(before) < 19 else None,
    )


def _harmless(cell: str) -> str:
    """The cell so that no spreadsheet takes it for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
