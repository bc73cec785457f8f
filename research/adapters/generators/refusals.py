"""What can go wrong with a language model, as ModelFailed in plain words: what was found and what to do.

No message holds a key, a request or a reply. Of an error's page only its short code is repeated, for a code is a word
out of the provider's own list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from research.model_terms import ModelFailed, ModelProblem

TOOK_TOO_LONG = "The model at {} took more than {:g} seconds. Ask again, or choose a faster model or a longer time."
CODE = re.compile(r"[a-z]{3,20}(?:_[a-z]{2,20}){0,4}")
OVERLOADED = frozenset({503, 529})  # 529: Anthropic's word for a request that was not taken up


def of_status(host: str, status: int, headers: Mapping[str, str], code: str) -> tuple[ModelFailed, bool]:
    """What an HTTP status other than 200 means, and whether asking again is safe: nothing was done about it yet.

    code: as `code_in` finds it.
    """
    wait_s = retry_after_s(headers.get("retry-after", ""))
    said = f" It names the reason “{code}”." if code else ""

    def failed(problem: ModelProblem, words: str) -> ModelFailed:
        return ModelFailed(problem, f"The model at {host} {words}{said}", wait_s)

    if 300 <= status < 400:
        problem = "sent the request on to another address, and AsAt does not follow. Give the address it moved to."
        return ModelFailed(ModelProblem.REDIRECTED, f"The model at {host} {problem}"), False
    if status in (401, 403):
        words = f"does not accept the key ({status}). Check the key, and that it may use this model."
        return failed(ModelProblem.UNAUTHORISED, words), False
    if status == 429:
        return failed(
            ModelProblem.RATE_LIMITED, f"takes no more requests just now (429). Ask again{_in(wait_s)}."
        ), True
    if status in OVERLOADED:
        return failed(ModelProblem.UNAVAILABLE, f"is overloaded or down ({status}). Ask again{_in(wait_s)}."), True
    if status == 404:
        words = "knows neither the model nor the address (404). Check the model's name and the base address."
        return failed(ModelProblem.REQUEST_REFUSED, words), False
    if status == 402:
        return failed(ModelProblem.REQUEST_REFUSED, "asks for payment (402). Check the account with it."), False
    if status == 408:
        return failed(ModelProblem.TIMEOUT, "gave up waiting (408). Ask again."), False
    if 400 <= status < 500:
        words = f"does not accept the request ({status}). Check the model's name, and what it offers."
        return failed(ModelProblem.REQUEST_REFUSED, words), False
    return failed(ModelProblem.UNAVAILABLE, f"failed while answering ({status}). Ask again later."), False


def unreachable(host: str) -> ModelFailed:
    return ModelFailed(
        ModelProblem.UNREACHABLE,
        f"No connection to the model at {host} could be made. Check that it runs, and its port.",
    )


def too_slow(host: str, read_s: float) -> ModelFailed:
    words = f"The model at {host} said nothing for {read_s:g} seconds. Ask again, or choose a faster model."
    return ModelFailed(ModelProblem.TIMEOUT, words)


def hung_up(host: str) -> ModelFailed:
    words = f"The model at {host} closed the connection before it answered. Ask again."
    return ModelFailed(ModelProblem.CUT_OFF, words)


def cut_off(host: str) -> ModelFailed:
    words = f"The answer of the model at {host} broke off before its end. Ask again."
    return ModelFailed(ModelProblem.CUT_OFF, words)


def too_large(host: str, most: int) -> ModelFailed:
    words = f"The model at {host} sent more than {most:,} bytes, the most that is read. Choose another model."
    return ModelFailed(ModelProblem.TOO_LARGE, words)


def truncated(host: str, max_tokens: int) -> ModelFailed:
    words = f"The model at {host} stopped at the most tokens allowed it ({max_tokens:,}), in mid-answer."
    return ModelFailed(ModelProblem.TRUNCATED, f"{words} Allow it more, or choose a model that says less.")


def not_json(host: str, found: str) -> ModelFailed:
    words = f"The model at {host} sent {found} where one JSON object was wanted."
    return ModelFailed(ModelProblem.NOT_JSON, f"{words} Ask again, or choose a model that keeps to a schema.")


def no_tool_call(host: str, found: str) -> ModelFailed:
    words = f"The model at {host} {found} where one tool call was wanted."
    return ModelFailed(ModelProblem.NO_TOOL_CALL, f"{words} Ask again, or choose a model that can call tools.")


def failed_midway(host: str) -> ModelFailed:
    words = f"The model at {host} began to answer and then reported an error. Ask again later."
    return ModelFailed(ModelProblem.UNAVAILABLE, words)


def declined(host: str) -> ModelFailed:
    words = f"The model at {host} declined to answer, as its provider's rules bid it. Ask in other words."
    return ModelFailed(ModelProblem.REQUEST_REFUSED, words)


def retry_after_s(value: str) -> float | None:
    """Seconds from a Retry-After header, given as seconds or as a date; None if there is none that can be read."""
    value = value.strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,6})?", value):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (moment - datetime.now(UTC)).total_seconds()) if moment.tzinfo else None


def _in(wait_s: float | None) -> str:
    """When to ask again, in words."""
    seconds = round(wait_s or 0.0)
    return f" in {seconds:,} seconds" if seconds > 1 else " in a moment"


def code_in(body: bytes) -> str:
    """The short code in the page of an error, "" where there is none: a few lower-case words, as "model_not_found"."""
    try:
        found = json.loads(body)
        error = found.get("error") if isinstance(found, dict) else None
    except (ValueError, RecursionError):
        return ""
    for name in ("code", "type"):
        code = error.get(name) if isinstance(error, dict) else None
        if isinstance(code, str) and CODE.fullmatch(code):
            return code
    return ""
