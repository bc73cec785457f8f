"""Error pages: plain HTML with no database, template or session behind it, and never a stack trace.

The same words serve browsers, htmx (which shows the body) and, as JSON, callers that asked for JSON.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from html import escape

import redis
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse


@dataclass(frozen=True, slots=True)
class Plain:
    """What a reader is told: what happened and what to try."""

    title: str
    words: str


BAD_REQUEST = Plain("That request could not be read", "It was malformed or too large. Go back and try again.")
FORBIDDEN = Plain("Not allowed", "Your account does not allow this. Ask the owner of your practice if it should.")
READ_ONLY = Plain("Your account is read only", "You can read what is recorded, and ask or change nothing.")
SECOND_FACTOR = Plain(
    "Your practice requires a second factor", "Sign in with a browser and set it up; then everything is as before."
)
FORM_EXPIRED = Plain("This form has expired", "Nothing was sent. Go back, reload the page and try again.")
NOT_FOUND = Plain("There is no such page", "Check the address, or begin again from the front page.")
NOT_TAKEN = Plain("There is nothing to see at this address", "It only takes what a form sends. Go to the front page.")
NO_PRACTICE = Plain("There is no practice here", "No practice has this address. Check the host name in your browser.")
BROKEN = Plain("Something went wrong", "The fault has been logged and nothing was lost. Try again in a moment.")
DATABASE_DOWN = Plain(
    "The database does not answer", "Nothing was lost. Try again in a minute; if it lasts, tell your IT person."
)
BROKER_DOWN = Plain(
    "The task queue does not answer", "Nothing was lost. Try again in a minute; if it lasts, tell your IT person."
)

_PAGE = """<!doctype html>
<html lang="en-AU"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · AsAt</title><link rel="stylesheet" href="/static/plain.css"></head>
<body><main><h1>{title}</h1><p>{words}</p><p><a href="/">Front page</a></p></main></body></html>
"""


def plain_page(request: HttpRequest, plain: Plain, status: int) -> HttpResponse:
    """The page (or JSON) that says this."""
    if "application/json" in request.headers.get("Accept", ""):
        response: HttpResponse = JsonResponse({"error": plain.title, "what_to_try": plain.words}, status=status)
    else:
        response = HttpResponse(_PAGE.format(title=escape(plain.title), words=escape(plain.words)), status=status)
    response["Cache-Control"] = "no-store"
    if status == 503:
        response["Retry-After"] = "30"
    return response


def outage_of(error: BaseException | None) -> Plain | None:
    """What is down, if this error (or what caused it) says that something is; None for an ordinary fault."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, OperationalError | InterfaceError):
            return DATABASE_DOWN
        if isinstance(error, redis.ConnectionError | redis.TimeoutError):
            return BROKER_DOWN
        if type(error).__module__.startswith("kombu.exceptions") and type(error).__name__ == "OperationalError":
            return BROKER_DOWN
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return None


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return plain_page(request, BAD_REQUEST, 400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return plain_page(request, FORBIDDEN, 403)


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return plain_page(request, NOT_FOUND, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    outage = outage_of(sys.exc_info()[1])
    return plain_page(request, outage, 503) if outage else plain_page(request, BROKEN, 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return plain_page(request, FORM_EXPIRED, 403)
