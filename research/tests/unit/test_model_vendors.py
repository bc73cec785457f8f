"""What is sent to each provider: the table of vendors, as bodies."""

from __future__ import annotations

import json
from typing import Any

import pytest

from research.adapters.generators.anthropic import Anthropic
from research.adapters.generators.build import build
from research.adapters.generators.ollama import Ollama
from research.adapters.generators.openai_chat import OpenAIChat, without
from research.adapters.generators.probe import schema_for
from research.adapters.generators.transport import Limits
from research.adapters.generators.vendors import ANTHROPIC, VENDORS, Shape, vendor_named
from research.adapters.model_settings import ChosenModel
from research.model_terms import ModelRequest

pytestmark = pytest.mark.unit

SCHEMA = schema_for(("s1", "s2"))
REQUEST = ModelRequest("quotes", "Select.", "The matter.", SCHEMA, max_tokens=500)
TOOL = {"name": "quotes", "description": "Gives the answer.", "parameters": SCHEMA}
BY_SCHEMA = {
    "response_format": {"type": "json_schema", "json_schema": {"name": "quotes", "strict": True, "schema": SCHEMA}}
}
BY_OBJECT = {"response_format": {"type": "json_object"}}
BY_TOOL = {
    "tools": [{"type": "function", "function": TOOL}],
    "tool_choice": {"type": "function", "function": {"name": "quotes"}},
}
COUNTED = {"stream": True, "stream_options": {"include_usage": True}}

BODIES: dict[str, dict[str, Any]] = {
    "openai": {**BY_SCHEMA, **COUNTED, "max_completion_tokens": 500, "seed": 7, "temperature": 0.0, "store": False},
    "deepseek": {**BY_OBJECT, **COUNTED, "max_tokens": 500, "temperature": 0.0},
    "kimi": {**BY_OBJECT, **COUNTED, "max_completion_tokens": 500, "temperature": 0.0},
    "minimax": {**BY_TOOL, **COUNTED, "max_completion_tokens": 500, "temperature": 0.01, "reasoning_split": True},
    "mistral": {**BY_SCHEMA, "stream": True, "max_tokens": 500, "random_seed": 7, "temperature": 0.0},
    "xai": {**BY_SCHEMA, **COUNTED, "max_completion_tokens": 500, "seed": 7, "temperature": 0.0},
    "groq": {**BY_SCHEMA, "stream": False, "max_completion_tokens": 500, "seed": 7, "temperature": 0.0},
    "vllm": {**BY_SCHEMA, **COUNTED, "max_tokens": 500, "seed": 7, "temperature": 0.0},
    "lmstudio": {**BY_SCHEMA, **COUNTED, "max_tokens": 500, "seed": 7, "temperature": 0.0},
    "llamacpp": {**BY_SCHEMA, **COUNTED, "max_tokens": 500, "seed": 7, "temperature": 0.0, "cache_prompt": False},
    "litellm": {**BY_SCHEMA, **COUNTED, "max_tokens": 500, "seed": 7, "temperature": 0.0},
    "openrouter": {
        **BY_SCHEMA,
        **COUNTED,
        "max_tokens": 500,
        "seed": 7,
        "temperature": 0.0,
        "provider": {"require_parameters": True, "allow_fallbacks": False, "data_collection": "deny"},
    },
    "custom": {**BY_SCHEMA, **COUNTED, "max_tokens": 500, "seed": 7, "temperature": 0.0},
}


def test_every_vendor_has_its_row_here() -> None:
    assert BODIES.keys() == VENDORS.keys()


@pytest.mark.parametrize("name", VENDORS)
def test_what_a_vendor_is_sent(name: str) -> None:
    body = dict(OpenAIChat(VENDORS[name], "tiny", "k", base_url="http://127.0.0.1:1/v1", seed=7).body(REQUEST))
    system, user = body.pop("messages")
    assert body.pop("model") == "tiny"
    assert body == BODIES[name]
    assert user == {"role": "user", "content": "The matter."}
    in_words = VENDORS[name].shape is Shape.OBJECT
    assert system["content"].startswith("Select.")
    assert ("JSON Schema" in system["content"]) is in_words
    assert (json.dumps(SCHEMA) in system["content"]) is in_words


@pytest.mark.parametrize("name", VENDORS)
def test_a_vendor_is_asked_at_its_own_address_unless_another_is_given(name: str) -> None:
    vendor = VENDORS[name]
    own = OpenAIChat(vendor, "tiny").identity
    assert own.host == ("" if name == "custom" else vendor.base_url.split("/")[2].split(":")[0])
    assert own.is_remote is (name not in ("vllm", "lmstudio", "llamacpp"))
    assert OpenAIChat(vendor, "tiny", base_url="https://models.example.com/v1").identity.host == "models.example.com"


@pytest.mark.parametrize(
    ("name", "honours"),
    [("openai", False), ("groq", False), ("mistral", True), ("vllm", True), ("llamacpp", True), ("lmstudio", True)],
)
def test_a_best_effort_is_no_promise_to_heed_a_seed(name: str, honours: bool) -> None:
    identity = OpenAIChat(VENDORS[name], "tiny", seed=7).identity
    assert (identity.seed, identity.honours_seed) == (7, honours)
    assert OpenAIChat(VENDORS[name], "tiny").identity.honours_seed is False


@pytest.mark.parametrize("name", ["deepseek", "kimi", "minimax"])
def test_a_vendor_without_a_seed_is_said_to_have_none(name: str) -> None:
    assert OpenAIChat(VENDORS[name], "tiny", seed=7).identity.seed is None


def test_a_request_may_carry_a_seed_of_its_own() -> None:
    other = ModelRequest("quotes", "Select.", "The matter.", SCHEMA, max_tokens=500, seed=0)
    assert OpenAIChat(VENDORS["vllm"], "tiny", seed=7).body(other)["seed"] == 0
    assert Ollama("tiny", seed=7).body(other)["options"]["seed"] == 0
    assert "seed" not in OpenAIChat(VENDORS["vllm"], "tiny").body(REQUEST)
    assert "seed" not in Ollama("tiny").body(REQUEST)["options"]


@pytest.mark.parametrize(
    ("vendor", "model", "takes"),
    [
        ("openai", "gpt-4.1-mini", True),
        ("openai", "gpt-4o", True),
        ("openai", "gpt-5", False),
        ("openai", "gpt-5.4-mini", False),
        ("openai", "o3", False),
        ("openai", "o4-mini", False),
        ("kimi", "kimi-k2.6", False),
        ("kimi", "moonshot-v1-32k", True),
        ("openrouter", "openai/gpt-5-mini", False),
        ("openrouter", "anthropic/claude-opus-4.7", False),
        ("openrouter", "anthropic/claude-sonnet-4.6", True),
        ("openrouter", "meta-llama/llama-4", True),
        ("vllm", "gpt-5-like", True),
    ],
)
def test_a_model_that_refuses_a_temperature_is_sent_none(vendor: str, model: str, takes: bool) -> None:
    assert ("temperature" in OpenAIChat(VENDORS[vendor], model).body(REQUEST)) is takes


@pytest.mark.parametrize(
    ("model", "takes"),
    [
        ("claude-opus-4-6", True),
        ("claude-opus-4-7", False),
        ("claude-opus-5", False),
        ("claude-sonnet-4-5-20250929", True),
        ("claude-sonnet-5-5", False),
        ("claude-haiku-4-5", True),
        ("claude-haiku-5-5", False),
        ("claude-3-5-haiku-20241022", True),
    ],
)
def test_a_claude_that_refuses_a_temperature_is_sent_none(model: str, takes: bool) -> None:
    assert ANTHROPIC.takes_temperature(model) is takes
    assert ("temperature" in Anthropic(model).body(REQUEST)) is takes


def test_what_anthropic_is_sent() -> None:
    assert Anthropic("claude-haiku-4-5", "k").body(REQUEST) == {
        "model": "claude-haiku-4-5",
        "system": "Select.",
        "messages": [{"role": "user", "content": "The matter."}],
        "max_tokens": 500,
        "temperature": 0.0,
        "tools": [{"name": "quotes", "description": "Gives the answer.", "input_schema": SCHEMA}],
        "tool_choice": {"type": "tool", "name": "quotes", "disable_parallel_tool_use": True},
        "stream": True,
    }


def test_what_ollama_is_sent() -> None:
    assert Ollama("tiny", seed=7, context_tokens=9000).body(REQUEST) == {
        "model": "tiny",
        "messages": [{"role": "system", "content": "Select."}, {"role": "user", "content": "The matter."}],
        "format": SCHEMA,
        "options": {"temperature": 0.0, "num_predict": 500, "num_ctx": 9000, "seed": 7},
        "stream": True,
        "think": False,
        "tools": [],
    }


def test_an_aggregator_is_remote_wherever_its_server_stands() -> None:
    """It sends on what it is asked, as a proxy of that kind on this machine does."""
    for address in ("", "http://127.0.0.1:4000/v1"):
        model = build(ChosenModel("aggregator", address=address, model="m"), Limits())
        assert model.identity.is_remote


@pytest.mark.parametrize(
    ("model", "base_url", "remote"),
    [
        ("llama3.2", "", False),
        ("llama3.2", "https://models.example.com", True),
        ("gpt-oss:120b-cloud", "", True),
        ("GPT-OSS:120B-Cloud", "", True),
        ("deepseek-v3.1:cloud", "", True),
    ],
)
def test_a_model_that_ollama_sends_on_is_remote(model: str, base_url: str, remote: bool) -> None:
    assert Ollama(model, base_url=base_url).identity.is_remote is remote


def test_keywords_that_a_vendor_refuses_are_left_out_but_not_a_property_of_that_name() -> None:
    schema = {
        "type": "object",
        "properties": {
            "minLength": {"type": "string", "minLength": 3},
            "a": {"type": "array", "items": {"minLength": 1}},
        },
        "enum": ["minLength"],
        "anyOf": [{"minLength": 2, "type": "string"}],
        "minLength": 1,
    }
    assert without(schema, frozenset({"minLength"})) == {
        "type": "object",
        "properties": {"minLength": {"type": "string"}, "a": {"type": "array", "items": {}}},
        "enum": ["minLength"],
        "anyOf": [{"type": "string"}],
    }


def test_an_unknown_vendor_is_named_with_all_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"'opnai' is no provider .* openai, deepseek, .* custom\."):
        vendor_named("opnai")
