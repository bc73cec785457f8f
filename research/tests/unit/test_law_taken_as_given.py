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
    ],
)
def test_facts_of_a_case_are_none(question: str) -> None:
    assert not takes_law_as_given(question)
