"""The sign-in form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from asat_site.accounts import attempts


class SignInForm(AuthenticationForm):
    """E-mail address and password; one message for every failure, so that it tells nobody who has an account."""

    username = forms.EmailField(
        label="E-mail address", widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True})
    )
    error_messages = {
        "invalid_login": "That e-mail address and password do not belong together here.",
        "inactive": "That e-mail address and password do not belong together here.",
        "wait": "Too many attempts. Wait 15 minutes, then try again.",
    }

    def clean(self) -> dict[str, Any]:
        email = self.cleaned_data.get("username")
        if not email or not self.cleaned_data.get("password") or self.request is None:
            return super().clean()
        if attempts.must_wait(self.request, email):
            raise ValidationError(self.error_messages["wait"], code="wait")
        try:
            cleaned: dict[str, Any] = super().clean()
        except ValidationError:
            attempts.count_failure(self.request, email)
            raise
        attempts.forget(self.request, email)
        return cleaned
