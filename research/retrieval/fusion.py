"""Reciprocal rank fusion: several rankings made into one, by rank alone, so that their scales need not agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from research.terms import Hit

RRF_K = 60  # Cormack, Clarke and Büttcher 2009; the design fixes it


def in_total_order(hits: Iterable[Hit]) -> list[Hit]:
    """`hits` by score, best first; equal scores by id, so that every ranking is one and the same each time."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


def rrf(rankings: Sequence[Sequence[Hit]], k: int = RRF_K) -> list[Hit]:
    """One ranking: each chunk scores the sum of 1 / (k + rank) over the rankings it stands in, ranks from 1.

    A ranking is taken in the order given. A chunk that one ranking holds twice counts where it stands first.
    Raises ValueError when k is below 1.
    """
    if k < 1:
        raise ValueError(f"k is {k}; give a whole number of at least 1")
    scores: dict[int, float] = {}
    for ranking in rankings:
        for chunk_id, rank in ranks(ranking).items():
            scores[chunk_id] = scores.get(chunk_id, 0.0) + 1.0 / (k + rank)
    return in_total_order(Hit(chunk_id, score) for chunk_id, score in scores.items())


def ranks(ranking: Sequence[Hit]) -> dict[int, int]:
    """The rank of each chunk in `ranking`, from 1; the first place counts where one stands twice."""
    found: dict[int, int] = {}
    for hit in ranking:
        found.setdefault(hit.chunk_id, len(found) + 1)
    return found
