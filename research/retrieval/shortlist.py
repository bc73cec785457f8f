"""What goes to the reranker, and what comes back from it in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from research.retrieval.fusion import ranks
from research.terms import Hit, Passage, Ranked


def shortlist(fused: Sequence[Hit], limit: int) -> list[Hit]:
    """The first `limit` of the fused ranking, which is in total order already.

    Raises ValueError when limit is below 1.
    """
    if limit < 1:
        raise ValueError(f"limit is {limit}; give a whole number of at least 1")
    return list(fused[:limit])


def combine(
    passages: Sequence[Passage],
    relevance: Sequence[float],
    fused: Sequence[Hit],
    lexical: Sequence[Hit],
    dense: Sequence[Hit],
) -> list[Ranked]:
    """The passages with every score they earned: by relevance, then fused score, best first; ties by id.

    relevance[i] is the reranker's score of passages[i].
    Raises ValueError when the two differ in length: scores must never slip to a neighbour.
    """
    if len(passages) != len(relevance):
        raise ValueError(
            f"the reranker gave {len(relevance)} scores for {len(passages)} passages; it must give one each"
        )
    fused_score: Mapping[int, float] = {hit.chunk_id: hit.score for hit in fused}
    lexical_ranks, dense_ranks = ranks(lexical), ranks(dense)
    ranked = [
        Ranked(
            passage=passage,
            fused=fused_score.get(passage.chunk_id, 0.0),
            relevance=score,
            lexical_rank=lexical_ranks.get(passage.chunk_id),
            dense_rank=dense_ranks.get(passage.chunk_id),
        )
        for passage, score in zip(passages, relevance, strict=True)
    ]
    return sorted(ranked, key=lambda item: (-item.relevance, -item.fused, item.passage.chunk_id))
