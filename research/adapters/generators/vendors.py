"""What differs between providers that speak the same protocol, as data: one row each.

A field says what the provider's own documents said in November 2026. A provider that is not here is `custom`, and
`manage.py provider probe` says what of it works.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Shape(StrEnum):
    """How a reply under a JSON Schema is asked for.

    SCHEMA: response_format json_schema. OBJECT: response_format json_object, with the schema in the instructions.
    TOOL: one tool whose parameters are the schema, and no choice but to call it.
    """

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Vendor:
    """One provider.

    base_url: "" where it must be given. is_strict: whether a schema is marked as binding. max_tokens, seed: the
    request's names for them, seed "" where none is sent. honours_seed: whether it promises the same reply for the same
    seed; "best effort" is no promise. streams: whether a structured reply may be streamed. asks_usage: whether the
    count of tokens must be asked for in a stream. least_temperature: what stands for 0 where 0 is refused.
    no_temperature: the models that refuse any, as a pattern found in the name. unread: keywords of JSON Schema that it
    refuses. forwards: sends what it is asked on to others, so that it leaves the machine wherever the server is.
    """

    name: str
    title: str
    base_url: str
    shape: Shape = Shape.SCHEMA
    is_strict: bool = True
    max_tokens: str = "max_tokens"
    seed: str = "seed"
    honours_seed: bool = False
    streams: bool = True
    asks_usage: bool = True
    least_temperature: float = 0.0
    no_temperature: str = ""
    unread: frozenset[str] = frozenset()
    forwards: bool = False
    body: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def takes_temperature(self, model: str) -> bool:
        return not self.no_temperature or re.search(self.no_temperature, model.lower()) is None


CLAUDE_WITHOUT = r"claude-(?:opus-(?:4[-.][7-9]|[5-9])|sonnet-[5-9]|haiku-(?:5[-.][5-9]|[6-9])|fable)"
GPT_WITHOUT = r"(?:^|/)(?:gpt-5|o[1-9](?:-|$))"
# No fall-over to a provider that would drop the schema or the seed in silence, and none that keeps what it is sent.
OPENROUTER = {"provider": {"require_parameters": True, "allow_fallbacks": False, "data_collection": "deny"}}

VENDORS = {
    vendor.name: vendor
    for vendor in (
        Vendor(
            "openai",
            "OpenAI",
            "https://api.openai.com/v1",
            max_tokens="max_completion_tokens",
            no_temperature=GPT_WITHOUT,
            unread=frozenset({"minLength", "maxLength", "uniqueItems"}),
            body={"store": False},
        ),
        Vendor("deepseek", "DeepSeek", "https://api.deepseek.com", shape=Shape.OBJECT, seed=""),
        Vendor(
            "kimi",
            "Kimi (Moonshot AI)",
            "https://api.moonshot.ai/v1",
            shape=Shape.OBJECT,
            max_tokens="max_completion_tokens",
            seed="",
            no_temperature=r"^kimi-",  # fixed by the platform; moonshot-v1 takes one
        ),
        Vendor(
            "minimax",
            "MiniMax",
            "https://api.minimax.io/v1",
            shape=Shape.TOOL,
            max_tokens="max_completion_tokens",
            seed="",
            least_temperature=0.01,
            body={"reasoning_split": True},  # else its thoughts stand in the reply
        ),
        Vendor(
            "mistral",
            "Mistral AI",
            "https://api.mistral.ai/v1",
            seed="random_seed",
            honours_seed=True,
            asks_usage=False,  # counted without asking, and an unknown field is refused
        ),
        Vendor("xai", "xAI", "https://api.x.ai/v1", max_tokens="max_completion_tokens"),
        Vendor(
            "groq",
            "Groq",
            "https://api.groq.com/openai/v1",
            max_tokens="max_completion_tokens",
            streams=False,  # a structured reply cannot be streamed
        ),
        Vendor("vllm", "vLLM", "http://127.0.0.1:8000/v1", honours_seed=True),
        Vendor("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", honours_seed=True),
        Vendor(
            "llamacpp",
            "llama.cpp server",
            "http://127.0.0.1:8080/v1",
            honours_seed=True,
            body={"cache_prompt": False},  # a reused prompt may change the reply, whatever the seed
        ),
        Vendor(
            "litellm",
            "LiteLLM",
            "http://127.0.0.1:4000/v1",
            no_temperature=f"{CLAUDE_WITHOUT}|{GPT_WITHOUT}",
            forwards=True,
        ),
        Vendor(
            "openrouter",
            "OpenRouter",
            "https://openrouter.ai/api/v1",
            no_temperature=f"{CLAUDE_WITHOUT}|{GPT_WITHOUT}",
            body=OPENROUTER,
            headers={"X-Title": "AsAt"},
            forwards=True,
        ),
        Vendor("custom", "another server of this protocol", "", no_temperature=f"{CLAUDE_WITHOUT}|{GPT_WITHOUT}"),
    )
}

ANTHROPIC = Vendor(
    "anthropic",
    "Anthropic",
    "https://api.anthropic.com",
    shape=Shape.TOOL,
    seed="",
    no_temperature=CLAUDE_WITHOUT,
    headers={"anthropic-version": "2023-06-01"},
)
OLLAMA = Vendor(
    "ollama", "Ollama", "http://127.0.0.1:11434", is_strict=False, max_tokens="num_predict", honours_seed=True
)


def vendor_named(name: str) -> Vendor:
    """The vendor of this name. Raises ValueError, naming all that there are."""
    try:
        return VENDORS[name]
    except KeyError:
        raise ValueError(f"{name!r} is no provider that AsAt knows; give one of {', '.join(VENDORS)}.") from None
