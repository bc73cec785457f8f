"""What may be written of a client, each field with what is wrong beside it in plain words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from clients.models import BasCycle, Client, Contact, EntityType
from clients.rules import entity, identifiers
from clients.services import MOST_TAGS

NOT_RECORDED = ("", "Not recorded")
MOST_LINES = 20
_MONTHS = [(number, entity.year_ends(number)) for number in range(1, 13)]
_DIGITS = "is wrong: a digit is wrong, missing or too many. Check it against the client’s papers."


class Lines(forms.CharField):
    """One value a line, none where empty; each up to `longest` characters."""

    widget = forms.Textarea(attrs={"rows": 2})

    def __init__(self, longest: int, check: Callable[[str], None] | None = None, **options: Any) -> None:
        super().__init__(required=False, **options)
        self.longest, self.check = longest, check

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        lines = [" ".join(line.split()) for line in str(super().clean(value)).splitlines()]
        lines = list(dict.fromkeys(filter(None, lines)))
        if len(lines) > MOST_LINES:
            raise ValidationError(f"Give up to {MOST_LINES}, one a line.")
        for line in lines:
            if len(line) > self.longest:
                raise ValidationError(f"“{line[:20]}…” is longer than {self.longest} characters.")
            if self.check is not None:
                self.check(line)
        return lines


def _is_email(line: str) -> None:
    try:
        validate_email(line)
    except ValidationError:
        raise ValidationError(f"“{line[:40]}” is no e-mail address.") from None


class ClientForm(forms.Form):
    """A client as it is typed. A tax file number is never shown in it: what is typed takes its place."""

    name = forms.CharField(
        max_length=300,
        error_messages={"required": "Give the name.", "max_length": "The name is longer than 300 characters."},
    )
    trading_names = Lines(300, help_text="One a line.")
    entity_type = forms.ChoiceField(required=False, choices=[NOT_RECORDED, *EntityType.choices])
    abn = forms.CharField(label="ABN", required=False, max_length=40)
    acn = forms.CharField(label="ACN", required=False, max_length=40)
    tfn = forms.CharField(
        label="Tax file number",
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )
    forget_tfn = forms.BooleanField(label="Take the tax file number out", required=False)
    gst_registered = forms.ChoiceField(
        label="Registered for GST", required=False, choices=[NOT_RECORDED, ("yes", "Yes"), ("no", "No")]
    )
    bas_cycle = forms.ChoiceField(label="BAS cycle", required=False, choices=[NOT_RECORDED, *BasCycle.choices])
    income_year_end = forms.TypedChoiceField(
        label="Income year ends",
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", "Not recorded (taken as 30 June)"), *_MONTHS],
        help_text="Another day than 30 June is a substituted accounting period, which the Commissioner allows.",
    )
    addresses = Lines(300, help_text="One a line.")
    emails = Lines(254, _is_email, label="E-mail addresses", help_text="One a line.")
    phones = Lines(40, label="Phone numbers", help_text="One a line.")
    account_numbers = Lines(40, help_text="BSB and number together, one account a line.")
    tags = forms.CharField(required=False, max_length=900, help_text="With commas between.")
    allows_remote = forms.BooleanField(
        label="Questions for this client may go to a model outside this machine, names masked",
        required=False,
        help_text="Only where an owner has switched such a model on under Models.",
    )

    @classmethod
    def of(cls, client: Client) -> ClientForm:
        """The form as it stands for a client that is there."""
        names = (
            "name",
            "trading_names",
            "entity_type",
            "bas_cycle",
            "income_year_end",
            "addresses",
            "emails",
            "phones",
        )
        known = {name: getattr(client, name) for name in (*names, "account_numbers", "allows_remote")}
        return cls(
            initial=known
            | {
                "abn": identifiers.show_abn(client.abn),
                "acn": identifiers.show_acn(client.acn),
                "gst_registered": {True: "yes", False: "no", None: ""}[client.gst_registered],
                "tags": ", ".join(client.tags),
            }
        )

    def clean_name(self) -> str:
        return " ".join(str(self.cleaned_data["name"]).split())

    def clean_abn(self) -> str:
        return _digits(self.cleaned_data["abn"], "ABN", identifiers.read_abn)

    def clean_acn(self) -> str:
        return _digits(self.cleaned_data["acn"], "ACN", identifiers.read_acn)

    def clean_tfn(self) -> str:
        return _digits(self.cleaned_data["tfn"], "tax file number", identifiers.read_tfn)

    def clean_gst_registered(self) -> bool | None:
        return {"yes": True, "no": False}.get(str(self.cleaned_data["gst_registered"]))

    def clean_tags(self) -> list[str]:
        tags = {" ".join(tag.split()) for tag in str(self.cleaned_data["tags"]).split(",")} - {""}
        if len(tags) > MOST_TAGS or any(len(tag) > 40 for tag in tags):
            raise ValidationError(f"Give up to {MOST_TAGS} tags of up to 40 characters.")
        return sorted(tags, key=str.casefold)

    def write(self, client: Client) -> str | None:
        """Writes what was typed to the client, unsaved; the tax file number as `services.keep` takes it."""
        given = dict(self.cleaned_data)
        typed, is_forgotten = given.pop("tfn"), given.pop("forget_tfn")
        for name, value in given.items():
            setattr(client, name, value)
        return typed or ("" if is_forgotten else None)


class ContactForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Contact
        fields = ("name", "role", "email", "phone")
        labels = {"email": "E-mail address", "phone": "Phone number"}
        error_messages = {
            "name": {"required": "Give the contact’s name."},
            "email": {"invalid": "This is no e-mail address."},
        }


def _digits(typed: str, what: str, read: Callable[[str], str | None]) -> str:
    """The digits; "" for nothing typed. Raises ValidationError for what is none."""
    if not typed.strip():
        return ""
    digits = read(typed)
    if digits is None:
        raise ValidationError(f"This {what} {_DIGITS}")
    return digits
