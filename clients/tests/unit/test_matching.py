"""Names that are one, names that are not, and words as a search finds them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clients.rules.matching import LONGEST_KEY, fold, match_key, sought


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ACME Pty Ltd", "Acme Proprietary Limited"),
        ("Acme P/L", "ACME PTY. LTD."),
        ("O’Brien & Sons", "OBrien and Sons"),
        ("The Trustee for the Smith Family Trust", "Smith Family Trust"),
        ("Trustees of Smith Discretionary Trust", "smith trust"),
        ("ATF Smith Unit Trust", "Smith Trust"),
        ("J.P. Morgan Co.", "JP Morgan"),
        ("Café Zoë", "cafe zoe"),
        ("The Harbour Company", "Harbour"),
    ],
)
def test_two_spellings_of_one_name_share_a_key(one: str, other: str) -> None:
    assert match_key(one) == match_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Smith Trust", "Smith Pty Ltd"),  # a trust and its trustee are two
        ("Smith 1 Pty Ltd", "Smith 2 Pty Ltd"),
        ("Limited", "Company"),
        ("Ltd Brands", "Brands"),
        ("Jane Smith", "Smith Jane"),
    ],
)
def test_two_names_do_not(one: str, other: str) -> None:
    assert match_key(one) != match_key(other)


def test_a_name_of_nothing_but_marks_has_no_key() -> None:
    assert match_key("—") == match_key("") == fold("!?") == ""


def test_what_is_searched_stands_apart() -> None:
    assert sought(["Ācme & Co", "", "51824753556"]) == "acme and co | 51824753556"


@example("𝓐 ﬁ Ⅸ ℡")
@given(st.text(max_size=400))
def test_a_key_is_bounded_and_folding_is_done_once(name: str) -> None:
    assert len(match_key(name)) <= LONGEST_KEY
    assert fold(fold(name)) == fold(name)
    assert "\x00" not in match_key(name)
