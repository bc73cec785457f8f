"""Anthropic's Messages, with a tool whose input is the schema and no choice but to call it. It knows no seed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx

from research.adapters.generators import refusals
from research.adapters.generators.addresses import host_of, is_remote, place_of
from research.adapters.generators.keys import Key
from research.adapters.generators.replies import (
    Gathered,
    count_in,
    events_of,
    is_streamed,
    object_in,
    objects_in,
    text_in,
    whole_of,
)
from research.adapters.generators.transport import Limits, Line, talk
from research.adapters.generators.vendors import ANTHROPIC
from research.model_terms import ModelIdentity, ModelReply, ModelRequest
from research.ports import Waiting, waiting_quietly

AT_ITS_LIMIT = ("max_tokens", "model_context_window_exceeded")
COUNTED_IN = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")  # each without the others


class Anthropic:
    """`research.ports.LanguageModel` over Messages. base_url: "" for Anthropic's own."""

    def __init__(
        self,
        model: str,
        key: str = "",
        *,
        base_url: str = "",
        limits: Limits | None = None,
        is_from_practice: bool = False,
    ) -> None:
        self._model, self._base_url = model, base_url or ANTHROPIC.base_url
        self._key, self._limits = Key(key, "x-api-key", ""), limits or Limits()
        self._is_from_practice = is_from_practice and bool(base_url)  # a vendor's own was given by nobody

    def __repr__(self) -> str:
        return f"Anthropic({self._model})"

    @property
    def identity(self) -> ModelIdentity:
        return ModelIdentity(
            ANTHROPIC.name, self._model, is_remote=is_remote(self._base_url), host=host_of(self._base_url)
        )

    def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
        """The input of the model's tool call, one JSON object. Raises ModelFailed, and what `waiting` raises."""
        place = place_of(self._base_url, self._is_from_practice)
        body = self.body(request)

        def read(line: Line) -> ModelReply:
            gathered = Gathered(line, self._model, request.max_tokens, calls={})
            address = f"{place.url.removesuffix('/v1')}/v1/messages"
            with line.client() as http, http.stream("POST", address, json=body, headers=ANTHROPIC.headers) as answer:
                _gather(answer, gathered)
            return gathered.reply()

        return talk(place, self._key, self._limits, read, waiting)

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        """The JSON that `ask` sends."""
        tool = {"name": request.purpose, "description": "Gives the answer.", "input_schema": request.schema}
        body: dict[str, Any] = {
            "model": self._model,
            "system": request.system,
            "messages": [{"role": "user", "content": request.user}],
            "max_tokens": request.max_tokens,
            "tools": [tool],
            "tool_choice": {"type": "tool", "name": request.purpose, "disable_parallel_tool_use": True},
            "stream": True,
        }
        if ANTHROPIC.takes_temperature(self._model):
            body["temperature"] = min(request.temperature, 1.0)
        return body


def _gather(answer: httpx.Response, gathered: Gathered) -> None:
    """Read an answer, streamed or whole."""
    host = gathered.line.place.host
    if is_streamed(answer):
        for event in events_of(answer, host):
            _take(event, gathered)
        return
    whole = whole_of(answer, host)
    if whole.get("type") != "message":
        raise refusals.not_json(host, "an answer in another protocol")
    _take({"type": "message_start", "message": whole}, gathered)
    for number, block in enumerate(objects_in(whole, "content")):
        _take({"type": "content_block_start", "index": number, "content_block": block}, gathered)
    _take({"type": "message_delta", "delta": whole, "usage": object_in(whole, "usage")}, gathered)
    _take({"type": "message_stop"}, gathered)


def _take(event: Mapping[str, Any], gathered: Gathered) -> None:
    """One event of the stream; those of no kind known are passed over, as its documents bid."""
    host, number = gathered.line.place.host, count_in(event, "index")
    match event.get("type"):
        case "error":
            raise refusals.failed_midway(host)
        case "message_start":
            message = object_in(event, "message")
            gathered.model = text_in(message, "model") or gathered.model
            usage = object_in(message, "usage")
            gathered.prompt_tokens = sum(count_in(usage, name) for name in COUNTED_IN)
        case "content_block_start":
            block = object_in(event, "content_block")
            if block.get("type") == "tool_use":
                already = object_in(block, "input")  # {} where it is still to come
                gathered.add_to_call(number, json.dumps(already, ensure_ascii=False) if already else "")
        case "content_block_delta":
            delta = object_in(event, "delta")
            if delta.get("type") == "input_json_delta":
                gathered.add_to_call(number, text_in(delta, "partial_json"))
            else:
                gathered.line.heard(text_in(delta, "text"))
        case "message_delta":
            stopped = text_in(object_in(event, "delta"), "stop_reason")
            if stopped == "refusal":
                raise refusals.declined(host)
            gathered.is_truncated = gathered.is_truncated or stopped in AT_ITS_LIMIT
            gathered.completion_tokens = count_in(object_in(event, "usage"), "output_tokens")
        case "message_stop":
            gathered.ended = True
