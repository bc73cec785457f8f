"""What is cited and what is worth reading are opened at the address that the provision's own records give it."""

from __future__ import annotations

from datetime import date

import pytest

from research import shown
from research.decision.decide import Verdict
from research.law.income_year import IncomeYear
from research.shown import Findings, Searched
from research.terms import (
    CheckedClaim,
    CheckedQuote,
    Claim,
    Decision,
    Quote,
    Ranked,
    Reason,
    ResolvedTime,
    Snapshot,
    Window,
)
from research.tests.unit.passages import passage

pytestmark = pytest.mark.unit

YEAR = IncomeYear(2015)
ASKED = Searched(
    "Is it due?", ResolvedTime(Window.of_year(YEAR), YEAR, "field"), Snapshot("ab" * 32, "hybrid", "none", 1)
)
SECOND = passage(1, "A lantern levy is due each year.", section="12B", document_id="lta01/12B~2")


def test_a_pin_is_the_document_id_after_its_instrument() -> None:
    assert SECOND.pin == "12B~2"
    assert passage(2, "x", document_id="lta01/sch1/12-35").pin == "sch1/12-35"
    assert passage(3, "x").pin == ""


def test_a_citation_and_the_reading_list_carry_the_pin() -> None:
    quote = CheckedQuote(Quote(1, SECOND.text), 0, len(SECOND.text), SECOND.text)
    checked = CheckedClaim(Claim("LTA01 s 12B says:", (quote.quote,)), (quote,))
    found = Findings((), (Ranked(SECOND, 1.0, 0.9),), (), (checked,), {1: SECOND})
    outcome = shown.decided(ASKED, found, Verdict(Decision.ANSWER, Reason.VERIFIED), {})
    assert [citation.pin for claim in outcome.claims for citation in claim.citations] == ["12B~2"]
    assert [line.pin for line in outcome.reading_list] == ["12B~2"]


def test_provisions_that_could_be_meant_carry_their_pins() -> None:
    first = passage(2, "Another levy.", section="12B", document_id="lta01/12B", certain_from=date(2015, 1, 1))
    assert [line.pin for line in shown.two_provisions(ASKED, [first, SECOND]).reading_list] == ["12B", "12B~2"]
