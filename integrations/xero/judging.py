"""What an answer of Xero's means. Pure: status, headers and JSON in, the kind of trouble out.

Names of fields are looked for without regard to case, since both "Title" and "title" occur. What Xero says goes to
people, never to a log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from integrations.terms import LacksScopes, TryLater, VendorFailed
from integrations.xero import words
from integrations.xero.mapping import messages_in
from integrations.xero.problems import (
    AccessStale,
    AppRefused,
    GrantRefused,
    KeyReused,
    NotThere,
    QueryNotUnderstood,
    Refused,
    TenantGone,
    TooMany,
)

if TYPE_CHECKING:
    from integrations.exchange import Reply

QUERY_PARSE_ERROR = 16
DAY_S = 86_400.0
UNREADABLE = "Xero’s answer could not be read. Try again in a few minutes."
OUT_OF_ORDER = "Xero is out of order just now ({status}). Try again in a few minutes."


def of_books(reply: Reply) -> VendorFailed | None:
    """What an answer about contacts, bills and attachments means; None for one to be read."""
    status, found = reply.status, _lowered(reply.problem)
    if 200 <= status < 300:
        return None if reply.problem else TryLater(UNREADABLE)
    detail = str(found.get("detail", ""))
    if status == 401:
        if "authorizationunsuccessful" in detail.replace(" ", "").lower():
            return LacksScopes(words.SCOPES_MISSING)
        return AccessStale(words.CONNECT_AGAIN)
    if status == 403:
        return TenantGone(words.REMOVED)
    if status == 404:
        return NotThere("Xero has no bill or contact of this id any more.")
    if status == 400:
        return _bad_request(found)
    return common(reply)


def of_access(reply: Reply) -> VendorFailed | None:
    """What an answer to a code, a refresh token or a revocation means; None for one to be read."""
    if 200 <= reply.status < 300:
        return None
    error = str(_lowered(reply.problem).get("error", ""))
    if error in ("invalid_client", "unauthorized_client"):
        return AppRefused(words.APP_REFUSED)
    if error in ("invalid_grant", "invalid_request") or (reply.status == 400 and error):
        return GrantRefused(words.CONNECT_AGAIN)
    if reply.status == 401:
        return AppRefused(words.APP_REFUSED)
    return common(reply)


def of_connections(reply: Reply) -> VendorFailed | None:
    """What an answer about the connections themselves means; None for one to be read, or for one that is gone."""
    if 200 <= reply.status < 300 or reply.status == 404:
        return None
    if reply.status in (401, 403):
        return AccessStale(words.CONNECT_AGAIN)
    return common(reply)


def common(reply: Reply) -> VendorFailed:
    """What any other answer means."""
    if reply.status == 429:
        return _too_many(reply)
    if reply.status >= 500:
        return TryLater(OUT_OF_ORDER.format(status=reply.status), reply.retry_after_s)
    if reply.status == 413:
        return Refused("This is larger than Xero takes.", ("The request is too large.",))
    return Refused(f"Xero answered {reply.status}, which is not expected.")


def _too_many(reply: Reply) -> TooMany:
    which = reply.headers.get("x-rate-limit-problem", "").lower()
    after = reply.retry_after_s
    if "day" in which or "daily" in which:
        return TooMany(words.DAY_USED_UP, after if after is not None else DAY_S / 24, is_day=True)
    return TooMany("Xero is asked as often as it allows. What is left goes on by itself in a minute.", after)


def _bad_request(found: Mapping[str, Any]) -> VendorFailed:
    messages = _validation_messages(found)
    if any("is used with a different request" in message for message in messages):
        return KeyReused(words.said(messages), messages)
    if found.get("errornumber") == QUERY_PARSE_ERROR or found.get("type") == "QueryParseException":
        return QueryNotUnderstood(words.said(messages), messages)
    return Refused(words.said(messages), messages)


def _validation_messages(found: Mapping[str, Any]) -> tuple[str, ...]:
    said: list[str] = []
    elements = found.get("elements")
    for element in elements if isinstance(elements, list) else ():
        if isinstance(element, Mapping):
            said.extend(messages_in(element.get("ValidationErrors")))
    if not said:
        said = [str(found[name]) for name in ("message", "detail", "title") if isinstance(found.get(name), str)][:1]
    return tuple(dict.fromkeys(said))


def _lowered(found: Mapping[str, Any]) -> dict[str, Any]:
    return {name.lower(): value for name, value in found.items()}
