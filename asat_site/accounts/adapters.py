"""What django-allauth asks of us: where a sign-in leads, what is noted of it, and how second factors are stored."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from asat_site.accounts import events, factors, open_sessions
from asat_site.accounts.models import User
from asat_site.tenancy.context import practice_connection


class AccountAdapter(DefaultAccountAdapter):
    """The password, then the code; nobody signs up, and nothing is said in allauth's words."""

    def get_login_stages(self) -> list[str]:
        return ["asat_site.accounts.stages.CodeStage"]

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """Says nothing."""

    def send_mail(self, *args: Any, **kwargs: Any) -> None:
        """Sends nothing."""

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        return redirect("sign_in")

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        open_sessions.note(request)
        events.record(request, events.Kind.SIGNED_IN, by=user)
        response: HttpResponse = super().post_login(request, user, **kwargs)
        return response


class FactorAdapter(DefaultMFAAdapter):
    """Seals what a code is computed from, and names the practice in the authenticator."""

    def encrypt(self, text: str) -> str:
        return factors.seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return factors.unseal(encrypted_text)

    def get_totp_issuer(self) -> str:
        return f"AsAt {getattr(practice_connection().tenant, 'name', '')}".replace(":", " ").strip()
