"""What a caller is told when a call fails: {"error", "what_to_try"}, the words of the pages, and nothing more."""

from __future__ import annotations

import logging
import math
from traceback import format_tb
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import connection
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from asat_site import errors
from asat_site.errors import Plain

logger = logging.getLogger(__name__)

NOT_SIGNED_IN = Plain("You are not signed in", "Send a token that is good in this practice, or sign in.")
NO_SUCH_THING = Plain("There is no such thing here", "Check the address; docs/api.md lists what there is.")
NOT_TAKEN = Plain("This address does not take that method", "The header Allow says what it takes.")
NOT_JSON = Plain("The request could not be read", "Send JSON in UTF-8, with Content-Type: application/json.")
TOO_LARGE = Plain("The request is too large", "Send a text in parts: 20,000 characters are checked at once.")
TOO_OFTEN = Plain("Too many calls", "Wait as long as the header Retry-After says, then go on.")
NO_CSRF = Plain("The request was not accepted", "A browser's request must carry its page's token; reload the page.")

_BY_TYPE: tuple[tuple[type[Exception], Plain, int], ...] = (
    (exceptions.NotAuthenticated, NOT_SIGNED_IN, 401),
    (exceptions.AuthenticationFailed, NOT_SIGNED_IN, 401),
    (exceptions.Throttled, TOO_OFTEN, 429),
    (exceptions.MethodNotAllowed, NOT_TAKEN, 405),
    (exceptions.NotAcceptable, NOT_JSON, 406),
    (exceptions.UnsupportedMediaType, NOT_JSON, 415),
    (exceptions.ParseError, NOT_JSON, 400),
    (RequestDataTooBig, TOO_LARGE, 413),
    (exceptions.NotFound, NO_SUCH_THING, 404),
    (Http404, NO_SUCH_THING, 404),
)


def said(plain: Plain, status: int, **headers: str) -> Response:
    return Response({"error": plain.title, "what_to_try": plain.words}, status=status, headers=headers)


def refused(sentence: str) -> Response:
    """What was sent can be read and cannot be done: 422 with the sentence that its page would show."""
    return said(Plain(sentence, "Nothing was saved. Change what is said, and send it again."), 422)


def answer_for(error: Exception, context: dict[str, Any]) -> Response:
    """The response for whatever a view raised. A fault is logged by its type and place, never by its words."""
    if isinstance(error, exceptions.PermissionDenied | PermissionDenied):
        user = context["request"].user
        if "CSRF" in str(getattr(error, "detail", "")):
            return said(NO_CSRF, 403)
        return said(errors.READ_ONLY if user.is_authenticated and not user.may_write else errors.FORBIDDEN, 403)
    for kind, plain, status in _BY_TYPE:
        if isinstance(error, kind):
            return said(plain, status, **_headers(error, context))
    outage = errors.outage_of(error)
    logger.error("an API call failed: %s\n%s", type(error).__name__, "".join(format_tb(error.__traceback__)))
    if connection.in_atomic_block:
        connection.set_rollback(True)
    return said(outage, 503, **{"Retry-After": "30"}) if outage else said(errors.BROKEN, 500)


def _headers(error: Exception, context: dict[str, Any]) -> dict[str, str]:
    if isinstance(error, exceptions.Throttled):
        return {"Retry-After": str(math.ceil(error.wait or 60))}
    if isinstance(error, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        return {"WWW-Authenticate": "Bearer"}
    return {}
