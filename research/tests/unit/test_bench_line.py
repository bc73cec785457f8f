"""What the bench's fake provider says, how it reports the line, and what it gives the verifier to check."""

from __future__ import annotations

import json
from typing import Any

from research.evaluation.bench import Timing
from research.evaluation.bench_line import Fairness, OneByOne, honest
from research.evaluation.bench_verify import _draft
from research.management.commands.bench_line import section
from research.terms import Quote
from research.tests.unit.passages import passage
from research.verification.claims import verify

RULE = "You can deduct from your assessable income the dues that you pay for mooring a vessel."
LIMIT = "However, you cannot deduct dues to the extent that they are of a private nature."


def body(*lines: dict[str, Any]) -> dict[str, Any]:
    text = "\n".join(json.dumps(line) for line in ({"question": "?"}, *lines))
    return {"messages": [{"role": "system", "content": ""}, {"role": "user", "content": text}]}


def test_the_fake_provider_quotes_whole_sentences_and_says_each_again() -> None:
    chosen = honest(body({"source": "s1", "text": f"(1) {RULE}"}, {"source": "s2", "text": "(a) half a sentence"}))
    assert chosen == {"quotes": [{"source": "s1", "quote": RULE, "kind": "rule"}]}
    said = honest(body({"quote": "q1", "words": RULE}))
    assert said == {"sentences": [{"text": RULE, "quotes": ["q1"], "kind": "rule"}]}
    assert honest(body()) == {"sentences": []}


def test_the_report_says_rates_and_what_one_practice_costs_another() -> None:
    alone = OneByOne(Timing("first", 1, (10.0, 20.0, 30.0)), Timing("whole", 1, (90.0, 100.0, 110.0)))
    fair = Fairness(Timing("alone", 1, (100.0, 100.0)), Timing("behind", 1, (200.0, 240.0)), 150)
    assert fair.ratio == 2.2
    text = "\n".join(section({1: 10.0, 8: 12.0}, {1: 5.0, 8: 9.0}, 44, alone, fair))
    assert "| 1 | 10.0 | 5.0 | 0.50 |\n| 8 | 12.0 | 9.0 | 0.75 |" in text
    assert "p50 20 ms" in text and "p50 100 ms" in text and "(44 replies)" in text
    assert "took 220 ms (median of 6), in an empty line 100 ms: 2.2 times as long, with 150 still waiting" in text


def test_what_the_verifier_is_given_to_check_is_true_and_checked_in_full() -> None:
    first, second = passage(1, text=f"{RULE} {LIMIT}"), passage(2, text=RULE)
    draft = _draft([first, second], 3, is_composed=True)
    assert [claim.quotes for claim in draft.claims] == [(Quote(1, RULE),), (Quote(2, RULE),), (Quote(1, LIMIT),)]
    assert all(claim.is_composed and claim.prose == claim.quotes[0].text for claim in draft.claims)
    checked = verify(draft, {1: first, 2: second})
    assert [claim.is_verified for claim in checked] == [True, True, True]
