"""Questions that assert what the law is beside what they ask, and those that only tell their facts."""

from __future__ import annotations

import pytest

from research.question.premise import takes_law_as_given

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "question",
    [
        "Now that they scrapped the luxury car limit, what do I deduct?",
        "Since the government has doubled the tax-free threshold, do I lodge?",
        "Seeing that trusts pay company tax, how are franking credits passed on?",
        "As the ATO has to pay interest on refunds, how do I claim it?",
        "These days donations count twice. Is there a form?",
        "Under the new exemption for utes, do I keep a logbook?",
        "As pensioners don't pay tax on gains, do I report the sale?",
        "Because you must own a shop for ten years, how do I show it?",
        "Employers get a double deduction for trainees, how do I enter it?",
        "SMSFs can lend members up to 20% of assets, what interest is charged?",
        "The six year rule became an eight year rule, is my flat covered?",
        "The FBT rate fell to 28%, what do we pay?",
        "Partnerships now pay a flat 20% on profit, so do partners lodge?",
        "The small business exemption was cut to $1 million, how much is left?",
        "They reduced the discount to a third, is that for my land too?",
    ],
)
def test_a_rule_that_is_asserted_is_seen(question: str) -> None:
    assert takes_law_as_given(question)


@pytest.mark.parametrize(
    "question",
    [
        "Since I moved overseas my house has been rented. Is the gain exempt?",
        "Now that mum has died, who pays tax on the rent?",
        "I work from home with two screens. Are they deductible?",
        "Is there a limit on deductions for cars?",
        "Because I was sick I lodged late. What is the penalty?",
        "Since my kids get money from the trust, who pays the tax?",
        "Because the company pays my rent, is it a fringe benefit?",
        "My rate of pay went up to $50, how much super is due?",
        "Can companies carry losses forward, and how?",
        "As a resident, do I pay tax on rent from Spain?",
        "Employees get a car, is that a fringe benefit?",
    ],
)
def test_facts_of_a_case_are_none(question: str) -> None:
    assert not takes_law_as_given(question)
