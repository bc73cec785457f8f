"""A pytest plugin for `make test`: integration tests in lanes that run beside each other, each in a process of its own.

A lane has servers of its own and goes through its files in the order that one process would, so that what a test finds
left by those before it does not depend on how quick the machine is. Ask pytest-xdist for LANES processes.
"""

from __future__ import annotations

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

LANES = 2
SECOND = ("research/tests/",)  # as long as all else


class ByLane(LoadScopeScheduling):
    """Gives each process the tests of one lane."""

    def _split_scope(self, nodeid: str) -> str:
        return lane_of(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByLane:
    """What pytest-xdist takes in place of its own ways to share tests out."""
    return ByLane(config, log)


def lane_of(nodeid: str) -> str:
    """The lane of a test. nodeid: its path from the root, "::" and its name."""
    return "second" if nodeid.startswith(SECOND) else "first"
