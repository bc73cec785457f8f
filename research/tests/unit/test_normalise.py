"""The one normalisation, and the way back to the original's own characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.verification.normalise import normalise

pytestmark = pytest.mark.unit

TRICKY = st.text(
    st.sampled_from(" \t\n\u00a0\u2009\u00ad\u200b\u2011\u2013\u2014\u2212\u2018\u201d\u2026\ufb01aB1-'."), max_size=60
)


@pytest.mark.parametrize(
    ("original", "text"),
    [
        ("a  b\n\tc", "a b c"),
        ("  a b  ", "a b"),
        ("$1\u00a0000", "$1 000"),
        ("a\u2003b\u202fc", "a b c"),
        ("de\u00adduct", "deduct"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("a \u00ad b", "a b"),
        ("8\u20111, 2019\u201320, \u2212 5, income\u2014that", "8-1, 2019-20, - 5, income-that"),
        ("\u2018a\u2019 \u201cb\u201d \u201ec\u201f", '\'a\' "b" "c"'),
        ("and so on\u2026", "and so on..."),
        ("\ufb01nance o\ufb03ce", "finance office"),
        ("Capitals KEPT, accents é kept; ½ kept", "Capitals KEPT, accents é kept; ½ kept"),
        ("", ""),
        (" \u00ad ", ""),
    ],
)
def test_only_the_way_characters_are_written_is_changed(original: str, text: str) -> None:
    assert normalise(original).text == text


@given(st.one_of(st.text(max_size=120), TRICKY))
def test_normalising_twice_changes_nothing_more(original: str) -> None:
    once = normalise(original).text
    assert normalise(once).text == once


@given(st.one_of(st.text(max_size=120), TRICKY), st.data())
def test_every_span_leads_back_to_original_characters_that_hold_it(original: str, data: st.DataObject) -> None:
    found = normalise(original)
    assert len(found.text) == len(found.starts) == len(found.ends)
    if not found.text:
        return
    start = data.draw(st.integers(0, len(found.text) - 1))
    end = data.draw(st.integers(start + 1, len(found.text)))
    first, last = found.original_span(start, end)
    assert 0 <= first < last <= len(original)
    assert found.text[start:end].strip(" ") in normalise(original[first:last]).text


@given(st.one_of(st.text(max_size=120), TRICKY))
def test_positions_never_step_back(original: str) -> None:
    found = normalise(original)
    assert list(found.starts) == sorted(found.starts)
    assert list(found.ends) == sorted(found.ends)


@pytest.mark.parametrize("span", [(0, 0), (2, 1), (0, 99), (-1, 2)])
def test_an_impossible_span_is_refused(span: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="span"):
        normalise("lantern").original_span(*span)
