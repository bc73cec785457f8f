"""What goes to the reranker, and what comes back from it in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from research.law.citing import deals_with, is_ruling
from research.retrieval.fusion import ranks
from research.retrieval.parents import parent_key
from research.terms import Fit, Hit, Passage, Pin, Ranked, SubjectEvidence, SubjectMatch

# A ruling that cites the section: of the first provision's relevance, which most of a share goes to, and by its place.
LEAST_RULING, LAST_RULING = 0.005, 8
LEAST_LIMIT = 0.1  # of the first provision's relevance: an index entry names limits of all that it covers


def shortlist(fused: Sequence[Hit], limit: int) -> list[Hit]:
    """The first `limit` of the fused ranking, which is in total order already.

    Raises ValueError when limit is below 1.
    """
    if limit < 1:
        raise ValueError(f"limit is {limit}; give a whole number of at least 1")
    return list(fused[:limit])


def combine(
    passages: Sequence[Passage],
    fits: Sequence[Fit],
    fused: Sequence[Hit],
    lexical: Sequence[Hit],
    dense: Sequence[Hit],
) -> list[Ranked]:
    """The passages with every score they earned: by relevance, then closeness, best first; ties by id.

    fits[i] is the reranker's score of passages[i].
    Raises ValueError when the two differ in length: scores must never slip to a neighbour.
    """
    if len(passages) != len(fits):
        raise ValueError(f"the reranker gave {len(fits)} scores for {len(passages)} passages; it must give one each")
    fused_score: Mapping[int, float] = {hit.chunk_id: hit.score for hit in fused}
    lexical_ranks, dense_ranks = ranks(lexical), ranks(dense)
    ranked = [
        Ranked(
            passage=passage,
            fused=fused_score.get(passage.chunk_id, 0.0),
            relevance=fit.relevance,
            closeness=fit.closeness,
            signs=fit.signs,
            lexical_rank=lexical_ranks.get(passage.chunk_id),
            dense_rank=dense_ranks.get(passage.chunk_id),
        )
        for passage, fit in zip(passages, fits, strict=True)
    ]
    return sorted(ranked, key=lambda item: (-item.relevance, -item.closeness, item.passage.chunk_id))


def strongest(evidence: Mapping[Pin, SubjectEvidence], limit: int) -> list[Pin]:
    """The provisions that the subject index points at most strongly, at most `limit`; ties by their place."""
    return sorted(evidence, key=lambda pin: (-evidence[pin].strength, pin))[:limit]


def leading(ranked: Sequence[Ranked], provisions: int, subsections: int) -> list[Ranked]:
    """What is shown to the generator: of the first provisions, the passages of their first subsections, in order."""
    kept: dict[int, set[tuple[int, str]]] = {}
    found = []
    for item in ranked:
        provision_id, key = item.passage.provision_id, parent_key(item.passage)
        if provision_id not in kept and len(kept) == provisions:
            continue
        own = kept.setdefault(provision_id, set())
        if key in own or len(own) < subsections:
            own.add(key)
            found.append(item)
    return found


def limits_of_first(ranked: Sequence[Ranked], matches: Sequence[SubjectMatch]) -> list[Ranked]:
    """The passages of the provision that is named as limiting the first one ranked, by the strongest entry that does.

    Only of what was found and stands at least `LEAST_LIMIT` as high. Empty where no entry that was read says so.
    """
    if not ranked:
        return []
    first = (ranked[0].passage.instrument, ranked[0].passage.pin)
    for match in matches:
        if not match.is_by_words or first not in match.provisions:
            continue
        for pin in match.limits:
            own = [item for item in ranked if (item.passage.instrument, item.passage.pin) == pin]
            if own and own[0].relevance >= LEAST_LIMIT * ranked[0].relevance:
                return [item for item in own if parent_key(item.passage) == parent_key(own[0].passage)]
    return []


def ruling_on_first(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The passages of the best paragraph of a ruling that cites the first section of an Act ranked.

    Only of what was found, stands at least `LEAST_RULING` as high and among the first `LAST_RULING` provisions. Empty
    where no ruling held does.
    """
    first = next((item for item in ranked if not is_ruling(item.passage.instrument)), None)
    if first is None:
        return []
    act = first.passage
    provisions: set[int] = set()
    for item in ranked:
        provisions.add(item.passage.provision_id)
        if item.relevance < LEAST_RULING * first.relevance or len(provisions) > LAST_RULING:
            break
        of_it = act.instrument, act.instrument_title, act.section, act.schedule
        if is_ruling(item.passage.instrument) and deals_with(item.passage.text, *of_it):
            return [other for other in ranked if parent_key(other.passage) == parent_key(item.passage)]
    return []
