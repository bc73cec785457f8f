"""Makes the adapter of a chosen model: which protocol a provider speaks, and whose dialect of it."""

from __future__ import annotations

from research.adapters.generators.anthropic import Anthropic
from research.adapters.generators.ollama import Ollama
from research.adapters.generators.openai_chat import OpenAIChat
from research.adapters.generators.transport import Limits
from research.adapters.generators.vendors import vendor_named
from research.adapters.model_settings import ChosenModel
from research.ports import LanguageModel

USUAL_VENDOR = {"openai_compatible": "openai", "aggregator": "openrouter"}


REST_TOKENS = 6_000  # of instructions, question, quotes and reply, beside the sources shown


def build(chosen: ChosenModel, limits: Limits, shown_tokens: int = 6_000) -> LanguageModel:
    """The adapter. Raises ValueError, in words, for a choice that names no model or nobody that is known.

    shown_tokens: how much of the law it will be shown, for a server that must be told its context. An aggregator is
    sent no seed: it would have to leave out every route that takes none.
    """
    if not chosen.model:
        raise ValueError(f"The provider {chosen.provider} needs the name of a model; give ASAT_GENERATION_MODEL.")
    address, is_from_practice = chosen.address, chosen.is_from_practice
    match chosen.provider:
        case "ollama":
            return Ollama(
                chosen.model,
                chosen.key,
                base_url=address,
                seed=chosen.seed,
                context_tokens=shown_tokens + REST_TOKENS,
                limits=limits,
                is_from_practice=is_from_practice,
            )
        case "anthropic":
            return Anthropic(
                chosen.model, chosen.key, base_url=address, limits=limits, is_from_practice=is_from_practice
            )
        case "openai_compatible" | "aggregator":
            vendor = vendor_named(chosen.vendor or ("custom" if address else USUAL_VENDOR[chosen.provider]))
            return OpenAIChat(
                vendor,
                chosen.model,
                chosen.key,
                base_url=address,
                seed=None if chosen.provider == "aggregator" else chosen.seed,
                provider=chosen.provider,
                limits=limits,
                is_from_practice=is_from_practice,
            )
    known = "extractive, ollama, openai_compatible, aggregator and anthropic"
    raise ValueError(f"There is no provider {chosen.provider!r}; there are {known}.")
