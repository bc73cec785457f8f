"""Child processes of the suite are unplugged as well."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.conf import settings

from asat_site.testing.processes import child_environment

pytestmark = pytest.mark.security


def test_a_child_process_cannot_reach_out(services: object) -> None:
    script = "import socket; socket.create_connection(('192.0.2.1', 80), 2)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=settings.BASE_DIR,
        env=child_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.returncode != 0
    assert "Unplugged" in done.stderr
