"""What a hostile model may try beside lying: to be read in what was dropped, to answer by a remnant, to flood."""

from __future__ import annotations

import json
from typing import Any

import pytest

from asat_site.testing.scripted_model import ScriptedModel
from research.outcome_json import outcome_to_json
from research.terms import Decision, Outcome, Reason
from research.tests.unit.test_drafted import LIMIT_SAYS, PROSE, ask, honest, says
from research.tests.unit.test_flow import OTHER

FENCE_SAYS = OTHER[0].text.removeprefix("(1) ")


def shown_words(outcome: Outcome) -> str:
    """All that a reader is shown of an outcome: everything but what the model said, which is for the record alone."""
    plain = outcome_to_json(outcome)
    if plain["made_by"]:
        plain["made_by"]["exchanges"] = []
    return json.dumps(plain, ensure_ascii=False)


@pytest.mark.parametrize(
    ("prose", "invented"),
    [
        ("A grower can deduct $98,765 of netting.", "98,765"),
        ("A grower can deduct netting, see grants.example.com for more.", "example.com"),
        ('The rule says "everybody may claim everything" of netting.', "everybody may claim everything"),
        ("A grower can ask the Tribunal for netting.", "Tribunal"),
        ("A grower can deduct the brewery.", "brewery"),
        ("A grower can deduct netting §.", "§"),
        ("A grower must deduct the cost of netting an orchard.", '\\"must\\"'),
    ],
)
def test_what_a_dropped_sentence_said_is_nowhere_to_be_read(prose: str, invented: str) -> None:
    outcome = ask(ScriptedModel(honest, says((PROSE, ["q1"], "rule"), (prose, ["q1"], "rule"))))
    assert outcome.decision is Decision.ANSWER and outcome.dropped
    assert invented not in shown_words(outcome)


@pytest.mark.parametrize(
    ("prose", "why"),
    [
        ("One net. Two nets. Three nets.", "has 3 sentences"),
        ("A grower can deduct netting at a@b.", "holds an address"),
        ("", "says nothing"),
    ],
)
def test_why_a_sentence_was_dropped_is_said_in_a_sentence(prose: str, why: str) -> None:
    outcome = ask(ScriptedModel(honest, says((PROSE, ["q1"], "rule"), (prose, ["q1"], "rule"))))
    assert f"a sentence was dropped: {why}" in outcome.dropped


def test_a_limit_alone_answers_nothing_where_the_rule_was_dropped() -> None:
    sentences = (("A grower can deduct $40,000 of netting.", ["q1"], "rule"), (LIMIT_SAYS, ["q2"], "limit"))
    outcome = ask(ScriptedModel(honest, says(*sentences)))
    assert (outcome.decision, outcome.reason) == (Decision.UNGROUNDED, Reason.PROSE_EXCEEDS_QUOTES)
    only_limits = ask(ScriptedModel(honest, says((LIMIT_SAYS, ["q2"], "limit"))))
    assert only_limits.decision is Decision.ANSWER


def test_an_answer_is_not_trusted_for_a_quote_whose_sentence_was_dropped() -> None:
    """The sentence on netting goes, and one about fences is left: how well netting fits says nothing of fences."""

    def choose(sources: list[dict[str, str]]) -> dict[str, Any]:
        fence = next(each["source"] for each in sources if FENCE_SAYS in each["text"])
        quotes: list[dict[str, str]] = dict(honest(sources))["quotes"]  # type: ignore[arg-type]
        return {"quotes": [*quotes, {"source": fence, "quote": FENCE_SAYS, "kind": "rule"}]}

    lies = ("A grower can deduct $40,000 of netting.", ["q1"], "rule")
    left = ask(ScriptedModel(choose, says(lies, (FENCE_SAYS, ["q3"], "rule"))))
    alone = ask(ScriptedModel(choose, says((FENCE_SAYS, ["q3"], "rule"))))
    assert (left.decision, left.signs) == (alone.decision, alone.signs)
