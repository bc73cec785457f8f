"""A reply as it comes together, and whether it may be handed on. Nothing is repaired: only one JSON object will do."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import httpx

from research.adapters.generators import refusals
from research.adapters.generators.transport import Line
from research.model_terms import ModelReply

log = logging.getLogger(__name__)

NAME = re.compile(r"[\w.:/@+~-]{1,120}", re.ASCII)  # of a model: a server may send any text as one, and it is shown
MOST_TOKENS = 100_000_000  # more were not counted but made up


@dataclass(slots=True)
class Gathered:
    """What of a reply has arrived. ended: the provider said that it is whole; is_truncated: at the most tokens.

    model: as the provider names it; named: as it was asked for. calls: the arguments of each tool call, by its number;
    None where no tool was offered.
    """

    line: Line
    model: str
    max_tokens: int
    calls: dict[int, str] | None = None
    pieces: list[str] = field(default_factory=list)
    ended: bool = False
    is_truncated: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    named: str = field(init=False)

    def __post_init__(self) -> None:
        self.named = self.model

    def add(self, piece: str) -> None:
        """Words of the reply itself."""
        self.pieces.append(piece)
        self.line.heard(piece)

    def add_to_call(self, number: int, piece: str) -> None:
        """Words of the arguments of a tool call."""
        assert self.calls is not None
        self.calls[number] = self.calls.get(number, "") + piece
        self.line.heard(piece)

    def reply(self) -> ModelReply:
        """The reply, whole and one JSON object. Raises ModelFailed."""
        host = self.line.place.host
        if self.is_truncated:
            raise refusals.truncated(host, self.max_tokens)
        if not self.ended:
            raise refusals.cut_off(host)
        if self.calls is not None and len(self.calls) != 1:
            log.warning("The model at %s made %d tool calls where one was forced.", host, len(self.calls))
            made = f"made {len(self.calls)} tool calls" if self.calls else "made no tool call"
            raise refusals.no_tool_call(host, made)
        text = "".join(self.pieces) if self.calls is None else next(iter(self.calls.values()))
        found = _found_in(text)
        if found:
            log.warning("The model at %s sent %s (%d characters).", host, found, len(text))
            raise refusals.not_json(host, found)
        model = self.model if NAME.fullmatch(self.model) else self.named
        tokens = (min(count, MOST_TOKENS) for count in (self.prompt_tokens, self.completion_tokens))
        return ModelReply(text, model, *tokens)


def _found_in(text: str) -> str:
    """What a text is instead of one JSON object, in words; "" for one that is."""
    if not text.strip():
        return "nothing but white space" if text else "nothing"
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return "a Markdown block" if text.lstrip().startswith("```") else f"{len(text):,} characters that are not JSON"
    if not isinstance(value, dict):
        return "JSON of another kind"
    try:
        written = json.dumps(value, ensure_ascii=False)
        (text + written).encode()  # the text by itself: of two entries of one name the value holds the last alone
    except UnicodeEncodeError:
        return "JSON with broken characters"
    return "JSON with a null character" if "\\u0000" in written else ""


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def lines_of(answer: httpx.Response) -> Iterator[bytes]:
    """The lines of an answer as they come. Only \\n ends one: splitlines would break a quote at U+2028 or U+0085."""
    rest = b""
    for chunk in answer.iter_bytes():
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole
    if rest:
        yield rest


def events_of(answer: httpx.Response, host: str) -> Iterator[dict[str, Any]]:
    """The JSON of each Server-Sent Event up to "[DONE]". Raises ModelFailed for data that is not a JSON object."""
    data: list[bytes] = []
    for line in (line.removesuffix(b"\r") for line in lines_of(answer)):
        if line.startswith(b"data:"):
            data.append(line[5:].strip())
        elif not line and data:
            if data == [b"[DONE]"]:
                return
            yield object_of(b"\n".join(data), host)
            data = []
    if data and data != [b"[DONE]"]:
        yield object_of(b"\n".join(data), host)


def whole_of(answer: httpx.Response, host: str) -> dict[str, Any]:
    """The JSON object that an answer is which was not streamed. Raises ModelFailed."""
    return object_of(b"".join(answer.iter_bytes()), host)


def is_streamed(answer: httpx.Response) -> bool:
    return "event-stream" in answer.headers.get("content-type", "")


def object_of(data: bytes, host: str) -> dict[str, Any]:
    """The JSON object that a part of an answer is. Raises ModelFailed."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        if data.lstrip()[:1] == b"{":
            raise refusals.cut_off(host) from None
        kind = "a web page" if data.lstrip()[:1] == b"<" else "an answer in another protocol"
        raise refusals.not_json(host, kind) from None
    if not isinstance(value, dict):
        raise refusals.not_json(host, "an answer in another protocol")
    return value


def text_in(part: Mapping[str, Any], name: str) -> str:
    """A field that should be text; "" where it is not there or something else."""
    value = part.get(name)
    return value if isinstance(value, str) else ""


def count_in(part: Mapping[str, Any], name: str) -> int:
    """A field that should be a count; 0 where it is not there or something else."""
    value = part.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def object_in(part: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A field that should be an object; {} where it is not there or something else."""
    value = part.get(name)
    return value if isinstance(value, dict) else {}


def objects_in(part: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """A field that should be a list of objects; what is no object is left out."""
    value = part.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
