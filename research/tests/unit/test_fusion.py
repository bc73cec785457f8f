from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asat_site.testing.passages import section
from research.retrieval.fusion import in_total_order, ranks, rrf
from research.retrieval.shortlist import combine, shortlist
from research.terms import Fit, Hit

RANKINGS = st.lists(
    st.lists(st.integers(1, 30), unique=True, max_size=20).map(
        lambda ids: [Hit(i, 1.0 / n) for n, i in enumerate(ids, 1)]
    ),
    max_size=3,
)


def test_a_chunk_scores_one_over_k_plus_its_rank_in_each_list() -> None:
    fused = rrf([[Hit(1, 9.0), Hit(2, 8.0)], [Hit(2, 0.9)]])
    assert fused == [Hit(2, 1 / 62 + 1 / 61), Hit(1, 1 / 61)]


def test_scores_of_the_lists_do_not_matter_only_their_order() -> None:
    assert rrf([[Hit(1, 100.0), Hit(2, 99.0)]]) == rrf([[Hit(1, 0.2), Hit(2, 0.1)]])


def test_ties_fall_by_id() -> None:
    assert [hit.chunk_id for hit in rrf([[Hit(7, 1.0)], [Hit(3, 1.0)]])] == [3, 7]
    assert [hit.chunk_id for hit in in_total_order([Hit(5, 1.0), Hit(4, 1.0), Hit(6, 2.0)])] == [6, 4, 5]


def test_a_chunk_listed_twice_counts_once_at_its_first_place() -> None:
    assert ranks([Hit(1, 3.0), Hit(1, 2.0), Hit(2, 1.0)]) == {1: 1, 2: 2}
    assert rrf([[Hit(1, 3.0), Hit(1, 2.0)]]) == [Hit(1, 1 / 61)]


def test_nothing_in_gives_nothing_out() -> None:
    assert rrf([]) == rrf([[], []]) == []


def test_a_k_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        rrf([], k=0)


@given(RANKINGS)
def test_fusion_keeps_every_chunk_once_in_a_total_order_and_no_list_weighs_more_than_another(
    rankings: list[list[Hit]],
) -> None:
    fused = rrf(rankings)
    assert sorted(hit.chunk_id for hit in fused) == sorted({hit.chunk_id for ranking in rankings for hit in ranking})
    assert fused == sorted(fused, key=lambda hit: (-hit.score, hit.chunk_id))
    turned = {hit.chunk_id: hit.score for hit in rrf(rankings[::-1])}
    assert turned == pytest.approx({hit.chunk_id: hit.score for hit in fused})


def test_the_shortlist_is_the_head_of_the_ranking() -> None:
    hits = [Hit(n, 1.0 / n) for n in range(1, 6)]
    assert shortlist(hits, 2) == hits[:2]
    assert shortlist(hits, 50) == hits
    with pytest.raises(ValueError, match="limit is 0"):
        shortlist(hits, 0)


def test_passages_are_combined_with_every_score_they_earned() -> None:
    a, b, c = section("1-1", "Heading", "(1) First words.", "(2) Second words.", "(3) Third words.")
    lexical, dense = [Hit(b.chunk_id, 4.0), Hit(a.chunk_id, 3.0)], [Hit(a.chunk_id, 0.5)]
    fused = rrf([lexical, dense])
    combined = combine([a, b, c], [Fit(0.2, 0.4), Fit(0.9, 0.1), Fit(0.2, 0.3)], fused, lexical, dense)
    assert [item.passage for item in combined] == [b, a, c]  # relevance first, then closeness
    assert [(item.lexical_rank, item.dense_rank) for item in combined] == [(1, None), (2, 1), (None, None)]
    assert combined[1].fused == 1 / 62 + 1 / 61
    assert combined[2].fused == 0.0


def test_scores_that_do_not_fit_the_passages_are_refused() -> None:
    with pytest.raises(ValueError, match="gave 1 scores for 2 passages"):
        combine(section("1-1", "Heading", "(1) First words.", "(2) Second words."), [Fit(0.2, 0.2)], [], [], [])
