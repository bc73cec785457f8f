"""A pytest plugin for `make test`: writes each test's markers into the report, so that a skipped security test
is seen there."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Note the markers of every test that was collected."""
    for item in items:
        for marker in item.iter_markers():
            item.user_properties.append(("marker", marker.name))
