"""Management commands from outside: a wrong role, address or file ends in a sentence, never in a stack trace."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from asat_site.testing.practices import KnownPractice
from asat_site.testing.processes import child_environment
from asat_site.testing.servers import Services

NOBODY = "127.0.0.1:1"
ASK = ("ask", "Can a harbour pilot deduct the cost of protective clothing?", "--practice", "ashby")
CASE = """
- id: one
  question: Can a harbour pilot deduct the cost of protective clothing?
  income_year: 2020
  expected: {behaviour: answer, gold: [{act: HDFA99, section: "5-15"}]}
"""


def run(*arguments: str, **changed: str) -> tuple[int, str]:
    """Exit code, and what it printed."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env=child_environment(**changed),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.security
@pytest.mark.parametrize("role", ["owner", "superuser"])
@pytest.mark.parametrize("command", [ASK, ("audit", "verify"), ("evaluate", "cases.yaml", "--out", "none")])
def test_a_command_refuses_a_role_that_the_walls_do_not_bind(
    services: Services, practice: KnownPractice, tmp_path: Path, role: str, command: tuple[str, ...]
) -> None:
    (tmp_path / "cases.yaml").write_text(CASE, encoding="utf-8")
    arguments = [str(tmp_path / word) if word in ("cases.yaml", "none") else word for word in command]
    url = services.owner_url if role == "owner" else services.superuser_url
    code, said = run(*arguments, DATABASE_APP_URL=url)
    assert code == 2
    assert "Connect as asat_app: give its address in DATABASE_APP_URL." in said
    assert "Traceback" not in said


@pytest.mark.parametrize("command", [ASK, ("audit", "verify"), ("corpus", "status"), ("practice", "list")])
def test_a_database_that_is_down_is_said_in_a_sentence(services: Services, command: tuple[str, ...]) -> None:
    code, said = run(*command, DATABASE_APP_URL=f"postgresql://asat_app:secret-word@{NOBODY}/asat")
    assert code == 4
    assert said.startswith("The database does not answer (")
    assert "Traceback" not in said
    assert "secret-word" not in said


def test_a_setting_that_cannot_be_read_is_said_in_a_sentence(services: Services) -> None:
    code, said = run(*ASK, DATABASE_APP_URL="nonsense")
    assert code == 4
    assert said.startswith("DATABASE_APP_URL begins with ''; give postgresql://")
    assert "Traceback" not in said


def test_results_that_cannot_be_written_are_refused_before_anything_is_asked(
    services: Services, practice: KnownPractice, tmp_path: Path
) -> None:
    cases = tmp_path / "cases.yaml"
    cases.write_text(CASE, encoding="utf-8")
    out = str(tmp_path / "nowhere" / "results.jsonl")
    code, said = run("evaluate", str(cases), "--out", out, "--practice", practice.practice.schema_name)
    assert (code, said) == (2, f"CommandError: {out} cannot be written: No such file or directory.\n")
