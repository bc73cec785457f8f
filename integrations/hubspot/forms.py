"""What an owner sends about HubSpot. Whether it works is for `connecting` to find out."""

from __future__ import annotations

from django import forms


class KeyForm(forms.Form):
    """A key to connect with. It is never shown again, not even beside its own error."""

    key = forms.CharField(
        label="Service key",
        max_length=600,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={
            "required": "Paste the key: it begins with “pat-”.",
            "max_length": "No key is that long.",
        },
    )


class BeginForm(forms.Form):
    """Which property of HubSpot's companies holds the ABN, "" for none."""

    abn_property = forms.CharField(max_length=200, required=False)
