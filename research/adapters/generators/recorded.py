"""A language model that says again what an audit row holds: how a replay is made without asking anybody.

A model that honours no seed cannot be asked twice and prove anything. What it said is recorded; what is proved is that
the same words, checked by the same rules against the law as it was, give the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from research.model_terms import Exchange, ModelFailed, ModelIdentity, ModelProblem, ModelReply, ModelRequest
from research.ports import Waiting, waiting_quietly


class RecordedModel:
    """Replies to each request with what was recorded for it, else with the next reply recorded for its purpose.

    The second way is for a replay over law that has moved: the request is not the one of then, and what was said is
    checked against the law of now. Raises ModelFailed where nothing is left to say.
    """

    def __init__(self, identity: ModelIdentity, exchanges: Sequence[Exchange]) -> None:
        self.identity = identity
        self._left = list(exchanges)

    def as_said_by(self, other: ModelIdentity) -> RecordedModel:
        """The same record, spoken as the other of the two that drafted: both take from it in the order it was said."""
        second = RecordedModel(other, ())
        second._left = self._left
        return second

    def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
        same = [each for each in self._left if each.request_digest == request.digest]
        found = next(iter(same or [each for each in self._left if each.purpose == request.purpose]), None)
        if found is None:
            raise ModelFailed(ModelProblem.UNAVAILABLE, "The record holds no reply to what would be asked now.")
        self._left.remove(found)
        return ModelReply(found.reply, found.model, found.prompt_tokens, found.completion_tokens)

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        return {}
