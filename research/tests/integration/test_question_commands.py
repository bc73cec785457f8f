"""`ask` and `evaluate` as other tools read them: the fields of their JSON, exit codes, the time that was read."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from asat_site.tenancy.context import in_practice
from asat_site.testing.asking import ask
from asat_site.testing.practices import KnownPractice
from research.models import AuditRow

RESULT = {"id", "decision", "reason", "income_year", "snapshot_id", "citations", "retrieved", "timings_ms"}
RESULT |= {"provider", "model", "confidence", "read_as", "figures", "parts", "next_step", "year_because", "made_by"}
CITATION = {"act", "section", "schedule", "quote", "compilation_date", "in_force_from", "in_force_to", "dating"}
QUESTION = "Can a harbour pilot deduct travel between ports?"


@pytest.fixture
def here(throwaway: Callable[[], KnownPractice], law: str) -> KnownPractice:
    return throwaway()


def test_an_answer_as_json_has_the_fields_that_other_tools_read(here: KnownPractice) -> None:
    code, printed = ask(here, QUESTION, "--income-year", "2020", "--json")
    found = json.loads(printed)
    assert code == 0 and set(found) == RESULT | {"text"}
    assert (found["decision"], found["income_year"], found["provider"]) == ("answer", 2020, "extractive")
    assert found["citations"] and all(set(citation) == CITATION for citation in found["citations"])
    assert all({"act", "section", "score"} <= set(line) for line in found["retrieved"])
    assert found["year_because"].startswith("FY2020, because the year field says so") and found["parts"] == []
    assert found["next_step"].startswith("Check ") and found["made_by"] is None
    with in_practice(here.practice):
        assert AuditRow.objects.count() == 1


def test_the_text_has_the_shape_of_the_page(here: KnownPractice) -> None:
    lines = ask(here, QUESTION, "--income-year", "2020")[1].splitlines()
    marks = [
        "As at: ",
        "Why this year: ",
        "“",
        "  [1] ",
        "Next: Check ",
        "No model had a part in it.",
        "Sources:",
        "  1. ",
    ]
    places = [next(at for at, line in enumerate(lines) if line.startswith(mark)) for mark in marks]
    assert places == sorted(places)
    assert sum(line.startswith("Next: ") for line in lines) == 1


def test_two_issues_are_answered_each_on_its_own(here: KnownPractice) -> None:
    both = f"{QUESTION[:-1]} in FY2020? How much stamp duty is payable on a house bought in Victoria?"
    code, printed = ask(here, both)
    assert code == 3 and "1 of 2 parts answered." in printed
    assert f"1. {QUESTION[:-1]} in FY2020?" in printed
    assert "2. How much stamp duty is payable on a house bought in Victoria (FY2020)?" in printed
    found = json.loads(ask(here, both, "--json")[1])
    assert [part["decision"] for part in found["parts"]] == ["answer", "abstain_out_of_scope"]
    assert (found["decision"], found["reason"]) == ("abstain_out_of_scope", "issues_split")


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((QUESTION, "--income-year", "2020"), 0, "As at: FY2020 (1 July 2019 – 30 June 2020), from the year field"),
        ((f"{QUESTION} FY2022",), 0, "As at: “FY2022” read as FY2022"),
        ((QUESTION,), 3, "because neither the question nor the year field names a time"),
        (("Was it deductible in FY2019 or in FY2020?",), 3, "FY2019"),
    ],
)
def test_the_text_says_which_time_was_read_and_the_exit_code_whether_it_was_answered(
    here: KnownPractice, words: tuple[str, ...], code: int, says: str
) -> None:
    assert ask(here, *words)[0] == code
    assert says in ask(here, *words)[1]


def test_evaluate_writes_a_result_a_line_and_records_nothing(here: KnownPractice, tmp_path: Path) -> None:
    cases, results, out = tmp_path / "cases.yaml", tmp_path / "results.jsonl", StringIO()
    cases.write_text(
        f'- id: travel\n  question: "{QUESTION}"\n  income_year: 2020\n'
        "  expected: {behaviour: answer, gold: [{act: HDFA99, section: 5-10}]}\n"
        '- id: duty\n  question: "How much stamp duty is payable on a house in Victoria?"\n  income_year: 2020\n'
        "  expected: {behaviour: abstain_out_of_scope}\n"
    )
    command = ("evaluate", str(cases), "--out", str(results), "--practice", here.practice.schema_name)
    call_command(*command, "--workers", "2", "--json", stdout=out)
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert [line["id"] for line in lines] == ["travel", "duty"]
    assert all(set(line) == RESULT for line in lines)
    counted = json.loads(out.getvalue())
    assert (counted["right"], counted["rightly_refused"], counted["wrong"], counted["out_of_period"]) == (1, 1, 0, 0)
    with in_practice(here.practice):
        assert not AuditRow.objects.exists()
