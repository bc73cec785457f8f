"""Names that two spellings of one client share, and names that stay apart."""

from __future__ import annotations

import pytest

from clients.rules.matching import match_key


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Example Plumbing Pty Ltd", "example plumbing"),
        ("EXAMPLE  plumbing Pty. Ltd.", "example plumbing"),
        ("Example Plumbing P/L", "example plumbing"),
        ("Example Plumbing P / L", "example plumbing"),
        ("Example Plumbing Proprietary Limited", "example plumbing"),
        ("Ｅxample\u00a0Plumbing", "example plumbing"),
        ("A/B Trading", "a b trading"),
        ("O’Brien & Söhne", "obrien and sohne"),
        ("Limited", "limited"),
        ("🌊", ""),
    ],
)
def test_a_name_is_known_by_its_key(name: str, key: str) -> None:
    assert match_key(name) == key
