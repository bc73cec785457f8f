"""Chat completions, OpenAI's protocol, which most providers and servers speak. How each differs is `vendors.py`'s."""

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
from research.adapters.generators.vendors import Shape, Vendor
from research.model_terms import ModelIdentity, ModelReply, ModelRequest
from research.ports import Waiting, waiting_quietly

ASKED_IN_WORDS = "\n\nReply with one JSON object and nothing else. It must satisfy this JSON Schema:\n"


class OpenAIChat:
    """`research.ports.LanguageModel` over chat completions.

    vendor: of `vendors.VENDORS`. base_url: "" for the vendor's own. provider: as shown, "openai_compatible" or
    "aggregator". seed: sent where the vendor has a field for one, unless a request carries its own.
    """

    def __init__(
        self,
        vendor: Vendor,
        model: str,
        key: str = "",
        *,
        base_url: str = "",
        seed: int | None = None,
        provider: str = "openai_compatible",
        limits: Limits | None = None,
        is_from_practice: bool = False,
    ) -> None:
        self._vendor, self._model = vendor, model
        self._base_url = base_url or vendor.base_url
        self._key, self._limits = Key(key), limits or Limits()
        self._is_from_practice = is_from_practice and bool(base_url)  # a vendor's own was given by nobody
        self._seed = seed if vendor.seed else None
        self._provider = provider

    def __repr__(self) -> str:
        return f"OpenAIChat({self._vendor.name}, {self._model})"

    @property
    def identity(self) -> ModelIdentity:
        return ModelIdentity(
            provider=self._provider,
            model=self._model,
            seed=self._seed,
            honours_seed=self._vendor.honours_seed and self._seed is not None,
            is_remote=self._provider == "aggregator" or self._vendor.forwards or is_remote(self._base_url),
            host=host_of(self._base_url),
        )

    def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
        """The model's reply, one JSON object. Raises ModelFailed, and what `waiting` raises."""
        place = place_of(self._base_url, self._is_from_practice)
        body = self.body(request)

        def read(line: Line) -> ModelReply:
            gathered = Gathered(line, self._model, request.max_tokens, {} if "tools" in body else None)
            address = f"{place.url}/chat/completions"
            with line.client() as http, http.stream("POST", address, json=body, headers=self._vendor.headers) as answer:
                _gather(answer, gathered)
            return gathered.reply()

        return talk(place, self._key, self._limits, read, waiting)

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        """The JSON that `ask` sends."""
        vendor = self._vendor
        seed = self._seed if request.seed is None else request.seed
        shaped = _shaped(vendor, request)
        in_words = ASKED_IN_WORDS + json.dumps(request.schema) if vendor.shape is Shape.OBJECT else ""
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": request.system + in_words},
                {"role": "user", "content": request.user},
            ],
            vendor.max_tokens: request.max_tokens,
            "stream": vendor.streams,
            **shaped,
            **vendor.body,
        }
        if vendor.takes_temperature(self._model):
            body["temperature"] = max(request.temperature, vendor.least_temperature)
        if vendor.seed and seed is not None:
            body[vendor.seed] = seed
        if vendor.streams and vendor.asks_usage:
            body["stream_options"] = {"include_usage": True}
        return body


def _shaped(vendor: Vendor, request: ModelRequest) -> dict[str, Any]:
    """The part of a request that asks for JSON under a schema."""
    schema = without(request.schema, vendor.unread)
    match vendor.shape:
        case Shape.SCHEMA:
            named = {"name": request.purpose, "strict": vendor.is_strict, "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case Shape.OBJECT:
            return {"response_format": {"type": "json_object"}}
        case Shape.TOOL:
            function = {"name": request.purpose, "description": "Gives the answer.", "parameters": schema}
            return {
                "tools": [{"type": "function", "function": function}],
                "tool_choice": {"type": "function", "function": {"name": request.purpose}},
            }


def without(schema: Any, keywords: frozenset[str]) -> Any:
    """A JSON Schema without some of its keywords; a property that is called like one stays."""
    if isinstance(schema, list):
        return [without(part, keywords) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {name: part for name, part in schema.items() if name not in keywords}
    for name, part in kept.items():
        if name in ("properties", "$defs"):
            kept[name] = {key: without(value, keywords) for key, value in part.items()}
        elif name not in ("enum", "const"):
            kept[name] = without(part, keywords)
    return kept


def _gather(answer: httpx.Response, gathered: Gathered) -> None:
    """Read an answer, streamed or whole."""
    host = gathered.line.place.host
    if is_streamed(answer):
        for event in events_of(answer, host):
            _take(event, gathered)
    else:
        _take(whole_of(answer, host), gathered)


def _take(event: Mapping[str, Any], gathered: Gathered) -> None:
    """One event of the stream, or the whole answer: they differ by "delta" and "message" alone."""
    host = gathered.line.place.host
    if event.get("error"):
        raise refusals.failed_midway(host)
    gathered.model = text_in(event, "model") or gathered.model
    usage = object_in(event, "usage")
    gathered.prompt_tokens = count_in(usage, "prompt_tokens") or gathered.prompt_tokens
    gathered.completion_tokens = count_in(usage, "completion_tokens") or gathered.completion_tokens
    for choice in objects_in(event, "choices")[:1]:
        said, finish = object_in(choice, "delta") or object_in(choice, "message"), text_in(choice, "finish_reason")
        if finish == "error":
            raise refusals.failed_midway(host)
        if finish == "content_filter" or text_in(said, "refusal"):
            raise refusals.declined(host)
        gathered.add(text_in(said, "content"))
        if gathered.calls is not None:
            for at, call in enumerate(objects_in(said, "tool_calls")):
                number = count_in(call, "index") if "index" in call else at
                gathered.add_to_call(number, text_in(object_in(call, "function"), "arguments"))
        gathered.ended = gathered.ended or bool(finish)
        gathered.is_truncated = gathered.is_truncated or finish == "length"
