"""Whatever a provider sends, an adapter hands on one JSON object or fails as a model fails: nothing else comes out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from research.adapters.generators.anthropic import Anthropic
from research.adapters.generators.ollama import Ollama
from research.adapters.generators.openai_chat import OpenAIChat
from research.adapters.generators.probe import schema_for
from research.adapters.generators.transport import Limits
from research.adapters.generators.vendors import VENDORS
from research.model_terms import ModelFailed, ModelReply, ModelRequest
from research.ports import LanguageModel

pytestmark = pytest.mark.unit

REQUEST = ModelRequest("quotes", "Select.", "The matter.", schema_for(("s1",)), max_tokens=500)
HERE = "http://127.0.0.1:9"
QUICK = Limits(total_s=20, tries=1)
MODELS: dict[str, LanguageModel] = {
    "chat": OpenAIChat(VENDORS["custom"], "tiny", base_url=HERE, limits=QUICK),
    "chat with a tool": OpenAIChat(VENDORS["minimax"], "tiny", base_url=HERE, limits=QUICK),
    "anthropic": Anthropic("tiny", base_url=HERE, limits=QUICK),
    "ollama": Ollama("tiny", base_url=HERE, limits=QUICK),
}
PARTS = """choices delta message content tool_calls function arguments index finish_reason usage error type text model
content_block partial_json stop_reason input done done_reason role prompt_tokens input_tokens eval_count"""
SAID = """stop length error tool_use message_start content_block_start content_block_delta message_delta message_stop
message input_json_delta text_delta refusal max_tokens {} {"quotes":[]} assistant x"""
NAMES, WORDS = st.sampled_from(PARTS.split()), st.sampled_from(SAID.split())
PLAIN = st.none() | st.booleans() | st.integers(-2, 2**63) | st.floats(allow_nan=False) | WORDS | st.text(max_size=8)
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4))
EVENTS = st.lists(st.dictionaries(NAMES, VALUES, max_size=6) | VALUES, max_size=6)
KINDS = st.sampled_from(["text/event-stream", "application/json", "application/x-ndjson", "text/html", ""])


def sends(monkeypatch: pytest.MonkeyPatch, kind: str, body: bytes, size: int) -> None:
    """From now on the provider sends this body in pieces of this size."""

    class Pieces(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            return (body[at : at + size] for at in range(0, len(body), size))

    def handle_request(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"Content-Type": kind}, stream=Pieces())

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", handle_request)


def is_read_or_fails(model: LanguageModel) -> None:
    try:
        reply = model.ask(REQUEST)
    except ModelFailed:
        return
    assert isinstance(reply, ModelReply)
    assert isinstance(json.loads(reply.text), dict)
    assert reply.prompt_tokens >= 0 and reply.completion_tokens >= 0


FRAMED: dict[str, Callable[[list[Any]], str]] = {
    "events": lambda events: "".join(f"data: {json.dumps(event)}\n\n" for event in events),
    "lines": lambda events: "".join(f"{json.dumps(event)}\n" for event in events),
    "whole": lambda events: json.dumps(events[0]) if events else "",
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("framed", FRAMED)
@given(events=EVENTS, kind=KINDS, size=st.integers(1, 40))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_events_of_any_shape(name: str, framed: str, events: list[Any], kind: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        sends(monkeypatch, kind, FRAMED[framed](events).encode(errors="surrogatepass"), size)
        is_read_or_fails(MODELS[name])


@pytest.mark.parametrize("name", MODELS)
@given(body=st.binary(max_size=200), kind=KINDS, size=st.integers(1, 40))
@settings(max_examples=25, deadline=None)
def test_bytes_of_any_kind(name: str, body: bytes, kind: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        sends(monkeypatch, kind, body, size)
        is_read_or_fails(MODELS[name])


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("before", [b"", b"data: "])
@pytest.mark.parametrize("deep", [b"[", b'{"a":'])
def test_json_that_is_nested_without_end(
    monkeypatch: pytest.MonkeyPatch, name: str, before: bytes, deep: bytes
) -> None:
    sends(monkeypatch, "text/event-stream" if before else "application/json", before + deep * 20_000 + b"\n\n", 4096)
    with pytest.raises(ModelFailed):
        MODELS[name].ask(REQUEST)
