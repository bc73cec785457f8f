"""What search is worth by itself: where the ranking puts the provisions that a case wants. Pure.

By provision (act and section): of several pieces of one only the first place counts.
 - hit@k: whether any acceptable provision stands among the first k.
 - recall@k: the share of the gold provisions among the first k; the alternatives (`also_acceptable`) do not enter.
 - MRR@10: 1 / place of the first acceptable one, 0 beyond the tenth.
 - nDCG@10: gain 2 for gold and 1 for an alternative, discounted by log2(place + 1), over the best order there could be.
   Alternatives that are not found lower it: compare it only with itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log2

KS = (1, 3, 5, 10, 20, 50)
DEPTH = 10
NAMES = (*(f"hit@{k}" for k in KS), *(f"recall@{k}" for k in KS), "MRR@10", "nDCG@10")


def scores(ranked: Sequence[Hashable], gold: Sequence[Hashable], also: Sequence[Hashable] = ()) -> list[float]:
    """One number for each of NAMES. ranked: best first; a key that comes again is passed over."""
    order = list(dict.fromkeys(ranked))
    gains = {**dict.fromkeys(also, 1.0), **dict.fromkeys(gold, 2.0)}
    place = next((at for at, key in enumerate(order, 1) if key in gains), None)
    wanted = set(gold) or set(gains)
    return [
        *(float(place is not None and place <= k) for k in KS),
        *(len(wanted & set(order[:k])) / len(wanted) for k in KS),
        1 / place if place is not None and place <= DEPTH else 0.0,
        _dcg([gains.get(key, 0.0) for key in order]) / _dcg(sorted(gains.values(), reverse=True)),
    ]


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / log2(at + 1) for at, gain in enumerate(gains[:DEPTH], 1))
