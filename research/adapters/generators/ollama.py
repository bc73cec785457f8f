"""A server of Ollama, asked through its own client over our guarded line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import ollama
from pydantic import ValidationError

from research.adapters.generators import refusals
from research.adapters.generators.addresses import host_of, is_remote, place_of
from research.adapters.generators.keys import Key
from research.adapters.generators.replies import Gathered, lines_of
from research.adapters.generators.transport import Limits, Line, talk
from research.adapters.generators.vendors import OLLAMA
from research.model_terms import ModelIdentity, ModelReply, ModelRequest
from research.ports import Waiting, waiting_quietly

# Ends of lines to the client's reader, though JSON may hold them as they are: a quote with one would break off there.
NO_LINE_ENDS = {"\u0085": b"\\u0085", "\u2028": b"\\u2028", "\u2029": b"\\u2029"}


class _Escaping(httpx.BaseTransport):
    """The guarded line, with those characters written as JSON's escapes for them."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._line.transport.handle_request(request)
        return httpx.Response(answer.status_code, headers=answer.headers, stream=_Lines(answer))


class _Lines(httpx.SyncByteStream):
    """An answer's body, whole lines at a time."""

    def __init__(self, answer: httpx.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        for line in lines_of(self._answer):
            for character, escape in NO_LINE_ENDS.items():
                line = line.replace(character.encode(), escape)
            yield line + b"\n"

    def close(self) -> None:
        self._answer.close()


class Ollama:
    """`research.ports.LanguageModel` over a server of Ollama.

    key: where a proxy before it wants one. context_tokens: of prompt and reply together; a server that is not told cuts
    a prompt off at its own few thousand and says nothing.
    """

    def __init__(
        self,
        model: str,
        key: str = "",
        *,
        base_url: str = "",
        seed: int | None = None,
        context_tokens: int = 16_384,
        limits: Limits | None = None,
        is_from_practice: bool = False,
    ) -> None:
        self._model, self._base_url, self._seed = model, base_url or OLLAMA.base_url, seed
        self._key, self._limits, self._context_tokens = Key(key), limits or Limits(), context_tokens
        self._is_from_practice = is_from_practice and bool(base_url)  # a vendor's own was given by nobody

    def __repr__(self) -> str:
        return f"Ollama({self._model})"

    @property
    def identity(self) -> ModelIdentity:
        is_cloud = self._model.lower().endswith(
            ("-cloud", ":cloud")
        )  # which a server on this machine sends on to Ollama's own
        return ModelIdentity(
            provider=OLLAMA.name,
            model=self._model,
            seed=self._seed,
            honours_seed=OLLAMA.honours_seed and self._seed is not None,
            is_remote=is_cloud or is_remote(self._base_url),
            host=host_of(self._base_url),
        )

    def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
        """The model's reply, one JSON object. Raises ModelFailed, and what `waiting` raises."""
        place = place_of(self._base_url, self._is_from_practice)
        body = self.body(request)

        def read(line: Line) -> ModelReply:
            gathered = Gathered(line, self._model, request.max_tokens)
            guarded: dict[str, Any] = {"transport": _Escaping(line), "trust_env": False, "follow_redirects": False}
            with ollama.Client(place.url, **guarded) as client:
                _gather(client, body, gathered)
            return gathered.reply()

        return talk(place, self._key, self._limits, read, waiting)

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        """The JSON that `ask` sends."""
        seed = self._seed if request.seed is None else request.seed
        options: dict[str, Any] = {
            "temperature": request.temperature,
            "num_predict": request.max_tokens,
            "num_ctx": self._context_tokens,
        }
        if seed is not None:
            options["seed"] = seed
        return {
            "model": self._model,
            "messages": [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}],
            "format": dict(request.schema),
            "options": options,
            "stream": True,
            "think": False,  # thoughts are counted among the tokens of the reply
            "tools": [],
        }


def _gather(client: ollama.Client, body: Mapping[str, Any], gathered: Gathered) -> None:
    """Read the answer to `body`, part by part. Raises ModelFailed."""
    host = gathered.line.place.host
    try:
        for part in client.chat(**body):
            gathered.add(part.message.content or "")
            gathered.model = part.model or gathered.model
            if part.done:
                gathered.ended, gathered.is_truncated = True, part.done_reason == "length"
                gathered.prompt_tokens = part.prompt_eval_count or 0
                gathered.completion_tokens = part.eval_count or 0
    except ollama.ResponseError:
        raise refusals.failed_midway(host) from None
    except json.JSONDecodeError as error:
        if error.doc.lstrip()[:1] == "{":
            raise refusals.cut_off(host) from None
        raise refusals.not_json(host, "an answer in another protocol") from None
    except (ValidationError, AttributeError, TypeError, RecursionError):  # JSON, and not of this protocol
        raise refusals.not_json(host, "an answer in another protocol") from None
