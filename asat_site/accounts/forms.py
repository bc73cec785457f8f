"""The sign-in form."""

from django import forms
from django.contrib.auth.forms import AuthenticationForm


class SignInForm(AuthenticationForm):
    """E-mail address and password; one message for every failure, so that it tells nobody who has an account."""

    username = forms.EmailField(
        label="E-mail address", widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True})
    )
    error_messages = {
        "invalid_login": "That e-mail address and password do not belong together here.",
        "inactive": "That e-mail address and password do not belong together here.",
    }
