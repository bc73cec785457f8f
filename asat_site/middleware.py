"""What every request passes: security headers, plain words in an outage, its practice, and a signed-in user.

PracticeByHost is the only place where a web request enters and leaves a practice.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.exceptions import DisallowedHost
from django.db import connections
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.utils.cache import patch_vary_headers

from asat_site import errors
from asat_site.health import health
from asat_site.tenancy.context import NoSuchPractice, find_practice_by_host, practice_connection

logger = logging.getLogger(__name__)
GetResponse = Callable[[HttpRequest], HttpResponseBase]

# No inline script and no inline style, in elements or attributes: templates use classes and files. htmx must be told
# so, in a <meta name="htmx-config">: "includeIndicatorStyles": false, "allowEval": false.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self';"
    " form-action 'self'; frame-ancestors 'none'; base-uri 'none'; manifest-src 'self'"
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class SecurityHeaders:
    """Adds the headers to every response, error pages included; pages of a practice are never cached elsewhere."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if getattr(settings, "SECURE_HSTS_SECONDS", 0) and request.is_secure():
            response.headers.setdefault("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}")
        if getattr(request, "practice", None) is not None:
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response


class PlainOutage:
    """Turns a database or broker that is down into a 503 in plain words, and gives a bare 405 a page."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            page = errors.plain_page(request, errors.NOT_TAKEN, 405)
            page["Allow"] = response["Allow"]
            return page
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page for an outage raised by a view; None leaves any other error to its handler."""
        outage = errors.outage_of(exception)
        if outage is None:
            return None
        logger.error("%s on %s: %s", outage.title, request.path, type(exception).__name__)
        return errors.plain_page(request, outage, 503)


class PracticeByHost:
    """Leads a request to the practice its host names, and clears the connection when the response is made.

    /health/ answers on any host and without a practice, for a load balancer knows an address and no name.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        connection = practice_connection()
        connection.clear_practice()
        try:
            if request.path == "/health/":
                return health(request)
            refusal = self._enter_practice(request)
            if refusal is not None:
                return refusal
            response = self.get_response(request)
            if response.streaming and not connection.in_atomic_block:
                connections.close_all()  # a stream lives long; it must not hold a connection meanwhile
            return response
        finally:
            self._leave()

    def _enter_practice(self, request: HttpRequest) -> HttpResponse | None:
        try:
            host = request.get_host().rsplit(":", 1)[0] if not request.get_host().endswith("]") else request.get_host()
            practice = find_practice_by_host(host)
        except (DisallowedHost, NoSuchPractice):
            return errors.plain_page(request, errors.NO_PRACTICE, 404)
        except Exception as error:
            outage = errors.outage_of(error)
            if outage is None:
                raise
            logger.error("%s: %s", outage.title, type(error).__name__)
            return errors.plain_page(request, outage, 503)
        request.practice = request.tenant = practice  # type: ignore[attr-defined]
        if practice.is_platform:
            request.urlconf = settings.PUBLIC_SCHEMA_URLCONF
        practice_connection().set_tenant(practice)
        return None

    @staticmethod
    def _leave() -> None:
        connection = practice_connection()
        try:
            connection.clear_practice()
        except Exception:  # a connection that cannot be cleared is not kept
            logger.warning("A connection could not be cleared after a request and was closed.")
            connection.close()


class SignedIn(LoginRequiredMiddleware):
    """Every view wants a signed-in user unless it says `login_not_required`; a read-only user changes nothing.

    The user is named on the connection beside the practice. A lapsed session answers htmx with a redirect header
    and a stream with a bare 401, since neither can show a sign-in page.
    """

    _SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

    def process_view(self, request: Any, view_func: Any, view_args: Any, view_kwargs: Any) -> HttpResponseBase | None:
        if getattr(request, "practice", None) is None or not getattr(view_func, "login_required", True):
            return None
        if not request.user.is_authenticated:
            return self.handle_no_permission(request, view_func)
        practice_connection().set_user(uuid.UUID(str(request.user.pk)))
        if request.method not in self._SAFE and not request.user.may_write and not _open_to_readers(view_func):
            return errors.plain_page(request, errors.READ_ONLY, 403)
        return None

    def get_login_url(self, view_func: Any) -> str:
        return str(settings.LOGIN_URL)  # the administration names a door of its own; there is one door

    def handle_no_permission(self, request: Any, view_func: Any) -> HttpResponseBase:  # type: ignore[override]
        if request.htmx:
            response = HttpResponse(status=204)
            response["HX-Redirect"] = resolve_url(settings.LOGIN_URL)
        elif "text/event-stream" in request.headers.get("Accept", ""):
            response = HttpResponse("Sign in again to follow this question.", status=401, content_type="text/plain")
        elif request.method not in self._SAFE:
            response = redirect(settings.LOGIN_URL)  # back to a page, not to an address that takes forms only
        else:
            return super().handle_no_permission(request, view_func)
        patch_vary_headers(response, ["HX-Request", "Accept"])
        return response


def _open_to_readers(view: Any) -> bool:
    return bool(getattr(view, "open_to_readers", False))


def open_to_readers(view: Any) -> Any:
    """Marks a view whose POST a read-only user may send, such as signing out."""
    view.open_to_readers = True
    return view
