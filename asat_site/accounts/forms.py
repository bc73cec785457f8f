"""The sign-in form, and the form for a new token."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from asat_site.accounts import attempts
from asat_site.accounts.tokens import DAYS, MOST_DAYS


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


class TokenForm(forms.Form):
    """A name, how long it is good for, and the password again: a session left open makes no lasting key."""

    name = forms.CharField(
        label="What will use it",
        max_length=60,
        error_messages={"required": "Give the token a name that says which program will use it."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "For example: monthly workpapers"}),
    )
    days = forms.IntegerField(
        label=f"Days until it expires (1 to {MOST_DAYS})",
        min_value=1,
        max_value=MOST_DAYS,
        initial=DAYS,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), f"Give a whole number of days from 1 to {MOST_DAYS}."
        ),
    )
    password = forms.CharField(
        label="Your password",
        strip=False,
        error_messages={"required": "Give your password again: a token acts in your name."},
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: Any, data: Any = None) -> None:
        super().__init__(data, label_suffix="")
        self.request = request

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        email = str(self.request.user.email)
        if attempts.must_wait(self.request, email):
            raise ValidationError(SignInForm.error_messages["wait"], code="wait")
        if not self.request.user.check_password(password):
            attempts.count_failure(self.request, email)
            raise ValidationError("That is not your password.", code="password")
        attempts.forget(self.request, email)
        return password
