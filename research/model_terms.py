"""What is asked of a language model and what comes back, as values. Nothing here knows a vendor or the law.

A model proposes; code disposes. A reply is text that has yet to be read, and may be anything at all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ModelProblem(StrEnum):
    """What kept a model from answering, one of a closed list. Each is an outage and none an abstention."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    UNAUTHORISED = "unauthorised"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    REQUEST_REFUSED = "request_refused"
    ADDRESS_REFUSED = "address_refused"
    REDIRECTED = "redirected"
    TOO_LARGE = "too_large"
    CUT_OFF = "cut_off"
    TRUNCATED = "truncated"
    NOT_JSON = "not_json"
    NO_TOOL_CALL = "no_tool_call"
    NOT_ALLOWED = "not_allowed"


class ModelFailed(Exception):
    """A model could not be asked, or what came back cannot be read.

    message: what happened and what to do, in words for a person; never a key, an address with a secret or what was
    sent. retry_after_s: what the provider asked to wait, None where it said nothing.
    """

    def __init__(self, problem: ModelProblem, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.problem = problem
        self.message = message
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request: instructions, matter, and the JSON Schema that the reply is to satisfy.

    purpose: "quotes" or "prose"; names the schema as well. max_tokens: of the reply. seed: None for none.
    """

    purpose: str
    system: str
    user: str
    schema: Mapping[str, Any]
    max_tokens: int
    seed: int | None = None
    temperature: float = 0.0

    @property
    def digest(self) -> str:
        """sha256 hex of everything that shapes the reply: the same request has the same."""
        whole = [self.purpose, self.system, self.user, self.schema, self.max_tokens, self.seed, self.temperature]
        text = json.dumps(whole, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model said. text: the JSON text, unread; model: as the provider named it; tokens as it counted them."""

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its reply, as the audit row keeps them: what a replay answers from, without asking again."""

    purpose: str
    request_digest: str
    reply: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Who answers. seed: None where none is sent; honours_seed: whether the provider says that it heeds one.

    is_remote: whether what is asked leaves this machine. host: where it goes, "" for none.
    """

    provider: str
    model: str
    seed: int | None = None
    honours_seed: bool = False
    is_remote: bool = False
    host: str = ""


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What a model did for one answer: offered, chosen, verified and dropped, and what it cost.

    offered, chosen and verified: chunk ids, in order. dropped: in plain words, without the words themselves.
    grounded_by: the scorer that held prose against quotes; lowest: the least of its scores that was let through.
    samples: how often it was drafted; exchanges are those of all, the rest is of the first. second: who drafted the
    second, None where that was the same. context_tokens: how much of the law it could be shown, 0 in an older record.
    """

    identity: ModelIdentity
    offered: tuple[int, ...] = ()
    chosen: tuple[int, ...] = ()
    verified: tuple[int, ...] = ()
    dropped: tuple[str, ...] = ()
    exchanges: tuple[Exchange, ...] = field(default_factory=tuple)
    grounded_by: str = ""
    lowest: float | None = None
    samples: int = 1
    context_tokens: int = 0
    second: ModelIdentity | None = None

    @property
    def prompt_tokens(self) -> int:
        return sum(exchange.prompt_tokens for exchange in self.exchanges)

    @property
    def completion_tokens(self) -> int:
        return sum(exchange.completion_tokens for exchange in self.exchanges)
