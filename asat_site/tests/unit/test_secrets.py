"""Stored secrets: they open where they were sealed and nowhere else, and no error says what they are."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from asat_site import secrets

pytestmark = [pytest.mark.unit, pytest.mark.security]

OURS, THEIRS = UUID(int=1), UUID(int=2)
PLACE: dict[str, Any] = {"practice": OURS, "table": "clients_client", "column": "sealed_tfn", "row": UUID(int=7)}
OLD, NEW = ("old", b"o" * 32), ("new", b"n" * 32)


@pytest.fixture(autouse=True)
def keys(settings: Any) -> None:
    settings.ENCRYPTION_KEYS = (OLD,)


def test_what_was_sealed_opens_again_and_does_not_show() -> None:
    sealed = secrets.seal("123456782", **PLACE)
    assert secrets.open_sealed(sealed, **PLACE) == "123456782"
    assert sealed.startswith("1.old.")
    assert "123456782" not in sealed
    assert secrets.seal("123456782", **PLACE) != sealed, "the same secret twice must not be seen to be the same"


def test_an_empty_and_a_long_secret_are_sealed_too() -> None:
    for text in ("", "ключ ü " * 500):
        assert secrets.open_sealed(secrets.seal(text, **PLACE), **PLACE) == text


@pytest.mark.parametrize(
    "moved",
    [{"practice": THEIRS}, {"table": "research_modelsettings"}, {"column": "abn"}, {"row": UUID(int=8)}],
    ids=lambda moved: next(iter(moved)),
)
def test_copied_to_another_place_it_does_not_open(moved: dict[str, Any]) -> None:
    sealed = secrets.seal("123456782", **PLACE)
    with pytest.raises(secrets.CannotOpen) as refusal:
        secrets.open_sealed(sealed, **{**PLACE, **moved})
    assert "123456782" not in str(refusal.value)
    assert sealed not in str(refusal.value)


def test_a_changed_letter_or_key_id_does_not_open(settings: Any) -> None:
    settings.ENCRYPTION_KEYS = (OLD, ("same", OLD[1]))
    sealed = secrets.seal("123456782", **PLACE)
    last = "A" if sealed[-5] != "A" else "B"
    for altered in (sealed[:-5] + last + sealed[-4:], sealed.replace("1.old.", "1.same."), sealed[:12], "1.old.", "x"):
        with pytest.raises(secrets.CannotOpen):
            secrets.open_sealed(altered, **PLACE)


def test_the_first_key_seals_and_all_open(settings: Any) -> None:
    before = secrets.seal("k", **PLACE)
    settings.ENCRYPTION_KEYS = (NEW, OLD)
    after = secrets.seal("k", **PLACE)
    assert secrets.open_sealed(before, **PLACE) == secrets.open_sealed(after, **PLACE) == "k"
    assert (secrets.is_under_first_key(before), secrets.is_under_first_key(after)) == (False, True)
    settings.ENCRYPTION_KEYS = (NEW,)
    with pytest.raises(secrets.UnknownKey, match="key 'old', which ASAT_ENCRYPTION_KEYS does not name"):
        secrets.open_sealed(before, **PLACE)


def test_another_key_of_the_same_name_does_not_open(settings: Any) -> None:
    sealed = secrets.seal("k", **PLACE)
    settings.ENCRYPTION_KEYS = (("old", NEW[1]),)
    with pytest.raises(secrets.CannotOpen, match="under another key of the name 'old'"):
        secrets.open_sealed(sealed, **PLACE)
