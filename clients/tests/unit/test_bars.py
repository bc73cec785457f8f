"""Where the bars of a chart stand: one scale for all, both ways from nil, and nothing drawn of nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clients.rules.bars import Bar, columns, share


def test_bars_grow_both_ways_from_one_line() -> None:
    drawn = columns([(100,), (0,), (-100,)], 300, 100)
    assert drawn.bars == (Bar(14.0, 0.0, 72.0, 50.0, 0), Bar(214.0, 50.0, 72.0, 50.0, 0))
    assert (drawn.nil, drawn.middles) == (50.0, (50.0, 150.0, 250.0))


def test_two_amounts_of_a_column_stand_side_by_side() -> None:
    drawn = columns([(200, 100)], 100, 100)
    assert drawn.bars == (Bar(14.0, 0.0, 36.0, 100.0, 0), Bar(50.0, 50.0, 36.0, 50.0, 1))


def test_nothing_draws_nothing_and_the_least_is_seen() -> None:
    assert columns([], 100, 100).bars == columns([(0,), (0,)], 100, 100).bars == ()
    assert columns([(1,), (10**12,)], 100, 100).bars[0].height == 1.0


@given(st.lists(st.tuples(st.integers(-(10**14), 10**14)), max_size=40))
def test_no_bar_leaves_the_chart(amounts: list[tuple[int]]) -> None:
    for bar in columns(amounts, 720, 150).bars:
        assert bar.x >= 0 and bar.x + bar.width <= 720.1
        assert bar.y >= -1.1 and bar.y + bar.height <= 151.1


def test_a_share_is_of_the_most_and_never_below_nil() -> None:
    assert [share(each, 200) for each in (200, 100, 1, 0, -50)] == [100, 50, 1, 0, 0]
    assert share(5, 0) == share(-5, -5) == 0
