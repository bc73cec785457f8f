"""A user's own account: password, second factor, and where they are signed in."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from asat_site.accounts import events, factors, open_sessions
from asat_site.accounts.forms import ChangePasswordForm, FactorForm, PasswordForm
from asat_site.accounts.middleware import open_without_factor
from asat_site.middleware import open_to_readers

_TO_TYPE = 4  # letters of the key that stand together


@require_safe
def account(request: Any) -> HttpResponse:
    """What belongs to the user: who they are, their second factor, and where they are signed in."""
    return _page(request, ChangePasswordForm(request))


@open_to_readers
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def change_password(request: Any) -> HttpResponse:
    """Another password for the user; every other session of theirs ends."""
    if request.method != "POST":
        return redirect("account")
    form = ChangePasswordForm(request, request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    request.user.set_password(form.cleaned_data["new_password"])
    request.user.save(update_fields=["password"])
    before = request.session.session_key
    update_session_auth_hash(request, request.user)
    open_sessions.moved(before, request)
    ended = open_sessions.end_all(request.user, but=request.session.session_key)
    events.record(request, events.Kind.PASSWORD_CHANGED)
    messages.success(request, f"The password is changed. {_others_ended(ended)}")
    return redirect("account")


@open_to_readers
@open_without_factor
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def second_factor(request: Any) -> HttpResponse:
    """The user's second factor; without one, the way to set it up, which shows the recovery codes at its end."""
    if factors.has_factor(request.user):
        return _factor_page(request, PasswordForm(request))
    form = FactorForm(request, request.POST if request.method == "POST" else None)
    if request.method != "POST":
        return _set_up_page(request, form)
    if not form.is_valid():
        return _set_up_page(request, form, status=422)
    try:
        codes = factors.set_up(request, form.cleaned_data["code"].replace(" ", ""))
    except factors.FactorRefused as refused:
        form.add_error("code", refused.message)
        return _set_up_page(request, form, status=422)
    ended = open_sessions.end_all(request.user, but=request.session.session_key)
    events.record(request, events.Kind.FACTOR_SET_UP)
    return _codes_page(request, codes, f"Your second factor is set up. {_others_ended(ended)}")


@open_without_factor
@require_safe
def second_factor_picture(request: Any) -> HttpResponse:
    """The key that is being set up, as a picture; never kept by a browser."""
    drawn = factors.picture(request)
    if drawn is None:
        raise Http404("no second factor is being set up")
    return HttpResponse(drawn, content_type="image/svg+xml", headers={"Cache-Control": "private, no-store"})


@open_to_readers
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def new_recovery_codes(request: Any) -> HttpResponse:
    """Recovery codes made anew and shown this once; the ones before no longer work."""
    form = PasswordForm(request, request.POST)
    if request.method != "POST" or not factors.has_factor(request.user):
        return redirect("second_factor")
    if not form.is_valid():
        return _factor_page(request, form, status=422, making=True)
    codes = factors.new_codes(request.user)
    events.record(request, events.Kind.CODES_MADE)
    return _codes_page(request, codes, "Your recovery codes are made anew. Earlier ones no longer work.")


@open_to_readers
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def remove_second_factor(request: Any) -> HttpResponse:
    """The password alone lets the user in from now on; refused where the practice requires a second factor."""
    form = PasswordForm(request, request.POST)
    if request.method != "POST" or not factors.has_factor(request.user):
        return redirect("second_factor")
    if request.practice.requires_second_factor:
        messages.error(request, "Your practice requires a second factor, so it stays.")
        return redirect("second_factor")
    if not form.is_valid():
        return _factor_page(request, form, status=422, removing=True)
    factors.remove(request.user)
    events.record(request, events.Kind.FACTOR_REMOVED)
    messages.success(request, "Your second factor is removed. Take AsAt out of your authenticator.")
    return redirect("account")


@open_to_readers
@require_POST
def end_session(request: Any, session_id: int) -> HttpResponse:
    """Ends one of the user's own sessions; its browser is signed out with its next request."""
    if session_id >= 2**63 or not open_sessions.end(request.user, session_id):
        raise Http404("no such session")
    events.record(request, events.Kind.SESSION_ENDED)
    messages.success(request, "That session is ended.")
    return redirect("account")


@open_to_readers
@require_POST
def end_other_sessions(request: Any) -> HttpResponse:
    """Ends every session of the user but this one."""
    ended = open_sessions.end_all(request.user, but=request.session.session_key)
    if ended:
        events.record(request, events.Kind.SESSION_ENDED, count=ended)
    messages.success(request, _others_ended(ended))
    return redirect("account")


def _others_ended(number: int) -> str:
    if number == 0:
        return "You are signed in nowhere else."
    return "One other session is ended." if number == 1 else f"{number} other sessions are ended."


def _page(request: Any, form: ChangePasswordForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "factor": factors.factor_of(request.user),
        "places": open_sessions.places_of(request.user, request.session.session_key),
    }
    return render(request, "accounts/account.html", context, status=status)


def _set_up_page(request: Any, form: FactorForm, status: int = 200) -> HttpResponse:
    key = factors.begin(request)
    parts = [key[at : at + _TO_TYPE] for at in range(0, len(key), _TO_TYPE)]
    context = {"form": form, "key": " ".join(parts), "is_missing": request.practice.requires_second_factor}
    return render(request, "accounts/second_factor_set_up.html", context, status=status)


def _factor_page(request: Any, form: PasswordForm, status: int = 200, **where: bool) -> HttpResponse:
    context = {"form": form, "factor": factors.factor_of(request.user), **where}
    return render(request, "accounts/second_factor.html", context, status=status)


def _codes_page(request: Any, codes: list[str], said: str) -> HttpResponse:
    halves = [f"{code[:4]} {code[4:]}" for code in codes]
    return render(request, "accounts/recovery_codes.html", {"codes": halves, "said": said})
