"""A model's reply read as data: strictly, without repair. What has not the shape asked for is no reply at all.

What has it may still name sources that were never offered, or say anything: that is for `verification`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from research.generation.prompt import MOST_QUOTES, MOST_SENTENCES, QUOTE_CHARS, SENTENCE_CHARS
from research.model_terms import ModelFailed, ModelProblem
from research.terms import ClaimKind

MOST_PROSE_CHARS = 3 * SENTENCE_CHARS  # no prose so long is plain, and the checks of it would take their time

_KINDS = {
    "rule": ClaimKind.RULE,
    "limit": ClaimKind.LIMIT,
    "definition": ClaimKind.DEFINITION,
    "ruling": ClaimKind.RULING,
}


@dataclass(frozen=True, slots=True)
class ProposedQuote:
    """A quote as the model gave it. source: the id that it named, which may be any text."""

    source: str
    text: str
    kind: ClaimKind


@dataclass(frozen=True, slots=True)
class ProposedSentence:
    """A sentence as the model gave it. quotes: the ids that it named, which may be any text."""

    text: str
    quotes: tuple[str, ...]
    kind: ClaimKind


def chosen_quotes(text: str) -> tuple[ProposedQuote, ...]:
    """The quotes of a first reply, in its order, each once. Raises ModelFailed where it has not the shape asked for."""
    found = []
    for item in _items(text, "quotes", MOST_QUOTES):
        source, quote = _text(item, "source", 200), _text(item, "quote", 2 * QUOTE_CHARS)
        found.append(ProposedQuote(source, quote, _kind(item)))
    return tuple(dict.fromkeys(found))


def written_sentences(text: str) -> tuple[ProposedSentence, ...]:
    """The sentences of a second reply, in its order. Raises ModelFailed where it has not the shape asked for."""
    found = []
    for item in _items(text, "sentences", MOST_SENTENCES):
        named = item.get("quotes")
        if not isinstance(named, list) or not all(isinstance(each, str) for each in named):
            raise _unlike("a sentence does not list the quotes that it rests on")
        ids = tuple(dict.fromkeys(named))[: MOST_QUOTES + 1]  # among more than there are quotes, one is of none
        found.append(ProposedSentence(_text(item, "text", MOST_PROSE_CHARS), ids, _kind(item)))
    return tuple(found)


def _items(text: str, name: str, most: int) -> list[Mapping[str, Any]]:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        raise ModelFailed(ModelProblem.NOT_JSON, "Its reply is not JSON, which was asked for.") from None
    items = whole.get(name) if isinstance(whole, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise _unlike(f"it holds no list of {name}")
    return items[:most]


def _text(item: Mapping[str, Any], name: str, most_chars: int) -> str:
    found = item.get(name)
    if not isinstance(found, str):
        raise _unlike(f"an entry has no text as its {name}")
    return found[:most_chars]


def _kind(item: Mapping[str, Any]) -> ClaimKind:
    """What it is said to be; a rule where the model named no kind that there is."""
    return _KINDS.get(str(item.get("kind")), ClaimKind.RULE)


def _unlike(why: str) -> ModelFailed:
    return ModelFailed(ModelProblem.NOT_JSON, f"Its reply has not the shape that was asked for: {why}.")
