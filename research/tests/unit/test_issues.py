"""A question with several issues, taken apart only at clear joints, with its facts and its time in every part."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from research.question.issues import MOST_PARTS, issues_of

pytestmark = pytest.mark.unit

SUITE = Path(__file__).parents[3] / "gold_set" / "pit_suite.yaml"


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Is a laptop deductible in FY2020; also, must an employer register for PAYG withholding?",
            ["Is a laptop deductible in FY2020?", "Must an employer register for PAYG withholding (FY2020)?"],
        ),
        (
            "Is travel deductible, and are meal allowances assessable income in 2019-20?",
            ["Is travel deductible (2019-20)?", "Are meal allowances assessable income in 2019-20?"],
        ),
        (
            "We run a cafe. What is the turnover threshold? Are meal vouchers given to staff fringe benefits?",
            [
                "We run a cafe. What is the turnover threshold?",
                "We run a cafe. Are meal vouchers given to staff fringe benefits?",
            ],
        ),
        (
            "For FY2020: 1. Is a laptop deductible? 2. What is the car limit? 3. When is a summary lodged?",
            [
                "For FY2020: Is a laptop deductible?",
                "For FY2020: What is the car limit?",
                "For FY2020: When is a summary lodged?",
            ],
        ),
        (
            "Two things: • is a gift to a school deductible • who must lodge an activity statement",
            [
                "Two things: Is a gift to a school deductible?",
                "Two things: Who must lodge an activity statement?",
            ],
        ),
        (
            "What was the car limit in FY2015? What was the Medicare levy threshold in FY2020?",
            ["What was the car limit in FY2015?", "What was the Medicare levy threshold in FY2020?"],
        ),
    ],
)
def test_clear_joints_are_read(question: str, parts: list[str]) -> None:
    assert list(issues_of(question)) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Can I deduct the cost if the laptop is used for work and is kept at home?",
        "What is trading stock? Does it cover livestock?",
        "Can I vary the instalment, and what if I guess too low?",
        "Is rent assessable and is interest deductible?",  # no comma: read as one
        "When are residential premises new? Do substantial renovations count?",
        "When I sell shares, do I pay tax on the gain, and is the brokerage deductible?",
        "If a trust resolves late, is the income assessed to the trustee, and are beneficiaries entitled to credits?",
        "Is a gift deductible? My accountant says a raffle ticket is not. Are school fees deductible?",
        "What does s 8-1(1) say about (a) losses and (b) outgoings?",
        "Must a company lodge by 1. the due day or 2. the deferred day?",
        "How much is the offset, and how much?",
        "Was travel deductible in FY2015? Were meals in FY2020 or FY2021 deductible to drivers?",
        "Is a laptop deductible?",
        "",
    ],
)
def test_what_hangs_together_stays_whole(question: str) -> None:
    assert issues_of(question) == (question,)


@pytest.mark.parametrize(
    "question",
    [
        "For a small business entity, can prepaid rent be deducted, and is trading stock valued at cost?",
        "For a small business entity, can prepaid rent be deducted? Is trading stock valued at cost?",
        "In FY2019 for a small business, can prepaid rent be deducted, and is trading stock valued at cost?",
        "1. Can fencing be deducted? 2. Are water tanks depreciated? The client is a non-resident.",
        "1) Can fencing be deducted? 2) Are water tanks depreciated in FY2016? The client is a company",
        "Can prepaid rent be deducted, and is trading stock valued at cost, where turnover is under $10 million?",
        "Are gifts to charities deductible, and are raffle tickets deductible, assuming the client is a resident?",
        "Are gifts to charities deductible; are raffle tickets deductible as long as no prize is won?",
        "Is my client, who is a non-resident, taxed on rent; and is interest on a loan deductible?",
        "Can sole traders, and are companies, deduct fines?",
    ],
)
def test_a_condition_that_may_be_of_all_the_parts_is_lost_to_none(question: str) -> None:
    assert issues_of(question) == (question,)


def test_a_time_first_and_the_facts_of_an_item_do_not_keep_a_question_whole() -> None:
    timed = "In FY2019, can prepaid rent be deducted, and is trading stock valued at cost?"
    assert issues_of(timed) == (
        "In FY2019, can prepaid rent be deducted?",
        "Is trading stock valued at cost (FY2019)?",
    )
    listed = "1. For a company, can fencing be deducted? 2. For a trust, are water tanks depreciated?"
    assert len(issues_of(listed)) == 2


def test_more_than_five_parts_stay_whole() -> None:
    things = "gifts", "laptops", "uniforms", "donations", "journals", "parking"
    listed = [f"{number}. Are {thing} of teachers deductible?" for number, thing in enumerate(things, 1)]
    assert issues_of(" ".join(listed)) == (" ".join(listed),)
    assert len(issues_of(" ".join(listed[:MOST_PARTS]))) == MOST_PARTS


def test_a_part_taken_apart_again_stays_whole() -> None:
    for part in issues_of("Is travel deductible, and are meal allowances assessable income in 2019-20?"):
        assert issues_of(part) == (part,)


def test_of_the_questions_that_are_tuned_on_only_one_of_two_unlike_issues_is_split() -> None:
    """Read through, all 519: the other questions of several issues hang together by "it", "on top" or a condition."""
    cases = yaml.load(SUITE.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    tuned = [case for case in cases if case["tags"].get("split") == "tune"]
    assert len(tuned) == 519
    assert [c["id"] for c in tuned if len(issues_of(c["question"])) > 1] == ["m-new-gst-and-abn-2015"]
