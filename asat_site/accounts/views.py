"""Signing in and out, and the tokens that a user's programs sign in with."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.stagekit import clear_login
from allauth.account.stages import LoginStageController
from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from asat_site.accounts import events, tokens
from asat_site.accounts.forms import CodeForm, SignInForm, TokenForm
from asat_site.accounts.middleware import open_without_factor
from asat_site.accounts.stages import CodeStage
from asat_site.middleware import open_to_readers


@login_not_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: Any) -> HttpResponse:
    """The one way in, for pages and administration alike; leads on to the code where the user has a second factor."""
    if request.user.is_authenticated:
        return redirect(_next(request))
    form = SignInForm(request, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        response: HttpResponse = perform_login(request, form.get_user(), redirect_url=_next(request))
        return response
    wanted = request.POST.get("next") or request.GET.get("next", "")
    return render(request, "accounts/sign_in.html", {"form": form, "next": wanted})


@login_not_required
@never_cache
@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_code(request: Any) -> HttpResponse:
    """The second step: a code, for whoever gave the right password a moment ago."""
    if request.user.is_authenticated:
        return redirect(settings.LOGIN_REDIRECT_URL)
    stage: Any = LoginStageController.enter(request, CodeStage.key)
    if stage is None or not stage.still_holds():
        clear_login(request)
        return redirect("sign_in")
    user = stage.login.user
    form = CodeForm(request, user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        response: HttpResponse = stage.exit()
        return response
    if form.must_wait:
        clear_login(request)  # whoever comes back gives the password first
    return render(request, "accounts/sign_in_code.html", {"form": form})


@open_to_readers
@open_without_factor
@require_POST
def sign_out(request: Any) -> HttpResponse:
    """Ends the session; POST only, so that a link cannot do it."""
    events.record(request, events.Kind.SIGNED_OUT)
    logout(request)
    return redirect(settings.LOGOUT_REDIRECT_URL)


@open_to_readers
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def api_tokens(request: Any) -> HttpResponse:
    """The user's own tokens; POST makes one and shows its secret, this once."""
    if request.method != "POST":
        return _tokens_page(request, TokenForm(request))
    form = TokenForm(request, request.POST)
    if not form.is_valid():
        return _tokens_page(request, form, status=422)
    try:
        token, secret = tokens.make(request.user, form.cleaned_data["name"], form.cleaned_data["days"])
    except tokens.TokenRefused as refused:
        form.add_error(None, refused.message)
        return _tokens_page(request, form, status=422)
    events.record(request, events.Kind.TOKEN_MADE, detail=f"number {token.pk}, for {form.cleaned_data['days']} days")
    return _tokens_page(request, TokenForm(request), made=token, secret=secret)


@open_to_readers
@require_POST
def revoke_api_token(request: Any, token_id: int) -> HttpResponse:
    """Ends one of the user's own tokens, at once."""
    name = tokens.revoke(request.user, token_id) if token_id < 2**63 else None
    if name is None:
        raise Http404("no such token")
    events.record(request, events.Kind.TOKEN_REVOKED, detail=f"number {token_id}")
    messages.success(request, f"The token “{name}” is revoked. Programs that use it are refused from now on.")
    return redirect("api_tokens")


def _next(request: Any) -> str:
    """Where to go once signed in: a page of this very host, or the front page."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        return str(wanted)
    return resolve_url(settings.LOGIN_REDIRECT_URL)


def _tokens_page(request: Any, form: TokenForm, status: int = 200, **made: Any) -> HttpResponse:
    context = {"form": form, "tokens": tokens.tokens_of(request.user), **made}
    return render(request, "accounts/tokens.html", context, status=status)
