from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asat_site.testing.passages import dictionary, ranked, section
from research.retrieval.parents import MAX_FOLLOWING, merge_parents

SECTION = section(
    "12-5",
    "Netting",
    "(1) You can deduct the cost of netting if:",
    "(a) the netting keeps birds out; and",
    "(b) you own the orchard.",
    "Note: For hail, see section 12-10.",
    "(2) However, you cannot deduct the cost of a shed.",
    "(3) The cost of netting includes its poles.",
)
LONG = section("13-1", "Trees", "(1) A tree counts if:", *(f"(a{chr(97 + n)}) it bears fruit {n};" for n in range(25)))


def texts(group: object) -> list[str]:
    return [passage.text for passage in group.passages]  # type: ignore[attr-defined]


def test_a_hit_brings_the_rest_of_its_subsection_and_the_exception_after_it_in_reading_order() -> None:
    (group,) = merge_parents(ranked((SECTION[2], 0.7)), SECTION)
    assert list(group.passages) == SECTION
    assert (group.parent, group.hits, group.relevance) == ("(1)", (SECTION[2].chunk_id,), 0.7)


def test_a_hit_in_a_later_subsection_brings_the_opening_of_its_section() -> None:
    (group,) = merge_parents(ranked((SECTION[5], 0.7)), SECTION)
    assert group.parent == "(3)"
    assert group.passages == (*SECTION[:4], SECTION[5])


def test_groups_come_by_their_best_hit_and_a_better_group_keeps_the_neighbours() -> None:
    groups = merge_parents(ranked((SECTION[1], 0.4), (SECTION[2], 0.6), (SECTION[4], 0.5)), SECTION)
    assert [(group.parent, group.relevance) for group in groups] == [("(1)", 0.6), ("(2)", 0.5)]
    assert groups[0].hits == (SECTION[2].chunk_id, SECTION[1].chunk_id)
    assert groups[1].passages == (SECTION[4],)


def test_equal_relevance_falls_by_the_lowest_id() -> None:
    other = section("14-1", "Fences", "(1) A fence is a fixture.")
    groups = merge_parents(ranked((SECTION[0], 0.5), (other[0], 0.5)), [*SECTION, *other])
    assert [min(group.hits) for group in groups] == sorted([SECTION[0].chunk_id, other[0].chunk_id])


def test_a_long_subsection_is_windowed_around_what_scored_and_keeps_its_lead_in() -> None:
    (group,) = merge_parents(ranked((LONG[20], 0.5)), LONG, max_per_parent=6)
    assert [passage.ordinal for passage in group.passages] == [0, 18, 19, 20, 21, 22]


def test_a_limit_of_one_keeps_the_hit_itself() -> None:
    (group,) = merge_parents(ranked((LONG[20], 0.5)), LONG, max_per_parent=1)
    assert group.passages == (LONG[20],)


def test_a_definition_stands_alone() -> None:
    entries = dictionary(("dwelling", "dwelling means a place to live in."), ("fruit", "fruit includes a berry."))
    (group,) = merge_parents(ranked((entries[0], 0.9)), entries)
    assert group.passages == (entries[0],)


def test_the_pieces_of_one_long_definition_stay_together() -> None:
    first, second = dictionary(("fruit", "fruit includes:"), ("fruit", "(a) a berry that is sold fresh."))
    (group,) = merge_parents(ranked((second, 0.9)), [first, second])
    assert group.passages == (first, second)


def test_two_wordings_of_one_section_never_share_a_group() -> None:
    later = [replace(p, version_id=p.version_id + 1, chunk_id=p.chunk_id + 1) for p in SECTION]
    groups = merge_parents(ranked((SECTION[0], 0.5), (later[0], 0.4)), [*SECTION, *later])
    assert [{passage.version_id for passage in group.passages} for group in groups] == [
        {SECTION[0].version_id},
        {later[0].version_id},
    ]


def test_siblings_of_versions_that_were_not_hit_are_left_out() -> None:
    (group,) = merge_parents(ranked((SECTION[0], 0.5)), [*SECTION, *LONG])
    assert {passage.version_id for passage in group.passages} == {SECTION[0].version_id}


def test_hits_without_any_siblings_still_make_their_groups() -> None:
    (group,) = merge_parents(ranked((SECTION[2], 0.5)), [])
    assert group.passages == (SECTION[2],)
    assert merge_parents([], SECTION) == []


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="max_per_parent is 0"):
        merge_parents([], [], max_per_parent=0)


@given(
    st.lists(st.integers(0, len(LONG) + len(SECTION) - 1), min_size=1, unique=True), st.integers(1, 20), st.randoms()
)
def test_every_group_holds_its_best_hit_within_the_limit_in_reading_order_whatever_order_things_come_in(
    places: list[int], limit: int, shuffler: random.Random
) -> None:
    everything = [*LONG, *SECTION]
    hits = ranked(*((everything[place], (place % 7) / 10) for place in places))
    groups = merge_parents(hits, everything, limit)
    for group in groups:
        ids = [passage.chunk_id for passage in group.passages]
        assert len(ids) == len(set(ids)) <= limit
        assert [p.ordinal for p in group.passages] == sorted(p.ordinal for p in group.passages)
        assert set(group.hits) <= set(ids)
        best = max(
            item.relevance
            for item in hits
            if (item.passage.version_id, item.passage.parent) == (group.version_id, group.parent)
        )
        assert group.relevance == best
    own = {(group.version_id, group.parent) for group in groups}
    assert own == {(item.passage.version_id, item.passage.parent) for item in hits}
    shuffled_hits, shuffled = list(hits), list(everything)
    shuffler.shuffle(shuffled_hits)
    shuffler.shuffle(shuffled)
    assert merge_parents(shuffled_hits, shuffled, limit) == groups


def test_only_a_few_passages_follow_so_that_a_long_section_does_not_come_whole() -> None:
    many = section("15-1", "Levies", *(f"({n}) Levy number {n} is payable each year." for n in range(1, 16)))
    (group,) = merge_parents(ranked((many[2], 0.5)), many)
    assert [passage.ordinal for passage in group.passages] == [0, 2, *range(3, 3 + MAX_FOLLOWING)]
