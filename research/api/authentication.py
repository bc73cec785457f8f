"""Who calls: a browser's session with its CSRF token, or a program with a bearer token; and whose practice it is.

The practice comes from the host, as for every page. A bad token is answered without detail, and too many of them from
one address have to wait, apart from failures at the sign-in.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from asat_site.accounts import attempts, tokens
from asat_site.accounts.models import ApiToken, User
from asat_site.tenancy.context import practice_connection

SCHEME = "bearer"


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer asat_…`. The header is read here and goes no further."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """(user, token); None where no bearer token is sent. Raises AuthenticationFailed or Throttled."""
        scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
        if scheme.lower() != SCHEME:
            return None
        counters = attempts.with_token(request, tokens.digest_of(secret.strip()))
        if attempts.must_wait(counters):
            raise Throttled(attempts.WAIT_S)
        token = tokens.token_of(secret.strip())
        if token is None:
            attempts.begin(counters)
            raise AuthenticationFailed
        practice_connection().set_user(UUID(str(token.user_id)))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class Session(SessionAuthentication):
    """The browser's session, whose POST must carry the CSRF token."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        found = super().authenticate(request)
        if found is not None:
            practice_connection().set_user(UUID(str(found[0].pk)))
        return found


class MayWrite(BasePermission):
    """For what a read-only user may not do."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return request.method in SAFE_METHODS or bool(request.user.may_write)
