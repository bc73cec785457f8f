"""A language model for tests: says what it was told to say, or what a function makes of the request."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from research.model_terms import ModelIdentity, ModelReply, ModelRequest
from research.ports import Waiting, waiting_quietly

Said = Mapping[str, Any] | str
LOCAL = ModelIdentity("scripted", "none", seed=7, honours_seed=True)


class ScriptedModel:
    """`research.ports.LanguageModel`. choose and write make the replies of the first pass and of the second.

    Either may give an object, which is sent as JSON, or text, which is sent as it stands. requests: what was asked.
    """

    def __init__(
        self,
        choose: Callable[[list[dict[str, str]]], Said],
        write: Callable[[list[dict[str, str]]], Said] = lambda quotes: {"sentences": []},
        identity: ModelIdentity = LOCAL,
    ) -> None:
        self.identity = identity
        self.requests: list[ModelRequest] = []
        self._reply = {"quotes": choose, "prose": write}

    def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
        self.requests.append(request)
        waiting("0 characters")
        said = self._reply[request.purpose](shown_in(request))
        text = said if isinstance(said, str) else json.dumps(said)
        return ModelReply(text, self.identity.model, len(request.user) // 4, len(text) // 4)

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        return {"system": request.system, "user": request.user}


def shown_in(request: ModelRequest) -> list[dict[str, str]]:
    """The sources or quotes that the request shows, without the question."""
    return [json.loads(line) for line in request.user.split("\n")][1:]
