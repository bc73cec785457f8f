"""What an owner sends about Xero. Whether it works shows when the first organisation is connected."""

from __future__ import annotations

from django import forms


class AppForm(forms.Form):
    """The practice's own app. Its secret is never shown again, not even beside its own error."""

    client_id = forms.RegexField(
        r"^[A-Za-z0-9_-]{16,64}$",
        label="Client id",
        strip=True,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={
            "required": "Copy the client id from the app’s page.",
            "invalid": "This is no client id: it is 32 letters and digits.",
        },
    )
    client_secret = forms.RegexField(
        r"^[!-~]{16,200}$",
        label="Client secret",
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={
            "required": "Copy the client secret from the app’s page.",
            "invalid": "This is no client secret: it has no spaces, and more letters and digits.",
        },
    )
