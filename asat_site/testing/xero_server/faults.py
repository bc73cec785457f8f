"""What came in, and what is to go wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

BOOKS = "/api.xro/2.0"


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came. path: decoded. headers: names in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def name(self) -> str:
        """ "PUT /Invoices": the method, and the path without where the books are."""
        return f"{self.method} {self.path.removeprefix(BOOKS)}"

    @property
    def is_of_books(self) -> bool:
        return self.path.startswith(BOOKS)

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"

    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return b"" if self.body is None else json.dumps(self.body).encode()


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens in place of an answer. status and body: answered instead, and nothing is done.

    unheard: what was asked is done, and the connection breaks before an answer. deaf: it breaks before that.
    mangles: what was asked is done, and `body` is answered.
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    unheard: bool = False
    deaf: bool = False
    mangles: bool = False


def validation(*messages: str) -> Answer:
    """A 400 as Xero writes it."""
    return Answer(
        400,
        {
            "ErrorNumber": 10,
            "Type": "ValidationException",
            "Message": "A validation exception occurred",
            "Elements": [{"ValidationErrors": [{"Message": message} for message in messages]}],
        },
    )


def unauthorised(detail: str) -> Answer:
    """A 401 or 403 as Xero writes it."""
    status = 403 if detail == "AuthenticationUnsuccessful" else 401
    return Answer(status, {"Type": None, "Title": "Unauthorized", "Status": status, "Detail": detail})
