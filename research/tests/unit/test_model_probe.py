"""What the probe makes of models of every kind, and that it says that nothing rests on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from research.adapters.generators.probe import FEW_TOKENS, LONG, SAFE_ANYWAY, Report, probe
from research.management.commands.provider import text_of
from research.model_terms import ModelFailed, ModelIdentity, ModelProblem, ModelReply, ModelRequest
from research.ports import Waiting, waiting_quietly

pytestmark = pytest.mark.unit

Answer = Callable[[ModelRequest, int], str]
GOOD = '{"quotes": [{"source": "s1", "quote": "A ferry master must keep a log"}]}'


class Scripted:
    """A model that answers as it is told; the number is how many times it was asked before."""

    def __init__(self, answer: Answer, seed: int | None = 1) -> None:
        self._answer, self.asked = answer, 0
        self.identity = ModelIdentity("openai_compatible", "tiny", seed, True, True, "models.example.com")

    def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
        self.asked += 1
        return ModelReply(self._answer(request, self.asked), "tiny", 10, 20)

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        return {}


def good(request: ModelRequest, number: int) -> str:
    if request.max_tokens == FEW_TOKENS:
        raise ModelFailed(ModelProblem.TRUNCATED, "It stopped.")
    if LONG in request.user:
        return json.dumps({"quotes": [{"source": "s1", "quote": LONG}]})
    return GOOD


def works(report: Report) -> dict[str, bool | None]:
    return report.as_json()["works"]


def test_a_model_that_does_all_it_is_asked() -> None:
    model = Scripted(good)
    report = probe(model)
    assert works(report) == {"schema": True, "enum": True, "seed": True, "stop": True}
    assert [finding.works for finding in report.findings] == [True] * 6
    assert model.asked == 7
    assert report.failed == ""


def test_a_model_that_names_what_was_never_offered() -> None:
    def answer(request: ModelRequest, number: int) -> str:
        return GOOD.replace("s1", "s9") if "s9" in request.user else good(request, number)

    report = probe(Scripted(answer))
    assert works(report) == {"schema": True, "enum": False, "seed": True, "stop": True}
    assert report.findings[0].found == "it named 's9', which was not offered"


def test_a_model_that_writes_a_source_with_a_capital_letter() -> None:
    def answer(request: ModelRequest, number: int) -> str:
        return GOOD.replace("s1", "S2") if "capital" in request.user else good(request, number)

    report = probe(Scripted(answer))
    assert works(report)["enum"] is False
    assert report.findings[1].found == "it named 'S2', which was not offered"


@pytest.mark.parametrize(
    "text",
    [
        '{"reply": "no"}',
        '{"quotes": [], "note": "none"}',
        '{"quotes": {}}',
        '{"quotes": ["s1"]}',
        '{"quotes": [{"source": "s1"}]}',
        '{"quotes": [{"source": 1, "quote": "x"}]}',
        "no",
    ],
)
def test_a_model_that_keeps_to_no_schema(text: str) -> None:
    report = probe(Scripted(lambda request, number: text))
    assert (works(report)["schema"], works(report)["enum"]) == (False, False)


def test_a_model_that_says_something_else_each_time() -> None:
    def answer(request: ModelRequest, number: int) -> str:
        return GOOD.replace("log", f"log {number}") if request.seed is not None else good(request, number)

    assert works(probe(Scripted(answer)))["seed"] is False


def test_a_provider_that_is_sent_no_seed() -> None:
    model = Scripted(good, seed=None)
    assert works(probe(model))["seed"] is None
    assert model.asked == 5


def test_a_model_that_does_not_stop() -> None:
    class Endless(Scripted):
        def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
            text = GOOD if request.max_tokens == FEW_TOKENS else good(request, 1)
            return ModelReply(text, "tiny", 10, FEW_TOKENS + 1)

    assert works(probe(Endless(good)))["stop"] is False


def test_a_model_of_few_words_leaves_it_open_whether_it_stops() -> None:
    assert works(probe(Scripted(lambda request, number: GOOD))) == {
        "schema": None,
        "enum": True,
        "seed": True,
        "stop": None,
    }


def test_a_failure_of_one_check_is_a_finding_and_the_others_are_made() -> None:
    def answer(request: ModelRequest, number: int) -> str:
        if LONG in request.user and request.max_tokens != FEW_TOKENS:
            raise ModelFailed(ModelProblem.TRUNCATED, "It stopped in mid-answer.")
        return good(request, number)

    report = probe(Scripted(answer))
    assert works(report) == {"schema": False, "enum": True, "seed": True, "stop": True}
    assert report.findings[3].found == "It stopped in mid-answer."


def test_a_provider_that_cannot_be_asked_is_asked_once() -> None:
    def answer(request: ModelRequest, number: int) -> str:
        raise ModelFailed(ModelProblem.UNAUTHORISED, "It does not accept the key.")

    model = Scripted(answer)
    report = probe(model)
    assert model.asked == 1
    assert (report.findings, report.failed) == ((), "It does not accept the key.")
    assert works(report) == {"schema": None, "enum": None, "seed": None, "stop": None}


def test_what_waiting_raises_ends_the_probe() -> None:
    class Stopped(Exception):
        pass

    def answer(request: ModelRequest, number: int) -> str:
        raise Stopped

    with pytest.raises(Stopped):
        probe(Scripted(answer))


def test_the_table_says_what_works_and_that_nothing_rests_on_it() -> None:
    lines = text_of(probe(Scripted(good))).splitlines()
    assert lines[0] == "openai_compatible: tiny at models.example.com, seed 1, which it promises to heed"
    assert lines[2] == "  enum    works      a source that was never offered: it named only sources that were offered"
    assert "schema: works, enum: works, seed: works, stop: works" in lines
    assert lines[-1] == SAFE_ANYWAY
    assert "stays usable" in SAFE_ANYWAY
