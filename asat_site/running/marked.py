"""A pytest plugin for `make test`: writes each test's markers into the report, so that a skipped security test
is seen there, and lets a busy machine be slow without failing a test for it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# Property tests judge what is right, not how quick the machine is.
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", _PATIENT, max_examples=200)
settings.register_profile("quick", _PATIENT, max_examples=25)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Note the markers of every test that was collected."""
    for item in items:
        for marker in item.iter_markers():
            item.user_properties.append(("marker", marker.name))
