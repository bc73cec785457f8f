"""Signing in and out."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import LoginView, LogoutView
from django.utils.decorators import method_decorator

from asat_site.accounts.forms import SignInForm
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
