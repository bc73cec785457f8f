"""Following a link: joining the practice, or giving oneself a new password.

The link is in the address for one request alone, which notes in the session whose it is and leads on; so it is in no
referrer and in no form. A link that no longer works is answered with a page, not an error, for errors are logged with
their address.
"""

from __future__ import annotations

from typing import Any

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from asat_site.accounts import invitations
from asat_site.accounts.forms import JoinForm, ResetForm
from asat_site.accounts.middleware import open_without_factor
from asat_site.accounts.models import Invitation, User
from asat_site.middleware import open_to_readers

FOLLOWED = "invitation"  # in the session: the digest of the link that was followed


@login_not_required
@never_cache
@require_safe
def follow_invitation(request: Any, token: str) -> HttpResponse:
    """Leads whoever has the link to the form; anybody else to a page that says that it no longer works."""
    if request.user.is_authenticated:
        return redirect("invitation")
    found = invitations.find(token)
    if found is None:
        return render(request, "accounts/invitation.html", {"invitation": None})
    request.session.cycle_key()
    request.session[FOLLOWED] = found.digest
    return redirect("invitation")


@login_not_required
@never_cache
@open_to_readers
@open_without_factor
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: Any) -> HttpResponse:
    """The form behind the link; signs in whoever fills it in, by way of their second factor where they have one."""
    if request.user.is_authenticated and request.method == "POST":
        return redirect(settings.LOGIN_REDIRECT_URL)
    followed = request.session.get(FOLLOWED)
    found = invitations.still_open(followed) if followed else None
    if found is None or request.user.is_authenticated:
        return render(request, "accounts/invitation.html", {"invitation": found})
    form = _form(request, found)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(request, "accounts/invitation.html", {"invitation": found, "form": form}, status=status)
    try:
        user = _accept(request, found, form.cleaned_data)
    except invitations.InvitationRefused as refused:
        return render(request, "accounts/invitation.html", {"invitation": None, "said": refused.message})
    del request.session[FOLLOWED]
    response: HttpResponse = perform_login(request, user, redirect_url=settings.LOGIN_REDIRECT_URL)
    return response


def _form(request: Any, found: Invitation) -> JoinForm | ResetForm:
    sent = request.POST if request.method == "POST" else None
    if found.purpose == Invitation.Purpose.PASSWORD and found.user is not None:
        return ResetForm(found.user, sent)
    return JoinForm(User(username=found.email, email=found.email), sent)


def _accept(request: Any, found: Invitation, given: dict[str, Any]) -> User:
    password = given["new_password"]
    if found.purpose == Invitation.Purpose.PASSWORD and found.user is not None:
        return invitations.change_password(request, found, found.user, password=password)
    names = {name: given[name] for name in ("first_name", "last_name")}
    return invitations.join(request, found, password=password, **names)
