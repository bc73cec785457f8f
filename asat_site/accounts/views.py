"""Signing in and out, and the tokens that a user's programs sign in with."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import LoginView, LogoutView
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from asat_site.accounts import tokens
from asat_site.accounts.forms import SignInForm, TokenForm
from asat_site.middleware import open_to_readers


class SignIn(LoginView):
    """The one way in, for pages and administration alike."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True


@method_decorator(open_to_readers, name="dispatch")
class SignOut(LogoutView):
    """Ends the session; POST only, so that a link cannot do it."""


sign_in: Any = SignIn.as_view()
sign_out: Any = open_to_readers(SignOut.as_view())


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
    return _tokens_page(request, TokenForm(request), made=token, secret=secret)


@open_to_readers
@require_POST
def revoke_api_token(request: Any, token_id: int) -> HttpResponse:
    """Ends one of the user's own tokens, at once."""
    name = tokens.revoke(request.user, token_id) if token_id < 2**63 else None
    if name is None:
        raise Http404("no such token")
    messages.success(request, f"The token “{name}” is revoked. Programs that use it are refused from now on.")
    return redirect("api_tokens")


def _tokens_page(request: Any, form: TokenForm, status: int = 200, **made: Any) -> HttpResponse:
    context = {"form": form, "tokens": tokens.tokens_of(request.user), **made}
    return render(request, "accounts/tokens.html", context, status=status)
