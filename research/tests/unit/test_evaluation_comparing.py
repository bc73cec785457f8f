"""Two runs compared: what was mended and broken, in pairs, against the noise of a run with itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from research.evaluation.cases import Authority, Case, Tags
from research.evaluation.comparing import Results, ResultsRejected, compared, results_in

pytestmark = pytest.mark.unit

CASES = [
    Case(
        id=f"c{at}",
        question="Is it?",
        income_year=2015,
        behaviour="answer",
        also_acceptable_behaviours=(),
        acceptable=(Authority("HDFA99", "12"),),
        must_not_cite=(),
        tags=Tags(split="tune" if at < 10 else "test"),
    )
    for at in range(20)
]


def result(name: str, kind: str) -> dict[str, Any]:
    section = {"right": "12", "wrong": "13"}.get(kind, "")
    cited = [{"act": "HDFA99", "section": section, "in_force_from": "2015-01-01", "in_force_to": None}]
    return {
        "id": name,
        "decision": "answer" if section else "abstain_no_basis",
        "income_year": 2015,
        "citations": cited if section else [],
        "retrieved": [{"act": "HDFA99", "section": section or "14"}],
    }


def run(*kinds: str) -> Results:
    return {case.id: result(case.id, kind) for case, kind in zip(CASES, kinds, strict=True)}


SILENT = ["silent"] * 20


def test_fixed_and_broken_are_told_case_by_case() -> None:
    before = run("right", "wrong", "silent", "wrong", *SILENT[4:])
    after = run("silent", "right", "right", "silent", *SILENT[4:])
    found = compared(CASES, before, after)
    assert [one.case_id for one in found.fixed] == ["c1", "c2"]
    assert [one.case_id for one in found.broken] == ["c0"]
    assert [(one.before, one.after) for one in found.changes if not one.is_fixed and not one.is_broken] == [
        ("wrong", "refused")
    ]
    assert found.chance == 1.0  # two against one
    assert found.as_json()["noise_floor"] is None and "not measured" in found.as_text()


def test_the_chance_of_a_lopsided_split_is_the_exact_sign_test() -> None:
    found = compared(CASES, run(*SILENT), run(*["right"] * 6, *SILENT[6:]))
    assert found.chance == pytest.approx(2 / 2**6)


def test_differences_are_bootstrapped_in_pairs() -> None:
    found = compared(CASES, run(*SILENT), run(*["right"] * 10, *SILENT[10:]))
    right = next(one for one in found.differences if one.name == "right, of the answerable")
    assert (right.before, right.after, right.change.value, right.says) == (0.0, 0.5, 0.5, "higher")
    # Every pair that changed went one way, so no draw can go below nothing.
    assert 0.2 < right.change.low < 0.5 < right.change.high < 0.8
    wrong = next(one for one in found.differences if one.name.startswith("wrong"))
    assert (wrong.change.low, wrong.change.high, wrong.says) == (0.0, 0.0, "unchanged")


def test_a_change_no_larger_than_the_runs_own_noise_shows_nothing() -> None:
    before, after = run(*SILENT), run(*["right"] * 6, *SILENT[6:])
    right = "right, of the answerable"
    told = {one.name: one.says for one in compared(CASES, before, after).differences}
    assert told[right] == "higher"
    twin = run(*SILENT[:14], *["right"] * 6)
    found = compared(CASES, before, after, twin)
    assert found.noisy is not None and len(found.noisy) == 6
    assert {one.name: one.says for one in found.differences}[right] == "within the noise floor"


def test_a_split_is_compared_alone() -> None:
    found = compared(CASES, run(*SILENT), run(*["right"] * 20), split="test")
    assert found.cases == 10 and found.fixed[0].case_id == "c10"


def test_runs_of_other_cases_are_refused() -> None:
    before = run(*SILENT)
    with pytest.raises(ResultsRejected, match="'c19'"):
        compared(CASES, before, {name: one for name, one in before.items() if name != "c19"})
    with pytest.raises(ResultsRejected, match="'c19' is not in the cases file"):
        compared(CASES[:19], before, before)
    with pytest.raises(ResultsRejected, match="split"):
        compared(CASES, before, before, split="dev")


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"id": "a"}', '{"id": "a", "citations": []}', '{"id": "a", "citations": 3}']
)
def test_a_line_that_is_no_result_is_refused_by_its_number(text: str, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(result("b", "right")) + "\n" + text + "\n")
    with pytest.raises(ResultsRejected, match="line 2"):
        results_in(path)
