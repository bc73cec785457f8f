"""What an owner may send to choose who drafts answers. Whether the choice can stand is for `services_models` to say."""

from __future__ import annotations

from django import forms

from research.adapters.generators.vendors import VENDORS
from research.services_models import Choice

PROVIDERS = [
    ("", "What this installation uses"),
    ("extractive", "No model: the law’s own words alone"),
    ("openai_compatible", "A model by the chat protocol of OpenAI"),
    ("anthropic", "Anthropic"),
    ("aggregator", "OpenRouter or another aggregator"),
]
VENDOR_CHOICES = [("", "The provider’s own"), *((vendor.name, vendor.title) for vendor in VENDORS.values())]


class ModelForm(forms.Form):
    """Who drafts, by whose model, under which key, and whether anything may leave this machine."""

    provider = forms.ChoiceField(label="Who drafts answers", choices=PROVIDERS, required=False)
    vendor = forms.ChoiceField(label="Vendor", choices=VENDOR_CHOICES, required=False)
    model = forms.CharField(label="Model", max_length=120, required=False)
    address = forms.CharField(label="Address, if not the vendor’s own", max_length=300, required=False)
    key = forms.CharField(
        label="Key",
        max_length=400,
        required=False,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    forget_key = forms.BooleanField(label="Forget the stored key", required=False)
    twice = forms.BooleanField(
        label="Draft twice, and refuse where the two rest on different provisions", required=False
    )
    allows_remote = forms.BooleanField(label="Questions may be sent to a model elsewhere", required=False)

    @property
    def choice(self) -> Choice:
        """The choice, once the form is valid. A key field left empty keeps the stored key."""
        given = self.cleaned_data
        key = "" if given["forget_key"] else given["key"] or None
        return Choice(
            provider=given["provider"],
            vendor=given["vendor"],
            address=given["address"].strip(),
            model=given["model"].strip(),
            key=key,
            samples=2 if given["twice"] else 1,
            allows_remote=given["allows_remote"],
        )
