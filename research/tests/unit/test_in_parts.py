"""A question with several issues: one outcome of its parts, as it is decided, recorded, replayed and shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from asat_site.testing.memory_store import MemoryCorpusStore, SharedWordsReranker
from asat_site.testing.passages import ACT, section
from research.adapters.generators.extractive import ExtractiveGenerator
from research.audit.replay import DIVERGED, REPRODUCED, compare
from research.flow import Ports, answer_question
from research.law.income_year import IncomeYear
from research.outcome_json import outcome_to_json, outcomes_in, result_line
from research.presentation.answer import answer_view
from research.presentation.figures import figure_of
from research.presentation.made_by import made_by
from research.shown import in_parts
from research.terms import Decision, Outcome, Reason

pytestmark = pytest.mark.unit

NETTING, FENCES = "Can a grower deduct the cost of netting an orchard?", "Are zebras at the circus striped?"
LAW = [
    *section(
        "12-5",
        "Netting an orchard",
        "(1) A grower can deduct the cost of netting an orchard in the income year it is put up in.",
        "(2) However, a grower cannot deduct the cost of netting to the extent that another entity pays it back.",
    ),
    *section("14-1", "Fences", "(1) A fence that keeps wandering stock out of a vineyard is a fixture of the land."),
]


def ask(question: str, year: int | None = 2016) -> Outcome:
    reranker = SharedWordsReranker()
    store = MemoryCorpusStore(LAW, None, {ACT: [date(y, 1, 1) for y in range(2010, 2025)]})
    ports = Ports(store, {"lexical": reranker, "hybrid": reranker}, ExtractiveGenerator(), lambda: 0.0)
    return answer_question(question, IncomeYear(year) if year else None, date(2024, 5, 1), ports)


def test_each_issue_is_answered_or_refused_on_its_own() -> None:
    outcome = ask(f"{NETTING} {FENCES}")
    assert [part.question for part in outcome.parts] == [NETTING, FENCES]
    assert [part.decision for part in outcome.parts] == [Decision.ANSWER, Decision.NO_BASIS]
    assert (outcome.decision, outcome.reason) == (Decision.NO_BASIS, Reason.ISSUES_SPLIT)
    assert outcome.message == "1 of 2 parts answered." and outcome.claims == ()
    assert outcome.parts[0] == replace(ask(NETTING), stages=())  # as if it had been asked alone


def test_one_step_is_shown_for_each_answer_and_none_for_the_whole() -> None:
    part = ask(NETTING)
    whole = in_parts("both", [part, part])
    assert part.next_step.startswith("Check the facts of FY2016") and whole.next_step == ""
    assert (whole.decision, whole.reason, whole.message) == (Decision.ANSWER, Reason.VERIFIED, "All 2 parts answered.")
    assert (whole.time, whole.year_because) == (part.time, part.year_because)


def test_parts_for_two_years_have_no_year_together() -> None:
    whole = in_parts("both", [ask(NETTING), ask(NETTING, 2017)])
    assert whole.time is None and whole.year_because == ""


def test_the_json_holds_all_of_every_part_and_the_line_the_quotes_of_all() -> None:
    whole = in_parts("both", [ask(NETTING), ask(NETTING, 2017)])
    plain = outcome_to_json(replace(whole, parts=(replace(whole.parts[0], confidence=0.123456), whole.parts[1])))
    assert plain["parts"][0]["confidence"] == 0.1235
    assert [one["question"] for one in outcomes_in(plain)] == ["both", NETTING, NETTING]
    line = result_line("1", plain)
    assert len(line["citations"]) == 4 and line["income_year"] is None
    assert [part["decision"] for part in line["parts"]] == ["answer", "answer"]


def test_a_replay_names_the_part_that_changed() -> None:
    recorded = outcome_to_json(ask(f"{NETTING} {FENCES}"))
    assert compare(recorded, recorded).verdict == REPRODUCED
    other = outcome_to_json(ask(f"{NETTING} {FENCES}"))
    other["parts"][1]["decision"] = "error"
    replay = compare(recorded, other)
    assert replay.verdict == DIVERGED
    assert replay.differences == ("Part 2: The decision was abstain_no_basis and is error.",)
    unsplit = compare(recorded, {**recorded, "parts": []})
    assert unsplit.differences[0].startswith("The question was read as 2 issues and is read as one issue")


def test_parts_are_shown_under_their_questions_with_their_sources_numbered_once() -> None:
    view = answer_view(outcome_to_json(in_parts("both", [ask(NETTING), ask(FENCES), ask(NETTING)])))
    assert [(part.question, part.tone) for part in view.parts] == [
        (NETTING, "answered"),
        (FENCES, "refused"),
        (NETTING, "answered"),
    ]
    assert [source.number for source in view.sources] == [1]
    assert view.sources[0].citation.startswith("Orchard Levy Act 2020 s 12-5 (Netting an orchard), compilation of")
    numbers = [[cited.number for claim in part.claims for cited in claim.cited] for part in view.parts]
    assert numbers[0] == numbers[2] == [1, 1] and not any(numbers[1])
    assert view.parts[0].because == "FY2016, because the year field says so and the question names no time."


def test_a_refusal_has_no_sources() -> None:
    assert answer_view(outcome_to_json(ask(FENCES))).sources == ()


def figure(**changed: Any) -> dict[str, Any]:
    return {
        "key": "car_limit",
        "name": "Car limit",
        "value": "$57,466",
        "starts": "2014-07-01",
        "ends": "2015-06-30",
        "set_by": "ITAA97 s 40-230(3)",
        "act": "ITAA97",
        "section": "40-230",
        "schedule": "",
        "status": "recorded",
        "source": "Published rates",
        "formula": "",
        "inputs": [],
        **changed,
    }


def test_a_figure_has_its_row_of_the_ledger_as_workings() -> None:
    workings = figure_of(figure(), "FY2015", set()).workings
    assert workings.head == ("Row of the ledger", "Holds", "Set by", "Proof")
    assert workings.rows == (("Car limit", "1 July 2014 – 30 June 2015", "ITAA97 s 40-230(3)", "Recorded"),)
    assert workings.total[:2] == ("Value", "$57,466")


def test_tax_on_an_income_has_a_row_for_each_band() -> None:
    inputs = [
        {"name": "$0 to $18,200", "value": "0% of $18,200 = $0", "set_by": "ITRA86 Sch 7"},
        {"name": "Over $18,200 to $37,000", "value": "19% of $1,800.50 = $342.10", "set_by": "ITRA86 Sch 7"},
    ]
    workings = figure_of(figure(value="$342.10", formula="Sum", inputs=inputs), "FY2015", set()).workings
    assert workings.head == ("Band of income", "Rate", "Part in the band", "Tax")
    assert workings.rows[1] == ("Over $18,200 to $37,000", "19%", "$1,800.50", "$342.10")
    assert workings.total == ("Tax", "", "", "$342.10")


def test_other_inputs_are_rows_with_who_sets_them() -> None:
    inputs = [{"name": "Price", "value": "$110", "set_by": "the question"}]
    workings = figure_of(figure(formula="Price × 1/11", inputs=inputs), "FY2015", set()).workings
    assert workings.rows == (("Price", "$110", "the question"),)
    assert workings.total == ("Car limit", "$57,466", "ITAA97 s 40-230(3)")


def record(**changed: Any) -> dict[str, Any]:
    identity = {"provider": "ollama", "model": "small", "seed": 7, "honours_seed": True, "is_remote": False, "host": ""}
    exchange = {"prompt_tokens": 1200, "completion_tokens": 80}
    return {
        "identity": identity,
        "offered": [1, 2, 3],
        "chosen": [1, 2],
        "verified": [1],
        "dropped": [],
        "exchanges": [exchange, exchange],
        "grounded_by": "word-overlap:1",
        "lowest": 0.8,
        **changed,
    }


def test_the_footer_says_who_answered_and_what_became_of_its_quotes() -> None:
    dropped = ["a quote was dropped: not in source", "a sentence was dropped: 99 stands in none of its quotes"]
    assert made_by({"provider": "ollama", "made_by": record(), "dropped": dropped}) == (
        "Drafted by ollama · small, seed 7, which the provider heeds.",
        "3 passages offered, 2 quotes chosen, 1 matched.",
        f"Dropped: {dropped[0]}; {dropped[1]}.",
        "What the model wrote beyond its quotes is not shown; the quotes that stand are.",
        "Prose held against its quotes by word overlap, least score 0.80.",
        "2,400 tokens read, 160 written.",
    )


@pytest.mark.parametrize(
    ("identity", "says"),
    [
        ({"seed": None}, "without a seed: asked again it may draft otherwise"),
        ({"honours_seed": False}, "seed 7, which the provider does not promise to heed"),
    ],
)
def test_the_footer_says_what_the_seed_is_worth(identity: dict[str, Any], says: str) -> None:
    changed = record(identity={**record()["identity"], **identity})
    assert says in made_by({"made_by": changed})[0]


def test_the_footer_of_two_times_and_of_parts_names_who_answered() -> None:
    drafted = {"provider": "ollama", "made_by": record()}
    other = {"provider": "ollama", "made_by": record(chosen=[1])}
    quoted = {"provider": "figures", "made_by": None}
    who = "Drafted by ollama · small, seed 7, which the provider heeds."
    both = made_by({"provider": "ollama", "sides": [drafted, other]})
    assert both[0] == who and len([line for line in both if "offered" in line]) == 2
    assert made_by({"provider": "figures", "parts": [quoted, drafted]}) == (who,)
    assert made_by({"provider": "figures", "parts": [quoted, quoted]}) == ("No model had a part in it.",)


def test_without_a_model_the_footer_says_so_and_an_older_record_says_nothing() -> None:
    assert made_by({"provider": "extractive"}) == ("No model had a part in it.",)
    assert made_by({"provider": ""}) == () == made_by({})
