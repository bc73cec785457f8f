"""A remote model that never hears of a client: what it is asked is masked, and what it says is put back.

The prompts are lines of JSON (see `research.generation.prompt`). Each string in them is masked by itself, as it was
before JSON wrote it: an escape in the middle of a name would hide it. Lines of sources and quotes are the law's own
text, but for those of a practice's own documents; everything else is the practice's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from research.generation.prompt import OWN_DOCUMENT
from research.model_terms import ModelFailed, ModelIdentity, ModelProblem, ModelReply, ModelRequest
from research.ports import LanguageModel, Waiting, waiting_quietly
from research.privacy.masking import Masked, mask, restore
from research.privacy.register import Register

OF_THE_LAW = frozenset({"source", "quote"})  # a line that has one of these is the law's own text
SWITCHED_OFF = (
    "Questions of this practice may not leave this machine. An owner can switch remote models on in the model "
    "settings, or choose a local one."
)
CLIENT_SWITCHED_OFF = (
    "This question is for or about a client of whom no remote model may hear. Ask it without naming them, choose a "
    "local model, or switch remote models on for the client."
)


class MaskedModel:
    """Wraps a remote model for one question of one practice.

    register: of that practice. practice_allows: whether it has switched remote models on. client_allows: whether the
    client that the question is asked for does; True without one. has_client: whether there is one, so that amounts are
    theirs. `ask` raises ModelFailed, NOT_ALLOWED, before anything is sent; `body` sends nothing, so it always tells.
    """

    def __init__(
        self,
        inner: LanguageModel,
        register: Register,
        *,
        practice_allows: bool,
        client_allows: bool = True,
        has_client: bool = False,
    ) -> None:
        self._inner = inner
        self._register = register
        self._practice_allows = practice_allows
        self._client_allows = client_allows
        self._has_client = has_client

    @property
    def identity(self) -> ModelIdentity:
        return self._inner.identity

    def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
        """The reply with the words back; as `LanguageModel.ask`."""
        sent, masked = self._allowed(request)
        reply = self._inner.ask(sent, waiting)
        return replace(reply, text=restored(reply.text, masked.table))

    def refuse_if_not_allowed(self, request: ModelRequest) -> None:
        """Raises what `ask` would before anything is sent."""
        self._allowed(request)

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        """The very JSON that would be sent: with placeholders."""
        sent, _ = self._masked(request)
        return self._inner.body(sent)

    def _allowed(self, request: ModelRequest) -> tuple[ModelRequest, Masked]:
        """The request as it may be sent. Raises ModelFailed, NOT_ALLOWED."""
        if not self._practice_allows:
            raise ModelFailed(ModelProblem.NOT_ALLOWED, SWITCHED_OFF)
        if not self._client_allows:
            raise ModelFailed(ModelProblem.NOT_ALLOWED, CLIENT_SWITCHED_OFF)
        sent, masked = self._masked(request)
        if not all(self._register.clients[who].allows_remote for who in masked.named):
            raise ModelFailed(ModelProblem.NOT_ALLOWED, CLIENT_SWITCHED_OFF)
        return sent, masked

    def _masked(self, request: ModelRequest) -> tuple[ModelRequest, Masked]:
        lines = [_parsed(line) for line in request.user.split("\n")]
        texts, law = [request.system], {0}  # the instructions are our own words
        for line in lines:
            strings = _strings(line)
            if isinstance(line, dict) and OF_THE_LAW & line.keys() and OWN_DOCUMENT not in line:
                law |= set(range(len(texts), len(texts) + len(strings)))
            texts += strings
        masked = mask(texts, self._register, law=law, is_about_a_client=self._has_client)
        left = iter(masked.texts)
        system = next(left)
        user = "\n".join(_written(_with_strings(line, left)) for line in lines)
        return replace(request, system=system, user=user), masked


def restored(reply: str, table: Mapping[str, str]) -> str:
    """The reply with the words back in every string of its JSON, or as it stands where it is none."""
    try:
        said = json.loads(reply)
    except ValueError:
        return restore(reply, table)
    return json.dumps(_mapped(said, table), ensure_ascii=False)


def _mapped(said: Any, table: Mapping[str, str]) -> Any:
    match said:
        case str():
            return restore(said, table)
        case list():
            return [_mapped(each, table) for each in said]
        case dict():
            return {restore(key, table): _mapped(each, table) for key, each in said.items()}
    return said


def _parsed(line: str) -> dict[str, str] | str:
    """The line's strings by name, or the line itself where it is no JSON object of strings."""
    try:
        found = json.loads(line)
    except ValueError:
        return line
    is_ours = isinstance(found, dict) and all(isinstance(each, str) for each in found.values())
    return found if is_ours else line


def _strings(line: dict[str, str] | str) -> list[str]:
    return [line] if isinstance(line, str) else list(line.values())


def _with_strings(line: dict[str, str] | str, left: Any) -> dict[str, str] | str:
    """The line with the next strings in place of its own."""
    return next(left) if isinstance(line, str) else {name: next(left) for name in line}


def _written(line: dict[str, str] | str) -> str:
    return line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)
