"""What the settings make of signing in: production asks for a second factor, and mail goes where the address says."""

from __future__ import annotations

import pytest

from asat_site.tests.unit.test_settings import WHOLE, load

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("place", "given", "wanted"),
    [("production", {}, True), ("production", {"ASAT_REQUIRE_SECOND_FACTOR": "0"}, False), ("dev", {}, False)],
)
def test_production_requires_a_second_factor_of_new_practices(place: str, given: dict[str, str], wanted: bool) -> None:
    found = load(place, {**WHOLE, **given})
    assert isinstance(found, dict), found
    assert found["ASAT_REQUIRE_SECOND_FACTOR"] is wanted


def test_mail_goes_to_the_server_that_is_named_and_else_nowhere() -> None:
    without = load("production", WHOLE)
    url = {"ASAT_EMAIL_URL": "smtp://ann:secret@mail.example:2525?tls=1", "ASAT_EMAIL_FROM": "asat@smith.example"}
    found = load("production", {**WHOLE, **url})
    assert isinstance(without, dict) and isinstance(found, dict)
    assert without["EMAIL_BACKEND"] == "django.core.mail.backends.console.EmailBackend"
    assert "EMAIL_HOST" not in without
    assert found["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"], found["EMAIL_HOST_USER"]) == ("mail.example", 2525, "ann")
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"], found["EMAIL_TIMEOUT"]) == (True, False, 20)
    assert found["DEFAULT_FROM_EMAIL"] == "asat@smith.example"
