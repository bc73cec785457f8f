"""What a hostile model may try beside lying: to be read in what was dropped, to answer by a remnant, to flood."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest

from asat_site.testing.scripted_model import LOCAL, ScriptedModel
from research.adapters.generators.recorded import RecordedModel
from research.audit.chain import canonical
from research.audit.record import model_record_of, recorded_in
from research.drafted import _kind_of
from research.generation import prompt
from research.model_terms import ModelFailed, ModelProblem, ModelRecord
from research.outcome_json import outcome_to_json, result_line, to_json, told_outside
from research.ports import Grounding
from research.presentation.made_by import made_by
from research.terms import ClaimKind, Decision, Outcome, Reason, Role
from research.tests.unit.test_drafted import LIMIT_SAYS, PROSE, ask, honest, says
from research.tests.unit.test_flow import OTHER, RULE
from research.verification.overlap import OverlapScorer

FENCE_SAYS = OTHER[0].text.removeprefix("(1) ")


def fence_chosen(sources: list[dict[str, str]]) -> dict[str, Any]:
    fence = next(each["source"] for each in sources if FENCE_SAYS in each["text"])
    return {"quotes": [{"source": fence, "quote": FENCE_SAYS, "kind": "rule"}]}


def shown_words(outcome: Outcome) -> str:
    """All that leaves to be read of an outcome: by export and API, by command, and in the footer."""
    plain = outcome_to_json(outcome)
    return json.dumps([told_outside(plain), result_line("1", plain), made_by(plain)], ensure_ascii=False)


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
        quotes: list[dict[str, str]] = dict(honest(sources))["quotes"]  # type: ignore[arg-type]
        return {"quotes": [*quotes, *fence_chosen(sources)["quotes"]]}

    lies = ("A grower can deduct $40,000 of netting.", ["q1"], "rule")
    left = ask(ScriptedModel(choose, says(lies, (FENCE_SAYS, ["q3"], "rule"))))
    alone = ask(ScriptedModel(choose, says((FENCE_SAYS, ["q3"], "rule"))))
    assert (left.decision, left.signs) == (alone.decision, alone.signs)


def test_a_sentence_that_names_ten_thousand_quotes_is_dropped_and_floods_nothing() -> None:
    many = ["q1", "q2", *(f"x{number}" for number in range(10_000))]
    outcome = ask(ScriptedModel(honest, says((PROSE, ["q1"], "rule"), (PROSE, many, "rule"))))
    assert [claim.prose for claim in outcome.claims].count(PROSE) == 1
    assert 0 < len(outcome.dropped) < 20


def test_prose_without_end_takes_no_time_to_drop() -> None:
    began = time.process_time()
    outcome = ask(ScriptedModel(honest, says(*(("not " * 4_000, ["q1", "q2"], "rule") for _ in range(12)))))
    assert outcome.decision is Decision.UNGROUNDED and time.process_time() - began < 10


def test_a_reply_that_would_flood_the_record_is_refused() -> None:
    with pytest.raises(ModelFailed) as failed:
        ask(ScriptedModel(lambda sources: json.dumps({"quotes": []}) + " " * 300_000))
    assert failed.value.problem is ModelProblem.TOO_LARGE


def test_what_a_model_said_of_a_part_or_of_one_of_two_times_is_not_told_outside_either() -> None:
    part = outcome_to_json(ask(ScriptedModel(honest, says(("Free beer for all growers.", ["q1"], "rule")))))
    whole = {**part, "made_by": None, "sides": [], "parts": [{**part, "sides": [part]}]}
    told = told_outside(whole)
    assert "Free beer" in json.dumps(whole) and "Free beer" not in json.dumps(told)
    said = told["parts"][0]["sides"][0]["made_by"]
    assert said["verified"] == part["made_by"]["verified"]
    assert [each["purpose"] for each in said["exchanges"]] == ["quotes", "prose"]


def test_whether_a_claim_is_law_or_a_rulings_view_is_not_for_the_model_to_say() -> None:
    outcome = ask(ScriptedModel(honest, says((PROSE, ["q1"], "ruling"))))
    assert [claim.kind for claim in outcome.claims] == [ClaimKind.RULE]
    assert _kind_of([replace(RULE[0], instrument="TR 2024/3")], ClaimKind.RULE) is ClaimKind.RULING
    for role, kind in ((Role.NOTE, ClaimKind.NOTE), (Role.EXAMPLE, ClaimKind.RULE), (Role.GUIDE, ClaimKind.RULE)):
        assert _kind_of([replace(RULE[0], role=role)], ClaimKind.DEFINITION) is kind
    assert _kind_of([RULE[0]], ClaimKind.LIMIT) is ClaimKind.LIMIT
    assert _kind_of([RULE[0], replace(RULE[0], instrument="TR 2024/3")], ClaimKind.RULING) is ClaimKind.RULE


def test_what_both_samples_say_is_shown_once_where_they_disagree() -> None:
    prose = iter((says((PROSE, ["q1"], "rule")), says((PROSE, ["q1"], "rule"), (FENCE_SAYS, ["q3"], "rule"))))

    def choose(sources: list[dict[str, str]]) -> dict[str, Any]:
        quotes: list[dict[str, str]] = dict(honest(sources))["quotes"]  # type: ignore[arg-type]
        return {"quotes": [*quotes, *fence_chosen(sources)["quotes"]]}

    outcome = ask(ScriptedModel(choose, lambda quotes: next(prose)(quotes)), samples=2)
    assert outcome.reason is Reason.MODELS_DISAGREE
    assert [claim.prose for claim in outcome.claims] == [PROSE, FENCE_SAYS]


# What is recorded


def replayed(record: ModelRecord) -> Outcome:
    read = model_record_of(json.loads(json.dumps(to_json(record))))
    assert read is not None
    return ask(RecordedModel(read.identity, read.exchanges), samples=read.samples)


def test_both_samples_are_recorded_counted_and_replayed() -> None:
    chosen = iter((honest, fence_chosen))
    prose = iter((PROSE, FENCE_SAYS))
    model = ScriptedModel(
        lambda sources: next(chosen)(sources), lambda quotes: says((next(prose), ["q1"], "rule"))(quotes)
    )
    outcome = ask(model, samples=2)
    record = outcome.made_by
    assert outcome.reason is Reason.MODELS_DISAGREE and record is not None
    assert [each.purpose for each in record.exchanges] == ["quotes", "prose", "quotes", "prose"] and record.samples == 2
    assert record.prompt_tokens == sum(len(request.user) // 4 for request in model.requests)
    again = replayed(record)
    assert (again.reason, again.claims, again.dropped, again.made_by) == (
        outcome.reason,
        outcome.claims,
        outcome.dropped,
        record,
    )
    assert made_by(outcome_to_json(outcome))[0].startswith("Drafted twice by scripted")


def test_what_is_checked_is_what_the_record_will_hold_letter_for_letter() -> None:
    """The record is written in composed letters: a letter in two pieces would fail here and pass in a replay."""
    sentence = {"text": "A grower can deduct the cost of ne\u0301tting.", "quotes": ["q1"], "kind": "rule"}
    reply = json.dumps({"sentences": [sentence]}, ensure_ascii=False)
    outcome = ask(ScriptedModel(honest, lambda quotes: reply))
    assert outcome.made_by is not None
    record = json.loads(canonical({"made_by": to_json(replace(outcome.made_by, lowest=None))}))["made_by"]
    read = model_record_of(record)
    assert read is not None and read.exchanges == outcome.made_by.exchanges
    assert replayed(read).dropped == outcome.dropped


def test_what_a_model_said_is_read_back_of_parts_and_of_their_two_times() -> None:
    exchange = {"purpose": "quotes", "request_digest": "", "reply": "{}", "model": "m"}

    def told(digest: str, **more: Any) -> dict[str, Any]:
        said = {"identity": to_json(LOCAL), "exchanges": [exchange | {"request_digest": digest}]}
        return {"made_by": said, "sides": [], "parts": [], **more}

    sides = {"made_by": None, "sides": [told("b"), told("c")], "parts": []}
    whole = {"made_by": None, "sides": [], "parts": [told("a"), sides]}
    asked = {"text": "?", "year_field": None, "today": "2024-05-01"}
    payload = json.dumps({"asked": asked, "outcome": whole, "recorded_at": "2024-05-01T00:00:00+00:00"})
    record = recorded_in(payload).made_by
    assert record is not None and [each.request_digest for each in record.exchanges] == ["a", "b", "c"]


def test_a_question_for_which_nothing_was_found_names_its_model_so_that_a_replay_can() -> None:
    model = ScriptedModel(honest)
    outcome = ask(model, question="Xylophones?")
    assert outcome.decision is Decision.NO_BASIS and not model.requests
    assert outcome.made_by is not None and outcome.made_by.identity == LOCAL


def test_how_a_model_was_asked_and_what_its_prose_was_held_to_is_among_the_settings() -> None:
    model = ScriptedModel(honest, says((PROSE, ["q1"], "rule")))
    settings = ask(model, grounding=Grounding(OverlapScorer(), 0.5)).settings
    assert settings["prompts"] == prompt.VERSION
    assert settings["groundedness"] == f"{OverlapScorer.identity} bar=0.5"
