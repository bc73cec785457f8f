"""Reads off the bar of a groundedness scorer: where prose on another subject ends and fair prose begins. Pure.

The pairs stand in gold_set/groundedness.yaml: fair prose, prose on another subject, and prose on the same subject that
says something else. On another subject is also each fair sentence beside the next quote. The bar parts the first two;
how much of the third passes is reported with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from research.ports import GroundednessScorer

FAIR_TO_PASS = 0.95  # of the fair sentences, at least
KINDS = ("fair", "other", "changed")


class PairsRejected(ValueError):
    """The pairs are not of their form, or tell no bar; the message says why."""


@dataclass(frozen=True, slots=True)
class Pair:
    quote: str
    prose: str
    kind: str


@dataclass(frozen=True, slots=True)
class Measure:
    """bar: read off, on the scorer's scale. passed: of each kind (at or above the bar, all).

    reached: by 95 % of the fair sentences; best: of those on another subject.
    """

    bar: float
    passed: Mapping[str, tuple[int, int]]
    reached: float
    best: float

    @property
    def said(self) -> str:
        """The counts in a sentence, as they are kept beside the bar."""
        fair, other, changed = (self.passed[kind] for kind in KINDS)
        return (
            f"{self.reached:.2f} is reached by 95 % of fair sentences, {self.best:.2f} by the best on another subject; "
            f"at {self.bar} pass {fair[0]} of {fair[1]} fair sentences, {other[0]} of {other[1]} on another subject, "
            f"and {changed[0]} of {changed[1]} on the same subject that say something else"
        )


def pairs_of(plain: Any) -> list[Pair]:
    """The pairs of a file's content: a list of {quote, fair, other, changed}, the last one optional."""
    if not isinstance(plain, list) or not all(isinstance(row, dict) for row in plain):
        raise PairsRejected("give a list of pairs, each with quote, fair, other and perhaps changed")
    pairs: list[Pair] = []
    for number, row in enumerate(plain, 1):
        beside = plain[number % len(plain)]
        if not {"quote", "fair", "other"} <= set(row) <= {"quote", *KINDS}:
            raise PairsRejected(f"pair {number} has {', '.join(row)}; give quote, fair, other and perhaps changed")
        pairs += [Pair(row["quote"], row[kind], kind) for kind in KINDS if kind in row]
        pairs.append(Pair(beside.get("quote", ""), row["fair"], "other"))
    return pairs


def measure(scorer: GroundednessScorer, pairs: Sequence[Pair]) -> Measure:
    """The bar in hundredths: midway from the best sentence on another subject to what 95 % of the fair ones reach.

    Raises PairsRejected where the two overlap: the scorer does not tell them apart.
    """
    scores = {kind: [scorer.score(pair.prose, [pair.quote]) for pair in pairs if pair.kind == kind] for kind in KINDS}
    if not scores["fair"] or not scores["other"]:
        raise PairsRejected("there is no fair sentence, or none on another subject: nothing can be read off")
    fair = sorted(scores["fair"])
    reached = fair[len(fair) - math.ceil(FAIR_TO_PASS * len(fair))]
    best = max(scores["other"])
    bar = round((reached + best) / 2, 2)
    if not best < bar <= reached:
        raise PairsRejected(
            f"{scorer.identity} does not tell fair prose from prose on another subject: 95 % of the fair sentences "
            f"reach {reached:.2f}, and one on another subject {best:.2f}"
        )
    passed = {kind: (sum(score >= bar for score in found), len(found)) for kind, found in scores.items()}
    return Measure(bar, passed, reached, best)
