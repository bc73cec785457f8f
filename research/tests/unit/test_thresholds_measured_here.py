"""Bars kept per scale: what nobody measured is refused, what was measured here is kept, read back and told honestly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml

from research.adapters import thresholds_file
from research.adapters.thresholds_file import ThresholdsRefused
from research.decision import thresholds
from research.decision.thresholds import COSINE, Grounded, for_groundedness, for_reranker
from research.evaluation import grounding
from research.evaluation.bars import TO_MEASURE, NoBars, bars_of
from research.evaluation.grounding import PairsRejected
from research.logistic import Weights
from research.verification.overlap import OverlapScorer

pytestmark = pytest.mark.unit

PAIRS = Path(__file__).parents[3] / "gold_set" / "groundedness.yaml"
CROSS_ENCODER = "cross-encoder:bge-reranker-v2-m3@0123456789ab"


@pytest.fixture(autouse=True)
def nothing_measured_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(thresholds, "_MEASURED_HERE", {})
    monkeypatch.setattr(thresholds, "_GROUNDED_HERE", {})
    yield


@pytest.mark.parametrize(
    "identity",
    [
        CROSS_ENCODER,
        "cosine:bge-m3@0123456789ab",
        "cosine:minilm-l6-v2@0123456789ab",
        "learned-hybrid:0123456789ab+0123456789ab:bge-m3@0123456789ab",
        "learned-lexical:0123456789ab+0123456789ab:qwen3-embedding-0.6b@0123456789ab",
    ],
)
def test_a_scale_that_nobody_measured_is_refused_whatever_it_resembles(identity: str) -> None:
    with pytest.raises(LookupError, match="No thresholds were measured for the reranker"):
        for_reranker(identity)


def test_what_was_measured_here_holds_for_that_very_identity_alone() -> None:
    thresholds.put(CROSS_ENCODER, TO_MEASURE)
    assert for_reranker(CROSS_ENCODER) is TO_MEASURE
    with pytest.raises(LookupError, match=CROSS_ENCODER):
        for_reranker(CROSS_ENCODER.replace("ab", "ac"))
    assert for_reranker("cosine:minilm-l6-v2-int8@0123456789ab") is COSINE


def test_a_scorer_nobody_measured_has_no_bar() -> None:
    assert for_groundedness(OverlapScorer.identity).bar == 0.44
    for identity in ("word-overlap:2", "hhem-2.1-open@0123456789ab"):
        with pytest.raises(LookupError, match="No bar was measured for the scorer"):
            for_groundedness(identity)
    thresholds.put_grounded("hhem-2.1-open@0123456789ab", Grounded(0.5, "here"))
    assert for_groundedness("hhem-2.1-open@0123456789ab") == Grounded(0.5, "here")


# The file


def test_a_file_is_read_back_as_it_was_written_and_keeps_what_it_had(tmp_path: Path) -> None:
    path = tmp_path / "thresholds.yaml"
    bars = bars_of(Weights(0.5, {"odds": 1.25}, "on cases"), *measured(40, 0), on="on cases")
    thresholds_file.write(path, CROSS_ENCODER, bars)
    thresholds_file.write(path, "hhem-2.1-open@0123456789ab", Grounded(0.51, "on pairs"))
    found = thresholds_file.read(path)
    assert found == {CROSS_ENCODER: bars, "hhem-2.1-open@0123456789ab": Grounded(0.51, "on pairs")}
    thresholds_file.put_all(found)
    assert for_reranker(CROSS_ENCODER) == bars
    assert for_groundedness("hhem-2.1-open@0123456789ab").bar == 0.51


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[]", "give rerankers and groundedness"),
        ("other: {}", "give rerankers and groundedness"),
        ("groundedness: {a: {bar: high, measured: x}}", "bar is 'high' and no number"),
        ("groundedness: {a: {bar: 0, measured: x}}", "give a bar above 0"),
        ("groundedness: {a: {bar: 0.5}}", "a bar above 0 and up to 1, and how it was measured"),
        ("rerankers: {a: {floor: 0.5}}", "a is not as `manage.py calibrate` writes it: 'bar'"),
        ("rerankers: {a: [", "cannot be read"),
    ],
)
def test_a_file_that_is_not_of_its_form_is_refused_by_name(tmp_path: Path, written: str, said: str) -> None:
    path = tmp_path / "thresholds.yaml"
    path.write_text(written)
    with pytest.raises(ThresholdsRefused, match=said) as refused:
        thresholds_file.read(path)
    assert str(path) in str(refused.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ThresholdsRefused, match="cannot be read"):
        thresholds_file.read(tmp_path / "absent.yaml")


# Reading the bars off


def measured(right: int, wrong: int) -> tuple[list[dict[str, float]], list[bool], list[float]]:
    """Right answers from a confidence of 0.99 downwards in hundredths of hundredths, wrong ones all at 0.5."""
    signs = [{"odds": 2.0 - n / 100} for n in range(right)] + [{"odds": -2.0}] * wrong
    return signs, [True] * right + [False] * wrong, [0.99 - n / 1000 for n in range(right)] + [0.5] * wrong


def test_the_confidence_asked_for_is_the_least_at_which_enough_answers_are_right() -> None:
    bars = bars_of(Weights(0.0, {}, "x"), *measured(40, 10), on="on 50 cases")
    assert bars.sure == 0.951  # of the fortieth, 0.99 - 39/1000
    assert bars.measured == "on 50 cases: from a confidence of 0.951 on, 40 right answers and 0 wrong ones"
    assert 0 < bars.floor < bars.bar < 0.9 and bars.clear == 1.0


def test_one_wrong_answer_of_forty_is_within_the_share_and_two_are_not() -> None:
    signs, right, unseen = measured(40, 0)
    bars = bars_of(Weights(0.0, {}, "x"), signs, [False, *right[1:]], unseen, on="x")
    assert bars.measured.endswith("39 right answers and 1 wrong ones")
    with pytest.raises(NoBars, match=r"no confidence has 30 answers or more .* of all 40 answers 38 are"):
        bars_of(Weights(0.0, {}, "x"), signs, [False, False, *right[2:]], unseen, on="x")


def test_too_few_answers_tell_no_bar() -> None:
    with pytest.raises(NoBars, match="of all 29 answers 29 are"):
        bars_of(Weights(0.0, {}, "x"), *measured(29, 0), on="x")
    with pytest.raises(NoBars, match="no answer was right"):
        bars_of(Weights(0.0, {}, "x"), *measured(0, 5), on="x")


# Groundedness


def test_the_bar_of_word_overlap_is_what_its_pairs_say_now() -> None:
    found = grounding.measure(OverlapScorer(), grounding.pairs_of(yaml.safe_load(PAIRS.read_text(encoding="utf-8"))))
    assert found.passed == {"fair": (40, 40), "other": (0, 80), "changed": (20, 20)}
    held = for_groundedness(OverlapScorer.identity)
    assert held.bar == found.bar and f"{found.reached:.2f} is reached by 95 %" in held.measured


def test_no_fair_sentence_beside_any_other_quote_reaches_the_bar() -> None:
    rows = yaml.safe_load(PAIRS.read_text(encoding="utf-8"))
    scores = [OverlapScorer().score(a["fair"], [b["quote"]]) for a in rows for b in rows if a is not b]
    assert (len(scores), max(scores)) == (1560, 0.4)


class Fixed:
    """A scorer that has one score for each first word."""

    identity = "fixed:1"

    def __init__(self, **scores: float) -> None:
        self._scores = scores

    def score(self, prose: str, quotes: Sequence[str]) -> float:
        return self._scores[prose.split()[0]]


ROWS = [{"quote": "q", "fair": "fair", "other": "other", "changed": "changed"}]


def test_the_bar_lies_midway() -> None:
    pairs = [pair for pair in grounding.pairs_of(ROWS) if pair.prose != "fair" or pair.kind == "fair"]
    found = grounding.measure(Fixed(fair=0.8, other=0.3, changed=0.1), pairs)
    assert (found.bar, found.passed["changed"]) == (0.55, (0, 1))


def test_a_scorer_that_cannot_tell_the_two_apart_gets_no_bar() -> None:
    pairs = [pair for pair in grounding.pairs_of(ROWS) if pair.prose != "fair" or pair.kind == "fair"]
    for other in (0.8, 0.9):
        with pytest.raises(PairsRejected, match=r"fixed:1 does not tell fair prose .* reach 0\.80, and one on another"):
            grounding.measure(Fixed(fair=0.8, other=other, changed=0.1), pairs)


def test_pairs_of_another_form_are_refused() -> None:
    for plain, said in (({}, "give a list"), ([{"quote": "q"}], "pair 1 has quote; give quote, fair")):
        with pytest.raises(PairsRejected, match=said):
            grounding.pairs_of(plain)
    with pytest.raises(PairsRejected, match="nothing can be read off"):
        grounding.measure(OverlapScorer(), [])
