"""What holds for everybody who is signed in: a session ends in time, a second factor that is required is there, and
what is taken out as a file is on record.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.utils.cache import patch_vary_headers

from asat_site import errors
from asat_site.accounts import events, factors, open_sessions
from asat_site.middleware import GetResponse

_SET_UP = "second_factor"
ROWS = "X-Exported-Rows"


class Standing:
    """Notes the session and ends one that has lasted its time; leads whoever lacks a required factor to set it up.

    Every answer that is a file to keep is recorded before the first byte of it leaves. A view says how many rows it
    holds in the header X-Exported-Rows, which goes no further.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not open_sessions.note(request):
            logout(request)
        response = self.get_response(request)
        rows = response.headers.get(ROWS, "")
        del response.headers[ROWS]
        is_file = response.headers.get("Content-Disposition", "").startswith("attachment")
        was_sent = request.method != "HEAD" and response.status_code == 200
        if is_file and was_sent and request.user.is_authenticated:
            events.exported(request, request.resolver_match.url_name or "", int(rows) if rows.isdecimal() else None)
        return response

    def process_view(self, request: Any, view_func: Any, view_args: Any, view_kwargs: Any) -> HttpResponseBase | None:
        """Nothing but the way to a second factor, and out, for whoever must set one up."""
        if getattr(view_func, "open_without_factor", False) or not request.user.is_authenticated:
            return None
        if not factors.is_missing(request.user):
            return None
        if request.htmx:
            response = HttpResponse(status=204)
            response["HX-Redirect"] = resolve_url(_SET_UP)
        elif _wants_a_page(request) and getattr(view_func, "login_required", True):
            response = redirect(_SET_UP)
        else:
            response = errors.plain_page(request, errors.SECOND_FACTOR, 403)
        patch_vary_headers(response, ["HX-Request", "Accept"])
        return response


def _wants_a_page(request: HttpRequest) -> bool:
    accepted = request.headers.get("Accept", "")
    return "application/json" not in accepted and "text/event-stream" not in accepted


def open_without_factor(view: Any) -> Any:
    """Marks a view that is part of setting up a second factor, or of leaving."""
    view.open_without_factor = True
    return view
