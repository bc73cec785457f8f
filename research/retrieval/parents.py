"""Parent merge: what search found is put back among the passages that it reads with.

A hit brings its siblings, so that a paragraph comes with its lead-in and a rule with the exception after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from research.terms import ParentGroup, Passage, Ranked

MAX_PER_PARENT = 16
MAX_FOLLOWING = 6  # enough for the exceptions after a rule; more would be the next rule
MAX_OPENING = 4

_Key = tuple[int, str]  # version, subsection label; a dictionary entry's label holds its term


def merge_parents(
    ranked: Sequence[Ranked], siblings: Sequence[Passage], max_per_parent: int = MAX_PER_PARENT
) -> list[ParentGroup]:
    """One group for each subsection that was hit, by the best relevance in it; ties by the lowest hit id.

    A group holds its hits, the opening passage of its subsection (the lead-in) and the siblings nearest to
    what scored, at most `max_per_parent` in all. Room that is left goes to a few passages of the subsections that
    follow and to the section's opening, as far as no better group has them: exceptions and the rule stand there.
    A definition stands alone with its own pieces.
    siblings: passages of the versions that were hit; others are ignored.
    Raises ValueError when max_per_parent is below 1.
    """
    if max_per_parent < 1:
        raise ValueError(f"max_per_parent is {max_per_parent}; give a whole number of at least 1")
    hits = _by_key(ranked)
    pool = _versions(hits, siblings, ranked)
    taken: set[int] = set()
    groups = []
    for key in sorted(hits, key=lambda key: _group_order(hits[key])):
        groups.append(_group(key, hits, pool[key[0]], max_per_parent, taken))
    return groups


def parent_key(passage: Passage) -> _Key:
    """What makes passages one parent: the version, the subsection and, in a dictionary, the term."""
    return (passage.version_id, passage.parent)


def _by_key(ranked: Iterable[Ranked]) -> dict[_Key, list[Ranked]]:
    found: dict[_Key, list[Ranked]] = {}
    for item in ranked:
        found.setdefault(parent_key(item.passage), []).append(item)
    for items in found.values():
        items.sort(key=lambda item: (-item.relevance, item.passage.chunk_id))
    return found


def _group_order(items: Sequence[Ranked]) -> tuple[float, int]:
    return (-items[0].relevance, min(item.passage.chunk_id for item in items))


def _versions(hits: Iterable[_Key], siblings: Sequence[Passage], ranked: Sequence[Ranked]) -> dict[int, list[Passage]]:
    """The passages known of each version that was hit, in reading order, each once."""
    wanted = {key[0] for key in hits}
    known: dict[int, dict[int, Passage]] = {version_id: {} for version_id in wanted}
    for passage in (*siblings, *(item.passage for item in ranked)):
        if passage.version_id in wanted:
            known[passage.version_id][passage.chunk_id] = passage
    return {
        version_id: sorted(passages.values(), key=lambda passage: (passage.ordinal, passage.chunk_id))
        for version_id, passages in known.items()
    }


def _group(
    key: _Key, hits: dict[_Key, list[Ranked]], version: Sequence[Passage], max_per_parent: int, taken: set[int]
) -> ParentGroup:
    own = [passage for passage in version if parent_key(passage) == key]
    items = hits[key]
    chosen = _window(own, [item.passage for item in items], max_per_parent)
    if not items[0].passage.is_dictionary_entry:
        chosen += _neighbours(own, version, taken, max_per_parent - len(chosen))
    chosen.sort(key=lambda passage: (passage.ordinal, passage.chunk_id))
    taken.update(passage.chunk_id for passage in chosen)
    kept = {passage.chunk_id for passage in chosen}
    return ParentGroup(
        version_id=key[0],
        parent=key[1],
        passages=tuple(chosen),
        hits=tuple(item.passage.chunk_id for item in items if item.passage.chunk_id in kept),
        relevance=items[0].relevance,
    )


def _window(own: Sequence[Passage], hits: Sequence[Passage], limit: int) -> list[Passage]:
    """At most `limit` of `own`: the best hit, the opening passage, the other hits, then whatever stands nearest."""
    ordered: list[Passage] = [hits[0], own[0], *hits[1:]]
    places = [index for index, passage in enumerate(own) if passage.chunk_id in {hit.chunk_id for hit in hits}]
    rest = sorted(range(len(own)), key=lambda index: (min(abs(index - place) for place in places), index))
    ordered += [own[index] for index in rest]
    return list({passage.chunk_id: passage for passage in ordered}.values())[:limit]


def _neighbours(own: Sequence[Passage], version: Sequence[Passage], taken: set[int], room: int) -> list[Passage]:
    """A few passages, `room` at most, of the same version that no better group has.

    What follows `own`, then how the section opens: an exception stands after its rule, and the rule stands first.
    """
    free = [p for p in version if not p.is_dictionary_entry and p.chunk_id not in taken]
    last, first = max(passage.ordinal for passage in own), min(passage.ordinal for passage in own)
    following = [passage for passage in free if passage.ordinal > last][:MAX_FOLLOWING]
    opening = [passage for passage in free if passage.ordinal < first and passage.parent == version[0].parent]
    return (following[: max(0, room - 1)] + opening[:MAX_OPENING])[: max(0, room)]
