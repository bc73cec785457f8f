"""How often true prose passes and false prose is stopped, on pairs written for it: see docs/verification.md."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

from research.terms import CheckedClaim, Claim, Draft, Quote
from research.tests.unit.passages import passage
from research.tests.unit.prose_pairs import FIRST, SECOND, THIRD, Rule
from research.verification.claims import verify
from research.verification.quotes import ALL_CHECKS, NEGATION

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]
RULES = (*FIRST, *SECOND, *THIRD)
TRUE = [(rule, prose) for rule in RULES for prose in rule.true]
FALSE = [(rule, kind, rule.text, prose) for rule in RULES for kind, prose in rule.false]
CUT = [(rule, kind, quoted, prose) for rule in RULES for kind, quoted, prose in rule.cut]

# True prose that fails all the same, and the words that it fails for. Each is a limit of reading words for grammar.
FAILS_THOUGH_TRUE = {
    "Three conditions aside, you can claim the wharf offset if it is not more than $5 000, you owned the wharf on"
    " 30 June 2018 and it was not let.": "Three",
    "Every co-owner is jointly and severally liable for the dues, even one that does not use the wharf.": (
        '"not" stands in none of its quotes'
    ),
    "The return must be lodged by 31 October 2020 unless the Registrar allows a later day.": (
        '"unless" stands in none of its quotes'
    ),
    "The seller of a licensed tug keeps no credit for the year of the sale.": (
        'says "licensed" of "seller", its quotes of "buyer"'
    ),
    "A dredge fixed to the sea floor is plant if its owner has so notified the Registrar.": 'leaves out "not"',
    "Written notice must reach the keeper within twenty-eight days after the day of lighting.": (
        '"lighting" stands in none of its quotes'
    ),
    "Within 28 days after the lighting, the Warden is required to give written notice.": (
        '"lighting" stands in none of its quotes'
    ),
    "For section 14-2, no voyage that begins and ends at the same wharf is a coastal voyage.": (
        'leaves out "not" before "coastal"'
    ),
    "An excess may only be carried forward once, to the next year, and is lost if the keeper changes.": (
        '"may" stands in none of its quotes'
    ),
}


def composed(rule: Rule, quoted: str, prose: str, checks: frozenset[str] = ALL_CHECKS) -> CheckedClaim:
    claim = Claim(prose, (Quote(1, quoted),), is_composed=True)
    (checked,) = verify(
        Draft((claim,), "m", "m"), {1: passage(1, rule.text, parent="", instrument_title="")}, enabled_checks=checks
    )
    assert checked.quotes[0].is_verified
    return checked


def test_there_are_enough_pairs_to_say_something() -> None:
    assert (len(TRUE), len(FALSE) + len(CUT)) == (105, 216)


@pytest.mark.parametrize(("rule", "prose"), [pair for pair in TRUE if pair[1] not in FAILS_THOUGH_TRUE])
def test_true_prose_passes(rule: Rule, prose: str) -> None:
    assert composed(rule, rule.text, prose).excess == ()


@pytest.mark.parametrize(("rule", "prose"), [pair for pair in TRUE if pair[1] in FAILS_THOUGH_TRUE])
def test_true_prose_that_fails_is_named_with_the_words_it_fails_for(rule: Rule, prose: str) -> None:
    assert composed(rule, rule.text, prose).excess[0] == FAILS_THOUGH_TRUE[prose]


def test_nine_true_pairs_in_ten_pass() -> None:
    assert len(TRUE) - len(FAILS_THOUGH_TRUE) >= 0.9 * len(TRUE)


@pytest.mark.parametrize(("rule", "kind", "quoted", "prose"), [*FALSE, *CUT])
def test_false_prose_is_stopped(rule: Rule, kind: str, quoted: str, prose: str) -> None:
    assert not composed(rule, quoted, prose).is_verified


def test_most_false_prose_would_pass_without_the_check_on_what_turns_a_rule() -> None:
    through = Counter(
        kind
        for rule, kind, quoted, prose in (*FALSE, *CUT)
        if composed(rule, quoted, prose, ALL_CHECKS - {NEGATION}).is_verified
    )
    assert through["negation"] + through["exception"] + through["modality"] + through["opposite"] >= 80
    assert through["value"] == 0


def test_how_prose_fares_that_was_written_for_something_else() -> None:
    """The pairs of the groundedness set, whose fair sentences paraphrase freely."""
    pairs = yaml.safe_load((ROOT / "gold_set" / "groundedness.yaml").read_text())
    passed = {
        kind: [composed(Rule(p["quote"], (), ()), p["quote"], p[kind]).is_verified for p in pairs if kind in p]
        for kind in ("fair", "other", "changed")
    }
    assert {kind: (sum(held), len(held)) for kind, held in passed.items()} == {
        "fair": (29, 40),
        "other": (0, 40),
        "changed": (0, 20),
    }
