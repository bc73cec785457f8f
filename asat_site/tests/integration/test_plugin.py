"""The rules of the suite: a skipped security test fails, folders name kinds, a unit test gets no database."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent.parent

WALLS = """
import pytest

@pytest.mark.security
@pytest.mark.skip(reason="later")
def test_marked(): pass

@pytest.mark.security
@pytest.mark.skipif(True, reason="x")
def test_conditional(): pass

@pytest.mark.security
def test_inside(): pytest.skip("no server")

@pytest.mark.security
@pytest.mark.xfail
def test_expected_to_fail(): assert False

def test_another(): pytest.skip("this one may be")

def test_database():
    from django.db import connection
    connection.cursor()
"""


def run(tmp_path: Path, *arguments: str) -> str:
    """What pytest says of a file of unit tests and one of integration tests."""
    for kind, body in (("unit", WALLS), ("integration", "def test_it(): pass\n")):
        (tmp_path / "tests" / kind).mkdir(parents=True)
        (tmp_path / "tests" / kind / f"test_{kind}.py").write_text(body)
    command = [sys.executable, "-m", "pytest", str(tmp_path), "-c", str(ROOT / "pyproject.toml"), "-q"]
    command += ["-p", "no:cacheprovider", "-p", "asat_site.testing.plugin", "--rootdir", str(tmp_path), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    return done.stdout + done.stderr


@pytest.mark.security
def test_skipped_walls_fail_the_run_and_unit_tests_get_no_database(tmp_path: Path) -> None:
    said = run(tmp_path, "-m", "unit")
    assert "3 failed, 1 skipped, 1 deselected, 2 errors" in said, said
    assert said.count("skipped, which fails the run") >= 4
    assert "Database access not allowed" in said
