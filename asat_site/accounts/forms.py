"""The forms of signing in, of one's own account, and of an owner's people."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

from asat_site.accounts import attempts, confirming, events, factors
from asat_site.accounts.models import User
from asat_site.accounts.tokens import DAYS, MOST_DAYS

_AGAIN = "Give your password again, so that a browser left open changes nothing."


class AddressField(forms.EmailField):
    """An e-mail address in ASCII: beyond it, letters that look alike are one user to the database and two to us."""

    default_validators = [
        *forms.EmailField.default_validators,
        RegexValidator(r"\A[\x00-\x7f]*\Z", "Give an address without accents or letters of other alphabets.", "ascii"),
    ]


class SignInForm(AuthenticationForm):
    """E-mail address and password; one message for every failure, so that it tells nobody who has an account."""

    username = AddressField(
        label="E-mail address", widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True})
    )
    error_messages = {
        "invalid_login": "That e-mail address and password do not belong together here.",
        "inactive": "That e-mail address and password do not belong together here.",
        "wait": confirming.WAIT,
    }

    def clean(self) -> dict[str, Any]:
        email = self.cleaned_data.get("username")
        if not email or not self.cleaned_data.get("password") or self.request is None:
            return super().clean()
        about = User.objects.filter(email__iexact=email).first()
        tried = attempts.begin(attempts.at_sign_in(self.request, email, about))
        if tried.must_wait:
            raise ValidationError(self.error_messages["wait"], code="wait")
        try:
            cleaned: dict[str, Any] = super().clean()
        except ValidationError:
            confirming.failed(self.request, tried, events.Kind.REFUSED, about)
            raise
        attempts.forgive(tried)
        return cleaned


class CodeForm(forms.Form):
    """A code of the user's second factor, or a recovery code; guessing it is counted apart from the password.

    must_wait: whether there were too many, so that the password is to be asked anew.
    """

    code = forms.CharField(
        label="Code",
        max_length=20,
        error_messages={"required": "Give the code that your authenticator shows."},
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}),
    )
    must_wait = False

    def __init__(self, request: Any, user: User, data: Any = None) -> None:
        super().__init__(data, label_suffix="")
        self.request, self.user = request, user

    def clean_code(self) -> str:
        try:
            return confirming.confirm_code(self.request, self.user, str(self.cleaned_data["code"]))
        except ValidationError as error:
            self.must_wait = error.code == "wait"
            raise


class PasswordForm(forms.Form):
    """The password again, before something that outlasts the session."""

    password = forms.CharField(
        label="Your password",
        strip=False,
        error_messages={"required": _AGAIN},
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: Any, data: Any = None, **options: Any) -> None:
        super().__init__(data, label_suffix="", **options)
        self.request = request

    def clean_password(self) -> str:
        return confirming.confirm(self.request, str(self.cleaned_data["password"]))


class ConfirmForm(PasswordForm):
    """The password again, and where the user has a second factor a code of it, before somebody is let in anew."""

    code = forms.CharField(
        label="Code of your second factor",
        max_length=20,
        error_messages={"required": "Give the code that your authenticator shows."},
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )
    field_order = ("password", "code")

    def __init__(self, request: Any, data: Any = None) -> None:
        super().__init__(request, data)
        if not factors.has_factor(request.user):
            del self.fields["code"]

    def clean(self) -> dict[str, Any]:
        if "code" in self.fields and not self.errors:  # no code is used up by a wrong password
            try:
                confirming.confirm_code(self.request, self.request.user, str(self.cleaned_data["code"]))
            except ValidationError as error:
                self.add_error("code", error)
        return self.cleaned_data


class FactorForm(PasswordForm):
    """The first code of a second factor, and the password again."""

    code = forms.CharField(
        label="Code that it shows now",
        max_length=10,
        error_messages={"required": "Give the code that your authenticator shows."},
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )
    field_order = ("code", "password")


class TokenForm(PasswordForm):
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
    field_order = ("name", "days", "password")

    def __init__(self, request: Any, data: Any = None) -> None:
        super().__init__(request, data)
        self.fields["password"].error_messages["required"] = "Give your password again: a token acts in your name."


class _NewPassword(forms.Form):
    """A new password, twice, held to the rules."""

    new_password = forms.CharField(
        label="New password",
        strip=False,
        max_length=200,
        help_text="At least 12 characters; not a common one, and not like your name or address.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    repeated = forms.CharField(
        label="New password again",
        strip=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def check_new(self, user: User) -> None:
        """Add what is wrong with the new password, for this user, to its field."""
        new, repeated = self.cleaned_data.get("new_password"), self.cleaned_data.get("repeated")
        if new and repeated and new != repeated:
            self.add_error("repeated", "The two are not the same.")
        if new:
            try:
                validate_password(new, user)
            except ValidationError as error:
                self.add_error("new_password", error)


class ChangePasswordForm(_NewPassword, PasswordForm):
    """The password that is, and twice the one that will be."""

    field_order = ("password", "new_password", "repeated")

    def clean(self) -> dict[str, Any]:
        self.check_new(self.request.user)
        return self.cleaned_data


class ResetForm(_NewPassword):
    """A new password for a user who followed a link. user: whose it will be."""

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(data, label_suffix="")
        self.user = user

    def clean(self) -> dict[str, Any]:
        self.check_new(self.user)
        return self.cleaned_data


class JoinForm(ResetForm):
    """Who joins the practice, and the password they will sign in with."""

    first_name = forms.CharField(
        label="First name", max_length=150, widget=forms.TextInput(attrs={"autocomplete": "given-name"})
    )
    last_name = forms.CharField(
        label="Last name", max_length=150, widget=forms.TextInput(attrs={"autocomplete": "family-name"})
    )
    field_order = ("first_name", "last_name", "new_password", "repeated")

    def clean(self) -> dict[str, Any]:
        for name in ("first_name", "last_name"):
            setattr(self.user, name, self.cleaned_data.get(name, ""))
        return super().clean()


class InviteForm(forms.Form):
    """Whom to invite, and as what."""

    email = AddressField(
        label="E-mail address",
        max_length=150,
        error_messages={"required": "Give the address of the person to invite."},
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    role = forms.ChoiceField(label="Role", choices=User.Role.choices, initial=User.Role.STAFF)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, label_suffix="")


class RoleForm(forms.Form):
    """Another role for somebody."""

    role = forms.ChoiceField(choices=User.Role.choices)
