"""The three protocols as a provider speaks them: what a request asks for, and how a reply goes out, frame by frame."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PIECE = 24  # characters to a frame: enough frames to be cut between
PROTOCOLS = {"/v1/chat/completions": "openai_compatible", "/v1/messages": "anthropic", "/api/chat": "ollama"}


def schema_in(body: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema that a request carries, however it was asked for; {} for none."""
    shape = body.get("response_format") or {}
    if shape.get("json_schema"):
        return shape["json_schema"]["schema"]
    for tool in body.get("tools", ()):
        return tool["input_schema"] if "input_schema" in tool else tool["function"]["parameters"]
    if isinstance(body.get("format"), dict):
        return body["format"]
    in_words = str(body["messages"][0]["content"]).partition("JSON Schema:\n")[2]
    return json.loads(in_words) if in_words else {}


def max_tokens_in(body: Mapping[str, Any]) -> int:
    """The most tokens that a request asks for."""
    options = body.get("options", {})
    found = body.get("max_tokens") or body.get("max_completion_tokens") or options.get("num_predict")
    return int(found or 1_000_000)


def asks_for_tool(body: Mapping[str, Any]) -> bool:
    return bool(body.get("tools"))


@dataclass(frozen=True, slots=True)
class Said:
    """A reply to be sent. as_tool: within a tool call; is_truncated: stopped at the most tokens; model: who says so."""

    text: str
    as_tool: bool
    is_truncated: bool
    model: str
    prompt_tokens: int

    @property
    def tokens(self) -> int:
        return (len(self.text) + 3) // 4

    @property
    def pieces(self) -> list[str]:
        return [self.text[at : at + PIECE] for at in range(0, len(self.text), PIECE)]


@dataclass(frozen=True, slots=True)
class Frames:
    """An answer's body: `middle` may be cut anywhere, `end` says that it is whole."""

    content_type: str
    middle: Sequence[bytes]
    end: Sequence[bytes]


def frames_of(protocol: str, said: Said, tool: str, streams: bool) -> Frames:
    """A reply as its protocol sends it. tool: the name of the tool that was offered, "" for none."""
    if not streams:
        return Frames("application/json", [_json(_whole(protocol, said, tool))], [])
    return {"openai_compatible": _openai, "anthropic": _anthropic, "ollama": _ollama}[protocol](said, tool)


def error_frame(protocol: str) -> bytes:
    """An error that is reported in the middle of an answer that began with 200."""
    trouble = {"message": "upstream is overloaded", "type": "overloaded_error"}
    match protocol:
        case "anthropic":
            return _event({"type": "error", "error": trouble}, "error")
        case "ollama":
            return _json({"error": trouble["message"]}) + b"\n"
    return _event({"error": {**trouble, "code": 502}, "choices": []})


def error_body(protocol: str, status: int, detail: str) -> bytes:
    """The body of an error's own status."""
    words = detail or f"the request failed with {status}"
    return _json({"error": words} if protocol == "ollama" else {"type": "error", "error": {"message": words}})


def _openai(said: Said, tool: str) -> Frames:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return _event({"object": "chat.completion.chunk", "model": said.model, "choices": [choice]})

    def call(function: dict[str, Any]) -> dict[str, Any]:
        return {"tool_calls": [{"index": 0, "function": function}]}

    middle = [b": processing\n\n", chunk({"role": "assistant", "content": ""})]
    if said.as_tool:
        middle.append(
            chunk({"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": tool}}]})
        )
    middle += [chunk(call({"arguments": piece}) if said.as_tool else {"content": piece}) for piece in said.pieces]
    usage = {"model": said.model, "choices": [], "usage": _openai_usage(said)}
    return Frames("text/event-stream", middle, [chunk({}, _openai_finish(said)), _event(usage), b"data: [DONE]\n\n"])


def _anthropic(said: Said, tool: str) -> Frames:
    def delta(piece: str) -> bytes:
        part = (
            {"type": "input_json_delta", "partial_json": piece}
            if said.as_tool
            else {"type": "text_delta", "text": piece}
        )
        return _event({"type": "content_block_delta", "index": 0, "delta": part}, "content_block_delta")

    message = {"role": "assistant", "model": said.model, "content": [], "usage": {"input_tokens": said.prompt_tokens}}
    block = (
        {"type": "tool_use", "id": "toolu_1", "name": tool, "input": {}}
        if said.as_tool
        else {"type": "text", "text": ""}
    )
    middle = [
        _event({"type": "message_start", "message": message}, "message_start"),
        _event({"type": "content_block_start", "index": 0, "content_block": block}, "content_block_start"),
        _event({"type": "ping"}, "ping"),
        *[delta(piece) for piece in said.pieces],
    ]
    stopped = {"stop_reason": _anthropic_stop(said), "stop_sequence": None}
    usage = {"output_tokens": said.tokens}
    return Frames(
        "text/event-stream",
        middle,
        [
            _event({"type": "content_block_stop", "index": 0}, "content_block_stop"),
            _event({"type": "message_delta", "delta": stopped, "usage": usage}, "message_delta"),
            _event({"type": "message_stop"}, "message_stop"),
        ],
    )


def _ollama(said: Said, tool: str) -> Frames:
    def line(content: str, **more: Any) -> bytes:
        message = {"role": "assistant", "content": content}
        whole = {"model": said.model, "created_at": "2024-01-01T00:00:00Z", "message": message, "done": False, **more}
        return _json(whole) + b"\n"

    counts = {"prompt_eval_count": said.prompt_tokens, "eval_count": said.tokens}
    end = line("", done=True, done_reason="length" if said.is_truncated else "stop", **counts)
    return Frames("application/x-ndjson", [line(piece) for piece in said.pieces], [end])


def _whole(protocol: str, said: Said, tool: str) -> dict[str, Any]:
    """A reply that is not streamed."""
    if protocol == "anthropic":
        # A tool's input is JSON already there: what does not parse can only be sent in a stream.
        used = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": _parsed(said.text)}
        usage = {"input_tokens": said.prompt_tokens, "output_tokens": said.tokens}
        content = [used if said.as_tool else {"type": "text", "text": said.text}]
        return {
            "type": "message",
            "model": said.model,
            "content": content,
            "stop_reason": _anthropic_stop(said),
            "usage": usage,
        }
    if protocol == "ollama":
        counts = {"prompt_eval_count": said.prompt_tokens, "eval_count": said.tokens}
        reason = "length" if said.is_truncated else "stop"
        message = {"role": "assistant", "content": said.text}
        return {"model": said.model, "message": message, "done": True, "done_reason": reason, **counts}
    spoken: dict[str, Any] = {"role": "assistant", "content": None if said.as_tool else said.text}
    if said.as_tool:
        function = {"name": tool, "arguments": said.text}
        spoken = {**spoken, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    choice = {"index": 0, "message": spoken, "finish_reason": _openai_finish(said)}
    return {"object": "chat.completion", "model": said.model, "choices": [choice], "usage": _openai_usage(said)}


def _openai_usage(said: Said) -> dict[str, int]:
    return {"prompt_tokens": said.prompt_tokens, "completion_tokens": said.tokens}


def _openai_finish(said: Said) -> str:
    return "length" if said.is_truncated else "tool_calls" if said.as_tool else "stop"


def _anthropic_stop(said: Said) -> str:
    return "max_tokens" if said.is_truncated else "tool_use" if said.as_tool else "end_turn"


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {}


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _event(value: Any, name: str = "") -> bytes:
    return (f"event: {name}\n".encode() if name else b"") + b"data: " + _json(value) + b"\n\n"
