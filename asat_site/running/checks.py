"""`make test`, `make test-unit` and `make lint`: every check in order, each timed, one plain summary at the end.

A check that fails does not stop the next one: a newcomer wants the whole picture. A security test that was
skipped counts as failed, and so does a run that found no test.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from asat_site.running.lanes import LANES

ROOT = Path(__file__).resolve().parent.parent.parent
BIN = Path(sys.executable).parent
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "asat_site.running.marked"]


@dataclass(slots=True)
class Counted:
    """What a test run reported. skipped_security: the security tests among the skipped ones."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    skipped_security: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Check:
    """One command of the run and how it went."""

    name: str
    command: list[str]
    is_test: bool = False
    seconds: float = 0.0
    problem: str = ""
    counted: Counted = field(default_factory=Counted)


def lint_checks() -> list[Check]:
    """What reads the code and runs none of it."""
    return [
        Check("lint", [str(BIN / "ruff"), "check", "."]),
        Check("format", [str(BIN / "ruff"), "format", "--check", "."]),
        Check("types", [sys.executable, "-m", "mypy"]),
        Check("import contracts", [str(BIN / "lint-imports")]),
        Check("migrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"]),
    ]


def unit_checks(profile: str) -> list[Check]:
    """The tests that need no service. profile: how many examples property tests try, quick or thorough."""
    options = ["-n", "2", f"--hypothesis-profile={profile}"]
    return [Check("unit tests", [*PYTEST, *options, *map(str, folders("unit"))], is_test=True)]


def service_checks() -> list[Check]:
    """The tests on a real database, with a real worker, and in a real browser."""
    integration, browser = list(map(str, folders("integration"))), list(map(str, folders("browser")))
    lanes, shared_out = ["-p", "asat_site.running.lanes", "-n", str(LANES)], ["-n", "2", "--dist", "loadfile"]
    return [
        Check("integration tests", [*PYTEST, *lanes, "-m", "not alone", *integration], is_test=True),
        Check("tests alone", [*PYTEST, "-m", "alone", *integration], is_test=True),
        Check("browser tests", [*PYTEST, *shared_out, *browser], is_test=True),
    ]


def folders(kind: str) -> list[Path]:
    """The test folders of one kind, wherever an app keeps them."""
    found = [path for top in ("asat_site", "research", "clients", "integrations") for path in (ROOT / top).rglob(kind)]
    return sorted(path.relative_to(ROOT) for path in found if path.is_dir() and path.parent.name == "tests")


def count(report: Path) -> Counted:
    """Read what pytest counted, from its JUnit report; markers stand among a test's properties."""
    counted = Counted()
    for case in ElementTree.fromstring(report.read_text(encoding="utf-8")).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            counted.failed += 1
        elif case.find("skipped") is not None:
            counted.skipped += 1
            names = {prop.get("value") for prop in case.iter("property") if prop.get("name") == "marker"}
            if "security" in names:
                counted.skipped_security.append(f"{case.get('classname')}.{case.get('name')}")
        else:
            counted.passed += 1
    return counted


def run(check: Check) -> None:
    """Run it, with its output on the console as it comes."""
    print(f"\n── {check.name} ──", flush=True)
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "asat_site.settings.test", "PYTHONUNBUFFERED": "1"}
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        environment.setdefault(name, "1")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [*check.command, f"--junitxml={report}"] if check.is_test else check.command
        code = subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=False).returncode
        check.seconds = time.monotonic() - began
        check.problem = "" if code == 0 else f"exit code {code}"
        if check.is_test:
            _judge_tests(check, report)


def _judge_tests(check: Check, report: Path) -> None:
    if not report.exists():
        check.problem = check.problem or "wrote no report"
        return
    check.counted = count(report)
    if check.counted.skipped_security:
        check.problem = "security tests were skipped: " + ", ".join(check.counted.skipped_security)
    elif not check.problem and not check.counted.passed:
        check.problem = "no test ran"


def summary(checks: list[Check]) -> str:
    """A line for each check and the counts over all, for a person and for whoever counts tests."""
    lines = ["", "── summary ──"]
    for check in checks:
        tests = check.counted
        counts = f"{tests.passed} passed, {tests.failed} failed, {tests.skipped} skipped" if check.is_test else ""
        state = f"FAILED  {check.problem}" if check.problem else "ok"
        lines.append(f"{check.name:<18} {check.seconds:6.1f} s  {counts:<36} {state}".rstrip())
    total = [sum(getattr(check.counted, name) for check in checks) for name in ("passed", "failed", "skipped")]
    if any(check.is_test for check in checks):
        lines.append(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return "\n".join(lines)


def main(wanted: str) -> int:
    """Run the checks asked for; 0 when all of them passed."""
    groups: dict[str, Callable[[], list[Check]]] = {
        "lint": lint_checks,
        "unit": lambda: unit_checks("quick"),
        "all": lambda: [*lint_checks(), *unit_checks("thorough"), *service_checks()],
    }
    if wanted not in groups:
        print(f"'{wanted}' is no group of checks; give one of {', '.join(groups)}.", file=sys.stderr)
        return 2
    checks = groups[wanted]()
    for check in checks:
        run(check)
    print(summary(checks), flush=True)
    return 1 if any(check.problem for check in checks) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "all"))
