"""What a fake provider was asked, and what it is to say or to do wrong next."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from asat_site.testing.model_server.protocols import max_tokens_in, schema_in

Answer = Callable[[dict[str, Any]], "dict[str, Any] | str"]
PATHS = {"openai_compatible": "/v1", "aggregator": "/v1", "anthropic": "", "ollama": ""}
CHARACTERS_A_TOKEN = 4


class Trouble(StrEnum):
    """One thing that goes wrong with an answer, however the request was asked."""

    SILENCE = "accepts the request and says nothing"
    SLOW_HEADERS = "sends its headers a byte at a time"
    SLOW_DRIP = "sends a byte now and then, without end"
    CUT_STREAM = "ends the answer tidily before its end marker"
    RESET = "breaks the connection off in the middle of the answer"
    REDIRECT = "sends the client elsewhere"
    OVERSIZED = "sends more than anybody asked for"
    ERROR_IN_STREAM = "begins an answer and then reports an error in it"
    TRUNCATED = "stops at the most tokens, in the middle of the JSON"
    NO_TOOL_CALL = "chats where a tool call was forced"
    SCHEMA_IGNORED = "says a JSON object of another shape"
    ENUM_IGNORED = "names a source that was never offered"
    FENCED = "puts the JSON into a Markdown fence"
    TRAILING_PROSE = "adds a sentence after the JSON"
    BLANK = "says white space"
    BROKEN_JSON = "says JSON that does not parse, and calls it finished"
    A_LIST = "says a JSON list"
    NO_JSON_AT_ALL = "answers 200 with a web page"


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came. headers: names in lower case; text: the body unread; protocol: by its path, "" for none."""

    path: str
    protocol: str
    headers: Mapping[str, str]
    text: str

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.text)


@dataclass(frozen=True, slots=True)
class Turn:
    """What to do with one request: say something, answer a status, or be trouble; with `headers` beside."""

    says: dict[str, Any] | str | None = None
    status: int = 200
    trouble: Trouble | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    detail: str = ""


class ModelServer:
    """The script of a fake provider and the record of what it was asked. Safe for several clients at once.

    heeds_max_tokens: whether a reply longer than was asked for is cut short, four characters being a token.
    """

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[Received] = []
        self.heeds_max_tokens = False
        self.model_named = ""  # what it calls the model that answered; "" for the one asked for
        self._turns: deque[Turn] = deque()
        self._answer: Answer = lambda body: least_of(schema_in(body))
        self._lock = threading.Lock()
        self.closing = threading.Event()

    def address(self, protocol: str) -> str:
        """The base URL for an adapter of this protocol."""
        return self.url + PATHS[protocol]

    def will_say(self, *replies: dict[str, Any] | str) -> None:
        """The next replies, in order: a dict as JSON, a str as it stands."""
        self._turns.extend(Turn(says=reply) for reply in replies)

    def will_fail(self, status: int, *, retry_after: str = "", detail: str = "", times: int = 1) -> None:
        """The next answers: this HTTP status, as the protocol words an error; `detail` in its message."""
        headers = {"Retry-After": retry_after} if retry_after else {}
        self._turns.extend(Turn(status=status, headers=headers, detail=detail) for _ in range(times))

    def will(self, trouble: Trouble, *, says: dict[str, Any] | str | None = None, times: int = 1) -> None:
        """The next answers: this trouble. says: what it is done to; None for the ordinary reply."""
        self._turns.extend(Turn(says=says, trouble=trouble) for _ in range(times))

    def answers_with(self, answer: Answer) -> None:
        """From now on, whenever nothing else is set: what this says to the request's JSON. A str is said as it stands.

        Called in the server's threads, one request at a time for each client; what it raises is answered as a 500.
        """
        self._answer = answer

    def take(self, received: Received) -> Turn:
        """Record a request, and say what is to be done with it."""
        with self._lock:
            self.requests.append(received)
            turn = self._turns.popleft() if self._turns else Turn()
        if turn.status == 200 and turn.says is None and received.protocol:
            return Turn(self._answer(received.body), trouble=turn.trouble)
        return turn

    def is_too_long(self, received: Received, text: str) -> bool:
        return self.heeds_max_tokens and len(text) > CHARACTERS_A_TOKEN * max_tokens_in(received.body)


def least_of(schema: Mapping[str, Any], offered: bool = True) -> Any:
    """The least value that satisfies a JSON Schema, lists having one item. offered: False breaks every enum."""
    if "enum" in schema:
        return schema["enum"][0] if offered else "source-never-offered"
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type", "object")
    match kind if isinstance(kind, str) else kind[0]:
        case "object":
            return {name: least_of(part, offered) for name, part in schema.get("properties", {}).items()}
        case "array":
            return [least_of(schema["items"], offered)] if "items" in schema and schema.get("maxItems", 1) else []
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "null":
            return None
    return "words".ljust(schema.get("minLength", 0), ".")
