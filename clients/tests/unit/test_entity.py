"""Closed facts as files write them: read, left blank, or refused; never guessed."""

from __future__ import annotations

import pytest

from clients.rules.entity import read_cycle, read_entity, read_month, read_yes_or_no, year_ends


@pytest.mark.parametrize(
    ("text", "read"),
    [("Company", "company"), ("Pty Ltd", "company"), ("Self-managed super fund", "smsf"),
     ("SOLE TRADER", "sole_trader"), ("", ""), ("unknown", ""), ("N/A", ""), ("Castle", None)],
)  # fmt: skip
def test_entity_types(text: str, read: str | None) -> None:
    assert read_entity(text) == read


@pytest.mark.parametrize(("text", "read"), [("Yes", True), ("n", False), ("", ""), ("unknown", ""), ("perhaps", None)])
def test_yes_or_no(text: str, read: object) -> None:
    assert read_yes_or_no(text) is read or read_yes_or_no(text) == read == ""


@pytest.mark.parametrize(("text", "read"), [("Quarterly", "quarterly"), ("", ""), ("weekly", None)])
def test_cycles(text: str, read: str | None) -> None:
    assert read_cycle(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [("9", 9), ("September", 9), ("Sep", 9), ("30 September", 9), ("30/9", 9), ("30-09", 9), ("31 Dec", 12),
     ("28 Feb", 2), ("29 February", 2), ("", ""), ("31 September", None), ("13", None), ("June or July", None),
     ("x", None), ("ju", None)],
)  # fmt: skip
def test_months(text: str, read: int | str | None) -> None:
    assert read_month(text) == read


def test_when_a_year_ends_in_words() -> None:
    assert (year_ends(9), year_ends(2)) == ("30 September", "28 February")
    assert year_ends(None) == "not recorded, taken as 30 June"
