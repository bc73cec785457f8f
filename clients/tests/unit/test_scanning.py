"""Which scanner a setting names."""

from __future__ import annotations

import pytest

from clients.documents.checks import documents_can_come_in
from clients.documents.scanning import Clamd, NoScanner, scanner_of


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("clamd://scanner:3310", ("scanner", 3310)),
        ("clamd://127.0.0.1:3310/", ("127.0.0.1", 3310)),
        ("clamd://[::1]:3310", ("::1", 3310)),
        ("clamd:///run/clamav/clamd.ctl", "/run/clamav/clamd.ctl"),
    ],
)
def test_a_daemon_is_named_by_its_address(said: str, address: object) -> None:
    assert scanner_of(said) == Clamd(address)  # type: ignore[arg-type]


def test_none_is_named_by_nothing() -> None:
    assert isinstance(scanner_of(""), NoScanner)


WRONG = (
    "clamd://scanner",
    "clamd:///",
    "clamav://scanner:3310",
    "scanner:3310",
    "clamd://x:99999",
    "clamd://x:1/y",
    "on",
)


@pytest.mark.parametrize("said", WRONG)
def test_what_names_no_scanner_is_refused_and_the_site_does_not_start(
    said: str, settings: pytest.FixtureRequest
) -> None:
    with pytest.raises(ValueError, match=r"^ASAT_VIRUS_SCANNER is .*; give clamd://HOST:PORT"):
        scanner_of(said)
    settings.ASAT_VIRUS_SCANNER = said  # type: ignore[attr-defined]
    assert [each.id for each in documents_can_come_in(None)] == ["clients.E001"]


@pytest.mark.parametrize(("folder", "found"), [("", []), ("/drop", []), ("drop", ["clients.E002"])])
def test_a_drop_folder_is_an_absolute_path(folder: str, found: list[str], settings: pytest.FixtureRequest) -> None:
    settings.ASAT_DROP_DIRECTORY = folder  # type: ignore[attr-defined]
    assert [each.id for each in documents_can_come_in(None)] == found
