"""What an answer of Xero's means, and in which words an accountant hears of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from integrations.exchange import Reply
from integrations.terms import LacksScopes, TryLater, VendorFailed
from integrations.xero import attaching, judging, words
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


def reply(status: int, body: Any = None, **headers: str) -> Reply:
    content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    return Reply(status, {name.replace("_", "-"): value for name, value in headers.items()}, content)


def errors(*messages: str) -> dict[str, Any]:
    return {
        "ErrorNumber": 10,
        "Type": "ValidationException",
        "Message": "A validation exception occurred",
        "Elements": [{"ValidationErrors": [{"Message": each} for each in messages]}],
    }


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (reply(200, {"Invoices": []}), None),
        (reply(200, b""), TryLater),
        (reply(200, b"<html>"), TryLater),
        (reply(200, b"<Response/>"), TryLater),
        (reply(401, {"Title": "Unauthorized", "Detail": "TokenExpired: token expired"}), AccessStale),
        (reply(401, {"title": "Unauthorized", "detail": "AuthenticationUnsuccessful"}), AccessStale),
        (reply(401, b"", www_authenticate="Bearer error=invalid_token"), AccessStale),
        (reply(401, {"Detail": "AuthorizationUnsuccessful"}), LacksScopes),
        (reply(403, {"Detail": "AuthenticationUnsuccessful"}), TenantGone),
        (reply(404, b""), NotThere),
        (reply(400, errors("x")), Refused),
        (reply(400, {"ErrorNumber": 16, "Type": "QueryParseException", "Message": "m"}), QueryNotUnderstood),
        (reply(400, errors("The key is used with a different request")), KeyReused),
        (reply(400, b"<html>"), Refused),
        (reply(413, b""), Refused),
        (reply(429, b""), TooMany),
        (reply(500, b""), TryLater),
        (reply(502, b"<html>"), TryLater),
        (reply(503, {"Status": 503}), TryLater),
        (reply(418, b""), Refused),
    ],
)
def test_an_answer_about_the_books_is_judged(answer: Reply, kind: type[VendorFailed] | None) -> None:
    found = judging.of_books(answer)
    assert found is None if kind is None else type(found) is kind


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, "invalid_grant", GrantRefused),
        (400, "invalid_client", AppRefused),
        (401, "invalid_client", AppRefused),
        (400, "unauthorized_client", AppRefused),
        (400, "unsupported_grant_type", GrantRefused),
        (401, "", AppRefused),
        (500, "", TryLater),
        (503, "", TryLater),
    ],
)
def test_an_answer_about_access_is_judged(status: int, error: str, kind: type[VendorFailed]) -> None:
    assert type(judging.of_access(reply(status, {"error": error} if error else b""))) is kind


@pytest.mark.parametrize(
    ("which", "after", "is_day", "wait"),
    [
        ("minute", "7", False, 7.0),
        ("Minute limit", "7", False, 7.0),
        ("day", "40000", True, 40000.0),
        ("Daily", "", True, 3600.0),
        ("appminute", "3", False, 3.0),
        ("concurrent", "", False, None),
    ],
)
def test_a_limit_says_which_and_how_long(which: str, after: str, is_day: bool, wait: float | None) -> None:
    headers = {"x_rate_limit_problem": which, **({"retry_after": after} if after else {})}
    found = judging.of_books(reply(429, b"", **headers))
    assert isinstance(found, TooMany)
    assert (found.is_day, found.is_far_off, found.retry_after_s) == (is_day, is_day, wait)


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("The contact with the specified contact details has been archived.", "The supplier’s contact is archived"),
        ("The contact name X is already assigned to another contact.", "Xero says that another contact"),
        ("The document date cannot be before the period lock date 30 June 2026", "The period of this bill is locked"),
        ("The document date cannot be before the end of year lock date", "The year of this bill is locked"),
        ("Organisation is not subscribed to currency USD", "This organisation does not keep the bill’s currency"),
        ("The TaxType code 'INPUT' does not exist", "Xero does not take the bill’s GST code"),
        ("A new thing is wrong.", "Xero: “A new thing is wrong.”"),
    ],
)
def test_what_xero_says_is_told_in_an_accountants_words_with_its_own_behind(said: str, begins: str) -> None:
    told = words.said([said])
    assert told.startswith(begins) and said in told


def test_every_message_is_told_once_and_none_is_endless() -> None:
    assert words.said(["a", "a", " b "]) == "Xero: “a” Xero: “b”"
    assert words.said([]) == "Xero did not take it, and did not say why."
    assert len(words.said(["x" * 5000])) < 400


@pytest.mark.parametrize(
    ("name", "kind", "made"),
    [
        ("Invoice #12 (A&B) 50%+.pdf", "application/pdf", "Invoice-12-A-B-50-1a2b.pdf"),
        ("Rechnung Zürich.pdf", "application/pdf", "Rechnung-Zurich-1a2b.pdf"),
        ("scan.JPEG ", "image/jpeg", "scan-1a2b.jpg"),
        ("scan.jpg", "application/pdf", "scan-jpg-1a2b.pdf"),
        ("noending", "image/png", "noending-1a2b.png"),
        (".hidden", "image/png", "hidden-1a2b.png"),
        ("../../etc/passwd", "text/plain", "etc-passwd-1a2b.txt"),
        ("[brackets].pdf", "application/pdf", "brackets-1a2b.pdf"),
        ("发票.pdf", "application/pdf", "document-1a2b.pdf"),
        ("", "application/pdf", "document-1a2b.pdf"),
        ("a\r\nX-Evil: 1.pdf", "application/pdf", "a-X-Evil-1-1a2b.pdf"),
    ],
)
def test_an_attachment_has_a_name_that_xero_takes(name: str, kind: str, made: str) -> None:
    assert attaching.attachment_name(name, kind, "1a2b") == made


def test_a_long_name_keeps_its_mark_and_ending() -> None:
    made = attaching.attachment_name("x" * 300 + ".pdf", "application/pdf", "1a2b")
    assert (len(made), made[-9:]) == (100, "-1a2b.pdf")


@pytest.mark.parametrize(
    ("kind", "size", "says"),
    [
        ("application/pdf", 10_000_000, ""),
        ("application/pdf", 10_000_001, "larger than the 10 MB"),
        ("application/pdf", 0, "is empty"),
        ("image/heic", 5, "no file of this kind"),
        ("image/webp", 5, "no file of this kind"),
        ("text/html", 5, "no file of this kind"),
        ("application/pdf", None, ""),
    ],
)
def test_what_xero_takes_as_an_attachment(kind: str, size: int | None, says: str) -> None:
    why = attaching.why_not(kind, size)
    assert says in why and bool(why) is bool(says)
