"""The one step after an answer: the most specific rule wins, and every rule names what stands in the Acts."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import yaml

from research.decision.next_step_rules import FIGURE_RULES, GENERAL, RULES
from research.decision.next_steps import Rule, rules, step_for, step_for_figure

pytestmark = pytest.mark.unit

CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
LEDGER = Path(__file__).parents[2] / "figure_ledger"
ACTS = frozenset(
    "ITAA97 ITAA36 ITTPA97 ITRA86 GSTA99 TAA53 FBTAA86 SISA93 SGAA92 SGCA92 TASA09 ABNA99 MLA86 FTA06 AIA01".split()  # noqa: SIM905
)


@pytest.mark.parametrize(
    ("act", "section", "schedule", "says"),
    [
        ("ITAA97", "328-110", "", "was a small business entity for FY2020"),
        ("ITAA97", "8-1", "", "how private use was apportioned"),
        ("ITAA97", "8-5", "", "Check which provision gives the deduction for FY2020"),
        ("ITAA97", "40-25", "", "the effective life and the method chosen"),
        ("ITAA97", "40-880", "", "not capital under another provision"),
        ("ITAA97", "118-115", "", "any other dwelling chosen"),
        ("ITAA97", "104-10", "", "the contract decides whether it falls in FY2020"),
        ("ITAA97", "103-5", "", "the contract date, not settlement alone"),
        ("ITAA97", "950-100", "", "against each condition in the words quoted"),
        ("ITAA36", "109D", "", "complying loan agreements signed by lodgment day"),
        ("ITAA36", "109ZE", "", "complying loan agreements signed by lodgment day"),
        ("ITAA36", "109N", "", "in writing by lodgment day"),
        ("ITAA36", "109", "", "no provision of the 1997 Act"),
        ("TAA53", "12-35", "1", "whether the payee quoted an ABN"),
        ("TAA53", "12", "", "the time allowed for what comes next"),
        ("TAA53", "14ZW", "", "put the last day for objecting in the diary"),
        ("GSTA99", "11-20", "", "a tax invoice is held"),
        ("FBTAA86", "9", "", "declarations held by the lodgment day"),
        ("SISA93", "66", "", "evidence of its market value"),
        ("XYZ20", "1", "", "against each condition in the words quoted"),
    ],
)
def test_the_most_specific_rule_gives_the_step(act: str, section: str, schedule: str, says: str) -> None:
    assert says in step_for(act, section, schedule, "FY2020")


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("fbt_cap_pbi", "Check the endorsement of the employer"),
        ("fbt_rate", "Check that the FBT year meant"),
        ("tax_on_income_resident", "add the levies and offsets"),
        ("low_rate_cap", "counted against the cap before FY2020"),
        ("nothing_known", "how private use was apportioned"),  # falls back on the provision that sets it
    ],
)
def test_a_figure_has_a_step_of_its_own(key: str, says: str) -> None:
    assert says in step_for_figure(key, "ITAA97", "8-1", "", "FY2020")


def test_there_are_rules_for_every_act_and_each_is_one_check() -> None:
    assert len(RULES) >= 60
    assert {rule.act for rule in rules()} == ACTS == {rule.act for rule in rules() if rule.breadth == 3}
    assert len({(act, place) for act, place, _ in RULES}) == len(RULES)
    for step in [*(step for *_, step in RULES), *(step for _, step in FIGURE_RULES), GENERAL]:
        said = step.format(year="FY2020")
        assert said.startswith("Check ") and said.endswith(".") and said.count(". ") == 0, step
        assert not any(character.isdigit() for character in step.replace("1997 Act", "")), step  # no number to be wrong


def test_no_rule_is_hidden_by_another() -> None:
    """Each rule is the one chosen for some place in it, so the order of the table decides nothing."""
    for rule in rules():
        if rule.first and rule.first == rule.last:
            assert step_for(rule.act, rule.first, rule.schedule, "{year}") == rule.step


def test_the_keys_of_figures_stand_in_the_ledger() -> None:
    keys = {"tax_on_income_"}
    for path in LEDGER.glob("*.yaml"):
        keys |= {figure["key"] for figure in (yaml.safe_load(path.read_text("utf-8")).get("figures") or ())}
    assert [prefix for prefix, _ in FIGURE_RULES if not any(key.startswith(prefix) for key in keys)] == []


def test_every_rule_names_what_stands_in_the_acts() -> None:
    if not CORPUS.exists():
        pytest.skip("NOT CHECKED: the Acts are not beside this checkout, so the places named were not looked up.")
    held: dict[str, set[tuple[str, str]]] = {}
    for path in CORPUS.glob("*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                schedule, _, section = record["documentId"].partition("/")[2].rpartition("/")
                held.setdefault(record["metadata"]["actShort"], set()).add((schedule.removeprefix("sch"), section))
    assert [f"{rule.act} {rule.first}{rule.division}" for rule in rules() if not _stands(rule, held[rule.act])] == []


def _stands(rule: Rule, held: set[tuple[str, str]]) -> bool:
    if rule.first and rule.first == rule.last:
        return (rule.schedule, rule.first) in held
    first = not rule.first or (rule.schedule, rule.first) in held
    return first and any(rule.covers(rule.act, section, schedule) for schedule, section in held)
